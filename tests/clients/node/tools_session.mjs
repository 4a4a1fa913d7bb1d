// A conversation with `/mcp` of `mem serve` through the official TypeScript clients of both generations, which
// hold every answer to the schema that its tool declares: `tools_session.mjs NODE_MODULES URL TOKEN`. Prints the
// versions that were agreed on as one line of JSON.

import assert from "node:assert";
import { pathToFileURL } from "node:url";

const [modules, url, token] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(`${modules}/@modelcontextprotocol/${file}`));
const NAMES = ["list", "search", "read", "write", "edit", "delete"].map((one) => `memory_${one}`);

async function converse(Client, Transport, options, folder) {
  const client = new Client({ name: "session", version: "1" }, options);
  const headers = { "x-api-key": token };
  await client.connect(new Transport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  const said = async (name, args) => await client.callTool({ name, arguments: args });
  const call = async (name, args) => {
    const result = await said(name, args);
    assert(!result.isError, JSON.stringify(result));
    return result.structuredContent;
  };
  const { tools } = await client.listTools();
  assert.deepStrictEqual(tools.map((tool) => tool.name), NAMES);
  const path = `/${folder}/a.md`;
  const written = await call("memory_write", { path, content: "one two\n" });
  assert(written.created);
  const content_sha256 = written.content_sha256;
  await call("memory_edit", { path, old_text: "two", new_text: "three", content_sha256 });
  const stale = await said("memory_edit", { path, old_text: "three", new_text: "", content_sha256 });
  assert(stale.isError && stale.content[0].text.includes("is not what you read"));
  assert.strictEqual((await call("memory_read", { path })).content, "one three\n");
  const listed = await call("memory_list", { path_prefix: `/${folder}/` });
  assert.strictEqual(listed.memories[0].path, path);
  assert.strictEqual((await call("memory_search", { query: "three" })).memories[0].path, path);
  assert((await call("memory_delete", { path })).deleted);
  await assert.rejects(client.callTool({ name: "memory_none", arguments: {} }));
  await client.close();
}

const sdk = await load("sdk/dist/esm/client/index.js");
const http = await load("sdk/dist/esm/client/streamableHttp.js");
await converse(sdk.Client, http.StreamableHTTPClientTransport, {}, "first");
const second = await load("client/dist/index.mjs");
await converse(second.Client, second.StreamableHTTPClientTransport, {}, "second");
const modern = { versionNegotiation: { mode: "auto" } };
await converse(second.Client, second.StreamableHTTPClientTransport, modern, "third");
console.log(JSON.stringify({ conversations: 3 }));
