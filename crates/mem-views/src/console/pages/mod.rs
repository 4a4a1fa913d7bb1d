//! The pages: one module a subject, and the way from an address to them.

mod changes;
mod confirmation;
mod edit;
mod graph;
mod inbox;
mod memories;
mod memory;
mod overview;
mod recall;
mod redact;
mod team;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{MutexGuard, PoisonError};
use std::thread;

use axum::http::StatusCode;
use maud::{Markup, html};
use serde::de::{DeserializeOwned, IgnoredAny};

pub(crate) use confirmation::ConfirmationPage;

use super::access::Secret;
use super::answers::{Audit, Conflicts, Inbox, Status};
use super::assets;
use super::layout::{Navigation, Notice, code_spans};
use super::request::{Answer, Page, PageError, PageResult, Request, Section};
use super::server::Console;
use super::texts;
use crate::program::Program;

/// A project, as a page works on it.
pub(crate) struct Project<'c> {
    pub console: &'c Console,
    pub slug: &'c str,
    program: Program,
}

impl Project<'_> {
    /// The data of a command in the project.
    pub(crate) fn read<T: DeserializeOwned>(
        &self,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Result<T, PageError> {
        Ok(self.program.read(arguments)?)
    }

    /// As [`read`](Self::read), with a text on standard input.
    pub(crate) fn read_with_input<T: DeserializeOwned>(
        &self,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
        input: &str,
    ) -> Result<T, PageError> {
        Ok(self.program.read_with_input(arguments, input.as_bytes())?)
    }

    /// Runs a command that changes something, has the next page say what came of it, and goes there.
    pub(crate) fn change(
        &self,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
        done: &str,
        next: &str,
    ) -> Answer {
        self.change_with_input(arguments, "", done, next)
    }

    /// As [`change`](Self::change), with a text on standard input.
    pub(crate) fn change_with_input(
        &self,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
        input: &str,
        done: &str,
        next: &str,
    ) -> Answer {
        let next = next.to_owned();
        match self.read_with_input::<IgnoredAny>(arguments, input) {
            Ok(_) => self.done(done, next),
            Err(error) => {
                self.console.set_notice(error.into());
                Answer::SeeOther(next)
            }
        }
    }

    /// Has the next page say what was done, and goes there.
    pub(crate) fn done(&self, done: &str, next: String) -> Answer {
        self.console.set_notice(Notice::done(done));
        Answer::SeeOther(next)
    }

    /// The address of a page of the project.
    pub(crate) fn at(&self, path: &str) -> String {
        format!("/p/{}{path}", self.slug)
    }

    /// The name of its directory.
    pub(crate) fn name(&self) -> String {
        directory_name(self.program.directory())
    }

    pub(crate) fn csrf(&self) -> &Secret {
        self.console.access.csrf()
    }

    /// A page of the project.
    pub(crate) fn page(&self, section: Section, title: &str, content: Markup) -> PageResult {
        self.page_with_status(StatusCode::OK, section, title, content)
    }

    /// A page of a form that was refused.
    pub(crate) fn page_with_status(
        &self,
        status: StatusCode,
        section: Section,
        title: &str,
        content: Markup,
    ) -> PageResult {
        Ok(Answer::Page(Page {
            status,
            title: title.to_owned(),
            section,
            project: Some(self.slug.to_owned()),
            content,
        }))
    }
}

/// What a script asks for: the piece of a page that it replaces; else the page.
pub(crate) fn live(
    project: &Project<'_>,
    request: &Request,
    (section, title): (Section, &str),
    piece: Markup,
    around: impl FnOnce(Markup) -> Markup,
) -> PageResult {
    match request.is_fragment {
        true => Ok(Answer::Fragment(piece)),
        false => project.page(section, title, around(piece)),
    }
}

/// Runs two things at a time.
pub(crate) fn both<A: Send, B: Send>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B,
) -> (thread::Result<A>, B) {
    thread::scope(|scope| {
        let first = scope.spawn(first);
        let second = second();
        (first.join(), second)
    })
}

