//! `pre-compact`, `post-compact`, `stop` and `session-end`: notes that a process behind the hook keeps up to date.

use std::fs;
use std::path::Path;

use mem_tests::TestEnv;
use serde_json::{Value, json};

use super::{Host, STARTING, answer, log, processes, until, until_quiet};

/// A command line that leaves a file and then waits for another.
fn waiting(started: &Path, go_on: &Path) -> String {
    let (started, go_on) = (started.display(), go_on.display());
    format!("touch {started}; until test -e {go_on}; do sleep 0.01; done")
}

/// Whether a process has a file open. Asking for its lock would take it from who is to have it.
fn holds(file: &Path) -> bool {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let mut open =
        processes.flat_map(|one| fs::read_dir(one.path().join("fd")).into_iter().flatten());
    open.any(|one| one.is_ok_and(|one| fs::read_link(one.path()).is_ok_and(|to| to == file)))
}

#[test]
fn notes_are_written_when_they_are_due_and_not_before() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let host = Host::new(&env, &repo, "s-1");
    host.record("user", &json!("A first word"));
    assert_eq!(host.fire("stop", &json!({})), None);
    until_quiet(&env);
    assert!(!host.notes().exists(), "not due");
    host.work("Add rate limiting to the upload endpoint");
    for event in ["stop", "pre-compact", "session-end"] {
        assert_eq!(host.fire(event, &json!({})), None, "{event}");
    }
    until("notes are there", || host.notes().exists());
    until_quiet(&env);
    let notes = fs::read_to_string(host.notes()).unwrap();
    assert!(
        notes.contains("rate limiting") && notes.contains("It works now."),
        "{notes}"
    );
    assert_eq!(log(&env), "");
}

/// As 2.1.330 sends them: the transcript has the summary only after the last of them.
#[test]
fn a_compaction_keeps_notes_of_a_short_session_and_the_host_s_summary() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let host = Host::new(&env, &repo, "s-1");
    host.fire("pre-compact", &json!({"trigger": "manual"}));
    until_quiet(&env);
    assert!(!host.notes().exists(), "nothing was said");
    host.record("user", &json!("We decide on blue for the header"));
    host.fire("pre-compact", &json!({"trigger": "manual"}));
    until("notes are there", || host.notes().exists());
    until_quiet(&env);
    let summary = "<analysis>short</analysis>\n<summary>\n# 1. Request\nAlways use the header colour blue.\n</summary>";
    let event = json!({"trigger": "manual", "compact_summary": summary});
    assert_eq!(host.fire("post-compact", &event), None);
    let notes = || fs::read_to_string(host.notes()).unwrap_or_default();
    until("the summary is there", || {
        notes().contains("header colour blue")
    });
    until_quiet(&env);
    let notes = notes();
    let quoted = "- The host's summary when the conversation was compacted:\n  > # 1. Request\n  > Always use";
    assert!(
        notes.contains(quoted) && !notes.contains("short"),
        "{notes}"
    );
    assert_eq!(log(&env), "");
    // What the host wrote is nobody's wish.
    host.fire("stop", &json!({}));
    until_quiet(&env);
    assert_eq!(repo.mem(["list"]).assert_ok().stdout, "");
}

#[test]
fn a_compaction_keeps_notes_while_another_update_finds_nothing_due() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let host = Host::new(&env, &repo, "s-1");
    host.record("user", &json!("We decide on blue for the header"));
    // Held as by an update that waits, and that finds none due later.
    let folder = env.home().join(".local/state/mem/sessions");
    fs::create_dir_all(&folder).unwrap();
    let turn = fs::File::create(folder.join("s-1.next")).unwrap();
    turn.try_lock().unwrap();
    host.fire("stop", &json!({}));
    until_quiet(&env);
    assert!(!host.notes().exists(), "another update waits already");
    host.fire("pre-compact", &json!({"trigger": "manual"}));
    until_quiet(&env);
    let notes = fs::read_to_string(host.notes()).unwrap();
    assert!(notes.contains("blue for the header"), "{notes}");
}

