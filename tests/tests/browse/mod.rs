//! `mem browse` in a real terminal: what stands on the screen, and what came of the keys.

mod actions;
mod plain_mode;
mod screens;

use mem_tests::{Repo, Screen};

/// Saves a memory.
fn save(repo: &Repo<'_>, kind: &str, name: &str, description: &str, body: &str) {
    let args = ["save", "--type", kind, "--name", name, "--description"];
    let args = args.into_iter().chain([description, "--body", body]);
    repo.mem(args).assert_ok();
}

/// Three memories, one of which cites what is not there.
fn save_three(repo: &Repo<'_>) {
    let cites = "# Rule\n\nUse `src/gone.rs` and never on **Friday**.";
    save(repo, "project", "Deploy rule", "how to put it live", cites);
    save(
        repo,
        "feedback",
        "No mocks",
        "tests use the real thing",
        "A database starts in a second.",
    );
    save(
        repo,
        "user",
        "Green tea",
        "what the person drinks",
        "Without sugar.",
    );
}

/// The browser on 80x24.
fn browse(repo: &Repo<'_>, args: &[&str]) -> Option<Screen> {
    repo.invoke([&["browse"], args].concat()).on_screen(80, 24)
}

/// The row that is selected.
fn selected(shown: &str) -> String {
    let row = shown.lines().find(|line| line.starts_with("> "));
    row.unwrap_or_default().to_owned()
}
