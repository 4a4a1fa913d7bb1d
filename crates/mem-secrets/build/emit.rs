//! Writes the tables as Rust source.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::entry::Entry;
use crate::pattern::{self, ByteRunBits, PatternSequence};
use crate::tables;
use crate::texts::RuleTexts;

/// Tables without pointers: the loader would adjust each of them at every start of the program.
#[derive(Default)]
struct Output {
    rules: String,
    texts: RuleTexts,
    sets: HashMap<[u64; 4], usize>,
    /// Where a row of steps stands among all steps.
    rows: HashMap<Vec<ByteRunBits>, usize>,
    steps: Vec<String>,
    sequences: Vec<String>,
    searches: usize,
}

/// The source of every rule and of the search for their keywords.
pub(crate) fn emit(entries: &[Entry]) -> Result<String, Vec<String>> {
    let mut output = Output::default();
    let wrong = |entry: &Entry, e: String| format!("rule `{}`: {e}", entry.id);
    let rule = |entry| output.rule(entry).err().map(|e| wrong(entry, e));
    let errors: Vec<String> = entries.iter().filter_map(rule).collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut sets: Vec<_> = output.sets.iter().map(|(set, name)| (name, set)).collect();
    sets.sort_unstable();
    let sets: Vec<String> = sets
        .iter()
        .map(|(_, set)| format!("Set({set:?})"))
        .collect();
    let mut text = String::new();
    table(&mut text, "SETS", "Set", &sets);
    table(&mut text, "STEPS", "ByteRun", &output.steps);
    table(&mut text, "SEQUENCES", "ByteSequence", &output.sequences);
    let _ = writeln!(
        text,
        "pub(crate) static RULES: [Rule; {}] = [\n{}];",
        entries.len(),
        output.rules
    );
    output.texts.emit(&mut text);
    for (name, member) in KINDS {
        let found = entries.iter().enumerate();
        let found = found.filter(|(_, entry)| member(entry));
        let found: Vec<String> = found.map(|(index, _)| index.to_string()).collect();
        table(&mut text, name, "u16", &found);
    }
    let _ = writeln!(
        text,
        "pub(crate) const SEARCH_COUNT: usize = {};",
        output.searches
    );
    keywords(&mut text, entries).map_err(|e| vec![e])?;
    Ok(text)
}

type IsOfKind = fn(&Entry) -> bool;

/// Lists of rules that are not woken by keywords alone.
const KINDS: [(&str, IsOfKind); 5] = [
    ("RUN_RULES", |entry| entry.lead.is_some()),
    ("PATH_RULES", |entry| entry.kind == "path"),
    ("FILE_RULES", |entry| entry.kind == "file"),
    ("SEARCH_RULES", |entry| entry.kind == "search"),
    ("BINARY_RULES", |entry| entry.detector == "pem"),
];

/// Writes a table of so many items.
fn table(text: &mut String, name: &str, kind: &str, items: &[String]) {
    let _ = writeln!(
        text,
        "pub(crate) static {name}: [{kind}; {}] = [{}];",
        items.len(),
        items.join(", ")
    );
}

impl Output {
    fn rule(&mut self, entry: &Entry) -> Result<(), String> {
        let body = self.body(entry)?;
        if entry.keywords.is_empty() && entry.kind != "path" && entry.lead.is_none() {
            return Err("no keywords".to_owned());
        }
        let (entropy, exact) = (entry.entropy, entry.exact);
        let (severity, check) = (camel(&entry.severity), camel(&entry.check));
        let mut text = |text: &str| self.texts.add(text);
        let (id, description) = (text(&entry.id), text(&entry.description));
        let (family, keywords) = (text(&entry.family), text(&entry.keywords.join("\n")));
        let path = match &entry.path {
            Some(path) => format!("Some({})", text(path)),
            None => "None".to_owned(),
        };
        let _ = writeln!(
            self.rules,
            "Rule {{ id: {id}, description: {description}, family: {family}, \
             lead: {}, severity: LeakSeverity::{severity}, keywords: {keywords}, body: {body}, \
             entropy: {entropy:?}, check: RuleCheck::{check}, path: {path}, exact: {exact} }},",
            entry.lead.unwrap_or(0),
        );
        Ok(())
    }

