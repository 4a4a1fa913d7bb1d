//! Keys that decide: remove and undo, edit, the inbox, conflicts, history, a choice for a script.

use std::fs;

use mem_tests::TestEnv;

use super::{browse, save, save_three, selected};
use crate::team::{Person, both_changed};
use crate::{inbox, sync};

#[test]
fn a_memory_is_removed_with_a_reason_and_comes_back() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save_three(&repo);
    let Some(screen) = browse(&repo, &["Deploy"]) else {
        return;
    };
    screen.wait_until("the memory", |shown| {
        selected(shown).contains("Deploy rule")
    });
    screen.press(&["d"]);
    let shown = screen.wait_for("Remove project_deploy_rule.md?");
    assert!(shown.contains("`u` brings it back"), "{shown}");
    screen.press(&["Escape"]);
    screen.wait_for("nothing was changed");
    screen.press(&["d"]);
    screen.wait_for("reason (may be empty):");
    screen.type_text("it is over");
    screen.press(&["Enter"]);
    screen.wait_for("removed project_deploy_rule.md");
    screen.wait_for("0 of 2");
    let audit = repo.mem(["log-audit"]).assert_ok().stdout;
    assert!(audit.contains("it is over"), "{audit}");
    screen.press(&["u"]);
    screen.wait_for("Undo `remove` by person");
    screen.press(&["y"]);
    screen.wait_for("1 of 3");
    assert!(repo.note("project_deploy_rule.md").is_some());
}

#[test]
fn the_editor_gets_the_terminal_and_gives_it_back() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save_three(&repo);
    let editor = env.root().join("editor");
    let script =
        "#!/bin/sh\necho 'in the editor'; read -r line; sed -i 's/Friday/Monday/' \"$1\"\n";
    fs::write(&editor, script).unwrap();
    let run = repo.invoke(["browse", "Deploy"]);
    let run = run.env("EDITOR", format!("sh {}", editor.display()));
    let Some(screen) = run.on_screen(80, 24) else {
        return;
    };
    screen.wait_for("never on Friday.");
    screen.press(&["e"]);
    screen.wait_for("in the editor");
    screen.press(&["Enter"]);
    screen.wait_for("never on Monday.");
    screen.wait_for("saved `project_deploy_rule.md`");
    // A failure stays until it was read.
    fs::write(&editor, "#!/bin/sh\nexit 3\n").unwrap();
    screen.press(&["e"]);
    let shown = screen.wait_for("press Enter to go back");
    assert!(
        shown.contains("error: the editor") && shown.contains("hint:"),
        "{shown}"
    );
    screen.press(&["Enter"]);
    screen.wait_for("never on Monday.");
    screen.press(&["q"]);
    assert_eq!(screen.exit_code(), 0);
}

#[test]
fn the_inbox_is_decided_on() {
    let env = TestEnv::new();
    let repo = inbox::confirming(&env);
    inbox::save(&repo, "s1", "No mocks", "Use a real database.");
    env.advance(60);
    inbox::save(&repo, "s1", "Bad idea", "Skip the tests.");
    let Some(screen) = browse(&repo, &[]) else {
        return;
    };
    screen.wait_for("inbox 2");
    screen.press(&["i"]);
    screen.wait_for("2 waiting");
    screen.press(&["C-d"]);
    let shown = screen.wait_for("+Skip the tests.");
    assert!(selected(&shown).contains("feedback_bad_idea.md"), "{shown}");
    screen.press(&["x"]);
    screen.wait_for("Reject feedback_bad_idea.md?");
    screen.press(&["y"]);
    screen.wait_for("1 waiting");
    screen.press(&["a"]);
    screen.wait_for("nothing waits for you");
    screen.press(&["Escape"]);
    screen.wait_for("No mocks");
    assert!(repo.note("feedback_no_mocks.md").is_some());
    assert!(repo.note("feedback_bad_idea.md").is_none());
    let rejected = repo.mem(["inbox", "list", "--rejected"]).assert_ok().stdout;
    assert!(rejected.contains("bad_idea"), "{rejected}");
}

