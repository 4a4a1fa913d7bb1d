//! What is worth a memory: by a model's word, by the instructions, by the code.

use std::fs;

use mem_tests::TestEnv;

use super::{dream, logged, plan, texts};

#[test]
fn a_model_names_and_leaves_and_its_other_plans_are_refused() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    logged(
        &repo,
        "2025-12-01",
        &[
            "The payments owner is Alice",
            "The cafeteria serves soup on Mondays",
        ],
    );
    let answering = |answer: &str| {
        let file = env.root().join("answer");
        fs::write(&file, answer).unwrap();
        let command = format!(
            "test \"$MEM_MODEL_TASK\" = distill && cat >/dev/null && cat {}",
            file.display()
        );
        repo.invoke(["dream", "--dry-run", "--json"])
            .env("MEM_MODEL_COMMAND", &command)
            .run()
            .assert_ok()
            .json()["plan"]
            .clone()
    };
    let plan = answering(
        r#"{"plan":[{"bullet":1,"do":"keep","name":"Owner","type":"user"},{"bullet":2,"do":"leave"}]}"#,
    );
    assert_eq!(texts(&plan["added"]), ["The payments owner is Alice"]);
    assert_eq!(plan["added"][0]["file"], "Owner");
    assert_eq!(
        texts(&plan["left"]),
        ["The cafeteria serves soup on Mondays"]
    );
    for garbage in [
        "I would rather not",
        r#"{"plan":[{"do":"delete","file":"*"},{"do":"retire","file":"MEMORY.md"}]}"#,
        r#"{"plan":[{"bullet":1,"do":"leave"},{"bullet":2,"do":"leave"}]}"#,
        r#"{"plan":[{"bullet":1,"do":"leave"},{"bullet":1,"do":"keep","name":"x"}]}"#,
        r#"{"plan":[{"bullet":1,"do":"leave"}],"delete":["MEMORY.md"]}"#,
    ] {
        let plan = answering(garbage);
        assert_eq!(texts(&plan["added"]).len(), 2, "{plan}");
        assert!(plan["warnings"].to_string().contains("refused"), "{plan}");
    }
}

#[test]
fn what_the_instructions_or_the_code_say_needs_no_memory() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.write("CLAUDE.md", "# Rules\n\n- Use bun for installs\n");
    repo.write("src/config.rs", "pub fn parse_config() {}\n");
    repo.git(["add", "--all"]);
    repo.git(["commit", "--quiet", "--message", "code"]);
    logged(
        &repo,
        "2025-12-01",
        &[
            "Use bun for installs",
            "`parse_config` is in `src/config.rs`",
            "`gone_fn` is in `src/lost.rs`",
        ],
    );
    let plan = plan(&repo);
    assert_eq!(
        texts(&plan["left"]),
        [
            "Use bun for installs",
            "`parse_config` is in `src/config.rs`"
        ]
    );
}

#[test]
fn of_a_choice_and_its_reversal_the_newer_one_stands_with_the_older_quoted() {
    for (older, newer, gone, holds) in [
        (
            "From now on use tabs instead of spaces in this repo.",
            "From now on use spaces instead of tabs in this repo.",
            "tabs instead",
            "spaces instead",
        ),
        (
            "Ab jetzt Tabs statt Leerzeichen benutzen.",
            "Ab jetzt Leerzeichen statt Tabs benutzen.",
            "Tabs statt",
            "Leerzeichen statt",
        ),
        (
            "以后不要用npm，用pnpm。",
            "以后不要用pnpm，用npm。",
            "不要用npm",
            "不要用pnpm",
        ),
    ] {
        let env = TestEnv::new();
        let repo = env.repo("app");
        logged(&repo, "2025-12-01", &[older]);
        dream(&repo, &["--yes"]).assert_ok();
        logged(&repo, "2025-12-02", &[newer]);
        dream(&repo, &["--yes"]).assert_ok();
        let listed = repo.mem(["list", "--json"]).assert_ok().json();
        let files = listed["memories"].as_array().unwrap();
        assert_eq!(files.len(), 1, "{listed}");
        let file = files[0]["file"].as_str().unwrap();
        let text = repo.mem(["show", file]).assert_ok().stdout;
        let (quoted, said): (Vec<&str>, Vec<&str>) =
            text.lines().partition(|line| line.contains("Before"));
        assert!(said.iter().any(|line| line.contains(holds)), "{text}");
        assert!(quoted.iter().any(|line| line.contains(gone)), "{text}");
    }
}
