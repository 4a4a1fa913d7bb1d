"""A conversation about records with `/mcp` of `mem serve` through the official Python client, which holds every
answer to the schema that its tool declares: `records_session.py URL WRITER READER BOTH STORES OTHER`, five tokens:
alice's for records, alice's to read them, alice's for everything, one for stores, and bob's for records."""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

STORES = [f"memory_{one}" for one in "list search read write edit delete".split()]


def at(url: str, token: str) -> object:
    http = httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"}, timeout=60)
    return Client(streamable_http_client(f"{url}/mcp", http_client=http))


async def names(client) -> list:
    return [tool.name for tool in (await client.list_tools()).tools]


async def call(client, tool: str, **arguments):
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


async def refused(client, why: str, tool: str, **arguments):
    result = await client.call_tool(tool, arguments)
    assert result.is_error and why in result.content[0].text, result


async def converse(url, writer, reader, both, stores, other) -> dict:
    record = {"content": "Deploys are on Tuesdays.", "category": "project_context", "importance": 4}
    async with at(url, writer) as client:
        assert await names(client) == ["memory_store", "memory_retrieve", "memory_delete"]
        stored = await call(client, "memory_store", **record, tags=["deploy"], expires_at="2090-01-01T00:00:00Z")
        first = stored["memory_id"]
        assert stored == {"success": True, "memory_id": first}, stored
        found = await call(client, "memory_retrieve", query="when are deploys?", categories=["project_context"])
        one = found["memories"][0]
        assert set(one) == {"id", "content", "category", "importance", "score", "created_at"}, one
        assert one["id"] == first and 0 < one["score"] <= 1, one
        newer = await call(client, "memory_store", **{**record, "content": "Deploys are on Thursdays."})
        assert newer["superseded"]["id"] == first, newer
        await refused(client, "category", "memory_store", **{**record, "category": "mood"})
        await refused(client, "there is no field `user`", "memory_store", **record, user="bob")
        await refused(client, "`memory_id` is missing", "memory_delete", reason="why")
        await refused(client, "superseded by", "memory_delete", memory_id=first, reason="old")

    async with at(url, reader) as client:
        assert await names(client) == ["memory_retrieve"]
        found = await call(client, "memory_retrieve", query="deploys")
        assert [one["id"] for one in found["memories"]] == [newer["memory_id"]], found
        await refused(client, "`records:write`", "memory_store", **record)
        await refused(client, "`records:write`", "memory_delete", memory_id=newer["memory_id"], reason="x")

    async with at(url, other) as client:
        assert (await call(client, "memory_retrieve", query="deploys"))["memories"] == []
        await refused(client, "there is no memory", "memory_delete", memory_id=newer["memory_id"], reason="curious")

    async with at(url, stores) as client:
        assert await names(client) == STORES
        await refused(client, "`records:read`", "memory_retrieve", query="deploys")
        await refused(client, "memory_delete", "memory_delete", path="a.md")

    async with at(url, both) as client:
        assert await names(client) == STORES + ["memory_store", "memory_retrieve"]
        await call(client, "memory_write", path="/a.md", content="x")
        assert (await call(client, "memory_delete", path="/a.md"))["deleted"]
        deleted = await call(client, "memory_delete", memory_id=newer["memory_id"], reason="it is over")
        assert deleted == {"success": True, "memory_id": newer["memory_id"]}, deleted
        assert (await call(client, "memory_retrieve", query="deploys"))["memories"] == []
        await refused(client, "there is no memory", "memory_delete", memory_id=newer["memory_id"], reason="again")

    return {"records": 2}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(converse(*sys.argv[1:]))))
