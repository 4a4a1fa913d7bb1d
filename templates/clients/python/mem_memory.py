"""A memory that `mem` keeps, for the memory tool of the Python SDK.

    with MemMemoryTool() as memory:                          # this project's memory
    with MemMemoryTool("--root", "./agent") as memory:       # a directory of its own
    with MemMemoryTool("--root", "./agent", "--user", user) as memory:

Give it to `client.beta.messages.tool_runner(tools=[memory], ...)`. Everything after the first two words
of `mem tool --loop` is an option: see `mem tool --help`. One process answers all calls, in order.
"""

from __future__ import annotations

import json
import subprocess
import threading
from typing import Any

import anyio.to_thread
from anthropic.lib.tools import ToolError
from anthropic.tools.memory import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool


class _Loop:
    """`mem tool --loop`: one request a line, one answer a line."""

    def __init__(self, mem: str, options: tuple[str, ...]) -> None:
        command = [mem, "tool", "--loop", "--dialect", "python", *options]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._lock = threading.Lock()
        self._asked = 0

    def ask(self, input: object) -> str:
        assert self._process.stdin and self._process.stdout
        with self._lock:
            self._asked += 1
            request = json.dumps({"id": self._asked, "input": input}) + "\n"
            try:
                self._process.stdin.write(request.encode())
                self._process.stdin.flush()
                line = self._process.stdout.readline()
            except (BrokenPipeError, ValueError):
                line = b""
        if not line:
            raise RuntimeError("the memory is closed: `mem tool` has ended")
        answer = json.loads(line)
        if answer["is_error"]:
            raise ToolError(answer["content"])
        return answer["content"]

    def close(self) -> None:
        # Without its standard input the process ends by itself.
        self._process.communicate()


class MemMemoryTool(BetaAbstractMemoryTool):
    """The memory tool over `mem tool --loop`."""

    def __init__(self, *options: str, mem: str = "mem", cache_control: Any = None) -> None:
        super().__init__(cache_control=cache_control)
        self._loop = _Loop(mem, options)

    def call(self, input: object) -> str:
        return self._loop.ask(input)

    def _ask(self, command: Any) -> str:
        return self._loop.ask(command.to_dict(mode="json"))

    view = create = str_replace = insert = delete = rename = _ask

    def close(self) -> None:
        self._loop.close()

    def __enter__(self) -> MemMemoryTool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class MemAsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for `AsyncAnthropic`."""

    def __init__(self, *options: str, mem: str = "mem", cache_control: Any = None) -> None:
        super().__init__(cache_control=cache_control)
        self._loop = _Loop(mem, options)

    async def call(self, input: object) -> str:
        return await anyio.to_thread.run_sync(self._loop.ask, input)

    async def _ask(self, command: Any) -> str:
        return await self.call(command.to_dict(mode="json"))

    view = create = str_replace = insert = delete = rename = _ask

    async def close(self) -> None:
        await anyio.to_thread.run_sync(self._loop.close)

    async def __aenter__(self) -> MemAsyncMemoryTool:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
