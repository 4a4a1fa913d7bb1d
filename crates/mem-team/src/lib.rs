//! Sharing a tier of a memory, with a team or between one's own machines: the protocol of `mem-sync`, given the files
//! of a store, the settings of a place and a remote. `mem team` and `mem sync` are its commands; a daemon calls the
//! same.
//!
//! # Layout
//! - [`settings`], [`address`], [`setup`], [`suggestion`], [`sharing_consent`]: where a tier is shared, and what a
//!   person agreed to.
//! - [`files`]: a store's tier as the protocol's files. [`write_gates`]: what every write to a project's memory passes,
//!   shared or not.
//! - [`outbound_scan`], [`unreviewed`], [`pending_review`]: what may leave, and what a person looks at first.
//!   [`index_lines`], [`sent_indexes`]: the same of the lines of an index. [`review`], [`acceptance`]: the same of what
//!   comes in.
//! - [`remote`], [`tokens`], [`token_check`], [`identity`]: the other end. [`remote_memories`]: what a suggested one
//!   has, before anybody agreed.
//! - [`stores_server`]: which server of memory stores is asked, with which key.
//! - [`sync_run`]: a run, from the lock to what is remembered of it. [`deletion`]: what it is to delete for everybody;
//!   [`shared`]: what is not deleted here alone.
//! - [`log`], [`difference`]: who changed what, and how both ends differ. [`named_key`]: keys as a person names them.
//! - [`redact`]: taking out of a remote what it held.
//! - [`conflicts`], [`share_status`], [`findings`]: conflicts, what waits, and what a check says of both.
//! - [`personal_sync`], [`finding_answers`]: personal tiers between the machines of one person (`mem sync`).
//! - [`masking`]: settings and quotations as they are shown, without secrets and credentials.
//! - [`place`], [`outcome`], [`erase`]: what is kept between two runs, and what a redaction takes out of it.
//!   [`remote_copies`]: what remotes were last seen to have, told before it is erased.
//!
//! Nothing here prints, reads the environment or the clock: callers hand in a [`mem_core::RunContext`]. Where a person
//! has to be asked in the middle of it, they hand in a
//! function that asks.

#![cfg_attr(
    test,
    expect(
        clippy::disallowed_methods,
        reason = "tests put plain files into place and read them"
    )
)]

pub mod acceptance;
pub mod address;
pub mod conflicts;
pub mod deletion;
pub mod difference;
pub mod erase;
pub mod error;
pub mod files;
pub mod finding_answers;
pub mod findings;
pub mod identity;
pub mod index_lines;
mod keyring;
pub mod log;
pub mod masking;
pub mod named_key;
pub mod outbound_scan;
pub mod outcome;
pub mod pending_review;
pub mod personal_sync;
pub mod place;
mod recorded_address;
pub mod redact;
mod refusals;
pub mod remote;
pub mod remote_copies;
pub mod remote_memories;
pub mod review;
pub mod sent_indexes;
pub mod settings;
pub mod setup;
pub mod share_status;
pub mod shared;
pub mod sharing_consent;
pub mod stores_server;
pub mod suggestion;
pub mod sync_run;
pub mod token_check;
pub mod tokens;
pub mod unreviewed;
pub mod write_gates;
