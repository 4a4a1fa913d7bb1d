//! What a sentence is: a lasting statement of some sort, or none, and what it says of the sentences beside it.
//!
//! A statement is kept only where a rule names its sort and nothing speaks against it. A sentence that is understood
//! only with the one before it, or that is about one place in the current work, is left alone.
//!
//! In a prompt of several lines a sentence is most often a detail of the task (of those that real people wrote and the
//! rules took, a third was right, and 57 % in prompts of one line): there a preference, a correction, a convention, a
//! decision and an address count only if they say that they last. A standing order always does.

use mem_core::MemoryType;
use mem_recall::lexicon::WordList;

use super::candidate::{Reason, SpeechAct};
use super::language::{RuleLanguage, detect_languages};
use super::memory_text::is_wide;
use super::request_phrases::{asked_for, asks_for_facts, is_question, requested_memory};
use super::rules::{PatternMark, PatternMeaning};

/// What became of a sentence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SentenceOutcome {
    /// It is worth keeping.
    Keep(SpeechAct, MemoryType),
    /// It looked so, and is not.
    Drop(Reason),
    /// No rule is about it.
    Nothing,
}

/// What the rules of a sentence's languages say of it.
#[derive(Debug, Default)]
struct SentenceReading {
    kept: Vec<SpeechAct>,
    barred: Vec<SpeechAct>,
    drops: Vec<Reason>,
    marks: Vec<PatternMark>,
    /// Its prompt has several lines, or an order for work before it.
    is_detail: bool,
}

/// What a sentence is worth, and the marks that say what it is to others; `is_detail` tells that it is
/// one of several lines or comes after an order for work.
pub(super) fn classify_sentence(
    text: &str,
    plain: &str,
    is_detail: bool,
) -> (SentenceOutcome, Vec<PatternMark>) {
    let spoken = detect_languages(plain);
    let read = |plain| SentenceReading {
        is_detail,
        ..read_sentence(&spoken, plain)
    };
    let heard = read(plain);
    let outcome = match requested_memory(plain) {
        Some(rest) => read(rest).mark_requested().sentence_outcome(text, rest),
        None => heard.sentence_outcome(text, plain),
    };
    let outcome_after = |mark| {
        let mut rules = spoken.iter().filter_map(|language| language.rules());
        let rest = rules.find_map(|rules| rules.text_after_mark(plain, mark))?;
        let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        Some(read(rest).sentence_outcome(text, rest))
    };
    let is_kept = |outcome: &SentenceOutcome| matches!(outcome, SentenceOutcome::Keep(..));
    let rest = match outcome {
        SentenceOutcome::Keep(..) => None,
        // "Forget that, never squash": the rest is said instead. "Don't worry about the warnings, always run it with
        // -q": what it begins with asks for nothing, the rest does.
        _ => outcome_after(PatternMark::TakesBack)
            .filter(is_kept)
            .or_else(|| {
                let is_empty = outcome == SentenceOutcome::Drop(Reason::Empty);
                is_empty.then(|| outcome_after(PatternMark::Reassures))?
            }),
    };
    (rest.unwrap_or(outcome), heard.marks)
}

