/**
 * A memory that `mem` keeps, for the memory tool of the TypeScript SDK.
 *
 *     const memory = memMemoryTool();                          // this project's memory
 *     const memory = memMemoryTool(['--root', './agent']);     // a directory of its own
 *
 * Give it to `client.beta.messages.toolRunner({ tools: [memory], ... })` and call `memory.close()` at
 * the end. The options are those of `mem tool`. One process answers all calls, in order.
 */
import { spawn } from 'node:child_process';
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';

type Waiting = { resolve: (content: string) => void; reject: (error: Error) => void };

/** `mem tool --loop`: one request a line, one answer a line. */
class Loop {
  private readonly child;
  private readonly waiting: Waiting[] = [];
  private asked = 0;
  private rest = Buffer.alloc(0);
  private ended: Error | undefined;

  constructor(mem: string, options: string[]) {
    const args = ['tool', '--loop', '--dialect', 'typescript', ...options];
    this.child = spawn(mem, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.child.stdout.on('data', (data: Buffer) => this.read(data));
    this.child.stdin.on('error', () => this.end(new Error('`mem tool` reads no more')));
    this.child.on('error', (error) => this.end(error));
    this.child.on('close', () => this.end(new Error('the memory is closed: `mem tool` has ended')));
  }

  ask(input: unknown): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.ended) return reject(this.ended);
      this.waiting.push({ resolve, reject });
      this.child.stdin.write(JSON.stringify({ id: ++this.asked, input }) + '\n');
    });
  }

  close(): void {
    // Without its standard input the process ends by itself.
    this.child.stdin.end();
  }

  /** Lines end with LF alone: a memory may hold any other character that passes for an end of line. */
  private read(data: Buffer): void {
    this.rest = Buffer.concat([this.rest, data]);
    for (let end = this.rest.indexOf(10); end >= 0; end = this.rest.indexOf(10)) {
      const answer = JSON.parse(this.rest.subarray(0, end).toString('utf8'));
      this.rest = this.rest.subarray(end + 1);
      const waiting = this.waiting.shift();
      if (answer.is_error) waiting?.reject(new Error(answer.content));
      else waiting?.resolve(answer.content);
    }
  }

  private end(error: Error): void {
    this.ended ??= error;
    for (const waiting of this.waiting.splice(0)) waiting.reject(this.ended);
  }
}

/** The memory tool over `mem tool --loop`. */
export function memMemoryTool(options: string[] = [], mem = 'mem') {
  const loop = new Loop(mem, options);
  const ask = (command: unknown) => loop.ask(command);
  const tool = betaMemoryTool({
    view: ask,
    create: ask,
    str_replace: ask,
    insert: ask,
    delete: ask,
    rename: ask,
  });
  return Object.assign(tool, { close: () => loop.close() });
}
