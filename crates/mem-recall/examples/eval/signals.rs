//! Writes what was measured, one line a query and document, for fitting.

use std::fmt::Write;

use crate::measure::Corpus;

/// Query number, half, kind, whether the document answers it, score, and the signals.
#[expect(clippy::disallowed_methods, reason = "a scratch file for a person")]
pub(crate) fn write(corpus: &Corpus, path: &str) -> Result<(), Box<dyn std::error::Error>> {
    let mut out = String::from(
        "query,half,kind,gold,key,score,lexical,coverage,statics,sentence,latin,common,content,gate\n",
    );
    for (number, case) in corpus.cases.iter().enumerate() {
        for hit in corpus.rank(&case.prompt, 1000).hits {
            let (s, gold) = (hit.signals, u8::from(case.gold.contains(&hit.key)));
            writeln!(
                out,
                "{number},{},{},{gold},{},{},{},{},{},{},{},{},{},{}",
                case.half,
                case.kind,
                hit.key,
                hit.score,
                s.lexical,
                s.coverage,
                s.statics,
                s.sentence.map_or_else(String::new, |v| v.to_string()),
                s.latin,
                s.prompt.unwrap_or_default().common,
                s.content,
                s.prompt.unwrap_or_default().gate
            )?;
        }
    }
    Ok(std::fs::write(path, out)?)
}
