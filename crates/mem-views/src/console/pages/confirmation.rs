//! A page that shows what a change would do and asks for it; the form that it has makes the change.

use maud::{Markup, html};
use serde::de::DeserializeOwned;

use super::super::access::Secret;
use super::super::answers::Diffs;
use super::super::diff::side_by_side;
use super::super::layout::form;
use super::super::request::{Answer, PageResult, Request, Section};
use super::super::texts;
use super::Project;

/// One question, and the command that it is about.
pub(crate) struct Confirmation<'c> {
    pub section: Section,
    pub title: &'c str,
    pub warning: &'c str,
    /// Whether nothing brings back what goes.
    pub is_final: bool,
    /// The words of the command, without a flag that confirms it.
    pub command: Vec<&'c str>,
    /// What the command wants instead of a question.
    pub consent: Option<&'static str>,
    /// What is said when it was done.
    pub done: &'static str,
    /// Where one goes then, or without it.
    pub back: String,
}

impl<'c> Confirmation<'c> {
    /// A question about a memory: its command can be undone and does not ask.
    pub(crate) fn of_memory(
        project: &Project<'_>,
        id: &str,
        title: &'c str,
        command: Vec<&'c str>,
    ) -> Self {
        Self {
            section: Section::Memories,
            title,
            warning: "",
            is_final: false,
            command,
            consent: None,
            done: texts::SAVED,
            back: project.at(&format!("/memories/{id}")),
        }
    }

    /// The page, with what the command says that it would do; once the form was sent, what it came to.
    pub(crate) fn answer<T: DeserializeOwned>(
        &self,
        project: &Project<'_>,
        request: &Request,
        show: impl FnOnce(&T) -> Markup,
    ) -> PageResult {
        if request.is_post() {
            return Ok(self.make_change(project, ""));
        }
        let dry_run: T = project.read(self.arguments(Some("--dry-run")))?;
        self.page(project, request, &show(&dry_run), &html! {})
    }

    /// Runs the command.
    pub(crate) fn make_change(&self, project: &Project<'_>, input: &str) -> Answer {
        project.change_with_input(self.arguments(self.consent), input, self.done, &self.back)
    }

    /// The words of the command with a flag: names stand behind `--`.
    pub(crate) fn arguments(&self, flag: Option<&'c str>) -> Vec<&'c str> {
        let names = self.command.iter().position(|word| *word == "--");
        let at = names.unwrap_or(self.command.len());
        let mut arguments = self.command.clone();
        arguments.splice(at..at, flag);
        arguments
    }

    /// The page, with fields of the form above its button.
    pub(crate) fn page(
        &self,
        project: &Project<'_>,
        request: &Request,
        preview: &Markup,
        fields: &Markup,
    ) -> PageResult {
        let page = ConfirmationPage {
            title: self.title,
            warning: self.warning,
            preview: preview.clone(),
            fields: fields.clone(),
            back: self.back.clone(),
            is_final: self.is_final,
        };
        project.page(
            self.section,
            self.title,
            page.content(&request.address, project.csrf()),
        )
    }
}

/// What such a page says, whatever makes the change.
pub(crate) struct ConfirmationPage<'c> {
    pub title: &'c str,
    pub warning: &'c str,
    pub preview: Markup,
    /// Fields of the form above the button.
    pub fields: Markup,
    /// Where one goes back to.
    pub back: String,
    pub is_final: bool,
}

impl ConfirmationPage<'_> {
    /// The page, with a form that goes to `action`.
    pub(crate) fn content(&self, action: &str, csrf: &Secret) -> Markup {
        html! {
            h1 { (self.title) }
            @if self.is_final { p.notice.error { strong { (texts::FOR_GOOD) } ". " (self.warning) } }
            @else { p.lead { (self.warning) } }
            h2 { (texts::WOULD_CHANGE) }
            (self.preview)
            (form(action, csrf, &html! {
                (self.fields)
                div.buttons {
                    button.danger[self.is_final].primary[!self.is_final] type="submit" { (self.title) }
                    a.button href=(self.back) { (texts::CANCEL) }
                }
            }))
        }
    }
}

/// Diffs of files, or that there are none.
pub(crate) fn diff_list(diffs: &Diffs) -> Markup {
    let shown = diffs.files.iter().filter_map(|file| file.diff.as_deref());
    let joined: String = shown.collect();
    html! {
        @if diffs.files.is_empty() { p.quiet { (texts::NOTHING_CHANGES) } }
        @if !joined.is_empty() { (side_by_side(&joined)) }
        @for file in &diffs.files {
            @if let (None, Some(why)) = (&file.diff, &file.why) { p { code { (file.file) } " " (why) } }
        }
    }
}
