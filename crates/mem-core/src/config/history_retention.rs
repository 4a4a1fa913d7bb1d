//! `history.keep`: how much of the past is kept.

use std::fmt;

/// A bound on the history. The newest version of every file is always kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistoryRetention {
    /// No bound.
    #[default]
    Everything,
    /// The last so many changes.
    Changes(u64),
    /// The changes of the last so many days.
    Days(u64),
}

impl HistoryRetention {
    /// Reads `0`, `500` (changes) or `90d` (days); `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let number = |digits: &str| {
            let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse::<u64>().ok().filter(|_| plain)
        };
        match text.strip_suffix('d') {
            Some(days) => number(days).filter(|days| *days > 0).map(Self::Days),
            None => number(text).map(|count| match count {
                0 => Self::Everything,
                count => Self::Changes(count),
            }),
        }
    }
}

/// As [`HistoryRetention::parse`] reads it.
impl fmt::Display for HistoryRetention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Everything => f.write_str("0"),
            Self::Changes(count) => write!(f, "{count}"),
            Self::Days(days) => write!(f, "{days}d"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::HistoryRetention;

    #[test]
    fn the_three_forms_and_nothing_else() {
        for (text, want) in [
            ("0", Some(HistoryRetention::Everything)),
            ("500", Some(HistoryRetention::Changes(500))),
            (" 90d ", Some(HistoryRetention::Days(90))),
            ("0d", None),
            ("-1", None),
            ("+1", None),
            ("d", None),
            ("", None),
            ("90 days", None),
        ] {
            assert_eq!(HistoryRetention::parse(text), want, "{text:?}");
            let shown = want.map(|keep| keep.to_string());
            assert_eq!(shown.as_deref(), want.map(|_| text.trim()), "{text:?}");
        }
    }
}