/// The page of an address.
///
/// # Errors
/// There is none, or a command of it refuses.
pub(crate) fn answer(console: &Console, request: &Request) -> PageResult {
    match (request.is_post(), request.segments().as_slice()) {
        (false, []) => Ok(Answer::SeeOther(format!("/p/{}", first_project(console)?))),
        (false, ["alive"]) => Ok(Answer::Nothing),
        (false, ["assets", name]) => assets::find(name)
            .map(Answer::Asset)
            .ok_or_else(PageError::not_found),
        (_, ["p", slug, rest @ ..]) => project_page(&find_project(console, slug)?, request, rest),
        _ => Err(PageError::not_found()),
    }
}

fn project_page(project: &Project<'_>, request: &Request, rest: &[&str]) -> PageResult {
    // Ids are passed to commands: nothing else is one.
    let is_id = |id: &str| {
        let start = ["mem_", "chg_", "inb_", "memver_"]
            .iter()
            .any(|start| id.starts_with(start));
        start && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if rest
        .iter()
        .any(|piece| piece.contains('_') && !is_id(piece))
    {
        return Err(PageError::not_found());
    }
    match (request.is_post(), rest) {
        (false, []) => overview::show(project),
        (false, ["projects"]) => overview::show_projects(project, request),
        (false, ["memories"]) => memories::show(project, request),
        (_, ["memories", "new"]) => edit::create(project, request),
        (true, ["memories", "preview"]) => Ok(edit::preview(request)),
        (false, ["memories", id]) if is_id(id) => memory::show(project, id),
        (_, ["memories", id, "edit"]) if is_id(id) => edit::edit(project, request, id),
        (true, ["memories", id, "pin"]) if is_id(id) => Ok(memory::pin(project, request, id)),
        (true, ["memories", id, "rename"]) if is_id(id) => Ok(memory::rename(project, request, id)),
        (_, ["memories", id, "verify"]) if is_id(id) => memory::fix_paths(project, request, id),
        (_, ["memories", id, "share"]) if is_id(id) => memory::share(project, request, id),
        (_, ["memories", id, "remove"]) if is_id(id) => memory::remove(project, request, id),
        (_, ["memories", id, "redact"]) if is_id(id) => redact::redact_memory(project, request, id),
        (_, ["memories", id, "restore", version]) if is_id(id) && is_id(version) => {
            changes::restore(project, request, id, version)
        }
        (false, ["changes"]) => changes::list(project, request),
        (false, ["changes", id]) if is_id(id) => changes::show(project, request, id),
        (true, ["changes", id, "undo"]) if is_id(id) => Ok(changes::undo(project, request, id)),
        (_, ["redact"]) => redact::redact_text(project, request),
        (_, ["erase"]) => redact::erase(project, request),
        (false, ["recall"]) => recall::show(project, request),
        (false, ["recall", "past"]) => recall::show_past(project, request),
        (false, ["inbox"]) => inbox::show(project),
        (_, ["inbox", id, "edit"]) if is_id(id) => inbox::edit(project, request, id),
        (true, ["inbox", id, "accept"]) if is_id(id) => Ok(inbox::decide(project, id, true)),
        (true, ["inbox", id, "reject"]) if is_id(id) => Ok(inbox::decide(project, id, false)),
        (false, ["team"]) => team::show(project),
        (true, ["team", "sync"]) => Ok(team::sync(project)),
        (true, ["team", "review"]) => Ok(team::approve(project, request)),
        (true, ["team", "resolve"]) => Ok(team::resolve(project, request)),
        (false, ["graph"]) => graph::show(project, request),
        _ => Err(PageError::not_found()),
    }
}

/// The project that the console was started in.
fn first_project(console: &Console) -> Result<String, PageError> {
    let status: Status = console.program.read(["status"]).map_err(PageError::from)?;
    remember(console, &status.slug, Path::new(&status.project_root));
    Ok(status.slug)
}

/// The project of a slug: one that was seen, else one that an audit of this machine finds.
fn find_project<'c>(console: &'c Console, slug: &'c str) -> Result<Project<'c>, PageError> {
    let directory = match known_directory(console, slug) {
        Some(directory) => directory,
        None => {
            first_project(console)?;
            if known_directory(console, slug).is_none() {
                audit(console)?;
            }
            known_directory(console, slug).ok_or_else(PageError::not_found)?
        }
    };
    Ok(Project {
        console,
        slug,
        program: console.program.in_directory(&directory),
    })
}

/// Slug and directory of every project that was seen.
pub(crate) fn lock_projects(console: &Console) -> MutexGuard<'_, Vec<(String, PathBuf)>> {
    let projects = console.projects.lock();
    projects.unwrap_or_else(PoisonError::into_inner)
}

