//! Recall: from a prompt to the few notes that help with it.
//!
//! # Layout
//! - `documents`, `stamp`, `update`, `index_file`, `kept`: the index of every tier, in step with
//!   the files. `warm` and `background` encode what has changed, with nobody waiting.
//! - `request` and `answer`: a question, and what is chosen for it, with reasons.
//! - `context_text`: the chosen notes as an agent is given them.
//!
//! Nothing here prints or reads the command line: commands, hooks and services call it.

pub(crate) mod answer;
pub(crate) mod background;
pub(crate) mod chosen;
pub(crate) mod context_text;
mod documents;
mod drift;
mod index_file;
pub(crate) mod kept;
pub(crate) mod reasons;
pub(crate) mod request;
pub(crate) mod settings;
mod stamp;
mod update;
pub(crate) mod warm;