#[test]
fn nothing_is_kept_where_memory_is_off() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let host = Host::new(&env, &repo, "s-1");
    host.work("A task");
    assert_eq!(
        host.fire_with("session-end", &json!({}), &[("MEM_DISABLE", "1")]),
        None
    );
    until_quiet(&env);
    assert!(!host.notes().exists());
    assert!(
        log(&env).contains("session-end s-1 memory is off here: MEM_DISABLE"),
        "{}",
        log(&env)
    );
}

#[cfg(target_os = "linux")]
#[test]
fn the_update_outlives_its_host_and_holds_on_to_nothing_of_it() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let host = Host::new(&env, &repo, "s-1");
    host.work("A task");
    let (started, go_on) = (env.root().join("started"), env.root().join("go-on"));
    let model = waiting(&started, &go_on);
    // The pipes of the hook are read to their end here: nobody else may hold them.
    let variables = [
        ("MEM_MODEL_COMMAND", &*model),
        ("MEM_EXTRACT_ENABLED", "false"),
    ];
    assert_eq!(host.fire_with("session-end", &json!({}), &variables), None);
    until("the model is asked", || started.exists());
    let transcript = host.transcript.to_string_lossy();
    let updates = || -> Vec<String> {
        let all = fs::read_dir("/proc").unwrap().flatten();
        let ours = all.filter_map(|process| {
            let line = fs::read(process.path().join("cmdline")).ok()?;
            let is_ours = String::from_utf8_lossy(&line).contains(&*transcript);
            is_ours.then(|| fs::read_to_string(process.path().join("stat")).ok())?
        });
        ours.collect()
    };
    // The one that sent it has nothing left to do.
    until("there is one update", || updates().len() == 1);
    let stat = updates().remove(0);
    // pid (comm) state ppid pgrp session .. nice is the 19th field: proc(5).
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap()
        .split_whitespace()
        .collect();
    let pid = stat.split(' ').next().unwrap();
    assert_eq!(fields[3], pid, "a session of its own: {stat}");
    assert_eq!(fields[16], "19", "it gives way: {stat}");
    fs::write(&go_on, "").unwrap();
    until_quiet(&env);
    assert!(host.notes().exists());
}

#[test]
fn what_was_said_is_kept_once_the_turn_has_ended_and_not_before() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let host = Host::new(&env, &repo, "s-1");
    host.work("From now on always squash the commits before you merge");
    let kept = || repo.mem(["list"]).assert_ok().stdout;
    for (event, variable) in [("pre-compact", "true"), ("stop", "false")] {
        host.fire_with(event, &json!({}), &[("MEM_EXTRACT_ENABLED", variable)]);
        until_quiet(&env);
        assert_eq!(kept(), "", "{event}");
    }
    host.fire_with("stop", &json!({}), &[]);
    until("it is kept", || kept().contains("quash the commits"));
    until_quiet(&env);
}

#[test]
fn whatever_the_model_does_the_notes_are_there_and_no_process_stays() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for (session, model) in [
        ("hangs", "sleep 600"),
        ("ignores-signals", "trap '' TERM HUP; sleep 600 & sleep 600"),
        ("silent", "true"),
        ("endless", "yes"),
        ("fifty-megabytes", "head -c 52428800 /dev/zero"),
        ("fails", "exit 7"),
        ("closes", "exec 0<&- 1>&-; sleep 0"),
    ] {
        let host = Host::new(&env, &repo, session);
        host.work("A task to remember");
        let variables = [("MEM_MODEL_COMMAND", model), ("MEM_MODEL_TIMEOUT", "1")];
        assert_eq!(host.fire_with("stop", &json!({}), &variables), None);
        until("notes are there", || host.notes().exists());
        until_quiet(&env);
        let notes = fs::read_to_string(host.notes()).unwrap();
        assert!(notes.contains("A task to remember"), "{session}: {notes}");
        let line = format!("session-update {session} no model rewrote the notes: ");
        assert!(log(&env).contains(&line), "{}", log(&env));
    }
}

