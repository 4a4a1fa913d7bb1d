//! What somebody is to do once: a demand for work, which is done with when the work is.
//!
//! `Update README: add a section` and `Mir erklären, warum der Build fehlschlägt` are noted like facts and are none.
//! What is demanded always, of everything, or in some way is a rule and stays one.

use mem_recall::lexicon::WordList;
use mem_recall::text::fold_word;

/// Verbs of work at the beginning of an entry.
static BEGINS: WordList = WordList::folded(&["work_begins"]);
/// Verbs of work at the end of what is said first, where a language puts them there.
static ENDS: WordList = WordList::folded(&["work_ends"]);
/// What makes a rule of a demand, in whatever place.
static LASTING: WordList = WordList::folded(&["lasting"]);
/// The same, but for what is to be explained: there a no is what is asked about.
static REFUSING: WordList = WordList::folded(&["refusing"]);
/// What is to be explained or looked into.
static ASKING: WordList = WordList::of(&["asking"]);
/// The same as they begin where no blanks part words.
static UNSPACED: WordList = WordList::of(&["unspaced_work_begins"]);
/// And as they end.
static UNSPACED_ENDS: WordList = WordList::of(&["unspaced_work_ends"]);
static UNSPACED_LASTING: WordList = WordList::of(&["unspaced_lasting"]);

/// What stands behind a verb where one thing is meant: `write migrations in pairs` is a rule.
static SINGLE: WordList = WordList::folded(&["single_things"]);
/// What work is named with in front where the verb comes last.
static NAMED: WordList = WordList::folded(&["worked_on"]);
static COURTESY: WordList = WordList::of(&["courtesy"]);

/// Whether a text demands work that is done once.
pub(super) fn is_one_off_task(text: &str) -> bool {
    let low = fold_text(text);
    if text.chars().any(mem_recall::text::is_unspaced) {
        let is_rule = UNSPACED_LASTING.is_within(text);
        let bare = low.trim_end_matches(['。', '.', '！', '!']);
        let begins = UNSPACED.prefix_len(&low).is_some();
        return !is_rule
            && (begins
                || UNSPACED_ENDS
                    .words()
                    .iter()
                    .any(|word| bare.ends_with(word)));
    }
    let all: Vec<&str> = low
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ':' | ';' | '.' | '!' | '(' | ')'))
        .filter(|word| !COURTESY.contains(word) && !word.is_empty())
        .collect();
    let [first, second, ..] = all.as_slice() else {
        return false;
    };
    let asks = ASKING.prefix_len(first).is_some();
    let is_rule = all
        .iter()
        .any(|word| LASTING.contains(word) || (!asks && REFUSING.contains(word)));
    let begins = BEGINS.contains(first)
        && (SINGLE.contains(second) || is_large(text, second))
        && !low.contains(&format!("{first}:"));
    // What is said first ends where its verb does.
    let clause = low.split([',', ':', '.', ';']).next().unwrap_or_default();
    let last = clause.split_whitespace().next_back().unwrap_or_default();
    let ends = ENDS.contains(last) && (NAMED.contains(first) || is_large(text, first));
    let is_asked = low.starts_with("m'expliquer ");
    (begins || ends || is_asked) && !is_rule
}

/// Whether a word stands in a text in capitals, as `README` does, or with one where its language has no such nouns.
fn is_large(text: &str, low: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| {
        let is_it = word.to_lowercase() == low;
        is_it && word.len() > 1 && word.chars().all(char::is_uppercase)
    })
}

fn fold_text(text: &str) -> String {
    let mut low = String::with_capacity(text.len());
    fold_word(text, &mut low);
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_is_done_once_is_told_from_rules() {
        for text in [
            "Mir erklären, warum der Build fehlschlägt",
            "Bitte Doku aktualisieren",
            "Update README: add a section about the config file",
            "Explain to me why the request is sent twice",
            "Add a section to the docs that explains the setup",
            "Ask the legal team about the fonts",
            "M'expliquer pourquoi ce test échoue",
            "Ajouter une ligne au changelog",
            "Explicar por qué falla esta prueba",
            "Explain to me why the worker does not start",
            "解释一下为什么这个测试失败",
            "このテストが失敗する理由を説明してください",
            "이 테스트가 왜 실패하는지 설명해줘",
        ] {
            assert!(is_one_off_task(text), "{text}");
        }
        for text in [
            "Update snapshots with `make snap`",
            "Write migrations so that they can be rolled back",
            "Document public functions",
            "Commits auf Englisch schreiben",
            "Add a changelog entry for every change",
            "Check logs before a restart",
            "Ask Kim before touching billing",
            "Write tests first, always",
            "Review is done by two people",
            "Order of the steps: build, sign, ship",
            "Check: the port is 5433",
            "Use bun for installs",
            "Prefer tabs over spaces",
            "Tests immer mit fester Uhr schreiben",
            "Vor dem Deploy die Migration prüfen",
            "提交信息必须用英文写",
            "The README explains the setup",
        ] {
            assert!(!is_one_off_task(text), "{text}");
        }
    }
}
