//! `mem cost`: what memory costs in tokens.

mod account;
mod index;

use anyhow::Result;
use mem_core::memory::ProjectMemory;
use serde_json::{Value, json};

use crate::context::Context;
use crate::counted::format_count;
use crate::exit::Exit;
use crate::ledger;
use crate::sanitize::clean;
use crate::since::Since;
use account::Account;
use index::Indexes;

/// Entries that are listed; `--json` has all.
const ENTRIES_SHOWN_MAX: usize = 20;

/// Show what memory costs in tokens
///
/// The indexes, which every session loads, and what hooks gave the model beside them: per session, per
/// prompt and by memory. Tokens are estimated; what the host loads by itself is estimated from its
/// MEMORY.md. Warns where the indexes alone take more than cost.index_share of cost.context_tokens.
///
/// With --json: {"index":{"tokens","share","share_max","context_tokens","is_over","tiers":[]},
/// "sessions":[{"session","tokens","chars","prompts"}],"prompts","prompts_with_memory",
/// "tokens_per_session","tokens_per_prompt","entries":[{"label","times","tokens","chars"}]}, where
/// tokens_per_session has the indexes that the host loads in it.
///
/// Example: mem cost --since 7d
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Only what was given since then: `7d`, `2w`, `2026-01-31`
    #[arg(long, value_name = "WHEN")]
    since: Option<Since>,
    /// Only one session
    #[arg(long, value_name = "ID")]
    session: Option<String>,
}

/// Reads the ledger and prints what it comes to.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let mut ledger = ledger::read(&memory);
    let since = args
        .since
        .map(|since| since.to_instant(context.now).as_second());
    ledger.retain(|one| {
        let is_new = since.is_none_or(|since| one.at >= since);
        is_new && args.session.as_ref().is_none_or(|id| one.session == *id)
    });
    let indexes = Indexes::for_memory(&memory, &place);
    let account = Account::from_ledger(&ledger, indexes.tokens_by_host());
    if context.printer.json {
        context.print_json(&account_json(&indexes, &account))?;
        return Ok(Exit::Ok);
    }
    for line in indexes.tier_lines() {
        context.line(line)?;
    }
    print_account(&account, context)?;
    if let Some(warning) = indexes.size_warning() {
        context.print_warning(warning);
    }
    Ok(Exit::Ok)
}

fn print_account(account: &Account, context: &Context) -> Result<()> {
    let printer = &context.printer;
    if account.sessions.is_empty() {
        printer.say("no hook gave anything to a model yet");
        return Ok(());
    }
    let sessions = format_count(account.sessions.len(), "session", "sessions");
    printer.line(format_args!(
        "per session: {} tokens, indexes included ({sessions})",
        account.tokens_per_session
    ))?;
    let prompts = format_count(account.prompts, "prompt", "prompts");
    printer.line(format_args!(
        "per prompt: {} tokens ({prompts}, {} with memories)",
        account.tokens_per_prompt, account.prompts_with_memory
    ))?;
    for entry in account.entries.iter().take(ENTRIES_SHOWN_MAX) {
        let times = format_count(entry.times, "time", "times");
        let label = clean(&entry.label);
        printer.line(format_args!("{:>8}  {times:>9}  {label}", entry.tokens))?;
    }
    if let Some(more @ 1..) = account.entries.len().checked_sub(ENTRIES_SHOWN_MAX) {
        printer.say(format_args!("and {more} more: --json lists them"));
    }
    Ok(())
}

fn account_json(indexes: &Indexes, account: &Account) -> Value {
    let sessions: Vec<Value> = account
        .sessions
        .iter()
        .map(|one| {
            json!({ "session": one.id, "tokens": one.tokens, "chars": one.chars,
                "prompts": one.prompts })
        })
        .collect();
    let entries: Vec<Value> = account
        .entries
        .iter()
        .map(|one| {
            json!({ "label": one.label, "times": one.times, "tokens": one.tokens,
                "chars": one.chars })
        })
        .collect();
    json!({
        "index": indexes.to_json(),
        "sessions": sessions,
        "prompts": account.prompts,
        "prompts_with_memory": account.prompts_with_memory,
        "tokens_per_session": account.tokens_per_session,
        "tokens_per_prompt": account.tokens_per_prompt,
        "entries": entries,
    })
}
