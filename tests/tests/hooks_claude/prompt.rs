//! `user-prompt-submit`.

use mem_tests::{Repo, TestEnv};
use serde_json::{Value, json};

use super::{Host, context, log};
use crate::recall::three_notes;

const PROMPT: &str = "may I mock the database in the integration tests?";

fn prompt(text: &str) -> Value {
    json!({ "prompt": text })
}

/// Notes of some length that all speak of one thing.
fn alike(repo: &Repo<'_>, count: usize, words: usize) {
    for number in 0..count {
        let body = format!("Mocked database {number}. ") + &"database mock test ".repeat(words / 3);
        let note = format!(
            "---\nname: Database mocks {number}\ndescription: Integration tests never mock the \
             database, case {number}\ntype: feedback\n---\n\n{body}\n"
        );
        repo.edit_note(&format!("feedback_{number}.md"), &note);
    }
}

#[test]
fn a_prompt_brings_what_helps_once_a_session_until_it_changes() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let host = Host::new(&env, &repo, "s-1");
    let first = host.fire("user-prompt-submit", &prompt(PROMPT)).unwrap();
    assert_eq!(
        first["hookSpecificOutput"]["hookEventName"],
        "UserPromptSubmit"
    );
    let given = repo.mem(["recall", PROMPT]).assert_ok();
    assert_eq!(
        context(Some(first)),
        given.stdout,
        "what `mem recall` prints"
    );
    assert_eq!(host.fire("user-prompt-submit", &prompt(PROMPT)), None);
    let changed = repo.note("feedback_no_mocks.md").unwrap() + "Fakes are fine for HTTP.\n";
    repo.edit_note("feedback_no_mocks.md", &changed);
    let again = host.told("user-prompt-submit", &prompt(PROMPT));
    assert!(again.contains("Fakes are fine"), "{again}");
    let other = Host::new(&env, &repo, "s-2");
    assert_ne!(other.fire("user-prompt-submit", &prompt(PROMPT)), None);
}

#[test]
fn what_a_compaction_took_from_the_context_may_come_again() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let host = Host::new(&env, &repo, "s-1");
    let first = host.told("user-prompt-submit", &prompt(PROMPT));
    host.fire("session-start", &json!({"source": "resume"}));
    assert_eq!(host.told("user-prompt-submit", &prompt(PROMPT)), "");
    host.fire("session-start", &json!({"source": "compact"}));
    assert_eq!(host.told("user-prompt-submit", &prompt(PROMPT)), first);
}

#[test]
fn a_prompt_that_nobody_typed_brings_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let host = Host::new(&env, &repo, "s-1");
    let from = |source: &str| json!({"prompt": PROMPT, "source": source});
    for source in ["loop_wakeup", "system", "poll_event"] {
        assert_eq!(
            host.fire("user-prompt-submit", &from(source)),
            None,
            "{source}"
        );
    }
    assert_ne!(host.fire("user-prompt-submit", &from("user")), None);
}

#[test]
fn what_no_person_wrote_brings_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let host = Host::new(&env, &repo, "s-1");
    for text in [
        format!("/review {PROMPT}"),
        format!("<task-notification>{PROMPT}</task-notification>"),
        format!("<command-name>/x</command-name> {PROMPT}"),
        "thanks, looks good".to_owned(),
        String::new(),
    ] {
        assert_eq!(
            host.fire("user-prompt-submit", &prompt(&text)),
            None,
            "{text}"
        );
    }
    assert_ne!(host.fire("user-prompt-submit", &prompt(PROMPT)), None);
}

#[test]
fn the_user_is_told_once_a_session_unless_that_is_not_wanted() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let host = Host::new(&env, &repo, "s-1");
    let first = host.fire("user-prompt-submit", &prompt(PROMPT)).unwrap();
    let message = first["systemMessage"].as_str().unwrap();
    let tokens = message.strip_prefix("mem: 1 note, ").unwrap();
    let tokens: usize = tokens.strip_suffix(" tokens").unwrap().parse().unwrap();
    assert!((50..200).contains(&tokens), "{message}");
    let second = "when are releases cut, and from which branch?";
    let later = host.fire("user-prompt-submit", &prompt(second)).unwrap();
    assert_eq!(later.get("systemMessage"), None, "{later}");
    repo.mem(["config", "set", "notify", "false"]).assert_ok();
    let other = Host::new(&env, &repo, "s-2");
    let quiet = other.fire("user-prompt-submit", &prompt(PROMPT)).unwrap();
    assert_eq!(quiet.get("systemMessage"), None, "{quiet}");
}

