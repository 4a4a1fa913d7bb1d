//! `mem secrets list`.

use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::scan::report::severity;
use mem_core::compact_sort::CompactSort as _;

/// List the rules
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// Prints every rule that ships with mem, once.
pub(crate) fn run(_: &Args, context: &Context) -> anyhow::Result<Exit> {
    let mut rules: Vec<_> = mem_secrets::rules().iter().collect();
    rules.compact_sort_by_key(|rule| rule.id());
    // Forms of one secret are rules of one name.
    rules.dedup_by_key(|rule| rule.id());
    if context.printer.json {
        let rules: Vec<Value> = rules
            .iter()
            .map(|rule| {
                json!({
                    "id": rule.id(), "description": rule.description(), "family": rule.family(),
                    "severity": severity(rule.severity()),
                    "keywords": rule.keywords().collect::<Vec<_>>(),
                })
            })
            .collect();
        context.printer.print_json(&json!({ "rules": rules }))?;
        return Ok(Exit::Ok);
    }
    let width = rules.iter().map(|rule| rule.id().len()).max().unwrap_or(0);
    for rule in rules {
        let (id, severity) = (rule.id(), severity(rule.severity()));
        let line = format!("{id:width$}  {severity:8}  {}", rule.description());
        context.printer.line(line)?;
    }
    Ok(Exit::Ok)
}
