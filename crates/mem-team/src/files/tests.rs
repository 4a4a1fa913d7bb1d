//! A tier over a real store, between two machines and a remote in memory.

use std::fs;
use std::path::{Path, PathBuf};

use mem_core::history::AuthorKind;
use mem_core::store::{GateRefusal, GatedFile, Tiers};
use mem_core::{Dirs, Scope};
use mem_secrets::{InputOrigin, Scanner};
use mem_sync::base::{StateFile, SyncState};
use mem_sync::client::{Direction, RoundReport, SyncClient};
use mem_sync::outbound_scan::{Leak, OutboundScan, OutboundScanError};
use mem_sync::remote::{Fetched, InMemory, PutOutcome, Remote, RemoteError, StateQuery};
use mem_sync::wire::{ETag, PutBody};

use super::*;

type Machine = SyncClient<InMemory, StoreFiles, Open, StateFile>;

/// Everything may leave.
struct Open;

impl OutboundScan for Open {
    fn find_leaks(&self, _: &EntryKey, _: &str) -> Result<Vec<Leak>, OutboundScanError> {
        Ok(Vec::new())
    }
}

/// No secret may come in.
#[derive(Debug)]
struct NoSecrets;

impl WriteGate for NoSecrets {
    fn check(&self, proposal: &GatedFile<'_>) -> Result<Vec<String>, GateRefusal> {
        let found = Scanner::new().scan(proposal.bytes, &InputOrigin::unknown());
        match found.is_empty() {
            true => Ok(Vec::new()),
            false => Err(GateRefusal {
                code: "secret",
                message: "it holds a secret".to_owned(),
                hint: None,
            }),
        }
    }
}

/// A home with a memory of its own.
struct Home {
    _folder: tempfile::TempDir,
    root: PathBuf,
    client: Machine,
}

impl Home {
    fn new(remote: &InMemory, name: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let dirs = Dirs {
            home: Some(root.clone()),
            base: root.join("base"),
            config: root.join("config"),
            state: root.join("state"),
            cache: root.join("cache"),
            managed: root.join("managed"),
            seals: mem_core::sealing::StateKeys::default(),
        };
        let store = LocalStore::new(&root.join("memory"), Tiers::Project, &dirs);
        let now = Now("2026-01-01T00:00:00Z".parse().unwrap());
        let files = StoreFiles::new(store, ScopeDir(Scope::Team), Arc::new(NoSecrets), now);
        let client = SyncClient::new(
            remote.for_actor(name),
            files,
            Open,
            StateFile::at(root.join("state/team.state")),
            SyncState::default(),
        );
        Self {
            _folder: folder,
            root,
            client,
        }
    }

    fn team(&self) -> PathBuf {
        self.root.join("memory/team")
    }

    fn put(&self, file: &str, text: &str) {
        let path = self.team().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        mem_core::atomic::replace_file(&path, text.as_bytes()).unwrap();
    }

    fn get(&self, file: &str) -> Option<String> {
        fs::read_to_string(self.team().join(file)).ok()
    }

    fn sync(&mut self) -> RoundReport {
        self.client.files.refused.clear();
        self.client.round(Direction::Both).unwrap()
    }
}

fn two() -> (Home, Home) {
    let remote = InMemory::default();
    (Home::new(&remote, "ann"), Home::new(&remote, "ben"))
}

#[test]
fn a_note_travels_with_its_author_and_a_local_deletion_does_not() {
    let (mut a, mut b) = two();
    a.put("x.md", "one\n");
    a.put("MEMORY.md", "- [X](x.md)\n");
    assert_eq!(a.sync().pushed.len(), 2);
    b.put("MEMORY.md", "- [Y](y.md)\n");
    let report = b.sync();
    assert!(
        report.taken.len() == 1 && report.merged.len() == 1,
        "{report:?}"
    );
    assert_eq!(b.get("MEMORY.md").unwrap(), "- [Y](y.md)\n- [X](x.md)\n");
    let history = b.client.files.history().unwrap();
    let newest = history.own_entries().next().unwrap().unwrap().change;
    assert_eq!(
        (newest.verb.as_str(), newest.author.actor),
        ("pull", AuthorKind::Team)
    );
    assert!(
        newest
            .versions
            .iter()
            .all(|version| version.by.as_deref() == Some("ann"))
    );
    assert_eq!(newest.versions.len(), 2);
    fs::remove_file(b.team().join("x.md")).unwrap();
    let report = b.sync();
    assert!(
        report.taken.len() == 1 && b.get("x.md").is_some(),
        "{report:?}"
    );
    fs::remove_file(b.team().join("x.md")).unwrap();
    let report = b.sync();
    assert!(report.not_modified && b.get("x.md").is_some(), "{report:?}");
}

