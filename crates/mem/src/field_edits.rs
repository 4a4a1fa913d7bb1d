//! Changes of a memory that flags name, for programs and forms: no editor is opened.

use anyhow::Result;
use mem_core::MemoryType;
use mem_core::frontmatter::{FieldEdit, FrontmatterField, edit};
use mem_core::memory::Note;
use mem_core::topic::{Expiry, NewTopic};

use crate::body;
use crate::usage::UsageError;

/// The flags. An empty value takes the field out.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Instead of an editor")]
pub(crate) struct FieldEdits {
    /// The whole file, frontmatter included; - is standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with_all = ["title", "description", "kind", "tags", "when", "importance", "expires", "pin", "body"])]
    content: Option<String>,
    /// The title; the file keeps its name
    #[arg(long, value_name = "TITLE", allow_hyphen_values = true)]
    title: Option<String>,
    /// The line that says when it matters
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    description: Option<String>,
    /// What it is about: user, feedback, project or reference
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<MemoryType>,
    /// All its tags, with commas between them
    #[arg(long, value_name = "TAGS", allow_hyphen_values = true)]
    tags: Option<String>,
    /// All the files that it is given for, with commas between them
    #[arg(long, value_name = "FILES", allow_hyphen_values = true)]
    when: Option<String>,
    /// Importance from 1 (least) to 5
    #[arg(long, value_name = "N")]
    importance: Option<String>,
    /// The last day on which it holds, or an instant (RFC 3339)
    #[arg(long, value_name = "WHEN")]
    expires: Option<String>,
    /// Whether it stays in the index however old it gets
    #[arg(long, value_name = "BOOL")]
    pin: Option<bool>,
    /// The text below the frontmatter; - is standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    body: Option<String>,
}

impl FieldEdits {
    /// The bytes of the memory with the changes; `None` where no flag names one.
    ///
    /// # Errors
    /// A value breaks the rules of its field, or a field cannot be changed alone.
    pub(crate) fn apply(&self, note: &Note) -> Result<Option<Vec<u8>>> {
        if let Some(content) = &self.content {
            return Ok(Some(body::read(Some(content))?.into_bytes()));
        }
        let edits = self.edits()?;
        match edits.is_empty() {
            true => Ok(None),
            false => Ok(Some(edit(&note.bytes, &edits)?)),
        }
    }

    fn edits(&self) -> Result<Vec<FieldEdit>> {
        // Checked by the rules of a memory that is saved anew.
        let mut checked = NewTopic::new(MemoryType::Project, "title", "description", "");
        let mut edits = Vec::new();
        let given = |value: &Option<String>| value.as_deref().map(str::trim).map(str::to_owned);
        if let Some(title) = given(&self.title) {
            checked.name.clone_from(&title);
            edits.push(FieldEdit::Name(title));
        }
        if let Some(description) = given(&self.description) {
            checked.description.clone_from(&description);
            edits.push(FieldEdit::Description(description));
        }
        edits.extend(self.kind.map(FieldEdit::Type));
        if let Some(tags) = &self.tags {
            checked.tags = list_items(tags);
            edits.push(FieldEdit::Tags(checked.tags.clone()));
        }
        if let Some(files) = &self.when {
            checked.when = list_items(files);
            edits.push(FieldEdit::When(checked.when.clone()));
        }
        if let Some(text) = given(&self.importance) {
            edits.push(match text.as_str() {
                "" => FieldEdit::Remove(FrontmatterField::Importance),
                text => {
                    let value = text
                        .parse()
                        .map_err(|_| not_a_value("importance", text, "1 to 5"))?;
                    checked.importance = Some(value);
                    FieldEdit::Importance(value)
                }
            });
        }
        if let Some(text) = given(&self.expires) {
            edits.push(match text.as_str() {
                "" => FieldEdit::Remove(FrontmatterField::Expires),
                text => {
                    let wanted = "a day such as 2027-01-31, or an instant (RFC 3339)";
                    let value: Expiry = text
                        .parse()
                        .map_err(|_| not_a_value("expires", text, wanted))?;
                    FieldEdit::Expires(value)
                }
            });
        }
        edits.extend(self.pin.map(|is_pinned| match is_pinned {
            true => FieldEdit::Pinned(true),
            false => FieldEdit::Remove(FrontmatterField::Pinned),
        }));
        if self.body.is_some() {
            let mut text = body::read(self.body.as_deref())?;
            if !text.ends_with('\n') {
                text.push('\n');
            }
            checked.body.clone_from(&text);
            edits.push(FieldEdit::Body(text.into_bytes()));
        }
        let valid = checked.validate();
        valid.map_err(|error| UsageError::invalid_value(&error))?;
        Ok(edits)
    }
}

fn list_items(text: &str) -> Vec<String> {
    let items = text.split(',').map(str::trim);
    items
        .filter(|item| !item.is_empty())
        .map(str::to_owned)
        .collect()
}

fn not_a_value(field: &str, value: &str, wanted: &str) -> UsageError {
    UsageError::new(
        format!("`{value}` is no value for `{field}`"),
        format!("give {wanted}, or nothing to take the field out"),
    )
}
