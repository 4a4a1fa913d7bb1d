//! Stores: the list, the tree of one, what is found in it, who changed what, and the end of its writing.

use std::collections::BTreeMap;

use axum::http::Method;
use maud::{Markup, html};
use mem_stores::wire::{
    ApiActor, ApiPage, MemoryItem, MemoryStore, MemoryVersion, VersionOperation,
};
use serde_json::Value;

use super::super::layout::age;
use super::super::pages::{ConfirmationPage, facts, options};
use super::super::request::{PageError, with_query};
use super::super::server::see_other;
use super::super::texts;
use super::api::{STORES, word};
use super::frame::next_page;
use super::{PageResult, ROOT, Visit};

const OPERATIONS: [(&str, &str); 4] = [
    ("", texts::ANY),
    ("created", "created"),
    ("modified", "modified"),
    ("deleted", "deleted"),
];

/// The stores, the newest first.
pub(super) async fn list(visit: &Visit) -> PageResult {
    let (page, archived) = (visit.request.query("page"), visit.request.query("archived"));
    let with_archived = if archived.is_empty() { "" } else { "true" };
    let asked = [("include_archived", with_archived), ("page", page)];
    let stores: ApiPage<MemoryStore> = visit.read("", &asked).await?;
    let content = html! {
        h1 { (texts::STORES) }
        form.filter method="get" action=(ROOT) {
            label.check { input type="checkbox" name="archived" value="1" checked[!archived.is_empty()]; (texts::WITH_ARCHIVED) }
            div.buttons { button type="submit" { (texts::APPLY) } }
        }
        @if stores.data.is_empty() { p.empty { (texts::NO_STORES) } } @else {
            ul.memories data-list { @for store in &stores.data { li {
                a href={ (ROOT) "/" (store.id) } { span.name { (store.name) } span.description { (store.description) } }
                span.quiet { @if store.archived_at.is_some() { span.tag { (texts::ARCHIVED) } " " } (age(visit.now, &store.updated_at)) }
            } } }
        }
        (next_page(visit, stores.next()))
    };
    visit.page(texts::STORES, &content)
}

/// What stands above every page of a store.
pub(super) fn crumb(store: &str) -> Markup {
    html! { p.crumb { a href=(ROOT) { (texts::STORES) } " / " a href={ (ROOT) "/" (store) } { code { (store) } } } }
}

fn search_form(id: &str, words: &str) -> Markup {
    html! {
        form.filter method="get" action={ (ROOT) "/" (id) "/search" } role="search" {
            label { (texts::SEARCH_STORE) input type="search" name="q" value=(words) data-key="/" autocomplete="off"; }
            div.buttons { button type="submit" { (texts::SEARCH) } }
        }
    }
}

/// One store: its memories by folders, and how much it holds. The address of a whole path leads to its memory.
pub(super) async fn show(visit: &Visit, id: &str) -> PageResult {
    let store: MemoryStore = visit.read(&format!("/{id}"), &[]).await?;
    let usage: Value = visit
        .api
        .get(&format!("/api/memory_stores/{id}/usage"))
        .await?;
    let prefix = Some(visit.request.query("prefix")).filter(|prefix| !prefix.is_empty());
    let prefix = prefix.unwrap_or("/");
    let page = ("page", visit.request.query("page"));
    let asked = [
        ("depth", "1"),
        ("limit", "100"),
        ("path_prefix", prefix),
        page,
    ];
    let memories: ApiPage<MemoryItem> = visit.read(&format!("/{id}/memories"), &asked).await?;
    let at = |rest: &str| format!("{ROOT}/{id}{rest}");
    if let Some(MemoryItem::Memory(memory)) = memories.data.first()
        && memory.path == prefix
    {
        return Ok(see_other(&at(&format!("/{}", memory.id))));
    }
    let folder = |path: &str| with_query(&at(""), [("prefix", path)]);
    let size = |count: &str, bytes: &str| html! { (usage[count]) " (" (usage[bytes]) " bytes)" };
    let items = [
        (texts::MEMORIES, size("memories", "memory_bytes")),
        (texts::VERSIONS, size("versions", "version_bytes")),
        (texts::MADE, age(visit.now, &store.created_at)),
        (texts::MODIFIED, age(visit.now, &store.updated_at)),
        (texts::STORE_ID, html! { code { (store.id) } }),
    ];
    let is_archived = store.archived_at.is_some();
    let content = html! {
        p.crumb { a href=(ROOT) { (texts::STORES) } }
        div.title { h1 { (store.name) @if is_archived { " " span.tag { (texts::ARCHIVED) } } }
            @if !is_archived { a.button.primary data-key="n" href=(at("/new")) { (texts::NEW_MEMORY) } }
        }
        @if !store.description.is_empty() { p.lead { (store.description) } }
        (search_form(id, ""))
        div.columns {
            section aria-labelledby="tree" {
                h2 #tree { a href=(at("")) { "/" } @for (end, _) in prefix.match_indices('/').skip(1) {
                    a href=(folder(&prefix[..=end])) { (prefix[..=end].rsplit('/').nth(1).unwrap_or_default()) "/" }
                } }
                @if memories.data.is_empty() { p.empty { (texts::NO_MEMORIES) } } @else {
                    ul.memories data-list { @for item in &memories.data { @match item {
                        MemoryItem::Prefix(below) => li { a href=(folder(&below.path)) { span.name { (below.path.strip_prefix(prefix).unwrap_or(&below.path)) } } },
                        MemoryItem::Memory(memory) => li {
                            a href=(at(&format!("/{}", memory.id))) { span.name { (memory.path.strip_prefix(prefix).unwrap_or(&memory.path)) } }
                            span.quiet { (memory.content_size_bytes) " bytes · " (age(visit.now, &memory.updated_at)) }
                        },
                    } } }
                }
                (next_page(visit, memories.next()))
            }
            aside {
                section.card { h2 { (texts::USAGE) } (facts(items)) }
                section.card.actions { h2 { (texts::ACTIONS) } div.buttons {
                    a.button href=(at("/audit")) { (texts::AUDIT) }
                    @if !is_archived { a.button.danger href=(at("/archive")) { (texts::ARCHIVE) } }
                } }
            }
        }
    };
    visit.page(&store.name, &content)
}

