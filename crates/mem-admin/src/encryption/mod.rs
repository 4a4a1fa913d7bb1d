//! Encryption of what this machine keeps of memories: keys changed, what is sealed told, contents opened for a look.

mod key_change;
mod plaintext;
mod survey;

pub use key_change::{KeyChange, LocalEncryptionError, change_keys, master_keys};
pub use plaintext::{PLAINTEXT_KINDS, PlaintextFiles};
pub use survey::{EncryptionSurvey, SealCheck, check_local};
