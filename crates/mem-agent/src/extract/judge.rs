//! Rules and clues together: what a sentence is worth when both have spoken.

use mem_core::MemoryType;

use super::candidate::{LIKELY_MIN, Reason, Sort};
use super::clues::Likely;
use super::rules::Language;
use super::weigh::{MAYBE_MIN, Verdict};

/// What a rule's confidence weighs beside the clues, and that a rule forbids it.
const RULE_WEIGHT: f32 = 4.5;
const DROPPED_WEIGHT: f32 = -0.5;
/// What a rule's type weighs beside those of the clues.
const KIND_WEIGHT: f32 = 2.0;
/// From which sum on something is likely to be worth keeping: of the languages that clues know less of, they say less.
const WORTH_MIN: f32 = 3.75;
const WORTH_MIN_OTHER: f32 = 3.25;
/// How much surer each point beyond makes it.
const WORTH_STEP: f32 = 0.2;
/// From here on words look like it.
const DOUBTFUL_MIN: f32 = 0.5;

/// From which sum on a sentence that may be of these languages is likely to be worth keeping.
pub(super) fn worth_min(spoken: &[Language]) -> f32 {
    match spoken.contains(&Language::English) {
        true => WORTH_MIN,
        false => WORTH_MIN_OTHER,
    }
}

/// What rules and clues come to together. Neither is enough: a rule fires on words that are also said of the work at
/// hand, a clue knows no turn of phrase. What is not to be saved is not, whatever its words look like.
pub(super) fn judged(ruled: Verdict, likely: Likely, plain: &str, worth_min: f32) -> Verdict {
    let (by_rule, reason) = match ruled {
        Verdict::Keep { confidence, .. } => (confidence * RULE_WEIGHT, Reason::Unsure),
        Verdict::Drop(why) if is_final(why) => return ruled,
        // A rule that is not sure says nothing against it.
        Verdict::Drop(Reason::Unsure) => (0.0, Reason::Unsure),
        Verdict::Drop(why) => (DROPPED_WEIGHT, why),
        Verdict::Doubtful | Verdict::Nothing => (0.0, Reason::Unsure),
    };
    let worth = likely.worth() + by_rule;
    let confidence = (LIKELY_MIN + (worth - worth_min) * WORTH_STEP).clamp(0.0, 0.99);
    if confidence < MAYBE_MIN {
        return match ruled {
            Verdict::Nothing if worth > DOUBTFUL_MIN => Verdict::Doubtful,
            Verdict::Nothing => ruled,
            _ => Verdict::Drop(reason),
        };
    }
    let (said, kind) = match ruled {
        // What was asked to be remembered is of no type by itself.
        Verdict::Keep { sort, kind, .. } => {
            let more = if sort == Sort::Asked {
                0.5
            } else {
                KIND_WEIGHT
            };
            (Some(sort), likely.kind(Some((kind, more))))
        }
        _ => (None, likely.kind(None)),
    };
    let kind = of_the_user(plain)
        .filter(|_| kind == MemoryType::Project)
        .unwrap_or(kind);
    let fits = |sort: &Sort| sort.kind() == kind || *sort == Sort::Asked;
    Verdict::Keep {
        sort: said.filter(fits).unwrap_or_else(|| plainest(kind)),
        kind,
        confidence,
    }
}

/// What is told of "the user", who is the one that tells it, is not about the project.
fn of_the_user(plain: &str) -> Option<MemoryType> {
    const LEADS: [&str; 8] = [
        "remember",
        "note",
        "keep in mind",
        "that ",
        "fyi",
        ":",
        ",",
        "the ",
    ];
    let mut rest = plain;
    while let Some(shorter) = LEADS.iter().find_map(|lead| rest.strip_prefix(lead)) {
        rest = shorter.trim_start();
    }
    let verb = rest.strip_prefix("user ")?.split(' ').next()?;
    match verb {
        "wants" | "prefers" | "likes" | "dislikes" | "hates" | "expects" | "asked" => {
            Some(MemoryType::Feedback)
        }
        "is" | "has" | "works" | "knows" | "speaks" | "lives" => Some(MemoryType::User),
        _ => None,
    }
}

/// The sort of what only clues tell. Of what is to be done nobody knows whether it is a rule.
fn plainest(kind: MemoryType) -> Sort {
    match kind {
        MemoryType::Feedback => Sort::Preference,
        _ => Sort::of(kind),
    }
}

/// Whether something is not kept for a reason that no words outweigh.
fn is_final(why: Reason) -> bool {
    matches!(
        why,
        Reason::Instructions | Reason::Question | Reason::Git | Reason::Fix | Reason::TakenBack
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_of_the_user_is_not_about_the_project() {
        for (said, kind) in [
            ("user wants short answers", Some(MemoryType::Feedback)),
            (
                "remember: the user prefers tabs",
                Some(MemoryType::Feedback),
            ),
            ("note that the user is a nurse", Some(MemoryType::User)),
            ("the users want an export", None),
            ("the user can log in twice", None),
        ] {
            assert_eq!(of_the_user(said), kind, "{said}");
        }
    }
}