/// What is found by words and meaning, the best first.
pub(super) async fn search(visit: &Visit, id: &str) -> PageResult {
    let words = visit.request.query("q");
    let found = visit.api.search(id, words).await?;
    let content = html! {
        (crumb(id))
        h1 { (texts::SEARCH_STORE) }
        (search_form(id, words))
        @if found.is_empty() { p.empty { (texts::NOTHING_MATCHES) } } @else {
            ul.memories data-list { @for memory in &found { li {
                a href=(with_query(&format!("{ROOT}/{id}"), [("prefix", &*word(memory, "path"))])) {
                    span.name { (word(memory, "path")) }
                    @for line in memory["lines"].as_array().into_iter().flatten() { span.description { (line["line"]) ": " (word(line, "text")) } }
                }
                span.quiet { (age(visit.now, &word(memory, "updated_at"))) }
            } } }
        }
    };
    visit.page(texts::SEARCH_STORE, &content)
}

/// Who changed what, the newest first.
pub(super) async fn audit(visit: &Visit, id: &str) -> PageResult {
    let narrowed = ["operation", "api_key_id"].map(|key| (key, visit.request.query(key)));
    let [(_, operation), (_, token)] = narrowed;
    let history = timeline(visit, id, &narrowed).await?;
    let content = html! {
        (crumb(id))
        h1 { (texts::AUDIT) }
        form.filter method="get" action={ (ROOT) "/" (id) "/audit" } {
            label { (texts::BY_TOKEN) input type="text" name="api_key_id" value=(token) autocomplete="off"; }
            label { (texts::OPERATION) select name="operation" { (options(OPERATIONS, operation)) } }
            div.buttons { button type="submit" { (texts::APPLY) } }
        }
        @match history { Some(history) => (history), None => p.empty { (texts::NO_CHANGES) } }
    };
    visit.page(texts::AUDIT, &content)
}

/// A page of versions: what was done, to what, when and by whom. `None` where there is none.
pub(super) async fn timeline(
    visit: &Visit,
    store: &str,
    narrowed: &[(&str, &str)],
) -> Result<Option<Markup>, PageError> {
    let asked = [
        narrowed,
        &[("limit", "50"), ("page", visit.request.query("page"))],
    ]
    .concat();
    let versions: ApiPage<MemoryVersion> = visit
        .read(&format!("/{store}/memory_versions"), &asked)
        .await?;
    let names = visit.api.token_names().await;
    let at = format!("{ROOT}/{store}/");
    let is_of_all = narrowed.iter().all(|(key, _)| *key != "memory_id");
    Ok((!versions.data.is_empty()).then(|| html! {
        ol.timeline data-list { @for version in &versions.data {
            li.undone[version.redacted_at.is_some()] {
                p { a href={ (at) (version.id) } { strong { (version.operation.as_str()) } " " (version.path.as_deref().unwrap_or(&version.memory_id)) } }
                p.quiet { (what_was_done(version, &names))
                    @if is_of_all && version.operation != VersionOperation::Deleted { " · " a href={ (at) (version.memory_id) } { (texts::MEMORY) } } }
            }
        } }
        (next_page(visit, versions.next()))
    }))
}

/// When and by whom a version was made, and redacted. Tokens have names where the visitor may list them.
pub(super) fn what_was_done(version: &MemoryVersion, names: &BTreeMap<String, String>) -> Markup {
    let by = |time: &str, actor: Option<&ApiActor>| {
        let id = actor.and_then(ApiActor::id).unwrap_or(texts::UNKNOWN_ACTOR);
        let shown = time.get(..16).unwrap_or(time).replace('T', " ");
        html! { time datetime=(time) { (shown) " UTC" } " · " @if let Some(name) = names.get(id) { (name) " " } code { (id) } }
    };
    html! {
        (by(&version.created_at, version.created_by.as_ref()))
        @if let Some(time) = &version.redacted_at { " " span.tag { (texts::REDACTED) } " " (by(time, version.redacted_by.as_ref())) }
    }
}

/// Archives a store.
pub(super) async fn archive(visit: &Visit, id: &str) -> PageResult {
    let store: MemoryStore = visit.read(&format!("/{id}"), &[]).await?;
    let asked = ConfirmationPage {
        title: texts::ARCHIVE,
        warning: texts::ARCHIVE_WARNING,
        preview: html! { p.card { strong { (store.name) } " " code { (id) } } },
        fields: html! {},
        back: format!("{ROOT}/{id}"),
        is_final: true,
    };
    let target = format!("{STORES}/{id}/archive");
    visit.decide(asked, Method::POST, &target, "archived").await
}
