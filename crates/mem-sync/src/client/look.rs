//! What the remote is now: one conditional request, and contents only of what is needed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Direction, Local, RoundReport, SyncClient, Texts, Trouble};
use crate::base::{KeyView, RemoteView, SyncStateStorage};
use crate::decide::KnownKey;
use crate::files::SyncFiles;
use crate::key::EntryKey;
use crate::limits::{ASKED_KEYS_BYTES_MAX, ASKED_KEYS_MAX};
use crate::remote::{Arrivals, Fetched, Remote, RemoteError, StateQuery};
use crate::screen::Screen;
use crate::wire::{ETag, RejectedKey, StateAnswer};

/// Takes the contents of a first look for a round that found these files: those that will be new files are foreseen at
/// once.
struct ArrivingContents<'c, F> {
    files: &'c mut F,
    local: &'c Local,
    /// What came.
    texts: Texts,
}

impl<'c, F: SyncFiles> ArrivingContents<'c, F> {
    fn new(files: &'c mut F, local: &'c Local) -> Self {
        let texts = Texts::new();
        Self {
            files,
            local,
            texts,
        }
    }
}

impl<F: SyncFiles> Arrivals for ArrivingContents<'_, F> {
    fn begin_answer(&mut self) {
        self.texts.clear();
    }

    fn receive_content(&mut self, name: &str, content: String) {
        // A name that is no key is rejected with the answer.
        let Ok(key) = EntryKey::parse(name) else {
            return;
        };
        let bytes = Arc::new(content.into_bytes());
        let local = self.local;
        let stands = local.binary_search_by(|(file, _)| file.as_str().cmp(key.as_str()));
        if stands.is_err() {
            self.files.foresee(&key, &bytes);
        }
        self.texts.insert(key, bytes);
    }
}

impl<R: Remote, F: SyncFiles, S: Screen, K: SyncStateStorage> SyncClient<R, F, S, K> {
    /// Brings the view up to date. The first look asks for the contents as well, where they are wanted:
    /// all of them are new.
    pub(super) fn look(
        &mut self,
        local: &Local,
        direction: Direction,
        report: &mut RoundReport,
    ) -> Result<Texts, Trouble> {
        let is_first = self.state.view.etag.is_none() && direction != Direction::Push;
        let mut query = StateQuery {
            hashes: !is_first,
            keys: BTreeSet::new(),
        };
        let mut arriving = ArrivingContents::new(&mut self.files, local);
        let etag = self.state.view.etag.as_ref();
        let mut found = self.remote.get_arriving(&query, etag, &mut arriving);
        let texts = arriving.texts;
        if is_first && found == Err(RemoteError::AnswerTooLarge) {
            query.hashes = true;
            found = self.remote.get_state(&query, None);
        }
        match found? {
            Fetched::NotModified => {
                report.not_modified = true;
                Ok(Texts::new())
            }
            Fetched::Found {
                etag,
                mut answer,
                mut rejected,
            } => {
                answer.resolve_clashes(&mut rejected, |key| self.weight(key, local));
                let (view, keys) = view(etag, answer);
                let mut forgotten = self.state.set_view(view, keys);
                let bad: BTreeSet<&str> = rejected.iter().map(|one| one.name.as_str()).collect();
                forgotten.entries.retain(|key| !bad.contains(key.as_str()));
                report.lost.extend(forgotten.entries);
                let deletions = forgotten.deletions;
                report.undeleted.extend(deletions.keys().cloned());
                self.state.deleting.extend(deletions);
                report.rejected.extend(rejected);
                Ok(texts)
            }
        }
    }

    /// How much speaks for a key of the remote that cannot stand beside another: what both ends have, or had, comes
    /// before what only this one has.
    fn weight(&self, key: &EntryKey, local: &Local) -> u8 {
        let stands = local.binary_search_by(|(name, _)| name.as_str().cmp(key.as_str()));
        match self.state.base(key) {
            Some(KnownKey::At(_)) => 2,
            _ => u8::from(stands.is_ok()),
        }
    }

    /// Adds the contents of some keys, as they were when they were looked at. What the remote does not give,
    /// or gives with a wrong checksum, is missing.
    pub(super) fn fetch(
        &mut self,
        keys: &BTreeSet<EntryKey>,
        texts: &mut Texts,
        report: &mut RoundReport,
    ) -> Result<(), Trouble> {
        let missing = keys.iter().filter(|key| !texts.contains_key(*key));
        let keys: BTreeSet<EntryKey> = missing.cloned().collect();
        // One request for everything is less than many for more than half of it, unless the answer is too large.
        if keys.len() > self.state.rows().count() / 2 && keys.len() > ASKED_KEYS_MAX {
            match self.fetch_some(BTreeSet::new(), &keys, texts, report) {
                Err(Trouble::Remote(RemoteError::AnswerTooLarge)) => {}
                whole => return whole,
            }
        }
        for portion in portions(&keys) {
            self.fetch_some(portion.clone(), &portion, texts, report)?;
        }
        Ok(())
    }

