//! What is drawn: filter, preview, sizes, hostile text, colours, and the terminal afterwards.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use mem_tests::TestEnv;

use super::{browse, save, save_three, selected};

#[test]
fn the_filter_narrows_as_it_is_typed_and_the_preview_follows() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save_three(&repo);
    let Some(screen) = browse(&repo, &[]) else {
        return;
    };
    let shown = screen.wait_for("/ filter  Enter read");
    assert!(shown.starts_with("memories"), "{shown}");
    screen.wait_for("Green tea");
    screen.press(&["/"]);
    screen.type_text("dply");
    let shown = screen.wait_for("1 of 3");
    assert!(selected(&shown).contains("Deploy rule"), "{shown}");
    // The citations are checked once the memory is selected.
    let shown = screen.wait_for("Citations");
    assert!(
        shown.contains("Use src/gone.rs and never on Friday."),
        "{shown}"
    );
    assert!(shown.contains("never   src/gone.rs path"), "{shown}");
    assert!(shown.contains("verdict: aging, 1 citation"), "{shown}");
    assert!(selected(&shown).contains("aging"), "{shown}");
    screen.press(&["Escape"]);
    screen.wait_gone("1 of 3");
    // Words of the text are found too.
    screen.press(&["/"]);
    screen.type_text("sugar");
    let shown = screen.wait_for("1 of 3");
    assert!(selected(&shown).contains("Green tea"), "{shown}");
    screen.press(&["Enter", "Enter"]);
    let shown = screen.wait_for("Esc back");
    assert!(
        shown.starts_with("filter: sugar") && !shown.contains("> "),
        "{shown}"
    );
    screen.press(&["q"]);
    screen.wait_for("/ filter");
    screen.press(&["?"]);
    // All of it stands on 80x24.
    let shown = screen.wait_for("any key closes");
    assert!(
        shown.contains("move; g G to the ends") && shown.contains("write this version back"),
        "{shown}"
    );
    screen.press(&["?", "q"]);
    assert_eq!(screen.exit_code(), 0);
}

#[test]
fn tab_ranks_by_meaning() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save_three(&repo);
    let Some(screen) = browse(&repo, &[]) else {
        return;
    };
    screen.wait_for("Green tea");
    screen.press(&["Tab"]);
    screen.type_text("putting things live");
    let shown = screen.wait_until("ranked", |shown| {
        shown.starts_with("ranked for: putting things live") && !selected(shown).is_empty()
    });
    assert!(selected(&shown).contains("Deploy rule"), "{shown}");
    assert!(shown.contains("Tab back to the filter"), "{shown}");
    screen.press(&["Escape"]);
    screen.wait_for("/ filter  Enter read");
    // The filter is one of letters again, and one without a hit names the ranking.
    screen.press(&["/"]);
    screen.type_text("zzz");
    let shown = screen.wait_for("0 of 3");
    assert!(shown.starts_with("filter: zzz"), "{shown}");
    assert!(shown.contains("Tab ranks by meaning"), "{shown}");
}

#[test]
fn every_size_shows_the_selected_memory() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save_three(&repo);
    save(
        &repo,
        "project",
        "통과 규칙",
        "모든 시험이 통과해야 한다",
        "시험이 통과해야 한다.",
    );
    let Some(screen) = browse(&repo, &["통과"]) else {
        return;
    };
    screen.wait_for("1 of 4");
    for (columns, rows) in [(160, 50), (40, 10), (21, 5), (80, 24), (30, 40)] {
        screen.resize(columns, rows);
        let width = usize::from(columns);
        let shown = screen.wait_until("the size", |shown| {
            let is_drawn = selected(shown).contains("통과") && shown.contains("1 of 4");
            let count = shown.lines().next().unwrap_or_default();
            // The count stands at the right edge: `통과` has two cells a character.
            is_drawn && count.chars().count() + 2 == width
        });
        assert!(shown.lines().count() <= usize::from(rows), "{shown}");
    }
    screen.resize(12, 3);
    screen.wait_for("needs 20x5");
    screen.resize(80, 24);
    screen.wait_for("시험이 통과해야 한다.");
}

#[test]
fn what_a_terminal_would_act_on_never_reaches_it() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save_three(&repo);
    let hostile = "---\nname: \"Harm\\e[2J\\e]0;owned\\a\"\ndescription: \"de\\u202Ecs\\e[31m\"\n\
                   type: project\ntags: [\"\\e[5m\"]\n---\n\nred \u{1b}[31mtext\u{1b}]0;owned\u{7} \
                   \u{9b}31m \u{1b}c end `\u{1b}[2J.rs`\n";
    fs::write(repo.memory().join("harm.md"), hostile).unwrap();
    let Some(screen) = browse(&repo, &["Harm"]) else {
        return;
    };
    let shown = screen.wait_for("red [31mtext]0;owned 31m c end");
    assert!(shown.contains("Harm[2J]0;owned"), "{shown}");
    assert!(shown.contains("1 of 4"), "{shown}");
    assert!(!screen.title().contains("owned"), "{}", screen.title());
    screen.press(&["Enter"]);
    screen.wait_for("Esc back");
    screen.press(&["q", "d"]);
    screen.wait_for("Remove harm.md?");
    screen.press(&["Escape"]);
    screen.wait_for("nothing was changed");
    screen.press(&["h"]);
    screen.wait_for("history of harm.md");
    assert!(!screen.title().contains("owned"), "{}", screen.title());
}

