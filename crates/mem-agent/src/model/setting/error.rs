//! A model of the settings that cannot be asked.

use std::path::PathBuf;

use crate::model::ModelError;
use mem_core::Diagnose;

use super::key::{VARIABLE, VENDOR_VARIABLE};

/// Why the model that is set cannot be asked.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum ModelSettingError {
    /// Its address or its name cannot be used.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// An agent, and an environment that moves what is said.
    #[error("`{variable}` names the model, and an agent runs this")]
    #[diagnose(Refused, hint = "ask the person to set it with `mem config set {key}`")]
    ByEnvironment {
        /// The setting.
        key: &'static str,
        /// The variable.
        variable: String,
    },
    /// The repository would have its own key used.
    #[error("`{variable}` is named by the repository's settings `{}`: it is not used", path.display())]
    #[diagnose(
        Refused,
        hint = "write your own key into a file of mode 0600 and name it with `mem config set \
                model.key_file PATH`"
    )]
    ByRepository {
        /// The variable.
        variable: &'static str,
        /// The settings.
        path: PathBuf,
    },
    /// Nobody gave one.
    #[error("there is no key for the model's API")]
    #[diagnose(
        NotFound,
        hint = "write it into a file of mode 0600, `model.key` beside `config.toml` or that of \
                `model.key_file`, or set {VARIABLE}; {VENDOR_VARIABLE} is for \
                https://api.anthropic.com alone"
    )]
    NoKey,
    /// The setting names no file; it is not quoted, it may be the key.
    #[error("`model.key_file` names no file: an absolute path is expected")]
    #[diagnose(
        Invalid,
        hint = "`mem config set model.key_file PATH`; never the key itself"
    )]
    NoPath,
    /// Others may have read it.
    #[cfg_attr(not(unix), expect(dead_code, reason = "no modes there"))]
    #[error("`{}` may be read by others than its owner: the key in it is not used", .0.display())]
    #[diagnose(
        Refused,
        hint = format!("have the key revoked if others use this machine, then `chmod 600 {}`", _0.display())
    )]
    Open(PathBuf),
    /// It cannot be read.
    #[error("cannot read the key's file `{}`: {why}", path.display())]
    #[diagnose(Io, hint = "`mem config set model.key_file PATH`")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}
