//! One memory of a store and its versions: read, write, delete, redact.

use axum::http::{Method, StatusCode};
use maud::{Markup, html};
use mem_stores::wire::{ApiPage, MemoryVersion, StoreMemory};
use serde_json::json;

use super::super::diff::{side_by_side, whole_diff};
use super::super::layout::age;
use super::super::pages::ConfirmationPage;
use super::super::request::PageError;
use super::super::{markdown, texts};
use super::api::STORES;
use super::store::{crumb, timeline, what_was_done};
use super::{PageResult, ROOT, Visit};

/// A content as it is meant, without frontmatter.
fn rendered(content: &str) -> Markup {
    let rest = content.strip_prefix("---\n");
    let body = rest.and_then(|rest| rest.split_once("\n---\n"));
    markdown::render(body.map_or(content, |(_, body)| body))
}

/// The same beside how it is stored.
fn both_views(content: &str) -> Markup {
    html! {
        div.beside {
            article.card.prose tabindex="0" { h2.sr { (texts::RENDERED) } (rendered(content)) }
            details.card.raw open { summary { (texts::RAW) } pre tabindex="0" { code { (content) } } }
        }
    }
}

/// The page of a memory. Of one that was deleted its versions are left.
pub(super) async fn show(visit: &Visit, store: &str, id: &str) -> PageResult {
    let path = format!("/{store}/memories/{id}");
    let memory = match visit.read::<StoreMemory>(&path, &[]).await {
        Err(error) if error.status == StatusCode::NOT_FOUND => None,
        found => Some(found?),
    };
    let history = timeline(visit, store, &[("memory_id", id)]).await?;
    if memory.is_none() && history.is_none() {
        return Err(PageError::not_found());
    }
    let at = format!("{ROOT}/{store}/{id}");
    let title = memory.as_ref().map_or(id, |memory| memory.path.as_str());
    let content = html! {
        (crumb(store))
        div.title { h1 { (title) }
            @if memory.is_some() { div.buttons {
                a.button.primary data-key="e" href={ (at) "/edit" } { (texts::EDIT) }
                a.button.danger href={ (at) "/delete" } { (texts::DELETE) }
            } }
        }
        @match &memory {
            Some(memory) => {
                p.quiet { (texts::MODIFIED) " " (age(visit.now, &memory.updated_at)) " · " (memory.content_size_bytes) " bytes" }
                (both_views(memory.content.as_deref().unwrap_or_default()))
            }
            None => p.notice role="status" { (texts::DELETED) },
        }
        h2 { (texts::HISTORY) }
        @if let Some(history) = &history { (history) }
    };
    visit.page(title, &content)
}

/// One version, and how it differs from the one before.
pub(super) async fn version(visit: &Visit, store: &str, id: &str) -> PageResult {
    let versions = format!("/{store}/memory_versions");
    let version: MemoryVersion = visit.read(&format!("{versions}/{id}"), &[]).await?;
    let until = ("created_at[lte]", version.created_at.as_str());
    let of_memory = ("memory_id", version.memory_id.as_str());
    let asked = [of_memory, until, ("limit", "5"), ("view", "full")];
    let older: ApiPage<MemoryVersion> = visit.read(&versions, &asked).await?;
    let before = older.data.iter().skip_while(|one| one.id != id).nth(1);
    let content = version.content.as_deref().unwrap_or_default();
    let old = before.and_then(|before| before.content.as_deref());
    let old = old.unwrap_or_default();
    let path = version.path.as_deref().unwrap_or(&version.memory_id);
    let names = visit.api.token_names().await;
    let content = html! {
        (crumb(store))
        div.title { h1 { a href={ (ROOT) "/" (store) "/" (version.memory_id) } { (path) } }
            @if version.redacted_at.is_none() { a.button.danger href={ (ROOT) "/" (store) "/" (id) "/redact" } { (texts::REDACT_VERSION) } }
        }
        p.lead { (version.operation.as_str()) " " (what_was_done(&version, &names)) }
        @if version.redacted_at.is_some() { p.notice role="status" { (texts::NO_CONTENT) } }
        @else {
            h2 { (texts::DIFF) }
            @if before.is_some_and(|before| before.redacted_at.is_some()) { p.hint { (texts::BEFORE_REDACTED) } }
            @if content == old { p.quiet { (texts::NOTHING_CHANGES) } } @else { (side_by_side(&whole_diff(old, content))) }
            @if version.content.is_some() { (both_views(content)) }
        }
    };
    visit.page(path, &content)
}

