//! The development set of this crate.

use std::path::Path;

use mem_recall::encoder::Encoder;
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

/// Reads the notes and queries of folders of this crate, separated by commas. Of the notes, every
/// so many of them is there, with the queries that it answers.
pub(crate) fn read(
    folders: &str,
    every: usize,
    encoder: Option<&'static Encoder>,
) -> Result<Corpus, Box<dyn std::error::Error>> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = home.join("eval");
    let (mut documents, mut cases) = (Vec::new(), Vec::new());
    for folder in folders.split(',').map(|folder| home.join(folder)) {
        let notes = std::fs::read_to_string(folder.join("notes.jsonl"))?;
        for line in notes.lines() {
            documents.push(document(serde_json::from_str::<Note>(line)?));
        }
        cases.extend(self::cases(&folder)?);
    }
    if !folders.split(',').any(|folder| home.join(folder) == own) {
        // What no note of the set fits is not about those of another either.
        cases.extend(self::cases(&own)?.into_iter().filter(|c| c.gold.is_empty()));
    }
    if every > 1 {
        documents = documents.into_iter().step_by(every).collect();
        let keys: Vec<&str> = documents.iter().map(|one| one.key.as_str()).collect();
        cases.retain(|case| case.gold.iter().all(|gold| keys.contains(&gold.as_str())));
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
