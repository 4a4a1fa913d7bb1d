//! The state machine: which keys and answers ask for what.

use std::path::PathBuf;

use super::super::data::{Memory, Problem, UndoPlan};
use super::{Dialog, Effect, Event, Key, State, View, Waiting};
use crate::answers::{Conflict, InboxEntry};

/// A private memory of type project.
pub(crate) fn memory(file: &str, title: &str, description: &str, text: &str) -> Memory {
    Memory {
        label: file.to_owned(),
        path: PathBuf::from("/m").join(file),
        title: title.to_owned(),
        description: description.to_owned(),
        kind: "project".to_owned(),
        scope: "private".to_owned(),
        tags: String::new(),
        expires: None,
        is_pinned: false,
        modified: "2026-01-01T00:00:00Z".parse().unwrap(),
        warnings: Vec::new(),
        text: text.to_owned(),
        words: text.to_lowercase(),
        verdict: None,
    }
}

/// A browser on 80x24 that has read these.
pub(crate) fn loaded(memories: Vec<Memory>) -> State {
    let mut state = State::new((80, 24), false, "2026-01-01T00:00:00Z".parse().unwrap());
    state.update(Event::Loaded(Ok(memories)));
    state
}

fn three() -> State {
    let texts = [
        ("a.md", "Release day"),
        ("b.md", "Deploy rule"),
        ("c.md", "Tea"),
    ];
    loaded(
        texts
            .map(|(file, title)| memory(file, title, "", "text"))
            .to_vec(),
    )
}

fn press(state: &mut State, keys: &[Key]) -> Vec<Effect> {
    keys.iter()
        .flat_map(|key| state.update(Event::Key(*key)))
        .collect()
}

fn type_text(state: &mut State, text: &str) -> Vec<Effect> {
    press(state, &text.chars().map(Key::Char).collect::<Vec<_>>())
}

fn selected(state: &State) -> &str {
    state.selected_memory().map_or("-", |memory| &memory.label)
}

fn refused() -> Problem {
    Problem {
        message: "no".into(),
        hint: Some("do".into()),
        kind: "refused".into(),
    }
}

