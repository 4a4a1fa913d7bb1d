/**
 * A conversation without end: the server sums older turns up, and memory keeps what must not be lost.
 *
 *     mem client typescript > mem-memory.ts
 *     npx tsx compaction.ts "Go on with the migration"
 */
import Anthropic from '@anthropic-ai/sdk';
import { memMemoryTool } from './mem-memory.js';

const [prompt = '', ...options] = process.argv.slice(2);
const memory = memMemoryTool(options);
try {
  const message = await new Anthropic().beta.messages.toolRunner({
    model: process.env['MODEL'] ?? 'claude-opus-4-6',
    max_tokens: 4096,
    betas: ['context-management-2025-06-27', 'compact-2026-01-12'],
    context_management: {
      edits: [
        {
          type: 'compact_20260112',
          trigger: { type: 'input_tokens', value: 150_000 },
          instructions: 'Keep what is not in the memory directory yet, and name its files.',
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
