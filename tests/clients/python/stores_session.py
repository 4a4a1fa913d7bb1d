"""Every method of the memory stores API through the released SDK, of whatever generation.

Asserts what each returns, and prints the version of the SDK. Arguments: the address of a server, a token
that may do everything, and one that may only read.
"""

import hashlib
import json
import sys
from datetime import datetime, timedelta, timezone

import anthropic

url, key, reader = sys.argv[1:4]
client = anthropic.Anthropic(base_url=url, api_key=key)
stores = client.beta.memory_stores
memories, versions = stores.memories, stores.memory_versions


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def raises(kind, call, *args, **more):
    try:
        call(*args, **more)
    except kind as error:
        return error
    raise AssertionError(f"{call} did not raise {kind}")


def of_stores():
    store = stores.create(name="Ünïque", description="what for", metadata={"a": "1", "b": "2"})
    assert store.type == "memory_store" and store.id.startswith("memstore_"), store
    assert store.metadata == {"a": "1", "b": "2"} and store.archived_at is None
    assert isinstance(store.created_at, datetime)
    assert stores.retrieve(store.id) == store
    changed = stores.update(store.id, description="", metadata={"a": None, "c": "3"})
    assert (changed.name, changed.description) == ("Ünïque", "")
    assert changed.metadata == {"b": "2", "c": "3"}
    assert changed.updated_at >= store.updated_at and changed.created_at == store.created_at
    kept = stores.update(store.id, name=None, description=None, metadata=None)
    assert kept == changed
    other = stores.create(name="other")
    assert (other.description or "", other.metadata or {}) == ("", {})
    assert [one.id for one in stores.list(limit=1)][:2] == [other.id, store.id]
    archived = stores.archive(other.id)
    assert archived.archived_at is not None and stores.archive(other.id) == archived
    assert other.id not in [one.id for one in stores.list()]
    assert other.id in [one.id for one in stores.list(include_archived=True)]
    error = raises(anthropic.BadRequestError, stores.update, other.id, name="x")
    assert error.body["error"]["type"] == "invalid_request_error", error.body
    raises(anthropic.BadRequestError, memories.create, other.id, path="/a", content="")
    hour = timedelta(hours=1)
    now = datetime.now(timezone.utc)
    assert store.id in [one.id for one in stores.list(created_at_gte=now - hour)]
    assert store.id not in [one.id for one in stores.list(created_at_gte=now + hour)]
    assert store.id not in [one.id for one in stores.list(created_at_lte="2020-01-01T00:00:00Z")]
    gone = stores.delete(other.id)
    assert (gone.id, gone.type) == (other.id, "memory_store_deleted")
    error = raises(anthropic.NotFoundError, stores.retrieve, other.id)
    assert error.body["error"]["type"] == "not_found_error"
    assert error.body["request_id"] == error.response.headers["request-id"]
    return store.id


def of_memories(store):
    text = "Ein Gedächtnis\n– 記憶 \u0000 \U0001f9e0"
    made = memories.create(store, path="/notes/über uns.md", content=text)
    assert (made.type, made.content, made.path) == ("memory", None, "/notes/über uns.md")
    assert made.content_sha256 == sha(text)
    assert made.content_size_bytes == len(text.encode())
    assert made.memory_store_id == store and made.memory_version_id.startswith("memver_")
    assert memories.create(store, path="/a", content="", view="full").content == ""
    read = memories.retrieve(made.id, memory_store_id=store)
    assert read.content == text
    assert memories.retrieve(made.id, memory_store_id=store, view="basic").content is None

    error = raises(anthropic.ConflictError, memories.create, store, path="/a", content="x")
    assert error.body["error"]["type"] == "memory_path_conflict_error"
    assert error.body["error"]["conflicting_path"] == "/a"
    error = raises(anthropic.ConflictError, memories.create, store, path="/notes", content="x")
    assert error.body["error"]["conflicting_memory_id"] == made.id
    assert error.body["error"]["conflicting_path"] == made.path
    assert error.response.headers["x-should-retry"] == "false"

    changed = memories.update(
        made.id,
        memory_store_id=store,
        content="two",
        precondition={"type": "content_sha256", "content_sha256": sha(text)},
        view="full",
    )
    assert (changed.id, changed.content) == (made.id, "two")
    stale = {"type": "content_sha256", "content_sha256": sha(text)}
    again = memories.update(made.id, memory_store_id=store, content="two", precondition=stale)
    assert again.memory_version_id == changed.memory_version_id
    error = raises(
        anthropic.ConflictError,
        memories.update,
        made.id,
        memory_store_id=store,
        content="three",
        precondition=stale,
    )
    assert error.body["error"]["type"] == "memory_precondition_failed_error"
    moved = memories.update(made.id, memory_store_id=store, path="/deep/er/a b+c.md")
    assert (moved.id, moved.path) == (made.id, "/deep/er/a b+c.md")
    assert moved.memory_version_id != changed.memory_version_id
    raises(anthropic.BadRequestError, memories.update, made.id, memory_store_id=store)
    raises(anthropic.BadRequestError, memories.create, store, path="/z", content=None)
    return made.id


