//! Memories and what they cite, as a picture: memories on the left, files on the right, arcs between memories.
//!
//! Two columns are read like a list at any size; a cloud of circles is read by nobody.

use std::collections::{BTreeSet, HashMap};

use jiff::civil::Date;
use jiff::{ToSpan as _, tz::TimeZone};
use maud::{Markup, html};

use super::super::answers::{Changes, CheckedMemory, Citation, Cost, Memory, MemoryList, Verified};
use super::super::layout::verdict_class;
use super::super::plot::day_of;
use super::super::request::{PageError, PageResult, Request, Section};
use super::super::texts;
use super::{Project, both, live};

/// Memories that are drawn: those that cite most.
const MEMORIES_MAX: usize = 150;
/// Pixels of the picture.
const ROW: usize = 28;
const WIDTH: usize = 960;
const MEMORY_X: usize = 360;
const FILE_X: usize = 640;
const TOP: usize = 24;
const LABEL_CHARS_MAX: usize = 42;

/// A memory, and where its edges go.
struct Node<'a> {
    checked: &'a CheckedMemory,
    memory: &'a Memory,
    uses: usize,
    files: BTreeSet<usize>,
    memories: Vec<usize>,
}

/// Which days there are to choose from, and which one is chosen.
struct DayChoice {
    first: Date,
    /// Days since the first one: all of them, and those until the chosen day.
    count: i32,
    chosen: i32,
}

impl DayChoice {
    fn new(first: Date, today: Date, request: &Request) -> Self {
        let count = (today - first).get_days().max(0);
        let chosen = request.query("day").parse().unwrap_or(count);
        Self {
            first,
            count,
            chosen: chosen.clamp(0, count),
        }
    }

    fn day(&self) -> Date {
        self.first.saturating_add(self.chosen.days())
    }

    /// The slider; a form without a script.
    fn form(&self, project: &Project<'_>) -> Markup {
        let at = project.at("/graph");
        html! { @if self.count > 0 {
            form.ask method="get" action=(at)
                hx-get=(at) hx-target="#drawn" hx-swap="outerHTML" hx-push-url="true" hx-trigger="submit, change" {
                label { (texts::AS_OF) input type="range" name="day" min="0" max=(self.count) value=(self.chosen); small { (texts::AS_OF_HINT) } }
                button type="submit" { (texts::APPLY) }
            }
        } }
    }
}

/// The page; a script gets what is drawn alone.
pub(crate) fn show(project: &Project<'_>, request: &Request) -> PageResult {
    let (verified, rest) = both(
        || project.read::<Verified>(["verify", "--all"]),
        || -> Result<_, PageError> {
            Ok((
                project.read::<MemoryList>(["list"])?,
                project.read::<Cost>(["cost"]).unwrap_or_default(),
                project.read::<Changes>(["history"]).unwrap_or_default(),
            ))
        },
    );
    let verified = verified.unwrap_or_else(|_| Ok(Verified::default()))?;
    let (mut list, cost, history) = rest?;
    let changes = history.changes.iter();
    let made = changes.flat_map(|change| change.versions.iter().map(move |one| (one, change)));
    // The newest comes first: what stays is when each was made.
    let made: HashMap<&str, Date> = made
        .map(|(version, change)| (version.note.as_str(), day_of(change)))
        .collect();
    let today = (project.console.now)().to_zoned(TimeZone::UTC).date();
    let first = list.memories.iter().filter_map(|one| made.get(&*one.id));
    let choice = DayChoice::new(first.min().copied().unwrap_or(today), today, request);
    list.memories
        .retain(|one| made.get(&*one.id).is_none_or(|day| *day <= choice.day()));
    let uses = cost
        .entries
        .iter()
        .map(|entry| (&*entry.label, entry.times));
    let uses: HashMap<&str, usize> = uses.collect();
    let by_file = list.memories.iter().map(|memory| (memory.label(), memory));
    let by_file: HashMap<String, &Memory> = by_file.collect();
    let is_edge = |one: &Citation| is_file(one) || one.kind == "note";
    let notes = verified.notes.iter();
    let mut checked: Vec<(&CheckedMemory, &Memory)> = notes
        .filter(|note| note.citations.iter().any(is_edge))
        .filter_map(|note| Some((note, *by_file.get(&note.file)?)))
        .collect();
    checked.sort_by_key(|(note, _)| std::cmp::Reverse(note.citations.len()));
    checked.truncate(MEMORIES_MAX);
    let names: BTreeSet<&str> = checked
        .iter()
        .flat_map(|(note, _)| cited_files(note))
        .collect();
    let names: Vec<&str> = names.into_iter().collect();
    let node = |&(checked, memory): &(_, _)| Node {
        checked,
        memory,
        uses: uses.get(&*checked.file).copied().unwrap_or_default(),
        files: cited_files(checked)
            .filter_map(|file| names.binary_search(&file).ok())
            .collect(),
        memories: Vec::new(),
    };
    let mut nodes: Vec<Node<'_>> = checked.iter().map(node).collect();
    // Beside what they cite, so that few lines cross.
    nodes.sort_by_key(|node| node.files.iter().sum::<usize>() * 100 / node.files.len().max(1));
    for at in 0..nodes.len() {
        let citations = nodes[at].checked.citations.iter();
        let named = citations.filter(|citation| citation.kind == "note");
        let others = named.filter_map(|citation| {
            let name = citation.text.trim_matches(['[', ']']);
            nodes.iter().position(|Node { memory, .. }| {
                let file = &*memory.file;
                file == name || file.trim_end_matches(".md") == name || memory.title() == name
            })
        });
        nodes[at].memories = others.filter(|other| *other != at).collect();
    }
    let drawn = html! { section #drawn aria-live="polite" {
        @if choice.count > 0 { p.quiet { (texts::AS_OF) " " (choice.day()) ": " (texts::count(nodes.len(), "memory", "memories")) } }
        @if nodes.is_empty() { p.empty { (texts::GRAPH_EMPTY) } } @else {
            div.graph tabindex="0" role="region" aria-label=(texts::GRAPH_LABEL) { (picture(project, &nodes, &names)) }
            details.card { summary { (texts::GRAPH_TABLE) }
                ul { @for node in &nodes { li {
                    a href=(project.at(&format!("/memories/{}", node.memory.id))) { (node.memory.title()) } " " span.quiet { (texts::verdict(&node.checked.verdict)) }
                    @if !node.files.is_empty() { ": " @for (at, file) in node.files.iter().enumerate() { @if at > 0 { ", " } code { (names[*file]) } } }
                } } }
            }
        }
    } };
    let head = (Section::Graph, texts::GRAPH);
    live(project, request, head, drawn, |drawn| {
        html! {
            h1 { (texts::GRAPH) }
            p.lead { (texts::GRAPH_INTRO) }
            (choice.form(project))
            (drawn)
        }
    })
}

