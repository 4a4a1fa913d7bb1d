//! What is mended before any bullet is taken in: what stands in two memories, and what the code has left
//! behind.

use super::bullet::Source;
use super::desk::TopicState;
use super::fold::Fold;
use super::plan::{Quote, SupersededReason, SupersededStatement};
use super::relate::Relation;
use mem_core::compact_sort::CompactSort as _;

impl Fold<'_> {
    /// Brings together what stands in two memories, and retires what the code has left behind.
    pub(super) fn tidy_memories(&mut self) {
        self.retire_broken();
        let mut ours: Vec<usize> = (0..self.desk.slots.len())
            .filter(|&slot| self.desk.topics[self.desk.slots[slot].topic].page.is_some())
            .collect();
        ours.compact_sort_by_key(|&slot| self.desk.slots[slot].said.date);
        for slot in ours {
            self.join_duplicate(slot);
        }
    }

    /// Takes a statement away that another memory makes superfluous.
    fn join_duplicate(&mut self, slot: usize) {
        let (topic, said) = (
            self.desk.slots[slot].topic,
            self.desk.slots[slot].said.clone(),
        );
        let related = self.desk.related_statements(&said);
        let newer = related.into_iter().find(|(other, relation)| {
            let one = &self.desk.slots[*other];
            let is_other = one.topic != topic && self.desk.topics[one.topic].page.is_some();
            let is_later = (one.said.date, *other) > (said.date, slot);
            let is_fuller = said.is_within(&one.said);
            is_other && is_later && *relation == Relation::Same && is_fuller
        });
        let Some((other, _)) = newer else { return };
        let is_free = !self.desk.slots[slot].is_gone && !self.desk.topics[topic].is_pinned;
        if !is_free || !self.may_touch(topic) {
            return;
        }
        let retired = SupersededStatement {
            file: self.topic_file(topic),
            why: SupersededReason::Duplicate,
            old: self.statement_quote(slot),
            new: Some(self.statement_quote(other)),
            archived: None,
            is_description: false,
        };
        self.listed.list_retired(topic, retired);
        self.take_away(slot);
    }

    fn retire_broken(&mut self) {
        for topic in 0..self.desk.topics.len() {
            let one = &self.desk.topics[topic];
            let Some(why) = self.given.broken.get(&one.file) else {
                continue;
            };
            let (Some(page), false) = (&one.page, one.is_pinned) else {
                let text = format!("`{}` speaks of code that is gone: {why}", one.file);
                self.plan.warnings.push(text);
                continue;
            };
            let (file, old) = (one.file.clone(), page.summary_line());
            let date = page.statements.iter().map(|one| one.date).max();
            if !self.may_touch(topic) {
                continue;
            }
            let retired = SupersededStatement {
                why: SupersededReason::Broken,
                old: Quote {
                    text: old,
                    date: date.map_or_else(String::new, |date| date.to_string()),
                    sources: vec![Source {
                        file: file.clone(),
                        line: 1,
                        date: String::new(),
                    }],
                },
                new: None,
                archived: None,
                is_description: false,
                file,
            };
            self.listed.list_retired(topic, retired);
            self.desk.topics[topic].fate = TopicState::Archived;
        }
    }
}
