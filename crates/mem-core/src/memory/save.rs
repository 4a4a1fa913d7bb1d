//! Saving a memory: topic file and index line in one change.

use super::ProjectMemory;
use super::error::MemoryError;
use super::name_collisions::find_collision;
use super::pointer;
use super::scope_dir::ScopeDir;
use crate::frontmatter::{self, Eol, FieldEdit};
use crate::history::{Change, NoteId};
use crate::notes::is_note;
use crate::store::{ChangeMetadata, WriteGate, WriteTransaction};
use crate::topic::{self, FrontmatterForm, NewTopic, TopicFile};
use crate::{MemoryPath, Scope};

/// So many files tell which form a directory uses.
const FORM_SAMPLE_FILES: usize = 20;
/// So many numbered names are tried when a name is taken.
pub(super) const NUMBERED_NAMES_MAX: usize = 1_000;

/// What to save, and where.
#[derive(Clone, Debug)]
pub struct SaveRequest {
    /// The memory.
    pub topic: NewTopic,
    /// The tier.
    pub scope: Scope,
    /// The file within the tier; chosen from type and name where it is not given.
    pub file: Option<String>,
    /// Whether an existing memory of this file or name is changed.
    pub update: bool,
    /// Whether the index gets its line (not where a daily log is kept instead).
    pub with_index: bool,
}

/// What was saved.
#[derive(Debug)]
pub struct SaveOutcome {
    /// Its id.
    pub id: NoteId,
    /// The file within its tier.
    pub file: String,
    /// The path within its store.
    pub path: MemoryPath,
    /// Whether the file is new.
    pub created: bool,
    /// The change; `None` where everything was there already.
    pub change: Option<Change>,
    /// What the gates had to say; another memory of the same title, an expiry that is past.
    pub warnings: Vec<String>,
}

impl ProjectMemory {
    /// Saves a memory.
    ///
    /// # Errors
    /// A field breaks its rules, the file exists and `update` is off, a gate refuses, or the
    /// system does. Nothing is written then.
    pub fn save(
        &self,
        request: &SaveRequest,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
    ) -> Result<SaveOutcome, MemoryError> {
        request.topic.validate()?;
        let tier = ScopeDir(request.scope);
        // Before anything is touched, and again in the plan.
        request
            .file
            .as_deref()
            .map(|file| topic_path(tier, file))
            .transpose()?;
        let written = self.store(request.scope).write(order, gate, |draft| {
            let form = form_of(draft, tier);
            let path = choose_file(draft, tier, request, form)?;
            let old = draft.read(&path)?;
            let bytes = match &old {
                Some(_) if !request.update => {
                    return Err(MemoryError::Exists {
                        path,
                        scope: request.scope,
                    });
                }
                Some(old) => updated(old, &request.topic, order)?,
                None => topic::render(&request.topic, form, Eol::Lf),
            };
            draft.put(&path, bytes)?;
            let topic = &request.topic;
            let file = pointer::set_for(draft, tier, &path, topic, request.with_index)?;
            let same = pointer::same_titles(draft, tier, &file, &topic.name)?;
            Ok((draft.note_id(&path), file, path, old.is_none(), same))
        })?;
        let (id, file, path, created, same) = written.value;
        let (change, mut warnings) = (written.change, written.warnings);
        warnings.extend(same);
        let expires = request.topic.expires;
        warnings.extend(expires.and_then(|expires| expires.past_warning(order.now.0)));
        Ok(SaveOutcome {
            id,
            file,
            path,
            created,
            change,
            warnings,
        })
    }
}

/// The file with what the update says. Where a host stamps `modified`, so does a change of ours: it
/// is what the note's age is told by.
fn updated(old: &[u8], new: &NewTopic, order: &ChangeMetadata) -> Result<Vec<u8>, MemoryError> {
    let changed = frontmatter::edit(old, &edits(new, old))?;
    let is_stamped = TopicFile::parse(old).modified.is_some();
    if !is_stamped || changed == old {
        return Ok(changed);
    }
    Ok(frontmatter::edit(
        &changed,
        &[FieldEdit::Modified(order.now.0)],
    )?)
}

/// The fields that an update sets in a file; what was not given stays.
fn edits(new: &NewTopic, old: &[u8]) -> Vec<FieldEdit> {
    let mut edits = vec![
        FieldEdit::Name(new.name.clone()),
        FieldEdit::Description(new.description.clone()),
        FieldEdit::Type(new.kind),
    ];
    if !new.tags.is_empty() {
        edits.push(FieldEdit::Tags(new.tags.clone()));
    }
    if !new.when.is_empty() {
        edits.push(FieldEdit::When(new.when.clone()));
    }
    edits.extend(new.importance.map(FieldEdit::Importance));
    edits.extend(new.expires.map(FieldEdit::Expires));
    edits.extend(new.category.clone().map(FieldEdit::Category));
    if new.pinned {
        edits.push(FieldEdit::Pinned(true));
    }
    edits.extend(new_body(new, old).map(FieldEdit::Body));
    edits
}

