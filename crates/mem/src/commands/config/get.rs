//! `mem config get`: one setting.

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use mem_core::config::{SettingKey, SettingValue};
use mem_team::masking;

/// Print a setting
///
/// The value goes to standard output, where it comes from to standard error. Exit code 1 where it
/// is not set and has no default. A secret in it is masked.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The key, such as `history.keep`
    key: String,
}

/// Prints the value and its origin.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let key = SettingKey::find(&args.key)?;
    let config = context.place()?.config;
    let (setting, printer) = (config.get(key.name), &context.printer);
    if let Some(setting) = &setting {
        super::secret::warn_of_secret(key, &setting.value, printer);
    }
    if printer.json {
        printer.print_json(&super::setting_json::setting_json(key, setting.as_ref()))?;
    } else if let Some(setting) = &setting {
        match &masking::masked_value(key.name, &setting.value) {
            SettingValue::Text(text) => printer.line(clean(text))?,
            value => printer.line(value)?,
        }
        printer.say(format_args!("from {}", setting.origin));
    } else {
        printer.say(format_args!("`{}` is not set", key.name));
    }
    Ok(match setting {
        Some(_) => Exit::Ok,
        None => Exit::Failure,
    })
}
