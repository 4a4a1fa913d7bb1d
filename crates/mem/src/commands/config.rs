//! `mem config`: the settings, and where each comes from.

use std::path::PathBuf;

use mem_core::config::{self, Setting, SettingKey, SettingOrigin, SettingValue};
use mem_core::{Config, Diagnose, project, state_file};
use mem_team::masking;
use serde_json::{Value, json};

use crate::context::Context;
use crate::editor;
use crate::exit::Exit;
use crate::printer::Printer;
use crate::sanitize::clean;
use crate::style::FAINT;
use crate::usage::UsageError;

crate::commands::verbs! {
    /// Read and change settings
    ///
    /// A value is looked for in the environment (`MEM_` and the key in capitals, dots as
    /// underscores), in the repository's table of `config.toml`, in the rest of it, and in the
    /// defaults. Nothing inside a repository can change a setting.
    struct Args;
    "Commands" {
        get(GetArgs) => "Print a setting",
        set(SetArgs) => "Change a setting",
        unset(UnsetArgs) => "Take a setting out of config.toml",
        list(ListArgs) => "List every setting and where its value comes from",
        edit(EditArgs) => "Open config.toml in your editor",
    }
}

/// The root of this repository where `--repository` was given. The settings themselves are not
/// looked at: they may be what is to be mended.
fn repository_root(context: &Context, wanted: bool) -> anyhow::Result<Option<PathBuf>> {
    if !wanted {
        return Ok(None);
    }
    Ok(Some(project::find(&context.cwd, &context.env)?.root))
}