    fn body(&mut self, entry: &Entry) -> Result<String, String> {
        Ok(match entry.kind.as_str() {
            "token" => {
                let rows = pattern::sequences(&entry.pattern, &entry.keywords)?;
                format!("Body::Token({})", self.sequences(&rows))
            }
            "assigned" => {
                let rows = pattern::sequences(&entry.pattern, &[])?;
                format!("Body::Assigned({})", self.sequences(&rows))
            }
            "search" => {
                let slot = self.searches;
                self.searches += 1;
                format!(
                    "Body::Search(RuleSearch {{ pattern: {}, group: {}, before: {}, after: {}, slot: {slot} }})",
                    self.texts.add(&entry.pattern),
                    entry.group,
                    entry.before,
                    entry.after,
                )
            }
            "detector" => format!("Body::Detector(Detector::{})", camel(&entry.detector)),
            "file" => format!("Body::File(LineRecord::{})", camel(&entry.detector)),
            "path" => "Body::Path".to_owned(),
            other => return Err(format!("unknown kind `{other}`")),
        })
    }

    fn sequences(&mut self, rows: &[PatternSequence]) -> String {
        let start = self.sequences.len();
        for row in rows {
            let first = self.row(&row.steps);
            let (count, (min, max)) = (row.steps.len(), row.lead);
            self.sequences.push(format!(
                "ByteSequence {{ first: {first}, count: {count}, lead_min: {min}, lead_max: {max} }}"
            ));
        }
        format!(
            "Sequences {{ start: {start}, end: {} }}",
            self.sequences.len()
        )
    }

    fn row(&mut self, steps: &[ByteRunBits]) -> usize {
        if let Some(&known) = self.rows.get(steps) {
            return known;
        }
        let first = self.steps.len();
        for ByteRunBits { set, min, max } in steps {
            let set = self.set(*set);
            self.steps
                .push(format!("ByteRun {{ set: {set}, min: {min}, max: {max} }}"));
        }
        self.rows.insert(steps.to_vec(), first);
        first
    }

    fn set(&mut self, set: [u64; 4]) -> usize {
        if let Some(&known) = self.sets.get(&set) {
            return known;
        }
        let name = self.sets.len();
        self.sets.insert(set, name);
        name
    }
}

fn keywords(text: &mut String, entries: &[Entry]) -> Result<(), String> {
    let mut words: Vec<&str> = Vec::new();
    let mut owners: Vec<Vec<usize>> = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        // The keywords of a path are looked for in the path.
        let of_path = matches!(entry.kind.as_str(), "path" | "file");
        let words_of_text = entry
            .keywords
            .iter()
            .filter(|_| !of_path && entry.lead.is_none());
        for word in words_of_text {
            let known = words.iter().position(|known| known == word);
            let place = known.unwrap_or_else(|| {
                words.push(word);
                owners.push(Vec::new());
                words.len() - 1
            });
            owners[place].push(index);
        }
    }
    let bytes: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).collect();
    let built = tables::build(&bytes)?;
    let mut places = vec![0];
    for word in &words {
        places.push(places[places.len() - 1] + word.len());
    }
    let mut ends = vec![0];
    for owners in &owners {
        ends.push(ends[ends.len() - 1] + owners.len());
    }
    numbers(text, "OWNERS", "u16", &owners.concat());
    numbers(text, "OWNER_PLACES", "u16", &ends);
    numbers(text, "BITS", "u64", &built.bits);
    numbers(text, "BUCKETS", "u16", &built.buckets);
    numbers(text, "STARTS", "u16", &built.starts);
    numbers(text, "MEMBERS", "u16", &built.members);
    numbers(text, "HEADS", "u64", &built.heads);
    numbers(text, "FOLDS", "u64", &built.folds);
    numbers(text, "FOURTHS", "u32", &built.fourths);
    let _ = writeln!(text, "static TEXT: &str = {:?};", words.concat());
    numbers(text, "PLACES", "u16", &places);
    Ok(())
}

fn numbers<T: std::fmt::Display>(text: &mut String, name: &str, kind: &str, items: &[T]) {
    let items: Vec<String> = items.iter().map(T::to_string).collect();
    table(text, name, kind, &items);
}

fn camel(name: &str) -> String {
    let part = |part: &str| {
        let (head, tail) = part.split_at(part.len().min(1));
        head.to_uppercase() + tail
    };
    name.split('-').map(part).collect()
}
