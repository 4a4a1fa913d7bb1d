//! Identifiers in old versions: the newest commit whose old side has one, and whose new side has
//! not, is the commit that removed it.

use git2::{Oid, Repository};

use super::declaration::declares_word;
use super::deltas::TreeDelta;
use super::walk::LostSymbol;
use crate::limits::{BLOB_BYTES_MAX, DECLARATION_FILES_MAX, WALK_BLOBS_MAX, WALK_BYTES_MAX};
use crate::scan::{Lexicon, Marks, SourceKind, SymbolPresence, is_text};

/// The search for missing identifiers.
pub(super) struct SymbolSearch<'l> {
    lexicon: &'l Lexicon,
    old: Marks,
    new: Marks,
    bytes: usize,
    blobs: usize,
    /// Per identifier, where it was seen; a removal is certain.
    pub(super) lost: Vec<Option<LostSymbol>>,
    open: usize,
}

impl<'l> SymbolSearch<'l> {
    pub(super) fn new(lexicon: &'l Lexicon) -> Self {
        let count = lexicon.groups_len();
        Self {
            lexicon,
            old: Marks::new(lexicon),
            new: Marks::new(lexicon),
            bytes: 0,
            blobs: 0,
            lost: vec![None; count],
            open: count,
        }
    }

    /// Whether every identifier is explained.
    pub(super) fn is_done(&self) -> bool {
        self.open == 0
    }

    /// Whether the search gave up.
    pub(super) fn is_spent(&self) -> bool {
        self.bytes >= WALK_BYTES_MAX || self.blobs >= WALK_BLOBS_MAX
    }

    /// Looks at one commit.
    pub(super) fn search_commit(
        &mut self,
        repository: &Repository,
        commit: usize,
        deltas: &[TreeDelta],
    ) {
        if self.is_done() || self.is_spent() {
            return;
        }
        let lexicon = self.lexicon;
        let mut places = Vec::new();
        self.old.clear();
        for (at, delta) in deltas.iter().enumerate() {
            let Some(id) = delta.old else { continue };
            if self.is_spent() {
                break;
            }
            self.blobs += 1;
            self.bytes += search_blob(repository, &delta.path, id, lexicon, &mut self.old);
            let news = self.old.take_news().into_iter();
            places.extend(news.map(|group| (group, at)));
        }
        // The old sides are searched first. Most commits hold none of the identifiers there, and their new sides are
        // not even read.
        places.retain(|&(group, _)| {
            self.lost[group]
                .as_ref()
                .is_none_or(|lost| !lost.is_removal)
        });
        if places.is_empty() {
            return;
        }
        self.new.clear();
        for delta in deltas {
            if let Some(id) = delta.new {
                self.bytes += search_blob(repository, &delta.path, id, lexicon, &mut self.new);
            }
        }
        for (group, at) in places {
            if self.is_declared(repository, group, deltas) {
                self.record_loss(group, commit, &deltas[at]);
            }
        }
    }

    /// Whether the commit's old side declares an identifier.
    fn is_declared(&mut self, repository: &Repository, group: usize, deltas: &[TreeDelta]) -> bool {
        let words: Vec<&str> = self.lexicon.group_words(group).collect();
        let Some((word, types)) = words.split_last() else {
            return false;
        };
        deltas.iter().take(DECLARATION_FILES_MAX).any(|delta| {
            let is_code = matches!(SourceKind::from_path(&delta.path), SourceKind::Code(_));
            let id = delta.old.filter(|_| is_code);
            let blob = id.and_then(|id| repository.find_blob(id).ok());
            let Some(blob) = blob.filter(|blob| blob.size() <= BLOB_BYTES_MAX) else {
                return false;
            };
            self.bytes += blob.size();
            let text = String::from_utf8_lossy(blob.content());
            types.iter().all(|holder| text.contains(holder))
                && declares_word(&delta.path, &text, word)
        })
    }

    fn record_loss(&mut self, group: usize, commit: usize, delta: &TreeDelta) {
        let is_removal = self.new.group_presence(group) != SymbolPresence::Live;
        let known = &mut self.lost[group];
        let is_news = known
            .as_ref()
            .is_none_or(|known| !known.is_removal && is_removal);
        if !is_news {
            return;
        }
        if is_removal {
            self.open -= 1;
        }
        *known = Some(LostSymbol {
            commit,
            path: delta.path.clone(),
            is_removal,
        });
    }
}

/// Searches a blob that is code; returns its size.
fn search_blob(
    repository: &Repository,
    path: &[u8],
    id: Oid,
    lexicon: &Lexicon,
    marks: &mut Marks,
) -> usize {
    let source = SourceKind::from_path(path);
    if !matches!(source, SourceKind::Code(_)) {
        return 0;
    }
    let Ok(blob) = repository.find_blob(id) else {
        return 0;
    };
    let content = blob.content();
    if content.len() <= BLOB_BYTES_MAX && is_text(content) {
        lexicon.mark_words(content, source, marks);
        marks.end_file(lexicon, 0);
    }
    content.len()
}
