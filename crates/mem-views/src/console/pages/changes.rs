//! What happened: the changes of a project, one change with its differences, undo and restore.

use maud::html;

use super::super::answers::{Change, Changes, Diffs};
use super::super::layout::age;
use super::super::request::{Answer, PageError, PageResult, Request, Section};
use super::super::texts;
use super::Project;
use super::confirmation::{Confirmation, diff_list};
use super::memory::{author, history_query, in_history, undo_button};

/// Changes of one page.
const PAGE_SIZE: usize = 50;
/// The index of a directory changes with every memory: it is not told.
const INDEX_FILE: &str = "MEMORY.md";

fn is_global(request: &Request) -> bool {
    request.query("global") == "1"
}

/// The changes, newest first.
pub(crate) fn list(project: &Project<'_>, request: &Request) -> PageResult {
    let is_global = is_global(request);
    let pages_before = request
        .query("page")
        .parse::<usize>()
        .unwrap_or(1)
        .clamp(1, 10_000)
        - 1;
    let limit = format!("--limit={}", (pages_before + 1) * PAGE_SIZE + 1);
    let changes: Changes = project.read(in_history(is_global, &["history", &limit]))?;
    let shown: Vec<&Change> = changes
        .changes
        .iter()
        .skip(pages_before * PAGE_SIZE)
        .take(PAGE_SIZE)
        .collect();
    let has_more = changes.changes.len() > (pages_before + 1) * PAGE_SIZE;
    let now = (project.console.now)();
    let query = history_query(is_global);
    let content = html! {
        h1 { (texts::CHANGES) }
        ul.tabs {
            li { a href=(project.at("/changes")) aria-current=[(!is_global).then_some("page")] { (texts::SCOPE_PROJECT) } }
            li { a href=(project.at("/changes?global=1")) aria-current=[is_global.then_some("page")] { (texts::SCOPE_GLOBAL) } }
        }
        @if shown.is_empty() { p.empty { (texts::NO_CHANGES) } }
        ol.timeline data-list {
            @for change in shown {
                li.undone[change.undone] {
                    p {
                        a href=(project.at(&format!("/changes/{}{query}", change.id))) { strong { (change.verb) } " "
                            (change.versions.iter().filter(|version| version.file != INDEX_FILE).map(|version| version.file.as_str()).take(4).collect::<Vec<_>>().join(", ")) }
                        @if change.undone { " " span.tag { (texts::UNDONE) } }
                    }
                    p.quiet { (age(now, &change.time)) " · " (author(change)) @if let Some(reason) = &change.reason { " · " (reason) } }
                }
            }
        }
        nav.pages aria-label=(texts::PAGES) {
            @if pages_before > 0 { a rel="prev" href=(request.with_query("page", &pages_before.to_string())) { "← " (texts::PREVIOUS) } }
            @if has_more { a rel="next" href=(request.with_query("page", &(pages_before + 2).to_string())) { (texts::NEXT) " →" } }
        }
        h2 { (texts::CARE) }
        div.buttons {
            a.button href=(project.at("/redact")) { (texts::REDACT_TEXT) }
            a.button.danger href=(project.at("/erase")) { (texts::ERASE) }
        }
    };
    project.page(Section::Changes, texts::CHANGES, content)
}

/// One change.
pub(crate) fn show(project: &Project<'_>, request: &Request, id: &str) -> PageResult {
    let is_global = is_global(request);
    let diffs: Diffs = project.read(in_history(is_global, &["diff", "--", id]))?;
    let only = format!("--change={id}");
    let found: Changes = project.read(in_history(is_global, &["history", &only]))?;
    let change = found.changes.first().ok_or_else(PageError::not_found)?;
    let now = (project.console.now)();
    let content = html! {
        p.crumb { a href=(project.at("/changes")) { (texts::CHANGES) } }
        div.title {
            h1 { (change.verb) }
            @if !change.undone { (undo_button(project, id, is_global)) } @else { span.tag { (texts::UNDONE) } }
        }
        p.lead { (age(now, &change.time)) " · " (author(change)) @if let Some(reason) = &change.reason { " · " (reason) } }
        (diff_list(&diffs))
        ul { @for version in change.versions.iter().filter(|version| version.file != INDEX_FILE) {
            li { a href=(project.at(&format!("/memories/{}", version.note))) { (version.file) } " " span.quiet { (version.operation) } }
        } }
    };
    project.page(Section::Changes, &change.verb, content)
}

/// Undoes a change.
pub(crate) fn undo(project: &Project<'_>, request: &Request, id: &str) -> Answer {
    let is_global = is_global(request);
    let back = project.at(&format!("/changes{}", history_query(is_global)));
    let words = in_history(is_global, &["undo", "--", id]);
    project.change(words, texts::TAKEN_BACK, &back)
}

/// Writes an older version of a memory back.
pub(crate) fn restore(
    project: &Project<'_>,
    request: &Request,
    id: &str,
    version: &str,
) -> PageResult {
    let revision = format!("--rev={version}");
    let command = in_history(is_global(request), &["restore", &revision, "--", id]);
    let question = Confirmation::of_memory(project, id, texts::RESTORE, command);
    question.answer(project, request, diff_list)
}
