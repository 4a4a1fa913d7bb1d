//! A transcript, turn by turn: whose turns count, and what was said in them.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::ops::Deref;

use mem_core::MemoryType;
use mem_recall::versus::{Statement, StatementRelation, compare_statements, is_contrary};
use mem_secrets::redacted;

use super::agent_text::AgentPhrases;
use super::candidate::{CANDIDATES_MAX, DROPPED_MAX, Dropped, Reason};
use super::model_proposals::PromptText;
use super::pending_memory::Pending;
use super::prompt::ExtractPrompt;
use super::retraction_phrases::{
    LastSaid, Retraction, RetractionRecord, RetractionTarget, SubjectWords,
};
use super::session_event::{SessionEvent, Utterance};
use super::speech::split_sentences;
use super::{ExtractContext, Extraction, known_instructions};
use crate::wrote::Watch;

/// Of all prompts, so much is remembered for a model.
const HEARD_BYTES_MAX: usize = 48 * 1024;
/// Two sentences whose words are the same, so many of them, say the same.
const SAME_SHARE: f32 = 0.8;

/// What a stretch of a session brought.
#[derive(Debug, Default)]
pub(super) struct Gatherer {
    pub(super) found: Extraction,
    /// What each candidate says.
    told: Vec<CandidateStatement>,
    /// What the turn that goes on has brought, and what it took back.
    turn: ExtractPrompt,
    taking_back: Vec<RetractionRecord>,
    watch: Watch,
    uuid: String,
}

/// What a candidate says.
#[derive(Debug)]
struct CandidateStatement {
    words: BTreeSet<String>,
    statement: Statement,
    /// A later one says the contrary.
    is_turned: bool,
}

/// Directories that are remembered; a session seldom leaves its first.
const FOLDERS_MAX: usize = 64;

impl Gatherer {
    /// Takes in the next record.
    pub(super) fn take_event(&mut self, event: SessionEvent, setting: &ExtractContext<'_>) {
        let SessionEvent {
            uuid,
            cwd,
            told,
            calls,
        } = event;
        self.found.records += usize::from(uuid.is_some() || cwd.is_some());
        if let Some(cwd) = cwd.filter(|_| self.found.folders.len() < FOLDERS_MAX) {
            self.found.folders.insert(cwd);
        }
        if let Some(uuid) = uuid {
            self.uuid = uuid;
        }
        match told {
            Utterance::Prompt(prompt) => self.take_prompt(*prompt),
            Utterance::Agent(asks) => self
                .found
                .last
                .iter_mut()
                .for_each(|last| last.is_asked = asks),
            Utterance::Nothing => {}
        }
        self.watch.take_calls(calls, setting.writes);
    }

    fn take_prompt(&mut self, mut prompt: ExtractPrompt) {
        let unsaid = std::mem::take(&mut prompt.unsaid).into_iter();
        let taking_back: Vec<RetractionRecord> =
            unsaid.filter_map(|one| self.take_back(one)).collect();
        self.end_turn();
        self.taking_back = taking_back;
        self.found.last = Some(LastSaid::from_record(
            &self.uuid,
            &prompt.candidates,
            prompt.goes_on,
        ));
        self.found.prompts += 1;
        self.turn = prompt;
    }

    /// Takes what the turn brought, unless the agent has seen to it.
    pub(super) fn end_turn(&mut self) {
        let ExtractPrompt {
            mut candidates,
            mut dropped,
            mut heard,
            ..
        } = std::mem::take(&mut self.turn);
        let taking_back = std::mem::take(&mut self.taking_back);
        if std::mem::take(&mut self.watch.found).has_written() {
            self.found.written_turns += 1;
            let written = candidates.drain(..);
            dropped.extend(written.map(|one| Dropped::new(one.quote, Reason::Written)));
            heard.clear();
        } else {
            self.found.taken_back.extend(taking_back);
        }
        self.remember_prompts(heard);
        for mut candidate in candidates {
            candidate.source.to.clone_from(&self.uuid);
            self.add_pending(candidate);
        }
        let room = DROPPED_MAX.saturating_sub(self.found.dropped.len());
        let shown = dropped.into_iter().take(room);
        let shown = shown.map(|one| Dropped::new(without_secrets(&one.quote), one.reason));
        self.found.dropped.extend(shown);
    }

    /// Leaves out what was pasted back.
    pub(super) fn drop_pasted(&mut self, phrases: &AgentPhrases) {
        let pasted = self
            .found
            .candidates
            .extract_if(.., |one| phrases.has_part_of(&one.quote));
        let pasted = pasted.map(|one| Dropped::new(one.quote, Reason::Pasted));
        self.found.dropped.extend(pasted);
    }

