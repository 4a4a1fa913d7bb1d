//! What is shared: how the remote is, what waits for a look, conflicts, and who changed what.

use axum::http::StatusCode;
use maud::{Markup, html};

use super::super::answers::{
    Conflict, Conflicts, FileDiff, Review, TeamChange, TeamLog, TeamStatus,
};
use super::super::diff::side_by_side;
use super::super::layout::{age, button, code_spans, form};
use super::super::request::{Answer, PageResult, Request, Section};
use super::super::texts;
use super::{Project, both, facts};

/// The page.
pub(crate) fn show(project: &Project<'_>) -> PageResult {
    let own: Conflicts = project.read(["sync", "resolve"]).unwrap_or_default();
    let own = html! { (conflict_list(project, texts::OWN_CONFLICTS, "sync", &own)) };
    let status: TeamStatus = match project.read(["team", "status"]) {
        Ok(status) => status,
        Err(error) if error.status == StatusCode::NOT_FOUND => {
            let content = html! {
                h1 { (texts::TEAM) }
                p.lead { (texts::TEAM_NONE) }
                @if let Some(hint) = &error.hint { p.card { (code_spans(hint)) } }
                (own)
            };
            return project.page(Section::Team, texts::TEAM, content);
        }
        Err(error) => return Err(error),
    };
    // The log asks the remote; what waits and what is in conflict is known here.
    let (log, (review, conflicts)) = both(
        || project.read::<TeamLog>(["team", "log"]),
        || {
            let review: Review = project.read(["team", "review"]).unwrap_or_default();
            let conflicts: Conflicts = project.read(["team", "resolve"]).unwrap_or_default();
            (review, conflicts)
        },
    );
    let now = (project.console.now)();
    let mut items = vec![(texts::REMOTE, html! { code { (status.remote) } })];
    let repository = status.repository.as_ref();
    items.extend(repository.map(|name| (texts::REPOSITORY, html! { (name) })));
    let synced = html! {
        @match &status.synced_at { Some(time) => (age(now, time)), None => (texts::NEVER) }
    };
    items.extend([
        (texts::SHARED, html! { (status.shared) }),
        (texts::LAST_SYNC, synced),
        (texts::TO_SEND, html! { (status.waiting.len()) }),
        (texts::TO_TAKE, html! { (status.to_take.len()) }),
    ]);
    let content = html! {
        div.title { h1 { (texts::TEAM) } (button(&project.at("/team/sync"), project.csrf(), texts::SYNC_NOW, "primary")) }
        section.card {
            (facts(items))
            @if status.offline { p.hint { (texts::TEAM_OFFLINE) } }
            @if let Some(error) = &status.error { p.hint { (code_spans(error)) } }
            (reasons(&status.not_shared))
            (reasons(&status.not_taken))
        }
        (conflict_list(project, texts::CONFLICT_TITLE, "team", &conflicts))
        (own)
        @if !review.waiting.is_empty() {
            h2 { (texts::REVIEW) }
            p.lead { (texts::REVIEW_INTRO) }
            @for file in &review.waiting { (review_card(project, file)) }
        }
        h2 { (texts::TEAM_LOG) }
        @match log {
            Ok(Ok(log)) => ol.timeline { @for change in &log.changes { li { (log_line(project, change)) } } },
            Ok(Err(error)) => p.hint { (code_spans(&error.message)) },
            Err(_) => p.hint { (texts::BROKEN) },
        }
    };
    project.page(Section::Team, texts::TEAM, content)
}

fn reasons(files: &[FileDiff]) -> Markup {
    html! {
        @if !files.is_empty() {
            h3 { (texts::NOT_SENT) }
            ul { @for file in files { li { code { (file.file) } " " (file.why.as_deref().unwrap_or_default()) } } }
        }
    }
}

/// Conflicts that `resolve` of a command decides on.
fn conflict_list(
    project: &Project<'_>,
    title: &str,
    command: &str,
    conflicts: &Conflicts,
) -> Markup {
    html! { @if !conflicts.conflicts.is_empty() {
        h2 { (title) }
        p.lead { (texts::CONFLICT_INTRO) }
        @for conflict in &conflicts.conflicts { (conflict_card(project, command, conflict)) }
    } }
}

fn conflict_card(project: &Project<'_>, command: &str, conflict: &Conflict) -> Markup {
    let at = project.at(&format!("/team/resolve?of={command}"));
    let choice = |with: &str, text: &str| {
        form(
            &at,
            project.csrf(),
            &html! {
                input type="hidden" name="file" value=(conflict.file);
                button type="submit" name="with" value=(with) { (text) }
            },
        )
    };
    html! {
        article.card.entry {
            div.title {
                h3 { (conflict.file) }
                div.buttons { (choice("mine", texts::MINE)) (choice("theirs", texts::THEIRS)) }
            }
            p.quiet { (texts::FROM_THEIRS) }
            @if let Some(diff) = &conflict.diff { (side_by_side(diff)) }
            details { summary { (texts::MERGE_TEXT) }
                (form(&at, project.csrf(), &html! {
                    input type="hidden" name="file" value=(conflict.file);
                    label { (texts::MERGE_HINT) textarea.code name="text" rows="14" spellcheck="false" { "\n" (conflict.both) } }
                    button type="submit" name="with" value="merged" { (texts::MERGED) }
                }))
            }
        }
    }
}

fn review_card(project: &Project<'_>, file: &FileDiff) -> Markup {
    html! {
        article.card.entry {
            div.title {
                h3 { (file.file) }
                (form(&project.at("/team/review"), project.csrf(), &html! {
                    input type="hidden" name="file" value=(file.file);
                    button.primary type="submit" { (texts::APPROVE) }
                }))
            }
            @if let Some(diff) = &file.diff { (side_by_side(diff)) }
        }
    }
}

fn log_line(project: &Project<'_>, change: &TeamChange) -> Markup {
    let now = (project.console.now)();
    let time = change.at.as_deref().or(change.time.as_deref());
    let time = time.unwrap_or_default();
    let files: Vec<&str> = change.versions.iter().map(|one| &*one.file).collect();
    let file = change.key.clone().unwrap_or_else(|| files.join(", "));
    html! {
        p { strong { (change.operation.as_deref().or(change.verb.as_deref()).unwrap_or_default()) } " " (file) }
        p.quiet { (age(now, time)) @if let Some(actor) = &change.actor { " · " (actor) } @if let Some(reason) = &change.reason { " · " (reason) } }
    }
}

/// Syncs now.
pub(crate) fn sync(project: &Project<'_>) -> Answer {
    project.change(["team", "sync"], texts::SYNCED, &project.at("/team"))
}

/// Lets a file go to the team.
pub(crate) fn approve(project: &Project<'_>, request: &Request) -> Answer {
    project.change(
        ["team", "review", "--", request.field("file")],
        texts::APPROVED,
        &project.at("/team"),
    )
}

/// Decides on a conflict.
pub(crate) fn resolve(project: &Project<'_>, request: &Request) -> Answer {
    let (file, back) = (request.field("file"), project.at("/team"));
    let command = match request.query("of") {
        "sync" => "sync",
        _ => "team",
    };
    let (choice, text) = match request.field("with") {
        "mine" => ("--mine", String::new()),
        "theirs" => ("--theirs", String::new()),
        _ => ("--merged=-", request.text("text")),
    };
    let words = [command, "resolve", choice, "--", file];
    project.change_with_input(words, &text, texts::RESOLVED, &back)
}
