//! A new memory as the bytes of a file. Every value is written so that it reads back equal.

use super::{Eol, FrontmatterForm, NewTopic};
use crate::frontmatter::encode::{Quoting, flow_list, scalar};

/// Renders a new file.
///
/// Flat puts every field at the top level, nested all but the name and the description under
/// `metadata`; [`FrontmatterForm::None`] is taken for flat, since a new memory always has its fields. A
/// blank line stands before the body and a line ending after it. What somebody wrote as a file stays as it is.
pub fn render(new: &NewTopic, form: FrontmatterForm, eol: Eol) -> Vec<u8> {
    if let Some(written) = &new.written {
        return written.clone();
    }
    let mut lines = vec![
        "---".to_owned(),
        format!("name: {}", scalar(&new.name, Quoting::Bare)),
        format!("description: {}", scalar(&new.description, Quoting::Bare)),
    ];
    let nested = form == FrontmatterForm::Nested;
    if nested {
        lines.push("metadata:".to_owned());
    }
    let indent = if nested { "  " } else { "" };
    lines.extend(
        fields(new)
            .into_iter()
            .map(|(key, value)| format!("{indent}{key}: {value}")),
    );
    lines.push("---".to_owned());
    let mut text = lines.join("\n");
    text.push_str("\n\n");
    text.push_str(new.body.trim_start_matches(['\n', '\r']));
    if !text.ends_with('\n') {
        text.push('\n');
    }
    with_endings(text, eol).into_bytes()
}

fn fields(new: &NewTopic) -> Vec<(&'static str, String)> {
    let mut fields = vec![("type", new.kind.to_string())];
    if !new.tags.is_empty() {
        fields.push(("tags", flow_list(&new.tags)));
    }
    if !new.when.is_empty() {
        fields.push(("when", flow_list(&new.when)));
    }
    if let Some(importance) = new.importance {
        fields.push(("importance", importance.to_string()));
    }
    if let Some(expires) = new.expires {
        fields.push(("expires", expires.to_string()));
    }
    if new.pinned {
        fields.push(("pinned", "true".to_owned()));
    }
    if let Some(category) = &new.category {
        fields.push(("category", scalar(category, Quoting::Bare)));
    }
    if let Some(modified) = new.modified {
        fields.push(("modified", modified.to_string()));
    }
    fields
}

fn with_endings(text: String, eol: Eol) -> String {
    match eol {
        Eol::Lf => text,
        Eol::CrLf => text.replace("\r\n", "\n").replace('\n', "\r\n"),
    }
}
