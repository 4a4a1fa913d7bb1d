//! What stands around the pages of a server, and the page that signs in.

use maud::{DOCTYPE, Markup, html};

use super::super::layout::{self, Notice};
use super::super::request::{PageError, with_query};
use super::super::texts;
use super::{ENTER, ENTER_PROVIDER, LEAVE, ROOT, Visit};

/// A page with navigation.
pub(super) fn framed(visit: &Visit, title: &str, content: &Markup) -> Markup {
    let script = html! { script src={ (ROOT) "/assets/console.js" } defer {} };
    let is_tokens = visit.request.segments().get(1) == Some(&"tokens");
    let link = |place: String, text: &str, is_here: bool| {
        html! { li { a href=(place) aria-current=[is_here.then_some("page")] { (text) } } }
    };
    let leave = html! { button type="submit" { (texts::SIGN_OUT) } };
    html! {
        (DOCTYPE)
        html lang="en" {
            (layout::head(title, ROOT, &script))
            body data-server="1" {
                a.skip href="#content" { (texts::SKIP) }
                header.bar {
                    a.brand href=(ROOT) { (texts::APP) }
                    nav aria-label=(texts::PAGES) { ul {
                        (link(ROOT.to_owned(), texts::STORES, !is_tokens))
                        (link(format!("{ROOT}/tokens"), texts::STORE_TOKENS, is_tokens))
                    } }
                    div.buttons { (visit.form(LEAVE, &leave)) }
                }
                main #content tabindex="-1" {
                    @if let Some(done) = texts::done(visit.request.query("done")) { (layout::notice_card(&Notice::done(done))) }
                    (content)
                }
            }
        }
    }
}

/// Asks for a token, or leads to the identity provider of the server. `to` is the page that was asked for.
pub(super) fn sign_in(to: &str, provider: Option<&str>, error: Option<&PageError>) -> Markup {
    let content = html! {
        @if let Some(error) = error { (layout::error_card(error)) }
        @if let Some(name) = provider {
            p { a.button href=(with_query(ENTER_PROVIDER, [("to", to)])) { (texts::SIGN_IN_WITH) " " (name) } }
        }
        form method="post" action=(ENTER) {
            input type="hidden" name="to" value=(to);
            label { (texts::TOKEN) input type="password" name="token" autocomplete="current-password" autofocus; small { (layout::code_spans(texts::TOKEN_HINT)) } }
            button.primary type="submit" { (texts::SIGN_IN) }
        }
        // A strict cookie stays behind where a link of another site leads here.
        p.quiet { a href=(to) { (texts::SIGNED_IN) } }
    };
    layout::bare(texts::SIGN_IN, ROOT, &content, &html! {})
}

/// Earlier and later parts of a list, by the names that the API gives them.
pub(super) fn next_page(visit: &Visit, next: Option<&str>) -> Markup {
    html! {
        @if next.is_some() || !visit.request.query("page").is_empty() {
            nav.pages aria-label=(texts::PAGES) {
                @if !visit.request.query("page").is_empty() { a href=(visit.request.with_query("page", "")) { (texts::FIRST_PAGE) } }
                @if let Some(next) = next { a rel="next" href=(visit.request.with_query("page", next)) { (texts::NEXT) " →" } }
            }
        }
    }
}
