//! `mem config set`: change a setting.

use mem_core::Config;
use mem_core::config::{self, SettingKey, SettingOrigin};
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::usage::UsageError;
use mem_team::masking;

/// Change a setting
///
/// Writes it to `config.toml` in mem's own config directory; everything else in the file stays as
/// it is. A value that holds a secret, such as an address with a password, is refused.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The key, such as `history.keep`
    key: String,
    /// The value; a list is separated by commas
    #[arg(allow_hyphen_values = true)]
    value: String,
    /// For this repository only
    #[arg(long, visible_alias = "repo")]
    repository: bool,
}

/// Writes the value and tells where, and what hides it.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let (dirs, printer) = (context.dirs()?, &context.printer);
    let key = SettingKey::find(&args.key)?;
    mem_agent::model::check_setting(key.name, &args.value)
        .map_err(|error| UsageError::invalid_value(&error))?;
    mem_vault::master_key::check_setting(key.name, &args.value)
        .map_err(|error| UsageError::invalid_value(&error))?;
    mem_tools::records::check_setting(key.name, &args.value)
        .map_err(|error| UsageError::invalid_value(&error))?;
    super::secret::reject_secret(key, &args.value)?;
    let repository = super::repository_root(context, args.repository)?;
    config::set(dirs, key.name, &args.value, repository.as_deref())?;
    mem_daemon::ask::reload_daemon(context);
    let file = dirs.config_file();
    if printer.json {
        printer.print_json(&json!({ "key": key.name, "value": masking::masked_text(key.name, &args.value),
            "file": file.to_string_lossy(), "repository": repository.map(|root| root.to_string_lossy().into_owned()) }))?;
        return Ok(Exit::Ok);
    }
    printer.say(format_args!("set `{}` in `{}`", key.name, file.display()));
    let root = super::repository_root(context, true)?;
    let config = Config::load(dirs, &context.env, root.as_deref(), &[])?;
    match config.origin(key.name) {
        SettingOrigin::Environment(variable) => {
            printer.print_warning(format_args!("{variable} is set and goes before it"));
        }
        SettingOrigin::Repository { .. } if !args.repository => {
            printer.print_warning("this repository's own table goes before it here");
        }
        _ => {}
    }
    Ok(Exit::Ok)
}
