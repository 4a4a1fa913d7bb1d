//! Measures the ranking: `cargo run --release -p mem-recall --example eval -- [--locomo PATH] [--locomo-sessions PATH]
//! [--key PATH] [--beam FOLDER] [--longmemeval PATH] [--cosqa PATH] [--set FOLDERS] [--every N] [--stage one]
//! [--timing] [--alike] [--signals PATH] [--model FILE]`.
//!
//! Without a path it measures the set in `crates/mem-recall/eval` (or other folders, `--set
//! eval,eval/fresh`; of the notes every N-th): R@1, R@5, R@10, MRR and nDCG@10
//! by kind of query, then what abstention costs. `--signals` writes what was measured for each query
//! and document, from which weights are fitted (`eval/fit.py`). `--alike` compares the likeness of
//! notes that say the same with that of others. `--model` ranks, and times, by a larger encoder.
#![expect(
    clippy::disallowed_methods,
    reason = "it measures on files that its user names"
)]
#![expect(clippy::print_stdout, reason = "the report is the purpose")]

mod abstention;
mod development_set;
mod external;
mod measure;
mod signals;
mod similarity;
mod timing;

use measure::Case;
use mem_recall::encoder::{Encoder, ModelFile};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| {
        let at = arguments.iter().position(|a| a == name)?;
        arguments.get(at + 1).cloned()
    };
    let encoder = match value("--model") {
        Some(path) => Some(installed_encoder(&path)?),
        None => Encoder::embedded(),
    };
    let encoder = encoder.filter(|_| value("--stage").as_deref() != Some("one"));
    if arguments.iter().any(|a| a == "--timing") {
        return timing::report(encoder);
    }
    for flag in external::FLAGS {
        if let Some(path) = value(flag) {
            let pools = external::read_set(flag, &path, value("--key").as_deref())?;
            let corpora = external::index_pools(pools, encoder);
            if let Some(path) = value("--signals") {
                return signals::write(&corpora, &path);
            }
            external::report(corpora);
            return Ok(());
        }
    }
    let every = value("--every").map_or(Ok(1), |every| every.parse())?;
    let set = value("--set").unwrap_or_else(|| "eval".into());
    let corpus = development_set::read(&set, every, encoder)?;
    if arguments.iter().any(|a| a == "--alike") {
        return similarity::report(corpus);
    }
    if let Some(path) = value("--signals") {
        return signals::write(&[corpus], &path);
    }
    for half in ["tuned", "held-out", "fresh", "later"] {
        let cases: Vec<&Case> = corpus.cases.iter().filter(|c| c.half == half).collect();
        if cases.is_empty() {
            continue;
        }
        println!("\n{half} half");
        if cases.iter().any(|case| !case.gold.is_empty()) {
            measure::report(&corpus, &cases);
        }
        abstention::report(&corpus, &cases);
    }
    Ok(())
}

fn installed_encoder(path: &str) -> Result<&'static Encoder, Box<dyn std::error::Error>> {
    let bytes: &'static [u8] = std::fs::read(path)?.leak();
    Ok(Box::leak(Box::new(Encoder::from_model(&ModelFile::read(
        bytes,
    )?))))
}
