"""A long task with memory: old tool results are cleared from the context, those of memory never.

What the model wrote into its memory survives the clearing, and the next run starts from it.
    mem client python > mem_memory.py
    python context_editing.py "Go on with the migration"
"""

import os
import sys

from anthropic import Anthropic
from mem_memory import MemMemoryTool

with MemMemoryTool(*sys.argv[2:]) as memory:
    runner = Anthropic().beta.messages.tool_runner(
        model=os.environ.get("MODEL", "claude-opus-4-6"),
        max_tokens=4096,
        betas=["context-management-2025-06-27"],
        context_management={
            "edits": [
                {
                    "type": "clear_tool_uses_20250919",
                    "trigger": {"type": "input_tokens", "value": 100_000},
                    "keep": {"type": "tool_uses", "value": 3},
                    "exclude_tools": ["memory"],
                }
            ]
        },
        tools=[memory],  # and your own
        messages=[{"role": "user", "content": sys.argv[1]}],
    )
    for block in runner.until_done().content:
        if block.type == "text":
            print(block.text)
