//! Links, devices, full and read-only disks, many writers.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use mem_core::store::StoreError;

use super::directory::directory;

#[test]
fn links_out_of_the_directory_are_refused_even_dangling_ones() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n")]);
    let outside = dir.dirs.state.join("outside.md");
    symlink(&outside, dir.root.join("dangling.md")).unwrap();
    symlink(&dir.dirs.state, dir.root.join("folder")).unwrap();
    for name in ["dangling.md", "folder/x.md"] {
        let error = dir.try_put(1, &[(name, "x\n")]).unwrap_err();
        assert!(matches!(error, StoreError::Symlink(_)), "{name}: {error}");
    }
    assert!(!outside.exists() && !dir.dirs.state.join("x.md").exists());
}

#[test]
fn folders_and_pipes_are_not_files() {
    let dir = directory();
    fs::create_dir_all(dir.root.join("folder.md")).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(dir.root.join("pipe.md"))
        .status()
        .unwrap();
    assert!(made.success());
    for name in ["folder.md", "pipe.md"] {
        let error = dir.try_put(1, &[(name, "x\n")]).unwrap_err();
        assert!(matches!(error, StoreError::NotAFile(_)), "{name}: {error}");
    }
}

#[test]
fn a_file_in_the_place_of_a_folder_is_an_error() {
    let dir = directory();
    dir.put(0, &[("team", "a file\n")]);
    assert!(dir.try_put(1, &[("team/a.md", "x\n")]).is_err());
    assert_eq!(dir.read("team"), "a file\n");
}

#[test]
fn sixteen_threads_lose_nothing() {
    let dir = directory();
    std::thread::scope(|scope| {
        for n in 0..16 {
            let dir = &dir;
            scope.spawn(move || dir.put(n, &[(&format!("n{n}.md"), "x\n")]));
        }
    });
    assert_eq!(dir.names().len(), 16);
    assert_eq!(dir.changes().len(), 16);
}

#[test]
fn odd_file_names_do_not_break_the_history() {
    let dir = directory();
    for name in [
        "git~1",
        "한글.md",
        "-rf.md",
        "a b.md",
        "HEAD",
        "x.lock",
        "%2e%2e.md",
        "a:b.md",
    ] {
        dir.put(0, &[(name, "x\n")]);
    }
    assert_eq!(dir.changes().len(), 8);
}

/// Root ignores permissions, so this test needs another user to mean anything.
#[test]
fn an_unreadable_file_is_passed_over_and_everything_else_goes_on() {
    let dir = directory();
    dir.put(0, &[("a.md", "one\n")]);
    let locked_file = dir.root.join("locked.md");
    fs::write(&locked_file, "x").unwrap();
    fs::set_permissions(&locked_file, fs::Permissions::from_mode(0o000)).unwrap();
    dir.put(1, &[("b.md", "two\n")]);
    assert_eq!(dir.read("b.md"), "two\n");
}
