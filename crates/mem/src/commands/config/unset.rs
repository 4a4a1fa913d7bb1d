//! `mem config unset`: take a setting out.

use mem_core::config::{self, SettingKey};
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;

/// Take a setting out of config.toml
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The key, such as `history.keep`
    key: String,
    /// From this repository's table
    #[arg(long, visible_alias = "repo")]
    repository: bool,
}

/// Takes the key out; that it was not there is no failure.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let (dirs, printer) = (context.dirs()?, &context.printer);
    let key = SettingKey::find(&args.key)?;
    let repository = super::repository_root(context, args.repository)?;
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