/// The clause of a sentence that a rule of this sort found: what its title is made of. A short sentence is one whole.
pub(super) fn clause_of_act<'t>(text: &'t str, plain: &str, act: SpeechAct) -> &'t str {
    const SHORT_CHARS: usize = 60;
    let spoken = detect_languages(plain);
    let mut rules = spoken.iter().filter_map(|language| language.rules());
    let found = rules.find_map(|rules| rules.found_at(plain, act));
    let is_alike = plain.split_whitespace().count() == text.split_whitespace().count();
    let Some(found) = found.filter(|_| is_alike && text.chars().count() > SHORT_CHARS) else {
        return text;
    };
    let said = plain[found.start..].trim_start_matches(|c: char| !c.is_alphanumeric());
    let before: Vec<&str> = plain[..plain.len() - said.len()]
        .split_whitespace()
        .collect();
    let is_end = |word: &&str| word.ends_with([',', ';', ':', '.', '(', '-', '—', '–']);
    let is_mark = |word: &str| !word.contains(char::is_alphanumeric);
    let leads = before
        .iter()
        .take_while(|word| is_lead(word) || is_mark(word));
    let leads = leads.count();
    let clause = before.iter().rposition(is_end).map_or(leads, |at| at + 1);
    let start = word_start(text, clause).unwrap_or_default();
    let last = plain[..found.end].split_whitespace().count();
    let mut ends = text
        .split_whitespace()
        .enumerate()
        .skip(last.saturating_sub(1));
    let end = ends.find(|(_, word)| {
        word.ends_with([',', ';', ':']) || word.starts_with('(') || ["-", "–", "—"].contains(word)
    });
    let end = match end {
        Some((at, word)) if word.contains(char::is_alphanumeric) && !word.starts_with('(') => {
            word_start(text, at + 1)
        }
        Some((at, _)) => word_start(text, at),
        None => None,
    };
    let rest = &text[start..end.unwrap_or(text.len()).max(start)];
    let rest = rest.trim_matches(|c: char| c.is_whitespace() || ",;:()-–—".contains(c));
    // "No exceptions" names nothing.
    const NAMING_WORDS_MIN: usize = 3;
    let names = rest.contains(is_wide) || rest.split_whitespace().count() >= NAMING_WORDS_MIN;
    if names { rest } else { text }
}

/// Whether a word only leads over to what is said.
fn is_lead(word: &str) -> bool {
    static LEADS: WordList = WordList::of(&["lead_words"]);
    let bare = word.trim_end_matches([',', '.', '!', ')']);
    LEADS.contains(bare) || bare.chars().count() == 1 && bare != word
}

/// Where a word of a text begins.
fn word_start(text: &str, number: usize) -> Option<usize> {
    let mut last = ' ';
    let mut starts = text.char_indices().filter(|(_, letter)| {
        let is_start = last.is_whitespace() && !letter.is_whitespace();
        last = *letter;
        is_start
    });
    starts.nth(number).map(|(at, _)| at)
}

/// What the rules of the languages that are spoken make of a sentence.
fn read_sentence(spoken: &[RuleLanguage], plain: &str) -> SentenceReading {
    let mut heard = SentenceReading::default();
    for rules in spoken.iter().filter_map(|language| language.rules()) {
        let all = rules.matching_meanings(plain);
        all.for_each(|meaning| heard.add_meaning(meaning));
        if heard.has_mark(PatternMark::Polite)
            && let Some(asked) = rules
                .text_after_mark(plain, PatternMark::Polite)
                .filter(|asked| !asks_for_facts(plain, asked))
        {
            rules
                .matching_meanings(asked)
                .for_each(|meaning| heard.add_meaning(meaning));
        }
    }
    if is_question(plain) {
        heard.marks.push(PatternMark::Question);
    }
    heard
}

impl SentenceReading {
    fn add_meaning(&mut self, meaning: PatternMeaning) {
        match meaning {
            PatternMeaning::Keep(act) => self.kept.push(act),
            PatternMeaning::Not(act) => self.barred.push(act),
            PatternMeaning::Drop(reason) => self.drops.push(reason),
            PatternMeaning::Mark(mark) => self.marks.push(mark),
            PatternMeaning::Need(_) => {}
        }
    }

    /// Of what somebody asks to have remembered: it lasts, and holds for more than the work at hand.
    fn mark_requested(mut self) -> Self {
        self.barred.retain(|act| *act != SpeechAct::Asked);
        self.drops.retain(|reason| *reason != Reason::State);
        self.kept.push(SpeechAct::Asked);
        self.marks.push(PatternMark::Lasts);
        self
    }