/// The arguments of the only command that effects run.
fn command(effects: &[Effect]) -> Vec<&str> {
    match effects {
        [Effect::Run(action)] => action.arguments.iter().map(String::as_str).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_filter_narrows_as_it_is_typed_and_escape_clears_it() {
    let mut state = three();
    assert_eq!(selected(&state), "a.md");
    press(&mut state, &[Key::Char('/')]);
    let effects = type_text(&mut state, "dply");
    assert_eq!((state.shown.len(), selected(&state)), (1, "b.md"));
    assert!(
        effects.contains(&Effect::Verify("b.md".into())),
        "{effects:?}"
    );
    press(&mut state, &[Key::Enter]);
    assert!(!state.is_typing);
    press(&mut state, &[Key::Esc]);
    assert_eq!((state.shown.len(), state.query.as_str()), (3, ""));
    type_text(&mut state, "/a b");
    press(&mut state, &[Key::Ctrl('w')]);
    assert_eq!(state.query, "a ");
    press(&mut state, &[Key::Ctrl('u')]);
    assert_eq!(state.query, "");
}

#[test]
fn moving_stays_within_the_list_and_keeps_the_row_in_sight() {
    let many = (0..1_000)
        .map(|at| memory(&format!("{at}.md"), "T", "", "x"))
        .collect();
    let mut state = loaded(many);
    press(&mut state, &[Key::Up, Key::PageUp, Key::Home]);
    assert_eq!(state.cursor().selected, 0);
    press(&mut state, &[Key::End, Key::Down, Key::PageDown]);
    assert_eq!((state.cursor().selected, state.cursor().top), (999, 990));
    press(&mut state, &[Key::Char('k'), Key::PageUp]);
    assert_eq!(state.cursor().selected, 988);
    state.update(Event::Resized(80, 12));
    let cursor = state.cursor();
    assert!(
        cursor.top <= cursor.selected && cursor.selected < cursor.top + 4,
        "{cursor:?}"
    );
    state.update(Event::Loaded(Ok(Vec::new())));
    assert_eq!((state.cursor().selected, selected(&state)), (0, "-"));
}

#[test]
fn a_removal_asks_takes_a_reason_and_an_undo_goes_back_to_it() {
    let mut state = three();
    assert_eq!(press(&mut state, &[Key::Char('d'), Key::Esc]), []);
    assert!(state.dialog.is_none());
    press(&mut state, &[Key::Char('d')]);
    type_text(&mut state, "old");
    let effects = press(&mut state, &[Key::Enter]);
    assert_eq!(
        command(&effects),
        ["remove", "--reason", "old", "--", "a.md"]
    );
    // A second command waits for the first.
    press(&mut state, &[Key::Down, Key::Char('d')]);
    assert_eq!(press(&mut state, &[Key::Enter]), []);
    let Effect::Run(action) = effects[0].clone() else {
        panic!("{effects:?}")
    };
    let effects = state.update(Event::Changed(action, Ok(Some("chg_1".into()))));
    assert_eq!(effects, State::first_effects());
    let undo = Effect::PlanUndo {
        change: Some("chg_1".into()),
        is_global: false,
    };
    assert_eq!(press(&mut state, &[Key::Char('u')]), [undo]);
    let plan = UndoPlan {
        change: serde_json::from_str(
            r#"{"id":"chg_1","verb":"remove","actor":"person","name":null,"reason":null,
                "time":"2026-01-01T00:00:00Z"}"#,
        )
        .unwrap(),
        diff: "+text\n".repeat(40),
    };
    state.update(Event::UndoPlanned(false, Ok(Some(plan))));
    assert!(matches!(&state.dialog, Some(Dialog::Question { lines, .. }) if lines.len() < 20));
    let effects = press(&mut state, &[Key::Char('y')]);
    assert_eq!(command(&effects), ["undo", "chg_1"]);
}

#[test]
fn the_team_is_named_before_its_memory_goes_and_a_global_one_is_undone_as_such() {
    let mut team = memory("a.md", "A", "", "x");
    (team.label, team.scope) = ("team:a.md".into(), "team".into());
    let mut state = loaded(vec![team]);
    press(&mut state, &[Key::Char('d')]);
    let Some(Dialog::Question { lines, .. }) = &state.dialog else {
        panic!()
    };
    assert!(
        lines
            .iter()
            .any(|line| line.plain().contains("for everybody")),
        "{lines:?}"
    );
    let effects = press(&mut state, &[Key::Enter]);
    assert_eq!(command(&effects), ["remove", "--yes", "--", "team:a.md"]);
    let mut global = memory("g.md", "G", "", "x");
    (global.label, global.scope) = ("global:g.md".into(), "global".into());
    let mut state = loaded(vec![global]);
    let undo = Effect::PlanUndo {
        change: None,
        is_global: true,
    };
    assert_eq!(press(&mut state, &[Key::Char('u')]), [undo]);
}

#[test]
fn a_refusal_is_shown_with_its_hint_and_changes_nothing() {
    let mut state = three();
    // Without a team nothing is asked.
    press(&mut state, &[Key::Char('s')]);
    assert!(state.dialog.is_none() && state.notice.take().is_some());
    state.waiting.has_team = true;
    press(&mut state, &[Key::Char('s')]);
    let effects = press(&mut state, &[Key::Char('y')]);
    assert_eq!(command(&effects), ["team", "share", "--", "a.md"]);
    let Effect::Run(action) = effects[0].clone() else {
        panic!()
    };
    state.update(Event::Changed(action, Err(refused())));
    assert!(matches!(&state.dialog, Some(Dialog::Problem(problem)) if *problem == refused()));
    assert!(state.busy.is_none());
    press(&mut state, &[Key::Char('x')]);
    assert!(state.dialog.is_none());
    // A list that cannot be read again keeps what there is.
    state.update(Event::Loaded(Err(refused())));
    assert_eq!(state.memories.len(), 3);
}

#[test]
fn a_pin_is_set_and_taken_out_without_a_question() {
    let mut state = three();
    let effects = press(&mut state, &[Key::Char('p')]);
    assert_eq!(command(&effects), ["edit", "--pin=true", "--", "a.md"]);
    let mut pinned = memory("a.md", "A", "", "x");
    pinned.is_pinned = true;
    let effects = press(&mut loaded(vec![pinned]), &[Key::Char('p')]);
    assert_eq!(command(&effects), ["edit", "--pin=false", "--", "a.md"]);
}

#[test]
fn ranking_takes_the_newest_answer_only() {
    let mut state = three();
    press(&mut state, &[Key::Tab]);
    assert!(state.is_typing && state.is_ranking);
    let effects = type_text(&mut state, "x");
    assert!(effects.contains(&Effect::Rank("x".into())), "{effects:?}");
    let ranks = |labels: &[&str]| {
        Ok(labels
            .iter()
            .map(|one| (*one).to_owned())
            .zip(0..)
            .collect())
    };
    state.update(Event::Ranked("old".into(), ranks(&["a.md"])));
    assert!(!state.is_ranked());
    state.update(Event::Ranked("x".into(), ranks(&["c.md", "a.md"])));
    assert_eq!(
        (state.shown.as_slice(), selected(&state)),
        ([2, 0].as_slice(), "c.md")
    );
    press(&mut state, &[Key::Tab]);
    assert!(!state.is_ranking);
}

#[test]
fn a_choice_ends_with_the_file_or_with_none() {
    let start = || {
        let mut state = State::new((80, 24), true, "2026-01-01T00:00:00Z".parse().unwrap());
        state.update(Event::Loaded(Ok(three().memories)));
        state
    };
    let mut state = start();
    type_text(&mut state, "tea");
    let chosen = Effect::Finish(Some(PathBuf::from("/m/c.md")));
    assert_eq!(press(&mut state, &[Key::Enter]), [chosen]);
    assert_eq!(press(&mut start(), &[Key::Esc]), [Effect::Finish(None)]);
    let mut state = start();
    type_text(&mut state, "zzz");
    assert_eq!(press(&mut state, &[Key::Enter]), [Effect::Finish(None)]);
    assert_eq!(
        press(&mut start(), &[Key::Ctrl('c')]),
        [Effect::Finish(None)]
    );
}

#[test]
fn inbox_and_conflicts_run_the_commands_that_decide() {
    let mut state = three();
    let entry: InboxEntry = serde_json::from_str(
        r#"{"id":"inb_1","time":"2026-01-01T00:00:00Z","verb":"save","reason":null,"actor":"agent",
            "name":null,"trust":"agent","files":[{"file":"a.md"},{"file":"MEMORY.md"}],"diff":"+x"}"#,
    )
    .unwrap();
    assert_eq!(entry.files_text(), "a.md");
    let conflict: Conflict = serde_json::from_str(
        r#"{"file":"b.md","base":null,"mine":"x","theirs":"y","diff":"","command":"team"}"#,
    )
    .unwrap();
    state.update(Event::Waiting(Ok(Waiting {
        inbox: vec![entry],
        conflicts: vec![conflict],
        has_team: true,
    })));
    press(&mut state, &[Key::Char('i')]);
    assert_eq!(state.view, View::Inbox);
    assert_eq!(press(&mut state, &[Key::Char('x'), Key::Char('n')]), []);
    let effects = press(&mut state, &[Key::Char('a')]);
    assert_eq!(command(&effects), ["inbox", "accept", "inb_1"]);
    let Effect::Run(action) = effects[0].clone() else {
        panic!()
    };
    state.update(Event::Changed(action, Ok(None)));
    let effects = press(&mut state, &[Key::Char('e')]);
    let [Effect::RunInTerminal(edit)] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    assert_eq!(edit.arguments, ["inbox", "edit", "--keep", "--", "inb_1"]);
    let effects = state.update(Event::TerminalBack(edit.clone(), Some(String::new())));
    assert_eq!(effects, State::first_effects());
    let unchanged = state.notice.as_deref();
    assert_eq!(unchanged, Some("nothing was changed: it still waits"));
    press(&mut state, &[Key::Esc, Key::Char('c')]);
    let effects = press(&mut state, &[Key::Char('t'), Key::Char('y')]);
    assert_eq!(
        command(&effects),
        ["team", "resolve", "--theirs", "--", "b.md"]
    );
}

