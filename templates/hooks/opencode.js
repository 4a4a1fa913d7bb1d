// The memory of `mem` in opencode. `mem install opencode` writes this file, `mem uninstall opencode` removes it.
import { spawn } from "node:child_process"

const MEM = "mem"
// After so many milliseconds the session goes on without an answer.
const TIMEOUT_MS = 10_000
// What `mem` calls the tools that read or write a file, and their arguments.
const TOOLS = { read: "Read", write: "Write", edit: "Edit" }
// Its own tools; others are of MCP servers.
const BUILTIN = "apply_patch bash batch codesearch edit glob grep invalid list lsp multiedit patch question read skill task todoread todowrite webfetch websearch write".split(" ")
const COMMAND_CHARS_MAX = 2_000
const ARGUMENTS = { filePath: "file_path", oldString: "old_string", newString: "new_string", replaceAll: "replace_all" }

// The answer of `mem hook opencode EVENT`: empty where it has nothing to say, or fails. Memory stops no session.
function ask(event, input) {
  return new Promise((resolve) => {
    const options = { stdio: ["pipe", "pipe", "ignore"], timeout: TIMEOUT_MS, cwd: input.cwd }
    const child = spawn(MEM, ["hook", "opencode", event], options)
    let text = ""
    child.stdout.on("data", (part) => (text += part))
    child.stdin.on("error", () => {})
    child.on("error", () => resolve({}))
    child.on("close", () => {
      try {
        resolve(JSON.parse(text))
      } catch {
        resolve({})
      }
    })
    child.stdin.end(JSON.stringify(input))
  })
}

const specific = (answer) => answer.hookSpecificOutput ?? {}

function toolCall(tool, args, callID) {
  const named = Object.entries(args ?? {}).map(([name, value]) => [ARGUMENTS[name] ?? name, value])
  return { tool_name: TOOLS[tool], tool_use_id: callID, tool_input: Object.fromEntries(named) }
}

export const Mem = async ({ directory }) => {
  const begun = new Set()
  const given = new Map()
  const subagents = new Set()
  // What each session has called since its last prompt: `mem` asks whose text it has read.
  const turns = new Map()
  const turnOf = (session) => turns.get(session) ?? turns.set(session, []).get(session)
  const event = (session, more) => ({
    session_id: session, cwd: directory, turn_tools: turnOf(session), ...more,
  })
  return {
    "chat.message": async ({ sessionID }, { message, parts }) => {
      turns.set(sessionID, [])
      const texts = parts.filter((part) => part.type === "text" && !part.synthetic)
      // `opencode run` quotes a prompt of several words.
      const prompt = texts.map((part) => part.text).join("\n").replace(/^"([^"]*)"$/, "$1")
      const questions = [ask("user-prompt-submit", event(sessionID, { prompt }))]
      if (!begun.has(sessionID)) questions.unshift(ask("session-start", event(sessionID, { source: "startup" })))
      begun.add(sessionID)
      const answers = await Promise.all(questions)
      const text = answers.map((answer) => specific(answer).additionalContext ?? "").join("")
      // Parts are in the order of their ids: behind the last one.
      const id = `${parts.at(-1)?.id ?? "prt_"}m`
      if (text) parts.push({ id, sessionID, messageID: message.id, type: "text", synthetic: true, text })
    },
    event: async ({ event: { type, properties } }) => {
      if (type === "session.created" && properties.info?.parentID) subagents.add(properties.info.id)
      // A turn has ended: the notes of the session, and what it suggests to remember.
      if (type === "session.idle" && !subagents.has(properties.sessionID)) await ask("stop", event(properties.sessionID, {}))
    },
    // What the session began with is gone from the context then.
    "experimental.session.compacting": async ({ sessionID }) => void begun.delete(sessionID),
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      if (!TOOLS[tool]) return
      const answer = specific(await ask("pre-tool-use", event(sessionID, toolCall(tool, args, callID))))
      if (answer.permissionDecision === "deny") throw new Error(answer.permissionDecisionReason)
      if (answer.additionalContext) given.set(callID, answer.additionalContext)
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      const name = BUILTIN.includes(tool) ? tool : `mcp__${tool}`
      const { command, filePath } = args ?? {}
      const call = { name, input: { command: command?.slice(0, COMMAND_CHARS_MAX), file_path: filePath } }
      // What a subagent reads comes back to whoever asked it: it counts for every session.
      for (const calls of new Set([...turns.values(), turnOf(sessionID)])) calls.push(call)
      if (!TOOLS[tool]) return
      if (tool !== "read") await ask("post-tool-use", event(sessionID, toolCall(tool, args, callID)))
      if (given.has(callID)) output.output = `${output.output}\n\n${given.get(callID)}`
      given.delete(callID)
    },
  }
}
