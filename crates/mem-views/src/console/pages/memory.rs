//! One memory: what it says, whether the code still says so, where it comes from, and what can be done with it.

use maud::{Markup, html};

use super::super::answers::{
    Change, Citation, Conflicts, Fixes, Memory, Verified, Version, Versions,
};
use super::super::layout::{age, button, code_spans, form, verdict_badge};
use super::super::markdown;
use super::super::request::{Answer, PageError, PageResult, Request, Section};
use super::super::texts;
use super::confirmation::{Confirmation, diff_list};
use super::{Project, both, facts};

/// The words of a command that looks at the history of the project, or at the global one on its own.
pub(crate) fn in_history<'w>(is_global: bool, words: &[&'w str]) -> Vec<&'w str> {
    let mut words = words.to_vec();
    words.splice(1..1, is_global.then_some("--global"));
    words
}

/// What the addresses of a memory's history have behind them.
pub(crate) fn history_query(is_global: bool) -> &'static str {
    if is_global { "?global=1" } else { "" }
}

/// The memory of an id; `None` where it was removed.
pub(crate) fn find(project: &Project<'_>, id: &str) -> Result<Option<Memory>, PageError> {
    match project.read::<Memory>(["show", "--", id]) {
        Ok(memory) => Ok(Some(memory)),
        Err(error) if error.status == axum::http::StatusCode::NOT_FOUND => Ok(None),
        Err(error) => Err(error),
    }
}

/// The versions of a memory, in the history that has it, and whether that is the global one.
fn versions(project: &Project<'_>, id: &str) -> (Versions, bool) {
    let read = |is_global| {
        let words = in_history(is_global, &["history", "--", id]);
        project.read::<Versions>(words).unwrap_or_default()
    };
    match read(false) {
        versions if !versions.versions.is_empty() => (versions, false),
        _ => (read(true), true),
    }
}

/// The page.
pub(crate) fn show(project: &Project<'_>, id: &str) -> PageResult {
    let (checked, (memory, ((versions, is_global), has_team))) = both(
        || project.read::<Verified>(["verify", "--", id]),
        || {
            let has_team = project.read::<Conflicts>(["team", "resolve"]).is_ok();
            (find(project, id), (versions(project, id), has_team))
        },
    );
    let memory = memory?;
    let checked = checked.ok().and_then(Result::ok).unwrap_or_default();
    let note = checked.notes.first();
    let citations = note.map_or(&[][..], |note| &note.citations);
    if memory.is_none() && versions.versions.is_empty() {
        return Err(PageError::not_found());
    }
    let title = memory.as_ref().map_or(&*versions.file, Memory::title);
    let content = html! {
        @match &memory {
            Some(memory) => {
                (heading(project, memory))
                div.columns {
                    div.primary {
                        article.card.prose { h2.sr { (texts::RENDERED) } (markdown::render(&memory.body)) }
                        (citation_list(project, memory, citations))
                        (timeline(project, id, &versions.versions, is_global, true))
                    }
                    aside {
                        (fact_list(project, memory))
                        (actions(project, memory, has_team))
                        details.card.raw open { summary { (texts::RAW) }
                            @if memory.content.is_none() { p.hint { (texts::NOT_TEXT) } }
                            pre tabindex="0" { code { (memory.content.as_deref().unwrap_or(&memory.body)) } }
                        }
                    }
                }
            }
            None => {
                h1 { (title) }
                p.notice role="status" { (texts::GONE) }
                (timeline(project, id, &versions.versions, is_global, false))
            }
        }
    };
    project.page(Section::Memories, title, content)
}

fn heading(project: &Project<'_>, memory: &Memory) -> Markup {
    html! {
        p.crumb { a href=(project.at("/memories")) { (texts::MEMORIES) } }
        div.title {
            h1 { (memory.title()) }
            @if memory.content.is_some() {
                a.button.primary data-key="e" href=(project.at(&format!("/memories/{}/edit", memory.id))) { (texts::EDIT) }
            }
        }
        @if let Some(description) = &memory.description { p.lead { (description) } }
        @if let Some(drift) = memory.drift.as_ref().filter(|drift| drift.verdict != "fresh" && !drift.reasons.is_empty()) {
            ul.reasons.(super::super::layout::verdict_class(&drift.verdict)) { @for reason in &drift.reasons { li { (code_spans(reason)) } } }
        }
    }
}

