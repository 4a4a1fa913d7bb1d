//! Settings that hold a secret: refused when they are set, told of where they stand already, never shown.

use mem_core::config::{SettingKey, SettingValue};
use mem_core::{Config, Diagnose};
use mem_team::address::{Address, InvalidAddress};

use crate::printer::Printer;
use mem_team::masking;

/// A value that must not stand in a file of settings. It is not quoted.
#[derive(Debug, thiserror::Error, Diagnose)]
pub(crate) enum SecretSetting {
    /// An address with a user, a password or a query.
    #[error("`{key}` was not set: {cause}")]
    #[diagnose(Invalid, hint = cause.hint())]
    Address {
        /// The setting.
        key: &'static str,
        /// What it holds.
        cause: InvalidAddress,
    },
    /// Any other text in which the rules find a secret.
    #[error(
        "`{0}` was not set: the value holds a secret, and settings are kept and shown in the clear"
    )]
    #[diagnose(
        Invalid,
        hint = "name the file or the command that the secret comes from instead"
    )]
    Value(&'static str),
}

/// Refuses a value that holds a secret.
///
/// # Errors
/// It does; what was given is not quoted.
pub(super) fn reject_secret(key: &'static SettingKey, value: &str) -> Result<(), SecretSetting> {
    let is_address = matches!(key.name, "team.remote" | "sync.remote" | "stores.base_url");
    match Address::parse_address(value) {
        // What is no address at all is told where it is used.
        Err(cause) if is_address && cause != InvalidAddress::Form => Err(SecretSetting::Address {
            key: key.name,
            cause,
        }),
        // No part of an address has to look like a key.
        _ if is_address && masking::masked_text(key.name, value) != value => {
            Err(SecretSetting::Value(key.name))
        }
        _ if masking::holds_secret(key.name, value) => Err(SecretSetting::Value(key.name)),
        _ => Ok(()),
    }
}

/// Tells of a setting that holds a secret already.
pub(super) fn warn_of_secret(key: &SettingKey, value: &SettingValue, printer: &Printer) {
    if masking::masked_value(key.name, value) != *value {
        let name = key.name;
        printer.print_warning(format_args!(
            "`{name}` holds a secret, which is not shown: change the secret where it was issued, and set `{name}` without it"
        ));
    }
}

/// Tells of every setting that holds a secret already.
pub(super) fn warn_all(config: &Config, printer: &Printer) {
    for (key, setting) in config.all() {
        if let Some(setting) = setting {
            warn_of_secret(key, &setting.value, printer);
        }
    }
}
