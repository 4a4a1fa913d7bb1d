//! The development set of this crate.

use std::path::Path;

use mem_recall::{Document, Facets};
use serde::Deserialize;

use crate::measure::{Case, Corpus};

#[derive(Deserialize)]
struct Note {
    key: String,
    r#type: String,
    name: String,
    description: String,
    body: String,
}

#[derive(Deserialize)]
struct Line {
    query: String,
    gold: Vec<String>,
    kind: String,
    half: String,
}

/// Reads the notes and queries of a folder of this crate.
pub(crate) fn read(folder: &str, encoder: bool) -> Result<Corpus, Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let notes = std::fs::read_to_string(folder.join("notes.jsonl"))?;
    let documents: Vec<Document> = notes
        .lines()
        .map(|line| serde_json::from_str::<Note>(line).map(document))
        .collect::<Result<_, _>>()?;
    let mut cases = cases(&folder)?;
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("eval");
    if folder != own {
        // What no note of the set fits is not about those of another either.
        cases.extend(self::cases(&own)?.into_iter().filter(|c| c.gold.is_empty()));
    }
    Ok(Corpus::new(&documents, cases, encoder))
}

fn cases(folder: &Path) -> Result<Vec<Case>, Box<dyn std::error::Error>> {
    let queries = std::fs::read_to_string(folder.join("queries.jsonl"))?;
    let case = |line| {
        let line: Line = serde_json::from_str(line)?;
        Ok(Case {
            prompt: line.query,
            gold: line.gold,
            kind: line.kind,
            half: line.half,
        })
    };
    queries.lines().map(case).collect()
}

fn document(note: Note) -> Document {
    Document {
        key: note.key,
        name: note.name,
        description: note.description,
        body: note.body,
        facets: Facets {
            kind: note.r#type,
            ..Facets::default()
        },
        stamp: Vec::new(),
    }
}
