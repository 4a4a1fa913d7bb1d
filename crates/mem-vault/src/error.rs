//! Why something cannot be sealed or opened. No message has a key or a content.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use mem_core::Diagnose;
use mem_core::sealing::SealError;

use crate::KeyId;

/// The vault said no. Nothing was overwritten.
#[derive(Clone, Debug, thiserror::Error, Diagnose)]
pub enum VaultError {
    /// There is no master key at all.
    #[error("this is encrypted, and there is no master key{}", describe_wanted_key(.0.as_ref()))]
    #[diagnose(
        NotFound,
        hint = "say where it is with `encryption.key`: file:PATH, keyring, or command:LINE"
    )]
    NoMaster(Option<KeyId>),
    /// The master keys that are there are others.
    #[error(
        "the master key is another one: `{wanted}` is needed, {} given",
        list_keys(given)
    )]
    #[diagnose(
        Refused,
        hint = "bring back the key of this name; a source may give several, one a line, and the \
                first one wraps"
    )]
    WrongMaster {
        /// The one that wrapped the data key.
        wanted: KeyId,
        /// Those that are there.
        given: Vec<KeyId>,
    },
    /// The data key is gone, and with it what it sealed.
    #[error("the data key `{0}` is gone: what it sealed cannot be read any more")]
    #[diagnose(
        Corrupt,
        hint = "restore a backup that has the key; nothing else opens it"
    )]
    LostKey(KeyId),
    /// Somebody changed it, or moved it.
    #[error("{0} was changed since it was sealed, or belongs somewhere else")]
    #[diagnose(
        Corrupt,
        hint = "restore it from a backup, or redact it or delete its memory; what is there was left \
                as it is"
    )]
    Tampered(&'static str),
    /// The end is missing.
    #[error("{0} is cut short")]
    #[diagnose(
        Corrupt,
        hint = "restore it from a backup, or redact it or delete its memory; what is there was left \
                as it is"
    )]
    Truncated(&'static str),
    /// It was moved to object storage, which has it no more, or another one under its name.
    #[error("its object is gone from the object storage, or is another one")]
    #[diagnose(
        Corrupt,
        hint = "bring the object back, or redact the version or delete its memory"
    )]
    ObjectGone,
    /// Not sealed by this program.
    #[error("{0} is not sealed in a form that is known here")]
    #[diagnose(Corrupt, hint = "use the newer `mem` that wrote it")]
    Form(&'static str),
    /// The data keys of a place.
    #[error("`{}` does not hold data keys", .0.display())]
    #[diagnose(
        Corrupt,
        hint = "bring it back from a backup: nothing else opens what its keys sealed, and nothing \
                was changed"
    )]
    Ring(PathBuf),
    /// The data keys of a place are gone, and something says that it is sealed.
    #[error("`{}` is gone, and what is beside it is encrypted", ring.display())]
    #[diagnose(
        Corrupt,
        hint = format!("bring it back from a backup; without one, remove `{}`, and `mem encrypt off --local` opens what can still be opened", mark.display())
    )]
    RingGone {
        /// Where they were.
        ring: PathBuf,
        /// What says so.
        mark: PathBuf,
    },
    /// The data keys of a place are gone with their mark, and something that they sealed is there.
    #[error("`{}` is gone, and `{}` is encrypted", ring.display(), sealed.display())]
    #[diagnose(
        Corrupt,
        hint = "bring it back from a backup; without one, `mem encrypt off --local` opens what can \
                still be opened and names what cannot, and `mem encrypt on --local` then begins anew"
    )]
    RingLost {
        /// Where they were.
        ring: PathBuf,
        /// What they sealed, or says that something is sealed.
        sealed: PathBuf,
    },
    /// A master key that is none.
    #[error("that is no master key: 64 hexadecimal digits on a line of their own are expected")]
    #[diagnose(
        Invalid,
        hint = "bring the key back from its copy; `mem encrypt on` makes one where there is none"
    )]
    KeyForm,
    /// Others may have read it.
    #[error("`{}` may be read by others than its owner: the key in it is not used", .0.display())]
    #[diagnose(
        Refused,
        hint = format!("`chmod 600 {}`; if others use this machine, rotate to a new master key", _0.display())
    )]
    Open(PathBuf),
    /// So many are kept that no other is taken.
    #[error("there are {0} master keys: no other is put before them, and nothing was changed")]
    #[diagnose(
        Refused,
        hint = "`mem encrypt drop` destroys those that wrap nothing any more; where several servers \
                read them, take out those that `mem encrypt status` of none names; backups of their \
                time end with them"
    )]
    Full(usize),
    /// The file of a key.
    #[error("cannot {step} `{}`: {source}", path.display())]
    #[diagnose(Io)]
    File {
        /// What was to be done with it.
        step: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: Arc<io::Error>,
    },
    /// A key is never overwritten.
    #[error("`{}` has a key already", .0.display())]
    #[diagnose(Refused, hint = "name another file")]
    Exists(PathBuf),
    /// The program or the keyring that should give the master key.
    #[error("cannot get the master key from {origin}: {why}")]
    #[diagnose(Io)]
    Source {
        /// Where it should come from.
        origin: &'static str,
        /// What went wrong; never what was given.
        why: String,
    },
    /// The system has none.
    #[error("the system gives no random bytes")]
    #[diagnose(Io)]
    NoRandom,
}

impl From<VaultError> for SealError {
    fn from(error: VaultError) -> Self {
        Self::from_error(&error)
    }
}

fn describe_wanted_key(id: Option<&KeyId>) -> String {
    id.map_or(String::new(), |id| format!(" (`{id}` is needed)"))
}

fn list_keys(given: &[KeyId]) -> String {
    let names: Vec<String> = given.iter().map(|id| format!("`{id}`")).collect();
    match names.is_empty() {
        true => "none is".to_owned(),
        false => format!("{} is", names.join(", ")),
    }
}
