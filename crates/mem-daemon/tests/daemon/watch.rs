//! What is written below a directory is noticed, and only that.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use mem_daemon::state_machine::ExitReason;

use super::fixture::{DaemonFixture, Did, write};

#[test]
fn a_team_file_is_sent_and_an_own_one_is_not() {
    let fixture = DaemonFixture::new();
    write(&fixture.memory().join("own.md"), "x");
    assert_eq!(fixture.next(), Did::Maintain);
    write(&fixture.memory().join("team/a.md"), "x");
    fixture.wait_for(&Did::Sync);
    write(&fixture.memory().join("team/deep.md"), "x");
    fixture.wait_for(&Did::Sync);
    assert_eq!(fixture.stop().unwrap(), ExitReason::Stopped);
}

#[test]
fn a_directory_that_is_new_is_watched_as_well() {
    let fixture = DaemonFixture::new();
    std::fs::create_dir(fixture.memory().join("team/topics")).unwrap();
    fixture.wait_for(&Did::Sync);
    write(&fixture.memory().join("team/topics/a.md"), "x");
    fixture.wait_for(&Did::Sync);
}

#[test]
fn its_own_writes_do_not_wake_it() {
    let target: Arc<Mutex<Option<PathBuf>>> = Arc::default();
    let seen = Arc::clone(&target);
    let fixture = DaemonFixture::writing(Box::new(move || {
        let path = seen.lock().unwrap().clone();
        path.into_iter()
            .inspect(|path| write(path, "from the remote"))
            .collect()
    }));
    let team = fixture.memory().join("team");
    *target.lock().unwrap() = Some(team.join("theirs.md"));
    write(&team.join("ours.md"), "x");
    fixture.wait_for(&Did::Sync);
    // What was written is maintained; the next synchronisation is that of the next change.
    fixture.wait_for(&Did::Maintain);
    *target.lock().unwrap() = None;
    write(&fixture.memory().join("own.md"), "x");
    fixture.wait_for(&Did::Maintain);
    assert!(!fixture.status().pending);
    let left: Vec<Did> = fixture.did.try_iter().collect();
    assert!(!left.contains(&Did::Sync), "{left:?}");
}

#[test]
fn a_directory_that_is_removed_and_made_again_is_watched_again() {
    let fixture = DaemonFixture::new();
    std::fs::remove_dir_all(fixture.memory()).unwrap();
    fixture.wait_for(&Did::Log(format!(
        "not there, and waited for: `{}`",
        fixture.memory().display()
    )));
    std::fs::create_dir_all(fixture.memory().join("team")).unwrap();
    fixture.wait_for(&Did::Log("the directories are watched again".to_owned()));
    fixture.wait_for(&Did::Sync);
    write(&fixture.memory().join("team/a.md"), "x");
    fixture.wait_for(&Did::Sync);
}

#[test]
fn a_directory_that_comes_later_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = DaemonFixture::at(folder, Box::new(Vec::new), false);
    fixture.wait_for(&Did::Log(format!(
        "not there, and waited for: `{}`",
        fixture.memory().display()
    )));
    std::fs::create_dir_all(fixture.memory().join("team")).unwrap();
    write(&fixture.memory().join("team/a.md"), "x");
    fixture.wait_for(&Did::Log("the directories are watched again".to_owned()));
    fixture.wait_for(&Did::Sync);
}

#[test]
fn a_repository_that_is_gone_ends_it() {
    let fixture = DaemonFixture::new();
    let folder = fixture.folder.path().to_owned();
    std::fs::remove_dir_all(folder).unwrap();
    assert_eq!(fixture.ended().unwrap(), ExitReason::Gone);
}

#[test]
fn a_repository_that_goes_during_a_job_ends_it() {
    let folder = tempfile::tempdir().unwrap();
    // It is not watched, and nothing is left to do: only a look after the job tells that it is gone.
    let fixture = DaemonFixture::maintaining(folder, Box::new(Vec::new), |repository| {
        std::fs::remove_dir_all(repository).unwrap();
    });
    assert_eq!(fixture.ended().unwrap(), ExitReason::Gone);
}
