//! Records into the digest, one after the other.

use std::collections::VecDeque;

use super::call::{self, Deed, ToolCall};
use super::text::{single_line, text_block};
use super::{
    Digest, FILES_MAX, FailedCall, Feedback, FileUse, KEPT_MAX, OPEN_CALLS_MAX, PersonPrompt,
    RESULTS_MAX, SessionTurn, Title, prompt_feedback,
};
use crate::tokens::estimate_tokens;
use crate::transcript::{MessagePart, RecordBody, RecordOrigin, TranscriptRecord};

/// The element in which Claude Code puts the summary of a compacted conversation.
const ELEMENT: &str = "summary";

const PROMPT_CHARS_MAX: usize = 700;
const REPLY_CHARS_MAX: usize = 1_500;
const ERROR_CHARS_MAX: usize = 240;
const SUMMARY_CHARS_MAX: usize = 5_000;
/// Of the text of one part, so much is counted in tokens at full price.
const COUNTED_BYTES_MAX: usize = 4 * 1024 * 1024;

impl Digest {
    /// Takes in the next record.
    pub fn take_record(&mut self, record: &TranscriptRecord<'_>) {
        match &record.said {
            RecordBody::User { origin, parts } => self.take_user(*origin, parts, record),
            RecordBody::Assistant { parts, .. } => self.take_assistant(parts),
            RecordBody::Title { text, is_chosen } => self.take_title(text, *is_chosen),
            RecordBody::Compacted | RecordBody::Other => {}
        }
    }

    /// Takes in the summary that a host made of the conversation when it compacted it. Hosts put their reasoning before
    /// it.
    pub fn take_summary(&mut self, text: &str) {
        // The element of the host is one of HTML as well, and no block of ours.
        let (open, close) = (format!("<{ELEMENT}>"), format!("</{ELEMENT}>"));
        let inner = text.split_once(&open).map_or(text, |(_, rest)| rest);
        let inner = inner.split_once(&close).map_or(inner, |(own, _)| own);
        self.summary = text_block(inner, SUMMARY_CHARS_MAX);
    }

    fn take_title(&mut self, text: &str, is_chosen: bool) {
        if is_chosen || !self.title.as_ref().is_some_and(|title| title.is_chosen) {
            let text = single_line(text, 120);
            self.title = Some(Title { text, is_chosen });
        }
    }

