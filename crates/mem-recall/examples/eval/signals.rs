//! Writes what was measured, one line a query and document, for fitting.

use std::fmt::Write;

use crate::measure::Corpus;

/// Half and kind of the query, whether the document answers it, score, the signals, and the query.
#[expect(clippy::disallowed_methods, reason = "a scratch file for a person")]
pub(crate) fn write(corpora: &[Corpus], path: &str) -> Result<(), Box<dyn std::error::Error>> {
    let mut out = String::from(
        "half,kind,gold,score,lexical,coverage,statics,sentence,latin,common,content,among,terms,prompt\n",
    );
    for (corpus, case) in corpora
        .iter()
        .flat_map(|corpus| corpus.cases.iter().map(move |case| (corpus, case)))
    {
        let prompt = case.prompt.replace('"', "\"\"");
        for hit in corpus.rank(&case.prompt, 1000).hits {
            let (s, gold) = (hit.signals, u8::from(case.gold.contains(&hit.key)));
            writeln!(
                out,
                "{},{},{gold},{},{},{},{},{},{},{},{},{},{},\"{prompt}\"",
                case.half,
                case.kind,
                hit.score,
                s.lexical,
                s.coverage,
                s.statics,
                s.sentence.map_or_else(String::new, |v| v.to_string()),
                s.latin,
                s.prompt.unwrap_or_default().common,
                s.content,
                corpus.index.len(),
                s.terms
            )?;
        }
    }
    Ok(std::fs::write(path, out)?)
}
