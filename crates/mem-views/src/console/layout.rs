//! The frame around every page, and the pieces that pages share.

use axum::http::StatusCode;
use jiff::Timestamp;
use maud::{DOCTYPE, Markup, html};

use super::access::{Refused, Secret};
use super::answers::Drift;
use super::request::{Page, PageError, Section};
use super::texts;

/// htmx neither evaluates text as script nor adds styles, which the policy of pages refuses.
const HTMX: &str = r#"{"includeIndicatorStyles":false,"allowEval":false,"selfRequestsOnly":true,"historyCacheSize":0}"#;

/// What the last form came to.
#[derive(Clone, Debug)]
pub(crate) struct Notice {
    pub is_error: bool,
    pub text: String,
    pub hint: Option<String>,
}

impl Notice {
    /// Something was done.
    pub(crate) fn done(text: impl Into<String>) -> Self {
        Self {
            is_error: false,
            text: text.into(),
            hint: None,
        }
    }
}

impl From<PageError> for Notice {
    fn from(error: PageError) -> Self {
        Self {
            is_error: true,
            text: error.message,
            hint: error.hint,
        }
    }
}

/// What stands around the content.
#[derive(Debug, Default)]
pub(crate) struct Navigation {
    /// Slug and name of every project that was seen.
    pub projects: Vec<(String, String)>,
    /// How much waits for a decision.
    pub waiting: usize,
    pub conflicts: usize,
}

/// The head of a page whose files are below `root`.
pub(crate) fn head(title: &str, root: &str, more: &Markup) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            meta name="htmx-config" content=(HTMX);
            title { (title) " · " (texts::APP) }
            link rel="icon" href={ (root) "/assets/icon.svg" } type="image/svg+xml";
            link rel="stylesheet" href={ (root) "/assets/console.css" };
            (more)
        }
    }
}

/// A whole page.
pub(crate) fn frame(
    page: &Page,
    navigation: &Navigation,
    notice: Option<&Notice>,
    csrf: &Secret,
) -> Markup {
    let scripts = html! {
        link rel="stylesheet" href="/assets/uPlot.min.css";
        script src="/assets/htmx.min.js" defer {}
        script src="/assets/uPlot.iife.min.js" defer {}
        script src="/assets/console.js" defer {}
    };
    let base = page
        .project
        .as_ref()
        .map_or_else(String::new, |slug| format!("/p/{slug}"));
    let link = |section: Section, path: &str, text: &str, count: usize| {
        html! {
            li { a href={ (base) (path) } aria-current=[(page.section == section).then_some("page")] {
                (text)
                @if count > 0 { " " span.count { (count) } }
            } }
        }
    };
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(&page.title, "", &scripts))
            body data-base=(base) data-csrf=(csrf.expose()) {
                a.skip href="#content" { (texts::SKIP) }
                header.bar {
                    a.brand href="/" { (texts::APP) }
                    @if !navigation.projects.is_empty() {
                        details.projects {
                            summary { span.sr { (texts::PROJECT) " " } (project_name(navigation, page)) }
                            ul {
                                @for (slug, name) in &navigation.projects {
                                    li { a href={ "/p/" (slug) } { (name) } }
                                }
                            }
                        }
                    }
                    @if page.project.is_some() {
                        nav aria-label=(texts::PAGES) { ul {
                            (link(Section::Overview, "", texts::OVERVIEW, 0))
                            (link(Section::Memories, "/memories", texts::MEMORIES, 0))
                            (link(Section::Inbox, "/inbox", texts::INBOX, navigation.waiting))
                            (link(Section::Recall, "/recall", texts::RECALL, 0))
                            (link(Section::Team, "/team", texts::TEAM, navigation.conflicts))
                            (link(Section::Graph, "/graph", texts::GRAPH, 0))
                            (link(Section::Changes, "/changes", texts::CHANGES, 0))
                        } }
                    }
                }
                main #content tabindex="-1" {
                    @if let Some(notice) = notice { (notice_card(notice)) }
                    (page.content)
                }
                footer { p { span.keys { (texts::KEYS_HINT) } " " (texts::ENDS) } }
            }
        }
    }
}

fn project_name<'n>(navigation: &'n Navigation, page: &'n Page) -> &'n str {
    let slug = page.project.as_deref().unwrap_or_default();
    let known = navigation.projects.iter().find(|(known, _)| known == slug);
    known.map_or(texts::PROJECT, |(_, name)| name)
}

