//! `mem client`: the adapters and examples it prints run with the real SDKs, against a scripted model.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use mem_tests::{Request, ScriptedModel, TestEnv, clients};
use serde_json::{Value, json};

/// What the model asks for: two turns, the first of two calls.
fn turns() -> Vec<Vec<Value>> {
    let odd = "- moved the tables\r\n- \u{2028} left: indexes \u{1f600}\n";
    vec![
        vec![
            json!({ "command": "view", "path": "/memories" }),
            json!({ "command": "create", "path": "/memories/progress.md", "file_text": odd }),
        ],
        vec![
            json!({ "command": "str_replace", "path": "/memories/progress.md", "old_str": "moved", "new_str": "checked" }),
        ],
        vec![json!({ "command": "view", "path": "/memories/progress.md", "view_range": [1, 2] })],
        vec![json!({ "command": "delete", "path": "/memories/none.md" })],
    ]
}

/// Checks that the runner sent back what `mem tool` said, and that the file is there.
#[track_caller]
fn assert_played(requests: &[Request], base: &std::path::Path, prefix: &str) {
    assert_eq!(requests.len(), 5, "{requests:#?}");
    let tool = &requests[0].body["tools"][0];
    assert_eq!(
        (&tool["type"], &tool["name"]),
        (&json!("memory_20250818"), &json!("memory"))
    );
    let first = requests[1].tool_results();
    assert!(
        first[0]
            .0
            .starts_with("Here're the files and directories up to 2 levels deep in /memories")
    );
    assert_eq!(
        first[1],
        (
            "File created successfully at: /memories/progress.md".to_owned(),
            false
        )
    );
    assert!(
        requests[2].tool_results()[0]
            .0
            .starts_with("The memory file has been edited.")
    );
    let seen = "Here's the content of /memories/progress.md with line numbers:\n     1\t- checked the \
                tables\r\n     2\t- \u{2028} left: indexes \u{1f600}";
    assert_eq!(requests[3].tool_results(), [(seen.to_owned(), false)]);
    let missing = format!("{prefix}The path /memories/none.md does not exist");
    assert_eq!(requests[4].tool_results(), [(missing, true)]);
    let text = fs::read_to_string(base.join("memories/progress.md")).unwrap();
    assert_eq!(
        text,
        "- checked the tables\r\n- \u{2028} left: indexes \u{1f600}\n"
    );
}

/// A folder with what `mem client` prints in it.
fn printed(env: &TestEnv, language: &str, files: &[(&str, &[&str])]) -> PathBuf {
    let folder = env.work().join(language);
    fs::create_dir(&folder).unwrap();
    for (file, more) in files {
        let args = ["client", language].into_iter().chain(more.iter().copied());
        let text = env.mem(args).assert_ok().stdout_bytes;
        fs::write(folder.join(file), text).unwrap();
    }
    folder
}

