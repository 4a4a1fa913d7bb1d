//! The index: what is put in comes out, however it was changed and stored.

use mem_recall::{
    Document, Facets, IndexError, RankOptions, RecallIndex, RecallQuery, rank_documents,
};
use proptest::prelude::*;

const WORDS: [&str; 12] = [
    "deploy",
    "cluster",
    "token",
    "session",
    "parserError",
    "cache",
    "\u{7f13}\u{5b58}",
    "src/main.rs",
    "E0502",
    "migrations",
    "the",
    "login",
];

fn document(key: u8, words: &[usize]) -> Document {
    let text = |from: usize| {
        words
            .iter()
            .skip(from)
            .step_by(2)
            .map(|&w| WORDS[w])
            .collect::<Vec<_>>()
            .join(" ")
    };
    Document {
        key: format!("note{key}"),
        name: WORDS[usize::from(key) % WORDS.len()].into(),
        description: text(0),
        body: text(1),
        facets: Facets {
            used: u32::from(key),
            tags: vec!["tagged".into()],
            ..Facets::default()
        },
        stamp: vec![key],
    }
}

fn all(index: &RecallIndex, prompt: &str) -> Vec<(String, u32)> {
    let options = RankOptions {
        limit: 100,
        min_score: 0.0,
        ..RankOptions::default()
    };
    let hits = rank_documents(index, &RecallQuery::new(prompt), &options).hits;
    hits.into_iter()
        .map(|hit| (hit.key, (hit.score * 1e4) as u32))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Adding, replacing and removing in any order gives the answers of an index built anew.
    #[test]
    fn a_changed_index_is_as_good_as_a_new_one(
        steps in prop::collection::vec((0..12_u8, prop::collection::vec(0..WORDS.len(), 0..8), any::<bool>()), 1..40)
    ) {
        let mut index = RecallIndex::new();
        let mut kept = std::collections::BTreeMap::new();
        for (key, words, remove) in steps {
            let document = document(key, &words);
            if remove {
                prop_assert_eq!(index.remove_document(&document.key), kept.remove(&document.key).is_some());
            } else {
                index.add_documents([&document]);
                kept.insert(document.key.clone(), document);
            }
        }
        let mut anew = RecallIndex::new();
        anew.add_documents(kept.values());
        let read = RecallIndex::from_bytes(&index.to_bytes()).expect("an index");
        prop_assert_eq!(index.len(), kept.len());
        for prompt in WORDS.iter().copied().chain(["deploy the cluster after the cache", ""]) {
            prop_assert_eq!(all(&index, prompt), all(&anew, prompt), "{}", prompt);
            prop_assert_eq!(all(&index, prompt), all(&read, prompt), "{}", prompt);
        }
        for document in kept.values() {
            prop_assert_eq!(read.document_stamp(&document.key), Some(&document.stamp[..]));
        }
    }

    /// Arbitrary bytes, and an index with bytes changed, are refused without a panic.
    #[test]
    fn foreign_bytes_are_refused(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 1..255_u8), 1..4),
        cut in any::<prop::sample::Index>(),
    ) {
        prop_assert!(RecallIndex::from_bytes(&bytes).is_err());
        let mut index = RecallIndex::new();
        index.add_documents([&document(1, &[1, 2, 3, 6]), &document(2, &[4, 5])]);
        let whole = index.to_bytes();
        let mut changed = whole.clone();
        for (at, by) in changes {
            let at = at.index(whole.len());
            changed[at] = changed[at].wrapping_add(by);
        }
        prop_assert!(changed == whole || RecallIndex::from_bytes(&changed).is_err());
        prop_assert!(RecallIndex::from_bytes(&whole[..cut.index(whole.len())]).is_err());
    }

    /// Any text can be indexed and searched.
    #[test]
    fn any_text_is_taken(text in "\\PC{0,80}", prompt in any::<String>()) {
        let mut index = RecallIndex::new();
        index.add_documents([&Document { key: "k".into(), body: text, name: prompt.clone(), ..Document::default() }]);
        let _ = rank_documents(&index, &RecallQuery::new(&prompt), &RankOptions::default());
    }
}

#[test]
fn another_version_is_named() {
    let mut bytes = RecallIndex::new().to_bytes();
    bytes[8] = 9;
    assert_eq!(
        RecallIndex::from_bytes(&bytes).err(),
        Some(IndexError::Version { found: 9 })
    );
    assert_eq!(
        RecallIndex::from_bytes(b"PK\x03\x04").err(),
        Some(IndexError::Foreign)
    );
    assert_eq!(
        RecallIndex::from_bytes(&RecallIndex::new().to_bytes()[..20]).err(),
        Some(IndexError::Torn)
    );
}

#[test]
fn of_two_documents_with_one_key_the_later_stays() {
    let mut index = RecallIndex::new();
    index.add_documents([&document(3, &[0]), &document(3, &[1])]);
    assert_eq!(index.len(), 1);
    index.add_documents([&document(3, &[2])]);
    assert_eq!(index.document_keys().collect::<Vec<_>>(), ["note3"]);
    assert!(!index.remove_document("note9"));
}

#[test]
fn an_index_inside_valid_checksums_is_still_read_with_care() {
    // Many documents with odd lengths, then every byte of the stored form in turn.
    let mut index = RecallIndex::new();
    index.add_documents(
        &(0..5)
            .map(|k| document(k, &[usize::from(k), 6, 2]))
            .collect::<Vec<_>>(),
    );
    let whole = index.to_bytes();
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 0x41;
        assert!(RecallIndex::from_bytes(&changed).is_err(), "byte {at}");
    }
}

#[test]
fn an_index_tells_what_it_takes() {
    let mut index = RecallIndex::new();
    assert_eq!(index.memory_bytes(), 0);
    let documents: Vec<Document> = (0..100).map(|key| document(key, &[1, 2, 3])).collect();
    index.add_documents(&documents);
    let (whole, file) = (index.memory_bytes(), index.to_bytes().len());
    assert!(whole > file / 2 && whole < file * 2, "{whole} and {file}");
    index.remove_all(documents[..90].iter().map(|one| one.key.as_str()));
    assert!(
        index.memory_bytes() < whole / 4,
        "{} of {whole}",
        index.memory_bytes()
    );
}