/// A notice.
pub(crate) fn notice_card(notice: &Notice) -> Markup {
    let role = if notice.is_error { "alert" } else { "status" };
    html! {
        div.notice.error[notice.is_error] role=(role) {
            p { (code_spans(&notice.text)) }
            @if let Some(hint) = &notice.hint { p.hint { (code_spans(hint)) } }
        }
    }
}

/// An error where a piece of a page was to be.
pub(crate) fn error_card(error: &PageError) -> Markup {
    notice_card(&Notice {
        is_error: true,
        text: error.message.clone(),
        hint: error.hint.clone(),
    })
}

/// A page without navigation.
pub(crate) fn bare(title: &str, root: &str, content: &Markup, more: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(title, root, more))
            body.bare { main #content { h1 { (title) } (content) } }
        }
    }
}

/// Sends the browser on to the first page, by itself and by a link.
pub(crate) fn entrance() -> Markup {
    let refresh = html! { meta http-equiv="refresh" content="0;url=/"; };
    bare(
        texts::ENTERING,
        "",
        &html! { p { a href="/" { (texts::ENTER) } } },
        &refresh,
    )
}

/// Why nobody was let in. It loads no style: that takes a cookie.
pub(crate) fn refusal(refused: Refused) -> Markup {
    let text = match refused {
        Refused::Host => texts::REFUSED_HOST,
        Refused::Cookie => texts::REFUSED_COOKIE,
        Refused::Origin => texts::REFUSED_ORIGIN,
        Refused::Csrf => texts::REFUSED_CSRF,
        Refused::Token => texts::REFUSED_TOKEN,
    };
    unstyled(text)
}

/// An error that no page is about.
pub(crate) fn bare_error(status: StatusCode) -> Markup {
    unstyled(match status {
        StatusCode::PAYLOAD_TOO_LARGE => texts::TOO_LARGE,
        StatusCode::METHOD_NOT_ALLOWED => texts::NOT_ALLOWED,
        _ => texts::BROKEN,
    })
}

fn unstyled(text: &str) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head { meta charset="utf-8"; title { (texts::REFUSED) } }
            body { main { h1 { (texts::REFUSED) } p { (code_spans(text)) } } }
        }
    }
}

/// Text in which backticks mark code, as messages of `mem` have them.
pub(crate) fn code_spans(text: &str) -> Markup {
    html! {
        @for (at, piece) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (piece) } } @else { (piece) }
        }
    }
}

/// A form that changes something.
pub(crate) fn form(action: &str, csrf: &Secret, content: &Markup) -> Markup {
    html! {
        form method="post" action=(action) {
            input type="hidden" name="csrf" value=(csrf.expose());
            (content)
        }
    }
}

/// A form that is one button.
pub(crate) fn button(action: &str, csrf: &Secret, text: &str, class: &str) -> Markup {
    form(
        action,
        csrf,
        &html! { button.(class) type="submit" { (text) } },
    )
}

/// A verdict in word and shape, not in colour alone.
pub(crate) fn verdict_badge(drift: Option<&Drift>) -> Markup {
    let word = drift.map_or("", |drift| drift.verdict.as_str());
    let reasons = drift
        .map(|drift| drift.reasons.join("; "))
        .filter(|text| !text.is_empty());
    html! { span class={ "verdict " (verdict_class(word)) } title=[reasons] { (texts::verdict(word)) } }
}

/// The class of a verdict's colour; nothing else becomes a class.
pub(crate) fn verdict_class(word: &str) -> &'static str {
    match word {
        "fresh" => "fresh",
        "aging" => "aging",
        "drifted" => "drifted",
        "broken" => "broken",
        _ => "unknown",
    }
}

/// `12 days`, as lists of `mem` say it.
pub(crate) fn age(now: Timestamp, time: &str) -> Markup {
    let Ok(then) = time.parse::<Timestamp>() else {
        return html! { (time) };
    };
    let days = now.duration_since(then).as_hours() / 24;
    let text = match days {
        ..=0 => texts::TODAY.to_owned(),
        1 => texts::YESTERDAY.to_owned(),
        2..=59 => format!("{days} days"),
        60..=729 => format!("{} months", days / 30),
        _ => format!("{} years", days / 365),
    };
    html! { time datetime=(time) title=(time) { (text) } }
}
