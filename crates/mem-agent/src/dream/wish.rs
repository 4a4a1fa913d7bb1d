//! From the memories on the desk to what is wanted of each file.

use std::fmt::Write as _;

use mem_core::frontmatter::{self, FieldEdit};
use mem_core::memory::Note;
use mem_core::topic::{FrontmatterForm, NewTopic, file_name_for};
use mem_core::{MemoryType, limits};

use super::desk::{Amendment, Topic, TopicState};
use super::fold::Fold;
use super::page::{self, Page};
use super::plan::{DistillPlan, PlannedFile, To};

/// The plan of what was folded.
pub(super) fn plan_from_fold(mut fold: Fold<'_>) -> DistillPlan {
    let form = FrontmatterForm::of_most(fold.given.notes.iter().map(|note| note.topic.form));
    for topic in &fold.desk.topics {
        match plan_file(topic, form, fold.given.now) {
            Ok(Some(wish)) => fold.plan.wishes.push(wish),
            Ok(None) => fold
                .plan
                .unchanged
                .extend(topic.note.map(|note| note.file.clone())),
            Err(why) => {
                let text = format!("`{}` stays as it is: {why}", topic.file);
                fold.plan.warnings.push(text);
                fold.plan.unchanged.push(topic.file.clone());
            }
        }
    }
    let listed = std::mem::take(&mut fold.listed);
    let mut plan = std::mem::take(&mut fold.plan);
    listed.write_to_plan(&mut plan, |topic| fold.topic_file(topic));
    plan
}

fn plan_file(
    topic: &Topic<'_>,
    form: FrontmatterForm,
    now: jiff::Timestamp,
) -> Result<Option<PlannedFile>, String> {
    let from = topic.note.zip(topic.digest);
    let from = from.map(|(note, digest)| (note.file.clone(), digest));
    let to = match (topic.fate, topic.note, &topic.page) {
        (TopicState::Kept, ..) | (TopicState::Archived, None, _) => return Ok(None),
        (TopicState::Archived, Some(_), _) => To::Archived,
        (TopicState::Changed, None, Some(page)) => To::New(Box::new(new_topic(page))),
        (TopicState::Changed, Some(note), Some(page)) => rewrite_note(note, page, form, now)?,
        (TopicState::Changed, Some(note), None) => amend_note(note, &topic.amended, now)?,
        (TopicState::Changed, None, None) => return Ok(None),
    };
    Ok(Some(PlannedFile { from, to }))
}

fn new_topic(page: &Page) -> NewTopic {
    let title = match page.title.trim() {
        "" => "Note",
        title => title,
    };
    let mut new = NewTopic::new(page.kind, title, &page.describe_page(), &page.render_body());
    new.tags = vec![page::TAG.to_owned()];
    new
}

/// The file of a distillation, written anew: it holds nothing but what is on the page.
fn rewrite_note(
    note: &Note,
    page: &Page,
    form: FrontmatterForm,
    now: jiff::Timestamp,
) -> Result<To, String> {
    let mut edits = vec![
        FieldEdit::Description(page.describe_page()),
        FieldEdit::Body(page.render_body().into_bytes()),
    ];
    let mut file = note.file.clone();
    if note.title() != page.title {
        edits.push(FieldEdit::Name(page.title.clone()));
        let kind = note.topic.kind.unwrap_or(MemoryType::Project);
        let folder = note.file.rsplit_once('/').map(|(folder, _)| folder);
        let name = file_name_for(kind, &page.title, form).map_err(|error| error.to_string())?;
        file = match folder {
            Some(folder) => format!("{folder}/{name}"),
            None => name.to_string(),
        };
    }
    edit_note(note, edits, file, now)
}

/// The file of somebody else: what holds now stands on top with what it replaces, the rest stays.
fn amend_note(note: &Note, amended: &[Amendment], now: jiff::Timestamp) -> Result<To, String> {
    let mut top = String::new();
    let mut edits = Vec::new();
    for one in amended {
        // Writing into a string cannot fail.
        let _ = write!(
            top,
            "{} ({})\nBefore: \"{}\" ({})\n\n",
            one.text, one.date, one.old, one.old_date
        );
        if one.is_description {
            let max = limits::DESCRIPTION_CHARS_MAX;
            edits.push(FieldEdit::Description(one.text.chars().take(max).collect()));
        }
    }
    let mut body = top.into_bytes();
    let old = note.topic.body(&note.bytes);
    body.extend_from_slice(old.trim_ascii_start());
    edits.push(FieldEdit::Body(body));
    edit_note(note, edits, note.file.clone(), now)
}

fn edit_note(
    note: &Note,
    mut edits: Vec<FieldEdit>,
    file: String,
    now: jiff::Timestamp,
) -> Result<To, String> {
    if note.topic.modified.is_some() {
        edits.push(FieldEdit::Modified(now));
    }
    let bytes = frontmatter::edit(&note.bytes, &edits).map_err(|error| error.to_string())?;
    Ok(To::Changed { file, bytes })
}