/// The editor of a memory, or without one of a new one. It writes on the condition that the content is still the one that it
/// was opened with.
pub(super) async fn write(visit: &Visit, store: &str, memory: Option<&str>) -> PageResult {
    let rest = memory.map(|id| format!("/{id}")).unwrap_or_default();
    let address = format!("/{store}/memories{rest}");
    let target = format!("{STORES}{address}");
    let (mut path, mut there, mut sha256) = ("/".to_owned(), String::new(), String::new());
    if memory.is_some() {
        let now: StoreMemory = visit.read(&address, &[]).await?;
        (path, sha256) = (now.path, now.content_sha256);
        there = now.content.unwrap_or_default();
    }
    let mut text = there.clone();
    let (mut failure, mut meanwhile) = (None, html! {});
    if visit.request.is_post() {
        path = visit.request.field("path").trim().to_owned();
        text = visit.request.text("content");
        let opened = visit.request.field("sha256");
        let mut body = json!({ "path": path, "content": text });
        if memory.is_some() {
            body["precondition"] = json!({ "type": "content_sha256", "content_sha256": opened });
        }
        match visit
            .api
            .send::<StoreMemory>(Method::POST, &target, &body)
            .await
        {
            Ok(saved) => return visit.done(&format!("{ROOT}/{store}/{}", saved.id), "saved"),
            // Else another memory stands at the path.
            Err(error) if error.is_conflict() && sha256 != opened => {
                failure = Some(PageError {
                    message: texts::EDIT_CONFLICT.to_owned(),
                    ..error
                });
                meanwhile =
                    html! { h2 { (texts::MEANWHILE) } (side_by_side(&whole_diff(&there, &text))) };
            }
            Err(error) => {
                failure = Some(error);
                sha256 = opened.to_owned();
            }
        }
    }
    let verb = memory.map_or("/new".to_owned(), |id| format!("/{id}/edit"));
    let fields = html! {
        input type="hidden" name="sha256" value=(sha256);
        label { (texts::PATH) input type="text" name="path" required value=(path) spellcheck="false" autocomplete="off"; }
        label { (texts::BODY) textarea.code name="content" rows="22" { "\n" (text) } }
        div.buttons {
            button.primary type="submit" data-key="save" { (texts::SAVE) }
            a.button href={ (ROOT) "/" (store) (rest) } { (texts::CANCEL) }
        }
    };
    let title = memory.map_or(texts::NEW_MEMORY, |_| texts::EDIT);
    let form = visit.form(&format!("{ROOT}/{store}{verb}"), &fields);
    let content = html! { (crumb(store)) h1 { (title) } (meanwhile) (form) };
    visit.form_page(title, failure, &content)
}

/// Deletes a memory, as it was shown.
pub(super) async fn delete(visit: &Visit, store: &str, id: &str) -> PageResult {
    let path = format!("/{store}/memories/{id}");
    let memory: StoreMemory = visit.read(&path, &[]).await?;
    let content = memory.content.as_deref().unwrap_or_default();
    let asked = ConfirmationPage {
        title: texts::DELETE,
        warning: texts::DELETE_WARNING,
        preview: html! { div.card.prose { h3 { (memory.path) } (rendered(content)) } },
        fields: html! { input type="hidden" name="sha256" value=(memory.content_sha256); },
        back: format!("{ROOT}/{store}/{id}"),
        is_final: false,
    };
    // Where the form names none the API refuses.
    let shown = visit.request.field("sha256");
    let target = format!("{STORES}{path}?expected_content_sha256={shown}");
    visit
        .decide(asked, Method::DELETE, &target, "deleted")
        .await
}

/// Takes the content of a version out, for good.
pub(super) async fn redact(visit: &Visit, store: &str, id: &str) -> PageResult {
    let path = format!("/{store}/memory_versions/{id}");
    let version: MemoryVersion = visit.read(&path, &[]).await?;
    let content = version.content.as_deref().unwrap_or_default();
    let title = version.path.as_deref().unwrap_or(id);
    let asked = ConfirmationPage {
        title: texts::REDACT_VERSION,
        warning: texts::REDACT_VERSION_WARNING,
        preview: html! { div.card.prose { h3 { (title) } (rendered(content)) } },
        fields: html! {},
        back: format!("{ROOT}/{store}/{id}"),
        is_final: true,
    };
    let target = format!("{STORES}{path}/redact");
    visit.decide(asked, Method::POST, &target, "redacted").await
}
