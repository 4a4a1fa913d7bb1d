//! Distilling: what was logged, noted and put aside becomes memories, and what holds no longer goes.
//!
//! [`plan_distillation()`] reads everything it is given and says what it would do; nothing is touched.
//! [`check_plan()`] is what any plan has to stand, whoever made it. [`apply_plan()`] makes it happen in one change of
//! a store, each file only as it was read.
//!
//! # Layout
//! - `bullet`: what was written down, and on which day.
//! - `words`, `sentence`, `sentence_relation`: the words of a sentence, and how it stands to an older one.
//! - `bullet_type`, `one_off_task`, `layout`: what stays in the log, and the type of what does not.
//!   `topic_page`: the file that comes of it.
//! - `statement_index`, `cleanup`, `bullet_merge`, `plan_items`, `file_changes`: memories taken apart, cleaned up,
//!   changed bullet by bullet, and put together.
//! - `model`: the same with the word of a model on each bullet.

mod apply;
mod bullet;
mod bullet_merge;
mod bullet_type;
mod check;
mod cleanup;
mod file_changes;
mod layout;
mod model;
mod one_off_task;
mod plan;
mod plan_items;
mod sentence;
mod sentence_relation;
mod statement_index;
mod topic_page;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jiff::civil::Date;
use mem_core::MemoryType;
use mem_core::compact_sort::CompactSort as _;
use mem_core::memory::Note;

pub use apply::apply_plan;
pub use bullet::{Bullet, Bullets, Source, of_log, of_session};
pub use check::{DreamError, check_plan};
pub use model::{BULLETS_MAX, build_question, parse_choices};
pub use plan::{
    DistillPlan, FiledQuote, Pinned, Quote, SkippedBullet, SupersededReason, SupersededStatement,
};

/// A directory that is smaller than this may be touched in so many places all the same.
pub const TOUCHED_MIN: usize = 10;

/// Everything that a plan rests on. Every memory in it was read whole.
pub struct DistillInput<'g> {
    /// The memories of the tier.
    pub notes: &'g [Note],
    /// What was written down and not distilled yet, in any order.
    pub bullets: &'g [Bullet],
    /// Lines of the instructions that every session is given anyway.
    pub instructions: &'g [String],
    /// Memories whose code is gone, by file, and what is gone.
    pub broken: &'g BTreeMap<String, String>,
    /// Whether the code says by itself what a text says.
    pub code: &'g dyn Fn(&str) -> bool,
    /// The memories that the index pins, by file.
    pub pinned: &'g BTreeSet<String>,
    /// What a model said of bullets, by their marks.
    pub choices: &'g BTreeMap<String, Choice>,
    /// The share of the memories that may be touched, 0 to 1.
    pub max_share: f64,
    /// The day.
    pub today: Date,
    /// The present.
    pub now: Timestamp,
}

/// What a model said of a bullet. It can name what is new and leave out what is not worth keeping; what is
/// known, newer or contrary is for the rules to tell, because that takes something away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// It is worth a memory by this name.
    Name {
        /// The title.
        title: String,
        /// The type.
        kind: MemoryType,
    },
    /// It is not worth one.
    Leave,
}

/// A folder whose memories stay: hosts keep what is pinned in one of this name.
const PINNED_FOLDER: &str = "pinned/";

impl DistillInput<'_> {
    /// Whether a memory stays as it is, whatever is said otherwise.
    pub(crate) fn is_pinned(&self, note: &Note) -> bool {
        let is_in_folder = note.file.to_ascii_lowercase().starts_with(PINNED_FOLDER);
        note.topic.pinned || is_in_folder || self.pinned.contains(&note.file)
    }

    /// So many memories that are there may be touched.
    pub fn touchable_count(&self) -> usize {
        if self.max_share <= 0.0 {
            return 0;
        }
        let share = (self.notes.len() as f64 * self.max_share.clamp(0.0, 1.0)).floor();
        (share as usize).max(TOUCHED_MIN)
    }
}

/// Says what is to be done.
pub fn plan_distillation(given: &DistillInput<'_>) -> DistillPlan {
    let mut merger = bullet_merge::BulletMerger::from_input(given);
    merger.clean_up_memories();
    let mut bullets: Vec<&Bullet> = given.bullets.iter().collect();
    bullets.compact_sort_by(|a, b| (a.date, &a.source).cmp(&(b.date, &b.source)));
    for bullet in bullets {
        merger.take_bullet(bullet);
    }
    file_changes::plan_from_merger(merger)
}
