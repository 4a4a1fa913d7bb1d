//! A state as a file has it: what is rarely more than some bytes as JSON, then a line a key. Where only keys and
//! the moment of the remote changed, just these are added.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mem_core::appended_file::{AppendedFile, FileEnd};
use mem_core::history::Sha256;
use mem_core::sealing::{SealError, StateCipher};
use mem_core::sorted_lines::SortedLines;
use serde::Deserialize;

use super::{KeyView, RemoteView, SyncState};
use crate::decide::KnownKey;
use crate::key::EntryKey;
use crate::wire::ETag;

/// The first word of the file.
pub(super) const MAGIC: &str = "mem-sync-1";

/// What a first line begins with that is sealed. A plain one is JSON.
const SEALED: &str = "sealed ";
/// What it is sealed for, and what errors call it.
const BELONGING: [&str; 1] = ["sync state"];
const WHAT: &str = "what is remembered of a remote";

/// What stands in the file of a state, but for its rows.
#[derive(Clone, Debug, Default)]
pub(super) struct StateText {
    /// The first line; empty where nothing was saved.
    rest: String,
    /// The second line, or that of the last piece.
    moment: String,
}

/// A state as it was kept before: all of it as JSON.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Old {
    view: OldView,
    base: BTreeMap<EntryKey, KnownKey>,
    taking: BTreeMap<EntryKey, Sha256>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct OldView {
    etag: Option<ETag>,
    version: u64,
    keys: BTreeMap<EntryKey, KeyView>,
}

impl SyncState {
    /// Whether all of it stands in the file.
    pub fn is_saved(&self) -> bool {
        let is_same = self.rest() == self.saved.rest && self.moment() == self.saved.moment;
        self.rows.is_saved() && is_same
    }

    /// Notes that all of it stands in the file.
    pub fn mark_saved(&mut self) {
        self.saved = StateText {
            rest: self.rest(),
            moment: self.moment(),
        };
        self.rows.saved();
    }

    /// Everything but keys and moment. Serialising what has been read or made here cannot fail.
    fn rest(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    fn moment(&self) -> String {
        serde_json::to_string(&(&self.view, &self.taking)).unwrap_or_default()
    }

    /// All of it as text.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n{}\n", self.rest(), self.moment());
        self.rows.write_all(&mut text);
        text
    }

    /// What [`SyncState::text`] made, read again; `None` where it is not that.
    pub fn of_text(text: String) -> Option<Self> {
        let length = text.len();
        let (rest, moment) = first_lines(&text)?;
        let head = rest.len() + moment.len() + 2;
        let mut state = Self::of_first(rest, moment)?;
        state.rows = SortedLines::new(text, head..length);
        Some(state)
    }

    /// The first two lines.
    fn of_first(rest: &str, moment: &str) -> Option<Self> {
        let mut state: Self = serde_json::from_str(rest).ok()?;
        (state.view, state.taking) = serde_json::from_str(moment).ok()?;
        state.saved = StateText {
            rest: rest.to_owned(),
            moment: moment.to_owned(),
        };
        Some(state)
    }

    /// All of it as a file has it: the first line, in which texts stand that gave way, is sealed where the place
    /// wants that.
    pub(super) fn file_text(&self, seal: &StateCipher) -> Result<String, SealError> {
        let plain = self.rest();
        let rest = match seal.key()? {
            Some(key) => {
                let sealed = key.seal(plain.as_bytes(), &BELONGING)?;
                format!("{SEALED}{}", STANDARD.encode(&sealed))
            }
            None => plain,
        };
        let mut text = format!("{rest}\n{}\n", self.moment());
        self.rows.write_all(&mut text);
        Ok(text)
    }

    /// What a file holds; `None` where that makes no sense.
    ///
    /// # Errors
    /// It is sealed and cannot be opened.
    pub(super) fn of_file(
        grown: AppendedFile,
        seal: &StateCipher,
    ) -> Result<Option<(Self, FileEnd)>, SealError> {
        let Some((rest, moment)) = first_lines(grown.first()) else {
            return Ok(None);
        };
        let head = rest.len() + moment.len() + 2;
        let Some(rest) = opened(rest, seal)? else {
            return Ok(None);
        };
        let state = Self::of_first(&rest, moment);
        Ok(state.and_then(|state| state.with_rows(grown, head)))
    }

    /// The rows behind the first two lines, and what was added later.
    fn with_rows(self, grown: AppendedFile, head: usize) -> Option<(Self, FileEnd)> {
        let (mut state, end) = (self, grown.end());
        let pieces: Vec<String> = grown.pieces().map(str::to_owned).collect();
        let (text, first) = grown.into_text();
        state.rows = SortedLines::new(text, first.start + head..first.end);
        for piece in &pieces {
            let mut lines = piece.lines();
            let moment = lines.next()?;
            (state.view, state.taking) = serde_json::from_str(moment).ok()?;
            moment.clone_into(&mut state.saved.moment);
            lines.try_for_each(|line| state.rows.read_unsaved(line))?;
        }
        Some((state, end))
    }

    /// What is to be added to the file; `None` where it is to be written anew, because texts may have been
    /// taken out of it.
    pub(super) fn piece(&self) -> Option<String> {
        if self.rest() != self.saved.rest {
            return None;
        }
        let mut text = self.moment();
        text.push('\n');
        self.rows.write_unsaved(&mut text);
        Some(text)
    }

    /// What was kept as JSON.
    pub(super) fn of_json(bytes: &[u8]) -> serde_json::Result<Self> {
        let mut state: Self = serde_json::from_slice(bytes)?;
        let old: Old = serde_json::from_slice(bytes)?;
        state.taking = old.taking;
        let OldView {
            etag,
            version,
            keys,
        } = old.view;
        state.set_view(RemoteView { etag, version }, keys, false);
        for (key, base) in old.base {
            state.set_base(&key, Some(base));
        }
        Ok(state)
    }
}

/// The first two lines of a text.
fn first_lines(text: &str) -> Option<(&str, &str)> {
    let (rest, after) = text.split_once('\n')?;
    Some((rest, after.split_once('\n')?.0))
}

/// A first line as it is; `None` where that makes no sense.
fn opened<'l>(line: &'l str, seal: &StateCipher) -> Result<Option<Cow<'l, str>>, SealError> {
    let Some(text) = line.strip_prefix(SEALED) else {
        return Ok(Some(Cow::Borrowed(line)));
    };
    let Ok(sealed) = STANDARD.decode(text) else {
        return Ok(None);
    };
    let plain = seal.opened(sealed, &BELONGING, WHAT)?.into_owned();
    Ok(String::from_utf8(plain).ok().map(Cow::Owned))
}
