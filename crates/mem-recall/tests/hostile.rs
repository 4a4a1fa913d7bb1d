//! Documents and prompts that nobody wants: they are taken, and the others are found all the same.

use mem_recall::encoder::Encoder;
use mem_recall::{Document, Facets, RankOptions, RecallIndex, RecallQuery, rank_documents};

fn of(key: &str, text: &str) -> Document {
    Document {
        key: key.into(),
        name: text.into(),
        description: text.into(),
        body: text.into(),
        ..Document::default()
    }
}

fn hostile() -> Vec<Document> {
    let mut all = vec![
        of("", ""),
        of("empty", ""),
        of("nul", "\0\0\0 a\0b \0"),
        of(
            "emoji",
            "\u{1f980}\u{1f980} \u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} \u{1f1e9}\u{1f1ea}",
        ),
        of("marks", &"a\u{301}".repeat(3_000)),
        of("direction", "\u{202e}drow\u{202c} \u{feff}\u{200b}"),
        of("lines", &"\n".repeat(20_000)),
        of("stops", &"the of and ".repeat(3_000)),
        of("humps", &"aB".repeat(20_000)),
        of("separators", &"_-./:\\@".repeat(5_000)),
        of("numbers", &"1.2.3-0x".repeat(5_000)),
        of("han", &"\u{7f13}".repeat(20_000)),
        of(&"key".repeat(10_000), "a long key"),
        // A term name of more bytes than a field's length can say.
        of("many", &"word ".repeat(70_000)),
    ];
    all.push(Document {
        body: "x".repeat(10 << 20),
        ..of("word", "")
    });
    all.push(Document {
        facets: Facets {
            importance: Some(f32::NAN),
            expires: Some(i64::MIN),
            time: Some(i64::MAX),
            used: u32::MAX,
            tags: vec![String::new(); 2_000],
            ..Facets::default()
        },
        ..of("facets", "facets")
    });
    all
}

fn found(index: &RecallIndex, prompt: &str) -> Vec<String> {
    let options = RankOptions {
        limit: 1_000,
        min_score: 0.0,
        now: i64::MIN,
        ..RankOptions::default()
    };
    let hits = rank_documents(index, &RecallQuery::new(prompt), &options).hits;
    for hit in &hits {
        assert!(
            hit.score.is_finite() && hit.confidence.is_finite(),
            "{hit:?}"
        );
    }
    hits.into_iter().map(|hit| hit.key).collect()
}

#[test]
fn odd_documents_hide_no_other() {
    let mut documents = hostile();
    documents.push(of("note", "Deploying the billing cluster"));
    let mut index = RecallIndex::new();
    index.add_documents(&documents);
    assert_eq!(index.len(), documents.len());
    assert_eq!(found(&index, "deploy billing")[0], "note");
    let read = RecallIndex::from_bytes(&index.to_bytes()).expect("an index");
    for document in &documents {
        let prompt = &document.body[..document.body.floor_char_boundary(100_000)];
        assert_eq!(found(&index, prompt), found(&read, prompt));
        let _ = (
            index.similar_documents(&document.key, 3),
            index.similar_to(document, 3),
        );
    }
    for document in hostile() {
        assert!(index.remove_document(&document.key), "{:.20}", document.key);
    }
    assert_eq!(found(&index, "deploy billing"), ["note"]);
}

#[cfg(feature = "encoder")]
#[test]
fn odd_documents_can_be_encoded() {
    let documents = hostile();
    let mut index = RecallIndex::new();
    index.add_documents(&documents);
    assert_eq!(
        index.encode_documents(&documents, Encoder::embedded().unwrap(), 2),
        documents.len()
    );
    // Nothing waits forever: what has no vector is encoded, too.
    assert_eq!(index.pending_keys(Encoder::embedded()).count(), 0);
    for document in &documents {
        let prompt = &document.body[..document.body.floor_char_boundary(10_000)];
        let query = RecallQuery::new(prompt).with_encoding();
        let ranking = rank_documents(&index, &query, &RankOptions::default());
        assert!(ranking.best.is_finite());
    }
}

#[test]
fn odd_prompts_get_an_answer() {
    let mut index = RecallIndex::new();
    index.add_documents([&of("note", "Deploying the billing cluster")]);
    for document in hostile() {
        let _ = found(&index, &document.body);
    }
    let long = format!("deploy billing?\n{}", "\u{7f13}\u{5b58} x ".repeat(1 << 20));
    assert_eq!(found(&index, &long), ["note"]);
}
