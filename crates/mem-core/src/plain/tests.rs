//! What leads out, what stays in, and what is left after a failure.
use std::fs;
use std::path::Path;

use super::*;

fn names(path: &str) -> Vec<String> {
    path.split('/').map(str::to_owned).collect()
}

fn root(base: &Path) -> PlainRoot {
    PlainRoot::make(&base.join("memories")).unwrap()
}

#[test]
fn a_path_is_walked_to_what_stands_there() {
    let base = tempfile::tempdir().unwrap();
    let root = root(base.path());
    let spot = root.reach(&names("a/b.txt"), Links::Follow).unwrap();
    assert_eq!(
        (spot.kind, spot.path()),
        (SpotKind::Missing, "a/b.txt".to_owned())
    );
    root.create(&spot, b"hello").unwrap();
    let spot = root.reach(&names("a/./x/../b.txt"), Links::Follow).unwrap();
    assert_eq!((spot.kind, spot.bytes), (SpotKind::File, 5));
    assert_eq!(root.read(&spot, 100).unwrap(), b"hello");
    assert!(matches!(
        root.read(&spot, 4),
        Err(PlainError::TooLarge { .. })
    ));
    assert!(root.reach(&[], Links::Follow).unwrap().is_root());
    assert!(root.reach(&names("a/.."), Links::Follow).unwrap().is_root());
    for outside in ["..", "a/../..", "../memories/a"] {
        let error = root.reach(&names(outside), Links::Follow).unwrap_err();
        assert!(matches!(error, PlainError::Escapes(_)), "{outside}");
    }
    for below in ["a/b.txt/c", "a/b.txt/c/d/..", "a/b.txt/c/../d"] {
        let error = root.reach(&names(below), Links::Follow).unwrap_err();
        assert!(matches!(error, PlainError::NotAFolder(_)), "{below}");
    }
    for turned in ["a/b.txt/../b.txt", "a/b.txt/c/../../b.txt", "a/b.txt/c/.."] {
        let spot = root.reach(&names(turned), Links::Follow).unwrap();
        assert_eq!(
            (spot.kind, spot.path().as_str()),
            (SpotKind::File, "a/b.txt")
        );
    }
    let error = root.reach(&names("a/b.txt/../../.."), Links::Follow);
    assert!(matches!(error, Err(PlainError::Escapes(_))));
}

#[cfg(unix)]
#[test]
fn links_inside_are_followed_and_links_that_lead_out_are_not() {
    use std::os::unix::fs::symlink;
    let base = tempfile::tempdir().unwrap();
    let root = root(base.path());
    let file = root.reach(&names("in/f"), Links::Follow).unwrap();
    root.create(&file, b"x").unwrap();
    fs::create_dir(base.path().join("memories_backup")).unwrap();
    let at = |name: &str| root.path().join(name);
    symlink("in", at("relative")).unwrap();
    symlink(at("in"), at("absolute")).unwrap();
    symlink(base.path().join("memories_backup"), at("out")).unwrap();
    symlink("../memories_backup", at("up")).unwrap();
    symlink("self", at("self")).unwrap();
    symlink("nothing", at("dangling")).unwrap();
    for inside in ["relative/f", "absolute/f", "relative/../in/f"] {
        let spot = root.reach(&names(inside), Links::Follow).unwrap();
        assert_eq!(spot.path(), "in/f", "{inside}");
    }
    for outside in ["out", "out/f", "up/f"] {
        let error = root.reach(&names(outside), Links::Follow).unwrap_err();
        assert!(matches!(error, PlainError::Escapes(_)), "{outside}");
    }
    let circle = root.reach(&names("self"), Links::Follow).unwrap_err();
    assert!(matches!(circle, PlainError::Circle(_)));
    let kept = root.reach(&names("out"), Links::Keep).unwrap();
    assert_eq!(kept.kind, SpotKind::Link);
    let dangling = root.reach(&names("dangling"), Links::Follow).unwrap();
    assert_eq!(
        (dangling.kind, dangling.path()),
        (SpotKind::Missing, "nothing".to_owned())
    );
    let listing = DirListing {
        levels: 2,
        skips: &|_| false,
        order: str::cmp,
    };
    let items = root
        .list(&root.reach(&[], Links::Follow).unwrap(), &listing)
        .unwrap();
    let paths: Vec<&str> = items.iter().map(|item| item.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "absolute",
            "absolute/f",
            "in",
            "in/f",
            "relative",
            "relative/f"
        ]
    );
}

#[cfg(unix)]
#[test]
fn a_link_that_is_swapped_in_is_never_followed() {
    use std::os::unix::fs::symlink;
    let base = tempfile::tempdir().unwrap();
    let root = root(base.path());
    let outside = base.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("f"), "theirs").unwrap();
    let file = root.reach(&names("d/f"), Links::Follow).unwrap();
    root.create(&file, b"ours").unwrap();
    let spot = root.reach(&names("d/f"), Links::Follow).unwrap();
    let new = root.reach(&names("e/g"), Links::Follow).unwrap();
    // The checks are through; now others swap links in.
    fs::rename(root.path().join("d"), base.path().join("moved")).unwrap();
    symlink(&outside, root.path().join("d")).unwrap();
    symlink(&outside, root.path().join("e")).unwrap();
    root.replace(&spot, b"new").unwrap();
    assert!(root.create(&new, b"new").is_err());
    assert_eq!(fs::read_to_string(outside.join("f")).unwrap(), "theirs");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    fs::remove_file(base.path().join("moved/f")).unwrap();
    symlink(outside.join("f"), base.path().join("moved/f")).unwrap();
    assert!(matches!(root.read(&spot, 100), Err(PlainError::Link(_))));
}

#[test]
fn a_failed_move_leaves_no_folder() {
    let base = tempfile::tempdir().unwrap();
    let root = root(base.path());
    let missing = root.reach(&names("gone"), Links::Keep).unwrap();
    let to = root.reach(&names("new/deep/x"), Links::Keep).unwrap();
    assert!(matches!(
        root.rename(&missing, &to),
        Err(PlainError::Gone(_))
    ));
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
}

#[test]
fn what_is_put_aside_keeps_its_way_and_its_company() {
    let base = tempfile::tempdir().unwrap();
    let root = root(base.path());
    for text in ["one", "two"] {
        let spot = root.reach(&names("a/f.txt"), Links::Keep).unwrap();
        root.create(&spot, text.as_bytes()).unwrap();
        let spot = root.reach(&names("a/f.txt"), Links::Keep).unwrap();
        let place = root.put_aside(&spot, "expired/2026-01-01").unwrap();
        assert_eq!(fs::read_to_string(place).unwrap(), text);
    }
    assert_eq!(root.total_bytes(), 0);
}
