//! The list of memories, filtered and in pages.

use maud::{Markup, html};

use super::super::answers::MemoryList;
use super::super::layout::{age, verdict_badge};
use super::super::request::{PageResult, Request, Section};
use super::super::texts;
use super::{Project, live, options, pairs};

/// Memories of one page.
const PAGE_SIZE: usize = 50;
const PAGE_LIMIT: &str = "--limit=50";
/// Pages beyond this are not shown.
const PAGES_MAX: usize = 100_000;
/// What a search of the texts brings at most.
const SEARCH_MAX: &str = "500";
pub(crate) const TYPES: [&str; 4] = ["feedback", "project", "reference", "user"];
pub(crate) const SCOPES: [&str; 3] = ["private", "team", "global"];
const VERDICTS: [&str; 4] = ["broken", "drifted", "aging", "fresh"];

/// The page; a script gets the list alone.
pub(crate) fn show(project: &Project<'_>, request: &Request) -> PageResult {
    let words = request.query("q");
    let in_texts = !request.query("texts").is_empty() && !words.is_empty();
    let page = request.query("page").parse::<usize>().unwrap_or(1);
    let page = page.clamp(1, PAGES_MAX);
    let mut arguments: Vec<String> = Vec::new();
    let mut choose = |flag: &str, key: &str| {
        let value = request.query(key);
        arguments.extend((!value.is_empty()).then(|| format!("{flag}={value}")));
    };
    choose("--type", "type");
    choose("--scope", "scope");
    let mut list: MemoryList = if in_texts {
        // Where nothing is found the command ends with 1, and says so in its data.
        arguments.insert(0, "search".to_owned());
        arguments.extend(["--limit", SEARCH_MAX, "--", words].map(str::to_owned));
        project.read(arguments)?
    } else {
        choose("--verdict", "verdict");
        choose("--words", "q");
        let offset = format!("--offset={}", (page - 1) * PAGE_SIZE);
        let sort = match request.query("sort") {
            "" => "modified",
            sort => sort,
        };
        let sort = format!("--sort={sort}");
        let command = ["list", &sort, &offset, PAGE_LIMIT].map(str::to_owned);
        project.read(command.into_iter().chain(arguments))?
    };
    if in_texts {
        list.total = list.memories.len();
        let before = (page - 1) * PAGE_SIZE;
        list.memories.drain(..before.min(list.total));
        list.memories.truncate(PAGE_SIZE);
    }
    let results = results(project, request, page, &list);
    let head = (Section::Memories, texts::MEMORIES);
    live(project, request, head, results, |results| {
        html! {
            div.title { h1 { (texts::MEMORIES) } a.button.primary href=(project.at("/memories/new")) data-key="n" { (texts::NEW_MEMORY) } }
            form.filter method="get" action=(project.at("/memories")) role="search"
                hx-get=(project.at("/memories")) hx-target="#results" hx-push-url="true" hx-swap="outerHTML"
                hx-trigger="input delay:200ms, change, submit" {
                label.wide { span.sr { (texts::FILTER) }
                    input type="search" name="q" value=(words) placeholder=(texts::FILTER_HINT) data-key="/" autocomplete="off"; }
                (choice("type", texts::TYPE, pairs(&TYPES), request))
                (choice("scope", texts::SCOPE, pairs(&SCOPES), request))
                (choice("verdict", texts::VERDICT, pairs(&VERDICTS).chain([("unknown", texts::UNKNOWN)]), request))
                label { span { (texts::SORT) }
                    select name="sort" { (options([("", texts::SORT_NEWEST), ("name", texts::SORT_NAME), ("verdict", texts::SORT_VERDICT)], request.query("sort"))) } }
                label.check { input type="checkbox" name="texts" value="1" checked[!request.query("texts").is_empty()]; (texts::IN_TEXTS) }
                button type="submit" { (texts::APPLY) }
            }
            (results)
        }
    })
}

fn choice<'c>(
    name: &str,
    label: &str,
    items: impl Iterator<Item = (&'c str, &'c str)>,
    request: &Request,
) -> Markup {
    let any = [("", texts::ANY)].into_iter();
    html! {
        label { span { (label) } select name=(name) { (options(any.chain(items), request.query(name))) } }
    }
}

/// One page of the list.
fn results(project: &Project<'_>, request: &Request, page: usize, list: &MemoryList) -> Markup {
    let pages = list.total.div_ceil(PAGE_SIZE).max(1);
    let from = (page - 1) * PAGE_SIZE;
    let shown = &list.memories;
    let now = (project.console.now)();
    html! {
        section #results aria-live="polite" {
            p.quiet { (texts::range(from + 1, from + shown.len(), list.total)) }
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