    /// Takes back what was said in the turn before, or of something; what an earlier run may have kept of that.
    fn take_back(&mut self, unsaid: Retraction) -> Option<RetractionRecord> {
        let (what, is_sure) = match unsaid {
            Retraction::About(about) => {
                self.forget_about(&about);
                (RetractionTarget::About(about), true)
            }
            // What is no order cannot be done, nor be done no more.
            Retraction::LastDoubted if !self.is_ordered() => return None,
            Retraction::Last | Retraction::LastPerhaps | Retraction::LastDoubted => {
                let (is_plain, is_open) = (
                    unsaid == Retraction::Last,
                    unsaid == Retraction::LastDoubted,
                );
                match self.found.last.take() {
                    None => (
                        RetractionTarget::Before {
                            may_answer: !is_plain,
                        },
                        !is_open,
                    ),
                    Some(last) => {
                        let is_sure = !is_open && !last.goes_on && (is_plain || !last.is_asked);
                        (self.take_back_last(last, is_sure)?, is_sure)
                    }
                }
            }
        };
        let record = self.uuid.clone();
        Some(RetractionRecord {
            record,
            what,
            is_sure,
        })
    }

    /// Whether the last that was said is an order, as far as this stretch shows.
    fn is_ordered(&self) -> bool {
        let last = self.turn.candidates.last();
        self.found.last.is_none()
            || last.is_some_and(|one| one.memory_type() == MemoryType::Feedback)
    }

    /// Takes back the last that may be kept of the turn before, or leaves it to a person.
    fn take_back_last(&mut self, last: LastSaid, is_sure: bool) -> Option<RetractionTarget> {
        if !is_sure {
            self.turn.candidates.last_mut()?.mark_doubtful();
        } else if let Some(one) = self.turn.candidates.pop() {
            self.turn.dropped.push(taken_back(one.quote));
        }
        Some(RetractionTarget::Quote {
            record: last.record,
            quote: last.quote?,
        })
    }

    /// Takes back what was said of something.
    fn forget_about(&mut self, about: &SubjectWords) {
        let turn = &mut self.turn;
        let gone = turn
            .candidates
            .extract_if(.., |one| about.is_of(&one.quote));
        turn.dropped.extend(gone.map(|one| taken_back(one.quote)));
        for at in (0..self.found.candidates.len()).rev() {
            if about.is_of(&self.found.candidates[at].quote) {
                self.told.remove(at);
                let one = self.found.candidates.remove(at);
                turn.dropped.push(taken_back(one.quote));
            }
        }
    }

    /// Remembers what was said, as much as a model is shown; the oldest gives way.
    fn remember_prompts(&mut self, heard: Vec<PromptText>) {
        self.found.heard.extend(heard);
        let mut room = HEARD_BYTES_MAX;
        let fits = |one: &&PromptText| {
            let left = room.checked_sub(one.text.len());
            room = left.unwrap_or_default();
            left.is_some()
        };
        let kept = self.found.heard.iter().rev().take_while(fits).count();
        self.found.heard.drain(..self.found.heard.len() - kept);
    }

    /// What is said twice is meant, unless the contrary was said between.
    fn add_pending(&mut self, new: Pending) {
        let words = known_instructions::word_stems(&new.quote);
        let statement = LazyCell::new(|| Statement::from_text(&new.quote));
        match self.said_before(&new, &words, &statement) {
            Some(at) => {
                let other = &mut self.found.candidates[at];
                other.confidence = (other.confidence.max(new.confidence()) + 0.05).min(0.99);
                // It was kept before only where it was when it was said last.
                other.source = new.source;
            }
            None if self.found.candidates.len() < CANDIDATES_MAX => {
                let statement = statement.clone();
                self.turn_round(&words, &statement);
                self.told.push(CandidateStatement {
                    words,
                    statement,
                    is_turned: false,
                });
                self.found.candidates.push(new.into_candidate());
            }
            None if self.found.dropped.len() < DROPPED_MAX => {
                let surplus = Dropped::new(new.quote, Reason::Surplus);
                self.found.dropped.push(surplus);
            }
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
        let mut told = self.told.iter().zip(&self.found.candidates);
        // `Always` and `never` are no words that tell something, and say the contrary all the same.
        told.position(|(told, other)| {
            !told.is_turned
                && other.kind == new.memory_type()
                && is_near(&told.words)
                && says_again(&told.statement, stated)
        })
    }
}

/// Whether the newer says what the older said.
fn says_again(older: &Statement, newer: &Statement) -> bool {
    match compare_statements(older, newer) {
        StatementRelation::Same => true,
        StatementRelation::Open => !older.is_against(newer),
        StatementRelation::Contrary
        | StatementRelation::Updated(_)
        | StatementRelation::Another => false,
    }
}

fn taken_back(quote: String) -> Dropped {
    Dropped::new(quote, Reason::TakenBack)
}

/// A text of several sentences without its secrets.
fn without_secrets(text: &str) -> String {
    let parts = split_sentences(text);
    let parts: Vec<String> = parts.iter().map(|part| redacted(&part.text)).collect();
    redacted(&parts.join(" "))
}