#[test]
fn no_colour_is_none_and_the_selection_is_still_seen() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save_three(&repo);
    let has_code = |styled: &str, is_it: fn(&str) -> bool| {
        let codes = styled.split("\u{1b}[").skip(1);
        let codes = codes.filter_map(|rest| Some(rest.split_once('m')?.0));
        codes.flat_map(|codes| codes.split(';')).any(is_it)
    };
    let is_coloured = |styled: &str| {
        has_code(styled, |code| {
            code.len() == 2 && code.starts_with('3') && code != "39"
        })
    };
    let is_reversed = |styled: &str| has_code(styled, |code| code == "7");
    for (name, value) in [("NO_COLOR", "1"), ("LANG", "C")] {
        let run = repo.invoke(["browse"]).env(name, value);
        let Some(screen) = run.on_screen(80, 24) else {
            return;
        };
        screen.wait_for("fresh");
        assert_eq!(
            is_coloured(&screen.styled()),
            name == "LANG",
            "{}",
            screen.styled()
        );
        assert!(is_reversed(&screen.styled()), "{}", screen.styled());
        let never = repo.invoke(["browse", "--color", "never"]);
        let screen = never.on_screen(80, 24).unwrap();
        screen.wait_for("fresh");
        assert!(!is_coloured(&screen.styled()));
    }
}

#[test]
fn ten_thousand_memories_are_listed_and_filtered() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save_three(&repo);
    let memory = repo.memory();
    for number in 0..10_000 {
        let text = format!(
            "---\nname: Service {number} limits\ndescription: how service {number} throttles\n\
             type: project\n---\n\nAt most {number} requests in a second.\n"
        );
        fs::write(memory.join(format!("s{number}.md")), text).unwrap();
    }
    let Some(screen) = browse(&repo, &[]) else {
        return;
    };
    screen.wait_for("reading memories");
    screen.wait_until("all", |shown| {
        shown
            .lines()
            .next()
            .is_some_and(|line| line.ends_with("10003"))
    });
    screen.press(&["G"]);
    screen.press(&["g", "/"]);
    screen.type_text("Service 9876");
    let shown = screen.wait_until("found", |shown| {
        selected(shown).contains("Service 9876 limits")
    });
    assert!(shown.contains("of 10003"), "{shown}");
    screen.wait_for("At most 9876 requests in a second.");
}

#[test]
fn the_terminal_is_as_it_was_whatever_ends_the_browser() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save_three(&repo);
    let start = || {
        let script = r#""$0" "$@"; echo "after $?"; stty -a | grep -o -e '-\?icanon'"#;
        repo.invoke(["browse"])
            .through_shell(script)
            .on_screen(80, 24)
    };
    let Some(screen) = start() else {
        return;
    };
    screen.wait_for("Green tea");
    screen.press(&["C-c"]);
    screen.exit_code();
    let shown = screen.scrolled();
    assert!(
        shown.contains("after 0\nicanon") && !shown.contains("Green tea"),
        "{shown}"
    );
    for (signal, code) in [("-TERM", 0), ("-HUP", 129), ("-INT", 0)] {
        let screen = start().unwrap();
        screen.wait_for("Green tea");
        let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", screen.process()));
        let browser = children.unwrap().trim().to_owned();
        let kill = Command::new("kill").args([signal, &browser]).status();
        assert!(kill.unwrap().success(), "{browser}");
        screen.exit_code();
        let shown = screen.scrolled();
        assert!(
            shown.contains(&format!("after {code}\nicanon")),
            "{signal}: {shown}"
        );
    }
}

#[test]
fn a_terminal_that_goes_away_ends_it() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save_three(&repo);
    let Some(screen) = repo.invoke(["browse"]).on_screen(80, 24) else {
        return;
    };
    screen.wait_for("Green tea");
    let process = screen.process();
    drop(screen);
    let status = format!("/proc/{process}/stat");
    // What nobody waited for stays as a zombie where the first process does not.
    let is_there = || fs::read_to_string(&status).is_ok_and(|stat| !stat.contains(") Z "));
    let begun = Instant::now();
    while is_there() {
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "the browser stays"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}
