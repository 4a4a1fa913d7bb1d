//! The answer to a GET, taken apart while it comes: the other end still puts the rest of it together meanwhile.
//!
//! Only an answer without a fault is read so, in the form in which servers write it. Whatever differs is left to
//! [`StateAnswer::read`], which has the whole body then; where both read one, they come to the same.

use serde::de::DeserializeOwned;

use super::{Pairs, RawEntry, RemoteEntry, StateAnswer, entry_fault};
use crate::limits::{ANSWER_BYTES_MAX, BODY_KEYS_MAX};
use crate::wire::pairs::StrictPairs;
use crate::wire::read;
use crate::wire::rejection::RejectedKey;

/// What stands in front of the entries, without the number of the version.
const HEAD: &[u8] = b"{\"version\":,\"entries\":{";
/// With it, nothing is longer.
const HEAD_BYTES_MAX: usize = 64;

/// A body that is not whole yet, as far as it is read.
#[derive(Debug, Default)]
pub(crate) struct ArrivingBody {
    step: ParseStep,
    /// Where the head ends.
    head: usize,
    /// How far all is read.
    at: usize,
    /// It is not worth another look before so much is there: what was there was too little.
    due: usize,
    entries: Vec<(String, Option<RemoteEntry>)>,
}

/// Who is shown each entry.
type See<'s> = &'s mut dyn FnMut(&str, &mut RemoteEntry);

/// What comes next.
#[derive(Clone, Copy, Debug, Default)]
enum ParseStep {
    /// All in front of the entries.
    #[default]
    Head,
    /// A name and its entry.
    Entry,
    /// What is behind the entries: it is read once all is there.
    Rest,
    /// It has another form, or a fault.
    Lost,
}

/// What was read at the beginning of a text.
enum ParsedPrefix<T> {
    /// This, and it takes so many bytes.
    Whole(T, usize),
    /// It does not end there.
    Cut,
    /// It is none.
    Other,
}

impl ArrivingBody {
    /// Reads on. `body` is all that has come so far; each entry that is good by itself is shown to `see`, which may
    /// take its content.
    pub(crate) fn read_more(&mut self, body: &[u8], see: See<'_>) {
        if body.len() < self.due {
            return;
        }
        while let Some(step) = self.next(body, see) {
            self.step = step;
        }
        // Of a long entry that comes in small pieces not every piece is tried.
        self.due = body.len() + (body.len() - self.at);
    }

    /// The whole answer; `None` where it has to be read in the other way.
    pub(crate) fn finish_answer(
        mut self,
        body: &[u8],
        see: See<'_>,
    ) -> Option<(StateAnswer, Vec<RejectedKey>)> {
        self.due = 0;
        self.read_more(body, see);
        let (ParseStep::Rest, true) = (self.step, body.len() <= ANSWER_BYTES_MAX) else {
            return None;
        };
        let rest = [body.get(..self.head)?, body.get(self.at..)?].concat();
        let mut raw: RawEntry<StrictPairs> = read(&rest, ANSWER_BYTES_MAX).ok()?;
        raw.entries = Pairs::from_pairs(self.entries);
        Some(StateAnswer::from_raw(raw, true))
    }

    /// Reads one thing more, and says what follows; `None` where more has to come first.
    fn next(&mut self, body: &[u8], see: See<'_>) -> Option<ParseStep> {
        match self.step {
            ParseStep::Head => self.parse_beginning(body),
            ParseStep::Entry => self.parse_entry(body, see),
            ParseStep::Rest | ParseStep::Lost => None,
        }
    }

    fn parse_beginning(&mut self, body: &[u8]) -> Option<ParseStep> {
        let start = body.get(..body.len().min(HEAD_BYTES_MAX))?;
        let mut braces = start.iter().enumerate().skip(1);
        let Some((end, _)) = braces.find(|(_, byte)| **byte == b'{') else {
            return (start.len() == HEAD_BYTES_MAX).then_some(ParseStep::Lost);
        };
        let head = start.get(..=end)?.iter();
        let is_head = head.filter(|byte| !byte.is_ascii_digit()).eq(HEAD);
        let follows = body.get(end + 1)?;
        (self.head, self.at) = (end + 1, end + 1);
        Some(match (is_head, follows) {
            (true, b'}') => ParseStep::Rest,
            (true, _) => ParseStep::Entry,
            (false, _) => ParseStep::Lost,
        })
    }

    fn parse_entry(&mut self, body: &[u8], see: See<'_>) -> Option<ParseStep> {
        let rest = body.get(self.at..)?;
        let (name, used) = match parse_first_value::<String>(rest) {
            ParsedPrefix::Whole(name, used) => (name, used),
            ParsedPrefix::Cut => return None,
            ParsedPrefix::Other => return Some(ParseStep::Lost),
        };
        if *rest.get(used)? != b':' {
            return Some(ParseStep::Lost);
        }
        let value = rest.get(used + 1..)?;
        let (mut entry, length) = match parse_first_value::<RemoteEntry>(value) {
            ParsedPrefix::Whole(entry, length) => (entry, length),
            ParsedPrefix::Cut => return None,
            ParsedPrefix::Other => return Some(ParseStep::Lost),
        };
        let follows = match value.get(length)? {
            b',' => ParseStep::Entry,
            b'}' => ParseStep::Rest,
            _ => ParseStep::Lost,
        };
        if self.entries.len() == BODY_KEYS_MAX || entry_fault(&entry, false, 0, false).is_some() {
            return Some(ParseStep::Lost);
        }
        see(&name, &mut entry);
        self.entries.push((name, Some(entry)));
        // The comma belongs to what is read, the closing brace to the rest.
        self.at += used + 1 + length + usize::from(matches!(follows, ParseStep::Entry));
        Some(follows)
    }
}

