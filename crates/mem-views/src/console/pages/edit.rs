//! The editor: fields of the frontmatter and the text, or the whole file; and a new memory.
//!
//! A form carries the digest of the file that it was opened with. Where another one stands there now the command refuses,
//! and the form comes back with what was written in it.

use axum::http::StatusCode;
use maud::{Markup, html};

use super::super::answers::{EditOutcome, Memory};
use super::super::diff::{side_by_side, whole_diff};
use super::super::layout::{error_card, form};
use super::super::markdown;
use super::super::request::{Answer, PageError, PageResult, Request, Section};
use super::super::texts;
use super::memories::{SCOPES, TYPES};
use super::{Project, memory, options, pairs};

/// What a form holds: a memory as it is, or as somebody wrote it.
#[derive(Debug, Default)]
struct Draft {
    name: String,
    description: String,
    kind: String,
    scope: String,
    tags: String,
    when: String,
    importance: String,
    expires: String,
    is_pinned: bool,
    body: String,
    content: String,
    sha256: String,
    reason: String,
}

impl Draft {
    fn of_memory(memory: &Memory) -> Self {
        let importance = memory.importance.map(|value| value.to_string());
        Self {
            name: memory.name.clone().unwrap_or_default(),
            description: memory.description.clone().unwrap_or_default(),
            kind: memory.kind.clone().unwrap_or_default(),
            tags: memory.tags.join(", "),
            when: memory.when.join(", "),
            importance: importance.unwrap_or_default(),
            expires: memory.expires.clone().unwrap_or_default(),
            is_pinned: memory.pinned,
            body: memory.body.clone(),
            content: memory.content.clone().unwrap_or_default(),
            sha256: memory.sha256.clone(),
            ..Self::default()
        }
    }

    fn of_form(request: &Request) -> Self {
        let line = |key: &str| request.field(key).trim().to_owned();
        Self {
            name: line("name"),
            description: line("description"),
            kind: line("type"),
            scope: line("scope"),
            tags: request.items("tags").join(", "),
            when: request.items("when").join(", "),
            importance: line("importance"),
            expires: line("expires"),
            is_pinned: request.has_field("pin"),
            body: request.text("body"),
            content: request.text("content"),
            sha256: line("sha256"),
            reason: line("reason"),
        }
    }

    /// The arguments that change the fields.
    fn arguments(&self, is_raw: bool) -> Vec<String> {
        let mut arguments = vec!["edit".to_owned(), format!("--if-match={}", self.sha256)];
        if !self.reason.is_empty() {
            arguments.push(format!("--reason={}", self.reason));
        }
        if is_raw {
            arguments.push("--content=-".to_owned());
            return arguments;
        }
        arguments.extend([
            format!("--title={}", self.name),
            format!("--description={}", self.description),
            format!("--tags={}", self.tags),
            format!("--when={}", self.when),
            format!("--importance={}", self.importance),
            format!("--expires={}", self.expires),
            format!("--pin={}", self.is_pinned),
            "--body=-".to_owned(),
        ]);
        if !self.kind.is_empty() {
            arguments.push(format!("--type={}", self.kind));
        }
        arguments
    }
}

/// The editor of a memory, and what it sends.
pub(crate) fn edit(project: &Project<'_>, request: &Request, id: &str) -> PageResult {
    let is_raw = request.query("as") == "file";
    let back = project.at(&format!("/memories/{id}"));
    if !request.is_post() {
        let memory = memory::find(project, id)?.ok_or_else(PageError::not_found)?;
        if memory.content.is_none() {
            let status = StatusCode::BAD_REQUEST;
            return Err(PageError::from_status(status, texts::NOT_TEXT));
        }
        let form = edit_form(project, id, &Draft::of_memory(&memory), is_raw);
        let content = html! { (heading(project, id, memory.title(), is_raw)) (form) };
        return project.page(Section::Memories, texts::EDIT, content);
    }
    let mut draft = Draft::of_form(request);
    let mut arguments = draft.arguments(is_raw);
    arguments.extend(["--".to_owned(), id.to_owned()]);
    let input = if is_raw { &draft.content } else { &draft.body };
    match project.read_with_input::<EditOutcome>(&arguments, input) {
        Ok(edited) => {
            let said = edited.change.map_or(texts::UNCHANGED, |_| texts::SAVED);
            Ok(project.done(said, back))
        }
        Err(error) => {
            let mut meanwhile = html! {};
            if error.is_conflict()
                && let Some(now) = memory::find(project, id)?
            {
                meanwhile = conflict(&now, &draft, is_raw);
                draft.sha256 = now.sha256;
            }
            let content = html! {
                (heading(project, id, &draft.name, is_raw))
                @if error.is_conflict() {
                    div.notice.error role="alert" { p { (texts::EDIT_CONFLICT) } }
                    (meanwhile)
                } @else { (error_card(&error)) }
                (edit_form(project, id, &draft, is_raw))
            };
            project.page_with_status(error.status, Section::Memories, texts::EDIT, content)
        }
    }
}

/// How what stands there now differs from what was written.
fn conflict(now: &Memory, draft: &Draft, is_raw: bool) -> Markup {
    let (now, wanted) = match is_raw {
        true => (now.content.as_deref().unwrap_or_default(), &draft.content),
        false => (now.body.as_str(), &draft.body),
    };
    html! { h2 { (texts::MEANWHILE) } (side_by_side(&whole_diff(now, wanted))) }
}

