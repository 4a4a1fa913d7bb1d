//! A database that something else copied: no name of a state ever means two.

use std::fs;

use mem_server::storage::GroupWrite;

use super::fixture::{Fixture, body, put, repo, write};

#[test]
fn a_restart_keeps_the_names_of_states_and_a_copy_does_not() {
    let fixture = Fixture::sqlite();
    let data = fixture.folder().join("data");
    let restart = || {
        let database = fixture.open();
        let state = fixture.runtime.block_on(database.state(&repo())).unwrap();
        (database, state)
    };
    let database = fixture.open();
    let first = fixture
        .runtime
        .block_on(put(&database, body([("a", "1")])))
        .0;
    fixture.runtime.block_on(database.close());
    let earlier = fs::read(data.join("mem.sqlite")).unwrap();
    let (database, state) = restart();
    assert_eq!(state, first);
    let second = fixture
        .runtime
        .block_on(put(&database, body([("a", "2")])))
        .0;
    fixture.runtime.block_on(database.close());
    // An earlier one, into the same file.
    fs::OpenOptions::new()
        .write(true)
        .truncate(true)
        .open(data.join("mem.sqlite"))
        .unwrap();
    overwrite(&data.join("mem.sqlite"), &earlier);
    let (database, third) = restart();
    assert!(third != first && third != second);
    fixture.runtime.block_on(async {
        let old = write(&database, body([("a", "3")]), Some(&second)).await;
        assert!(matches!(old.unwrap(), GroupWrite::Raced { .. }));
        database.close().await;
    });
    let (database, state) = restart();
    assert_eq!(state, third, "once is enough");
    fixture.runtime.block_on(database.close());
    // The whole directory, elsewhere and back: the bytes are the same, the files are others.
    let names = ["mem.sqlite", "mem.lock"];
    let kept = names.map(|name| fs::read(data.join(name)).unwrap());
    let aside = fs::File::open(data.join("mem.sqlite")).unwrap();
    fs::remove_dir_all(&data).unwrap();
    fs::create_dir(&data).unwrap();
    for (name, bytes) in names.iter().zip(&kept) {
        overwrite(&data.join(name), bytes);
    }
    drop(aside);
    let (_, state) = restart();
    assert_ne!(state, third);
}

/// As `cp` does onto a file that is there.
fn overwrite(file: &std::path::Path, bytes: &[u8]) {
    use std::io::Write as _;
    let mut file = fs::File::create(file).unwrap();
    file.write_all(bytes).unwrap();
}
