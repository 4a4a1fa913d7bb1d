//! `mem secrets`: the rules, and what is allowed.

use std::path::Path;

use mem_core::compact_sort::CompactSort as _;
use mem_core::history::AuthorKind;
use mem_core::memory_path::printable;
use mem_core::{project, trust};
use mem_scan::rules::{add_allow, root_of};
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::scan::report::severity;
use crate::usage::UsageError;

crate::commands::verbs! {
    /// The rules that secrets are found by, and what is allowed
    struct Args;
    "Commands" {
        list(ListArgs) => "List the rules",
        explain(ExplainArgs) => "Say what a rule finds",
        allow(AllowArgs) => "Allow one finding for good, with a reason",
    }
}

/// List the rules
#[derive(clap::Args, Debug)]
struct ListArgs {}

/// Prints every rule that ships with mem, once.
fn list(_: &ListArgs, context: &Context) -> anyhow::Result<Exit> {
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

/// Say what a rule finds
#[derive(clap::Args, Debug)]
struct ExplainArgs {
    /// The rule's name, as a finding gives it
    rule: String,
}

/// Prints one rule.
fn explain(args: &ExplainArgs, context: &Context) -> anyhow::Result<Exit> {
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
        printer.print_json(&json!({
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

/// Allow one finding for good, with a reason
///
/// The fingerprint stands for the secret, not for its place: the finding stays allowed when its
/// line or file moves, and another secret at the same place is found. The allow and its key go
/// into .mem/ of the repository, to be committed. For a push it counts at once where a person makes it, and
/// an agent's counts once the remote has it. For memory that is shared it counts in a repository that you
/// trust (`mem trust`).
#[derive(clap::Args, Debug)]
struct AllowArgs {
    /// As `mem scan` prints it: rule:0123456789abcdef
    fingerprint: String,
    /// Why it is no secret, or why it may stay
    #[arg(long)]
    reason: String,
}

/// Whether the repository's allows count for memory too.
fn is_trusted(root: &Path, context: &Context) -> anyhow::Result<bool> {
    let (dirs, found) = (context.dirs()?, project::find(root, &context.env));
    Ok(found.is_ok_and(|project| trust::is_trusted(dirs, &project.root)))
}

/// Writes the allow, and says where.
fn allow(args: &AllowArgs, context: &Context) -> anyhow::Result<Exit> {
    let root = root_of(&context.cwd).unwrap_or_else(|| context.cwd.clone());
    // What is written here is committed.
    let reason = context.stored_reason(Some(args.reason.clone()));
    let reason = reason.unwrap_or_default();
    let is_person = context.author().actor != AuthorKind::Agent;
    let own = project::find(&root, &context.env).map_or_else(|_| root.clone(), |found| found.root);
    let own = Some(own.as_path()).filter(|_| is_person);
    let (path, new) = add_allow(
        &root,
        &args.fingerprint,
        &reason,
        own,
        context.dirs()?,
        context.now,
    )?;
    let printer = &context.printer;
    if printer.json {
        printer
            .print_json(&json!({ "file": path, "fingerprint": args.fingerprint, "new": new }))?;
        return Ok(Exit::Ok);
    }
    let shown = path.to_string_lossy();
    let shown = clean(&shown);
    printer.line(match new {
        true => format!("allowed in `{shown}`; commit it with the key beside it"),
        false => format!("allowed already in `{shown}`"),
    })?;
    if !is_person {
        printer.say("for a push it counts once the remote has it, or when a person allows it too");
    }
    if !is_trusted(&root, context)? {
        printer
            .say("for what goes to the team it counts once you trust the repository: `mem trust`");
    }
    Ok(Exit::Ok)
}