fn is_file(citation: &Citation) -> bool {
    ["path", "line", "range"].contains(&&*citation.kind)
}

/// The files that a memory cites.
fn cited_files(checked: &CheckedMemory) -> impl Iterator<Item = &str> {
    let files = checked
        .citations
        .iter()
        .filter(|citation| is_file(citation));
    files.map(|citation| path_of(&citation.text))
}

/// A citation without its line.
fn path_of(text: &str) -> &str {
    match text.rsplit_once(':') {
        Some((path, line)) if line.starts_with(|c: char| c.is_ascii_digit()) => path,
        _ => text.split_once("#L").map_or(text, |(path, _)| path),
    }
}

fn shortened(text: &str, keep_end: bool) -> String {
    let count = text.chars().count();
    let chars = text.chars();
    match (count > LABEL_CHARS_MAX, keep_end) {
        (false, _) => text.to_owned(),
        (true, false) => chars.take(LABEL_CHARS_MAX - 1).chain(['…']).collect(),
        (true, true) => {
            let end = chars.skip(count - LABEL_CHARS_MAX + 1);
            ['…'].into_iter().chain(end).collect()
        }
    }
}

fn picture(project: &Project<'_>, nodes: &[Node<'_>], files: &[&str]) -> Markup {
    let rows = nodes.len().max(files.len());
    // The shorter column is spread over the height of the longer.
    let y = |at: usize, of: usize| TOP + (at * 2 + 1) * rows * ROW / (2 * of.max(1));
    let height = rows * ROW + 2 * TOP;
    let radius = |uses: usize| 5.0 + 3.0 * ((uses + 1) as f64).log2().min(4.0);
    html! {
        svg viewBox={ "0 0 " (WIDTH) " " (height) } width=(WIDTH) height=(height) role="group" aria-label=(texts::GRAPH_LABEL) {
            @for (at, node) in nodes.iter().enumerate() {
                @let from = y(at, nodes.len());
                @for file in &node.files {
                    @let to = y(*file, files.len());
                    path class={ "edge " (verdict_class(&node.checked.verdict)) }
                        d={ "M" (MEMORY_X) " " (from) "C" (MEMORY_X + 140) " " (from) " " (FILE_X - 140) " " (to) " " (FILE_X) " " (to) } {}
                }
                @for other in &node.memories {
                    @let to = y(*other, nodes.len());
                    @let bend = MEMORY_X + 40 + from.abs_diff(to) / 4;
                    path.edge.between d={ "M" (MEMORY_X) " " (from) "C" (bend) " " (from) " " (bend) " " (to) " " (MEMORY_X) " " (to) } {}
                }
            }
            @for (at, node) in nodes.iter().enumerate() {
                a href=(project.at(&format!("/memories/{}", node.memory.id))) {
                    title { (node.memory.title()) ": " (texts::verdict(&node.checked.verdict)) ", " (texts::count(node.uses, "use", "uses")) }
                    circle class={ "node " (verdict_class(&node.checked.verdict)) } cx=(MEMORY_X) cy=(y(at, nodes.len())) r=(format!("{:.1}", radius(node.uses))) {}
                    text x=(MEMORY_X - 22) y=(y(at, nodes.len()) + 4) text-anchor="end" { (shortened(node.memory.title(), false)) }
                }
            }
            @for (at, file) in files.iter().enumerate() {
                g {
                    title { (file) }
                    rect.file x=(FILE_X) y=(y(at, files.len()) - 4) width="8" height="8" {}
                    text.path x=(FILE_X + 16) y=(y(at, files.len()) + 4) { (shortened(file, true)) }
                }
            }
        }
    }
}
