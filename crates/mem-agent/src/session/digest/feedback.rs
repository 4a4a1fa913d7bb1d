//! Whether a person corrects or confirms what was done: both are worth keeping.

use serde::{Deserialize, Serialize};

/// What a prompt says about the work before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feedback {
    /// It was wrong, or is to be done otherwise.
    Correction,
    /// It was right.
    Confirmation,
}

/// How corrections begin.
const CORRECTING_STARTS: &[&str] = &[
    "no,",
    "no ",
    "no.",
    "nope",
    "not ",
    "don't",
    "do not",
    "dont ",
    "stop",
    "wait",
    "actually",
    "wrong",
    "that's not",
    "thats not",
    "that is not",
    "this is not",
    "this isn't",
    "that isn't",
    "instead",
    "you forgot",
    "you missed",
    "you should",
    "you shouldn't",
    "why did you",
    "revert",
    "undo",
    "never ",
    "please don't",
    "still ",
    "it still",
    "nein",
    "nicht ",
    "non,",
    "不要",
    "不是",
    "不对",
    "别",
    "아니",
    "하지 마",
    "いや",
    "違",
    "ちがう",
];
/// What corrections hold somewhere.
const CORRECTING_WORDS: &[&str] = &[
    "i told you",
    "i said",
    "should not have",
    "shouldn't have",
    "not what i",
    "instead of",
    "rather than",
    "doesn't belong",
    "does not belong",
    "belongs in",
    "never use",
    "always use",
    "don't use",
    "do not use",
    "is wrong",
    "was wrong",
    "are wrong",
    "broke ",
    "は違",
    "ではなく",
    "じゃなく",
    "말고",
];
/// How confirmations begin.
const CONFIRMING_STARTS: &[&str] = &[
    "yes",
    "yep",
    "perfect",
    "great",
    "exactly",
    "good",
    "nice",
    "lgtm",
    "looks good",
    "that works",
    "works",
    "correct",
    "excellent",
    "love it",
    "awesome",
    "right,",
    "ja,",
    "genau",
    "oui,",
    "sí,",
    "对",
    "好的",
    "很好",
    "좋",
    "맞",
    "네,",
    "예,",
    "はい",
    "いいね",
    "完璧",
];

/// What a prompt says about the work before it, by its words alone; `None` where it does not.
pub fn prompt_feedback(prompt: &str) -> Option<Feedback> {
    let text = prompt.trim().to_lowercase().replace('\u{2019}', "'");
    let head: String = text.chars().take(400).collect();
    let starts = |list: &[&str]| list.iter().any(|one| text.starts_with(one));
    if starts(CORRECTING_STARTS) || text == "no" {
        return Some(Feedback::Correction);
    }
    if starts(CONFIRMING_STARTS) {
        let but = head.contains(" but ") || head.contains(", except");
        return Some(if but {
            Feedback::Correction
        } else {
            Feedback::Confirmation
        });
    }
    let holds = CORRECTING_WORDS.iter().any(|one| head.contains(one));
    holds.then_some(Feedback::Correction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_confirmations_and_neither() {
        use Feedback::{Confirmation, Correction};
        for (text, expected) in [
            ("No, don't put it in the handler", Some(Correction)),
            ("that\u{2019}s not what I meant", Some(Correction)),
            ("I told you to use tabs", Some(Correction)),
            ("yes but rename it", Some(Correction)),
            ("不要用模拟", Some(Correction)),
            ("これは違う、戻して", Some(Correction)),
            ("Nicht so, erst die Tests", Some(Correction)),
            ("목 말고 진짜 데이터베이스로", Some(Correction)),
            ("네, 그렇게 계속", Some(Confirmation)),
            ("Ja, genau so", Some(Confirmation)),
            ("네트워크 오류를 고쳐 줘", None),
            ("Jakarta as a second region", None),
            ("Perfect, ship it", Some(Confirmation)),
            ("looks good", Some(Confirmation)),
            ("Add a test for the parser", None),
            ("Notify the user when it ends", None),
            ("", None),
        ] {
            assert_eq!(prompt_feedback(text), expected, "{text}");
        }
    }
}
