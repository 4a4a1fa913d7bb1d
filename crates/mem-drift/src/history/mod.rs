//! What the commits say of things that are no longer there, and of files that changed: one walk,
//! newest first, for everything at once.
//!
//! A walk for each citation would be simpler; a walk costs a comparison of trees per commit, and notes cite hundreds of
//! things. So all questions are gathered first (`wanted`), and the walk ends once each has its answer or a limit is
//! reached. A limit makes the outcome partial, and what is not found is then unknown and not gone.
//! **Cost:** folders that differ between a commit and its parents, for at most `WALK_COMMITS_MAX` commits; contents only
//! while identifiers are looked for.
//! Tests: `verdicts::a_moved_file_says_where_it_went_and_a_renamed_function_its_new_name`,
//! `places::shallow_clones_and_no_repository_know_little`, `places::a_merge_that_moves_a_file_is_a_move`,
//! `evaluation::gone_and_moved_are_told_precisely`.

mod branches;
mod declared;
mod deltas;
mod fate;
mod folder;
mod merged;
mod renamed;
mod similar;
mod symbols;
mod touches;
mod twins;
mod walk;
mod wanted;

pub(crate) use fate::{PathChange, find_fate, most_similar};
pub(crate) use merged::lost_in_merge;
pub(crate) use renamed::new_name;
pub(crate) use similar::similarity_percent;
pub(crate) use touches::Touch;
pub(crate) use twins::RewrittenCommit;
pub(crate) use walk::{LostSymbol, PathTrace, WalkOutcome, walk_history};
pub(crate) use wanted::HistoryQuestions;