fn fact_list(project: &Project<'_>, memory: &Memory) -> Markup {
    let now = (project.console.now)();
    let words = |words: &[String]| html! { @for word in words { span.tag { (word) } " " } };
    let kind = memory.kind.as_deref().unwrap_or(texts::NO_TYPE);
    let mut items = vec![
        (texts::VERDICT, verdict_badge(memory.drift.as_ref())),
        (texts::TYPE, html! { (kind) }),
        (texts::SCOPE, html! { (memory.scope) }),
        (texts::MODIFIED, age(now, &memory.modified)),
    ];
    if let Some(change) = &memory.provenance.modified {
        items.push((texts::AUTHOR, author(change)));
    }
    if !memory.tags.is_empty() {
        items.push((texts::TAGS, words(&memory.tags)));
    }
    if !memory.when.is_empty() {
        items.push((texts::WHEN, words(&memory.when)));
    }
    if let Some(importance) = memory.importance {
        items.push((texts::IMPORTANCE, html! { (importance) " / 5" }));
    }
    if let Some(expires) = &memory.expires {
        items.push((texts::EXPIRES, html! { (expires) }));
    }
    items.push((texts::FILE, html! { code { (memory.file) } }));
    html! { section.card { (facts(items)) @for warning in &memory.warnings { p.hint { (warning) } } } }
}

/// Who made a change: trust class, name, host and session.
pub(crate) fn author(change: &Change) -> Markup {
    let trust = change.trust.as_deref().unwrap_or(&change.actor);
    html! {
        span.trust.outside[trust.contains("outside")] { (change.name.as_deref().unwrap_or_else(|| texts::trust(trust))) }
        @if change.name.is_some() { " " span.quiet { (texts::trust(trust)) } }
        @if let Some(host) = &change.host { " " span.quiet { (host) } }
        @if let Some(session) = &change.session { " " code.quiet { (session.chars().take(8).collect::<String>()) } }
    }
}

fn actions(project: &Project<'_>, memory: &Memory, has_team: bool) -> Markup {
    let at = |verb: &str| project.at(&format!("/memories/{}/{verb}", memory.id));
    let pin = if memory.pinned {
        texts::UNPIN
    } else {
        texts::PIN
    };
    html! {
        section.card.actions {
            h2 { (texts::ACTIONS) }
            div.buttons {
                (form(&at("pin"), project.csrf(), &html! {
                    input type="hidden" name="pin" value=(!memory.pinned);
                    button type="submit" { (pin) }
                }))
                @if has_team && memory.scope == "private" && memory.kind.as_deref() != Some("user") {
                    a.button href=(at("share")) { (texts::SHARE) }
                }
                a.button href=(at("remove")) { (texts::REMOVE) }
                a.button.danger href=(at("redact")) { (texts::REDACT) }
            }
            details { summary { (texts::RENAME) }
                (form(&at("rename"), project.csrf(), &html! {
                    label { (texts::NEW_NAME) input type="text" name="name" required value=(memory.title()); }
                    button type="submit" { (texts::RENAME) }
                }))
            }
        }
    }
}

fn citation_list(project: &Project<'_>, memory: &Memory, citations: &[Citation]) -> Markup {
    html! {
        section aria-labelledby="citations" {
            h2 #citations { (texts::CITATIONS) }
            @if citations.is_empty() { p.quiet { (texts::NO_CITATIONS) } }
            ul.citations {
                @for citation in citations {
                    li {
                        details {
                            summary {
                                span class={ "status " (status_class(&citation.status)) } { (citation.status) }
                                " " code { (citation.text) } " "
                                @if let Some(detail) = &citation.detail { span.quiet { (code_spans(detail)) } }
                                @else { span.quiet { (citation.kind) } }
                            }
                            @if let Some(code) = &citation.code {
                                p.quiet { code { (code.path) } }
                                pre.code tabindex="0" { @for (at, line) in code.lines.iter().enumerate() {
                                    @let number = code.first + at;
                                    span.line.meant[code.line == Some(number)] { span.number { (number) } (line) "\n" }
                                } }
                            } @else { p.quiet { (texts::LINE) " " (citation.line) } }
                        }
                    }
                }
            }
            @if citations.iter().any(|citation| citation.moved_to.is_some()) {
                p { a.button href=(project.at(&format!("/memories/{}/verify", memory.id))) { (texts::FIX_PATHS) } }
            }
        }
    }
}

fn status_class(status: &str) -> &'static str {
    match status {
        "present" => "fresh",
        "changed" => "aging",
        "moved" => "drifted",
        "gone" | "never" => "broken",
        _ => "unknown",
    }
}

