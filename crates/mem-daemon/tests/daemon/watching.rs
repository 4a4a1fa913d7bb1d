//! What is written below a directory is noticed, and only that.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use mem_daemon::mind::ExitReason;

use super::house::{Did, House, write};

#[test]
fn a_team_file_is_sent_and_an_own_one_is_not() {
    let house = House::new();
    write(&house.memory().join("own.md"), "x");
    assert_eq!(house.next(), Did::Tend);
    write(&house.memory().join("team/a.md"), "x");
    house.wait_for(&Did::Sync);
    write(&house.memory().join("team/deep.md"), "x");
    house.wait_for(&Did::Sync);
    assert_eq!(house.stop().unwrap(), ExitReason::Stopped);
}

#[test]
fn a_directory_that_is_new_is_watched_as_well() {
    let house = House::new();
    std::fs::create_dir(house.memory().join("team/topics")).unwrap();
    house.wait_for(&Did::Sync);
    write(&house.memory().join("team/topics/a.md"), "x");
    house.wait_for(&Did::Sync);
}

#[test]
fn its_own_writes_do_not_wake_it() {
    let target: Arc<Mutex<Option<PathBuf>>> = Arc::default();
    let seen = Arc::clone(&target);
    let house = House::writing(Box::new(move || {
        let path = seen.lock().unwrap().clone();
        path.into_iter()
            .inspect(|path| write(path, "from the remote"))
            .collect()
    }));
    let team = house.memory().join("team");
    *target.lock().unwrap() = Some(team.join("theirs.md"));
    write(&team.join("ours.md"), "x");
    house.wait_for(&Did::Sync);
    // What was written is tended; the next synchronisation is that of the next change.
    house.wait_for(&Did::Tend);
    *target.lock().unwrap() = None;
    write(&house.memory().join("own.md"), "x");
    house.wait_for(&Did::Tend);
    assert!(!house.status().pending);
    let left: Vec<Did> = house.did.try_iter().collect();
    assert!(!left.contains(&Did::Sync), "{left:?}");
}

#[test]
fn a_directory_that_is_removed_and_made_again_is_watched_again() {
    let house = House::new();
    std::fs::remove_dir_all(house.memory()).unwrap();
    house.wait_for(&Did::Log(format!(
        "not there, and waited for: `{}`",
        house.memory().display()
    )));
    std::fs::create_dir_all(house.memory().join("team")).unwrap();
    house.wait_for(&Did::Log("the directories are watched again".to_owned()));
    house.wait_for(&Did::Sync);
    write(&house.memory().join("team/a.md"), "x");
    house.wait_for(&Did::Sync);
}

#[test]
fn a_directory_that_comes_later_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::at(folder, Box::new(Vec::new), false);
    house.wait_for(&Did::Log(format!(
        "not there, and waited for: `{}`",
        house.memory().display()
    )));
    std::fs::create_dir_all(house.memory().join("team")).unwrap();
    write(&house.memory().join("team/a.md"), "x");
    house.wait_for(&Did::Log("the directories are watched again".to_owned()));
    house.wait_for(&Did::Sync);
}

#[test]
fn a_repository_that_is_gone_ends_it() {
    let house = House::new();
    let folder = house.folder.path().to_owned();
    std::fs::remove_dir_all(folder).unwrap();
    assert_eq!(house.ended().unwrap(), ExitReason::Gone);
}

#[test]
fn a_repository_that_goes_during_a_job_ends_it() {
    let folder = tempfile::tempdir().unwrap();
    // It is not watched, and nothing is left to do: only a look after the job tells that it is gone.
    let house = House::tending(folder, Box::new(Vec::new), |repository| {
        std::fs::remove_dir_all(repository).unwrap();
    });
    assert_eq!(house.ended().unwrap(), ExitReason::Gone);
}
