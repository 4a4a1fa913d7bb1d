//! What an agent would be given for a prompt or a file, why, and what nearly was.

use std::cmp::Ordering;

use maud::{Markup, html};

use super::super::answers::{PastPrompt, PastPrompts, Preview};
use super::super::layout::{age, verdict_badge};
use super::super::request::{PageResult, Request, Section};
use super::super::texts;
use super::{Project, live};

/// What the slider begins with.
const THRESHOLD: &str = "0.5";
/// What is shown of a past prompt.
const PROMPT_CHARS_MAX: usize = 300;

/// The page; a script gets what is below the form alone.
pub(crate) fn show(project: &Project<'_>, request: &Request) -> PageResult {
    let (prompt, file) = (request.query("prompt"), request.query("file"));
    let (threshold, score) = threshold(request);
    let file_argument = format!("--file={file}");
    let mut previews: Vec<(&str, Preview)> = Vec::new();
    if !prompt.is_empty() {
        let words = ["preview", &score, "--", "-"];
        previews.push((texts::GIVEN, project.read_with_input(words, prompt)?));
    }
    if !file.is_empty() {
        let words = ["preview", &score, &file_argument];
        previews.push((texts::GIVEN_FILE, project.read(words)?));
    }
    let results = html! {
        section #given aria-live="polite" {
            @if previews.is_empty() { p.empty { (texts::TRY_PROMPT) } }
            @for (title, preview) in &previews { (recall_markup(project, title, preview)) }
        }
    };
    let fields = html! {
        label.wide { (texts::PROMPT) textarea name="prompt" rows="3" data-key="/" { "\n" (prompt) } }
        label { (texts::OR_FILE) input type="text" name="file" value=(file) placeholder=(texts::FILE_HINT); }
        (slider(threshold))
    };
    let head = (Section::Recall, texts::RECALL);
    live(project, request, head, results, |results| {
        html! {
            h1 { (texts::RECALL) }
            p.lead { (texts::RECALL_INTRO) }
            (form(&project.at("/recall"), &fields))
            p { a href=(project.at("/recall/past")) { (texts::PAST) } }
            (results)
        }
    })
}

/// A form that has a script replace what is below it.
fn form(at: &str, fields: &Markup) -> Markup {
    html! {
        form.ask method="get" action=(at)
            hx-get=(at) hx-target="#given" hx-swap="outerHTML" hx-push-url="true" hx-trigger="submit, change" {
            (fields)
            button.primary type="submit" { (texts::ASK) }
        }
    }
}

/// The threshold that was chosen, and as an argument.
fn threshold(request: &Request) -> (&str, String) {
    let threshold = match request.query("threshold") {
        "" => THRESHOLD,
        given => given,
    };
    (threshold, format!("--min-score={threshold}"))
}

fn slider(threshold: &str) -> Markup {
    html! {
        label { (texts::THRESHOLD)
            input type="range" name="threshold" min="0" max="1" step="0.05" value=(threshold) data-output="threshold-value";
            output #threshold-value { (threshold) } " "
            small { (texts::THRESHOLD_HINT) } }
    }
}

/// Past prompts with what each would be given; a script gets what is below the form alone.
pub(crate) fn show_past(project: &Project<'_>, request: &Request) -> PageResult {
    let (threshold, score) = threshold(request);
    let past: PastPrompts = project.read(["session", "prompts", &score])?;
    let prompts = &past.prompts;
    let is_given = |prompt: &&PastPrompt| !prompt.memories.is_empty();
    let now = (project.console.now)();
    let results = html! {
        section #given aria-live="polite" {
            @if prompts.is_empty() { p.empty { (texts::PAST_NONE) } } @else {
                p { (texts::prompts_with(prompts.iter().filter(is_given).count(), prompts.len())) }
            }
            ol.given { @for prompt in prompts { li.card {
                p { (prompt.text.chars().take(PROMPT_CHARS_MAX).collect::<String>()) }
                @if let Some(time) = &prompt.time { p.quiet { (age(now, time)) } }
                @if prompt.memories.is_empty() { p.quiet { (texts::NOT_GIVEN) } }
                ul { @for memory in &prompt.memories { li {
                    a href=(project.at(&format!("/memories/{}", memory.id))) { (memory.name.as_deref().unwrap_or(&memory.file)) } " " (meter(memory.score))
                } } }
            } } }
        }
    };
    let head = (Section::Recall, texts::PAST);
    live(project, request, head, results, |results| {
        html! {
            p.crumb { a href=(project.at("/recall")) { (texts::RECALL) } }
            h1 { (texts::PAST) }
            p.lead { (texts::PAST_INTRO) }
            (form(&project.at("/recall/past"), &slider(threshold)))
            (results)
        }
    })
}

fn recall_markup(project: &Project<'_>, title: &str, preview: &Preview) -> Markup {
    let mut filtered: Vec<_> = preview.filtered.iter().collect();
    filtered.sort_by(|a, b| b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal));
    html! {
        h2 { (title) }
        @if preview.memories.is_empty() { p.empty { (texts::ABSTAINED) } }
        ol.given {
            @for memory in &preview.memories {
                li.card {
                    div.title {
                        h3 { a href=(project.at(&format!("/memories/{}", memory.id))) { (memory.name.as_deref().unwrap_or(&memory.file)) } }
                        // What a file brings has no score.
                        @if memory.score > 0.0 { (meter(memory.score)) }
                    }
                    @if let Some(description) = &memory.description { p { (description) } }
                    p.quiet { (verdict_badge(memory.drift.as_ref())) " " (memory.scope) " · " (texts::count(usize::try_from(memory.age_days).unwrap_or_default(), "day", "days")) }
                    ul.why { @for why in &memory.why { li { (why) } } }
                }
            }
        }
        @if !preview.memories.is_empty() {
            details.card { summary { (texts::EXACT) " " span.quiet { (texts::cost(preview.tokens, preview.bytes, preview.budget_chars)) } }
                pre tabindex="0" { code { (preview.context) } } }
        }
        @if !preview.filtered.is_empty() {
            h2 { (texts::NEARLY) }
            table.plain {
                tbody { @for memory in filtered { tr {
                    td { (memory.file) } td.quiet { (texts::kept_back(&memory.by)) }
                    td { @if let Some(score) = memory.score { (meter(score)) } }
                } } }
            }
        }
    }
}

fn meter(score: f64) -> Markup {
    let text = format!("{score:.2}");
    html! { span.score { meter min="0" max="1" value=(text) aria-label=(text) {} " " (text) } }
}
