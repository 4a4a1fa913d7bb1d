//! Whole sessions, several at once, from start to end.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread;

use mem_tests::{Repo, TestEnv, words};
use serde_json::{Value, json};

use super::{Host, answer, context, log, put, until, until_quiet};

/// One event of a session that is replayed: the process, its input, and what the host does then.
struct Step {
    name: &'static str,
    hook: Command,
    input: String,
    /// A file that the host writes, once nothing refuses it.
    file: Option<(PathBuf, String)>,
    /// What has to be there before the event happens.
    after: Option<PathBuf>,
}

fn step(host: &Host<'_>, name: &'static str, more: &Value) -> Step {
    Step {
        name,
        hook: host.hook(name),
        input: host.event(name, more),
        file: None,
        after: None,
    }
}

/// A session in which an agent is asked something, writes a memory, and whose context is compacted.
fn script(host: &Host<'_>, memory: &std::path::Path) -> Vec<Step> {
    let topic = host.session.replace('-', "_");
    let file = memory.join(format!("project_{topic}.md"));
    let note = format!(
        "---\nname: {topic}\ndescription: What the session {topic} decided\ntype: project\n---\n\n\
         The answer of {topic} is 42.\n"
    );
    let input = json!({"file_path": file, "content": note});
    let write = json!({"tool_name": "Write", "tool_input": input, "tool_use_id": "t1"});
    let compact = json!({"source": "compact"});
    let prompt = json!({"prompt": "may I mock the database in the integration tests?"});
    let mut steps = vec![
        step(host, "session-start", &json!({"source": "startup"})),
        step(host, "user-prompt-submit", &prompt),
        step(host, "user-prompt-submit", &prompt),
        step(host, "pre-tool-use", &write),
        step(host, "post-tool-use", &write),
        step(host, "stop", &json!({"stop_hook_active": false})),
        step(host, "pre-compact", &json!({"trigger": "auto"})),
        step(host, "session-start", &compact),
        step(host, "user-prompt-submit", &prompt),
        step(host, "session-end", &json!({"reason": "other"})),
    ];
    steps[3].file = Some((file, note));
    steps[7].after = Some(host.notes());
    steps
}

/// Plays a session; what each event was answered.
fn play(steps: Vec<Step>) -> Vec<(&'static str, Option<Value>)> {
    let play = |step: Step| {
        if let Some(path) = &step.after {
            until("what the session waits for", || path.exists());
        }
        let answered = answer(step.hook, step.input.as_bytes());
        if let Some((path, content)) = step.file {
            assert_eq!(answered, None, "nothing is refused");
            put(&path, &content);
        }
        (step.name, answered)
    };
    steps.into_iter().map(play).collect()
}

fn notes(repo: &Repo<'_>) {
    crate::recall::three_notes(repo);
    let words = words(
        "save --type user --scope global --name Editor --description 'Edits in a terminal' \
         --body 'No windows.'",
    );
    repo.mem(words).assert_ok();
    repo.mem(["check", "--fix"]);
}

#[test]
fn sessions_at_once_in_two_worktrees_each_have_their_own_thread() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let worktree = repo.worktree("branch");
    notes(&repo);
    let hosts = [
        Host::new(&env, &repo, "s-one"),
        Host::new(&env, &repo, "s-two"),
        Host::new(&env, &worktree, "s-three"),
        Host::new(&env, &worktree, "s-four"),
    ];
    let memory = repo.memory();
    for host in &hosts {
        host.work(&format!("The task of {}", host.session));
    }
    let scripts: Vec<_> = hosts.iter().map(|host| script(host, &memory)).collect();
    let played: Vec<_> = thread::scope(|scope| {
        let running: Vec<_> = scripts
            .into_iter()
            .map(|steps| scope.spawn(|| play(steps)))
            .collect();
        running.into_iter().map(|one| one.join().unwrap()).collect()
    });
    until_quiet(&env);
    for (host, answers) in hosts.iter().zip(played) {
        let told: Vec<String> = answers
            .into_iter()
            .map(|(_, answer)| context(answer))
            .collect();
        assert!(told[0].contains("Edits in a terminal"), "{}", told[0]);
        assert!(!told[0].contains("The task of"), "{}", told[0]);
        assert!(told[1].contains("No database mocks"), "{}", told[1]);
        assert_eq!(told[2], "", "not twice");
        let pointer = "MEMORY.md does not point to it";
        assert!(!told[4].contains(pointer), "{}", told[4]);
        // Each is told of its own file alone.
        assert_eq!(told[5].matches(pointer).count(), 1, "{}", told[5]);
        let own = format!("The task of {}", host.session);
        assert!(told[7].contains(&own), "{}", told[7]);
        assert_eq!(
            told[7].matches("The task of ").count(),
            told[7].matches(&own).count()
        );
        assert!(
            told[8].contains("No database mocks"),
            "after the compaction: {}",
            told[8]
        );
        let written = fs::read_to_string(host.notes()).unwrap();
        assert!(
            written.contains(&own) && written.contains("It works now."),
            "{written}"
        );
    }
    assert_eq!(log(&env), "");
    let cost = repo.mem(["cost", "--json"]).assert_ok().json();
    assert_eq!(cost["sessions"].as_array().unwrap().len(), 4, "{cost}");
    assert_eq!(
        (&cost["prompts"], &cost["prompts_with_memory"]),
        (&json!(12), &json!(8))
    );
    let listed = repo.mem(["session", "list"]).assert_ok().stdout;
    assert_eq!(listed.lines().count(), 4, "{listed}");
}
