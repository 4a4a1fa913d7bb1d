//! Checks one note and prints the report: `verify_note REPOSITORY NOTE SECONDS`, the last being
//! when the note was written.

use std::path::Path;

use mem_core::{Environment, Now};
use mem_drift::{Note, Place, Request, verify};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [repository, note, seconds] = &arguments[..] else {
        panic!("verify_note REPOSITORY NOTE SECONDS");
    };
    let project = mem_core::project::find(Path::new(repository), &Environment::default()).unwrap();
    let written = jiff::Timestamp::from_second(seconds.parse().unwrap()).unwrap();
    let notes = [Note {
        file: note.clone(),
        text: std::fs::read_to_string(note).unwrap(),
        written: Some(written),
        ..Note::default()
    }];
    let request = Request {
        place: &Place::of(&project),
        notes: &notes,
        remotes: &[],
        known_notes: None,
        now: Now(written),
    };
    let report = verify(&request, None).unwrap().report;
    println!("{}", serde_json::to_string_pretty(&report).unwrap());
}
