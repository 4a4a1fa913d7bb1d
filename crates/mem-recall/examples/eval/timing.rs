//! How long a warm query takes in an index of 1,000, 10,000 and 100,000 documents, and the encoder.

use std::time::Instant;

use mem_recall::encoder::Encoder;
use mem_recall::{Document, RankOptions, RecallIndex, RecallQuery, rank_documents};

const PROMPTS: [&str; 4] = [
    "why does the billing worker retry after a cluster failure",
    "how do we deploy the session cache to a new shard",
    "upload metric is wrong since the schema policy changed",
    "login token expired",
];

/// Prints medians.
pub(crate) fn report(encoder: Option<&Encoder>) -> Result<(), Box<dyn std::error::Error>> {
    time_encoder(encoder);
    for documents in [1_000, 10_000, 100_000] {
        let documents_made: Vec<Document> = (0..documents).map(document).collect();
        let start = Instant::now();
        let mut index = RecallIndex::new();
        index.add_documents(&documents_made);
        let built = start.elapsed();
        let start = Instant::now();
        let bytes = index.to_bytes();
        let wrote = start.elapsed();
        let start = Instant::now();
        let index = RecallIndex::from_bytes(&bytes)?;
        let read = start.elapsed();
        let ranked = median(40, |i| {
            let query = RecallQuery::new(PROMPTS[i % PROMPTS.len()]);
            assert!(
                !rank_documents(
                    &index,
                    &query,
                    &RankOptions {
                        min_score: 0.0,
                        ..RankOptions::default()
                    }
                )
                .hits
                .is_empty()
            );
        });
        let mut changed = index.clone();
        let one = median(5, |i| changed.add_documents([&document(7 + i as u64)]));
        println!(
            "{documents:6} documents: query {ranked}; built in {built:.2?}, {} KiB, written in {wrote:.2?}, read in {read:.2?}; one changed {one}",
            bytes.len() / 1024
        );
    }
    Ok(())
}

struct Took(f64, f64);

impl std::fmt::Display for Took {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.3} ms (least {:.3})", self.0, self.1)
    }
}

fn time_encoder(encoder: Option<&Encoder>) {
    if let Some(encoder) = encoder {
        for tokens in [8_u16, 12, 32, 64, 128] {
            // Two more are the marks of beginning and end.
            let ids: Vec<u16> = (0..tokens - 2).map(|i| 2000 + 17 * i).collect();
            let took = median(20, |_| assert!(encoder.encode_tokens(&ids)[0].is_finite()));
            println!("encoder, {tokens:3} tokens: {took}");
        }
    }
}

/// Median, and the least: the second is nearer the truth on a busy machine.
fn median(times: usize, mut run: impl FnMut(usize)) -> Took {
    run(0);
    let mut took: Vec<f64> = (0..times)
        .map(|i| {
            let start = Instant::now();
            run(i);
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    took.sort_by(f64::total_cmp);
    Took(took[times / 2], took[0])
}

/// A note of 200 words out of some hundred, like those of a busy project.
fn document(number: u64) -> Document {
    const WORDS: &str = "deploy cluster token session index branch cache queue worker schema billing \
        invoice upload search login retry flag metric replica shard the and of for with after";
    let words: Vec<&str> = WORDS.split(' ').filter(|w| !w.is_empty()).collect();
    let endings = [
        "", "s", "ing", "-job", "_id", " policy", " failure", " owner",
    ];
    let mut state = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut text = |count: usize| {
        let mut out = String::new();
        for _ in 0..count {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let (word, ending) = (
                (state >> 33) as usize % words.len(),
                (state >> 50) as usize % endings.len(),
            );
            out.push_str(words[word]);
            out.push_str(endings[ending]);
            out.push(' ');
        }
        out
    };
    let (name, description, body) = (text(3), text(9), text(200));
    Document {
        key: format!("n{number}"),
        name,
        description,
        body,
        ..Document::default()
    }
}
