//! What a plan lists, while it is made: by where it stands in the statement index, because words and titles may still
//! change before the last bullet is taken in.

use std::collections::BTreeMap;

use super::plan::{DistillPlan, FiledQuote, Quote, SupersededStatement};

/// The lists of a plan in the making.
#[derive(Debug, Default)]
pub(super) struct PlanItems {
    /// What is new, by its place in the statement index, with its memory there.
    pub(super) added: BTreeMap<usize, (usize, Quote)>,
    /// What is there already.
    pub(super) merged: Vec<(usize, Quote)>,
    /// What holds no longer.
    pub(super) retired: Vec<(usize, SupersededStatement)>,
}

impl PlanItems {
    /// What is new says something else by now: nobody will read the words that it had.
    pub(super) fn reword_added(&mut self, slot: usize, quote: Quote) {
        if let Some((_, old)) = self.added.get_mut(&slot) {
            *old = quote;
        }
    }

    /// Puts all of it into a plan, each with the name that its memory has in the end.
    pub(super) fn write_to_plan(self, plan: &mut DistillPlan, file: impl Fn(usize) -> String) {
        let filed = |(topic, quote)| FiledQuote {
            file: file(topic),
            quote,
        };
        plan.added.extend(self.added.into_values().map(filed));
        plan.merged.extend(self.merged.into_iter().map(filed));
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
