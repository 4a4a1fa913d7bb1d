//! However an index came to be, it gives the answers of one made in one go, sentence vectors
//! included; and a file of it is whole or refused.

use mem_recall::encoder::Encoder;
use mem_recall::{Document, Facets, RankOptions, RecallIndex, RecallQuery, rank_documents};
use proptest::prelude::*;

const NOTES: [(&str, &str); 10] = [
    ("Deploy order", "Migrations run before the web release"),
    ("No mocks", "Integration tests hit a real database"),
    (
        "Login tokens",
        "They expire after twelve hours, see auth/session_store.rs",
    ),
    (
        "\u{7f13}\u{5b58}",
        "\u{7f13}\u{5b58}\u{952e}\u{6709}\u{8fc7}\u{671f}\u{65f6}\u{95f4}",
    ),
    ("Feature flags", "config/flags.yaml says what is on"),
    ("E0502", "Borrow the arena once in the parser"),
    ("Short answers", "The user wants answers without praise"),
    ("Release train", "A release leaves on Tuesday"),
    ("Cache keys", "Every cache key has a time to live"),
    ("", ""),
];

const PROMPTS: [&str; 6] = [
    "how do we deploy the release?",
    "which cache keys expire?",
    "\u{7f13}\u{5b58}",
    "session_store",
    "may tests touch the database",
    "",
];

fn document(number: usize) -> Document {
    let (name, body) = NOTES[number];
    Document {
        key: format!("note{number}"),
        name: name.into(),
        body: body.into(),
        facets: Facets {
            used: number as u32,
            ..Facets::default()
        },
        stamp: vec![number as u8],
        ..Document::default()
    }
}

/// Keys, scores and confidences to the last bit.
fn answers(index: &RecallIndex) -> Vec<Vec<(String, u32, u32)>> {
    let options = RankOptions {
        limit: 100,
        min_score: 0.0,
        ..RankOptions::default()
    };
    let answer = |prompt: &&str| {
        let query = RecallQuery::new(prompt);
        #[cfg(feature = "encoder")]
        let query = query.with_encoding();
        let hits = rank_documents(index, &query, &options).hits;
        hits.into_iter()
            .map(|hit| (hit.key, hit.score.to_bits(), hit.confidence.to_bits()))
            .collect()
    };
    PROMPTS.iter().map(answer).collect()
}

fn made(documents: &[Document]) -> RecallIndex {
    let mut index = RecallIndex::new();
    index.add_documents(documents);
    #[cfg(feature = "encoder")]
    index.encode_documents(
        documents,
        Encoder::embedded().expect("the feature is on"),
        1,
    );
    index
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Parts that are indexed and encoded apart, then absorbed in any order, even where they overlap.
    #[test]
    fn parts_absorbed_in_any_order_are_the_whole(
        order in Just((0..NOTES.len()).collect::<Vec<_>>()).prop_shuffle(),
        cuts in prop::collection::vec(0..NOTES.len(), 0..4),
        twice in prop::collection::vec(0..NOTES.len(), 0..3),
    ) {
        let whole = made(&(0..NOTES.len()).map(document).collect::<Vec<_>>());
        let mut cuts = cuts;
        cuts.extend([0, NOTES.len()]);
        cuts.sort_unstable();
        let mut parts: Vec<Vec<usize>> = cuts.windows(2).map(|w| order[w[0]..w[1]].to_vec()).collect();
        parts.push(twice);
        let mut index = RecallIndex::new();
        for part in parts {
            index.absorb_index(made(&part.into_iter().map(document).collect::<Vec<_>>()));
        }
        prop_assert_eq!(index.len(), NOTES.len());
        prop_assert_eq!(answers(&index), answers(&whole));
        let read = RecallIndex::from_bytes(&index.to_bytes()).expect("an index");
        prop_assert_eq!(answers(&read), answers(&whole));
        #[cfg(feature = "encoder")]
        prop_assert_eq!(read.pending_keys(Encoder::embedded()).count(), 0);
        for number in 0..NOTES.len() {
            prop_assert_eq!(read.document_stamp(&format!("note{number}")), Some(&[number as u8][..]));
        }
    }
}

#[cfg(feature = "encoder")]
#[test]
fn a_changed_text_waits_to_be_encoded_and_an_unchanged_one_does_not() {
    let mut index = made(&[document(0), document(1)]);
    let mut touched = document(0);
    touched.stamp = vec![9];
    touched.facets.pinned = true;
    let mut changed = document(1);
    changed.body.push_str(", never a fake");
    index.add_documents([&touched, &changed]);
    assert_eq!(
        index.pending_keys(Encoder::embedded()).collect::<Vec<_>>(),
        ["note1"]
    );
    index.encode_documents(
        &[changed.clone()],
        Encoder::embedded().expect("the feature is on"),
        1,
    );
    assert_eq!(index.pending_keys(Encoder::embedded()).count(), 0);
    assert_eq!(answers(&index), answers(&made(&[touched, changed])));
    // Only what is in the index can be encoded.
    assert_eq!(
        index.encode_documents(&[document(5)], Encoder::embedded().unwrap(), 1),
        0
    );
}

/// An index of several segments, with dead documents and sentence vectors.
fn grown() -> RecallIndex {
    let mut index = made(&(0..8).map(document).collect::<Vec<_>>());
    index.add_documents([&document(8)]);
    index.remove_document("note3");
    index
}

#[test]
fn a_flipped_byte_is_noticed_wherever_it_is() {
    let whole = grown().to_bytes();
    assert_eq!(
        answers(&RecallIndex::from_bytes(&whole).expect("an index")),
        answers(&grown())
    );
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1 << (at % 8);
        assert!(RecallIndex::from_bytes(&changed).is_err(), "byte {at}");
    }
}

#[test]
fn a_file_that_is_cut_off_or_goes_on_is_refused() {
    let mut whole = grown().to_bytes();
    // Near the ends every length, between them some.
    let lengths = (0..whole.len()).filter(|at| at % 61 == 0 || *at < 300);
    for length in lengths.chain(whole.len() - 64..whole.len()) {
        assert!(
            RecallIndex::from_bytes(&whole[..length]).is_err(),
            "{length}"
        );
    }
    whole.push(0);
    assert!(RecallIndex::from_bytes(&whole).is_err());
}
