//! Finding memories: from a prompt, a query or a file to the few memories of a directory that help with it.
//! `mem-recall` ranks documents and knows no files; here its index is kept in step with the files of a memory
//! directory.
//!
//! # Layout
//! - `documents`, `stamp`, `update`, `index_file`, `current_index`: the index of every tier, in step with
//!   the files. `index_refresh` encodes what has changed, with nobody waiting.
//! - `request`, `encoding` and `answer`: a question, and what is chosen for it, with reasons.
//! - `encoder`, `mapped_model`: the encoder of both, embedded or installed.
//! - `candidates`, `session`, `tools`, `drift`, `use_counts`: what speaks against a note beside its rank.
//! - `context_text`: the chosen notes as an agent is given them.
//! - `by_file`, `region`: the notes that cite a file, or a symbol of a part of it. `search`: for a person.
//! - `similar`, `near_duplicates`: notes that say the same.
//! - `recall`: a question of a project, answered through its daemon where one runs. `remote_recall`: question and
//!   answer over its socket; `reply`: an answer on its way there. `refresh_process`: the process that a recall leaves
//!   behind.
//! - `verdicts`: whether notes still say what the code says.
//!
//! Nothing here prints, reads the environment or looks at the clock: callers hand in memories, directories and the
//! present.

#![cfg_attr(
    test,
    expect(
        clippy::disallowed_methods,
        reason = "tests put plain files into place and read them"
    )
)]

pub mod answer;
pub mod author;
pub mod by_file;
mod candidates;
pub mod context_text;
pub mod current_index;
pub mod documents;
mod drift;
pub mod encoder;
pub mod encoding;
pub mod index_file;
pub mod index_refresh;
mod mapped_model;
pub mod near_duplicates;
pub mod reasons;
pub mod recall;
pub mod recall_answer;
pub mod record;
pub mod refresh_process;
pub mod region;
pub mod remote_recall;
pub mod reply;
pub mod request;
pub mod search;
pub mod session;
pub mod settings;
pub mod similar;
mod stamp;
mod tools;
mod update;
pub mod use_counts;
pub mod verdicts;

pub use candidates::read_note;
