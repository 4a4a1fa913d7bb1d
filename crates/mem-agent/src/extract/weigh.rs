//! What a sentence is worth: which rules it fits, and how much speaks for it.

use mem_core::MemoryType;

use super::candidate::{LIKELY_MIN, Reason, Sort};
use super::clues::Clues;
use super::judge::{judged, worth_min};
use super::language::languages;
use super::request::{asked_for, asks, wonders};
use super::rules::{Language, Mark, Meaning};

/// What became of a sentence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Verdict {
    /// It may be worth keeping.
    Keep {
        sort: Sort,
        kind: MemoryType,
        confidence: f32,
    },
    /// It looked so, and is not.
    Drop(Reason),
    /// Its words look a little like it, and no more.
    Doubtful,
    /// Nothing speaks for it.
    Nothing,
}

/// What one language's rules say about a sentence.
#[derive(Debug, Default)]
struct Heard {
    sorts: Vec<(Sort, f32)>,
    drops: Vec<Reason>,
    marks: Vec<Mark>,
}

/// Below that not even what is said next can make a sentence worth keeping.
pub(super) const MAYBE_MIN: f32 = 0.48;

/// Where a sentence stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Standing {
    /// It demands work itself.
    pub(super) is_task: bool,
    /// In a prompt that begins with work to be done.
    pub in_task: bool,
    /// As an item of a list.
    pub listed: bool,
}

/// What a sentence says of those beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bearing {
    /// It gives a reason.
    pub(super) gives_reason: bool,
    /// It takes back what was said just before.
    pub(super) takes_back: bool,
    /// It takes back what was said in the prompt before.
    pub(super) unsays: bool,
    /// It may, where nothing else is said.
    pub(super) waves_off: bool,
    /// It may, and as well be about the work at hand.
    pub(super) may_unsay: bool,
    /// It names what it takes back.
    pub(super) withdraws: bool,
    /// It wants an answer, or work.
    pub(super) demands: bool,
}

impl Bearing {
    /// Adds what one language's rules say.
    fn hear(&mut self, heard: &Heard) {
        self.gives_reason |= heard.has(Mark::Reason);
        self.takes_back |= heard.has(Mark::TakesBack) || heard.has(Mark::Unsays);
        self.unsays |= heard.has(Mark::Unsays);
        self.waves_off |= heard.has(Mark::WavesOff);
        self.may_unsay |= heard.has(Mark::MayUnsay);
        self.withdraws |= heard.has(Mark::Withdraws);
        let demands = [Mark::Task, Mark::Question, Mark::Polite];
        self.demands |= demands.into_iter().any(|mark| heard.has(mark));
    }
}

/// Whether a prompt that begins so is about work to be done: what it then demands is demanded of that.
pub(super) fn is_task(plain: &str) -> bool {
    let mut all = languages(plain).into_iter();
    all.any(|language| hear(language, "", plain).has(Mark::Task))
}

/// What a sentence is worth, and what it says of others.
pub(super) fn weigh(text: &str, plain: &str, standing: Standing) -> (Verdict, Bearing) {
    let spoken = languages(plain);
    let (mut ruled, mut bearing) = rule(text, plain, standing, &spoken);
    let mut plain = plain;
    // "Don't worry about the warnings, always run it with -q": what it begins with asks for nothing, the rest does.
    if ruled == Verdict::Drop(Reason::Empty)
        && let Some(rest) = after_reassurance(plain, &spoken)
        && let (kept @ Verdict::Keep { .. }, of_rest) = rule(text, rest, standing, &spoken)
    {
        (ruled, bearing, plain) = (kept, of_rest, rest);
    }
    let is_work = standing.is_task || standing.in_task;
    let likely = Clues::embedded().of(&asked_for(plain), is_work, standing.listed);
    (judged(ruled, likely, plain, worth_min(&spoken)), bearing)
}

/// What the rules of its language say of a sentence.
fn rule(text: &str, plain: &str, standing: Standing, spoken: &[Language]) -> (Verdict, Bearing) {
    let mut bearing = Bearing::default();
    let mut best = Verdict::Nothing;
    for language in spoken {
        let heard = hear(*language, text, plain);
        bearing.hear(&heard);
        let verdict = heard.verdict(text, plain, standing);
        best = match (best, verdict) {
            (Verdict::Nothing, verdict) => verdict,
            (best, Verdict::Nothing) => best,
            // What another language takes for a rule is one: few words are the same in two.
            (Verdict::Drop(_), verdict @ Verdict::Keep { .. }) => verdict,
            (
                Verdict::Keep { confidence, .. },
                better @ Verdict::Keep {
                    confidence: other, ..
                },
            ) if other > confidence => better,
            (best, _) => best,
        };
    }
    (best, bearing)
}