def of_lists(store):
    for number in range(45):
        memories.create(store, path=f"/many/{number:02}.md", content=str(number))
    every = [one.path for one in memories.list(store, limit=7)]
    assert len(every) == 47 and every == sorted(every, key=str.encode), every
    full = memories.list(store, view="full", limit=100)
    assert len(full.data) == 20 and full.has_next_page()
    assert [one.content for one in memories.list(store, path_prefix="/many/", view="full")] == [
        str(number) for number in range(45)
    ]
    below = [one.path for one in memories.list(store, path_prefix="/deep/er/")]
    assert below == ["/deep/er/a b+c.md"]
    top = list(memories.list(store, depth=1, limit=2))
    assert [(one.type, one.path) for one in top] == [
        ("memory", "/a"),
        ("memory_prefix", "/deep/"),
        ("memory_prefix", "/many/"),
    ]
    raises(anthropic.BadRequestError, memories.list, store, path_prefix="/many")
    raises(anthropic.BadRequestError, memories.list, store, depth=2)
    raises(anthropic.BadRequestError, memories.list, store, limit=101)
    raises(anthropic.BadRequestError, memories.list, store, page="page_nonsense")
    page = memories.list(store, limit=2).next_page
    raises(anthropic.BadRequestError, memories.list, store, page=page, path_prefix="/many/")


def of_versions(store, memory):
    raises(
        anthropic.ConflictError,
        memories.delete,
        memory,
        memory_store_id=store,
        expected_content_sha256=sha("else"),
    )
    gone = memories.delete(memory, memory_store_id=store, expected_content_sha256=sha("two"))
    assert (gone.id, gone.type) == (memory, "memory_deleted")
    raises(anthropic.NotFoundError, memories.retrieve, memory, memory_store_id=store)

    log = list(versions.list(store, memory_id=memory, limit=1))
    assert [one.operation for one in log] == ["deleted", "modified", "modified", "created"]
    assert all(one.content is None for one in log)
    newest, renamed, edited, first = log
    assert newest.content_sha256 is None and newest.content_size_bytes is None
    assert (newest.path, first.path) == ("/deep/er/a b+c.md", "/notes/über uns.md")
    assert edited.content_sha256 == sha("two") and edited.created_by.type == "api_actor"
    read = versions.retrieve(first.id, memory_store_id=store)
    assert read.content.startswith("Ein Gedächtnis") and read.memory_id == memory
    assert versions.retrieve(first.id, memory_store_id=store, view="basic").content is None
    mine = versions.list(store, api_key_id=first.created_by.api_key_id, operation="deleted")
    assert [one.id for one in mine] == [newest.id]
    assert not versions.list(store, session_id="sesn_none").data
    full = versions.list(store, view="full", limit=100)
    assert len(full.data) == 20 and full.has_next_page()

    cut = versions.redact(first.id, memory_store_id=store)
    assert (cut.content, cut.content_sha256, cut.content_size_bytes, cut.path) == (None,) * 4
    assert cut.redacted_at is not None and cut.redacted_by == first.created_by
    assert cut.created_by == first.created_by and cut.created_at == first.created_at
    assert versions.redact(first.id, memory_store_id=store) == cut
    assert versions.retrieve(first.id, memory_store_id=store) == cut
    head = next(iter(memories.list(store, path_prefix="/many/")))
    error = raises(
        anthropic.BadRequestError, versions.redact, head.memory_version_id, memory_store_id=store
    )
    assert "new version" in str(error)


def of_access(store):
    other = anthropic.Anthropic(base_url=url, api_key=reader)
    assert other.beta.memory_stores.retrieve(store).id == store
    error = raises(
        anthropic.PermissionDeniedError,
        other.beta.memory_stores.memories.create,
        store,
        path="/no",
        content="",
    )
    assert error.body["error"]["type"] == "permission_error"
    nobody = anthropic.Anthropic(base_url=url, api_key="memtok_none")
    raises(anthropic.AuthenticationError, nobody.beta.memory_stores.retrieve, store)


store = of_stores()
memory = of_memories(store)
of_lists(store)
of_versions(store, memory)
of_access(store)
assert stores.delete(store).id == store
print(json.dumps({"sdk": anthropic.__version__}))
