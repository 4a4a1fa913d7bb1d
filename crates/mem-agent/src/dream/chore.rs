//! What somebody is to do once: a demand for work, which is done with when the work is.
//!
//! `Update README: add a section` and `Mir erklären, warum der Build fehlschlägt` are noted like facts and are none.
//! What is demanded always, of everything, or in some way is a rule and stays one.

use std::collections::HashSet;
use std::sync::LazyLock;

use mem_recall::text::fold_word;

/// Verbs of work at the beginning of an entry.
const BEGINS: &str = "explain update add write rewrite rename remove delete refactor implement create fix investigate \
                      summarize summarise document migrate convert translate bump check review look clean draft prepare \
                      schedule book order call email ping ask find figure follow finish finalize extend improve split \
                      extract move port cherry-pick reproduce debug measure benchmark profile try research compare \
                      erkläre erklär ergänze aktualisiere schreibe schreib prüfe prüf behebe füge erstelle benenne \
                      entferne lösche räume kläre explique expliquer explique-moi ajoute ajouter corrige corriger \
                      écris écrire vérifie vérifier supprime supprimer renomme renommer mettre explica explicar \
                      explícame añade añadir agrega agregar corrige corregir escribe escribir revisa revisar borra \
                      borrar renombra renombrar actualiza actualizar";
/// Verbs of work at the end of what is said first, where a language puts them there.
const ENDS: &str = "erklären aktualisieren ergänzen schreiben prüfen anpassen umbenennen beheben nachfragen einbauen \
                    hinzufügen entfernen aufräumen anrufen bestellen klären besprechen dokumentieren erstellen \
                    einrichten nachziehen überarbeiten löschen zusammenfassen untersuchen anschauen nachsehen zeigen";
/// What makes a rule of a demand, in whatever place.
const LASTING: &str = "always never only every each any all whenever when before after until unless with without via \
                       using by per if by default instead rather must should \
                       immer nie niemals nur jede jeder jedes jeden alle wenn falls bevor vor nach bei mit ohne statt \
                       per über müssen sollen dürfen \
                       toujours jamais chaque tous toutes quand avant après avec sans si seulement \
                       siempre nunca cada todo todos todas cuando antes después con sin si solo sólo";
/// The same, but for what is to be explained: there a no is what is asked about.
const REFUSING: &str = "not don't never no nicht kein keine keinen pas jamais nunca";
/// What is to be explained or looked into.
const ASKING: [&str; 9] = [
    "expl",
    "erkl",
    "investigat",
    "m'expl",
    "mir",
    "find",
    "figure",
    "check",
    "revisa",
];
/// The same as they begin where no blanks part words.
const UNSPACED: [&str; 9] = [
    "解释一下",
    "帮我",
    "给我解释",
    "更新readme",
    "更新文档",
    "写一个",
    "加一个",
    "补一个",
    "检查一下",
];
/// And as they end.
const UNSPACED_ENDS: [&str; 9] = [
    "説明してください",
    "説明して",
    "教えてください",
    "追加してください",
    "更新してください",
    "直してください",
    "설명해줘",
    "추가해줘",
    "고쳐줘",
];
const UNSPACED_LASTING: [&str; 16] = [
    "总是",
    "永远",
    "必须",
    "每次",
    "每个",
    "所有",
    "都要",
    "以后",
    "不要",
    "毎回",
    "必ず",
    "常に",
    "すべて",
    "항상",
    "반드시",
    "모든",
];

/// What stands behind a verb where one thing is meant: `write migrations in pairs` is a rule.
const SINGLE: &str = "the a an this that these those some my our its both to me why how what whether if where out into \
                      up from der die das den dem ein eine einen mir uns la le les un une du à pourquoi comment el los \
                      las una por cómo";
/// What work is named with in front where the verb comes last.
const NAMED: &str = "mir uns den die das dem diese diesen dieses doku readme changelog";
const COURTESY: [&str; 5] = ["please", "bitte", "todo", "porfavor", "svp"];

static ONE: LazyLock<HashSet<String>> = LazyLock::new(|| word_set(SINGLE));
static THINGS: LazyLock<HashSet<String>> = LazyLock::new(|| word_set(NAMED));
static FIRST: LazyLock<HashSet<String>> = LazyLock::new(|| word_set(BEGINS));
static LAST: LazyLock<HashSet<String>> = LazyLock::new(|| word_set(ENDS));
static RULES: LazyLock<HashSet<String>> = LazyLock::new(|| word_set(LASTING));
static REFUSALS: LazyLock<HashSet<String>> = LazyLock::new(|| word_set(REFUSING));

/// Whether a text demands work that is done once.
pub(super) fn is_one(text: &str) -> bool {
    let low = fold_text(text);
    if text.chars().any(mem_recall::text::is_unspaced) {
        let is_rule = UNSPACED_LASTING.iter().any(|word| text.contains(word));
        let bare = low.trim_end_matches(['。', '.', '！', '!']);
        let begins = UNSPACED.iter().any(|word| low.starts_with(word));
        return !is_rule && (begins || UNSPACED_ENDS.iter().any(|word| bare.ends_with(word)));
    }
    let all: Vec<&str> = low
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ':' | ';' | '.' | '!' | '(' | ')'))
        .filter(|word| !COURTESY.contains(word) && !word.is_empty())
        .collect();
    let [first, second, ..] = all.as_slice() else {
        return false;
    };
    let asks = ASKING.iter().any(|one| first.starts_with(one));
    let is_rule = all
        .iter()
        .any(|word| RULES.contains(*word) || (!asks && REFUSALS.contains(*word)));
    let begins = FIRST.contains(*first)
        && (ONE.contains(*second) || is_large(text, second))
        && !low.contains(&format!("{first}:"));
    // What is said first ends where its verb does.
    let clause = low.split([',', ':', '.', ';']).next().unwrap_or_default();
    let last = clause.split_whitespace().next_back().unwrap_or_default();
    let ends = LAST.contains(last) && (THINGS.contains(*first) || is_large(text, first));
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

fn word_set(words: &str) -> HashSet<String> {
    words.split_whitespace().map(fold_text).collect()
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
            assert!(is_one(text), "{text}");
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
            assert!(!is_one(text), "{text}");
        }
    }
}
