"""The SDK's own sync worker for the memory stores of a session, against a server.

Arguments: the address of a server, a token, and what to do. Says on a line of its own when a server may be
killed, and waits for a line before it goes on.
"""

import asyncio
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import anthropic
from anthropic.lib.tools._memories import SessionMemoryStores

url, key, what = sys.argv[1:4]
client = anthropic.AsyncAnthropic(base_url=url, api_key=key)
stores = client.beta.memory_stores
memories = stores.memories


async def make(store, count):
    gate = asyncio.Semaphore(16)

    async def one(number):
        async with gate:
            await memories.create(store, path=f"/d{number % 7}/{number}.md", content=f"n {number}")

    await asyncio.gather(*(one(number) for number in range(count)))


async def attached(folder, store, access="read_write"):
    resource = SimpleNamespace(
        type="memory_store",
        memory_store_id=store,
        access=access,
        mount_path=str(Path(folder) / "mount"),
        name="n",
    )
    worker = SessionMemoryStores(client, workdir=folder)
    await worker.download(SimpleNamespace(resources=[resource]))
    return worker, worker.roots[0]


async def sync(worker):
    # As if the interval were over.
    worker._last_sync = float("-inf")
    await worker.sync_if_due()


def files(root):
    found = {"/" + str(path.relative_to(root)): path for path in root.rglob("*") if path.is_file()}
    found.pop("/.anthropic-memory-store", None)
    return {name: path.read_text() for name, path in found.items()}


async def held(store):
    every = memories.list(store, view="full", limit=20)
    return {one.path: one.content async for one in every}


async def id_of(store, path):
    async for one in memories.list(store, limit=100):
        if one.path == path:
            return one.id


async def thousand(folder):
    store = (await stores.create(name="n")).id
    await make(store, 1000)
    worker, root = await attached(folder, store)
    assert files(root) == await held(store) and len(files(root)) == 1000
    for number in range(0, 200):
        (root / f"d{number % 7}" / f"{number}.md").write_text(f"changed {number}")
    (root / "new").mkdir()
    for number in range(100):
        (root / "new" / f"{number}.md").write_text("new")
    await sync(worker)
    now = await held(store)
    assert now == files(root) and len(now) == 1100, len(now)
    # A sync that finds nothing to do writes nothing.
    log = [one.id async for one in stores.memory_versions.list(store, limit=100)]
    await sync(worker)
    assert log == [one.id async for one in stores.memory_versions.list(store, limit=100)]
    assert len(log) == 1300, len(log)


async def changes(folder):
    store = (await stores.create(name="n")).id
    await make(store, 12)
    worker, root = await attached(folder, store)
    # Changed there, changed here, and changed at both ends: there wins.
    await memories.update(await id_of(store, "/d0/0.md"), memory_store_id=store, content="theirs")
    (root / "d1" / "1.md").write_text("mine")
    await memories.update(await id_of(store, "/d2/2.md"), memory_store_id=store, content="theirs")
    (root / "d2" / "2.md").write_text("mine")
    await memories.delete(await id_of(store, "/d3/3.md"), memory_store_id=store)
    await sync(worker)
    now = await held(store)
    assert now == files(root), (now, files(root))
    assert (now["/d0/0.md"], now["/d1/1.md"], now["/d2/2.md"]) == ("theirs", "mine", "theirs")
    assert "/d3/3.md" not in now
    # What the server refuses is refused once, and nothing else is held up.
    (root / "large.md").write_text("x" * 102_401)
    (root / "d4").joinpath("4.md").write_text("still")
    (root / "d5" / "5.md" ).unlink()
    await sync(worker)
    assert "/large.md" not in await held(store) and (await held(store))["/d4/4.md"] == "still"
    (root / "large.md").unlink()
    # The last sync deletes; an edit that came in between wins over it.
    (root / "d6" / "6.md").unlink()
    await memories.update(await id_of(store, "/d6/6.md"), memory_store_id=store, content="later")
    await worker.finish()
    now = await held(store)
    assert "/d5/5.md" not in now and now["/d6/6.md"] == "later", now


async def read_only(folder):
    store = (await stores.create(name="n")).id
    await make(store, 5)
    worker, root = await attached(folder, store, "read_only")
    (root / "d1" / "1.md").write_text("mine")
    (root / "mine.md").write_text("mine")
    await memories.update(await id_of(store, "/d0/0.md"), memory_store_id=store, content="theirs")
    await sync(worker)
    await worker.finish()
    now = await held(store)
    assert now["/d1/1.md"] == "n 1" and "/mine.md" not in now
    assert files(root)["/d0/0.md"] == "theirs"


async def killed(folder):
    store = (await stores.create(name="n")).id
    await make(store, 50)
    worker, root = await attached(folder, store)
    for number in range(300):
        (root / f"w{number}.md").write_text("x" * 2000 + str(number))
    (root / "d1" / "1.md").write_text("mine")
    print("kill", flush=True)
    await sync(worker)
    print("over", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    for _ in range(3):
        await sync(worker)
    now = await held(store)
    assert now == files(root) and len(now) == 350, len(now)
    log = [one async for one in stores.memory_versions.list(store, limit=100)]
    made = [one.path for one in log if one.operation == "created"]
    assert len(made) == len(set(made)) == 350, len(made)


async def main():
    with tempfile.TemporaryDirectory() as folder:
        await globals()[what](folder)
    print("done", flush=True)


asyncio.run(main())
