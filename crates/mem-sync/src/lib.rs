//! The protocol that both ends of shared memory agree on, and the pusher and puller.
//!
//! # Layout
//! - [`wire`]: what goes over the line, read as the hostile input it is.
//! - [`key`] and [`repository`]: names of entries, and of the store that they are kept in.
//! - [`base`]: what one machine remembers of the remote between two runs.
//! - [`facts`]: which keys there is something to decide about. [`decide`]: what is to happen to one; a pure
//!   function.
//! - [`outbound_scan`] and [`plan`]: what may leave, and in which portions.
//! - [`remote`]: the other end as a trait; behind features, a git remote's ref (`git`) and a server (`http`).
//! - `testutils`, a feature: a remote in memory, and the suite that every remote has to pass.
//! - [`client`]: one round after the other, until both ends say the same.
//!
//! Without these features nothing here opens a connection. Nothing draws random numbers, looks at the clock
//! for anything but deadlines, or reads the environment.

#![cfg_attr(
    test,
    expect(
        clippy::disallowed_methods,
        reason = "tests put plain files into place and read them"
    )
)]

pub mod base;
pub mod client;
pub mod decide;
pub mod facts;
pub mod files;
pub mod key;
pub mod limits;
pub mod merge;
pub mod outbound_scan;
pub mod plan;
pub mod remote;
pub mod repository;
#[cfg(any(test, feature = "testutils"))]
pub mod testutils;
pub mod wire;

pub use key::EntryKey;
pub use repository::Repository;