/// The body with the line endings of the file; `None` where there is none, or it says the same.
fn new_body(new: &NewTopic, old: &[u8]) -> Option<Vec<u8>> {
    let ending = if new.body.ends_with('\n') { "" } else { "\n" };
    let lines = format!("{}{ending}", new.body);
    let body = match Eol::from_bytes(old) {
        Eol::CrLf => lines.replace("\r\n", "\n").replace('\n', "\r\n"),
        Eol::Lf => lines,
    };
    let before = TopicFile::parse(old).text(old);
    let end = ['\r', '\n'];
    let is_new = before.trim_end_matches(end) != body.trim_end_matches(end);
    (is_new && !new.body.is_empty()).then(|| body.into_bytes())
}

/// The file that is meant: the one that was named, the one of that name, or a new one.
pub(super) fn choose_file(
    draft: &mut WriteTransaction<'_>,
    tier: ScopeDir,
    request: &SaveRequest,
    form: FrontmatterForm,
) -> Result<MemoryPath, MemoryError> {
    if let Some(file) = &request.file {
        let path = topic_path(tier, file)?;
        return match find_collision(draft, &path) {
            Some(existing) => Err(MemoryError::Twin { path, existing }),
            None => Ok(path),
        };
    }
    let first = topic::file_name_for(request.topic.kind, &request.topic.name, form)?;
    let first = tier.path(first.as_str())?;
    if request.update && draft.exists(&first) {
        return Ok(first);
    }
    if request.update
        && let Some(path) = by_name(draft, tier, &request.topic.name)?
    {
        return Ok(path);
    }
    free_name(draft, &first, request)
}

/// The plain name, or a numbered one where another memory has it. One of the very same name is
/// not evaded: that is what `--update` is for.
fn free_name(
    draft: &mut WriteTransaction<'_>,
    first: &MemoryPath,
    request: &SaveRequest,
) -> Result<MemoryPath, MemoryError> {
    let mut path = first.clone();
    for number in 2..NUMBERED_NAMES_MAX {
        let taken_as = find_collision(draft, &path).unwrap_or_else(|| path.clone());
        let Some(old) = draft.read(&taken_as)? else {
            return Ok(path);
        };
        if TopicFile::parse(&old).name.as_deref() == Some(request.topic.name.as_str()) {
            return Ok(taken_as);
        }
        path = topic::numbered(first, number)?;
    }
    Err(MemoryError::Exists {
        path: first.clone(),
        scope: request.scope,
    })
}

/// The path of a topic file that was named by hand.
pub(super) fn topic_path(tier: ScopeDir, file: &str) -> Result<MemoryPath, MemoryError> {
    let file = if file.ends_with(".md") {
        file.to_owned()
    } else {
        format!("{file}.md")
    };
    if !is_note(&MemoryPath::parse(&file)?, tier.0) {
        return Err(MemoryError::NotATopic(file));
    }
    Ok(tier.path(&file)?)
}

/// The memory whose name is exactly this.
fn by_name(
    draft: &mut WriteTransaction<'_>,
    tier: ScopeDir,
    name: &str,
) -> Result<Option<MemoryPath>, MemoryError> {
    for path in topics(draft, tier, usize::MAX) {
        let bytes = draft.read(&path)?.unwrap_or_default();
        if TopicFile::parse(&bytes).name.as_deref() == Some(name) {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// The form that the directory uses. A file that cannot be read has no say.
pub(crate) fn form_of(draft: &mut WriteTransaction<'_>, tier: ScopeDir) -> FrontmatterForm {
    let sample = topics(draft, tier, FORM_SAMPLE_FILES);
    let read = |path: &MemoryPath| draft.read(path).ok().flatten();
    let read = sample.iter().filter_map(read);
    FrontmatterForm::of_most(read.map(|bytes| TopicFile::parse(&bytes).form))
}

/// The topic files of a tier, so many at most.
fn topics(draft: &WriteTransaction<'_>, tier: ScopeDir, max: usize) -> Vec<MemoryPath> {
    let topics = draft.iter_files().filter(|path| tier.note(path).is_some());
    topics.take(max).cloned().collect()
}
