//! A plan as one change of a store: every file only as it was read, its line in the index with it.

use std::collections::HashSet;

use jiff::tz::TimeZone;
use mem_core::config::MemoryMode;
use mem_core::history::Sha256;
use mem_core::index::{self, Age, NewIndexEntry};
use mem_core::memory::ScopeDir;
use mem_core::notes::{ARCHIVE_FILE, INDEX_FILE, RETIRED_FOLDER, is_indexed};
use mem_core::store::{
    ChangeMetadata, LocalStore, StoreError, WriteGate, WriteOutcome, WriteTransaction,
};
use mem_core::topic::{Eol, FrontmatterForm, TopicFile, file_name_for, numbered, render};
use mem_core::{MemoryPath, Scope};

use super::check::DreamError;
use super::plan::{DistillPlan, PlannedFile, SupersededStatement, To};

/// So many numbered names are tried when a name is taken.
const NAMES_MAX: usize = 10_000;

/// Carries a plan out, whole or not at all. Returns the files whose lines went to the archive of the index, because it
/// was nearly full. In the mode `log` nobody else writes the index: every memory without a line gets one.
///
/// # Errors
/// A file is not what was read, a gate refuses, or the system does. Nothing is written then.
pub fn apply_plan(
    plan: &DistillPlan,
    store: &LocalStore,
    order: &ChangeMetadata,
    gate: &dyn WriteGate,
    mode: MemoryMode,
) -> Result<WriteOutcome<Vec<String>>, DreamError> {
    store.write(order, gate, |draft| {
        let mut making = Making {
            index: read(draft, INDEX_FILE)?,
            form: prevailing_form(draft),
            taken: draft.iter_files().map(lowercase_path).collect(),
            fresh: Vec::new(),
            order,
            draft,
        };
        // What goes makes room for what comes.
        let (gone, rest): (Vec<&PlannedFile>, Vec<&PlannedFile>) = plan
            .wishes
            .iter()
            .partition(|wish| matches!(wish.to, To::Archived));
        for wish in gone.into_iter().chain(rest) {
            making.apply_file(wish)?;
        }
        let fresh = std::mem::take(&mut making.fresh);
        making.point_to(&fresh)?;
        making.write_down(&plan.retired)?;
        if mode == MemoryMode::Log {
            making.point_to_all()?;
        }
        making.finish_index()
    })
}

const TIER: ScopeDir = ScopeDir(Scope::Private);

fn read(draft: &mut WriteTransaction<'_>, file: &str) -> Result<Vec<u8>, DreamError> {
    Ok(draft.read(&MemoryPath::parse(file)?)?.unwrap_or_default())
}

/// The form that most memories have.
fn prevailing_form(draft: &mut WriteTransaction<'_>) -> FrontmatterForm {
    let sample: Vec<MemoryPath> = note_paths(draft).into_iter().take(20).collect();
    let bytes = sample
        .iter()
        .filter_map(|path| draft.read(path).ok().flatten());
    FrontmatterForm::of_most(bytes.map(|bytes| TopicFile::parse(&bytes).form))
}

fn note_paths(draft: &WriteTransaction<'_>) -> Vec<MemoryPath> {
    let mut files = draft.files();
    files.retain(|path| TIER.note(path).is_some());
    files
}

/// A plan on its way into a draft.
struct Making<'m, 'd, 's> {
    draft: &'m mut WriteTransaction<'s>,
    order: &'d ChangeMetadata,
    form: FrontmatterForm,
    /// The index as it becomes: it is put back once, at the end.
    index: Vec<u8>,
    /// Names that a file has or had, in one case.
    taken: HashSet<String>,
    /// Memories that are new: they get their lines all at once.
    fresh: Vec<(MemoryPath, TopicFile)>,
}

fn lowercase_path(path: &MemoryPath) -> String {
    path.as_str().to_lowercase()
}