/// The versions, newest first.
fn timeline(
    project: &Project<'_>,
    id: &str,
    versions: &[Version],
    is_global: bool,
    is_there: bool,
) -> Markup {
    let now = (project.console.now)();
    let query = history_query(is_global);
    html! {
        section aria-labelledby="history" {
            h2 #history { (texts::HISTORY) }
            @if versions.is_empty() { p.quiet { (texts::NO_HISTORY) } }
            ol.timeline {
                @for (at, version) in versions.iter().enumerate() {
                    li {
                        @let change = &version.change;
                        p { strong { (version.operation) } " " (age(now, &change.time)) " · " (author(change))
                            @if version.redacted { " " span.tag { (texts::REDACTED) } } }
                        @if let Some(reason) = &change.reason { p.quiet { (reason) } }
                        p.links {
                            a href=(project.at(&format!("/changes/{}{query}", change.id))) { (texts::SHOW_CHANGE) }
                            @if (at > 0 || !is_there) && version.operation != "deleted" && !version.redacted {
                                a href=(project.at(&format!("/memories/{id}/restore/{}{query}", version.id))) { (texts::RESTORE) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Pins and unpins.
pub(crate) fn pin(project: &Project<'_>, request: &Request, id: &str) -> Answer {
    let (pin, done) = match request.field("pin") {
        "true" => ("--pin=true", texts::PINNED_NOW),
        _ => ("--pin=false", texts::UNPINNED_NOW),
    };
    let back = project.at(&format!("/memories/{id}"));
    project.change(["edit", pin, "--", id], done, &back)
}

/// Renames.
pub(crate) fn rename(project: &Project<'_>, request: &Request, id: &str) -> Answer {
    let name = request.field("name").trim();
    let back = project.at(&format!("/memories/{id}"));
    project.change(["rename", "--", id, name], texts::RENAMED, &back)
}

/// Moves a memory to the team.
pub(crate) fn share(project: &Project<'_>, request: &Request, id: &str) -> PageResult {
    let command = vec!["team", "share", "--", id];
    let question = Confirmation {
        warning: texts::SHARE_WARNING,
        done: texts::SHARED_NOW,
        ..Confirmation::of_memory(project, id, texts::SHARE, command)
    };
    question.answer(project, request, diff_list)
}

/// Removes a memory.
pub(crate) fn remove(project: &Project<'_>, request: &Request, id: &str) -> PageResult {
    let reason = request.field("reason").trim();
    let flag = format!("--reason={reason}");
    let mut command = vec!["remove", "--yes"];
    command.extend((!reason.is_empty()).then_some(flag.as_str()));
    command.extend(["--", id]);
    let question = Confirmation {
        warning: texts::REMOVE_WARNING,
        done: texts::GONE,
        ..Confirmation::of_memory(project, id, texts::REMOVE, command)
    };
    if request.is_post() {
        return Ok(question.make_change(project, ""));
    }
    let memory = find(project, id)?.ok_or_else(PageError::not_found)?;
    let preview =
        html! { div.card.prose { h3 { (memory.title()) } (markdown::render(&memory.body)) } };
    let fields = html! { label { (texts::REASON) input type="text" name="reason"; } };
    question.page(project, request, &preview, &fields)
}

/// Rewrites the paths of files that moved.
pub(crate) fn fix_paths(project: &Project<'_>, request: &Request, id: &str) -> PageResult {
    let command = vec!["verify", "--fix", "--", id];
    let question = Confirmation {
        consent: Some("--yes"),
        ..Confirmation::of_memory(project, id, texts::FIX_PATHS, command)
    };
    if !request.is_post() {
        let fixes: Fixes = project.read(question.arguments(Some("--dry-run")))?;
        if fixes.fixed.is_empty() {
            let content = html! {
                h1 { (texts::FIX_PATHS) }
                p.lead { (texts::NO_PATH_TO_FIX) }
                p { a.button.primary href=(project.at(&format!("/memories/{id}/edit"))) { (texts::EDIT) } }
            };
            return project.page(Section::Memories, texts::FIX_PATHS, content);
        }
    }
    question.answer(project, request, |fixes: &Fixes| html! {
        ul { @for fix in &fixes.fixed { li { (texts::LINE) " " (fix.line) ": " del { code { (fix.text) } } " → " ins { code { (fix.replacement) } } } } }
    })
}

/// A button that undoes a change.
pub(crate) fn undo_button(project: &Project<'_>, change: &str, is_global: bool) -> Markup {
    let query = history_query(is_global);
    let at = project.at(&format!("/changes/{change}/undo{query}"));
    button(&at, project.csrf(), texts::UNDO, "primary")
}
