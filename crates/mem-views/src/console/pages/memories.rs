//! The list of memories, filtered and in pages.

use maud::{Markup, html};

use super::super::answers::{Memory, MemoryList};
use super::super::layout::{age, verdict_badge};
use super::super::request::{Answer, PageError, Request, Section};
use super::super::texts;
use super::{Project, options};

/// Memories of one page.
const PAGE_SIZE: usize = 50;
/// What a search of the texts brings at most.
const SEARCH_MAX: &str = "500";
pub(crate) const TYPES: [(&str, &str); 4] = [
    ("feedback", "feedback"),
    ("project", "project"),
    ("reference", "reference"),
    ("user", "user"),
];
pub(crate) const SCOPES: [(&str, &str); 3] = [
    ("private", "private"),
    ("team", "team"),
    ("global", "global"),
];
const VERDICTS: [(&str, &str); 5] = [
    ("broken", "broken"),
    ("drifted", "drifted"),
    ("aging", "aging"),
    ("fresh", "fresh"),
    ("unknown", texts::UNKNOWN),
];
/// The worst first, as a list is ordered.
const VERDICT_ORDER: [&str; 4] = ["broken", "drifted", "aging", "fresh"];

/// The page; a script gets the list alone.
pub(crate) fn show(project: &Project<'_>, request: &Request) -> Result<Answer, PageError> {
    let words = request.query("q");
    let in_texts = !request.query("texts").is_empty() && !words.is_empty();
    let mut list: MemoryList = match in_texts {
        false => project.read(["list", "--sort", "modified"])?,
        // Where nothing is found the command ends with 1, and says so in its data.
        true => project.read(["search", "--limit", SEARCH_MAX, "--", words])?,
    };
    let terms: Vec<String> = match in_texts {
        true => Vec::new(),
        false => words
            .to_lowercase()
            .split_whitespace()
            .map(str::to_owned)
            .collect(),
    };
    list.memories
        .retain(|memory| is_chosen(memory, request, &terms));
    match request.query("sort") {
        "name" => list
            .memories
            .sort_by_cached_key(|memory| memory.title().to_lowercase()),
        "verdict" => list.memories.sort_by_key(|memory| {
            let at = memory
                .verdict()
                .and_then(|word| VERDICT_ORDER.iter().position(|known| *known == word));
            at.unwrap_or(VERDICT_ORDER.len())
        }),
        _ => {}
    }
    let results = results(project, request, &list.memories);
    if request.is_fragment {
        return Ok(Answer::Fragment(results));
    }
    let content = html! {
        div.title { h1 { (texts::MEMORIES) } a.button.primary href=(project.at("/memories/new")) data-key="n" { (texts::NEW_MEMORY) } }
        form.filter method="get" action=(project.at("/memories")) role="search"
            hx-get=(project.at("/memories")) hx-target="#results" hx-push-url="true" hx-swap="outerHTML"
            hx-trigger="input delay:200ms, change, submit" {
            label.wide { span.sr { (texts::FILTER) }
                input type="search" name="q" value=(words) placeholder=(texts::FILTER_HINT) data-key="/" autocomplete="off"; }
            (choice("type", texts::TYPE, &TYPES, request))
            (choice("scope", texts::SCOPE, &SCOPES, request))
            (choice("verdict", texts::VERDICT, &VERDICTS, request))
            label { span { (texts::SORT) }
                select name="sort" { (options([("", texts::SORT_NEWEST), ("name", texts::SORT_NAME), ("verdict", texts::SORT_VERDICT)], request.query("sort"))) } }
            label.check { input type="checkbox" name="texts" value="1" checked[!request.query("texts").is_empty()]; (texts::IN_TEXTS) }
            button type="submit" { (texts::APPLY) }
        }
        (results)
    };
    project.page(Section::Memories, texts::MEMORIES, content)
}

fn choice(name: &str, label: &str, items: &[(&str, &str)], request: &Request) -> Markup {
    let any = ("", texts::ANY);
    html! {
        label { span { (label) }
            select name=(name) { (options(std::iter::once(any).chain(items.iter().copied()), request.query(name))) } }
    }
}

/// Whether a memory has every word and is of the kind that was chosen.
fn is_chosen(memory: &Memory, request: &Request, terms: &[String]) -> bool {
    let is = |key: &str, value: Option<&str>| {
        let wanted = request.query(key);
        wanted.is_empty() || value == Some(wanted)
    };
    if !is("type", memory.kind.as_deref())
        || !is("scope", Some(&memory.scope))
        || !is("verdict", Some(memory.verdict().unwrap_or("unknown")))
    {
        return false;
    }
    if terms.is_empty() {
        return true;
    }
    let description = memory.description.as_deref().unwrap_or_default();
    let text = format!(
        "{}\n{}\n{description}\n{}",
        memory.title(),
        memory.file,
        memory.tags.join("\n")
    )
    .to_lowercase();
    terms.iter().all(|term| text.contains(term.as_str()))
}

/// One page of the list.
fn results(project: &Project<'_>, request: &Request, memories: &[Memory]) -> Markup {
    let pages = memories.len().div_ceil(PAGE_SIZE).max(1);
    let page = request
        .query("page")
        .parse::<usize>()
        .unwrap_or(1)
        .clamp(1, pages);
    let from = (page - 1) * PAGE_SIZE;
    let shown = &memories[from..memories.len().min(from + PAGE_SIZE)];
    let now = (project.console.now)();
    html! {
        section #results aria-live="polite" {
            p.quiet { (texts::range(from + 1, from + shown.len(), memories.len())) }
            @if shown.is_empty() {
                p.empty { (texts::NOTHING_FOUND) }
            } @else {
                ul.memories data-list {
                    @for memory in shown {
                        li {
                            a href=(project.at(&format!("/memories/{}", memory.id))) {
                                span.name { (memory.title()) @if memory.pinned { " " span.pin title=(texts::PINNED) { "◆" span.sr { " " (texts::PINNED) } } } }
                                @if let Some(description) = &memory.description { span.description { (description) } }
                            }
                            span.meta {
                                (verdict_badge(memory.drift.as_ref()))
                                span { (memory.kind.as_deref().unwrap_or(texts::NO_TYPE)) }
                                span { (memory.scope) }
                                span.age { (age(now, &memory.modified)) }
                            }
                        }
                    }
                }
            }
            @if pages > 1 {
                nav.pages aria-label=(texts::PAGES) {
                    @if page > 1 { a rel="prev" href=(request.with_query("page", &(page - 1).to_string())) { "← " (texts::PREVIOUS) } }
                    span { (page) " / " (pages) }
                    @if page < pages { a rel="next" href=(request.with_query("page", &(page + 1).to_string())) { (texts::NEXT) " →" } }
                }
            }
        }
    }
}
