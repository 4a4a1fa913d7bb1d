//! Several memories in one change: new ones get their files and lines, and what is there already gets a
//! line more.

use super::ProjectMemory;
use super::error::MemoryError;
use super::pointer;
use super::save::{SaveRequest, choose_file, form_of, topic_path};
use super::scope_dir::ScopeDir;
use crate::frontmatter::{self, Eol, FieldEdit};
use crate::store::{ChangeMetadata, WriteGate, WriteOutcome, WriteTransaction};
use crate::topic::{self, NewTopic, TopicFile};
use crate::{MemoryPath, Scope};

/// A memory to be added, or added to.
#[derive(Clone, Debug)]
pub struct SaveOrAppend {
    /// The memory as it would be new. `file` names one that says the same already; `update` counts for
    /// nothing.
    pub request: SaveRequest,
    /// What an existing memory gets below its text, unless it holds it.
    pub again: String,
    /// Where the new memory takes the place of what that file says: the line that quotes it.
    pub instead: Option<String>,
}

/// What became of an addition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedOrAppended {
    /// The path within its store.
    pub path: MemoryPath,
    /// The file within its tier.
    pub file: String,
    /// The tier.
    pub scope: Scope,
    /// Whether the file is new.
    pub created: bool,
}

impl ProjectMemory {
    /// Adds memories, all of tiers that are kept in the store of `scope`, in one change.
    ///
    /// # Errors
    /// A field breaks its rules, a gate refuses, or the system does. Nothing is written then.
    pub fn add_all(
        &self,
        scope: Scope,
        additions: &[SaveOrAppend],
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
    ) -> Result<WriteOutcome<Vec<SavedOrAppended>>, MemoryError> {
        for addition in additions {
            addition.request.topic.validate()?;
        }
        self.store(scope).write(order, gate, |draft| {
            let each = additions.iter();
            each.map(|addition| add(draft, addition, order)).collect()
        })
    }
}

fn add(
    draft: &mut WriteTransaction<'_>,
    addition: &SaveOrAppend,
    order: &ChangeMetadata,
) -> Result<SavedOrAppended, MemoryError> {
    let SaveOrAppend {
        request,
        again,
        instead,
    } = addition;
    let tier = ScopeDir(request.scope);
    let form = form_of(draft, tier);
    let path = match &request.file {
        Some(file) => topic_path(tier, file)?,
        None => choose_file(draft, tier, request, form)?,
    };
    let old = draft.read(&path)?;
    let created = old.is_none();
    let bytes = match (&old, instead) {
        (Some(old), Some(before)) => Some(renewed(old, &request.topic, before, order)?),
        (Some(old), None) => longer(old, again, order)?,
        (None, _) => Some(topic::render(&request.topic, form, Eol::Lf)),
    };
    if let Some(bytes) = bytes {
        draft.put(&path, bytes)?;
    }
    let is_pointed = request.with_index && (created || instead.is_some());
    let file = pointer::set_for(draft, tier, &path, &request.topic, is_pointed)?;
    Ok(SavedOrAppended {
        path,
        file,
        scope: request.scope,
        created,
    })
}

/// A file that says what a memory says, with what it said before.
fn renewed(
    old: &[u8],
    new: &NewTopic,
    before: &str,
    order: &ChangeMetadata,
) -> Result<Vec<u8>, MemoryError> {
    let topic = TopicFile::parse(old);
    let end = Eol::from_bytes(old).as_str();
    let text = topic.text(old);
    let earlier = text.lines().filter(|line| line.starts_with("**Before"));
    let lines: Vec<&str> = std::iter::once(before).chain(earlier).collect();
    let body = with_end(new.body.trim(), end);
    let body = format!("{body}{end}{}{end}", lines.join(end));
    let mut edits = vec![
        FieldEdit::Name(new.name.clone()),
        FieldEdit::Description(new.description.clone()),
        FieldEdit::Body(body.into_bytes()),
    ];
    if topic.modified.is_some() {
        edits.push(FieldEdit::Modified(order.now.0));
    }
    Ok(frontmatter::edit(old, &edits)?)
}

/// A file with a line more at its end; `None` where it holds the line.
fn longer(old: &[u8], again: &str, order: &ChangeMetadata) -> Result<Option<Vec<u8>>, MemoryError> {
    let topic = TopicFile::parse(old);
    let text = topic.text(old);
    let again = again.trim();
    if again.is_empty() || text.contains(again) {
        return Ok(None);
    }
    let end = Eol::from_bytes(old).as_str();
    let body = format!("{}{end}{again}{end}", with_end(&text, end));
    let mut edits = vec![FieldEdit::Body(body.into_bytes())];
    if topic.modified.is_some() {
        edits.push(FieldEdit::Modified(order.now.0));
    }
    Ok(Some(frontmatter::edit(old, &edits)?))
}

fn with_end(text: &str, end: &str) -> String {
    match text.ends_with('\n') || text.is_empty() {
        true => text.to_owned(),
        false => format!("{text}{end}"),
    }
}
