//! The tokens of the workspace: list, make, revoke.

use axum::http::Method;
use maud::html;
use serde_json::{Value, json};

use super::super::layout::age;
use super::super::pages::ConfirmationPage;
use super::super::request::PageError;
use super::super::texts;
use super::api::{TOKENS, word};
use super::{PageResult, ROOT, Visit};

/// The list, with a form for a new one; what a form made is shown above, once.
pub(super) async fn show(visit: &Visit) -> PageResult {
    let request = &visit.request;
    let (mut made, mut failure) = (Value::Null, None);
    if request.is_post() {
        let day = request.field("expires_at").trim();
        let end = match (day.is_empty(), day.contains('T')) {
            (true, _) => Value::Null,
            (_, true) => json!(day),
            (_, false) => json!(format!("{day}T00:00:00Z")),
        };
        let body = json!({ "name": request.field("name"), "grants": request.items("grants"), "expires_at": end });
        match visit.api.send(Method::POST, TOKENS, &body).await {
            Ok(new) => made = new,
            Err(error) => failure = Some(error),
        }
    }
    let listed = visit.api.tokens().await?;
    let kept = |key| {
        if failure.is_some() {
            request.field(key)
        } else {
            ""
        }
    };
    let fields = html! {
        label { (texts::TOKEN_NAME) input type="text" name="name" value=(kept("name")); small { (texts::TOKEN_NAME_HINT) } }
        label { (texts::GRANTS) textarea.code name="grants" rows="3" required spellcheck="false" { "\n" (kept("grants")) } small { (texts::GRANTS_HINT) } }
        label { (texts::EXPIRES) input type="text" name="expires_at" value=(kept("expires_at")); small { (texts::EXPIRES_HINT) } }
        button.primary type="submit" { (texts::MAKE_TOKEN) }
    };
    let content = html! {
        h1 { (texts::STORE_TOKENS) }
        @if let Some(secret) = made["token"].as_str() {
            div.notice role="status" { p { (texts::SHOWN_ONCE) } p { code { (secret) } } }
        }
        ul.timeline data-list { @for token in &listed {
            @let (id, is_valid) = (word(token, "id"), token["valid"] == true);
            li.undone[!is_valid] {
                p { strong { (word(token, "name")) } " " code.quiet { (id) }
                    @if token["revoked_at"].is_string() { " " span.tag { (texts::REVOKED) } } @else if !is_valid { " " span.tag { (texts::EXPIRED) } } }
                p { @for grant in token["grants"].as_array().into_iter().flatten() { code { (grant.as_str().unwrap_or_default()) } " " } }
                p.quiet { (texts::MADE) " " (age(visit.now, &word(token, "created_at"))) @if let Some(end) = token["expires_at"].as_str() { " · " (texts::EXPIRES) " " (end) }
                    @if is_valid { " · " a href={ (ROOT) "/tokens/" (id) "/revoke" } { (texts::REVOKE) } } }
            }
        } }
        h2 { (texts::NEW_TOKEN) }
        (visit.form(&format!("{ROOT}/tokens"), &fields))
    };
    visit.form_page(texts::STORE_TOKENS, failure, &content)
}

/// Ends one.
pub(super) async fn revoke(visit: &Visit, id: &str) -> PageResult {
    let listed = visit.api.tokens().await?;
    let token = listed.iter().find(|token| token["id"] == id);
    let token = token.ok_or_else(PageError::not_found)?;
    let asked = ConfirmationPage {
        title: texts::REVOKE,
        warning: texts::REVOKE_WARNING,
        preview: html! { p.card { strong { (word(token, "name")) } " " code { (id) } } },
        fields: html! {},
        back: format!("{ROOT}/tokens"),
        is_final: true,
    };
    let target = format!("{TOKENS}/{id}");
    visit
        .decide(asked, Method::DELETE, &target, "revoked")
        .await
}
