//! A new memory, written in the person's editor.

use anyhow::Result;
use mem_core::location::ProjectContext;
use mem_core::memory::MemoryError;
use mem_core::topic::{NewTopic, TopicFile};
use mem_core::{MemoryPath, MemoryType, Scope};

use crate::commands::save::{SaveOrder, save_topic};
use crate::context::Context;
use crate::editor;
use crate::exit::Exit;
use crate::usage::UsageError;

/// The name of the copy in the editor.
const FILE: &str = "new_memory.md";
/// A line of the template.
const EXPLANATION: &[u8] = b"# type: user, feedback, project or reference";

/// Opens an empty memory in the editor and saves what becomes of it. What cannot be saved is kept in a file.
///
/// # Errors
/// The editor failed, a field is missing, or it cannot be saved.
pub(crate) fn write_in_editor(
    scope: Option<Scope>,
    reason: Option<String>,
    place: &ProjectContext,
    context: &Context,
) -> Result<Exit> {
    let empty = mem_templates::NEW_MEMORY.as_bytes();
    let edited = editor::edit_copy(context, &place.config, &MemoryPath::parse(FILE)?, empty)?;
    if edited.bytes == empty || edited.is_blank() {
        context.say("nothing was written: no memory was saved");
        return Ok(Exit::Ok);
    }
    let saved = topic_of(&edited.bytes).and_then(|topic| {
        let order = SaveOrder {
            topic,
            scope,
            file: None,
            update: false,
            no_duplicates: false,
            reason,
        };
        save_topic(order, place, context)
    });
    saved.map_err(|error| {
        edited.keep(context);
        match error.downcast() {
            // `edit` has no option that changes the memory of that name.
            Ok(MemoryError::Exists { path, scope }) => {
                MemoryError::NameTaken { path, scope }.into()
            }
            Ok(error) => error.into(),
            Err(error) => error,
        }
    })
}

/// The memory that a text is, which is stored as it was written but for the line that the template explains a field with.
fn topic_of(text: &[u8]) -> Result<NewTopic> {
    let topic = TopicFile::parse(text);
    let Some(kind) = topic.kind else {
        let words = MemoryType::ALL.map(MemoryType::as_str).join(", ");
        let hint = format!("`type:` is one of {words}");
        return Err(UsageError::new("the memory has no type", hint).into());
    };
    let (name, description) = (
        topic.name.as_deref().unwrap_or_default(),
        topic.description.as_deref().unwrap_or_default(),
    );
    let body = topic.text(text);
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let written = lines.filter(|line| line.trim_ascii_end() != EXPLANATION);
    Ok(NewTopic {
        tags: topic.tags.clone(),
        when: topic.when.clone(),
        importance: topic.importance,
        expires: topic.expires,
        pinned: topic.pinned,
        category: topic.category.clone(),
        written: Some(written.collect::<Vec<_>>().concat()),
        ..NewTopic::new(kind, name, description, body.trim_start_matches('\n'))
    })
}
