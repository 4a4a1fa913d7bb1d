//! `mem secrets explain`.

use mem_core::memory_path::printable;

use crate::context::Context;
use crate::exit::Exit;
use crate::scan::report::severity;
use crate::usage::UsageError;

/// Say what a rule finds
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The rule's name, as a finding gives it
    rule: String,
}

/// Prints one rule.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let mut rules = mem_secrets::rules()
        .iter()
        .filter(|rule| rule.id() == args.rule);
    let Some(rule) = rules.next() else {
        let message = format!("no rule is called `{}`", printable(&args.rule));
        return Err(UsageError::new(message, "`mem secrets list` names them all").into());
    };
    let mut keywords: Vec<&str> = rule.keywords().collect();
    keywords.extend(rules.flat_map(mem_secrets::Rule::keywords));
    keywords.sort_unstable();
    keywords.dedup();
    let printer = &context.printer;
    if printer.json {
        printer.print_json(&serde_json::json!({
            "id": rule.id(), "description": rule.description(), "family": rule.family(),
            "severity": severity(rule.severity()), "keywords": keywords,
        }))?;
        return Ok(Exit::Ok);
    }
    printer.line(format_args!("{}: {}", rule.id(), rule.description()))?;
    printer.line(format_args!("family    {}", rule.family()))?;
    printer.line(format_args!("severity  {}", severity(rule.severity())))?;
    let keywords = if keywords.is_empty() {
        "none".to_owned()
    } else {
        keywords.join(", ")
    };
    printer.line(format_args!("keywords  {keywords}"))?;
    printer.say("`mem scan --explain` says why a match was no secret");
    printer.say("`mem secrets allow FINGERPRINT --reason R` allows one finding for good");
    Ok(Exit::Ok)
}
