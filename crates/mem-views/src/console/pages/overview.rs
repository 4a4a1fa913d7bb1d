//! The first page: what there is, what needs a look, and the other projects.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use maud::{Markup, html};

use super::super::answers::{Audit, Changes, Cost, Memory, MemoryList, RemoteSummary, Status};
use super::super::layout::{code_spans, verdict_badge};
use super::super::plot::Plot;
use super::super::request::{PageResult, Request, Section};
use super::super::texts;
use super::memories::{SCOPES, TYPES};
use super::{Project, audit, both, live, lock_projects};

/// Changes that plots are made of.
const CHANGES_MAX: &str = "--limit=5000";
/// Memories that need a look and are named here.
const STALE_MAX: usize = 8;
const VERDICTS: [&str; 4] = ["fresh", "aging", "drifted", "broken"];

/// The page.
pub(crate) fn show(project: &Project<'_>) -> PageResult {
    let (listed, (history, rest)) = both(
        || project.read::<MemoryList>(["list"]),
        || {
            both(
                || project.read::<Changes>(["history", CHANGES_MAX]),
                || {
                    (
                        project.read::<Status>(["status"]),
                        project.read::<Cost>(["cost"]),
                    )
                },
            )
        },
    );
    let (status, cost) = rest;
    let (status, cost) = (status?, cost.unwrap_or_default());
    let list = listed.unwrap_or_else(|_| Ok(MemoryList::default()))?;
    let changes = history.ok().and_then(Result::ok).unwrap_or_default();
    let now = (project.console.now)();
    let today = now.to_zoned(TimeZone::UTC).date();
    let memories = &list.memories;
    let own = count(memories, |memory| memory.scope != "global");
    let mut stale: Vec<&Memory> = memories
        .iter()
        .filter(|memory| matches!(memory.verdict(), Some("broken" | "drifted")))
        .collect();
    stale.sort_by_key(|memory| memory.verdict() != Some("broken"));
    let plots = [
        Plot::of_memories(&changes.changes, own, today),
        Plot::of_changes(&changes.changes, today),
        Plot::of_figures(
            texts::PLOT_TOKENS,
            &cost.days,
            &[(texts::TOKENS, |one| one.tokens)],
            today,
        ),
        Plot::of_figures(
            texts::PLOT_USES,
            &cost.days,
            &[
                (texts::USED, |one| one.used),
                (texts::NOT_USED, |one| one.memories.saturating_sub(one.used)),
            ],
            today,
        ),
        Plot::of_figures(
            texts::PLOT_SECRETS,
            &status.secrets_stopped,
            &[(texts::SECRETS, |one| one.secrets)],
            today,
        ),
    ];
    let agents = status.agents.as_ref();
    let waiting = agents.map_or(0, |agents| agents.waiting + agents.from_team);
    let remotes = [&status.team, &status.own].into_iter().flatten();
    let conflicts = remotes.map(|remote| remote.conflicts).sum();
    let content = html! {
        h1 { (project.name()) }
        p.lead { code { (status.project_root) } }
        @if !status.enabled { p.notice.error { (texts::MEMORY_OFF) } }
        ul.figures {
            (figure(project, "/memories", memories.len(), texts::KEPT, false))
            (figure(project, "/memories?sort=verdict", stale.len(), texts::STALE, true))
            (figure(project, "/inbox", waiting, texts::WAITING, true))
            (figure(project, "/team", conflicts, texts::CONFLICTS, true))
        }
        div.columns {
            div.primary {
                section.card {
                    h2 { (texts::ATTENTION) }
                    @if memories.is_empty() { p { (texts::NO_MEMORIES) } }
                    @else if stale.is_empty() { p.quiet { (texts::NOTHING_STALE) } }
                    ul.attention { @for memory in stale.iter().take(STALE_MAX) {
                        li { a href=(project.at(&format!("/memories/{}", memory.id))) { (memory.title()) } " " (verdict_badge(memory.drift.as_ref()))
                            @if let Some(reason) = memory.drift.as_ref().and_then(|drift| drift.reasons.first()) { p.quiet { (code_spans(reason)) } } }
                    } }
                }
                @if plots.iter().any(|plot| !plot.is_empty()) {
                    section.card { h2 { (texts::OVER_TIME) } @for plot in &plots { (plot.render()) }
                        @if cost.used_later.prompt.memories > 0 {
                            @let used = &cost.used_later.prompt;
                            p.quiet { (used.used) " / " (used.memories) " " (texts::USED_LATER) }
                        }
                    }
                }
                // An audit of many projects takes seconds: the page does not wait for it.
                section.card {
                    h2 { (texts::PROJECTS) }
                    div hx-get=(project.at("/projects")) hx-trigger="load" hx-swap="outerHTML" {
                        a href=(project.at("/projects")) { (texts::SHOW_PROJECTS) }
                    }
                }
            }
            aside {
                section.card {
                    (bars(project, texts::BY_TYPE, "type", &TYPES.map(|word| (word, count(memories, |memory| memory.kind.as_deref() == Some(word))))))
                    (bars(project, texts::BY_SCOPE, "scope", &SCOPES.map(|word| (word, count(memories, |memory| memory.scope == word)))))
                    (bars(project, texts::BY_VERDICT, "verdict", &VERDICTS.map(|word| (word, count(memories, |memory| memory.verdict() == Some(word))))))
                    (bars(project, texts::BY_AGE, "", &ages(memories, now)))
                }
                section.card {
                    h2 { (texts::AGENTS) }
                    @if status.hosts.is_empty() { p.quiet { (code_spans(texts::NO_AGENTS)) } }
                    ul { @for host in &status.hosts { li { strong { (host.name) } " " span.quiet {
                        (code_spans(if host.is_connected { texts::CONNECTED } else { texts::NOT_CONNECTED })) } } } }
                }
                section.card {
                    h2 { (texts::SHARING) }
                    (remote(texts::TEAM_SCOPE, status.team.as_ref()))
                    (remote(texts::OWN_SCOPE, status.own.as_ref()))
                }
            }
        }
    };
    project.page(Section::Overview, &project.name(), content)
}

