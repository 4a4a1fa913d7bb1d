//! Sharing a tier: the protocol of `mem-sync`, given the files of a store, the settings of a place and a
//! remote. `mem team` is its commands; a daemon calls the same.
//!
//! # Layout
//! - `settings`, `address`, `reached`, `setup`, `sending`: where a tier is shared, and what a person agreed to.
//! - `files`: a store's tier as the protocol's files.
//! - `screen`, `unseen`, `waiting`: what may leave, and what a person looks at first. `index_lines`, `sent_indexes`:
//!   the same of the lines of an index. `review`, `accepted`: the same of what comes in.
//! - `remote`, `tokens`, `token_check`: the other end. `glance`: what a suggested one has, before anybody
//!   agreed.
//! - `rounds`: a run, from the lock to what is remembered of it. `deleting`: what it is to delete for everybody;
//!   `shared`: what is not deleted here alone.
//! - `conflicts`, `standing`: what gave way, and what waits.
//! - `own`, `answers`: one's own tiers between one's own machines (`mem sync`).
//! - `place`, `outcome`, `erase`: what is kept between two runs, and what a redaction takes out of it.
//! - `report`: a run, told. `findings`: what a check says of it.
//! - `consent`, `inspection`, `remarks`, `sending_choice`, `talk`: what is printed and asked beside.

pub(crate) mod accepted;
pub(crate) mod address;
pub(crate) mod agree;
pub(crate) mod answers;
pub(crate) mod conflicts;
pub(crate) mod consent;
pub(crate) mod deleting;
pub(crate) mod erase;
pub(crate) mod error;
pub(crate) mod files;
pub(crate) mod findings;
pub(crate) mod glance;
pub(crate) mod identity;
pub(crate) mod index_lines;
pub(crate) mod inspection;
mod keyring;
pub(crate) mod outcome;
pub(crate) mod own;
pub(crate) mod place;
mod reached;
mod refusals;
pub(crate) mod remarks;
pub(crate) mod remote;
pub(crate) mod report;
pub(crate) mod review;
pub(crate) mod rounds;
pub(crate) mod screen;
pub(crate) mod sending;
pub(crate) mod sending_choice;
pub(crate) mod sent_indexes;
pub(crate) mod settings;
pub(crate) mod setup;
pub(crate) mod shared;
pub(crate) mod standing;
pub(crate) mod suggestion;
pub(crate) mod talk;
pub(crate) mod token_check;
pub(crate) mod tokens;
pub(crate) mod unseen;
pub(crate) mod waiting;
