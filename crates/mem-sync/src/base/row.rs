//! What is remembered of one key, as a line: the base, what the remote has (`=` where that is the same), and who
//! made it so as JSON, which is only read where somebody asks.

use mem_core::history::Sha256;
use mem_core::sorted_lines::{Line, LineValue};

use super::Seen;
use crate::decide::Known;

/// What is known of one key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// What the file last had in common with the remote.
    pub base: Option<Known>,
    /// What the remote was last seen to have.
    pub remote: Option<Known>,
    /// `[actor, updated_at]` of the latter.
    by: String,
}

impl Row {
    /// What the remote was last seen to have, and who made it so.
    pub fn seen(&self) -> Option<Seen> {
        let (actor, updated_at) = serde_json::from_str(&self.by).unwrap_or_default();
        Some(Seen {
            known: self.remote?,
            actor,
            updated_at,
        })
    }

    pub(super) fn with_base(self, base: Option<Known>) -> Self {
        Self { base, ..self }
    }

    pub(super) fn with_seen(self, seen: Option<Seen>) -> Self {
        let base = self.base;
        let Some(seen) = seen else {
            let (remote, by) = (None, String::new());
            return Self { base, remote, by };
        };
        let by = serde_json::to_string(&(seen.actor, seen.updated_at));
        Self {
            base,
            remote: Some(seen.known),
            by: by.unwrap_or_default(),
        }
    }

    pub(super) fn says_anything(&self) -> bool {
        self.base.is_some() || self.remote.is_some()
    }
}

impl LineValue for Row {
    fn parse(text: &str) -> Option<Self> {
        let (base, remote, by) = parts(text)?;
        Some(Self {
            base,
            remote,
            by: by.to_owned(),
        })
    }

    fn write(&self, text: &mut String) {
        write_known(self.base, text);
        text.push('\t');
        match self.remote {
            Some(_) if self.remote == self.base => text.push('='),
            remote => write_known(remote, text),
        }
        text.push('\t');
        text.push_str(&self.by);
    }
}

/// The base and what the remote has, of one line.
pub(crate) fn heads(line: &Line<'_, Row>) -> Option<(Option<Known>, Option<Known>)> {
    match line {
        Line::Set(row) => Some((row.base, row.remote)),
        Line::Kept(text) => parts(text).map(|(base, remote, _)| (base, remote)),
    }
}

/// Whether the remote has content under the key of a line.
pub fn is_there(line: &Line<'_, Row>) -> bool {
    heads(line).is_some_and(|(_, remote)| matches!(remote, Some(Known::At(_))))
}

fn parts(text: &str) -> Option<(Option<Known>, Option<Known>, &str)> {
    let (base, rest) = text.split_once('\t')?;
    let (remote, by) = rest.split_once('\t')?;
    let base = known(base)?;
    let remote = match remote {
        "=" => base,
        remote => known(remote)?,
    };
    Some((base, remote, by))
}

fn write_known(known: Option<Known>, text: &mut String) {
    use std::fmt::Write as _;
    // Writing into a string cannot fail.
    let _ = match known {
        None => text.write_char('-'),
        Some(Known::At(sha256)) => write!(text, "a{sha256}"),
        Some(Known::Gone(sha256)) => write!(text, "g{sha256}"),
    };
}

fn known(text: &str) -> Option<Option<Known>> {
    if text == "-" {
        return Some(None);
    }
    let sha256 = |hex: &str| hex.parse::<Sha256>().ok();
    let at = text.strip_prefix('a').and_then(sha256).map(Known::At);
    let known = at.or_else(|| text.strip_prefix('g').and_then(sha256).map(Known::Gone));
    known.map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_the_line_that_it_makes() {
        let [one, two] = [Sha256::of(b"1"), Sha256::of(b"2")];
        let all = [
            None,
            Some(Known::At(one)),
            Some(Known::At(two)),
            Some(Known::Gone(one)),
        ];
        for (base, remote) in all
            .iter()
            .flat_map(|base| all.map(|remote| (*base, remote)))
        {
            let seen = remote.map(|known| Seen {
                known,
                actor: "a\t\"\n".to_owned(),
                updated_at: "now".to_owned(),
            });
            let row = Row {
                base,
                ..Row::default()
            };
            let row = row.with_seen(seen.clone());
            let mut text = String::new();
            row.write(&mut text);
            assert!(!text.contains('\n'), "{text}");
            assert_eq!(heads(&Line::Kept(&text)), Some((base, remote)));
            let again = Row::parse(&text).unwrap();
            assert_eq!((again.seen(), again), (seen, row));
        }
        assert_eq!(Row::parse("x\t=\t"), None);
        assert_eq!(Row::parse("-"), None);
    }
}
