"""A whole conversation with `mem mcp` through the official Python client, which holds every answer
to the schema that its tool declares. Prints what it saw as one line of JSON."""

import asyncio
import json
import os
import sys

from mcp import Client
from mcp.client.stdio import StdioServerParameters

NOTE = "---\nname: Freeze\ndescription: Nothing is merged after Thursday\ntype: project\n---\n\nUntil Monday.\n"


async def converse(program: str, mode: str) -> dict:
    server = StdioServerParameters(command=program, args=["mcp"], env=dict(os.environ), cwd=os.getcwd())
    async with Client(server, mode=mode) as client:

        async def call(tool: str, **arguments):
            result = await client.call_tool(tool, arguments)
            assert not result.is_error, result
            assert json.loads(result.content[0].text) == result.structured_content
            return result.structured_content

        path = f"project_freeze_{mode}.md"
        tools = [tool.name for tool in (await client.list_tools()).tools]
        empty = [await call("memory_list"), await call("memory_search", query="freeze")]
        written = await call("memory_write", path=path, content=NOTE, reason="asked to")
        read = await call("memory_read", path=path)
        index = await call("memory_read", path="MEMORY.md")
        edited = await call(
            "memory_edit",
            path=path,
            content_sha256=read["content_sha256"],
            old_text="Monday",
            new_text="Tuesday",
        )
        stale = await client.call_tool(
            "memory_edit",
            {"path": path, "content_sha256": read["content_sha256"], "old_text": "a", "new_text": "b"},
        )
        listed = await call("memory_list", type="project", limit=1)
        found = await call("memory_search", query="when may I merge, is there a freeze?")
        recalled = await call("memory_recall", prompt="may I merge on Friday, or is there a freeze?")
        resources = (await client.list_resources()).resources
        texts = [(await client.read_resource(one.uri)).contents[0].text for one in resources]
        templates = (await client.list_resource_templates()).resource_templates
        session = await client.call_tool("session_notes", {})
        deleted = await call("memory_delete", path=path, reason="it is over")
        return {
            "tools": tools,
            "empty": [len(one["memories"]) for one in empty],
            "created": written["created"],
            "read": read["content"] == NOTE,
            "index": path in index["content"],
            "edited": edited["content_sha256"] != read["content_sha256"],
            "stale": [stale.is_error, "is not what you read" in stale.content[0].text],
            "listed": listed["total"],
            "found": found["memories"][0]["path"] == path,
            "recalled": [one["path"] == path for one in recalled["memories"]],
            "resources": len(resources),
            "texts": any("Tuesday" in text for text in texts),
            "templates": len(templates),
            "session": session.is_error,
            "deleted": deleted["path"] == path,
        }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(converse(*sys.argv[1:]))))