impl Making<'_, '_, '_> {
    fn apply_file(&mut self, wish: &PlannedFile) -> Result<(), DreamError> {
        let from = match &wish.from {
            Some((file, digest)) => Some(self.as_read(file, *digest)?),
            None => None,
        };
        match (&wish.to, from) {
            (To::New(new), _) => {
                let first = file_name_for(new.kind, &new.name, self.form)?;
                let path = self.free_path(&first)?;
                let bytes = render(new, self.form, Eol::Lf);
                let topic = TopicFile::parse(&bytes);
                self.draft.put(&path, bytes)?;
                self.fresh.push((path, topic));
            }
            (To::Changed { file, bytes }, Some(path)) => {
                let mut to = MemoryPath::parse(file)?;
                if to != path {
                    to = self.free_path(&to)?;
                    self.draft.rename(&path, &to)?;
                    self.remove_index_entry(&path)?;
                }
                self.draft.put_dated(&to, bytes.clone(), self.order.now.0)?;
                self.put_index_entry(&to, bytes);
            }
            (To::Archived, Some(path)) => {
                let kept = MemoryPath::parse(&format!("{RETIRED_FOLDER}/{}", path.file_name()))?;
                let kept = self.free_path(&kept)?;
                self.draft.rename(&path, &kept)?;
                self.remove_index_entry(&path)?;
            }
            (To::Changed { .. } | To::Archived, None) => {}
        }
        Ok(())
    }

    /// The path of a file that is still what was read.
    fn as_read(&mut self, file: &str, digest: Sha256) -> Result<MemoryPath, DreamError> {
        let path = MemoryPath::parse(file)?;
        let now = self.draft.read(&path)?;
        match now.is_some_and(|bytes| Sha256::digest(&bytes) == digest) {
            true => Ok(path),
            false => Err(DreamError::Changed(file.to_owned())),
        }
    }

    /// The name, or a numbered one where it is taken, in whatever case.
    fn free_path(&mut self, first: &MemoryPath) -> Result<MemoryPath, DreamError> {
        let mut path = first.clone();
        for number in 2..NAMES_MAX {
            if self.taken.insert(lowercase_path(&path)) {
                return Ok(path);
            }
            path = numbered(first, number)?;
        }
        Err(StoreError::Exists(first.clone()).into())
    }

    /// The line of a memory that was there, in step.
    fn put_index_entry(&mut self, path: &MemoryPath, bytes: &[u8]) {
        let topic = TopicFile::parse(bytes);
        self.index = index::put(&self.index, &NewIndexEntry::from_topic(path, &topic));
    }

    fn remove_index_entry(&mut self, path: &MemoryPath) -> Result<(), DreamError> {
        self.index = index::remove(&self.index, path);
        let archive = MemoryPath::parse(ARCHIVE_FILE)?;
        if let Some(old) = self.draft.read(&archive)? {
            self.draft.put(&archive, index::remove(&old, path))?;
        }
        Ok(())
    }

    /// Gives every memory a line that neither index nor archive names.
    fn point_to_all(&mut self) -> Result<(), DreamError> {
        let mut all = Vec::new();
        for path in note_paths(self.draft) {
            if is_indexed(&path, Scope::Private)
                && let Some(bytes) = self.draft.read(&path)?
            {
                all.push((path, TopicFile::parse(&bytes)));
            }
        }
        self.point_to(&all)
    }

    /// Gives memories a line that neither index nor archive names, all at once.
    fn point_to(&mut self, all: &[(MemoryPath, TopicFile)]) -> Result<(), DreamError> {
        let pointers: Vec<NewIndexEntry<'_>> = all
            .iter()
            .map(|(path, topic)| NewIndexEntry::from_topic(path, topic))
            .collect();
        let archive = read(self.draft, ARCHIVE_FILE)?;
        self.index = index::add_missing(&self.index, &archive, &pointers);
        Ok(())
    }

    /// Writes down what was retired, with what took its place.
    fn write_down(&mut self, retired: &[SupersededStatement]) -> Result<(), DreamError> {
        if retired.is_empty() {
            return Ok(());
        }
        let today = TimeZone::UTC.to_datetime(self.order.now.0).date();
        let month = today.strftime("%Y-%m").to_string();
        let path = MemoryPath::parse(&format!("{RETIRED_FOLDER}/{month}.md"))?;
        let old = self.draft.read(&path)?;
        let mut text = old.unwrap_or_else(|| format!("# Retired in {month}\n\n").into_bytes());
        for one in retired {
            text.extend_from_slice(history_line(one, &today.to_string()).as_bytes());
        }
        Ok(self.draft.put(&path, text)?)
    }

    /// Brings the index below its caps, and puts it back. Returns the files whose lines moved.
    fn finish_index(self) -> Result<Vec<String>, DreamError> {
        let archive_path = MemoryPath::parse(ARCHIVE_FILE)?;
        let archive = self.draft.read(&archive_path)?.unwrap_or_default();
        let size = index::size(&self.index);
        let mut ages = std::collections::HashMap::new();
        if size.is_over() || size.is_near() {
            for path in note_paths(self.draft) {
                let bytes = self.draft.read(&path)?.unwrap_or_default();
                let topic = TopicFile::parse(&bytes);
                let known = self
                    .draft
                    .catalog()
                    .get(&path)
                    .map(|entry| entry.content_time);
                let changed = topic.modified.or(known).or(Some(self.order.now.0));
                let pinned = topic.pinned;
                ages.insert(path.as_str().to_owned(), Age { changed, pinned });
            }
        }
        let gone = Age {
            changed: None,
            pinned: false,
        };
        let age = |file: &str| ages.get(file).copied().unwrap_or(gone);
        let fitted = index::fit(&self.index, &archive, &age);
        let index_path = MemoryPath::parse(INDEX_FILE)?;
        let old = self.draft.read(&index_path)?;
        if old.as_deref().unwrap_or_default() != fitted.index {
            self.draft.put(&index_path, fitted.index)?;
        }
        if !fitted.moved.is_empty() {
            self.draft.put(&archive_path, fitted.archive)?;
        }
        Ok(fitted.moved)
    }
}

/// `- 2026-03-02 x.md, updated: "old" (2026-01-05), now "new" (2026-03-02)`.
fn history_line(one: &SupersededStatement, today: &str) -> String {
    let why = match one.why {
        super::SupersededReason::Updated => "updated",
        super::SupersededReason::Contradicted => "contradicted",
        super::SupersededReason::Duplicate => "said twice",
        super::SupersededReason::Broken => "its code is gone",
    };
    let now = one.new.as_ref().map_or_else(String::new, |new| {
        format!(", now \"{}\" ({})", new.text, new.date)
    });
    let (file, old) = (&one.file, &one.old);
    format!(
        "- {today} {file}, {why}: \"{}\" ({}){now}\n",
        old.text, old.date
    )
}
