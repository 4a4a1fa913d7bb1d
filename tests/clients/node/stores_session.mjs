// Every method of the memory stores API through the released SDK, of whatever generation. Asserts what each
// returns, and prints the version of the SDK. Arguments: the folder with the packages, the address of a
// server, and a token that may do everything.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [modules, url, key] = process.argv.slice(2);
const place = `${modules}/@anthropic-ai/sdk`;
const { default: Anthropic } = await import(pathToFileURL(`${place}/index.mjs`));
const client = new Anthropic({ baseURL: url, apiKey: key });
const stores = client.beta.memoryStores;
const { memories, memoryVersions: versions } = stores;

const sha = (text) => createHash("sha256").update(text).digest("hex");
const all = async (list) => {
  const found = [];
  for await (const one of list) found.push(one);
  return found;
};
const fails = async (status, type, call) => {
  const error = await call.then(() => assert.fail("it was taken"), (error) => error);
  assert.equal(error.status, status, String(error));
  assert.equal(error.error.error.type, type);
  return error.error.error;
};

async function ofStores() {
  const store = await stores.create({ name: "n", description: "d", metadata: { a: "1" } });
  assert.equal(store.type, "memory_store");
  assert.deepEqual(await stores.retrieve(store.id), store);
  const changed = await stores.update(store.id, { name: "m", metadata: { a: null, b: "2" } });
  assert.deepEqual([changed.name, changed.description], ["m", "d"]);
  assert.deepEqual(changed.metadata, { b: "2" });
  const other = await stores.create({ name: "other" });
  const archived = await stores.archive(other.id);
  assert.ok(archived.archived_at);
  const listed = (await all(stores.list({ limit: 1 }))).map((one) => one.id);
  assert.ok(listed.includes(store.id) && !listed.includes(other.id));
  const both = (await all(stores.list({ include_archived: true }))).map((one) => one.id);
  assert.ok(both.includes(other.id));
  const later = new Date(Date.now() + 3_600_000).toISOString();
  assert.equal((await all(stores.list({ "created_at[gte]": later }))).length, 0);
  await fails(400, "invalid_request_error", stores.update(other.id, { name: "x" }));
  assert.equal((await stores.delete(other.id)).type, "memory_store_deleted");
  await fails(404, "not_found_error", stores.retrieve(other.id));
  return store.id;
}

async function ofMemories(store) {
  const made = await memories.create(store, { path: "/a b/é.md", content: "eins", view: "full" });
  assert.deepEqual([made.content, made.content_sha256], ["eins", sha("eins")]);
  const taken = await fails(
    409,
    "memory_path_conflict_error",
    memories.create(store, { path: "/a b", content: "" }),
  );
  assert.deepEqual([taken.conflicting_memory_id, taken.conflicting_path], [made.id, "/a b/é.md"]);
  const read = await memories.retrieve(made.id, { memory_store_id: store });
  assert.equal(read.content, "eins");
  const precondition = { type: "content_sha256", content_sha256: sha("eins") };
  const change = { memory_store_id: store, content: "zwei", path: "/c.md", precondition };
  const changed = await memories.update(made.id, change);
  assert.deepEqual([changed.id, changed.path, changed.content], [made.id, "/c.md", null]);
  assert.deepEqual(await memories.update(made.id, change), changed);
  await fails(
    409,
    "memory_precondition_failed_error",
    memories.update(made.id, { ...change, content: "drei" }),
  );
  for (let number = 0; number < 25; number += 1) {
    await memories.create(store, { path: `/d/${number}.md`, content: String(number) });
  }
  const full = await memories.list(store, { view: "full", limit: 100 });
  assert.equal(full.data.length, 20);
  assert.equal((await all(memories.list(store, { limit: 10, path_prefix: "/d/" }))).length, 25);
  const top = await all(memories.list(store, { depth: 1 }));
  assert.deepEqual(top.map((one) => [one.type, one.path]), [
    ["memory", "/c.md"],
    ["memory_prefix", "/d/"],
  ]);
  const wrong = { memory_store_id: store, expected_content_sha256: sha("x") };
  await fails(409, "memory_precondition_failed_error", memories.delete(made.id, wrong));
  const gone = await memories.delete(made.id, { memory_store_id: store });
  assert.equal(gone.type, "memory_deleted");
  return made.id;
}

async function ofVersions(store, memory) {
  const log = await all(versions.list(store, { memory_id: memory, limit: 1 }));
  assert.deepEqual(log.map((one) => one.operation), ["deleted", "modified", "created"]);
  const first = await versions.retrieve(log[2].id, { memory_store_id: store });
  assert.equal(first.content, "eins");
  const cut = await versions.redact(first.id, { memory_store_id: store });
  assert.deepEqual([cut.content, cut.path, cut.content_sha256], [null, null, null]);
  assert.ok(cut.redacted_at && cut.redacted_by.api_key_id);
  assert.deepEqual(await versions.redact(first.id, { memory_store_id: store }), cut);
  const key = first.created_by.api_key_id;
  const mine = await all(versions.list(store, { api_key_id: key, operation: "deleted" }));
  assert.equal(mine.length, 1);
}

const store = await ofStores();
await ofVersions(store, await ofMemories(store));
assert.equal((await stores.delete(store)).id, store);
console.log(JSON.stringify({ sdk: JSON.parse(readFileSync(`${place}/package.json`)).version }));