#[test]
fn both_edits_stay_where_they_do_not_touch_and_the_other_gives_way_where_they_do() {
    let (mut a, mut b) = two();
    a.put("x.md", "1\n2\n3\n4\n5\n");
    a.sync();
    b.sync();
    a.put("x.md", "A\n2\n3\n4\n5\n");
    b.put("x.md", "1\n2\n3\n4\nB\n");
    a.sync();
    assert_eq!(b.sync().merged.len(), 1);
    a.sync();
    assert_eq!(a.get("x.md").unwrap(), "A\n2\n3\n4\nB\n");
    a.put("x.md", "a\n2\n3\n4\nB\n");
    b.put("x.md", "b\n2\n3\n4\nB\n");
    a.sync();
    assert_eq!(b.sync().conflicts.len(), 1);
    assert_eq!(b.get("x.md"), a.get("x.md"));
    let kept = &b.client.state().conflicts[0].local;
    assert_eq!(kept.as_bytes(), b"b\n2\n3\n4\nB\n");
}

#[test]
#[cfg(unix)]
fn a_key_that_cannot_be_written_here_holds_nothing_else_up() {
    use std::os::unix::fs::symlink;
    let (mut a, mut b) = two();
    for file in [
        "link/in.md",
        "dangling.md",
        "folder.md",
        "file/below.md",
        "secret.md",
        "fine.md",
    ] {
        a.put(file, "text of a\n");
    }
    a.put(
        "about.md",
        "---\nname: n\ndescription: d\ntype: user\n---\nme\n",
    );
    a.sync();
    let outside = b.root.join("outside");
    fs::create_dir_all(&outside).unwrap();
    b.put("file", "stands here\n");
    symlink(&outside, b.team().join("link")).unwrap();
    symlink(outside.join("nothing.md"), b.team().join("dangling.md")).unwrap();
    fs::create_dir_all(b.team().join("folder.md/sub")).unwrap();
    let report = b.sync();
    let refused: Vec<&str> = b.client.files.refused.keys().map(String::as_str).collect();
    let want = [
        "about.md",
        "dangling.md",
        "file/below.md",
        "folder.md",
        "link/in.md",
    ];
    assert_eq!(refused, want, "{report:?}");
    assert!(b.get("fine.md").is_some() && b.get("secret.md").is_some());
    assert!(
        is_empty(&outside),
        "something was written outside of the memory"
    );
    assert_eq!(b.sync().taken.len(), 0);
}

#[test]
fn a_file_that_becomes_a_folder_holds_nothing_else_up() {
    let (mut a, mut b) = two();
    a.put("notes", "one file\n");
    a.sync();
    b.sync();
    a.client
        .delete(&EntryKey::parse("notes").unwrap(), None)
        .unwrap();
    a.sync();
    a.put("notes/monday.md", "below it\n");
    a.put("other.md", "other\n");
    a.sync();
    let report = b.sync();
    assert_eq!(b.get("other.md").as_deref(), Some("other\n"), "{report:?}");
    b.sync();
    assert_eq!(b.get("notes/monday.md").as_deref(), Some("below it\n"));
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().next().is_none()
}

#[test]
fn names_in_another_form_of_unicode_are_one_key_and_their_files_stay_where_they_are() {
    let (mut a, mut b) = two();
    let (composed, apart) = ("caf\u{e9}.md", "cafe\u{301}.md");
    a.put(apart, "one\n");
    a.sync();
    b.sync();
    assert_eq!(b.get(composed).unwrap(), "one\n");
    b.put(composed, "two\n");
    b.sync();
    let report = a.sync();
    assert_eq!(report.taken.len(), 1, "{report:?}");
    assert_eq!(a.get(apart).unwrap(), "two\n");
    assert_eq!(fs::read_dir(a.team()).unwrap().count(), 1);
}

#[test]
fn a_deletion_for_everybody_reaches_unchanged_copies_and_shelves_changed_ones() {
    let (mut a, mut b) = two();
    a.put("x.md", "one\n");
    a.put("y.md", "one\n");
    a.sync();
    b.sync();
    for name in ["x.md", "y.md"] {
        assert!(
            a.client
                .delete(&EntryKey::parse(name).unwrap(), None)
                .unwrap()
        );
    }
    assert_eq!(a.sync().deleted.len(), 2);
    assert!(a.get("x.md").is_none(), "one's own copy goes as well");
    b.put("y.md", "changed\n");
    let report = b.sync();
    assert!(
        report.removed.len() == 1 && report.conflicts.len() == 1,
        "{report:?}"
    );
    assert!(b.get("x.md").is_none() && b.get("y.md").is_none());
    // An old client still has it, and pushes it.
    b.put("x.md", "one\n");
    b.sync();
    assert!(
        b.get("x.md").is_none(),
        "the very content that was deleted came back"
    );
}