#[test]
fn no_text_is_over_its_budget_and_entries_are_whole() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    alike(&repo, 12, 300);
    let host = Host::new(&env, &repo, "s-1");
    let wide = [
        ("MEM_RECALL_BUDGET_CHARS", "60000"),
        ("MEM_RECALL_SESSION_CHARS", "60000"),
        ("MEM_RECALL_LIMIT", "12"),
        ("MEM_RECALL_MIN_SCORE", "0"),
    ];
    let text = context(host.fire_with("user-prompt-submit", &prompt(PROMPT), &wide));
    let chars = text.chars().count();
    assert!((5_000..9_500).contains(&chars), "{chars}");
    assert_eq!(
        text.matches("<memory ").count(),
        text.matches("</memory>").count()
    );
    let other = Host::new(&env, &repo, "s-2");
    let narrow = [
        ("MEM_RECALL_BUDGET_CHARS", "900"),
        ("MEM_RECALL_LIMIT", "12"),
        ("MEM_RECALL_MIN_SCORE", "0"),
    ];
    let text = context(other.fire_with("user-prompt-submit", &prompt(PROMPT), &narrow));
    assert!(text.chars().count() <= 900, "{text}");
    assert!(
        text.contains("more left out for want of room]\n</memories>"),
        "{text}"
    );
    assert!(text.ends_with("</memories>\n"), "{text}");
}

#[test]
fn what_is_left_out_is_said_within_any_budget() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    alike(&repo, 6, 20);
    let mut said = 0;
    for budget in (500..2_200).step_by(100) {
        let chars = budget.to_string();
        let words = [
            "recall",
            PROMPT,
            "--min-score",
            "0",
            "--limit",
            "6",
            "--budget-chars",
            &chars,
        ];
        let text = repo.mem(words).assert_ok().stdout;
        let given = text.matches("<memory ").count();
        assert!(text.chars().count() <= budget, "{text}");
        let is_said =
            text.contains("left out for want of room: ") || text.contains("more left out");
        assert_eq!(given > 0 && given < 6, is_said, "{text}");
        said += usize::from(is_said);
    }
    assert!(said > 5, "the budgets are too wide: {said}");
}

#[test]
fn a_session_is_given_so_much_and_no_more() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    alike(&repo, 40, 100);
    let host = Host::new(&env, &repo, "s-1");
    let many = [
        ("MEM_RECALL_SESSION_CHARS", "4000"),
        ("MEM_RECALL_MIN_SCORE", "0"),
    ];
    let fire = || context(host.fire_with("user-prompt-submit", &prompt(PROMPT), &many));
    let texts: Vec<String> = (0..8).map(|_| fire()).collect();
    let sum: usize = texts.iter().map(|text| text.chars().count()).sum();
    assert!((3_000..=4_000).contains(&sum), "{sum}");
    assert_eq!(texts.last().unwrap(), "");
    let files = texts.iter().flat_map(|text| text.lines());
    let mut files: Vec<&str> = files.filter(|line| line.starts_with("<memory ")).collect();
    let count = files.len();
    files.sort_unstable();
    files.dedup();
    assert_eq!(files.len(), count, "none twice");
    repo.mem(["config", "set", "recall.session_chars", "1"])
        .assert_ok();
    let other = Host::new(&env, &repo, "s-2");
    assert_eq!(other.told("user-prompt-submit", &prompt(PROMPT)), "");
    host.fire_with(
        "user-prompt-submit",
        &prompt(PROMPT),
        &[("MEM_RECALL_SESSION_CHARS", "0")],
    );
    assert!(log(&env).contains("recall.session_chars"), "{}", log(&env));
}

#[test]
fn the_memory_is_that_of_the_folder_in_which_the_session_stands() {
    let env = TestEnv::new();
    let (one, other) = (env.repo("one"), env.repo("other"));
    three_notes(&one);
    let host = Host::new(&env, &other, "s-1");
    assert_eq!(host.fire("user-prompt-submit", &prompt(PROMPT)), None);
    let worktree = one.worktree("branch");
    let host = Host::new(&env, &worktree, "s-2");
    let text = host.told("user-prompt-submit", &prompt(PROMPT));
    assert!(text.contains("No database mocks"), "{text}");
}