#[test]
fn what_waits_is_edited_and_waits_on() {
    let env = TestEnv::new();
    let repo = inbox::confirming(&env);
    let editor = env.root().join("editor");
    fs::write(&editor, "#!/bin/sh\ntrue\n").unwrap();
    let run = repo.invoke(["browse"]);
    let run = run.env("EDITOR", format!("sh {}", editor.display()));
    let Some(screen) = run.on_screen(80, 24) else {
        return;
    };
    screen.wait_for("no memories yet");
    // What arrives while the browser is open is there without `r`.
    inbox::save(&repo, "s1", "No mocks", "Use a real database.");
    screen.press(&["i"]);
    screen.wait_for("1 waiting");
    screen.press(&["e"]);
    screen.wait_for("nothing was changed: it still waits");
    assert_eq!(inbox::ids(&repo).len(), 1);
    assert!(repo.note("feedback_no_mocks.md").is_none());
    fs::write(&editor, "#!/bin/sh\nsed -i 's/Use a/Start a/' \"$1\"\n").unwrap();
    screen.press(&["e"]);
    screen.wait_for("changed `feedback_no_mocks.md`: it waits until `a` accepts it");
    assert_eq!(inbox::ids(&repo).len(), 1);
    assert!(repo.note("feedback_no_mocks.md").is_none());
    screen.press(&["C-d"]);
    screen.wait_for("+Start a real database.");
    screen.press(&["a"]);
    screen.wait_for("accepted feedback_no_mocks.md");
    let note = repo.note("feedback_no_mocks.md").unwrap();
    assert!(note.contains("Start a real database."), "{note}");
}

#[test]
fn a_memory_is_written_and_renamed() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let editor = env.root().join("editor");
    fs::write(&editor, "#!/bin/sh\ntrue\n").unwrap();
    let run = repo.invoke(["browse"]);
    let run = run.env("EDITOR", format!("sh {}", editor.display()));
    let Some(screen) = run.on_screen(80, 24) else {
        return;
    };
    screen.wait_for("no memories yet");
    screen.press(&["n"]);
    screen.wait_for("nothing was changed");
    // Without a name it is refused, and the text is kept.
    fs::write(&editor, "#!/bin/sh\necho 'Ship on Monday.' >> \"$1\"\n").unwrap();
    screen.press(&["n"]);
    let shown = screen.wait_for("press Enter to go back");
    assert!(shown.contains("the name is empty"), "{shown}");
    assert!(shown.contains("your text is kept in"), "{shown}");
    screen.press(&["Enter"]);
    screen.wait_for("/ filter");
    let fill = "#!/bin/sh\nsed -i -e 's/^name:/name: Ship day/' -e 's/^description:/description: when/' \"$1\"\n\
                echo 'Ship on Monday.' >> \"$1\"\n";
    fs::write(&editor, fill).unwrap();
    screen.press(&["n"]);
    screen.wait_for("saved project_ship_day.md");
    let shown = screen.wait_for("private · changed just now by a person");
    assert!(shown.contains("Ship on Monday."), "{shown}");
    screen.press(&["R"]);
    let shown = screen.wait_for("Rename project_ship_day.md?");
    assert!(shown.contains("new title: Ship day"), "{shown}");
    screen.press(&["C-u"]);
    screen.type_text("Launch day");
    screen.press(&["Enter"]);
    screen.wait_for("renamed `project_ship_day.md` to `Launch day`");
    assert!(repo.note("project_launch_day.md").is_some());
    assert!(repo.note("project_ship_day.md").is_none());
    screen.press(&["u"]);
    screen.wait_for("Undo `rename`");
    screen.press(&["y"]);
    screen.wait_for("undone: rename");
    assert!(repo.note("project_ship_day.md").is_some());
}

#[test]
fn a_conflict_is_resolved_side_by_side() {
    let env = TestEnv::new();
    let (_ann, ben) = both_changed(&env, "of ben\n");
    ben.sync();
    let Some(screen) = ben.invoke(["browse"]).on_screen(80, 24) else {
        return;
    };
    let shown = screen.wait_for("conflicts 1");
    assert!(selected(&shown).contains("! "), "{shown}");
    assert!(shown.contains("conflict: a remote's text"), "{shown}");
    screen.press(&["c"]);
    let shown = screen.wait_for("yours, kept aside");
    let is_beside = |line: &str| line.starts_with("of ben") && line.ends_with("│ of ann");
    assert!(shown.lines().any(is_beside), "{shown}");
    screen.press(&["m"]);
    screen.wait_for("Write your text as x.md?");
    screen.press(&["y"]);
    screen.wait_for("no conflict: nothing of yours was replaced");
    screen.wait_for("resolved `x.md`; the next sync shares it");
    assert_eq!(ben.read("x.md").unwrap(), "of ben\n");
}

#[test]
fn a_conflict_of_ones_own_machines_stands_beside_the_teams() {
    let env = TestEnv::new();
    let (laptop, desk) = sync::two_that_differ(&env);
    sync::sync(&laptop);
    sync::sync(&desk);
    let Some(screen) = desk.invoke(["browse"]).on_screen(80, 24) else {
        return;
    };
    screen.wait_for("conflicts 1");
    screen.press(&["c"]);
    let shown = screen.wait_for("yours, kept aside");
    assert!(selected(&shown).contains("sync  x.md"), "{shown}");
    screen.press(&["m"]);
    screen.wait_for("Write your text as x.md?");
    screen.press(&["y"]);
    screen.wait_for("no conflict: nothing of yours was replaced");
    screen.wait_for("resolved `x.md`; the next sync shares it");
    assert_eq!(sync::read(&desk, "x.md").unwrap(), "of desk\n");
}

