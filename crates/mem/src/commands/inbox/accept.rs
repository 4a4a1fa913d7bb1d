//! `mem inbox accept`: write what waits.

use anyhow::Result;
use mem_core::history::Actor;
use mem_core::inbox::{Entry, InboxError};
use mem_core::location::Place;
use mem_core::store::Order;
use serde_json::{Value, json};

use super::entries::{self, Found};
use crate::context::Context;
use crate::error::Diagnosis;
use crate::exit::Exit;
use crate::opened::require_enabled;
use crate::person::ForAPerson;
use crate::retention;
use crate::unified::{painted, unified};

/// Write what waits
///
/// Each entry becomes one change of its author, with you as the one who agreed; `mem undo` takes it
/// back. What was edited since in other lines stays. Where the same lines were edited the entry
/// stays in the inbox, both sides are shown, and the exit code is 4; the others are written all the
/// same.
///
/// Example: mem inbox accept 3f9k2m1q
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The entries: ids, or beginnings of them
    #[arg(required_unless_present = "all", value_name = "ID")]
    ids: Vec<String>,
    /// Everything that waits
    #[arg(long, conflicts_with = "ids")]
    all: bool,
}

/// Accepts the entries, in the order in which they were written.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    context.require_person(ForAPerson::Inbox)?;
    let place = context.place()?;
    require_enabled(&place)?;
    let found = entries::chosen(&place, context, &args.ids)?;
    if found.is_empty() {
        context.printer.say("nothing waits");
    }
    let (mut accepted, mut refused) = (Vec::new(), None);
    for one in &found {
        match accept(one, &place, context) {
            Ok(shown) => accepted.push(shown),
            // The first one is told at the end: it decides on the exit code.
            Err(error) if refused.is_none() => refused = Some(error),
            Err(error) => context.printer.warn(Diagnosis::of(&error).message),
        }
    }
    if context.printer.json && (refused.is_none() || !accepted.is_empty()) {
        context.printer.json(&json!({ "accepted": accepted }))?;
    }
    match refused {
        Some(error) => Err(error),
        None => Ok(Exit::Ok),
    }
}

/// Writes one entry and says so.
pub(super) fn accept(found: &Found, place: &Place, context: &Context) -> Result<Value> {
    let order = order(&found.entry, context);
    let gate = context.gate_with_consent(place);
    let written = match found.store.accept(&found.entry, &order, &gate) {
        Ok(written) => written,
        Err(error) => {
            show_overtaken(context, &error)?;
            return Err(error.into());
        }
    };
    context.warn_all(&written.warnings);
    retention::pack_when_due(place, &found.store, context);
    if !context.printer.json {
        let word = match written.change {
            Some(_) => "accepted",
            None => "accepted, and there already",
        };
        context
            .printer
            .line(format_args!("{word}: {}", found.line()))?;
    }
    Ok(json!({
        "id": found.entry.id,
        "change": written.change.as_ref().map(|change| &change.id),
    }))
}

/// The order of the entry's author, at the present; the reason says who agreed.
fn order(entry: &Entry, context: &Context) -> Order {
    let person = context.author().name;
    let agreed = format!(
        "{}, accepted by {}",
        entry.verb,
        person.as_deref().unwrap_or("a person")
    );
    let reason = match &entry.reason {
        Some(reason) => format!("{reason} ({agreed})"),
        None => agreed,
    };
    let order = Order::new("accept", entry.author.clone(), context.now).because(Some(reason));
    match entry.author.actor {
        // What goes elsewhere goes here with its folder.
        Actor::Team => order.clearing_folders(),
        _ => order,
    }
}

/// Shows both sides of a conflict.
fn show_overtaken(context: &Context, error: &InboxError) -> Result<()> {
    let InboxError::Overtaken { path, now, wanted } = error else {
        return Ok(());
    };
    let diff = unified(path.as_str(), Some(now), Some(wanted));
    match context.printer.json {
        true => context
            .printer
            .json(&json!({ "conflict": { "file": path, "diff": diff } }))?,
        false => context.printer.line(painted(&diff))?,
    }
    Ok(())
}