/// What a sentence goes on with that begins with what asks for nothing.
fn after_reassurance<'t>(plain: &'t str, spoken: &[Language]) -> Option<&'t str> {
    let rules = spoken.iter().filter_map(|language| language.rules());
    rules
        .filter_map(|rules| rules.after_reassurance(plain))
        .next()
}

fn hear(language: Language, text: &str, plain: &str) -> Heard {
    let mut heard = Heard::default();
    let Some(rules) = language.rules() else {
        return heard;
    };
    let asked = rules.asked(plain).filter(|asked| !wonders(plain, asked));
    let asked = asked.unwrap_or_default();
    let all = rules.of(plain).chain(rules.of(asked));
    for meaning in all.chain(rules.of_written(text)) {
        match meaning {
            Meaning::Keep(sort, confidence) => heard.sorts.push((sort, confidence)),
            Meaning::Drop(reason) => heard.drops.push(reason),
            Meaning::Mark(mark) => heard.marks.push(mark),
        }
    }
    if asks(plain) {
        heard.marks.push(Mark::Question);
    }
    heard
}

impl Heard {
    fn has(&self, mark: Mark) -> bool {
        self.marks.contains(&mark)
    }

    fn verdict(&self, text: &str, plain: &str, standing: Standing) -> Verdict {
        if self.drops.contains(&Reason::TakenBack) {
            return Verdict::Drop(Reason::TakenBack);
        }
        let mut kept = Vec::new();
        let mut dropped = None;
        for (sort, base) in &self.sorts {
            let mut confidence = *base;
            let against = self.drops.iter().find(|why| forbids(**why, *sort));
            match against {
                Some(why) => {
                    dropped.get_or_insert(*why);
                    continue;
                }
                None => confidence -= self.doubt(*sort),
            }
            kept.push((*sort, confidence));
        }
        let Some((sort, confidence)) = strongest(&kept) else {
            return dropped.map_or(Verdict::Nothing, Verdict::Drop);
        };
        // "Could you always .." asks for it; "could you look it up in .." does not tell where things are.
        let is_request = self.has(Mark::Polite)
            && sort.kind() == MemoryType::Feedback
            && asked_for(plain) != plain;
        if self.has(Mark::Question) && !is_request {
            return Verdict::Drop(Reason::Question);
        }
        let confidence = (confidence + self.support(sort, &kept)
            - brevity(plain, sort)
            - self.narrowness(sort, text)
            - demand(sort, standing))
        .clamp(0.0, 0.99);
        let is_local = self.has(Mark::Local) && sort.kind() == MemoryType::Feedback;
        if confidence < LIKELY_MIN && is_local {
            return Verdict::Drop(Reason::Local);
        }
        if confidence < MAYBE_MIN {
            return Verdict::Drop(Reason::Unsure);
        }
        Verdict::Keep {
            sort,
            kind: kind(sort, plain),
            confidence,
        }
    }

    /// What speaks against a sort without forbidding it.
    fn doubt(&self, sort: Sort) -> f32 {
        let doubts = self.drops.iter().map(|why| match why {
            Reason::Empty => 0.1,
            Reason::State if sort == Sort::Standing => 0.3,
            Reason::Code if sort.kind() == MemoryType::Feedback => 0.1,
            _ => 0.2,
        });
        doubts.fold(0.0, f32::max)
    }

    /// What speaks for a sort beside its own rule.
    fn support(&self, sort: Sort, kept: &[(Sort, f32)]) -> f32 {
        let mut more = 0.0;
        if self.has(Mark::Reason) {
            more += 0.1;
        }
        if self.has(Mark::General) && sort.kind() == MemoryType::Feedback {
            more += 0.08;
        }
        let others = kept.iter().filter(|(other, _)| *other != sort).count();
        more + (others.min(2) as f32) * 0.04
    }

    /// How much it is about one place in the work at hand.
    fn narrowness(&self, sort: Sort, text: &str) -> f32 {
        let (local, names) = match sort {
            Sort::Correction => (0.25, 0.12),
            Sort::Confirmation => (0.12, 0.08),
            Sort::Preference => (0.25, 0.08),
            Sort::Standing | Sort::Convention => (0.12, 0.04),
            Sort::Asked => (0.1, 0.04),
            Sort::Person | Sort::Decision | Sort::Deadline | Sort::Pointer => (0.0, 0.0),
        };
        let local = match (self.has(Mark::Local), self.has(Mark::Here)) {
            (true, _) => local,
            (false, true) if sort != Sort::Convention => local * 0.4,
            (false, _) => 0.0,
        };
        local + if names_code(text) { names } else { 0.0 }
    }
}