/// Runs a program of the host to its end; `mem` is on its path.
#[track_caller]
fn run(env: &TestEnv, mut command: Command, model: &ScriptedModel) -> String {
    let binary = mem_tests::binary::path().parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(binary).chain(std::env::split_paths(&path));
    command
        .env("PATH", std::env::join_paths(paths).unwrap())
        .env("ANTHROPIC_BASE_URL", model.url())
        .env("ANTHROPIC_API_KEY", "none")
        .env("NO_PROXY", "127.0.0.1");
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{}\n{stderr}",
        env.normalise(&String::from_utf8_lossy(&output.stdout))
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_python_adapter_answers_the_sdks_tool_runner() {
    let env = TestEnv::new();
    let folder = printed(
        &env,
        "python",
        &[
            ("mem_memory.py", &[]),
            ("context_editing.py", &["--example", "context-editing"]),
            ("compaction.py", &["--example", "compaction"]),
        ],
    );
    let examples = [
        (
            "context_editing.py",
            "context-management-2025-06-27",
            json!({"type": "clear_tool_uses_20250919", "exclude_tools": ["memory"]}),
        ),
        (
            "compaction.py",
            "compact-2026-01-12",
            json!({"type": "compact_20260112"}),
        ),
    ];
    for (example, beta, edit) in examples {
        let base = env.work().join(example).with_extension("base");
        let model = ScriptedModel::start(&turns());
        let mut command = env.command(clients::python());
        command
            .arg(folder.join(example))
            .arg("Go on")
            .arg("--root")
            .arg(&base);
        assert_eq!(run(&env, command, &model), "done\n");
        let requests = model.requests();
        assert_played(&requests, &base, "");
        assert_edits(&requests[0], beta, &edit);
    }
}

/// The request asks for this edit of the context, and the beta that it belongs to.
#[track_caller]
fn assert_edits(request: &Request, beta: &str, edit: &Value) {
    assert!(
        request.header("anthropic-beta").unwrap().contains(beta),
        "{request:?}"
    );
    let sent = &request.body["context_management"]["edits"][0];
    for (name, value) in edit.as_object().unwrap() {
        assert_eq!(&sent[name], value, "{request:?}");
    }
}

#[test]
fn the_async_python_adapter_and_its_end() {
    let env = TestEnv::new();
    let folder = printed(&env, "python", &[("mem_memory.py", &[])]);
    let program = "
import asyncio, sys
from anthropic import AsyncAnthropic
from mem_memory import MemAsyncMemoryTool, MemMemoryTool
async def main():
    async with MemAsyncMemoryTool('--root', sys.argv[1]) as memory:
        runner = AsyncAnthropic().beta.messages.tool_runner(model='scripted', max_tokens=64, tools=[memory],
            messages=[{'role': 'user', 'content': 'Go on'}])
        print((await runner.until_done()).content[0].text)
asyncio.run(main())
memory = MemMemoryTool('--root', sys.argv[1])
memory.close()
try:
    memory.call({'command': 'view', 'path': '/memories'})
except RuntimeError as error:
    print(error)
";
    fs::write(folder.join("host.py"), program).unwrap();
    let base = env.work().join("base");
    let model = ScriptedModel::start(&turns());
    let mut command = env.command(clients::python());
    command.arg(folder.join("host.py")).arg(&base);
    let said = run(&env, command, &model);
    assert_eq!(said, "done\nthe memory is closed: `mem tool` has ended\n");
    assert_played(&model.requests(), &base, "");
}

#[test]
fn the_typescript_adapter_compiles_and_answers_the_sdks_tool_runner() {
    let env = TestEnv::new();
    let folder = printed(
        &env,
        "typescript",
        &[
            ("mem-memory.ts", &[]),
            ("context-editing.ts", &["--example", "context-editing"]),
            ("compaction.ts", &["--example", "compaction"]),
        ],
    );
    let modules = clients::node_modules();
    std::os::unix::fs::symlink(&modules, folder.join("node_modules")).unwrap();
    fs::write(folder.join("package.json"), "{\"type\":\"module\"}").unwrap();
    let settings = json!({ "compilerOptions": { "strict": true, "target": "es2022", "module": "nodenext",
        "types": ["node"], "outDir": "built", "skipLibCheck": true } });
    fs::write(folder.join("tsconfig.json"), settings.to_string()).unwrap();
    let mut compile = env.command(modules.join(".bin/tsc"));
    let output = compile.current_dir(&folder).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    let examples = [
        (
            "context-editing.js",
            "context-management-2025-06-27",
            json!({"type": "clear_tool_uses_20250919", "exclude_tools": ["memory"]}),
        ),
        (
            "compaction.js",
            "compact-2026-01-12",
            json!({"type": "compact_20260112"}),
        ),
    ];
    for (example, beta, edit) in examples {
        let base = env.work().join(example).with_extension("base");
        let model = ScriptedModel::start(&turns());
        let mut command = env.command("node");
        command
            .arg(folder.join("built").join(example))
            .arg("Go on")
            .arg("--root")
            .arg(&base);
        assert_eq!(run(&env, command, &model), "done\n");
        let requests = model.requests();
        // This SDK puts a word before what was thrown.
        assert_played(&requests, &base, "Error: ");
        assert_edits(&requests[0], beta, &edit);
    }
}

#[test]
fn the_request_for_curl_is_one_that_the_api_takes() {
    let env = TestEnv::new();
    let folder = printed(&env, "curl", &[("request.sh", &[])]);
    let model = ScriptedModel::start(&turns());
    let mut command = env.command("sh");
    command.arg(folder.join("request.sh"));
    let answer: Value = serde_json::from_str(&run(&env, command, &model)).unwrap();
    assert_eq!(answer["content"][0]["name"], "memory");
    let request = model.requests().remove(0);
    assert_eq!(
        (request.path.as_str(), request.header("anthropic-version")),
        ("/v1/messages", Some("2023-06-01"))
    );
    assert_eq!(
        request.body["tools"],
        json!([{"type": "memory_20250818", "name": "memory"}])
    );
    assert_edits(
        &request,
        "context-management-2025-06-27",
        &json!({"exclude_tools": ["memory"]}),
    );
    env.mem(["client", "curl", "--example", "compaction"])
        .assert_code(2);
}