    /// Asks for some keys (all, where none is named) and keeps those that are wanted.
    fn fetch_some(
        &mut self,
        keys: BTreeSet<EntryKey>,
        wanted: &BTreeSet<EntryKey>,
        texts: &mut Texts,
        report: &mut RoundReport,
    ) -> Result<(), Trouble> {
        let found = self
            .remote
            .get_state(&StateQuery::of_contents(keys), None)?;
        let Fetched::Found {
            etag,
            answer,
            rejected,
        } = found
        else {
            let why = "304 to a request without a condition".to_owned();
            return Err(RemoteError::Nonsense(why).into());
        };
        // The contents have to be of the moment that was decided about. Mixing two moments would write a state that
        // never existed at the remote, such as an index without the memory it names.
        if self.state.view.etag.as_ref() != Some(&etag) {
            return Err(RemoteError::Raced { etag: Some(etag) }.into());
        }
        // What clashes with another entry was decided about when it was looked at.
        let mut rejected = rejected;
        rejected.retain(|one| is_of(one, wanted));
        rejected.retain(|one| !answer.clashing.keys().any(|key| key.as_str() == one.name));
        report.rejected.extend(rejected);
        for (key, entry) in answer.entries.into_iter().chain(answer.clashing) {
            let is_it = self.state.remote_of(&key) == Some(KnownKey::At(entry.sha256));
            if let (true, true, Some(text)) = (is_it, wanted.contains(&key), entry.content) {
                texts.insert(key, Arc::new(text.into_bytes()));
            }
        }
        Ok(())
    }
}

/// Whether a key that was not taken is one of those.
fn is_of(one: &RejectedKey, keys: &BTreeSet<EntryKey>) -> bool {
    EntryKey::parse(&one.name).is_ok_and(|key| keys.contains(&key))
}

fn view(etag: ETag, answer: StateAnswer) -> (RemoteView, BTreeMap<EntryKey, KeyView>) {
    let entries = answer.entries.into_iter();
    let there =
        entries.map(|(key, one)| (key, KnownKey::At(one.sha256), one.actor, one.updated_at));
    let deleted = answer.deleted.into_iter();
    let gone =
        deleted.map(|(key, one)| (key, KnownKey::Gone(one.sha256), one.actor, one.updated_at));
    let keys = there.chain(gone).map(|(key, known, actor, updated_at)| {
        let seen = KeyView {
            known,
            actor,
            updated_at,
        };
        (key, seen)
    });
    let view = RemoteView {
        etag: Some(etag),
        version: answer.version,
    };
    (view, keys.collect())
}

/// As many keys as fit into one address, and so on.
pub fn portions(keys: &BTreeSet<EntryKey>) -> Vec<BTreeSet<EntryKey>> {
    let mut portions = Vec::new();
    let mut portion = BTreeSet::new();
    let mut bytes = 0;
    for key in keys {
        let more = key.as_str().len();
        let is_full = portion.len() == ASKED_KEYS_MAX || bytes + more > ASKED_KEYS_BYTES_MAX;
        if is_full && !portion.is_empty() {
            portions.push(std::mem::take(&mut portion));
            bytes = 0;
        }
        bytes += more;
        portion.insert(key.clone());
    }
    if !portion.is_empty() {
        portions.push(portion);
    }
    portions
}

#[cfg(test)]
mod tests {
    use mem_core::history::Sha256;

    use super::*;
    use crate::files::{BatchFile, FilesError};

    #[test]
    fn portions_fit_into_an_address() {
        let keys: BTreeSet<EntryKey> = (0..250)
            .map(|n| EntryKey::parse(&format!("{n}{}", "x".repeat(n))).unwrap())
            .collect();
        let portions = portions(&keys);
        for portion in &portions {
            let bytes: usize = portion.iter().map(|key| key.as_str().len()).sum();
            assert!(portion.len() <= ASKED_KEYS_MAX && bytes <= ASKED_KEYS_BYTES_MAX);
        }
        let all: BTreeSet<EntryKey> = portions.into_iter().flatten().collect();
        assert_eq!(all, keys);
    }

    /// What was foreseen.
    #[derive(Default)]
    struct Foreseen(Vec<String>);

    impl SyncFiles for Foreseen {
        fn list(&mut self) -> Result<Vec<(String, Sha256)>, FilesError> {
            Ok(Vec::new())
        }

        fn read(&mut self, _: &EntryKey) -> Result<Option<Vec<u8>>, FilesError> {
            Ok(None)
        }

        fn earlier(&mut self, _: &EntryKey, _: Sha256) -> Option<Vec<u8>> {
            None
        }

        fn foresee(&mut self, key: &EntryKey, _: &Arc<Vec<u8>>) {
            self.0.push(key.to_string());
        }

        fn apply(&mut self, _: &[BatchFile]) -> Result<BTreeSet<EntryKey>, FilesError> {
            Ok(BTreeSet::new())
        }
    }

    #[test]
    fn only_what_will_be_a_new_file_is_foreseen_and_another_answer_begins_anew() {
        let text = "text".to_owned();
        let sha256 = Sha256::digest(text.as_bytes());
        let local = [("b.md".to_owned(), sha256), ("d.md".to_owned(), sha256)];
        let mut files = Foreseen::default();
        let mut arriving = ArrivingContents::new(&mut files, &local);
        arriving.begin_answer();
        arriving.receive_content("e.md", text.clone());
        arriving.begin_answer();
        for name in ["a.md", "b.md", "../c.md", "d.md"] {
            arriving.receive_content(name, text.clone());
        }
        let names: Vec<&str> = arriving.texts.keys().map(EntryKey::as_str).collect();
        assert_eq!(names, ["a.md", "b.md", "d.md"]);
        assert_eq!(files.0, ["e.md", "a.md"]);
    }
}
