//! Writes the tables as Rust source.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::entry::Entry;
use crate::pattern::{self, Sequence, Step};
use crate::tables;

#[derive(Default)]
struct Output {
    statics: String,
    rules: String,
    sets: HashMap<[u64; 4], usize>,
    rows: HashMap<Vec<Step>, usize>,
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
    let mut text = output.statics;
    let _ = write!(text, "pub(crate) static SETS: [Set; {}] = [", sets.len());
    for (_, set) in sets {
        let _ = write!(text, "Set({set:?}), ");
    }
    text.push_str("];\n");
    let count = entries.len();
    let _ = writeln!(
        text,
        "pub(crate) static RULES: [Rule; {count}] = [\n{}];",
        output.rules
    );
    let of_runs = |(index, entry): (usize, &Entry)| entry.lead.map(|_| index);
    let runs: Vec<usize> = entries.iter().enumerate().filter_map(of_runs).collect();
    let _ = writeln!(text, "pub(crate) static RUN_RULES: &[u16] = &{runs:?};");
    let _ = writeln!(
        text,
        "pub(crate) const SEARCH_COUNT: usize = {};",
        output.searches
    );
    keywords(&mut text, entries).map_err(|e| vec![e])?;
    Ok(text)
}

impl Output {
    fn rule(&mut self, entry: &Entry) -> Result<(), String> {
        let body = self.body(entry)?;
        if entry.keywords.is_empty() && entry.kind != "path" && entry.lead.is_none() {
            return Err("no keywords".to_owned());
        }
        let Entry {
            id,
            description,
            family,
            keywords,
            path,
            entropy,
            exact,
            ..
        } = entry;
        let (severity, check) = (camel(&entry.severity), camel(&entry.check));
        let _ = writeln!(
            self.rules,
            "Rule {{ id: {id:?}, description: {description:?}, family: {family:?}, \
             lead: {}, severity: Severity::{severity}, keywords: &{keywords:?}, body: {body}, \
             entropy: {entropy:?}, check: Check::{check}, path: {path:?}, exact: {exact} }},",
            entry.lead.unwrap_or(0),
        );
        Ok(())
    }

    fn body(&mut self, entry: &Entry) -> Result<String, String> {
        Ok(match entry.kind.as_str() {
            "token" => {
                let rows = pattern::sequences(&entry.pattern, &entry.keywords)?;
                format!("Body::Token(&{})", self.sequences(&rows))
            }
            "assigned" => {
                let rows = pattern::sequences(&entry.pattern, &[])?;
                format!("Body::Assigned(&{})", self.sequences(&rows))
            }
            "search" => {
                let slot = self.searches;
                self.searches += 1;
                format!(
                    "Body::Search(Search {{ pattern: {:?}, group: {}, before: {}, after: {}, slot: {slot} }})",
                    entry.pattern, entry.group, entry.before, entry.after,
                )
            }
            "detector" => format!("Body::Detector(Detector::{})", camel(&entry.detector)),
            "file" => format!("Body::File(Record::{})", camel(&entry.detector)),
            "path" => "Body::Path".to_owned(),
            other => return Err(format!("unknown kind `{other}`")),
        })
    }

    fn sequences(&mut self, rows: &[Sequence]) -> String {
        let mut text = String::from("[");
        for row in rows {
            let steps = self.row(&row.steps);
            let (min, max) = row.lead;
            let _ = write!(
                text,
                "Sequence {{ steps: &ROW_{steps}, lead_min: {min}, lead_max: {max} }}, "
            );
        }
        text + "]"
    }

    fn row(&mut self, steps: &[Step]) -> usize {
        if let Some(&known) = self.rows.get(steps) {
            return known;
        }
        let name = self.rows.len();
        let mut body = String::new();
        for Step { set, min, max } in steps {
            let set = self.set(*set);
            let _ = write!(body, "Step {{ set: {set}, min: {min}, max: {max} }}, ");
        }
        let _ = writeln!(
            self.statics,
            "static ROW_{name}: [Step; {}] = [{body}];",
            steps.len()
        );
        self.rows.insert(steps.to_vec(), name);
        name
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
    let count = words.len();
    let mut places = vec![0];
    for word in &words {
        places.push(places[places.len() - 1] + word.len());
    }
    let _ = writeln!(text, "pub(crate) static OWNERS: [&[u16]; {count}] = [");
    for owners in &owners {
        let _ = writeln!(text, "&{owners:?},");
    }
    let (bits, buckets) = (&built.bits, &built.buckets);
    let (starts, members) = (&built.starts, &built.members);
    let _ = writeln!(text, "];\nstatic BITS: [u64; {}] = {bits:?};", bits.len());
    let _ = writeln!(
        text,
        "static BUCKETS: [u16; {}] = {buckets:?};",
        buckets.len()
    );
    let _ = writeln!(text, "static STARTS: [u16; {}] = {starts:?};", starts.len());
    let _ = writeln!(
        text,
        "static MEMBERS: [u16; {}] = {members:?};",
        members.len()
    );
    let fourths = &built.fourths;
    let _ = writeln!(
        text,
        "static FOURTHS: [u32; {}] = {fourths:?};",
        fourths.len()
    );
    let _ = writeln!(text, "static TEXT: &str = {:?};", words.concat());
    let _ = writeln!(text, "static PLACES: [u16; {}] = {places:?};", places.len());
    Ok(())
}

fn camel(name: &str) -> String {
    let part = |part: &str| {
        let (head, tail) = part.split_at(part.len().min(1));
        head.to_uppercase() + tail
    };
    name.split('-').map(part).collect()
}
