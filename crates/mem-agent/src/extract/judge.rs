//! Rules and clues together: what a sentence is worth when both have spoken.

use mem_core::MemoryType;

use super::candidate::{LIKELY_MIN, Reason, Sort};
use super::clues::Likely;
use super::weigh::{MAYBE_MIN, Verdict};

/// What a rule's confidence weighs beside the clues, and that a rule forbids it.
const RULE_WEIGHT: f32 = 3.0;
const DROPPED_WEIGHT: f32 = -0.5;
/// What a rule's type weighs beside those of the clues.
const KIND_WEIGHT: f32 = 4.0;
/// From which sum on something is likely to be worth keeping, and how much surer each point beyond makes it.
const WORTH_MIN: f32 = 2.65;
const WORTH_STEP: f32 = 0.2;

/// What rules and clues come to together. Neither is enough: a rule fires on words that are also said of the work at
/// hand, a clue knows no turn of phrase. What is not to be saved is not, whatever its words look like.
pub(super) fn judged(ruled: Verdict, likely: Likely) -> Verdict {
    let (by_rule, reason) = match ruled {
        Verdict::Keep { confidence, .. } => (confidence * RULE_WEIGHT, Reason::Unsure),
        Verdict::Drop(why) if is_final(why) => return ruled,
        Verdict::Drop(why) => (DROPPED_WEIGHT, why),
        Verdict::Nothing => (0.0, Reason::Unsure),
    };
    let worth = likely.worth() + by_rule;
    let confidence = (LIKELY_MIN + (worth - WORTH_MIN) * WORTH_STEP).clamp(0.0, 0.99);
    if confidence < MAYBE_MIN {
        return match ruled {
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
    let fits = |sort: &Sort| sort.kind() == kind || *sort == Sort::Asked;
    Verdict::Keep {
        sort: said.filter(fits).unwrap_or_else(|| plainest(kind)),
        kind,
        confidence,
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
        Reason::Instructions | Reason::Question | Reason::Git | Reason::Fix
    )
}
