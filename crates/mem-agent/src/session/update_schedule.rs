//! When the notes are to be brought up to date: a pure function.

use serde::{Deserialize, Serialize};

/// Tokens of messages before the first notes.
const FIRST_TOKENS: u64 = 10_000;
/// Further tokens between two updates ..
const BETWEEN_TOKENS: u64 = 5_000;
/// .. and calls of tools.
const BETWEEN_CALLS: u64 = 3;

/// What has happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionCounts {
    /// Tokens of all messages so far.
    pub tokens: u64,
    /// Calls of tools so far.
    pub calls: u64,
    /// Whether the last turn called a tool.
    pub calls_in_last_turn: bool,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Due {
    /// Whether it is time.
    pub due: bool,
    /// Why, or why not.
    pub reason: String,
}

/// Whether it is time, by what has happened `now` and had happened at the `last` update; none yet
/// where that is nothing. `is_compacting`: whether the host compacts by itself, without which
/// nobody would read the notes.
pub fn check_due(is_compacting: bool, last: Option<SessionCounts>, now: SessionCounts) -> Due {
    let yes = |reason: String| Due { due: true, reason };
    let no = |reason: String| Due { due: false, reason };
    if !is_compacting {
        return no("the host's auto-compaction is off".to_owned());
    }
    let Some(last) = last else {
        let tokens = now.tokens;
        return match tokens >= FIRST_TOKENS {
            true => yes(format!("{tokens} tokens, and no notes yet")),
            false => no(format!("{tokens} tokens of the first {FIRST_TOKENS}")),
        };
    };
    let tokens = now.tokens.saturating_sub(last.tokens);
    let calls = now.calls.saturating_sub(last.calls);
    if tokens < BETWEEN_TOKENS {
        return no(format!(
            "{tokens} tokens of {BETWEEN_TOKENS} since the last update"
        ));
    }
    if calls >= BETWEEN_CALLS {
        return yes(format!(
            "{tokens} tokens and {calls} tool calls since the last update"
        ));
    }
    if !now.calls_in_last_turn {
        return yes(format!(
            "{tokens} tokens since the last update, at a pause in the work"
        ));
    }
    no(format!(
        "{calls} tool calls of {BETWEEN_CALLS} since the last update"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(tokens: u64, calls: u64, calls_in_last_turn: bool) -> SessionCounts {
        SessionCounts {
            tokens,
            calls,
            calls_in_last_turn,
        }
    }

    fn is_due(last: Option<SessionCounts>, now: SessionCounts) -> bool {
        check_due(true, last, now).due
    }

    #[test]
    fn first_notes_come_at_ten_thousand_tokens() {
        assert!(!is_due(None, counts(9_999, 50, false)));
        assert!(is_due(None, counts(10_000, 0, true)));
    }

    #[test]
    fn later_ones_need_tokens_and_calls_or_tokens_and_a_pause() {
        let last = Some(counts(10_000, 7, true));
        assert!(!is_due(last, counts(14_999, 20, true)), "too few tokens");
        assert!(
            !is_due(last, counts(14_999, 20, false)),
            "a pause alone is not enough"
        );
        assert!(!is_due(last, counts(15_000, 9, true)), "too few calls");
        assert!(is_due(last, counts(15_000, 10, true)));
        assert!(is_due(last, counts(15_000, 7, false)));
    }

    #[test]
    fn never_where_the_host_does_not_compact() {
        let answer = check_due(false, None, counts(1 << 40, 9, false));
        assert_eq!((answer.due, answer.reason.contains("off")), (false, true));
    }
}
