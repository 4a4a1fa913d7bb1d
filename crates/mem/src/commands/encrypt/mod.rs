//! `mem encrypt`: the contents of a server's database, for those alone who have the master key.

pub(crate) mod off;
pub(crate) mod on;
pub(crate) mod rotate;
pub(crate) mod status;

use anyhow::Result;
use mem_server::storage::{Encryption, Sealing};
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::person::ForAPerson;

/// Versions that are named where they cannot be opened.
const UNOPENED_SHOWN: usize = 10;

crate::table::commands! {
    "Commands" {
        on => "Seal what is there, and whatever comes",
        off => "Open everything again",
        status => "Show how much is sealed, and whether the key is there",
        rotate => "Seal everything under new keys",
    }
}

/// Encrypt the contents of a server's database
///
/// Each store has a data key of its own (XChaCha20-Poly1305), wrapped by a master key. Where that is stands in
/// the setting `encryption.key`: file:PATH (0600), keyring, or command:LINE, which prints it; without one it is
/// `master.key` beside mem's settings. Servers read the same setting, or MEM_ENCRYPTION_KEY. Keep a copy of
/// the master key elsewhere: without it nobody reads anything.
///
/// Paths, sizes, checksums, times, names and reasons of deletions stay readable in the database. Everything works
/// beside servers that run; what was interrupted is finished by the same command. A version that cannot be opened
/// stays as it is and is named, and the command ends with 1.
///
/// Example: mem encrypt on --data-dir /var/lib/mem
#[derive(clap::Args, Debug)]
#[command(arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Commands,
}

/// Runs the verb.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    args.verb.run(context)
}

/// Keys are for a person.
fn require_person(context: &Context) -> Result<(), ForAPerson> {
    context.require_person(ForAPerson::Encryption)
}

/// Tells what a run came to. What could not be opened is named, and makes it a failure.
fn tell(context: &Context, sealing: &Sealing, verb: &str) -> Result<Exit> {
    if context.printer.json {
        let unopened = sealing.unopened.iter();
        let unopened: Vec<_> = unopened
            .map(|one| json!({"version": one.version, "why": one.error.to_string()}))
            .collect();
        context.printer.json(&json!({
            "stores": sealing.stores,
            "versions": sealing.versions,
            "rewrapped": sealing.rewrapped,
            "ended_keys": sealing.ended,
            "unopened": unopened,
        }))?;
    } else {
        let (versions, stores) = (sealing.versions, sealing.stores);
        let text = format_args!("{versions} versions of {stores} stores {verb}");
        context.printer.line(text)?;
    }
    if sealing.unopened.is_empty() {
        return Ok(Exit::Ok);
    }
    for one in sealing.unopened.iter().take(UNOPENED_SHOWN) {
        let (version, why) = (&one.version, &one.error);
        context
            .printer
            .warn(format_args!("version `{version}` stays as it is: {why}"));
    }
    let count = sealing.unopened.len();
    context.printer.warn(format_args!(
        "{count} cannot be opened: bring them back from a backup, or redact them (`mem store redact`)"
    ));
    Ok(Exit::Failure)
}

/// PostgreSQL keeps what was there in places that it empties by itself.
fn warn_of_leftovers(context: &Context, is_postgres: bool) {
    if is_postgres {
        context.printer.warn(
            "PostgreSQL keeps what it replaced on disk until it uses the space again (VACUUM FULL), and in its \
             write-ahead log and backups for as long as these are kept",
        );
    }
}

/// In one line.
fn summary(found: &Encryption) -> String {
    let is = if found.is_on { "on" } else { "off" };
    format!(
        "encryption is {is}: {} of {} versions sealed, {} of {} stores have a key",
        found.sealed, found.versions, found.stores_with_key, found.stores
    )
}