    fn has_mark(&self, mark: PatternMark) -> bool {
        self.marks.contains(&mark)
    }

    fn sentence_outcome(&self, text: &str, plain: &str) -> SentenceOutcome {
        if self.drops.contains(&Reason::TakenBack) {
            return SentenceOutcome::Drop(Reason::TakenBack);
        }
        let open = |act: &SpeechAct| self.kept.contains(act) && !self.barred.contains(act);
        let mut against = None;
        for act in SpeechAct::ALL.into_iter().filter(open) {
            match self.objection_to_act(act, text, plain) {
                None => return SentenceOutcome::Keep(act, memory_type(act, plain)),
                reason => against = against.or(reason),
            }
        }
        match against {
            Some(reason) => SentenceOutcome::Drop(reason),
            // A reassurance may be followed by an order.
            None if self.drops.contains(&Reason::Empty) => SentenceOutcome::Drop(Reason::Empty),
            None if self.kept.is_empty() => SentenceOutcome::Nothing,
            None => SentenceOutcome::Drop(Reason::Unsure),
        }
    }

    /// What speaks against keeping the sentence as a statement of this sort.
    fn objection_to_act(&self, act: SpeechAct, text: &str, plain: &str) -> Option<Reason> {
        use SpeechAct::{
            Asked, Convention, Correction, Deadline, Decision, Person, Pointer, Preference,
            Standing,
        };
        let is_feedback = act.memory_type() == MemoryType::Feedback;
        let is_order = matches!(act, Standing | Preference | Correction);
        let forbidden = self.drops.iter().find(|reason| match reason {
            Reason::Code => !is_feedback,
            Reason::Git => act != Person,
            Reason::Empty => is_order,
            Reason::State => !matches!(act, Person | Pointer),
            Reason::Report => is_order,
            _ => true,
        });
        // A rebuke may be a question, and a fact about the person may introduce one; "could you always .." asks for
        // what it says.
        let is_request =
            self.has_mark(PatternMark::Polite) && is_feedback && asked_for(plain) != plain;
        let is_asked = match act {
            Correction => false,
            Person => is_question(plain),
            Pointer => is_question(plain) || self.has_mark(PatternMark::Question),
            _ => self.has_mark(PatternMark::Question) && !is_request,
        };
        match () {
            () if forbidden.is_some() => forbidden.copied(),
            () if is_asked => Some(Reason::Question),
            () if is_order && self.has_mark(PatternMark::Local) => Some(Reason::Local),
            () if self.is_detail
                && !matches!(act, Standing | Person | Deadline | Asked)
                && !self.has_mark(PatternMark::Lasts) =>
            {
                Some(Reason::Local)
            }
            // What comes with an order for work describes the work.
            () if matches!(act, Asked | Convention | Decision | Person)
                && self.has_mark(PatternMark::Task) =>
            {
                Some(Reason::Local)
            }
            // What it speaks of comes on the next lines.
            () if plain.ends_with(':') || plain.ends_with('：') => Some(Reason::Unsure),
            () if (is_feedback || act == Pointer) && names_code(text) => Some(Reason::Local),
            () if !matches!(act, Person | Pointer)
                && needs_context(plain, matches!(act, Convention | Decision)) =>
            {
                Some(Reason::Unsure)
            }
            () if is_order && act != Standing && has_swear_word(plain) => Some(Reason::Local),
            () if is_brief(plain) && act != Pointer => Some(Reason::Unsure),
            () if text.chars().count() > STATEMENT_CHARS_MAX => Some(Reason::Unsure),
            () => None,
        }
    }
}

