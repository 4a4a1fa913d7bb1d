//! The notes and their labels: `` `src/a.rs`{moved} `` in the text of a note.

use jiff::Timestamp;
use mem_drift::DriftInput;

/// A citation as a person judged it.
pub(crate) struct Labelled {
    pub(crate) note: String,
    pub(crate) text: String,
    pub(crate) expected: String,
}

/// Reads the notes, each under a heading of its own, all written at one second. What stands more
/// than once in a note is labelled once.
pub(crate) fn read(text: &str, written: i64) -> (Vec<DriftInput>, Vec<Labelled>) {
    let mut notes = Vec::new();
    let mut labels: Vec<Labelled> = Vec::new();
    for part in text.split("# ").filter(|part| !part.trim().is_empty()) {
        let (title, body) = part.split_once('\n').unwrap();
        let file = format!("project_{}.md", title.replace(' ', "_"));
        let (plain, found) = strip(body);
        for (text, expected) in found {
            if !labels
                .iter()
                .any(|known| known.note == file && known.text == text)
            {
                labels.push(Labelled {
                    note: file.clone(),
                    text,
                    expected,
                });
            }
        }
        notes.push(DriftInput {
            text: format!("---\nname: {title}\ndescription: about {title}\n---\n\n{plain}"),
            file,
            written: Timestamp::from_second(written).ok(),
            ..DriftInput::default()
        });
    }
    (notes, labels)
}

/// Takes the labels out of a text.
fn strip(body: &str) -> (String, Vec<(String, String)>) {
    let mut plain = String::new();
    let mut found = Vec::new();
    let mut rest = body;
    while let Some(at) = rest.find('{') {
        let (front, label) = rest.split_at(at);
        let end = label.find('}').unwrap();
        plain.push_str(front);
        found.push((cited(front).to_owned(), label[1..end].to_owned()));
        rest = &label[end + 1..];
    }
    plain.push_str(rest);
    (plain, found)
}

/// What stands in front of a label: a code span, a link's target, or a word.
fn cited(front: &str) -> &str {
    let inner = front.strip_suffix(['`', ')']).unwrap_or(front);
    let is_code = front.ends_with('`');
    let start = inner.rfind(|c: char| {
        if is_code {
            c == '`'
        } else {
            c == '(' || c == ' '
        }
    });
    &inner[start.map_or(0, |at| at + 1)..]
}
