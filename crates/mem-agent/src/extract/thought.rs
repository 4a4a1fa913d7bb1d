//! Sentences that belong together: what is to be kept, and why.

use mem_core::MemoryType;

use super::candidate::Sort;
use super::speech::Sentence;
use super::weigh::is_task;

/// A sentence that may be kept.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) sentences: Vec<Sentence>,
    /// What was said just before and after it, for the quotation.
    around: [Option<String>; 2],
    pub(super) sort: Sort,
    pub(super) kind: MemoryType,
    pub(super) confidence: f32,
    pub(super) why: String,
}

impl Kept {
    /// What is kept, in the words that were used.
    pub(super) fn quote(&self) -> String {
        joined(self.sentences.iter().map(|part| part.text.as_str()))
    }

    /// The same with what stands around it.
    pub(super) fn around_quote(&self) -> String {
        let [before, after] = &self.around;
        let own = self.quote();
        let parts = [before.as_deref(), Some(&own), after.as_deref()];
        joined(parts.into_iter().flatten())
    }
}

/// Sentences one after the other, with blanks where their script has them.
pub(super) fn joined<'t>(parts: impl Iterator<Item = &'t str>) -> String {
    let mut made = String::new();
    for part in parts {
        let has_blank = !made.is_empty() && !made.ends_with(['。', '！', '？']);
        if has_blank {
            made.push(' ');
        }
        made.push_str(part);
    }
    made
}

/// Adds a sentence: to the one before, where both are parts of one thought.
pub(super) fn keep(
    kept: &mut Vec<Kept>,
    sentence: Sentence,
    sort: Sort,
    kind: MemoryType,
    confidence: f32,
    led: Option<Sentence>,
    gives_reason: bool,
) {
    let begins = |list: &[&str]| list.iter().any(|one| sentence.plain.starts_with(one));
    if let Some(last) = kept.last_mut().filter(|_| sentence.follows) {
        // "Remember that" says nothing but that what was said before is meant.
        if sort == Sort::Asked && POINTING.iter().any(|one| sentence.plain.contains(one)) {
            last.confidence = (last.confidence + 0.15).min(0.99);
            last.around[1].get_or_insert(sentence.text);
            return;
        }
        // "Not that. Always this." is one thought, "always this. Always that." are two.
        let are_rules = sort == Sort::Standing && last.sort == Sort::Standing;
        let adds = begins(ADDING);
        let goes_on = !are_rules && !adds;
        let is_one = last.kind == kind && (kind != MemoryType::Feedback || goes_on);
        let is_other = last.kind == MemoryType::Feedback && kind != MemoryType::Feedback;
        let reads_so = begins(EXPLAINING) || gives_reason;
        let is_why = is_other && (sort == Sort::Decision || (reads_so && sort != Sort::Pointer));
        if is_one {
            last.confidence = last.confidence.max(confidence);
            last.sentences.push(sentence);
            return;
        }
        if is_why && last.why.is_empty() {
            last.confidence = (last.confidence + 0.1).min(0.99);
            last.why = sentence.text;
            return;
        }
        let is_rule = last.kind != MemoryType::Feedback && kind == MemoryType::Feedback;
        if is_rule && (begins(FOLLOWING) || refers(&sentence.plain)) {
            last.confidence = (last.confidence.max(confidence) + 0.1).min(0.99);
            last.sentences.push(sentence);
            return;
        }
    }
    kept.push(Kept {
        sentences: vec![sentence],
        around: [led.filter(is_telling).map(|one| one.text), None],
        sort,
        kind,
        confidence,
        why: String::new(),
    });
}

/// How sentences begin that say something else.
const ADDING: &[&str] = &[
    "and ",
    "also",
    "plus ",
    "und ",
    "ausserdem",
    "auch ",
    "et ",
    "aussi",
    "y ",
    "ademas",
    "另外",
    "还有",
    "また",
    "그리고",
    "또",
];

