//! Finding memories: from a prompt, a query or a file to the few memories of a directory that help with it.
//! `mem-recall` ranks documents and knows no files; here its index is kept in step with the files of a memory directory.
//!
//! # Layout
//! - `documents`, `stamp`, `update`, `index_file`, `kept`: the index of every tier, in step with
//!   the files. `warm` encodes what has changed, with nobody waiting.
//! - `request`, `encoding` and `answer`: a question, and what is chosen for it, with reasons.
//! - `encoder`, `mapped`: the encoder of both, embedded or installed.
//! - `sift`, `session`, `tools`, `drift`, `used`: what speaks against a note beside its rank.
//! - `context_text`: the chosen notes as an agent is given them.
//! - `by_file`, `region`: the notes that cite a file, or a symbol of a part of it. `search`: for a person. `alike`, `near_duplicates`: notes that say the same.
//! - `recall`: a question of a project, answered through its daemon where one runs. `remote_recall`: question and answer
//!   over its socket; `reply`: an answer on its way there. `index_refresh`: the process that a recall leaves behind.
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

pub mod alike;
pub mod answer;
pub mod author;
pub mod by_file;
pub mod chosen;
pub mod context_text;
pub mod documents;
mod drift;
pub mod encoder;
pub mod encoding;
pub mod index_file;
pub mod index_refresh;
pub mod kept;
mod mapped;
pub mod near_duplicates;
pub mod reasons;
pub mod recall;
pub mod record;
pub mod region;
pub mod remote_recall;
pub mod reply;
pub mod request;
pub mod search;
pub mod session;
pub mod settings;
mod sift;
mod stamp;
mod tools;
mod update;
pub mod used;
pub mod verdicts;
pub mod warm;

pub use sift::read_note;