/// The type: what was asked to be remembered is of no type by itself.
fn memory_type(act: SpeechAct, plain: &str) -> MemoryType {
    if act != SpeechAct::Asked {
        return act.memory_type();
    }
    let padded = format!(" {plain} ");
    let holds = |words: &[&str]| words.iter().any(|word| padded.contains(word));
    if holds(&[
        " always ",
        " never ",
        " use ",
        "don't",
        " wants ",
        " prefers ",
        "nicht ",
        "不要",
        "しないで",
        "마세요",
    ]) {
        MemoryType::Feedback
    } else if holds(&[" i'm ", " i am ", " my ", " i've ", " user is "]) {
        MemoryType::User
    } else {
        MemoryType::Project
    }
}

/// Whether a sentence is understood only with the one before it: it has "it" or "that" where nothing is named yet. In
/// a statement of what is so, a later "that" belongs to what is in front of it: "things that are saved".
fn needs_context(plain: &str, is_statement: bool) -> bool {
    static POINTING: WordList = WordList::of(&["pointing"]);
    // "This project", and "that" between two parts of a sentence, point to nothing that was said before.
    static WHOLE: WordList = WordList::of(&["wholes"]);
    static BEFORE_THAT: WordList = WordList::of(&["before_that"]);
    /// So many telling words before it are what it stands for.
    const NAMED_MIN: usize = 3;
    let words = plain.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let mut named = 0;
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied().unwrap_or_default();
        if POINTING.contains(word) {
            let is_joint =
                *word == "that" && at > 0 && (is_statement || BEFORE_THAT.contains(words[at - 1]))
                    || *word == "there" && ["is", "are", "was", "will"].contains(&next);
            if named < NAMED_MIN && !WHOLE.contains(next) && !is_joint {
                return true;
            }
        } else if word.len() >= 4 && !is_idle(word) {
            named += 1;
        }
    }
    false
}

/// Whether a sentence is said in anger.
fn has_swear_word(plain: &str) -> bool {
    static SWEAR_WORDS: WordList = WordList::of(&["swear_words"]);
    plain
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| SWEAR_WORDS.contains(word))
}

/// Whether a word tells nothing of what a sentence is about.
fn is_idle(word: &str) -> bool {
    static IDLE: WordList = WordList::of(&["idle_in_subjects"]);
    IDLE.contains(word)
}

/// Who says more in one sentence tells a story, in which the statement is lost.
const STATEMENT_CHARS_MAX: usize = 300;

/// Two words say too little.
fn is_brief(plain: &str) -> bool {
    let wide = plain.chars().filter(|c| is_wide(*c)).count();
    plain.split_whitespace().count() + wide / 3 <= 2 && !plain.ends_with("concise")
}

/// Whether a text names something by its form in code: `fetchUser`, `user_id`, `a::b`, `f()`, `src/a.rs`.
fn names_code(text: &str) -> bool {
    text.split(|c: char| c.is_whitespace() || ",;:!?\"'`".contains(c))
        .any(|word| {
            let word = word.trim_matches(['.', '(', '"', '\'']);
            let letters = word.as_bytes();
            let humps = letters
                .windows(2)
                .any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase());
            let is_source = word
                .rsplit_once('.')
                .is_some_and(|(name, end)| !name.is_empty() && CODE_ENDS.contains(&end));
            (humps && word.starts_with(|c: char| c.is_ascii_lowercase()) && !word.ends_with("Case"))
                || is_source
                || is_snake_case(word)
                || word.contains("()")
        })
        || text.contains("::")
}

/// Whether a word is of small letters and digits with an underscore within: `user_id`.
fn is_snake_case(word: &str) -> bool {
    let is_small = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    word.trim_matches('_').contains('_')
        && word.starts_with(|c: char| c.is_ascii_lowercase())
        && !word.ends_with("_case")
        && word.chars().all(is_small)
}

/// How files of code end.
const CODE_ENDS: [&str; 24] = [
    "rs", "py", "ts", "tsx", "js", "jsx", "go", "java", "kt", "rb", "php", "c", "h", "cc", "cpp",
    "cs", "swift", "sql", "css", "scss", "html", "vue", "tf", "proto",
];
