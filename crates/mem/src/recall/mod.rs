//! Recall: from a prompt to the few notes that help with it.
//!
//! # Layout
//! - `documents`, `stamp`, `update`, `index_file`, `kept`: the index of every tier, in step with
//!   the files. `warm` and `background` encode what has changed, with nobody waiting.
//! - `request`, `encoding` and `answer`: a question, and what is chosen for it, with reasons.
//! - `encoder`, `mapped`: the encoder of both, embedded or installed.
//! - `sift`, `session`, `tools`, `drift`, `used`: what speaks against a note beside its rank.
//! - `context_text`: the chosen notes as an agent is given them.
//! - `by_file`, `region`: the notes that cite a file, or a symbol of a part of it. `search`: for a person. `alike`: notes that say the same.
//!
//! Nothing here prints or reads the command line: commands, hooks and services call it.

pub(crate) mod alike;
pub(crate) mod answer;
pub(crate) mod author;
pub(crate) mod background;
pub(crate) mod by_file;
pub(crate) mod chosen;
pub(crate) mod context_text;
pub(crate) mod documents;
mod drift;
pub(crate) mod encoder;
pub(crate) mod encoding;
pub(crate) mod index_file;
pub(crate) mod kept;
mod mapped;
pub(crate) mod reasons;
pub(crate) mod record;
pub(crate) mod region;
pub(crate) mod request;
pub(crate) mod search;
pub(crate) mod session;
pub(crate) mod settings;
mod sift;
mod stamp;
mod tools;
mod update;
pub(crate) mod used;
pub(crate) mod warm;

pub(crate) use sift::read as note_of;