/// Whether what is not to be saved outweighs a sort.
fn forbids(why: Reason, sort: Sort) -> bool {
    let is_feedback = sort.kind() == MemoryType::Feedback;
    match why {
        Reason::Instructions | Reason::TakenBack => true,
        Reason::State => is_feedback && sort != Sort::Standing || sort == Sort::Asked,
        Reason::Report => is_feedback || sort == Sort::Asked,
        Reason::Empty => matches!(
            sort,
            Sort::Correction | Sort::Confirmation | Sort::Preference | Sort::Standing
        ),
        Reason::Code => matches!(
            sort,
            Sort::Convention
                | Sort::Decision
                | Sort::Deadline
                | Sort::Pointer
                | Sort::Asked
                | Sort::Person
        ),
        Reason::Git => !matches!(sort, Sort::Person | Sort::Standing | Sort::Deadline),
        Reason::Fix => !matches!(sort, Sort::Person | Sort::Standing | Sort::Preference),
        _ => false,
    }
}

/// The sort that most speaks for; of equals the one that says more about what it is.
fn strongest(kept: &[(Sort, f32)]) -> Option<(Sort, f32)> {
    let rank = |sort: Sort| match sort {
        Sort::Pointer | Sort::Deadline => 4,
        Sort::Person => 3,
        Sort::Decision | Sort::Convention => 2,
        Sort::Standing | Sort::Preference | Sort::Correction | Sort::Confirmation => 1,
        Sort::Asked => 0,
    };
    let best = kept.iter().copied().max_by(|a, b| {
        let by_rule = (a.1 - if a.0 == Sort::Asked { 0.3 } else { 0.0 })
            .total_cmp(&(b.1 - if b.0 == Sort::Asked { 0.3 } else { 0.0 }));
        by_rule.then(rank(a.0).cmp(&rank(b.0)))
    })?;
    let asked = kept.iter().find(|(sort, _)| *sort == Sort::Asked);
    Some((
        best.0,
        asked.map_or(best.1, |(_, asked)| best.1.max(*asked)),
    ))
}

/// The type: what was asked to be remembered is of no type by itself.
fn kind(sort: Sort, plain: &str) -> MemoryType {
    if sort != Sort::Asked {
        return sort.kind();
    }
    let holds = |words: &[&str]| words.iter().any(|word| plain.contains(word));
    if holds(&[
        " always ",
        " never ",
        " use ",
        "don't",
        "nicht ",
        "不要",
        "しないで",
        "마세요",
    ]) {
        MemoryType::Feedback
    } else if holds(&[" i'm ", " i am ", " my ", "i've "]) {
        MemoryType::User
    } else {
        MemoryType::Project
    }
}

/// How much it belongs to work that was asked for in the same breath.
fn demand(sort: Sort, standing: Standing) -> f32 {
    if sort.kind() != MemoryType::Feedback {
        return 0.0;
    }
    match standing {
        Standing { is_task: true, .. } => 0.4,
        Standing {
            in_task: true,
            listed: true,
            ..
        } => 0.34,
        Standing { in_task: true, .. } => 0.22,
        _ => 0.0,
    }
}

/// Few words say little.
fn brevity(plain: &str, sort: Sort) -> f32 {
    let wide = plain.chars().filter(|c| *c >= '\u{3000}').count();
    let words = plain.split_whitespace().count() + wide / 3;
    match words {
        2 if sort == Sort::Preference => 0.05,
        0..=2 => 0.3,
        3..=6 if sort == Sort::Confirmation => 0.15,
        3 => 0.05,
        70.. => 0.1,
        _ => 0.0,
    }
}

/// Whether a text names something by the way it stands in code: `fetchUser`, `user_id`, `a.rs`, `f()`.
fn names_code(text: &str) -> bool {
    text.split(|c: char| c.is_whitespace() || ",;:!?\"'`".contains(c))
        .any(|word| {
            let word = word.trim_matches(['.', '(', '"', '\'']);
            let letters = word.as_bytes();
            let humps = letters
                .windows(2)
                .any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase());
            let joined = word.contains('_') && word.len() > 3;
            let is_file = word.rsplit_once('.').is_some_and(|(name, end)| {
                !name.is_empty()
                    && (1..=4).contains(&end.len())
                    && end.bytes().all(|b| b.is_ascii_lowercase())
            });
            humps || joined || is_file || word.ends_with("()") || word.contains("::")
        })
}
