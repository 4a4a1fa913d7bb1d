//! `mem config list`: every setting and its origin.

use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::style::FAINT;
use mem_team::masking;

/// List every setting and where its value comes from
///
/// A secret that stands in a setting is masked: keys belong into files of their own.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// Prints one line a key, as in config.toml.
pub(crate) fn run(_: &Args, context: &Context) -> anyhow::Result<Exit> {
    let config = context.place()?.config;
    let printer = &context.printer;
    super::secret::warn_all(&config, printer);
    if printer.json {
        let settings: Vec<Value> = config
            .all()
            .map(|(key, setting)| super::setting_json::setting_json(key, setting.as_ref()))
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