fn heading(project: &Project<'_>, id: &str, title: &str, is_raw: bool) -> Markup {
    let at = project.at(&format!("/memories/{id}"));
    html! {
        p.crumb { a href=(project.at("/memories")) { (texts::MEMORIES) } " / " a href=(at) { (title) } }
        h1 { (texts::EDIT) }
        ul.tabs {
            li { a href={ (at) "/edit" } aria-current=[(!is_raw).then_some("page")] { (texts::EDIT_FIELDS) } }
            li { a href={ (at) "/edit?as=file" } aria-current=[is_raw.then_some("page")] { (texts::EDIT_RAW) } }
        }
    }
}

fn edit_form(project: &Project<'_>, id: &str, draft: &Draft, is_raw: bool) -> Markup {
    let query = if is_raw { "?as=file" } else { "" };
    let action = project.at(&format!("/memories/{id}/edit{query}"));
    form(
        &action,
        project.csrf(),
        &html! {
            input type="hidden" name="sha256" value=(draft.sha256);
            @if is_raw {
                input type="hidden" name="name" value=(draft.name);
                label { (texts::WHOLE_FILE) textarea.code name="content" rows="24" spellcheck="false" { "\n" (draft.content) } }
            } @else {
                (fields(draft))
                (body_with_preview(project, draft))
            }
            label { (texts::REASON) input type="text" name="reason" value=(draft.reason); }
            div.buttons {
                button.primary type="submit" data-key="save" { (texts::SAVE) }
                a.button href=(project.at(&format!("/memories/{id}"))) { (texts::CANCEL) }
            }
        },
    )
}

fn fields(draft: &Draft) -> Markup {
    let importance = [("", "–")]
        .into_iter()
        .chain(pairs(&["1", "2", "3", "4", "5"]));
    let untyped = draft.kind.is_empty().then_some(("", texts::NO_TYPE));
    let kinds = untyped.into_iter().chain(pairs(&TYPES));
    html! {
        div.fields {
            label.wide { (texts::NAME) input type="text" name="name" required value=(draft.name); }
            label.wide { (texts::DESCRIPTION) input type="text" name="description" required value=(draft.description); small { (texts::DESCRIPTION_HINT) } }
            label { (texts::TYPE) select name="type" { (options(kinds, &draft.kind)) } }
            label { (texts::IMPORTANCE) select name="importance" { (options(importance, &draft.importance)) } }
            label { (texts::EXPIRES) input type="text" name="expires" value=(draft.expires); small { (texts::EXPIRES_HINT) } }
            label.check { input type="checkbox" name="pin" value="true" checked[draft.is_pinned]; (texts::PINNED) }
            label.half { (texts::TAGS) input type="text" name="tags" value=(draft.tags); small { (texts::TAGS_HINT) } }
            label.half { (texts::WHEN) input type="text" name="when" value=(draft.when); small { (texts::WHEN_HINT) } }
        }
    }
}

/// The text, with how it looks beside it where scripts run.
fn body_with_preview(project: &Project<'_>, draft: &Draft) -> Markup {
    html! {
        div.beside {
            label { (texts::BODY)
                textarea.code name="body" rows="18"
                    hx-post=(project.at("/memories/preview")) hx-trigger="input delay:300ms" hx-target="#preview" hx-include="closest form" {
                    // A form takes the first line break away.
                    "\n" (draft.body)
                }
            }
            div { p.label { (texts::LIVE) } div #preview.card.prose tabindex="0" { (markdown::render(&draft.body)) } }
        }
    }
}

/// How a text looks.
pub(crate) fn preview(request: &Request) -> Answer {
    Answer::Fragment(markdown::render(&request.text("body")))
}

/// The form of a new memory, and what it sends.
pub(crate) fn create(project: &Project<'_>, request: &Request) -> PageResult {
    let draft = Draft::of_form(request);
    let mut failure = None;
    if request.is_post() {
        let mut arguments = vec!["save".to_owned(), "--body=-".to_owned()];
        let fields = [
            ("type", draft.kind.as_str()),
            ("name", &draft.name),
            ("description", &draft.description),
            ("scope", &draft.scope),
            ("importance", &draft.importance),
            ("expires", &draft.expires),
            ("reason", &draft.reason),
        ];
        let fields = fields.into_iter().filter(|(_, value)| !value.is_empty());
        let tags = request.items("tags").into_iter().map(|tag| ("tag", tag));
        let files = request.items("when").into_iter().map(|file| ("when", file));
        let fields = fields.chain(tags).chain(files);
        arguments.extend(fields.map(|(flag, value)| format!("--{flag}={value}")));
        arguments.extend(draft.is_pinned.then(|| "--pin".to_owned()));
        match project.read_with_input::<Memory>(&arguments, &draft.body) {
            Ok(saved) => {
                let at = project.at(&format!("/memories/{}", saved.id));
                return Ok(project.done(texts::SAVED, at));
            }
            Err(error) => failure = Some(error),
        }
    }
    let content = html! {
        p.crumb { a href=(project.at("/memories")) { (texts::MEMORIES) } }
        h1 { (texts::NEW_MEMORY) }
        @if let Some(error) = &failure { (error_card(error)) }
        (form(&project.at("/memories/new"), project.csrf(), &html! {
            (fields(&Draft { kind: if draft.kind.is_empty() { "project".to_owned() } else { draft.kind.clone() }, ..Draft::of_form(request) }))
            label { (texts::WHOSE) select name="scope" { (options(pairs(&SCOPES), &draft.scope)) } }
            (body_with_preview(project, &draft))
            div.buttons {
                button.primary type="submit" data-key="save" { (texts::SAVE) }
                a.button href=(project.at("/memories")) { (texts::CANCEL) }
            }
        }))
    };
    project.page(Section::Memories, texts::NEW_MEMORY, content)
}
