//! The cleanup before any bullet is merged: statements that are in two memories, and those that the code has
//! left behind.

use super::bullet::Source;
use super::bullet_merge::BulletMerger;
use super::plan::{Quote, SupersededReason, SupersededStatement};
use super::sentence_relation::Relation;
use super::statement_index::TopicState;
use mem_core::compact_sort::CompactSort as _;

impl BulletMerger<'_> {
    /// Brings together what stands in two memories, and retires what the code has left behind.
    pub(super) fn clean_up_memories(&mut self) {
        self.retire_broken();
        let is_ours = |slot: &usize| self.index.topic_of(*slot).page.is_some();
        let mut ours: Vec<usize> = (0..self.index.slots.len()).filter(is_ours).collect();
        ours.compact_sort_by_key(|&slot| self.index.slots[slot].said.date);
        for slot in ours {
            self.join_duplicate(slot);
        }
    }

    /// Takes a statement away that another memory makes superfluous.
    fn join_duplicate(&mut self, slot: usize) {
        let at = &self.index.slots[slot];
        let (topic, said) = (at.topic, at.said.clone());
        let related = self.index.related_statements(&said);
        let newer = related.into_iter().find(|(other, relation)| {
            let one = &self.index.slots[*other];
            let is_other = one.topic != topic && self.index.topics[one.topic].page.is_some();
            let is_later = (one.said.date, *other) > (said.date, slot);
            let is_fuller = said.is_within(&one.said);
            is_other && is_later && *relation == Relation::Same && is_fuller
        });
        let Some((other, _)) = newer else { return };
        let is_free = !self.index.slots[slot].is_gone && !self.index.topics[topic].is_pinned;
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
        self.listed.retired.push((topic, retired));
        self.take_away(slot);
    }

    fn retire_broken(&mut self) {
        for topic in 0..self.index.topics.len() {
            let one = &self.index.topics[topic];
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
            self.listed.retired.push((topic, retired));
            self.index.topics[topic].state = TopicState::Archived;
        }
    }
}
