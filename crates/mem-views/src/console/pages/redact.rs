//! What goes for good: a memory, a text, the memory of a project. What would go is shown first.

use maud::html;

use super::super::answers::{Erasure, Redaction};
use super::super::layout::{Notice, form};
use super::super::request::{Answer, PageError, Request, Section};
use super::super::texts;
use super::memory::{Confirmation, GLOBAL};
use super::{Project, memory};

fn shown(redaction: &Redaction) -> maud::Markup {
    html! {
        p.card { (texts::redaction(redaction.files, redaction.versions, redaction.inbox, redaction.sessions)) }
        @for left in &redaction.left { p.hint { (left.to_string()) } }
    }
}

/// A memory with every version of it.
pub(crate) fn redact_memory(
    project: &Project<'_>,
    request: &Request,
    id: &str,
) -> Result<Answer, PageError> {
    let memory = memory::find(project, id)?.ok_or_else(PageError::not_found)?;
    let mut arguments = vec!["redact"];
    arguments.extend((memory.scope == "global").then_some(GLOBAL));
    if request.is_post() {
        arguments.extend(["--yes", "--", id]);
        return Ok(project.change(arguments, texts::REDACTED, &project.at("/memories")));
    }
    arguments.extend(["--dry-run", "--", id]);
    let redaction: Redaction = project.read(arguments)?;
    let preview = html! { h3 { (memory.title()) } (shown(&redaction)) };
    let (back, action) = (
        project.at(&format!("/memories/{id}")),
        project.at(&format!("/memories/{id}/redact")),
    );
    Confirmation {
        title: texts::REDACT,
        warning: texts::REDACT_WARNING,
        preview,
        fields: html! {},
        action,
        back,
        is_final: true,
    }
    .page(project, Section::Memories)
}

/// A text, wherever it stands. It travels in bodies of forms alone, never in an address.
pub(crate) fn redact_text(project: &Project<'_>, request: &Request) -> Result<Answer, PageError> {
    let text = request.field("text");
    let action = project.at("/redact");
    if !request.is_post() || text.is_empty() {
        let content = html! {
            p.crumb { a href=(project.at("/changes")) { (texts::CHANGES) } }
            h1 { (texts::REDACT_TEXT) }
            p.lead { (texts::REDACT_TEXT_HINT) }
            (form(&action, project.csrf(), &html! {
                label { (texts::TEXT_TO_GO) input type="text" name="text" required autocomplete="off"; }
                div.buttons { button.primary type="submit" { (texts::SHOW_FIRST) } a.button href=(project.at("/changes")) { (texts::CANCEL) } }
            }))
        };
        return project.page(Section::Changes, texts::REDACT_TEXT, content);
    }
    if request.field("confirm") == "yes" {
        let arguments = ["redact", "--text=-", "--yes"];
        return Ok(project.change_with_input(
            arguments,
            text,
            texts::REDACTED,
            &project.at("/changes"),
        ));
    }
    let redaction: Redaction =
        project.read_with_input(["redact", "--text=-", "--dry-run"], text)?;
    let fields = html! {
        input type="hidden" name="text" value=(text);
        input type="hidden" name="confirm" value="yes";
    };
    let (preview, back) = (shown(&redaction), project.at("/redact"));
    Confirmation {
        title: texts::REDACT,
        warning: texts::REDACT_WARNING,
        preview,
        fields,
        action,
        back,
        is_final: true,
    }
    .page(project, Section::Changes)
}

/// All that is kept for the project.
pub(crate) fn erase(project: &Project<'_>, request: &Request) -> Result<Answer, PageError> {
    let (action, back) = (project.at("/erase"), project.at("/changes"));
    if request.is_post() {
        if request.field("name").trim() != project.name() {
            let notice = Notice {
                is_error: true,
                text: texts::ERASE_MISMATCH.to_owned(),
                hint: None,
            };
            project.console.set_notice(notice);
            return Ok(Answer::SeeOther(action));
        }
        return Ok(project.change(
            ["erase", "--project", "--yes"],
            texts::SAVED,
            &project.at(""),
        ));
    }
    let erasure: Erasure = project.read(["erase", "--project", "--dry-run"])?;
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
    Confirmation {
        title: texts::ERASE,
        warning: texts::ERASE_WARNING,
        preview,
        fields,
        action,
        back,
        is_final: true,
    }
    .page(project, Section::Changes)
}
