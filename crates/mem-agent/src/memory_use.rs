//! Which of the memories that a session was given its model made use of, by what the model wrote afterwards.
//!
//! A memory is known by marks: its file's name, its title, the paths and symbols that it cites. It counts as used where
//! the model writes a mark, in an answer or in what it gives a tool, and the session had the mark nowhere before: not
//! in a prompt, not in the result of a tool, not in what the model wrote without the memory. A memory that is followed
//! without being named does not count, so the figure is a lower bound.
//!
//! ```text
//! prompt "fix the till" | given: cites `charge_card` | result of Read | Edit with `charge_card`
//!                                                      has it: not used  |  else: used
//! ```

use std::fs;
use std::path::Path;

use aho_corasick::AhoCorasick;
use jiff::Timestamp;

use crate::transcript::{
    Cursor, MessagePart, RecordBody, RecordOrigin, Transcript, TranscriptError, TranscriptRecord,
};

/// Around what hooks have put before the model, which hosts quote in prompts and results.
const INJECTED: (&str, &str) = ("<memories>", "</memories>");

/// A memory that was put before a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenMemory {
    /// How it is recognised.
    pub marks: Vec<String>,
    /// When it was given.
    pub place: GivenPlace,
}

/// When a memory was given to a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenPlace {
    /// At a time, with a prompt.
    Time(Timestamp),
    /// With the call of a tool, by its id: what that call says was written before.
    Call(String),
    /// To a subagent that was begun at a time.
    Subagent(Timestamp),
}

/// Says of each memory whether the model of a session made use of it.
///
/// # Errors
/// The transcript cannot be read.
pub fn find_used(transcript: &Path, given: &[GivenMemory]) -> Result<Vec<bool>, TranscriptError> {
    let mut watch = MarkWatch::new(given);
    read_into(transcript, &mut watch)?;
    let mut used = watch.used;
    // Claude Code keeps the transcripts of its subagents beside that of the session.
    let folder = transcript.with_extension("").join("subagents");
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    for file in files.map(|entry| entry.path()) {
        let mut watch = MarkWatch::new(given);
        watch.is_subagent = true;
        if read_into(&file, &mut watch).is_ok() {
            used.iter_mut()
                .zip(watch.used)
                .for_each(|(one, more)| *one |= more);
        }
    }
    Ok(used)
}

fn read_into(transcript: &Path, watch: &mut MarkWatch<'_>) -> Result<(), TranscriptError> {
    Transcript::open_at(transcript, &Cursor::default())?
        .read(|record| watch.take_record(record))
        .map(drop)
}

/// The marks of all memories, looked for in the order of a transcript.
struct MarkWatch<'g> {
    given: &'g [GivenMemory],
    /// Finds them; `None` where there is none.
    automaton: Option<AhoCorasick>,
    /// Of each mark, its memory.
    owners: Vec<usize>,
    /// Of each mark, whether the session has had it.
    is_known: Vec<bool>,
    /// Of each memory.
    is_given: Vec<bool>,
    used: Vec<bool>,
    /// The transcript is that of a subagent.
    is_subagent: bool,
}

impl<'g> MarkWatch<'g> {
    fn new(given: &'g [GivenMemory]) -> Self {
        let marks = given.iter().enumerate();
        let marks = marks.flat_map(|(at, one)| one.marks.iter().map(move |mark| (at, mark)));
        let marks: Vec<_> = marks.filter(|(_, mark)| !mark.is_empty()).collect();
        Self {
            given,
            automaton: AhoCorasick::new(marks.iter().map(|(_, mark)| mark)).ok(),
            owners: marks.iter().map(|(at, _)| *at).collect(),
            is_known: vec![false; marks.len()],
            is_given: vec![false; given.len()],
            used: vec![false; given.len()],
            is_subagent: false,
        }
    }

    fn take_record(&mut self, record: &TranscriptRecord<'_>) {
        let time: Option<Timestamp> = record.time.as_ref().and_then(|time| time.parse().ok());
        for (one, is_given) in self.given.iter().zip(&mut self.is_given) {
            *is_given |= match &one.place {
                GivenPlace::Time(at) => !self.is_subagent && time.is_some_and(|time| time >= *at),
                GivenPlace::Subagent(at) => {
                    self.is_subagent && time.is_some_and(|time| time >= *at)
                }
                GivenPlace::Call(_) => false,
            };
        }
        match &record.said {
            RecordBody::Assistant { parts, .. } => {
                parts.iter().for_each(|part| self.take_part(part));
            }
            RecordBody::User { origin, parts } => {
                for part in parts {
                    match part {
                        MessagePart::Text(text) if *origin == RecordOrigin::Person => {
                            self.read_text(text);
                        }
                        MessagePart::ToolResult { text, .. } => self.read_text(text),
                        MessagePart::Text(_) | MessagePart::ToolUse { .. } => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// A part of what the model wrote.
    fn take_part(&mut self, part: &MessagePart<'_>) {
        match part {
            MessagePart::Text(text) => self.take_text(text, true),
            MessagePart::ToolUse { id, input, .. } => {
                self.take_text(input, true);
                for (one, is_given) in self.given.iter().zip(&mut self.is_given) {
                    *is_given |= matches!(&one.place, GivenPlace::Call(call) if call == id);
                }
            }
            MessagePart::ToolResult { .. } => {}
        }
    }

    /// What the model read, without what hooks have put there.
    fn read_text(&mut self, text: &str) {
        let mut rest = text;
        while let Some((before, injected)) = rest.split_once(INJECTED.0) {
            self.take_text(before, false);
            rest = injected
                .split_once(INJECTED.1)
                .map_or("", |(_, after)| after);
        }
        self.take_text(rest, false);
    }

    fn take_text(&mut self, text: &str, is_by_model: bool) {
        let Some(automaton) = &self.automaton else {
            return;
        };
        for found in automaton.find_overlapping_iter(text) {
            let mark = found.pattern().as_usize();
            if self.is_known[mark] || !is_whole(text, found.start(), found.end()) {
                continue;
            }
            self.is_known[mark] = true;
            let owner = self.owners[mark];
            self.used[owner] |= is_by_model && self.is_given[owner];
        }
    }
}

/// Whether no identifier goes on before or behind a place.
fn is_whole(text: &str, start: usize, end: usize) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let before = text[..start].chars().next_back();
    let after = text[end..].chars().next();
    !before.is_some_and(is_part) && !after.is_some_and(is_part)
}
