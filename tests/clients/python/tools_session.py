"""A whole conversation with `/mcp` of `mem serve` through the official Python client, which holds every answer
to the schema that its tool declares: `tools_session.py URL STORE WRITER READER MODE`. Prints the version that was
agreed on as one line of JSON."""

import asyncio
import hashlib
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


def at(url: str, token: str) -> object:
    http = httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"}, timeout=60)
    return streamable_http_client(f"{url}/mcp", http_client=http)


async def converse(url: str, store: str, writer: str, reader: str, mode: str) -> dict:
    folder = f"/notes-{mode}"
    path = f"{folder}/deploy.md"

    async with Client(at(url, writer), mode=mode) as client:

        async def call(tool: str, **arguments):
            result = await client.call_tool(tool, arguments)
            assert not result.is_error, result
            assert json.loads(result.content[0].text) == result.structured_content
            return result.structured_content

        async def refused(why: str, tool: str, **arguments):
            result = await client.call_tool(tool, arguments)
            assert result.is_error and why in result.content[0].text, result

        tools = [tool.name for tool in (await client.list_tools()).tools]
        assert tools == [f"memory_{one}" for one in "list search read write edit delete".split()]
        content = "Run the migrations first.\nThen the café opens.\n"
        written = await call("memory_write", path=path, content=content)
        assert (written["created"], written["changed"], written["store"]) == (True, True, store)
        assert written["content_sha256"] == hashlib.sha256(content.encode()).hexdigest()
        again = await call("memory_write", path=path, content=content, store=store)
        assert (again["created"], again["changed"]) == (False, False)
        read = await call("memory_read", path=path)
        assert read["content"] == content and read["content_size_bytes"] == len(content.encode())
        edited = await call("memory_edit", path=path, old_text="café", new_text="door", store="tools")
        assert edited["changed"] and edited["content_sha256"] != read["content_sha256"]
        stale = read["content_sha256"]
        await refused("is not what you read", "memory_edit", path=path, old_text="a", new_text="b", content_sha256=stale)
        await refused("is not what you read", "memory_write", path=path, content="", content_sha256=stale)
        await refused("is not what you read", "memory_delete", path=path, content_sha256=stale)
        await refused("occurs 0 times", "memory_edit", path=path, old_text="café", new_text="")
        await refused("cannot stand beside", "memory_write", path=f"{path}/below.md", content="")
        await refused("there is no memory at", "memory_read", path=f"{folder}/none.md")
        await refused("there is no store", "memory_read", path=path, store="memstore_none")
        await refused("missing field `path`", "memory_read")
        await refused("102401 bytes", "memory_write", path=path, content="a" * 102_401)
        await call("memory_write", path=f"{folder}-old/other.md", content="Nothing of that kind.")
        listed = await call("memory_list", path_prefix=f"{folder}/")
        assert [one["path"] for one in listed["memories"]] == [path] and listed["next"] is None
        first = await call("memory_list", limit=1)
        second = await call("memory_list", limit=1, after=first["next"])
        assert first["memories"][0]["path"] < second["memories"][0]["path"]
        found = await call("memory_search", query="what happens before migrations?", path_prefix=folder)
        assert found["memories"][0]["path"] == path
        assert found["memories"][0]["lines"][0] == {"line": 1, "text": "Run the migrations first."}
        assert (await call("memory_search", query="café opens", path_prefix=folder))["memories"]
        deleted = await call("memory_delete", path=path, content_sha256=edited["content_sha256"])
        assert deleted == {"store": store, "path": path, "deleted": True}
        await refused("there is no memory at", "memory_delete", path=path)
        gone = await call("memory_search", query="migrations", path_prefix=folder)
        assert gone["memories"] == [], gone
        await call("memory_delete", path=f"{folder}-old/other.md")

    async with Client(at(url, reader), mode=mode) as client:
        assert not (await client.call_tool("memory_list", {})).is_error
        for tool, more in [("write", {"content": ""}), ("edit", {"old_text": "a", "new_text": "b"}), ("delete", {})]:
            result = await client.call_tool(f"memory_{tool}", {"path": "/a.md", **more})
            assert result.is_error and "is read-only here" in result.content[0].text, result
        version = client.protocol_version

    return {"version": version}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(converse(*sys.argv[1:]))))
