#!/bin/sh
# One request with the memory tool. Where the answer holds a `tool_use` block, its `input` is what
# `mem tool` reads, and what that prints is the content of the `tool_result` that you send next; its
# exit code says whether `is_error` is true:
#   echo '{"command":"view","path":"/memories"}' | mem tool
curl --silent --show-error "${ANTHROPIC_BASE_URL:-https://api.anthropic.com}/v1/messages" \
  --header "x-api-key: $ANTHROPIC_API_KEY" \
  --header "anthropic-version: 2023-06-01" \
  --header "anthropic-beta: context-management-2025-06-27" \
  --header "content-type: application/json" \
  --data @- <<'JSON'
{
  "model": "claude-opus-4-6",
  "max_tokens": 4096,
  "tools": [{ "type": "memory_20250818", "name": "memory" }],
  "context_management": {
    "edits": [{ "type": "clear_tool_uses_20250919", "exclude_tools": ["memory"] }]
  },
  "messages": [{ "role": "user", "content": "Go on with the migration." }]
}
JSON
