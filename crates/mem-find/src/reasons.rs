//! Why a note was chosen, in words.

use mem_recall::TermMatch;

use crate::recall_answer::{RecallBasis, RecalledMemory};

/// So many of the words that both have are told.
const WORDS_MAX: usize = 6;
/// A likeness below this is not worth a word.
const LIKE_MIN: f32 = 0.3;

/// The reasons, each one line, the weightiest first.
pub fn reason_lines(recalled: &RecalledMemory) -> Vec<String> {
    let hit = &recalled.hit;
    let mut reasons = Vec::new();
    match recalled.basis {
        RecallBasis::Rank => {}
        RecallBasis::Model => reasons.push("the model chose it".to_owned()),
        RecallBasis::Citation => {
            return vec![
                "it cites the file, its folder or a symbol there, or names the file with `when`"
                    .to_owned(),
            ];
        }
    }
    reasons.extend(matched_words(&hit.matches));
    let meaning = hit.signals.sentence.unwrap_or(hit.signals.statics);
    if meaning >= LIKE_MIN {
        reasons.push(format!("meaning: {meaning:.2} alike"));
    }
    let beside = [
        "freshness",
        "importance",
        "pinned",
        "used",
        "unused",
        "drift",
    ];
    for part in hit
        .parts
        .iter()
        .filter(|part| beside.contains(&part.weight))
    {
        if part.value.abs() >= 0.005 {
            reasons.push(format!("{} {:+.2}", part.weight, part.value));
        }
    }
    reasons
}

fn matched_words(matches: &[TermMatch]) -> Option<String> {
    if matches.is_empty() {
        return None;
    }
    let word = |one: &TermMatch| match one.asked == one.found {
        true => one.word.clone(),
        false => format!("{} ~ {}", one.word, one.found),
    };
    let named: Vec<String> = matches.iter().take(WORDS_MAX).map(word).collect();
    let more = match matches.len() > WORDS_MAX {
        true => ", ..",
        false => "",
    };
    Some(format!("words: {}{more}", named.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_named_and_near_ones_with_what_they_stand_for() {
        let both = |asked: &str, found: &str| TermMatch {
            asked: asked.to_owned(),
            word: format!("{asked}ing"),
            found: found.to_owned(),
        };
        let told = matched_words(&[both("deploy", "deploy"), both("rent", "leas")]);
        assert_eq!(told.as_deref(), Some("words: deploying, renting ~ leas"));
        assert_eq!(matched_words(&[]), None);
        let many = vec![both("a", "a"); 9];
        assert!(matched_words(&many).is_some_and(|told| told.ends_with(", ..")));
    }
}
