//! A transcript, turn by turn: whose turns count, and what was said in them.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::ops::Deref;

use mem_recall::versus::{Statement, Versus, is_contrary, stand};
use mem_secrets::redacted;

use super::candidate::{CANDIDATES_MAX, Candidate, DROPPED_MAX, Dropped, Reason};
use super::event::{Event, Told};
use super::pending::Pending;
use super::prompt::Prompt;
use super::proposed::Heard;
use super::speech::sentences;
use super::thought::joined;
use super::{Setting, known};
use crate::wrote::Watch;

/// Of all prompts, so much is remembered for a model.
const HEARD_BYTES_MAX: usize = 48 * 1024;
/// Two sentences whose words are the same, so many of them, say the same.
const SAME_SHARE: f32 = 0.8;

/// What a stretch of a session brought.
#[derive(Debug, Default)]
pub(super) struct Gatherer {
    pub(super) candidates: Vec<Candidate>,
    pub(super) dropped: Vec<Dropped>,
    /// Turns that were left out because the agent wrote memory in them.
    pub(super) written_turns: usize,
    /// The directories that the session stood in.
    pub(super) folders: BTreeSet<String>,
    /// Prompts that were looked at.
    pub(super) prompts: usize,
    /// Records of any sort.
    pub(super) records: usize,
    /// The last of them, for a model.
    pub(super) heard: Vec<Heard>,
    /// What each candidate says.
    told: Vec<Stated>,
    /// What the turn that goes on has brought.
    turn: Prompt,
    watch: Watch,
    /// What the agent said last.
    before: String,
    uuid: String,
}

/// What a candidate says.
#[derive(Debug)]
struct Stated {
    words: BTreeSet<String>,
    statement: Statement,
    /// A later one says the contrary.
    is_turned: bool,
}

/// Directories that are remembered; a session seldom leaves its first.
const FOLDERS_MAX: usize = 64;

impl Gatherer {
    /// Takes in the next record.
    pub(super) fn take(&mut self, event: Event, setting: &Setting<'_>) {
        let Event {
            uuid,
            cwd,
            told,
            calls,
        } = event;
        self.records += usize::from(uuid.is_some() || cwd.is_some());
        if let Some(cwd) = cwd.filter(|_| self.folders.len() < FOLDERS_MAX) {
            self.folders.insert(cwd);
        }
        if let Some(uuid) = uuid {
            self.uuid = uuid;
        }
        match told {
            Told::Prompt(prompt) => self.take_prompt(*prompt, setting),
            Told::Agent(text) => self.before = text,
            Told::Nothing => {}
        }
        self.watch.take_calls(calls, setting.is_memory);
    }

    fn take_prompt(&mut self, mut prompt: Prompt, setting: &Setting<'_>) {
        self.end_turn(setting);
        self.prompts += 1;
        let candidates = prompt.candidates.iter_mut();
        for one in candidates.filter(|one| one.is_of_before()) {
            one.before.clone_from(&self.before);
        }
        self.turn = prompt;
    }

    /// Takes what the turn brought, unless the agent has seen to it.
    pub(super) fn end_turn(&mut self, setting: &Setting<'_>) {
        let Prompt {
            mut candidates,
            mut dropped,
            mut heard,
        } = std::mem::take(&mut self.turn);
        if std::mem::take(&mut self.watch.found).any() {
            self.written_turns += 1;
            let quotes = candidates.drain(..).map(|one| Dropped {
                quote: one.quote,
                reason: Reason::Written,
            });
            dropped.extend(quotes);
            heard.clear();
        }
        self.remember(heard);
        for mut candidate in candidates {
            candidate.source.to.clone_from(&self.uuid);
            self.add(candidate, setting.has_team);
        }
        let room = DROPPED_MAX.saturating_sub(self.dropped.len());
        let shown = dropped.into_iter().take(room).map(|one| Dropped {
            quote: without_secrets(&one.quote),
            ..one
        });
        self.dropped.extend(shown);
    }

    /// Remembers what was said, as much as a model is shown; the oldest gives way.
    fn remember(&mut self, heard: Vec<Heard>) {
        self.heard.extend(heard);
        let mut room = HEARD_BYTES_MAX;
        let fits = |one: &&Heard| {
            let left = room.checked_sub(one.text.len());
            room = left.unwrap_or_default();
            left.is_some()
        };
        let kept = self.heard.iter().rev().take_while(fits).count();
        self.heard.drain(..self.heard.len() - kept);
    }

    /// What is said twice is meant, unless the contrary was said between.
    fn add(&mut self, new: Pending, has_team: bool) {
        let words = known::words(&new.quote);
        let statement = LazyCell::new(|| Statement::of(&new.quote));
        match self.said_before(&new, &words, &statement) {
            Some(at) => {
                let other = &mut self.candidates[at];
                other.confidence = (other.confidence.max(new.confidence()) + 0.05).min(0.99);
                // It was kept before only where it was when it was said last.
                other.source = new.source;
            }
            None if self.candidates.len() < CANDIDATES_MAX => {
                let statement = statement.clone();
                self.turn_round(&words, &statement);
                self.told.push(Stated {
                    words,
                    statement,
                    is_turned: false,
                });
                self.candidates.push(new.candidate(has_team));
            }
            None if self.dropped.len() < DROPPED_MAX => self.dropped.push(Dropped {
                quote: new.quote,
                reason: Reason::Surplus,
            }),
            None => {}
        }
    }

    /// Marks what a new statement is the contrary of.
    fn turn_round(&mut self, words: &BTreeSet<String>, statement: &Statement) {
        for told in self.told.iter_mut().filter(|told| !told.is_turned) {
            told.is_turned = told.statement.is_against(statement)
                && told.words.intersection(words).next().is_some()
                && is_contrary(&told.statement, statement);
        }
    }

    /// The candidate that says the same already, and holds.
    fn said_before(
        &self,
        new: &Pending,
        words: &BTreeSet<String>,
        stated: &impl Deref<Target = Statement>,
    ) -> Option<usize> {
        let is_near = |others: &BTreeSet<String>| {
            let most = words.len().max(others.len()).max(1);
            // Sets of different sizes cannot share that much.
            let possible = words.len().min(others.len());
            let is_enough = |shared: usize| shared as f32 / most as f32 >= SAME_SHARE;
            is_enough(possible) && is_enough(words.intersection(others).count())
        };
        let mut told = self.told.iter().zip(&self.candidates);
        // `Always` and `never` are no words that tell something, and say the contrary all the same.
        told.position(|(told, other)| {
            !told.is_turned
                && other.kind == new.kind()
                && is_near(&told.words)
                && says_again(&told.statement, stated)
        })
    }
}

/// Whether the newer says what the older said.
fn says_again(older: &Statement, newer: &Statement) -> bool {
    match stand(older, newer) {
        Versus::Same => true,
        Versus::Open => !older.is_against(newer),
        Versus::Contrary | Versus::Updated(_) | Versus::Another => false,
    }
}

/// A text of several sentences without its secrets.
fn without_secrets(text: &str) -> String {
    let parts = sentences(text);
    let parts: Vec<String> = parts.iter().map(|part| redacted(&part.text)).collect();
    redacted(&joined(parts.iter().map(String::as_str)))
}
