//! The memories as they are taken apart and changed while a plan is made: statements that can be looked
//! up by the words that they share with another.

use std::collections::HashMap;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use mem_core::MemoryType;
use mem_core::compact_sort::CompactSort as _;
use mem_core::memory::Note;
use mem_recall::text::Stems;

use super::DistillInput;
use super::bullet::one_line;
use super::sentence::Sentence;
use super::sentence_relation::{Relation, relate_sentences};
use super::topic_page::{self, Page, Statement};

/// So many lines of a memory that somebody wrote are looked at.
const LINES_MAX: usize = 40;
/// A longer line is no single statement.
const LINE_CHARS_MAX: usize = 400;
/// So many statements that share most words are compared in full.
const COMPARED_MAX: usize = 48;
/// A stem that stands in more statements than this finds none.
const POSTINGS_MAX: usize = 4_000;

/// What a memory becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TopicState {
    Kept,
    Changed,
    Archived,
}

/// A memory in the statement index.
#[derive(Debug)]
pub(super) struct Topic<'n> {
    /// The file that it was read from.
    pub(super) note: Option<&'n Note>,
    /// The file within the tier; made of the title, for a new one.
    pub(super) file: String,
    /// What it says, where a distillation wrote it.
    pub(super) page: Option<Page>,
    pub(super) is_pinned: bool,
    pub(super) state: TopicState,
    /// What comes on top of one that somebody wrote: what holds now, and what it said.
    pub(super) amended: Vec<Amendment>,
}

/// A newer statement for a memory that somebody wrote.
#[derive(Clone, Debug)]
pub(super) struct Amendment {
    pub(super) text: String,
    pub(super) date: Date,
    pub(super) old: String,
    pub(super) old_date: Date,
    /// Whether the description says what is old.
    pub(super) is_description: bool,
}

/// Where a statement stands.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) topic: usize,
    pub(super) said: Sentence,
    /// Whether it is the description of a memory that somebody wrote.
    pub(super) is_description: bool,
    pub(super) is_gone: bool,
}

/// The statements of all memories, while a plan is made.
#[derive(Debug, Default)]
pub(super) struct StatementIndex<'n> {
    pub(super) topics: Vec<Topic<'n>>,
    pub(super) slots: Vec<Slot>,
    postings: HashMap<String, Vec<u32>>,
    weights: Vec<f32>,
    pub(super) stems: Stems,
}

impl<'n> StatementIndex<'n> {
    /// Lays the memories of the tier out.
    pub(super) fn from_input(given: &DistillInput<'n>) -> Self {
        let mut index = Self::default();
        for note in given.notes {
            index.add_note(note, given.is_pinned(note));
        }
        index
    }

    fn add_note(&mut self, note: &'n Note, is_pinned: bool) {
        let topic = self.topics.len();
        let date = TimeZone::UTC.to_datetime(note.modified).date();
        let body = note.topic.text(&note.bytes);
        let is_tagged = note.topic.tags.iter().any(|tag| tag == topic_page::TAG);
        let statements = topic_page::read(&body).filter(|_| is_tagged);
        let description = note.topic.description.as_deref();
        match &statements {
            Some(statements) => {
                for one in statements {
                    self.add_slot(topic, &one.text, one.date, false);
                }
            }
            None => {
                if let Some(text) = description {
                    self.add_slot(topic, text, date, true);
                }
                for line in split_statements(&body) {
                    self.add_slot(topic, &line, date, false);
                }
            }
        }
        self.topics.push(Topic {
            note: Some(note),
            file: note.file.clone(),
            page: statements.map(|statements| Page {
                title: note.title().to_owned(),
                kind: note.topic.kind.unwrap_or(MemoryType::Project),
                statements,
            }),
            is_pinned,
            state: TopicState::Kept,
            amended: Vec::new(),
        });
    }

    fn add_slot(&mut self, topic: usize, text: &str, date: Date, is_description: bool) {
        let said = Sentence::read(text, date, &mut self.stems);
        self.put_slot(topic, said, is_description);
    }