/// A value that a file of settings must not hold, of the setting that is named. It is not quoted.
#[derive(Debug, thiserror::Error, Diagnose)]
#[error(
    "`{0}` was not set: the value holds a secret, and settings are kept and shown in the clear"
)]
#[diagnose(
    Invalid,
    hint = "name the file or the command that the secret comes from instead"
)]
pub(crate) struct SecretSetting(&'static str);

/// Refuses a value that holds a secret.
///
/// # Errors
/// It does; what was given is not quoted.
fn reject_secret(key: &'static SettingKey, value: &str) -> Result<(), SecretSetting> {
    let is_address = matches!(key.name, "team.remote" | "sync.remote" | "stores.base_url");
    // No part of an address has to look like a key.
    let is_like_a_key = is_address && masking::masked_text(key.name, value) != value;
    match is_like_a_key || masking::holds_secret(key.name, value) {
        true => Err(SecretSetting(key.name)),
        false => Ok(()),
    }
}

/// Tells of a setting that holds a secret already.
fn warn_of_secret(key: &SettingKey, value: &SettingValue, printer: &Printer) {
    if masking::masked_value(key.name, value) != *value {
        let name = key.name;
        printer.print_warning(format_args!(
            "`{name}` holds a secret, which is not shown: change the secret where it was issued, and set `{name}` without it"
        ));
    }
}

/// Tells of every setting that holds a secret already.
fn warn_all(config: &Config, printer: &Printer) {
    for (key, setting) in config.all() {
        if let Some(setting) = setting {
            warn_of_secret(key, &setting.value, printer);
        }
    }
}

/// The stable shape: `{"key","value","layer","origin","takes","description"}`, value and origin null where nothing
/// is set and there is no default. A secret in the value is masked.
fn setting_json(key: &SettingKey, setting: Option<&Setting>) -> Value {
    json!({
        "key": key.name,
        "value": setting.map(|setting| masking::masked_value(key.name, &setting.value)),
        "layer": setting.map(|setting| setting.origin.as_str()),
        "origin": setting.map(|setting| setting.origin.to_string()),
        "takes": key.expected(),
        "description": key.description_line(),
    })
}

/// Print a setting
///
/// The value goes to standard output, where it comes from to standard error. Exit code 1 where it
/// is not set and has no default. A secret in it is masked.
#[derive(clap::Args, Debug)]
struct GetArgs {
    /// The key, such as `history.keep`
    key: String,
}

/// Prints the value and its origin.
fn get(args: &GetArgs, context: &Context) -> anyhow::Result<Exit> {
    let key = SettingKey::find(&args.key)?;
    let config = context.place()?.config;
    let (setting, printer) = (config.get(key.name), &context.printer);
    if let Some(setting) = &setting {
        warn_of_secret(key, &setting.value, printer);
    }
    if printer.json {
        printer.print_json(&setting_json(key, setting.as_ref()))?;
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

/// Change a setting
///
/// Writes it to `config.toml` in mem's own config directory; everything else in the file stays as
/// it is. A value that holds a secret, such as an address with a password, is refused.
#[derive(clap::Args, Debug)]
struct SetArgs {
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
fn set(args: &SetArgs, context: &Context) -> anyhow::Result<Exit> {
    let (dirs, printer) = (context.dirs()?, &context.printer);
    let key = SettingKey::find(&args.key)?;
    mem_agent::model::check_setting(key.name, &args.value)
        .map_err(|error| UsageError::invalid_value(&error))?;
    mem_vault::master_key::check_setting(key.name, &args.value)
        .map_err(|error| UsageError::invalid_value(&error))?;
    mem_tools::records::check_setting(key.name, &args.value)
        .map_err(|error| UsageError::invalid_value(&error))?;
    mem_team::settings::check_setting(key.name, &args.value)
        .map_err(|error| UsageError::invalid_value(&error))?;
    mem_team::stores_server::check_setting(key.name, &args.value)
        .map_err(|error| UsageError::invalid_value(&error))?;
    reject_secret(key, &args.value)?;
    let repository = repository_root(context, args.repository)?;
    config::set(dirs, key.name, &args.value, repository.as_deref())?;
    mem_daemon::ask::reload_daemon(context);
    let file = dirs.config_file();
    if printer.json {
        printer.print_json(&json!({ "key": key.name, "value": masking::masked_text(key.name, &args.value),
            "file": file.to_string_lossy(), "repository": repository.map(|root| root.to_string_lossy().into_owned()) }))?;
        return Ok(Exit::Ok);
    }
    printer.say(format_args!("set `{}` in `{}`", key.name, file.display()));
    let root = repository_root(context, true)?;
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

/// Take a setting out of config.toml
#[derive(clap::Args, Debug)]
struct UnsetArgs {
    /// The key, such as `history.keep`
    key: String,
    /// From this repository's table
    #[arg(long, visible_alias = "repo")]
    repository: bool,
}

/// Takes the key out; that it was not there is no failure.
fn unset(args: &UnsetArgs, context: &Context) -> anyhow::Result<Exit> {
    let (dirs, printer) = (context.dirs()?, &context.printer);
    let key = SettingKey::find(&args.key)?;
    let repository = repository_root(context, args.repository)?;
    let changed = config::unset(dirs, key.name, repository.as_deref())?;
    mem_daemon::ask::reload_daemon(context);
    let file = dirs.config_file();
    if printer.json {
        printer.print_json(&json!({ "key": key.name, "changed": changed,
            "file": file.to_string_lossy(), "repository": repository.map(|root| root.to_string_lossy().into_owned()) }))?;
    } else if changed {
        printer.say(format_args!(
            "`{}` is no longer in `{}`",
            key.name,
            file.display()
        ));
    } else {
        printer.say(format_args!(
            "`{}` was not in `{}`",
            key.name,
            file.display()
        ));
    }
    Ok(Exit::Ok)
}

/// List every setting and where its value comes from
///
/// A secret that stands in a setting is masked: keys belong into files of their own.
#[derive(clap::Args, Debug)]
struct ListArgs {}

/// Prints one line a key, as in config.toml.
fn list(_: &ListArgs, context: &Context) -> anyhow::Result<Exit> {
    let config = context.place()?.config;
    let printer = &context.printer;
    warn_all(&config, printer);
    if printer.json {
        let settings: Vec<Value> = config
            .all()
            .map(|(key, setting)| setting_json(key, setting.as_ref()))
            .collect();
        let file = config.file().to_string_lossy();
        printer.print_json(&json!({ "file": file, "settings": settings }))?;
        return Ok(Exit::Ok);
    }
    let rows: Vec<(String, String)> = config
        .all()
        .map(|(key, setting)| match setting {
            Some(setting) => (
                format!(
                    "{} = {}",
                    key.name,
                    masking::masked_value(key.name, &setting.value)
                ),
                setting.origin.to_string(),
            ),
            None => (format!("# {} =", key.name), "not set".to_owned()),
        })
        .collect();
    let width = rows.iter().map(|(text, _)| text.chars().count()).max();
    let width = width.unwrap_or(0);
    for (text, origin) in &rows {
        let (text, origin) = (clean(text), clean(origin));
        printer.line(format_args!("{text:width$}  {FAINT}# {origin}{FAINT:#}"))?;
    }
    Ok(Exit::Ok)
}

/// Open config.toml in your editor
///
/// A new file holds every key with its explanation and its default, commented out. What you leave
/// behind is checked.
#[derive(clap::Args, Debug)]
struct EditArgs {}

/// Opens the file and checks it afterwards.
fn edit(_: &EditArgs, context: &Context) -> anyhow::Result<Exit> {
    let (dirs, printer) = (context.dirs()?, &context.printer);
    let file = dirs.config_file();
    if !file.exists() {
        state_file::write(&file, config::template().as_bytes())?;
    }
    let root = project::find(&context.cwd, &context.env)?.root;
    let load = || Config::load(dirs, &context.env, Some(&root), &[]);
    // A file that cannot be read is what the editor is there for.
    editor::open_editor(context, load().ok().as_ref(), &file)?;
    let config = load()?;
    warn_all(&config, printer);
    for warning in config.warnings {
        printer.print_warning(warning);
    }
    Ok(Exit::Ok)
}
