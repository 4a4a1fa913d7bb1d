/**
 * A long task with memory: old tool results are cleared from the context, those of memory never.
 *
 *     mem client typescript > mem-memory.ts
 *     npx tsx context-editing.ts "Go on with the migration"
 */
import Anthropic from '@anthropic-ai/sdk';
import { memMemoryTool } from './mem-memory.js';

const [prompt = '', ...options] = process.argv.slice(2);
const memory = memMemoryTool(options);
try {
  const message = await new Anthropic().beta.messages.toolRunner({
    model: process.env['MODEL'] ?? 'claude-opus-4-6',
    max_tokens: 4096,
    betas: ['context-management-2025-06-27'],
    context_management: {
      edits: [
        {
          type: 'clear_tool_uses_20250919',
          trigger: { type: 'input_tokens', value: 100_000 },
          keep: { type: 'tool_uses', value: 3 },
          exclude_tools: ['memory'],
        },
      ],
    },
    tools: [memory], // and your own
    messages: [{ role: 'user', content: prompt }],
  });
  for (const block of message.content) if (block.type === 'text') console.log(block.text);
} finally {
  memory.close();
}
