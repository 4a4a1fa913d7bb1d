//! Findings about single notes.

use super::code::CheckCode;
use super::{CheckFinding, CheckedNote};
use crate::frontmatter::FrontmatterForm;
use crate::limits::DESCRIPTION_CHARS_GOOD;
use crate::notes::is_indexed;
use crate::scope::Scope;
use crate::text_detection::NOT_TEXT;

pub(super) fn findings(note: &CheckedNote<'_>, scope: Scope, out: &mut Vec<CheckFinding>) {
    let file = note.path.as_str();
    let mut add = |code, line, message| out.push(CheckFinding::new(code, file, line, message));
    if !note.topic.is_plain_text(note.bytes) {
        return add(CheckCode::NotText, None, format!("it {NOT_TEXT}"));
    }
    if note.topic.is_empty(note.bytes) {
        add(CheckCode::Empty, None, "there is nothing in it".to_owned());
    }
    for warning in &note.topic.warnings {
        if warning.kind.is_unreadable() {
            add(
                CheckCode::UnreadableFrontmatter,
                Some(warning.line),
                warning.message.clone(),
            );
        }
    }
    // A README beside the memories is no memory; it needs no fields.
    if note.topic.form == FrontmatterForm::None && !is_indexed(note.path, scope) {
        return;
    }
    match (&note.topic.type_word, note.topic.kind) {
        (None, _) => add(CheckCode::MissingType, None, "it has no type".to_owned()),
        (Some(word), None) => {
            let word = crate::memory_path::printable(word);
            let message =
                format!("its type `{word}` is none of user, feedback, project, reference");
            add(CheckCode::UnknownType, None, message);
        }
        (Some(_), Some(_)) => {}
    }
    description(note, &mut add);
}

fn description(note: &CheckedNote<'_>, add: &mut dyn FnMut(CheckCode, Option<usize>, String)) {
    let Some(description) = &note.topic.description else {
        let message = "it has no description, which is all that a selector sees".to_owned();
        add(CheckCode::MissingDescription, None, message);
        return;
    };
    let chars = description.chars().count();
    if chars > DESCRIPTION_CHARS_GOOD {
        let message = format!(
            "its description is {chars} characters long, {DESCRIPTION_CHARS_GOOD} are good"
        );
        add(CheckCode::LongDescription, None, message);
    }
    let title = note.topic.title(note.path.stem());
    let said = words(description);
    let repeats = said == words(title) || said == words(note.path.stem());
    // Where the text is that sentence too, there is nothing more to say.
    if repeats && words(&own(&note.topic.text(note.bytes))) != said {
        let message = "its description says no more than its name".to_owned();
        add(CheckCode::DescriptionRepeatsName, None, message);
    }
}

/// A text without the lines in which `mem extract` says when something was said, and quotes it.
fn own(text: &str) -> String {
    let lines = text.lines();
    let own = lines.filter(|line| !line.starts_with("**Said"));
    own.collect::<Vec<_>>().join("\n")
}

/// The words of a text, punctuation and case aside.
fn words(text: &str) -> Vec<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}
