//! What the commits say of things that are no longer there, and of files that changed: one walk,
//! newest first, for everything at once.
//!
//! A walk for each citation would be simpler; a walk costs a comparison of trees per commit, and notes cite hundreds of
//! things. So all questions are gathered first (`history_questions`), and the walk ends once each has its answer or a
//! limit is reached. A limit makes the outcome partial, and what is not found is then unknown and not gone. **Cost:**
//! folders that differ between a commit and its parents, for at most `WALK_COMMITS_MAX` commits; contents only while
//! identifiers are looked for. Tests: `verdicts::a_moved_file_says_where_it_went_and_a_renamed_function_its_new_name`,
//! `places::shallow_clones_and_no_repository_know_little`, `places::a_merge_that_moves_a_file_is_a_move`,
//! `evaluation::gone_and_moved_are_told_precisely`.

mod branches;
mod declaration;
mod deltas;
mod folder;
mod history_questions;
mod merge_deletion;
mod path_change;
mod rewritten_commit;
mod similar;
mod symbol_rename;
mod symbols;
mod walk;

pub(crate) use history_questions::HistoryQuestions;
pub(crate) use merge_deletion::lost_in_merge;
pub(crate) use path_change::{PathChange, find_path_change, most_similar};
pub(crate) use rewritten_commit::RewrittenCommit;
pub(crate) use similar::similarity_percent;
pub(crate) use symbol_rename::new_name;
pub(crate) use walk::{FileCommit, LostSymbol, PathTrace, WalkOutcome, walk_history};