/// What asks to have remembered what was said before.
const POINTING: &[&str] = &[
    "remember that when",
    "remember that if",
    "remember that.",
    "remember this",
    "remember it",
    "keep that in mind",
    "keep this in mind",
    "keep it in mind",
    "merk dir das",
    "denk daran.",
    "behalte das",
    "retiens-le",
    "retiens ca",
    "garde ca en tete",
    "recuerdalo",
    "tenlo en cuenta",
    "记住这",
    "请记住。",
    "覚えておいて",
    "기억해",
];

/// How sentences begin that follow from the one before.
const FOLLOWING: &[&str] = &[
    "so ",
    "so, ",
    "therefore",
    "hence",
    "that's why",
    "that is why",
    "which is why",
    "for that reason",
    "deshalb",
    "deswegen",
    "darum",
    "daher",
    "donc ",
    "du coup",
    "c'est pourquoi",
    "por eso",
    "asi que",
    "por lo tanto",
    "所以",
    "因此",
    "だから",
    "ですから",
    "そのため",
    "なので",
    "그래서",
    "그러니",
    "따라서",
];

/// Whether a sentence is about a place or people that the one before has named.
fn refers(plain: &str) -> bool {
    const TO: &[&str] = &[
        "look there",
        "check there",
        "look it up",
        "look in there",
        "look here",
        "there first",
        "go there",
        "ask them",
        "ask him",
        "ask her",
        "ask there",
        "ask me",
        "check it ",
        "check that one",
        "file it there",
        "put it there",
        "over there",
        "for them",
        "read it first",
        "schau dort",
        "dort nach",
        "dort zuerst",
        "da zuerst",
        "frag sie",
        "frag ihn",
        "regarde la",
        "mira ahi",
        "alli primero",
        "去那里",
        "那边看",
        "そこを",
        "そちらを",
        "거기",
    ];
    TO.iter().any(|one| plain.contains(one))
}

/// How sentences begin that say why the one before holds.
const EXPLAINING: &[&str] = &[
    "because",
    "since",
    "otherwise",
    "last ",
    "we got",
    "we had",
    "we were",
    "we lost",
    "it ",
    "it's",
    "they ",
    "that ",
    "that's",
    "this ",
    "the reason",
    "reason:",
    "i can",
    "i already",
    "weil",
    "sonst",
    "letzte",
    "das ",
    "denn",
    "parce",
    "sinon",
    "ca ",
    "c'est",
    "porque",
    "si no",
    "因为",
    "否则",
    "不然",
    "上次",
    "这样",
    "でないと",
    "前回",
    "理由",
    "지난",
    "안 그러면",
    "이유",
];

/// Takes a sentence for the reason of the one before it, where it reads like one.
pub(super) fn explains(kept: &mut [Kept], sentence: &Sentence, gives_reason: bool) -> bool {
    let Some(last) = kept.last_mut().filter(|_| sentence.follows) else {
        return false;
    };
    let begins = EXPLAINING.iter().any(|one| sentence.plain.starts_with(one));
    let is_reason =
        last.why.is_empty() && (begins || gives_reason) && !sentence.plain.ends_with('?');
    if is_reason {
        last.confidence = (last.confidence + 0.08).min(0.99);
        last.why.clone_from(&sentence.text);
    }
    is_reason
}

/// Takes a sentence for what is wanted instead, where the one before it said what was wrong.
pub(super) fn completes(kept: &mut [Kept], sentence: &Sentence) -> bool {
    let Some(last) = kept.last_mut().filter(|_| sentence.follows) else {
        return false;
    };
    if last.sort == Sort::Correction && last.sentences.len() == 1 && !sentence.plain.ends_with('?')
    {
        last.sentences.push(sentence.clone());
        return true;
    }
    let is_beside = last.around[1].is_none() && is_telling(sentence);
    if is_beside {
        last.around[1] = Some(sentence.text.clone());
    }
    is_beside
}

/// Whether a sentence says something that a quotation is better understood with.
fn is_telling(sentence: &Sentence) -> bool {
    let wide = sentence.plain.chars().filter(|c| *c >= '\u{3000}').count();
    let words = sentence.plain.split_whitespace().count() + wide / 3;
    (3..=40).contains(&words) && !sentence.plain.ends_with(['?', '？']) && !is_task(&sentence.plain)
}
