//! What the commits say of things that are no longer there, and of files that changed: one walk,
//! newest first, for everything at once.

mod branches;
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
