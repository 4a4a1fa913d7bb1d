//! Bytes in, sealed bytes out, under keys that a master key wraps. Knows nothing of SQL or memories.
//!
//! A master key ([`MasterKeys`]) wraps data keys ([`DataKey`]), one or more for each thing that is sealed as a
//! whole; data keys seal contents. Losing the master key is losing everything; destroying a data key destroys
//! what it sealed, also in copies that nobody can reach.
//!
//! Every sealed content says which key opens it, and is bound to the place it belongs to ([`AssociatedData`]):
//! put elsewhere it does not open. The algorithm is XChaCha20-Poly1305 with random nonces of 24 bytes, or with keyed
//! hashes for nonces where the same content has to have the same bytes.
//!
//! Where the master key is, a person says: a file, the keyring of the system or a program ([`master_key`]).
//!
//! A server keeps wrapped data keys in its database; [`LocalKeys`] keeps them beside what they seal on a machine.

#![cfg_attr(
    test,
    expect(
        clippy::disallowed_methods,
        reason = "tests put plain files into place and read them"
    )
)]

mod associated_data;
mod data_key;
mod deterministic;
mod encryption_evidence;
mod error;
pub mod key_file;
mod key_file_lock;
mod key_id;
mod key_ring;
mod leftovers;
mod local_keys;
mod master;
pub mod master_key;
mod sealed;

pub use associated_data::AssociatedData;
pub use data_key::DataKey;
pub use error::VaultError;
pub use key_id::KeyId;
pub use leftovers::remove_leftovers;
pub use local_keys::LocalKeys;
pub use master::{MasterKey, MasterKeys};
pub use sealed::{OVERHEAD, is_sealed, key_of};
