//! What is remembered of one key, as a line: the base, what the remote has (`=` where that is the same), and who
//! made it so as JSON, which is only read where somebody asks.

use mem_core::history::Sha256;
use mem_core::sorted_lines::{LineValue, SortedLine};

use super::KeyView;
use crate::decide::KnownKey;

/// What is known of one key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyRow {
    /// What the file last had in common with the remote.
    pub base: Option<KnownKey>,
    /// What the remote was last seen to have.
    pub remote: Option<KnownKey>,
    /// `[actor, updated_at]` of the latter.
    by: String,
}

impl KeyRow {
    /// What the remote was last seen to have, and who made it so.
    pub fn last_view(&self) -> Option<KeyView> {
        let (actor, updated_at) = serde_json::from_str(&self.by).unwrap_or_default();
        Some(KeyView {
            known: self.remote?,
            actor,
            updated_at,
        })
    }

    pub(super) fn with_base(self, base: Option<KnownKey>) -> Self {
        Self { base, ..self }
    }

    pub(super) fn with_seen(self, last_view: Option<KeyView>) -> Self {
        let base = self.base;
        let Some(last_view) = last_view else {
            let (remote, by) = (None, String::new());
            return Self { base, remote, by };
        };
        let by = serde_json::to_string(&(last_view.actor, last_view.updated_at));
        Self {
            base,
            remote: Some(last_view.known),
            by: by.unwrap_or_default(),
        }
    }

    pub(super) fn says_anything(&self) -> bool {
        self.base.is_some() || self.remote.is_some()
    }
}

impl LineValue for KeyRow {
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
pub(crate) fn heads(line: &SortedLine<'_, KeyRow>) -> Option<(Option<KnownKey>, Option<KnownKey>)> {
    match line {
        SortedLine::Set(row) => Some((row.base, row.remote)),
        SortedLine::Kept(text) => parts(text).map(|(base, remote, _)| (base, remote)),
    }
}

/// Whether the remote has content under the key of a line.
pub fn is_there(line: &SortedLine<'_, KeyRow>) -> bool {
    heads(line).is_some_and(|(_, remote)| matches!(remote, Some(KnownKey::At(_))))
}

fn parts(text: &str) -> Option<(Option<KnownKey>, Option<KnownKey>, &str)> {
    let (base, rest) = text.split_once('\t')?;
    let (remote, by) = rest.split_once('\t')?;
    let base = known(base)?;
    let remote = match remote {
        "=" => base,
        remote => known(remote)?,
    };
    Some((base, remote, by))
}

fn write_known(known: Option<KnownKey>, text: &mut String) {
    use std::fmt::Write as _;
    // Writing into a string cannot fail.
    let _ = match known {
        None => text.write_char('-'),
        Some(KnownKey::At(sha256)) => write!(text, "a{sha256}"),
        Some(KnownKey::Gone(sha256)) => write!(text, "g{sha256}"),
    };
}

fn known(text: &str) -> Option<Option<KnownKey>> {
    if text == "-" {
        return Some(None);
    }
    let sha256 = |hex: &str| hex.parse::<Sha256>().ok();
    let at = text.strip_prefix('a').and_then(sha256).map(KnownKey::At);
    let known = at.or_else(|| text.strip_prefix('g').and_then(sha256).map(KnownKey::Gone));
    known.map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_the_line_that_it_makes() {
        let [one, two] = [Sha256::digest(b"1"), Sha256::digest(b"2")];
        let all = [
            None,
            Some(KnownKey::At(one)),
            Some(KnownKey::At(two)),
            Some(KnownKey::Gone(one)),
        ];
        for (base, remote) in all
            .iter()
            .flat_map(|base| all.map(|remote| (*base, remote)))
        {
            let last_view = remote.map(|known| KeyView {
                known,
                actor: "a\t\"\n".to_owned(),
                updated_at: "now".to_owned(),
            });
            let row = KeyRow {
                base,
                ..KeyRow::default()
            };
            let row = row.with_seen(last_view.clone());
            let mut text = String::new();
            row.write(&mut text);
            assert!(!text.contains('\n'), "{text}");
            assert_eq!(heads(&SortedLine::Kept(&text)), Some((base, remote)));
            let again = KeyRow::parse(&text).unwrap();
            assert_eq!((again.last_view(), again), (last_view, row));
        }
        assert_eq!(KeyRow::parse("x\t=\t"), None);
        assert_eq!(KeyRow::parse("-"), None);
    }
}
