"""A conversation without end: the server sums older turns up, and memory keeps what must not be lost.

    mem client python > mem_memory.py
    python compaction.py "Go on with the migration"
"""

import os
import sys

from anthropic import Anthropic
from mem_memory import MemMemoryTool

with MemMemoryTool(*sys.argv[2:]) as memory:
    runner = Anthropic().beta.messages.tool_runner(
        model=os.environ.get("MODEL", "claude-opus-4-6"),
        max_tokens=4096,
        betas=["context-management-2025-06-27", "compact-2026-01-12"],
        context_management={
            "edits": [
                {
                    "type": "compact_20260112",
                    "trigger": {"type": "input_tokens", "value": 150_000},
                    "instructions": "Keep what is not in the memory directory yet, and name its files.",
                }
            ]
        },
        tools=[memory],  # and your own
        messages=[{"role": "user", "content": sys.argv[1]}],
    )
    for block in runner.until_done().content:
        if block.type == "text":
            print(block.text)
