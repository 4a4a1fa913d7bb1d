//! The tokenizer against the reference tokenizer, text by text.

use mem_recall::wordpiece::tokenize_text;

#[test]
fn tokens_are_those_of_the_reference() {
    let fixture = include_str!("fixtures/wordpiece.jsonl");
    let mut wrong = Vec::new();
    for line in fixture.lines() {
        let (text, expected): (String, Vec<u16>) =
            serde_json::from_str(line).expect("a fixture line");
        if tokenize_text(&text, usize::MAX) != expected {
            wrong.push((text.clone(), tokenize_text(&text, usize::MAX), expected));
        }
    }
    assert!(fixture.lines().count() > 300);
    assert!(
        wrong.is_empty(),
        "{} differ, first {:?}",
        wrong.len(),
        wrong.first()
    );
}
