//! From the memories in the statement index to what is wanted of each file.

use std::fmt::Write as _;

use mem_core::frontmatter::{self, FieldEdit};
use mem_core::history::Sha256;
use mem_core::memory::Note;
use mem_core::topic::{FrontmatterForm, NewTopic, file_name_for};
use mem_core::{MemoryType, limits};

use super::bullet_merge::BulletMerger;
use super::plan::{DistillPlan, PlannedFile, To};
use super::statement_index::{Amendment, Topic, TopicState};
use super::topic_page::{self, Page};

/// The plan of what was folded.
pub(super) fn plan_from_merger(mut merger: BulletMerger<'_>) -> DistillPlan {
    let form = FrontmatterForm::of_most(merger.given.notes.iter().map(|note| note.topic.form));
    for topic in &merger.index.topics {
        match plan_file(topic, form, merger.given.now) {
            Ok(Some(wish)) => merger.plan.wishes.push(wish),
            Ok(None) => merger
                .plan
                .unchanged
                .extend(topic.note.map(|note| note.file.clone())),
            Err(why) => {
                let text = format!("`{}` stays as it is: {why}", topic.file);
                merger.plan.warnings.push(text);
                merger.plan.unchanged.push(topic.file.clone());
            }
        }
    }
    let listed = std::mem::take(&mut merger.listed);
    let mut plan = std::mem::take(&mut merger.plan);
    listed.write_to_plan(&mut plan, |topic| merger.topic_file(topic));
    plan
}

fn plan_file(
    topic: &Topic<'_>,
    form: FrontmatterForm,
    now: jiff::Timestamp,
) -> Result<Option<PlannedFile>, String> {
    let to = match (topic.state, topic.note, &topic.page) {
        (TopicState::Kept, ..) | (TopicState::Archived, None, _) => return Ok(None),
        (TopicState::Archived, Some(_), _) => To::Archived,
        (TopicState::Changed, None, Some(page)) => To::New(Box::new(new_topic(page))),
        (TopicState::Changed, Some(note), Some(page)) => rewrite_note(note, page, form, now)?,
        (TopicState::Changed, Some(note), None) => amend_note(note, &topic.amended, now)?,
        (TopicState::Changed, None, None) => return Ok(None),
    };
    let from = topic
        .note
        .map(|note| (note.file.clone(), Sha256::digest(&note.bytes)));
    Ok(Some(PlannedFile { from, to }))
}

fn new_topic(page: &Page) -> NewTopic {
    let title = match page.title.trim() {
        "" => "Note",
        title => title,
    };
    let mut new = NewTopic::new(page.kind, title, &page.describe_page(), &page.render_body());
    new.tags = vec![topic_page::TAG.to_owned()];
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
