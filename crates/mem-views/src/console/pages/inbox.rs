//! What waits for a person: writes of agents and of colleagues, with who wants them and what they change.

use maud::html;
use serde::de::IgnoredAny;

use super::super::answers::{Inbox, InboxEntry};
use super::super::diff::side_by_side;
use super::super::layout::{age, button, error_card, form};
use super::super::request::{Answer, PageResult, Request, Section};
use super::super::texts;
use super::Project;
use super::memory::author;

/// The page.
pub(crate) fn show(project: &Project<'_>) -> PageResult {
    let inbox: Inbox = project.read(["inbox", "list"])?;
    let now = (project.console.now)();
    let content = html! {
        h1 { (texts::INBOX) }
        @if inbox.entries.is_empty() { p.empty { (texts::INBOX_EMPTY) } } @else { p.lead { (texts::INBOX_INTRO) } }
        @for entry in &inbox.entries {
            @let id = &entry.change.id;
            @let files = entry.files.iter().filter(|file| file.file != "MEMORY.md");
            article.card.entry aria-labelledby=(id) {
                div.title {
                    h2 #(id) { @for (at, file) in files.enumerate() { @if at > 0 { ", " } (file.operation) " " (file.file) } }
                    div.buttons {
                        (button(&project.at(&format!("/inbox/{id}/accept")), project.csrf(), texts::ACCEPT, "primary"))
                        a.button href=(project.at(&format!("/inbox/{id}/edit"))) { (texts::EDIT_FIRST) }
                        (button(&project.at(&format!("/inbox/{id}/reject")), project.csrf(), texts::REJECT, "plain"))
                    }
                }
                p.quiet { (age(now, &entry.change.time)) " · " (author(&entry.change)) }
                @if let Some(reason) = &entry.change.reason { p { (texts::REASON) ": " (reason) } }
                (side_by_side(&entry.diff))
            }
        }
    };
    project.page(Section::Inbox, texts::INBOX, content)
}

/// Accepts or rejects an entry.
pub(crate) fn decide(project: &Project<'_>, id: &str, is_accepted: bool) -> Answer {
    let (verb, done) = match is_accepted {
        true => ("accept", texts::ACCEPTED),
        false => ("reject", texts::REJECTED),
    };
    project.change(["inbox", verb, "--", id], done, &project.at("/inbox"))
}

/// The text that waits, to be edited before it is accepted.
pub(crate) fn edit(project: &Project<'_>, request: &Request, id: &str) -> PageResult {
    let mut draft = (request.text("content"), request.field("sha256").to_owned());
    let mut refused = None;
    if request.is_post() {
        let if_match = format!("--if-match={}", draft.1);
        let words = ["inbox", "edit", "--content=-", &if_match, "--", id];
        match project.read_with_input::<IgnoredAny>(words, &draft.0) {
            Ok(_) => {
                return Ok(project.done(texts::ACCEPTED, project.at("/inbox")));
            }
            Err(error) => refused = Some(error),
        }
    }
    let entry: InboxEntry = project.read(["inbox", "show", "--", id])?;
    let offered = match entry.texts.as_slice() {
        [one] => one.content.as_ref().map(|text| (text, &one.sha256)),
        _ => None,
    };
    if let Some((text, sha256)) = offered {
        // The text of the form is kept where it was refused.
        if refused.is_none() {
            draft.0.clone_from(text);
        }
        draft.1.clone_from(sha256);
    }
    let content = html! {
        p.crumb { a href=(project.at("/inbox")) { (texts::INBOX) } }
        h1 { (texts::EDIT_FIRST) }
        @if let Some(error) = &refused { (error_card(error)) }
        (side_by_side(&entry.diff))
        @if offered.is_none() { p.hint { (texts::NOT_ONE_TEXT) } } @else {
            (form(&request.address, project.csrf(), &html! {
                input type="hidden" name="sha256" value=(draft.1);
                label { (texts::WHOLE_FILE) textarea.code name="content" rows="18" spellcheck="false" { "\n" (draft.0) } }
                div.buttons {
                    button.primary type="submit" data-key="save" { (texts::ACCEPT) }
                    a.button href=(project.at("/inbox")) { (texts::CANCEL) }
                }
            }))
        }
    };
    project.page(Section::Inbox, texts::EDIT_FIRST, content)
}
