//! What sentences are read as, one by one.

use super::*;

/// A sentence of some day.
pub(in crate::dream) fn said(text: &str) -> ParsedSentence {
    let date = "2026-03-04".parse().unwrap();
    ParsedSentence::read(text, date, &mut Stems::default())
}

fn set(stems: &Stemmed) -> String {
    stems.iter().cloned().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_sentence_is_about_something_and_says_something() {
    for (text, about, says) in [
        ("The payments owner is Alice", "owner payment", "alic"),
        ("Alice owns payments", "owner payment", "alic"),
        ("Alice is the payments owner", "owner payment", "alic"),
        ("Deploy window: Tuesdays 14:00", "deploy window", "14:00 ~2"),
        ("We use Postgres 16 for orders", "order", "16 postgr"),
        ("Decision: use bun for installs", "instal", "bun"),
        ("Never push on Fridays", "", ""),
    ] {
        let said = said(text);
        assert_eq!(
            (&*set(&said.subject), &*set(&said.value)),
            (about, says),
            "{text}"
        );
    }
}

#[test]
fn what_holds_no_longer_is_told() {
    for (text, gone) in [
        ("We switched orders from Postgres to MySQL", "postgr"),
        ("Use bun, not npm", "npm"),
        ("Prefer tabs over spaces", "space"),
        ("Use bun instead of npm for installs", "npm"),
        ("The order came from Berlin", ""),
    ] {
        assert_eq!(set(&said(text).gone), gone, "{text}");
    }
    assert!(said("We no longer use Redis").is_negated);
    assert!(!said("Use bun, not npm").is_negated);
    assert!(said("Correction: the port is 80").is_change);
}
