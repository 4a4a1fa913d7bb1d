//! Session notes: what one session is about, kept so that a compaction does not lose the thread.
//!
//! [`notes::SessionNotes`] is the file. [`digest::Digest`] gathers from the transcript what belongs into it,
//! [`update_schedule`] says when it is time, [`notes_merge`] puts it in without touching what others wrote, and
//! [`compact`] prints the notes for a compacted context. [`selection`] finds the session that is meant, [`source`] what
//! was read in its turn, [`transcript_search`] the transcripts that still hold what was removed.

pub mod budget;
pub mod compact;
pub mod digest;
pub(crate) mod fence;
pub mod notes;
pub mod notes_merge;
pub mod place;
pub mod prompt;
pub mod redact;
pub mod render;
pub mod search_index;
pub mod selection;
pub mod source;
pub mod state;
pub mod state_storage;
pub mod transcript_search;
pub mod update;
pub mod update_schedule;