#[test]
fn a_model_that_is_an_agent_of_the_host_does_not_ask_itself_on_and_on() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    crate::recall::three_notes(&repo);
    let (host, inner) = (
        Host::new(&env, &repo, "s-1"),
        Host::new(&env, &repo, "s-inner"),
    );
    host.work("A task");
    inner.work("What the model is asked");
    // As such an agent would: its hooks run in the environment that it was started in.
    let events = env.root().join("event.json");
    fs::write(
        &events,
        inner.event("Stop", &json!({"prompt": "may I mock the database?"})),
    )
    .unwrap();
    let binary = mem_tests::binary::path().display().to_string();
    let (events, hooks) = (
        events.display(),
        "user-prompt-submit session-start stop session-end",
    );
    let model = format!("for hook in {hooks}; do {binary} hook claude $hook <{events}; done");
    let variables = [
        ("MEM_MODEL_COMMAND", &*model),
        ("MEM_EXTRACT_ENABLED", "false"),
    ];
    host.fire_with("stop", &json!({}), &variables);
    until("notes are there", || host.notes().exists());
    until_quiet(&env);
    assert!(!inner.notes().exists());
    let log = log(&env);
    assert_eq!(
        log.matches("mem itself has asked the host").count(),
        4,
        "{log}"
    );
    assert!(log.contains("answered with nothing"), "{log}");
}

#[test]
fn what_a_person_writes_in_the_middle_of_an_update_stays() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let host = Host::new(&env, &repo, "s-1");
    host.work("A task");
    let (started, go_on) = (env.root().join("started"), env.root().join("go-on"));
    let model = format!("{}; echo '# Something else'", waiting(&started, &go_on));
    // The settings are those of the repository that the session stands in.
    repo.mem(["config", "set", "--repository", "model.command", &model])
        .assert_ok();
    host.fire("stop", &json!({}));
    until("the model is asked", || started.exists());
    let edited = fs::read_to_string(host.notes())
        .unwrap()
        .replace("A task", "A task, by hand");
    fs::write(host.notes(), &edited).unwrap();
    fs::write(&go_on, "").unwrap();
    until_quiet(&env);
    assert_eq!(fs::read_to_string(host.notes()).unwrap(), edited);
}

#[cfg(target_os = "linux")]
#[test]
fn of_many_updates_at_once_one_works_one_waits_and_the_last_word_is_not_lost() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let host = Host::new(&env, &repo, "s-1");
    host.work("A task");
    let (started, go_on) = (env.root().join("started"), env.root().join("go-on"));
    let model = waiting(&started, &go_on);
    let variables = [("MEM_MODEL_COMMAND", &*model)];
    host.fire_with("stop", &json!({}), &variables);
    until("the model is asked", || started.exists());
    host.work("Another task, said while the first update was under way");
    host.fire("stop", &json!({}));
    let turn = env.home().join(".local/state/mem/sessions/s-1.next");
    until("another waits for its turn", || holds(&turn));
    let updates = || -> Vec<String> {
        let all = processes(&env).into_iter();
        all.filter(|line| line.contains("session update") || line.ends_with(STARTING))
            .collect()
    };
    until("the two are there, and who sent them is not", || {
        updates().len() == 2
    });
    let two = updates();
    for event in ["stop", "session-end"] {
        host.fire(event, &json!({}));
        until("a third goes at once", || {
            updates().iter().all(|one| two.contains(one))
        });
    }
    fs::write(&go_on, "").unwrap();
    until_quiet(&env);
    let notes = fs::read_to_string(host.notes()).unwrap();
    assert!(notes.contains("Another task"), "{notes}");
}

#[test]
fn a_transcript_that_is_still_written_is_read_to_its_last_whole_line() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let host = Host::new(&env, &repo, "s-1");
    host.work("A task");
    let whole = fs::read_to_string(&host.transcript).unwrap();
    fs::write(
        &host.transcript,
        format!("{whole}{{\"type\":\"assistant\",\"uuid\":\"half"),
    )
    .unwrap();
    let mut hook = host.hook("stop");
    hook.env("MEM_MODEL_COMMAND", "");
    assert_eq!(
        answer(
            hook,
            host.event("Stop", &Value::from(serde_json::Map::new()))
                .as_bytes()
        ),
        None
    );
    until("notes are there", || host.notes().exists());
    until_quiet(&env);
    assert_eq!(log(&env), "");
}