#[test]
fn inbox_and_conflicts_are_read_when_they_are_opened_and_the_selection_stays() {
    let mut state = three();
    for key in ['i', 'c'] {
        let effects = press(&mut state, &[Key::Char(key)]);
        assert_eq!(effects, [Effect::LoadWaiting], "{key}");
        press(&mut state, &[Key::Esc]);
    }
    let waiting = |ids: &[&str]| {
        let entry = |id: &&str| {
            let json = format!(r#"{{"id":"{id}","files":[{{"file":"{id}.md"}}]}}"#);
            serde_json::from_str::<InboxEntry>(&json).unwrap()
        };
        Event::Waiting(Ok(Waiting {
            inbox: ids.iter().map(entry).collect(),
            ..Waiting::default()
        }))
    };
    state.update(waiting(&["inb_2", "inb_1"]));
    press(&mut state, &[Key::Char('i'), Key::Down]);
    // Memories that are read meanwhile leave its pane where it is.
    state.waiting.inbox[1].diff = "+line\n".repeat(90);
    press(&mut state, &[Key::Ctrl('d')]);
    let scroll = state.scroll;
    state.update(Event::Loaded(Ok(Vec::new())));
    assert!(scroll > 0 && state.scroll == scroll);
    // One that comes meanwhile is not the one that is accepted.
    state.update(waiting(&["inb_3", "inb_2", "inb_1"]));
    let effects = press(&mut state, &[Key::Char('a')]);
    assert_eq!(command(&effects), ["inbox", "accept", "inb_1"]);
}

#[test]
fn a_memory_gets_another_title_and_an_empty_one_changes_nothing() {
    let mut state = three();
    press(&mut state, &[Key::Char('R'), Key::Ctrl('u')]);
    assert_eq!(press(&mut state, &[Key::Enter]), []);
    assert!(
        state
            .notice
            .take()
            .is_some_and(|said| said.contains("not empty"))
    );
    press(&mut state, &[Key::Char('R')]);
    type_text(&mut state, " two");
    let effects = press(&mut state, &[Key::Enter]);
    let words = ["rename", "--", "a.md", "Release day two"];
    assert_eq!(command(&effects), words);
}

#[test]
fn escape_ends_the_ranking_with_the_filter() {
    let mut state = three();
    press(&mut state, &[Key::Tab]);
    type_text(&mut state, "x");
    press(&mut state, &[Key::Esc, Key::Char('/')]);
    assert!(!state.is_ranking && state.query.is_empty());
}

#[test]
fn an_undo_after_an_edit_is_about_the_last_change_of_all() {
    let mut state = three();
    let Some(Effect::RunInTerminal(edit)) = press(&mut state, &[Key::Char('e')]).pop() else {
        panic!()
    };
    state.made.push((Some("chg_1".into()), false));
    state.update(Event::TerminalBack(edit, Some("edited a.md\n".into())));
    assert_eq!(state.notice.as_deref(), Some("saved `a.md`"));
    let undo = Effect::PlanUndo {
        change: None,
        is_global: false,
    };
    assert_eq!(
        press(&mut state, &[Key::Char('u')]),
        std::slice::from_ref(&undo)
    );
    // So is one after a new memory, of which the command says what it saved.
    (state.busy, state.made) = (None, vec![(Some("chg_1".into()), false)]);
    let Some(Effect::RunInTerminal(write)) = press(&mut state, &[Key::Char('n')]).pop() else {
        panic!()
    };
    state.update(Event::TerminalBack(
        write,
        Some("saved b.md (private)\n".into()),
    ));
    assert_eq!(state.notice.as_deref(), Some("saved b.md (private)"));
    assert_eq!(press(&mut state, &[Key::Char('u')]), [undo]);
}

#[test]
fn a_conflict_is_one_of_its_memory_alone() {
    let conflict = |command: &str| Conflict {
        command: command.into(),
        file: "a.md".into(),
        ..Conflict::default()
    };
    let (private, mut team) = (memory("a.md", "A", "", "x"), memory("a.md", "A", "", "x"));
    (team.label, team.scope) = ("team:a.md".into(), "team".into());
    let mut state = three();
    state.waiting.conflicts = vec![conflict("team")];
    assert!(state.has_conflict(&team) && !state.has_conflict(&private));
    state.waiting.conflicts = vec![conflict("sync")];
    assert!(state.has_conflict(&private) && !state.has_conflict(&team));
}

#[test]
fn history_reads_each_change_once_and_writes_a_version_back() {
    let mut state = three();
    let read = press(&mut state, &[Key::Char('h')]);
    assert_eq!(read, [Effect::ReadHistory("a.md".into())]);
    let version = |id: &str| {
        let json = format!(
            r#"{{"file":"a.md","operation":"modified","change":{{"id":"{id}","verb":"save",
                "actor":"person","name":null,"reason":null,"time":"2026-01-01T00:00:00Z"}}}}"#
        );
        serde_json::from_str(&json).unwrap()
    };
    let versions = vec![version("chg_2"), version("chg_1")];
    let effects = state.update(Event::HistoryRead("a.md".into(), Ok(versions)));
    let diff = |change: &str| Effect::ReadDiff {
        change: change.into(),
        is_global: false,
    };
    assert_eq!(effects, [diff("chg_2")]);
    state.update(Event::DiffRead("chg_2".into(), Ok("+x".into())));
    assert_eq!(press(&mut state, &[Key::Down]), [diff("chg_1")]);
    assert_eq!(press(&mut state, &[Key::Up]), []);
    let effects = press(&mut state, &[Key::Down, Key::Char('R'), Key::Char('y')]);
    assert_eq!(
        command(&effects[1..]),
        ["restore", "--rev", "chg_1", "--", "a.md"]
    );
    // An answer about another memory comes too late.
    press(&mut state, &[Key::Esc]);
    state.update(Event::HistoryRead("b.md".into(), Err(refused())));
    assert!(state.dialog.is_none() && state.view == View::Memories);
}

#[test]
fn what_is_pasted_is_text_and_no_keys() {
    let mut state = three();
    assert_eq!(state.update(Event::Pasted("d\nq".into())), []);
    assert!(state.dialog.is_none());
    press(&mut state, &[Key::Char('/')]);
    state.update(Event::Pasted("tea\u{1b}[2J\n".into()));
    assert_eq!(state.query, "tea[2J");
}
