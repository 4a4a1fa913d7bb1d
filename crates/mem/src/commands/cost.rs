//! `mem cost`: what memory costs in tokens.

use std::collections::BTreeMap;

use anyhow::Result;
use mem_core::memory::ProjectMemory;
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use mem_agent::cost::{CostAccount, DayCost, IndexCost};
use mem_agent::injection;
use mem_agent::use_figures::{self, GivenWith, UseFigures};
use mem_core::plural::format_count;
use mem_core::relative_time::Since;

/// Entries that are listed; `--json` has all.
const ENTRIES_SHOWN_MAX: usize = 20;

/// Show what memory costs in tokens
///
/// The indexes, which every session loads, and what hooks gave the model beside them: per session, per
/// prompt and by memory. Tokens are estimated; what the host loads by itself is estimated from its
/// MEMORY.md. Warns where the indexes alone take more than cost.index_share of cost.context_tokens.
///
/// A memory counts as used later where the model, once it was given the memory, writes its file's name, its title or
/// a path or symbol that it cites, and the session had that nowhere before. One that is followed without being named
/// does not count. Only sessions whose transcript was read at the end of a turn are among these figures.
///
/// With --json: {"index":{"tokens","share","share_max","context_tokens","is_over","tiers":[]},
/// "sessions":[{"session","tokens","chars","prompts"}],"prompts","prompts_with_memory",
/// "tokens_per_session","tokens_per_prompt","entries":[{"label","times","tokens","chars",
/// "sessions_measured","sessions_used"}],"days":[{"day","tokens","memories","used"}],
/// "used_later":{"sessions","prompt":{"memories","tokens","used","share"},"file":{..},"subagent":{..}}}, where
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
    let mut ledger = injection::read_injections(&memory);
    let since = args
        .since
        .map(|since| since.to_instant(context.now).as_second());
    ledger.retain(|one| {
        let is_new = since.is_none_or(|since| one.at >= since);
        is_new && args.session.as_ref().is_none_or(|id| one.session == *id)
    });
    let mut measured = use_figures::measured_sessions(&memory);
    measured.retain(|id, one| {
        let is_new = since.is_none_or(|since| one.at >= since);
        is_new && args.session.as_ref().is_none_or(|wanted| id == wanted)
    });
    let mut used: BTreeMap<GivenWith, UseFigures> = BTreeMap::new();
    for (with, figures) in measured.values().flat_map(|one| &one.figures) {
        used.entry(*with).or_default().add(*figures);
    }
    let indexes = IndexCost::for_memory(&memory, &place);
    let mut account = CostAccount::from_ledger(&ledger, indexes.tokens_by_host());
    account.add_uses(measured.values());
    if context.printer.json {
        let mut value = account_json(&indexes, &account);
        value["used_later"] = used_json(&used, measured.len());
        context.print_json(&value)?;
        return Ok(Exit::Ok);
    }
    for line in indexes.tier_lines() {
        context.line(line)?;
    }
    print_account(&account, context)?;
    for (with, figures) in &used {
        let memories = format_count(figures.memories, "memory", "memories");
        let tokens = format_count(figures.tokens, "token", "tokens");
        let percent = (figures.share() * 100.0).round();
        let used = figures.used;
        context.line(format_args!(
            "used later, given with {}: {used} of {memories} ({percent} %), {tokens}",
            with.as_words()
        ))?;
    }
    if let Some(warning) = indexes.size_warning() {
        context.print_warning(warning);
    }
    Ok(Exit::Ok)
}

fn print_account(account: &CostAccount, context: &Context) -> Result<()> {
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
        let used = match entry.sessions_measured {
            0 => String::new(),
            measured => format!(", used in {} of {measured}", entry.sessions_used),
        };
        printer.line(format_args!(
            "{:>8}  {times:>9}  {label}{used}",
            entry.tokens
        ))?;
    }
    if let Some(more @ 1..) = account.entries.len().checked_sub(ENTRIES_SHOWN_MAX) {
        printer.say(format_args!("and {more} more: --json lists them"));
    }
    Ok(())
}

fn used_json(used: &BTreeMap<GivenWith, UseFigures>, sessions: usize) -> Value {
    let figures = |with: GivenWith| {
        let one = used.get(&with).copied().unwrap_or_default();
        json!({ "memories": one.memories, "tokens": one.tokens, "used": one.used, "share": one.share() })
    };
    json!({
        "sessions": sessions,
        "prompt": figures(GivenWith::Prompt),
        "file": figures(GivenWith::File),
        "subagent": figures(GivenWith::Subagent),
    })
}

fn account_json(indexes: &IndexCost, account: &CostAccount) -> Value {
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
                "chars": one.chars, "sessions_measured": one.sessions_measured,
                "sessions_used": one.sessions_used })
        })
        .collect();
    let days: Vec<Value> = account
        .days
        .iter()
        .map(|(day, cost)| {
            let DayCost { tokens, memories } = cost;
            json!({ "day": day, "tokens": tokens, "memories": memories.memories,
                "used": memories.used })
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
        "days": days,
    })
}