    /// Adds a statement to what can be found.
    pub(super) fn put_slot(&mut self, topic: usize, said: Sentence, is_description: bool) {
        let number = self.slots.len();
        self.index(number, &said);
        self.slots.push(Slot {
            topic,
            said,
            is_description,
            is_gone: false,
        });
        self.weights.push(0.0);
    }

    /// Puts another statement in the place of one.
    pub(super) fn replace_slot(&mut self, number: usize, said: Sentence) {
        self.index(number, &said);
        self.slots[number].said = said;
    }

    /// The memory of a statement.
    pub(super) fn topic_of(&self, number: usize) -> &Topic<'n> {
        &self.topics[self.slots[number].topic]
    }

    fn index(&mut self, number: usize, said: &Sentence) {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        for stem in &said.stems {
            let posting = self.postings.entry(stem.clone()).or_default();
            if posting.last() != Some(&number) {
                posting.push(number);
            }
        }
    }

    /// The statements that a sentence has to do with: the one that counts most first.
    pub(super) fn related_statements(&mut self, said: &Sentence) -> Vec<(usize, Relation)> {
        let mut touched: Vec<u32> = Vec::new();
        for stem in said.stems.union(&said.gone) {
            let posting = self.postings.get(stem).map_or(&[][..], Vec::as_slice);
            if posting.len() > POSTINGS_MAX {
                continue;
            }
            // A word that many statements have says little: those of one owner must not crowd out the one
            // that speaks of the same service.
            let weight = (1.0 + self.slots.len() as f32 / posting.len().max(1) as f32).ln();
            for number in posting {
                let weights = &mut self.weights[*number as usize];
                if *weights == 0.0 {
                    touched.push(*number);
                }
                *weights += weight;
            }
        }
        let size = |number: u32| self.slots[number as usize].said.stems.len();
        let mut ranked: Vec<(f32, u32)> = touched
            .iter()
            .map(|&number| {
                let weight = self.weights[number as usize];
                (weight / (size(number) + said.stems.len()) as f32, number)
            })
            .collect();
        for number in touched {
            self.weights[number as usize] = 0.0;
        }
        let order = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        if ranked.len() > COMPARED_MAX {
            ranked.select_nth_unstable_by(COMPARED_MAX, order);
            ranked.truncate(COMPARED_MAX);
        }
        let mut found: Vec<(usize, Relation, f32)> = ranked
            .into_iter()
            .filter_map(|(_, number)| self.relation_to_slot(number as usize, said))
            .collect();
        found.compact_sort_by(|a, b| b.1.cmp(&a.1).then(b.2.total_cmp(&a.2)).then(a.0.cmp(&b.0)));
        found
            .into_iter()
            .map(|(number, relation, _)| (number, relation))
            .collect()
    }

    fn relation_to_slot(&self, number: usize, said: &Sentence) -> Option<(usize, Relation, f32)> {
        let slot = &self.slots[number];
        if slot.is_gone || self.topics[slot.topic].state == TopicState::Archived {
            return None;
        }
        let (relation, share) = match slot.said.date <= said.date {
            true => relate_sentences(&slot.said, said)?,
            false => relate_sentences(said, &slot.said)?,
        };
        Some((number, relation, share))
    }

    /// A memory that is not there yet.
    pub(super) fn add_topic(
        &mut self,
        title: String,
        kind: MemoryType,
        statement: Statement,
    ) -> usize {
        self.topics.push(Topic {
            note: None,
            file: String::new(),
            page: Some(Page {
                title,
                kind,
                statements: vec![statement],
            }),
            is_pinned: false,
            state: TopicState::Changed,
            amended: Vec::new(),
        });
        self.topics.len() - 1
    }
}

/// The lines of a text that say one thing each.
fn split_statements(body: &str) -> Vec<String> {
    let plain = body.lines().map(|line| {
        let line = line.trim().trim_start_matches(['-', '*', '+', '>', '#']);
        one_line(&line.replace("**", ""))
    });
    let short = |line: &String| !line.is_empty() && line.chars().count() <= LINE_CHARS_MAX;
    plain.filter(short).take(LINES_MAX).collect()
}
