//! No file of an encrypted database holds a word of its contents.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use mem_server::storage::{
    Database, DatabaseAddress, MasterSource, OpenOptions, StorageError, restore,
};
use mem_sync::remote::StateQuery;

use super::super::fixture::{Fixture, body, now, put, repo};
use super::{Keys, administer, open};

/// Strings that are looked for; each is in one content.
const KNOWN: usize = 10_000;
/// Entries of one write, and strings of one entry.
const ENTRIES: usize = 25;
const STRINGS: usize = 8;

/// Every one as long as the others.
fn known(number: usize) -> String {
    let spread = number.wrapping_mul(0x9E37_79B9) & 0xFFFF_FFFF;
    format!("remember <{spread:08x}>")
}

/// Writes the strings from one number to another, in entries that are sometimes changed again.
async fn write(database: &Database, numbers: std::ops::Range<usize>) {
    for start in numbers.step_by(ENTRIES * STRINGS) {
        let entries = (0..ENTRIES).map(|entry| {
            let first = start + entry * STRINGS;
            let strings = (first..first + STRINGS).map(known);
            let text = strings
                .collect::<Vec<_>>()
                .join(&"\nx".repeat(1 + entry * 20));
            (format!("note-{}.md", first / STRINGS % 600), text)
        });
        let entries: Vec<(String, String)> = entries.collect();
        let entries = entries
            .iter()
            .map(|(key, text)| (key.as_str(), text.as_str()));
        put(database, body(entries)).await;
    }
}

/// Which of the strings are in the files of a folder.
fn found_in(folder: &Path) -> HashSet<Vec<u8>> {
    let all: HashSet<Vec<u8>> = (0..KNOWN)
        .map(|number| known(number).into_bytes())
        .collect();
    assert_eq!(all.len(), KNOWN);
    let length = known(0).len();
    let mut found = HashSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        let likely = bytes
            .windows(length)
            .filter(|window| window[0] == b'r' && window[length - 1] == b'>');
        found.extend(
            likely
                .filter(|window| all.contains(*window))
                .map(<[u8]>::to_vec),
        );
    }
    found
}

#[test]
fn ten_thousand_known_strings_are_in_no_file_and_no_backup() {
    let fixture = Fixture::sqlite();
    let (keys, data) = (Keys::one(), fixture.folder().join("data"));
    let serving = open(&fixture, &keys).unwrap();
    fixture.runtime.block_on(write(&serving, 0..KNOWN / 2));
    assert!(
        found_in(&data).len() > KNOWN / 4,
        "the search finds what is there"
    );
    let beside = administer(&fixture, &keys);
    fixture.runtime.block_on(async {
        // While the server writes.
        let writer = tokio::spawn({
            let serving = serving.clone();
            async move { write(&serving, KNOWN / 2..KNOWN).await }
        });
        beside.encrypt().await.unwrap();
        writer.await.unwrap();
        // What the server wrote plain before it was switched over has been sealed with the rest.
        let status = serving.encryption().await.unwrap();
        assert_eq!(status.sealed, status.versions);
        let backups = fixture.folder().join("backups");
        fs::create_dir(&backups).unwrap();
        serving.backup(&backups.join("one.sqlite")).await.unwrap();
        assert_eq!(found_in(&data).len(), 0);
        assert_eq!(found_in(&backups).len(), 0);
        // All of them are there for whoever has the key; and in the files again without encryption.
        let (_, answer) = serving.read(&repo(), &StateQuery::default()).await.unwrap();
        let last = known(KNOWN - 1);
        let texts: Vec<String> = answer
            .entries
            .into_values()
            .filter_map(|one| one.content)
            .collect();
        assert!(texts.iter().any(|text| text.contains(&last)));
        serving.rotate().await.unwrap();
        assert_eq!(found_in(&data).len(), 0);
        serving.decrypt().await.unwrap();
        assert!(found_in(&data).len() > KNOWN / 2);
    });
}

#[test]
fn a_backup_is_worth_nothing_without_the_key_and_everything_with_it() {
    let fixture = Fixture::sqlite();
    let keys = Keys::one();
    let serving = open(&fixture, &keys).unwrap();
    let backup = fixture.folder().join("backup.sqlite");
    let elsewhere = fixture.folder().join("elsewhere");
    fixture.runtime.block_on(async {
        serving.encrypt().await.unwrap();
        put(&serving, body([("a.md", "alpha")])).await;
        serving.backup(&backup).await.unwrap();
        let without = restore(&elsewhere, &backup, false, MasterSource::none(), now()).await;
        assert!(
            matches!(without, Err(StorageError::Vault(_))),
            "{without:?}"
        );
        restore(&elsewhere, &backup, false, keys.source(), now())
            .await
            .unwrap();
        let place = DatabaseAddress::Directory(elsewhere.clone());
        let without = Database::open(&place, &OpenOptions::default()).await;
        let refused = without.unwrap_err().to_string();
        assert!(refused.contains("there is no master key"), "{refused}");
        let with = Database::open(&place, &keys.options()).await.unwrap();
        let (_, answer) = with.read(&repo(), &StateQuery::default()).await.unwrap();
        assert_eq!(
            answer
                .entries
                .into_values()
                .next()
                .unwrap()
                .content
                .unwrap(),
            "alpha"
        );
    });
}