#[test]
fn what_is_listed_is_in_the_history_before_it_counts_as_sent() {
    let (mut a, _) = two();
    a.put("x.md", "one\n");
    let listed = a.client.files.list().unwrap();
    assert_eq!(listed, [("x.md".to_owned(), Sha256::digest(b"one\n"))]);
    let key = EntryKey::parse("x.md").unwrap();
    let earlier = a.client.files.earlier(&key, Sha256::digest(b"one\n"));
    assert_eq!(earlier.as_deref(), Some(&b"one\n"[..]));
    a.put("x.md", "two\n");
    assert_eq!(
        a.client.files.list().unwrap()[0].1,
        Sha256::digest(b"two\n")
    );
}

#[test]
fn what_a_first_look_brings_is_held_to_the_same_rules() {
    let (mut a, mut b) = two();
    let token = ["ghp_", "A1b2C3d4E5f6G7h8", "I9j0K1l2M3n4O5p6Q7r8"].concat();
    let text = |number: usize| match number {
        77 => format!("use {token} here\n"),
        _ => format!("note {number}\n"),
    };
    let entries = (0..150).map(|number| {
        let key = EntryKey::parse(&format!("part{}/n{number}.md", number % 3)).unwrap();
        (key, text(number))
    });
    let body = PutBody {
        entries: entries.collect(),
        ..PutBody::default()
    };
    // By somebody whose program does not look.
    a.client.remote.put_entries(&body, None).unwrap();
    b.put("part0/n3.md", "of b\n");
    let report = b.sync();
    assert_eq!(
        (report.taken.len(), report.conflicts.len()),
        (148, 1),
        "{report:?}"
    );
    let refused = &b.client.files.refused;
    assert_eq!(refused.keys().collect::<Vec<_>>(), ["part2/n77.md"]);
    assert!(
        refused
            .values()
            .all(|why| why.contains("secret") && !why.contains(&token))
    );
    assert_eq!(b.get("part2/n77.md"), None);
    let history = b.client.files.history().unwrap();
    let newest = history.own_entries().next().unwrap().unwrap();
    assert_eq!(newest.change.versions.len(), 149);
    for version in newest.change.versions {
        let kept = history
            .content(newest.sequence, &version.path)
            .unwrap()
            .unwrap();
        let stands = b.get(version.path.as_str().trim_start_matches("team/"));
        assert_eq!(Some(String::from_utf8(kept).unwrap()), stands);
        assert!(stands.is_some_and(|text| text.starts_with("note ")));
    }
}

/// A remote whose line breaks once, in the middle of its first answer.
struct Breaking(InMemory, bool);

impl Remote for Breaking {
    fn get_state(
        &mut self,
        query: &StateQuery,
        if_none_match: Option<&ETag>,
    ) -> Result<Fetched, RemoteError> {
        let fetched = self.0.get_state(query, if_none_match)?;
        match std::mem::take(&mut self.1) {
            true => Err(RemoteError::Unreachable("the line broke".to_owned())),
            false => Ok(fetched),
        }
    }

    fn put_entries(
        &mut self,
        body: &PutBody,
        if_match: Option<&ETag>,
    ) -> Result<PutOutcome, RemoteError> {
        self.0.put_entries(body, if_match)
    }
}

#[test]
fn an_answer_that_is_cut_off_leaves_nothing_and_the_next_brings_all() {
    let (mut a, b) = two();
    for number in 0..100 {
        a.put(&format!("part/n{number}.md"), &format!("note {number}\n"));
    }
    a.sync();
    let Home {
        _folder,
        root,
        client,
    } = b;
    let SyncClient {
        remote,
        files,
        screen,
        keep,
        ..
    } = client;
    let state = SyncState::default();
    let mut client = SyncClient::new(Breaking(remote, true), files, screen, keep, state);
    client.round(Direction::Both).unwrap_err();
    assert!(!root.join("memory").exists());
    assert!(client.files.history().is_none());
    let report = client.round(Direction::Both).unwrap();
    assert_eq!(report.taken.len(), 100, "{report:?}");
    let names = fs::read_dir(root.join("memory/team/part"))
        .unwrap()
        .flatten();
    let names = names.map(|entry| entry.file_name().into_string().unwrap());
    let (hidden, plain): (Vec<_>, Vec<_>) = names.partition(|name| name.starts_with('.'));
    assert_eq!((hidden.len(), plain.len()), (0, 100));
    let top = fs::read_dir(root.join("memory")).unwrap().flatten();
    assert_eq!(top.count(), 1, "temporary folders are left");
}
