//! A model is any program: what it may do wrong, and that nothing of it stays.
#![cfg(unix)]

use std::path::Path;
use std::time::Duration;

use mem_agent::model::{ANSWER_BYTES_MAX, Model, ModelError, ModelQuestion};

/// Long enough never to be reached by a program that ends.
const AMPLE: Duration = Duration::from_secs(60);

fn ask(command: &str) -> Result<String, ModelError> {
    let model = Model::new(command, AMPLE).expect("a command");
    model.ask_model(ModelQuestion::Select, "the prompt\n")
}

#[test]
fn the_prompt_goes_in_the_answer_comes_out_and_the_task_is_told() {
    assert_eq!(ask("cat").unwrap(), "the prompt");
    assert_eq!(ask("echo \"$MEM_MODEL_TASK\"").unwrap(), "select");
    // A program that does not read its prompt, however long, is no error.
    let model = Model::new("echo done", AMPLE).unwrap();
    let long = "x".repeat(4 << 20);
    assert_eq!(
        model.ask_model(ModelQuestion::Session, &long).unwrap(),
        "done"
    );
}

#[test]
fn no_command_is_no_model() {
    assert!(Model::new("  ", AMPLE).is_none());
}

#[test]
fn failures_are_told_with_the_last_words() {
    let error = ask("echo first >&2; echo 'no key' >&2; exit 3").unwrap_err();
    assert!(
        error.to_string().contains("exit status: 3: no key"),
        "{error}"
    );
    assert!(matches!(ask("true"), Err(ModelError::Empty)));
    assert!(matches!(ask("printf '\\377'"), Err(ModelError::NotText)));
    let error = ask("no-such-program-at-all").unwrap_err();
    assert!(matches!(error, ModelError::Failed { .. }), "{error}");
}

#[test]
fn one_that_says_too_much_is_stopped() {
    let error = ask("yes").unwrap_err();
    assert!(matches!(error, ModelError::TooLong), "{error}");
    let fits = format!("head -c {ANSWER_BYTES_MAX} /dev/zero | tr '\\0' a");
    assert_eq!(ask(&fits).unwrap().len(), ANSWER_BYTES_MAX);
}

#[test]
fn one_that_hangs_is_killed_with_its_children() {
    let temp = tempfile::tempdir().unwrap();
    let pids = temp.path().join("pids");
    let command = format!(
        "sleep 600 & echo $! >{0}; echo $$ >>{0}; wait",
        pids.display()
    );
    let model = Model::new(&command, Duration::from_millis(1_500)).unwrap();
    let error = model.ask_model(ModelQuestion::Select, "").unwrap_err();
    assert!(matches!(error, ModelError::TimedOut { .. }), "{error}");
    assert_none_lives(&pids);
}

#[test]
fn one_that_leaves_children_behind_is_cleared_away() {
    let temp = tempfile::tempdir().unwrap();
    let pids = temp.path().join("pids");
    let command = format!(
        "sleep 600 >/dev/null 2>&1 & echo $! >{}; echo ok",
        pids.display()
    );
    assert_eq!(ask(&command).unwrap(), "ok");
    assert_none_lives(&pids);
}

/// Every process of the file has ended, or is about to: it was killed.
fn assert_none_lives(pids: &Path) {
    let text = std::fs::read_to_string(pids).expect("the program has begun");
    assert!(!text.trim().is_empty());
    for pid in text.lines() {
        let state = Path::new("/proc").join(pid).join("stat");
        // Killed and not yet collected by whoever inherited it counts as ended.
        while let Ok(stat) = std::fs::read_to_string(&state) {
            let after = stat.rsplit(')').next().unwrap_or("").trim_start();
            if after.starts_with(['Z', 'X']) {
                break;
            }
            std::thread::yield_now();
        }
    }
}