fn count(memories: &[Memory], is: impl Fn(&Memory) -> bool) -> usize {
    memories.iter().filter(|memory| is(memory)).count()
}

fn figure(project: &Project<'_>, path: &str, number: usize, text: &str, is_alarm: bool) -> Markup {
    html! {
        li { a.alarm[is_alarm && number > 0] href=(project.at(path)) { strong { (number) } " " span { (text) } } }
    }
}

fn ages(memories: &[Memory], now: Timestamp) -> [(&'static str, usize); 4] {
    let mut counts = [
        (texts::AGE_WEEK, 0),
        (texts::AGE_MONTH, 0),
        (texts::AGE_QUARTER, 0),
        (texts::AGE_OLDER, 0),
    ];
    for memory in memories {
        let then = memory.modified.parse::<Timestamp>();
        let days = then.map_or(i64::MAX, |then| now.duration_since(then).as_hours() / 24);
        let at = [7, 31, 92].iter().position(|limit| days < *limit);
        counts[at.unwrap_or(3)].1 += 1;
    }
    counts
}

fn bars(project: &Project<'_>, title: &str, key: &str, items: &[(&str, usize)]) -> Markup {
    let all = items.iter().map(|(_, number)| number).sum::<usize>().max(1);
    html! {
        h3 { (title) }
        table.bars { tbody { @for (word, number) in items.iter().filter(|(_, number)| *number > 0) { tr {
            th scope="row" {
                @if key.is_empty() { (word) } @else { a href=(project.at(&format!("/memories?{key}={word}"))) { (word) } }
            }
            td { meter.share min="0" max=(all) value=(number) aria-label=(number) {} }
            td.figure { (number) }
        } } } }
    }
}

fn remote(title: &str, remote: Option<&RemoteSummary>) -> Markup {
    html! {
        p { strong { (title) } " "
            @match remote {
                None => span.quiet { (texts::NOT_SHARED) },
                Some(remote) if remote.error.is_some() => span.hint { (code_spans(remote.error.as_deref().unwrap_or_default())) },
                Some(remote) if remote.offline => span.hint { (texts::TEAM_OFFLINE) },
                Some(remote) if remote.conflicts > 0 => span.hint { (texts::count(remote.conflicts, "conflict waits", "conflicts wait")) },
                Some(remote) if remote.waiting == 0 => span.quiet { (texts::IN_SYNC) },
                Some(remote) => span.quiet { (texts::TO_SEND) ": " (remote.waiting) },
            }
        }
    }
}

/// The page of all projects of this machine; a script gets the table alone.
pub(crate) fn show_projects(project: &Project<'_>, request: &Request) -> PageResult {
    let table = projects(project, &audit(project.console)?);
    let head = (Section::Overview, texts::PROJECTS);
    live(
        project,
        request,
        head,
        table,
        |table| html! { h1 { (texts::PROJECTS) } section.card { (table) } },
    )
}

fn projects(project: &Project<'_>, audit: &Audit) -> Markup {
    let known = lock_projects(project.console);
    let is_known = |slug: &str| known.iter().any(|(known, _)| known == slug);
    html! {
        table.plain {
                thead { tr { th scope="col" { (texts::PROJECT) } th.figure scope="col" { (texts::MEMORIES) } th.figure scope="col" { (texts::FINDINGS) } } }
                tbody { @for one in &audit.projects {
                    @let path = one.path.as_deref().unwrap_or(if one.slug.is_none() { texts::GLOBAL_PROJECT } else { &one.memory_dir });
                    tr {
                        td {
                            @match one.slug.as_deref().filter(|slug| is_known(slug)) {
                                Some(slug) => a href={ "/p/" (slug) } { (path) },
                                None => (path),
                            }
                            @if !one.findings.is_empty() { details { summary { (texts::FINDINGS) } ul { @for finding in one.findings.iter().take(20) {
                                li { (finding.severity) ": " @if let Some(file) = &finding.file { code { (file) } " " } (finding.message)
                                    @if let Some(fix) = &finding.fix { " " code { (fix) } } }
                            } } } }
                        }
                        td.figure { (one.memories) }
                        td.figure { (one.findings.len()) }
                    }
                } }
        }
    }
}