    fn take_user(
        &mut self,
        origin: RecordOrigin,
        parts: &[MessagePart<'_>],
        record: &TranscriptRecord<'_>,
    ) {
        for part in parts {
            match part {
                MessagePart::Text(text) => {
                    self.count_tokens(text);
                    if origin == RecordOrigin::Person {
                        self.take_prompt(text, record.time.as_deref().unwrap_or_default());
                    }
                }
                MessagePart::ToolResult { id, text, is_error } => {
                    self.count_tokens(text);
                    self.take_result(id, text, *is_error);
                }
                MessagePart::ToolUse { .. } => {}
            }
        }
    }

    fn take_prompt(&mut self, text: &str, time: &str) {
        self.keep_result();
        self.counts.calls_in_last_turn = false;
        let said = if self.prompts.is_empty() {
            None
        } else {
            prompt_feedback(text)
        };
        let prompt = PersonPrompt {
            text: text_block(text, PROMPT_CHARS_MAX),
            opinion: said,
        };
        // The first prompt is what the session is about: it never gives way.
        if self.prompts.len() >= KEPT_MAX {
            self.prompts.remove(1);
        }
        self.prompts.push_back(prompt);
        let turn = SessionTurn {
            time: single_line(time, 40),
            asked: single_line(text, 120),
            ..SessionTurn::default()
        };
        push_bounded(&mut self.turns, turn, KEPT_MAX);
    }

    /// The last answer, where it holds what somebody wants to keep.
    fn keep_result(&mut self) {
        let reply = &self.reply;
        let is_table = reply.contains("\n|") && reply.contains("|-");
        if is_table || reply.contains("```") {
            // It is cut and its code blocks are closed already.
            let result = reply.clone();
            if self.results.back() != Some(&result) {
                push_bounded(&mut self.results, result, RESULTS_MAX);
            }
        }
    }

    fn take_assistant(&mut self, parts: &[MessagePart<'_>]) {
        for part in parts {
            match part {
                MessagePart::Text(text) => {
                    self.count_tokens(text);
                    if !text.trim().is_empty() {
                        self.reply = text_block(text, REPLY_CHARS_MAX);
                    }
                }
                MessagePart::ToolUse { id, name, input } => {
                    self.count_tokens(input);
                    self.take_call(id, name, input);
                }
                MessagePart::ToolResult { .. } => {}
            }
        }
    }

    fn take_call(&mut self, id: &str, tool: &str, input: &str) {
        self.counts.calls += 1;
        self.counts.calls_in_last_turn = true;
        if let Some(todos) = call::parse_todos(tool, input) {
            self.todos = todos;
        }
        let deed = Deed::from_tool(tool, input);
        // A call of a later turn answers another request: it says nothing about an earlier failure.
        let has_failed = self.turns.back().is_none_or(|turn| turn.failed > 0);
        let failure = self.errors.back_mut().filter(|one| one.then.is_none());
        if let Some(failure) = failure.filter(|_| has_failed) {
            failure.then = Some(deed.describe_deed());
        }
        if let Some(turn) = self.turns.back_mut() {
            let count = match deed {
                Deed::Write(_) => &mut turn.written,
                Deed::Run(_) => &mut turn.ran,
                Deed::Read(_) | Deed::Other(_) => &mut turn.other,
            };
            *count += 1;
        }
        let id = single_line(id, 80);
        push_bounded(&mut self.open_calls, ToolCall { id, deed }, OPEN_CALLS_MAX);
    }

    fn take_result(&mut self, id: &str, text: &str, is_error: bool) {
        let Some(at) = self.open_calls.iter().position(|call| call.id == id) else {
            return;
        };
        let Some(ToolCall { deed, .. }) = self.open_calls.remove(at) else {
            return;
        };
        if is_error {
            self.take_failure(&deed, text);
            return;
        }
        match deed {
            Deed::Read(path) => self.touch_file(path, false),
            Deed::Write(path) => self.touch_file(path, true),
            Deed::Run(command) => {
                self.commands.retain(|one| *one != command);
                push_bounded(&mut self.commands, command, KEPT_MAX);
            }
            Deed::Other(_) => {}
        }
    }

    fn take_failure(&mut self, deed: &Deed, text: &str) {
        if let Some(turn) = self.turns.back_mut() {
            turn.failed += 1;
        }
        let failure = FailedCall {
            deed: deed.describe_deed(),
            message: telling_line(text),
            then: None,
        };
        let is_same = |one: &FailedCall| one.deed == failure.deed && one.message == failure.message;
        self.errors.retain(|one| !is_same(one));
        push_bounded(&mut self.errors, failure, KEPT_MAX);
    }

    fn touch_file(&mut self, path: String, is_write: bool) {
        let at = self.files.iter().position(|file| file.path == path);
        let at = at.unwrap_or_else(|| {
            if self.files.len() >= FILES_MAX {
                let least = (0..self.files.len()).min_by_key(|at| self.files[*at].use_weight());
                self.files.remove(least.unwrap_or(0));
            }
            self.files.push(FileUse {
                path,
                read: 0,
                written: 0,
            });
            self.files.len() - 1
        });
        let file = &mut self.files[at];
        let count = if is_write {
            &mut file.written
        } else {
            &mut file.read
        };
        *count = count.saturating_add(1);
    }

    fn count_tokens(&mut self, text: &str) {
        let counted = &text[..text.floor_char_boundary(COUNTED_BYTES_MAX)];
        self.counts.tokens += estimate_tokens(counted) as u64;
    }

    /// Prompts that say something about the work before them.
    pub fn prompt_opinions(&self) -> impl Iterator<Item = (&PersonPrompt, Feedback)> {
        let all = self.prompts.iter();
        all.filter_map(|prompt| Some((prompt, prompt.opinion?)))
    }
}

impl FileUse {
    /// How much a file matters: a change more than a look.
    pub fn use_weight(&self) -> u64 {
        u64::from(self.written) * 4 + u64::from(self.read)
    }
}

/// The line of an output that tells what went wrong: the first that speaks of an error, else the
/// last one.
fn telling_line(text: &str) -> String {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let speaks = |line: &&str| {
        let line = line.to_ascii_lowercase();
        ["error", "fail", "panic", "denied", "not found", "fatal"]
            .iter()
            .any(|word| line.contains(word))
    };
    let telling = lines()
        .take(2_000)
        .find(speaks)
        .or_else(|| lines().next_back());
    single_line(telling.unwrap_or("no output"), ERROR_CHARS_MAX)
}

fn push_bounded<T>(list: &mut VecDeque<T>, item: T, max: usize) {
    if list.len() >= max {
        list.pop_front();
    }
    list.push_back(item);
}
