// Asks the released file system memory tool and `mem tool` the same, and says where they differ.
//
// Arguments: the binary, an empty folder, a seed. Left out is what `mem tool` refuses on purpose: folders of
// files, a move into itself.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node';

const [, , mem, folder, seed] = process.argv;
const PATHS = ['/memories', '/memories/', '/memories/a', '/memories/b.txt', '/memories/d', '/memories/d/e',
  '/memories/d/e/f', '/memories/x/../a', '/memories/./b.txt', '/memories//d/e', '/memories/../out', '/elsewhere',
  '/memories/.h', '/memories/%2e%2e/g', '/memories/\u00e9'];
const TEXTS = ['', '\n', 'a', 'a\n', 'a\nb\n', 'a a\nb', 'b\na\nb\na', '\r\nx\u2028y\n\n', 'aaa', '$& \\1 a',
  '\u{1f600}\nab'];

let state = BigInt(seed) * 2n + 1n;
function below(limit) {
  state = (state * 6364136223846793005n + 1442695040888963407n) % (1n << 64n);
  return Number((state >> 33n) % BigInt(limit));
}
const pick = (of) => of[below(of.length)];

function command() {
  const where = pick(PATHS), text = pick(TEXTS), number = below(7) - 2;
  return pick([
    { command: 'view', path: where },
    { command: 'view', path: where, view_range: [number, below(9) - 3] },
    { command: 'create', path: where, file_text: text },
    { command: 'create', path: where, file_text: text },
    { command: 'str_replace', path: where, old_str: pick(TEXTS), new_str: text },
    { command: 'insert', path: where, insert_line: number, insert_text: text },
    { command: 'delete', path: where },
    { command: 'rename', old_path: where, new_path: pick(PATHS) },
  ]);
}

function tree(root) {
  const found = {};
  for (const name of fs.readdirSync(root, { recursive: true }).sort()) {
    const full = path.join(root, name);
    found[name] = fs.statSync(full).isFile() ? fs.readFileSync(full, 'hex') : null;
  }
  return found;
}

/** The SDK leaves folders behind that it made for commands that failed. */
function sweep(theirs, ours) {
  const names = fs.readdirSync(theirs, { recursive: true }).sort().reverse();
  for (const name of names) {
    const full = path.join(theirs, name);
    const isEmpty = fs.statSync(full).isDirectory() && fs.readdirSync(full).length === 0;
    if (isEmpty && !fs.existsSync(path.join(ours, name))) fs.rmdirSync(full);
  }
}

const [theirs, ours] = ['theirs', 'ours'].map((name) => path.join(folder, name));
const sdk = await BetaLocalFilesystemMemoryTool.init(theirs);
const loop = spawn(mem, ['tool', '--loop', '--dialect', 'typescript', '--root', ours], { stdio: ['pipe', 'pipe', 'inherit'] });
let rest = '';
loop.stdout.setEncoding('utf8');
async function answer() {
  while (!rest.includes('\n')) {
    const [data] = await new Promise((resolve) => loop.stdout.once('data', (...args) => resolve(args)));
    rest += data;
  }
  const end = rest.indexOf('\n');
  const line = rest.slice(0, end);
  rest = rest.slice(end + 1);
  return JSON.parse(line);
}

let skipped = 0;
const asked = 400;
for (let id = 0; id < asked; id++) {
  const input = command();
  loop.stdin.write(JSON.stringify({ id, input }) + '\n');
  const got = await answer();
  try {
    assert.deepEqual(got, { id, content: await sdk[input.command](input), is_error: false }, JSON.stringify(input));
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    assert.equal(got.is_error, true, JSON.stringify([input, got, error]));
    if (error.code) skipped += 1;
    else assert.equal(got.content, error.message, JSON.stringify(input));
    sweep(theirs, ours);
  }
  assert.deepEqual(tree(ours), tree(theirs), JSON.stringify(input));
}
loop.stdin.end();
console.log(`${asked} commands, ${skipped} of them errors of the system`);
