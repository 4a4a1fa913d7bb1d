//! Words in pairs of which one says the contrary of the other: `on`, `off`; `before`, `after`.

use crate::lexicon::{GroupSide, WordGroups};

/// The pairs; the name of each begins with how its words stand to each other.
static AXES: WordGroups = WordGroups::of("axes");
const BESIDE: &str = "beside.";
const WAY: &str = "way.";

/// A word of a pair.
pub(super) type Mark = GroupSide;

/// What a word is of a pair.
pub(super) fn word_mark(word: &str) -> Option<Mark> {
    AXES.sides_of(word).first().copied()
}

/// Whether not the same is said of when and how much.
pub(super) fn differ_beside(older: &[Mark], newer: &[Mark]) -> bool {
    let beside = |marks: &[Mark]| -> Vec<Mark> {
        let marks = marks.iter();
        let of = marks.filter(|mark| mark.group.starts_with(BESIDE));
        of.copied().collect()
    };
    beside(older) != beside(newer)
}

/// How many pairs have one word here and the other there, and how many of them say of something how it is.
pub(super) fn count_opposed_pairs(older: &[Mark], newer: &[Mark]) -> (usize, usize) {
    let of = |marks: &[Mark], axis: &str| -> Vec<bool> {
        let marks = marks.iter().filter(|mark| mark.group == axis);
        marks.map(|mark| mark.is_first).collect()
    };
    let mut axes: Vec<&str> = older.iter().map(|mark| mark.group).collect();
    axes.sort_unstable();
    axes.dedup();
    axes.retain(|axis| {
        let (one, other) = (of(older, axis), of(newer, axis));
        one.len() == other.len() && one != other
    });
    let is_state = |axis: &&&str| !axis.starts_with(BESIDE) && !axis.starts_with(WAY);
    (axes.len(), axes.iter().filter(is_state).count())
}