/// The first value of a text.
fn parse_first_value<T: DeserializeOwned>(text: &[u8]) -> ParsedPrefix<T> {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter();
    match values.next() {
        Some(Ok(value)) => ParsedPrefix::Whole(value, values.byte_offset()),
        Some(Err(error)) if !error.is_eof() => ParsedPrefix::Other,
        _ => ParsedPrefix::Cut,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use mem_core::history::Sha256;
    use proptest::prelude::*;

    use super::*;
    use crate::key::EntryKey;

    fn entry(text: &str) -> RemoteEntry {
        RemoteEntry {
            content: Some(text.to_owned()),
            sha256: Sha256::digest(text.as_bytes()),
            updated_at: "t".to_owned(),
            actor: "ann".to_owned(),
        }
    }

    /// What comes of a body in pieces of this size.
    fn heard(body: &[u8], piece: usize) -> Option<(StateAnswer, Vec<RejectedKey>)> {
        let mut arriving = ArrivingBody::default();
        for end in (0..body.len()).step_by(piece) {
            arriving.read_more(&body[..end], &mut |_, _| {});
        }
        arriving.finish_answer(body, &mut |_, _| {})
    }

    proptest! {
        #[test]
        fn it_comes_to_what_reading_the_whole_comes_to(
            texts in proptest::collection::btree_map("[a-zA-Z/.]{1,6}", "(\\PC|\n|\"|\\\\){0,40}", 0..12),
            edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
            piece in 1..200_usize,
        ) {
            let entries = texts.iter().filter_map(|(name, text)| {
                Some((EntryKey::parse(name).ok()?, entry(text)))
            });
            let entries: BTreeMap<EntryKey, RemoteEntry> = entries.collect();
            let answer = StateAnswer { version: 12, entries, ..StateAnswer::default() };
            let mut body = answer.to_json();
            let is_edited = !edits.is_empty();
            for (at, byte) in edits {
                let at = at.index(body.len());
                body[at] = byte;
            }
            let read = StateAnswer::read(&body);
            match heard(&body, piece) {
                Some(heard) => prop_assert_eq!(Ok(heard), read),
                None => prop_assert!(is_edited, "an answer without a fault was not read"),
            }
        }
    }

    #[test]
    fn what_has_another_form_or_a_fault_is_left_to_the_other_way() {
        let one = serde_json::to_string(&entry("a")).unwrap();
        let lie = one.replace("\"content\":\"a\"", "\"content\":\"z\"");
        let good = format!(r#"{{"version":3,"entries":{{"b":{one},"a":{one}}},"deleted":{{}}}}"#);
        let read = heard(good.as_bytes(), 7).unwrap();
        assert_eq!(read, StateAnswer::read(good.as_bytes()).unwrap());
        assert_eq!(read.0.entries.len(), 2);
        for body in [
            format!(r#"{{"version":3,"entries":{{"a":{lie}}},"deleted":{{}}}}"#),
            format!(r#"{{"version":3,"entries":{{"a":{one},}},"deleted":{{}}}}"#),
            format!(r#"{{"version":3,"entries":{{"a":{one}}},"entries":{{}}}}"#),
            format!(r#"{{"version":3,"entries":{{"a":{one}}},"deleted":{{}}}} x"#),
            format!(r#"{{"version":3,"entries":{{"a":7,"b":{one}}}}}"#),
            format!(r#"{{"entries":{{"a":{one}}},"version":3}}"#),
            format!(r#"{{"3version":,"entries":{{"a":{one}}}}}"#),
            format!(r#"{{"version":3,"entries":{{"a":{one}"#),
            r#"{"type":"error","error":{"type":"x","message":"y"}}"#.to_owned(),
            "x".repeat(1_000),
            String::new(),
        ] {
            assert_eq!(heard(body.as_bytes(), 5), None, "{body}");
        }
        let none = br#"{"version":0,"entries":{},"deleted":{}}"#;
        assert_eq!(heard(none, 1), Some((StateAnswer::default(), Vec::new())));
    }

    #[test]
    fn an_entry_that_drips_in_is_not_read_again_with_every_piece() {
        let body = format!(
            r#"{{"version":3,"entries":{{"a":{{"content":"{}"#,
            "x".repeat(1 << 16)
        );
        let mut arriving = ArrivingBody::default();
        let mut looks = 0;
        for end in 0..body.len() {
            looks += usize::from(end >= arriving.due);
            arriving.read_more(&body.as_bytes()[..end], &mut |_, _| {});
        }
        assert!(looks < 120, "{looks}");
    }
}