fn known_directory(console: &Console, slug: &str) -> Option<PathBuf> {
    let projects = lock_projects(console);
    let found = projects.iter().find(|(known, _)| known == slug);
    found.map(|(_, directory)| directory.clone())
}

fn remember(console: &Console, slug: &str, directory: &Path) {
    let mut projects = lock_projects(console);
    if !projects.iter().any(|(known, _)| known == slug) {
        projects.push((slug.to_owned(), directory.to_owned()));
    }
}

/// Every project of this machine; those that have a directory are remembered.
pub(crate) fn audit(console: &Console) -> Result<Audit, PageError> {
    let audit: Audit = console.program.read(["audit"]).map_err(PageError::from)?;
    for project in &audit.projects {
        if let (Some(slug), Some(path)) = (&project.slug, &project.path)
            && Path::new(path).is_dir()
        {
            remember(console, slug, Path::new(path));
        }
    }
    Ok(audit)
}

/// What stands around a page of the address.
pub(crate) fn navigation(console: &Console, request: &Request) -> Navigation {
    let slug = request
        .slug()
        .filter(|_| !request.is_fragment && !request.is_post());
    let Some(directory) = slug.and_then(|slug| known_directory(console, slug)) else {
        return Navigation::default();
    };
    // `mem status` looks at every memory, which takes longer than most pages.
    let program = console.program.in_directory(&directory);
    let conflicts = |command| {
        let found = program.read::<Conflicts>([command, "resolve"]);
        found.map_or(0, |found| found.conflicts.len())
    };
    let inbox: Inbox = program.read(["inbox", "list"]).unwrap_or_default();
    Navigation {
        waiting: inbox.entries.len(),
        conflicts: conflicts("team") + conflicts("sync"),
        projects: Vec::new(),
    }
}

/// Slug and name of every project that was seen.
pub(crate) fn seen_projects(console: &Console) -> Vec<(String, String)> {
    let known = lock_projects(console);
    let named = known.iter();
    named
        .map(|(slug, directory)| (slug.clone(), directory_name(directory)))
        .collect()
}

fn directory_name(directory: &Path) -> String {
    let name = directory.file_name().unwrap_or(directory.as_os_str());
    name.to_string_lossy().into_owned()
}

/// A page about an error, within the project that it happened in.
pub(crate) fn error_page(console: &Console, request: &Request, error: &PageError) -> Page {
    let known = request
        .slug()
        .filter(|slug| known_directory(console, slug).is_some());
    Page {
        status: error.status,
        title: texts::REFUSED.to_owned(),
        section: Section::Overview,
        project: known.map(str::to_owned),
        content: html! {
            h1 { (error.status.canonical_reason().unwrap_or(texts::REFUSED)) }
            div.card {
                p { (code_spans(&error.message)) }
                @if let Some(hint) = &error.hint { p.hint { (texts::HINT) ": " (code_spans(hint)) } }
                p { a href="/" { (texts::BACK) } }
            }
        },
    }
}

/// A list of terms and what they are.
pub(crate) fn facts<'f>(items: impl IntoIterator<Item = (&'f str, Markup)>) -> Markup {
    html! {
        dl.facts {
            @for (term, value) in items { div { dt { (term) } dd { (value) } } }
        }
    }
}

/// Words as options that say themselves.
pub(crate) fn pairs<'w>(words: &[&'w str]) -> impl Iterator<Item = (&'w str, &'w str)> {
    words.iter().map(|word| (*word, *word))
}

/// Options of a choice; the value that is chosen is marked.
pub(crate) fn options<'o>(
    items: impl IntoIterator<Item = (&'o str, &'o str)>,
    chosen: &str,
) -> Markup {
    html! {
        @for (value, text) in items {
            option value=(value) selected[value == chosen] { (text) }
        }
    }
}
