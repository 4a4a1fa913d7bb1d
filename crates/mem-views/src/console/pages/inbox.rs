//! What waits for a person: writes of agents and of colleagues, with who wants them and what they change.

use maud::html;

use super::super::answers::Inbox;
use super::super::diff::side_by_side;
use super::super::layout::{age, button};
use super::super::request::{Answer, PageError, Section};
use super::super::texts;
use super::Project;
use super::memory::author;

/// The page.
pub(crate) fn show(project: &Project<'_>) -> Result<Answer, PageError> {
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
    let back = project.at("/inbox");
    match is_accepted {
        true => project.change(["inbox", "accept", "--", id], texts::ACCEPTED, &back),
        false => project.change(["inbox", "reject", "--", id], texts::REJECTED, &back),
    }
}
