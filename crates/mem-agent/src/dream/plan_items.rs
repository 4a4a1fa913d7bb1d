//! What a plan lists, while it is made: by where it stands in the statement index, because words and titles may still
//! change before the last bullet is taken in.

use std::collections::BTreeMap;

use super::plan::{Added, DistillPlan, Merged, Quote, SupersededStatement};

/// The lists of a plan in the making.
#[derive(Debug, Default)]
pub(super) struct PlanItems {
    /// What is new, by its place in the statement index, with its memory there.
    added: BTreeMap<usize, (usize, Quote)>,
    merged: Vec<(usize, Quote)>,
    retired: Vec<(usize, SupersededStatement)>,
}

impl PlanItems {
    /// Something new.
    pub(super) fn list_added(&mut self, slot: usize, topic: usize, quote: Quote) {
        self.added.insert(slot, (topic, quote));
    }

    /// What is new says something else by now: nobody will read the words that it had.
    pub(super) fn reword_added(&mut self, slot: usize, quote: Quote) {
        if let Some((_, old)) = self.added.get_mut(&slot) {
            *old = quote;
        }
    }

    /// What was new goes again.
    pub(super) fn take_away(&mut self, slot: usize) {
        self.added.remove(&slot);
    }

    /// Something that is there already.
    pub(super) fn list_merged(&mut self, topic: usize, quote: Quote) {
        self.merged.push((topic, quote));
    }

    /// Something that holds no longer.
    pub(super) fn list_retired(&mut self, topic: usize, retired: SupersededStatement) {
        self.retired.push((topic, retired));
    }

    /// Puts all of it into a plan, each with the name that its memory has in the end.
    pub(super) fn write_to_plan(self, plan: &mut DistillPlan, file: impl Fn(usize) -> String) {
        let added = self.added.into_values().map(|(topic, quote)| Added {
            file: file(topic),
            quote,
        });
        plan.added.extend(added);
        let merged = self.merged.into_iter().map(|(topic, quote)| Merged {
            file: file(topic),
            quote,
        });
        plan.merged.extend(merged);
        let retired = self
            .retired
            .into_iter()
            .map(|(topic, retired)| SupersededStatement {
                file: file(topic),
                ..retired
            });
        plan.retired.extend(retired);
    }
}
