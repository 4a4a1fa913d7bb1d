//! What goes for good: a memory, a text, the memory of a project. What would go is shown first.

use axum::http::StatusCode;
use maud::{Markup, html};

use super::super::answers::{Erasure, Redaction};
use super::super::layout::form;
use super::super::request::{Answer, PageError, PageResult, Request, Section};
use super::super::texts;
use super::confirmation::Confirmation;
use super::memory::in_history;
use super::{Project, memory};

fn redaction_markup(redaction: &Redaction) -> Markup {
    html! {
        ul.card { @for path in &redaction.paths { li { code { (path) } } } }
        p { (texts::redaction(redaction.files, redaction.inbox, redaction.sessions)) }
        @for left in &redaction.left { p.hint { (left.to_string()) } }
    }
}

/// A question about what goes for good.
fn question<'c>(
    project: &Project<'_>,
    [title, warning]: [&'c str; 2],
    command: Vec<&'c str>,
    back: &str,
) -> Confirmation<'c> {
    Confirmation {
        section: Section::Changes,
        title,
        warning,
        is_final: true,
        command,
        consent: Some("--yes"),
        done: texts::REDACTED,
        back: project.at(back),
    }
}

/// A memory with every version of it.
pub(crate) fn redact_memory(project: &Project<'_>, request: &Request, id: &str) -> PageResult {
    let memory = memory::find(project, id)?.ok_or_else(PageError::not_found)?;
    let command = in_history(memory.scope == "global", &["redact", "--", id]);
    let words = [texts::REDACT, texts::REDACT_WARNING];
    let back = match request.is_post() {
        true => "/memories".to_owned(),
        false => format!("/memories/{id}"),
    };
    let question = Confirmation {
        section: Section::Memories,
        ..question(project, words, command, &back)
    };
    question.answer(
        project,
        request,
        |redaction: &Redaction| html! { h3 { (memory.title()) } (redaction_markup(redaction)) },
    )
}

/// A text, wherever it stands. It travels in bodies of forms alone, never in an address.
pub(crate) fn redact_text(project: &Project<'_>, request: &Request) -> PageResult {
    let text = request.field("text");
    if !request.is_post() || text.is_empty() {
        let content = html! {
            p.crumb { a href=(project.at("/changes")) { (texts::CHANGES) } }
            h1 { (texts::REDACT_TEXT) }
            p.lead { (texts::REDACT_TEXT_HINT) }
            (form(&request.address, project.csrf(), &html! {
                label { (texts::TEXT_TO_GO) input type="text" name="text" required autocomplete="off"; }
                div.buttons { button.primary type="submit" { (texts::SHOW_FIRST) } a.button href=(project.at("/changes")) { (texts::CANCEL) } }
            }))
        };
        return project.page(Section::Changes, texts::REDACT_TEXT, content);
    }
    let words = [texts::REDACT, texts::REDACT_WARNING];
    let question = question(project, words, vec!["redact", "--text=-"], "/changes");
    if request.field("confirm") == "yes" {
        return Ok(question.make_change(project, text));
    }
    let dry_run = question.arguments(Some("--dry-run"));
    let redaction: Redaction = project.read_with_input(dry_run, text)?;
    let fields = html! {
        input type="hidden" name="text" value=(text);
        input type="hidden" name="confirm" value="yes";
    };
    question.page(project, request, &redaction_markup(&redaction), &fields)
}

/// All that is kept for the project.
pub(crate) fn erase(project: &Project<'_>, request: &Request) -> PageResult {
    let words = [texts::ERASE, texts::ERASE_WARNING];
    let question = Confirmation {
        done: texts::ERASED,
        ..question(project, words, vec!["erase", "--project"], "")
    };
    if request.is_post() {
        if request.field("name").trim() == project.name() {
            return Ok(question.make_change(project, ""));
        }
        let mismatch = PageError::from_status(StatusCode::BAD_REQUEST, texts::ERASE_MISMATCH);
        project.console.set_notice(mismatch.into());
        return Ok(Answer::SeeOther(request.address.clone()));
    }
    let erasure: Erasure = project.read(question.arguments(Some("--dry-run")))?;
    let preview = html! {
        ul.card {
            @for directory in &erasure.directories {
                li { code { (directory.dir) } ": " (texts::count(directory.files, "file", "files")) ", " (directory.bytes) " bytes"
                    @if !directory.kept.is_empty() { " (" (texts::count(directory.kept.len(), "file stays", "files stay")) ")" } }
            }
            @for path in &erasure.paths { li { code { (path.to_string()) } } }
        }
    };
    let fields = html! { label { (texts::ERASE_CONFIRM) ": " strong { (project.name()) } input type="text" name="name" required autocomplete="off"; } };
    question.page(project, request, &preview, &fields)
}
