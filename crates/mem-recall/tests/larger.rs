//! A larger encoder of a file, here a small one that the test writes: what is read, what is refused, and that vectors of
//! two encoders are never compared.

use mem_recall::encoder::{Encoder, ModelError, ModelFile};
use mem_recall::{Document, RankOptions, RecallIndex, RecallQuery, rank_documents};

const WIDTH: usize = 32;
const VOCABULARY: usize = 30_526;
const POSITIONS: usize = 40;

/// A model of one head and one layer whose weights are all alike but for those of words; `seed` tells files apart.
fn model_file(seed: u8) -> Vec<u8> {
    let mut file = b"MEMLARG1".to_vec();
    file.resize(64, seed);
    let shape = [VOCABULARY, WIDTH, 64, 1, 1, POSITIONS, 4, 0, 2];
    let mut part = |bytes: usize, fill: &dyn Fn(usize) -> u8| {
        let start = file.len();
        file.extend((0..bytes).map(fill));
        file.resize(start + bytes.next_multiple_of(32), 0);
    };
    part(36, &|i| (shape[i / 4] >> (8 * (i % 4))) as u8);
    let mixed = |i: usize| (i.wrapping_mul(2_654_435_761) >> 13) as u8;
    let scale = |i: usize| [0, 0x20][i % 2];
    let zero = |_: usize| 0;
    let one = |i: usize| 1.0_f32.to_le_bytes()[i % 4];
    part(VOCABULARY * WIDTH * 3 / 8, &mixed);
    part(VOCABULARY * WIDTH / 32, &|_| 9);
    part(2 * VOCABULARY, &scale);
    part(2 * WIDTH * POSITIONS, &zero);
    part(4 * WIDTH, &one);
    part(4 * WIDTH, &zero);
    part(4 * (2 * POSITIONS - 1), &one);
    // Both weights of a byte are of one row: each is the other's negative, so that a row's sum is zero.
    let balanced = |i: usize| (1 + mixed(i) % 15) | ((15 - mixed(i) % 15) << 4);
    let mut matrix = |rows: usize, columns: usize, norms: usize| {
        part(rows * columns / 2, &balanced);
        part(rows * columns / 32, &|_| 9);
        part(2 * rows, &scale);
        part(4 * rows, &zero);
        part(4 * rows, &zero);
        for _ in 0..norms {
            part(4 * WIDTH, &one);
            part(4 * WIDTH, &zero);
        }
    };
    for _ in 0..4 {
        matrix(WIDTH, WIDTH, 0);
    }
    matrix(64, WIDTH, 0);
    matrix(WIDTH, 64, 2);
    matrix(384, WIDTH, 0);
    file
}

fn encoder(seed: u8) -> Encoder {
    let file: &'static [u8] = model_file(seed).leak();
    Encoder::from_model(&ModelFile::read(file).expect("a model"))
}

#[test]
fn a_file_of_its_shape_makes_vectors() {
    let encoder = encoder(1);
    assert_ne!(encoder.id(), 0);
    let vector = |text| encoder.encode_text(text, 64).unwrap();
    let (one, other) = (vector("the worker retries"), vector("a cup of tea"));
    assert!((one.cosine(&one) - 1.0).abs() < 0.01 && one.cosine(&other) < 0.99);
    assert!(encoder.encode_text(&"word ".repeat(900), 900).is_some());
}

#[test]
fn what_is_no_model_is_refused() {
    let file = model_file(1);
    let error = |bytes: &[u8]| ModelFile::read(bytes).unwrap_err();
    assert_eq!(error(b"MEMLARG1"), ModelError::Foreign);
    assert_eq!(error(&[0; 4096]), ModelError::Foreign);
    let (found, expected) = (file.len() - 1, file.len());
    assert_eq!(error(&file[..found]), ModelError::Size { found, expected });
    for at in 0..9 {
        for number in [0, 7, u32::MAX] {
            let mut wrong = file.clone();
            wrong[64 + 4 * at..][..4].copy_from_slice(&u32::to_le_bytes(number));
            // Only the numbers of marks and the offset may be any of them.
            assert!(at >= 6 || ModelFile::read(&wrong).is_err(), "{at} {number}");
        }
    }
}

#[test]
fn vectors_of_two_encoders_are_never_compared() {
    let (larger, embedded) = (encoder(1), Encoder::embedded().unwrap());
    let documents: Vec<Document> = ["deploys", "retries"]
        .map(|name| Document {
            key: format!("{name}.md"),
            name: name.into(),
            body: format!("What the team knows of {name}."),
            ..Document::default()
        })
        .into();
    let mut index = RecallIndex::new();
    index.add_documents(&documents);
    index.encode_documents(&documents, embedded, 1);
    let waiting = |index: &RecallIndex, encoder| index.pending_keys(Some(encoder)).count();
    assert_eq!(
        (waiting(&index, embedded), waiting(&index, &larger)),
        (0, 2)
    );
    let query = RecallQuery::new("how do retries work").with_encoding_by(Some(&larger));
    let compared = |index: &RecallIndex| {
        let options = RankOptions {
            min_score: 0.0,
            ..RankOptions::default()
        };
        let hits = rank_documents(index, &query, &options).hits;
        hits.iter()
            .filter(|hit| hit.signals.sentence.is_some())
            .count()
    };
    assert_eq!(compared(&index), 0);
    // The first of them takes the vectors of the other encoder away.
    index.encode_documents(&documents[..1], &larger, 1);
    let index = RecallIndex::from_bytes(&index.to_bytes()).unwrap();
    assert_eq!(
        (waiting(&index, embedded), waiting(&index, &larger)),
        (2, 1)
    );
    assert_eq!(compared(&index), 1);
}

#[test]
fn likeness_is_judged_by_words_where_a_larger_encoder_made_the_vectors() {
    let documents: Vec<Document> = ["one", "other"]
        .map(|key| Document {
            key: key.into(),
            name: "Deploys".into(),
            body: "Deploys run on Tuesdays.".into(),
            ..Document::default()
        })
        .into();
    let mut index = RecallIndex::new();
    index.add_documents(&documents);
    let sentence = |index: &RecallIndex| index.similar_documents("one", 1)[0].likeness.sentence;
    index.encode_documents(&documents, Encoder::embedded().unwrap(), 1);
    assert!(sentence(&index).is_some_and(|likeness| likeness > 0.9));
    index.encode_documents(&documents, &encoder(1), 1);
    assert_eq!(sentence(&index), None);
    let same = &index.similar_documents("one", 1)[0].likeness;
    assert!(same.combined_score() > 0.9);
}