#[test]
fn a_memory_is_pinned_and_let_go() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save_three(&repo);
    let Some(screen) = browse(&repo, &["Deploy"]) else {
        return;
    };
    screen.wait_for("1 of 3");
    screen.press(&["p"]);
    screen.wait_for("pinned project_deploy_rule.md");
    screen.wait_until("the mark", |shown| selected(shown).contains("* Deploy"));
    let is_pinned = |repo: &mem_tests::Repo<'_>| {
        let note = repo.note("project_deploy_rule.md").unwrap();
        note.contains("pinned: true")
    };
    assert!(is_pinned(&repo));
    screen.press(&["p"]);
    screen.wait_for("unpinned project_deploy_rule.md");
    assert!(!is_pinned(&repo));
    screen.press(&["u"]);
    screen.wait_for("Undo `edit` by person");
    screen.press(&["y"]);
    screen.wait_for("undone: edit");
    assert!(is_pinned(&repo));
}

#[test]
fn memories_move_where_there_is_a_team_and_a_refusal_says_what_to_do() {
    let env = TestEnv::new();
    let ben = Person::new(&env, "ben");
    for (kind, name) in [("project", "Freeze"), ("user", "Tea")] {
        let args = ["save", "--type", kind, "--name", name, "--description"];
        let args = args.into_iter().chain(["about it", "--body", "text"]);
        ben.invoke(args).run().assert_ok();
    }
    let start = |words| ben.invoke(["browse", words]).on_screen(80, 24);
    let Some(screen) = start("Freeze") else {
        return;
    };
    screen.wait_for("1 of 2");
    screen.press(&["s"]);
    screen.wait_for("no team is set up");
    screen.press(&["?"]);
    let shown = screen.wait_for("any key closes");
    assert!(!shown.contains("move to the team"), "{shown}");
    ben.mem("team setup --remote git:origin --repo acme/app")
        .assert_ok();
    screen.press(&["?", "r"]);
    screen.wait_until("the team", |_| {
        screen.press(&["s"]);
        screen.shown().contains("to the team?")
    });
    screen.press(&["y"]);
    screen.wait_for("moved project_freeze.md to the team");
    assert!(ben.read("project_freeze.md").is_some());
    let screen = start("Tea").unwrap();
    screen.wait_for("> user");
    screen.wait_until("the team", |_| {
        screen.press(&["s"]);
        screen.shown().contains("to the team?")
    });
    screen.press(&["y"]);
    let shown = screen.wait_for("hint: ");
    assert!(shown.contains("never goes to the team tier"), "{shown}");
    screen.press(&["Escape"]);
    screen.wait_gone("hint:");
}

#[test]
fn history_shows_each_change_and_writes_an_older_version_back() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "project", "Freeze", "when", "Until Monday.");
    env.advance(7_200);
    let args = [
        "save", "--type", "project", "--name", "Freeze", "--update", "--reason", "moved",
    ];
    repo.mem(
        args.into_iter()
            .chain(["--description", "when", "--body", "Until Tuesday."]),
    )
    .assert_ok();
    let Some(screen) = browse(&repo, &[]) else {
        return;
    };
    screen.wait_for("Until Tuesday.");
    screen.press(&["h"]);
    screen.wait_for("2 versions");
    screen.press(&["Enter"]);
    let shown = screen.wait_for("+Until Tuesday.");
    assert!(
        shown.contains("-Until Monday.") && shown.contains("moved"),
        "{shown}"
    );
    screen.press(&["q", "j", "R"]);
    screen.wait_for("Write this version of project_freeze.md back?");
    screen.press(&["y"]);
    screen.wait_for("restored project_freeze.md");
    assert!(
        repo.note("project_freeze.md")
            .unwrap()
            .contains("Until Monday.")
    );
}

#[test]
fn a_choice_is_printed_for_a_script() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save_three(&repo);
    let chosen = env.root().join("chosen");
    let script = format!(r#"exec "$0" "$@" > '{}'"#, chosen.display());
    let start = || {
        repo.invoke(["browse", "--pick"])
            .through_shell(&script)
            .on_screen(80, 24)
    };
    let Some(screen) = start() else {
        return;
    };
    screen.wait_for("Green tea");
    screen.type_text("mocks");
    screen.wait_for("1 of 3");
    screen.press(&["Enter"]);
    assert_eq!(screen.exit_code(), 0);
    let path = fs::read_to_string(&chosen).unwrap();
    assert_eq!(
        path.trim(),
        repo.memory().join("feedback_no_mocks.md").to_string_lossy()
    );
    let screen = start().unwrap();
    screen.wait_for("Green tea");
    screen.press(&["Escape"]);
    assert_eq!(screen.exit_code(), 1);
    assert_eq!(fs::read_to_string(&chosen).unwrap(), "");
}
