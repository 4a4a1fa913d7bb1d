//! What a person agreed to when the sharing was set up: kept outside of the repository, beside the state of
//! the memory that is shared.

use std::path::PathBuf;

use jiff::Timestamp;
use mem_core::history::Sha256;
use mem_core::state_file::{self, StateError};
use mem_core::store::LocalStore;
use serde::{Deserialize, Serialize};

use super::place::SharePlace;

/// One remote, as it was when a person looked at it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Setup {
    /// The remote, as in `team.remote`.
    pub remote: String,
    /// What the name of a git remote stood for, as `recorded_address` gives it. Another address under the same name
    /// is another remote, and so is another way or port to the same.
    pub address: Option<String>,
    /// Who writes from here, by the name that others see.
    pub actor: String,
    /// Whether it was accepted that anybody may read it.
    pub is_public: bool,
    /// When.
    pub since: Option<Timestamp>,
    /// The suggestion of the repository that was looked at last, whatever was said to it.
    pub suggestion: Option<Sha256>,
}

impl Setup {
    /// What was agreed to; nothing where nothing was.
    pub fn load_setup(store: &LocalStore, kind: &str) -> Self {
        state_file::read(&setup_path(store, kind)).0
    }

    /// Keeps it.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn save_setup(&self, store: &LocalStore, kind: &str) -> Result<(), StateError> {
        state_file::update(&setup_path(store, kind), |old: &mut Self| {
            old.clone_from(self);
        })
        .map(drop)
    }

    /// Forgets what was agreed to, but not which suggestion was looked at.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn forget_consent(store: &LocalStore, kind: &str) -> Result<(), StateError> {
        let setup = Self::load_setup(store, kind);
        if setup.remote.is_empty() {
            return Ok(());
        }
        let suggestion = setup.suggestion;
        let setup = Self {
            suggestion,
            ..Self::default()
        };
        setup.save_setup(store, kind)
    }
}

fn setup_path(store: &LocalStore, kind: &str) -> PathBuf {
    SharePlace::share_folder(store, kind).join("setup.json")
}
