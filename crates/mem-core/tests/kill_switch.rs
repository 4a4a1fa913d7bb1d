//! Every switch, alone and against the others.

use mem_core::location;

use crate::fixture::{Fixture, environment};

const OFF: &str = r#"{"autoMemoryEnabled": false}"#;
const ON: &str = r#"{"autoMemoryEnabled": true}"#;

/// Files to write, variables, and what must be named as having switched memory off.
type Case<'a> = (
    &'a [(&'a str, &'a str)],
    &'a [(&'a str, &'a str)],
    Option<&'a str>,
);

#[track_caller]
fn check(cases: &[Case<'_>]) {
    for (files, variables, want) in cases {
        let fixture = Fixture::new();
        let r = fixture.repository("r");
        for (file, content) in *files {
            fixture.file(file, content);
        }
        let place = location::open(&r, &fixture.dirs(), &environment(variables), &[]).unwrap();
        let found = place.location.disabled_by;
        assert_eq!(place.location.enabled, found.is_none());
        let agrees = match (want, &found) {
            (Some(want), Some(found)) => found.contains(want),
            (None, None) => true,
            _ => false,
        };
        assert!(
            agrees,
            "{files:?} {variables:?}: want {want:?}, found {found:?}"
        );
    }
}

#[test]
fn variables() {
    let disable = "CLAUDE_CODE_DISABLE_AUTO_MEMORY";
    check(&[
        (&[], &[], None),
        (&[], &[(disable, "1")], Some(disable)),
        (&[], &[(disable, "true")], Some(disable)),
        (&[], &[(disable, "0")], None),
        (&[], &[(disable, "")], None),
        (
            &[],
            &[("CLAUDE_CODE_SIMPLE", "1")],
            Some("CLAUDE_CODE_SIMPLE"),
        ),
        (&[], &[("CLAUDE_CODE_SIMPLE", "0")], None),
        (
            &[],
            &[("CLAUDE_CODE_SAFE_MODE", "1")],
            Some("CLAUDE_CODE_SAFE_MODE"),
        ),
        (
            &[],
            &[("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "1")],
            Some("CLAUDE_CODE_DISABLE_CLAUDE_MDS"),
        ),
        (&[], &[("MEM_DISABLE", "1")], Some("MEM_DISABLE")),
        // `0` forces the host's switches on, not mem's own.
        (&[], &[(disable, "0"), ("CLAUDE_CODE_SIMPLE", "1")], None),
        (&[], &[(disable, "0"), ("CLAUDE_CODE_SAFE_MODE", "1")], None),
        (
            &[("home/.claude/settings.json", OFF)],
            &[(disable, "0")],
            None,
        ),
        (
            &[],
            &[(disable, "0"), ("MEM_DISABLE", "1")],
            Some("MEM_DISABLE"),
        ),
        (
            &[],
            &[("MEM_MEMORY_ENABLED", "false")],
            Some("MEM_MEMORY_ENABLED"),
        ),
        (
            &[],
            &[(disable, "0"), ("MEM_MEMORY_ENABLED", "false")],
            Some("MEM_MEMORY_ENABLED"),
        ),
    ]);
}

#[test]
fn settings_of_the_host() {
    let user = "home/.claude/settings.json";
    let project = "r/.claude/settings.json";
    let local = "r/.claude/settings.local.json";
    let managed = "managed/managed-settings.json";
    check(&[
        (&[(user, OFF)], &[], Some("home/.claude/settings.json")),
        (&[(project, OFF)], &[], Some("r/.claude/settings.json")),
        (&[(local, OFF)], &[], Some("settings.local.json")),
        (&[(managed, OFF)], &[], Some("managed-settings.json")),
        (
            &[(user, ON), (project, OFF)],
            &[],
            Some("r/.claude/settings.json"),
        ),
        (
            &[(user, OFF), (project, ON)],
            &[],
            Some("home/.claude/settings.json"),
        ),
        (&[(user, OFF), (local, ON)], &[], None),
        (&[(managed, ON), (user, OFF), (project, OFF)], &[], None),
        (
            &[(managed, OFF), (local, ON)],
            &[],
            Some("managed-settings.json"),
        ),
        (&[(user, r#"{"autoMemoryEnabled": "false"}"#)], &[], None),
    ]);
}

#[test]
fn a_tracked_local_file_cannot_switch_on() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    fixture.file("home/.claude/settings.json", OFF);
    fixture.file("r/.claude/settings.local.json", ON);
    let enabled = || {
        let place = location::open(&r, &fixture.dirs(), &environment(&[]), &[]).unwrap();
        place.location.enabled
    };
    assert!(enabled());
    fixture.git(&r, &["add", "-f", ".claude"]);
    assert!(!enabled());
}

#[test]
fn mems_own_setting() {
    let own = "home/.config/mem/config.toml";
    let on = "memory.enabled = true\n";
    let off = "[memory]\nenabled = false\n";
    let user = "home/.claude/settings.json";
    let managed = "managed/managed-settings.json";
    check(&[
        (&[(own, off)], &[], Some("config.toml:2")),
        (&[(own, on), (user, OFF)], &[], None),
        (&[(own, on), (managed, OFF)], &[], None),
        (
            &[(own, on)],
            &[("CLAUDE_CODE_SIMPLE", "1")],
            Some("CLAUDE_CODE_SIMPLE"),
        ),
        (&[(own, on)], &[("MEM_DISABLE", "1")], Some("MEM_DISABLE")),
        (
            &[(own, on)],
            &[("MEM_MEMORY_ENABLED", "0")],
            Some("MEM_MEMORY_ENABLED"),
        ),
    ]);
}

#[test]
fn the_host_loads_the_index_where_its_own_memory_is_on_and_in_the_same_directory() {
    let user = "home/.claude/settings.json";
    let is_loaded = |files: &[(&str, &str)], variables: &[(&str, &str)]| {
        let fixture = Fixture::new();
        let r = fixture.repository("r");
        for (file, content) in files {
            fixture.file(file, content);
        }
        let place = location::open(&r, &fixture.dirs(), &environment(variables), &[]).unwrap();
        place.location.is_loaded_by_host
    };
    assert!(is_loaded(&[], &[]));
    assert!(is_loaded(&[], &[("MEM_DISABLE", "1")]));
    assert!(!is_loaded(
        &[(user, OFF)],
        &[("MEM_MEMORY_ENABLED", "true")]
    ));
    assert!(is_loaded(
        &[(user, OFF)],
        &[("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "0")]
    ));
    assert!(!is_loaded(&[], &[("CLAUDE_CODE_SIMPLE", "1")]));
    assert!(!is_loaded(&[], &[("MEM_DIR", "/somewhere/else")]));
}
