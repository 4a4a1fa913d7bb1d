//! `mem status`, and what `mem` alone prints: how the memory of this repository is.

mod agents;
mod attached;
mod dream;
mod first_screen;
mod gather;
mod pruned;
mod team;
mod text;

use anyhow::Result;
use mem_core::adopt::Offer;
use mem_core::limits::{INDEX_LINES_MAX, INDEX_UNITS_MAX};
use mem_core::memory::ProjectMemory;
use serde_json::{Value, json};

use crate::commands::install::hooks::{UsedHost, used_hosts};
use crate::context::Context;
use crate::exit::Exit;
use crate::secrets_stopped;

use gather::MemoryStatus;

/// Show how the memory of this repository is
///
/// Where it is, how much is in it, how full the index is; what agents wrote and what changed
/// outside mem since the last look, what something swept away, and which memories elsewhere belong
/// here. `mem` alone prints the same with the agents that are used here, what is wrong and the one command that is
/// useful next, in six lines where nothing happened.
///
/// No network is asked, but for one thing: where the repository suggests sharing through a git remote of your clone,
/// and you have not answered yet, that remote is asked once a day how many memories are there, for two seconds at
/// most. `mem config set team.glance false` leaves it out.
///
/// With --json: {"project_root","slug","memory_dir","history_dir","source","enabled",
/// "disabled_by","tiers":[{"scope","dir","memories"}],"newest","index":{"lines","bytes",
/// "lines_max","units_max","is_over"},"foreign":{"change","files","is_first"},"swept":[{"change",
/// "folder","files","time"}],"adoptable":[{"slug","memory_dir","root","why","files"}],
/// "agents":{"changes","written","removed","extracted","since","waiting","untrusted","from_team"},"team":{"remote","repository","shared",
/// "waiting","conflicts","offline","quota","error","suggested","suggested_memories"},"own":{"remote","repository","shared","waiting","conflicts",
/// "offline","error"},"stores":[{"mount_path","access","memories","waiting","held","aside","trouble"}],
/// "daemon":{as mem daemon
/// status},"dream":{"nightly","by_host","time","summary","change","waiting","undone","trouble","warnings":[]},
/// "pruned":{"time","count","reason","change","undone","trouble"},"twins":[],"warnings":[],"hosts":[{"name","is_connected"}],
/// "secrets_stopped":[{"day","secrets"}]}; null where there is none.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// Prints the status.
pub(crate) fn run(_: &Args, context: &Context) -> Result<Exit> {
    print_status(context, false)
}

/// What `mem` alone does.
pub(crate) fn run_bare(context: &Context) -> Result<Exit> {
    print_status(context, true)
}

fn print_status(context: &Context, is_bare: bool) -> Result<Exit> {
    let place = context.place()?;
    let status = MemoryStatus::for_project(&place, context)?;
    if context.printer.json {
        let mut value = status_json(&status);
        value["hosts"] = used_hosts(context)?.iter().map(host_json).collect();
        let memory = ProjectMemory::new(&place.location, context.dirs()?);
        let stopped = secrets_stopped::by_day(&memory).into_iter();
        let stopped = stopped.map(|(day, secrets)| json!({ "day": day, "secrets": secrets }));
        value["secrets_stopped"] = stopped.collect();
        context.printer.print_json(&value)?;
        return Ok(Exit::Ok);
    }
    for warning in &status.warnings {
        context.printer.print_warning(warning);
    }
    let lines = match is_bare {
        true => first_screen::first_screen(&status, &used_hosts(context)?, context),
        false => text::status_lines(&status, context.now, true),
    };
    context.printer.line(lines.join("\n"))?;
    if place.location.enabled {
        agents::mark_looked(
            &ProjectMemory::new(&place.location, context.dirs()?),
            context,
        );
    }
    Ok(Exit::Ok)
}

fn host_json(host: &UsedHost) -> Value {
    json!({ "name": host.host.profile().name, "is_connected": host.is_connected })
}

fn status_json(status: &MemoryStatus) -> Value {
    let location = &status.location;
    let tiers: Vec<Value> = status
        .tiers
        .iter()
        .map(|tier| json!({ "scope": tier.scope.as_str(), "dir": tier.dir, "memories": tier.memories }))
        .collect();
    let swept: Vec<Value> = status
        .swept
        .iter()
        .map(|sweep| {
            json!({ "change": sweep.change.as_str(), "folder": sweep.folder,
                    "files": sweep.files, "time": sweep.time.to_string() })
        })
        .collect();
    let mut warnings = location.warnings.clone();
    warnings.extend(status.warnings.iter().cloned());
    json!({
        "project_root": location.project_root,
        "slug": location.slug,
        "memory_dir": location.memory_dir,
        "history_dir": status.history_dir,
        "source": location.source.as_str(),
        "enabled": location.enabled,
        "disabled_by": location.disabled_by,
        "tiers": tiers,
        "newest": status.newest.map(|time| time.to_string()),
        "index": {
            "lines": status.index.lines, "units": status.index.units,
            "lines_max": INDEX_LINES_MAX, "units_max": INDEX_UNITS_MAX,
            "is_over": status.index.is_over(),
        },
        "foreign": status.foreign.as_ref().map(|foreign| json!({
            "change": foreign.change.as_str(), "files": foreign.files,
            "is_first": foreign.is_first,
        })),
        "swept": swept,
        "adoptable": status.offers.iter().map(offer_json).collect::<Vec<_>>(),
        "agents": status.agents.to_json(),
        "team": status.team.to_json(),
        "own": status.own.to_json(),
        "stores": status.stores.to_json(),
        "daemon": status.daemon.1,
        "dream": status.dream.to_json(),
        "pruned": status.pruning.to_json(),
        "twins": status.twins,
        "warnings": warnings,
    })
}

/// The stable shape of memories that can be adopted.
pub(crate) fn offer_json(offer: &Offer) -> Value {
    let candidate = &offer.candidate;
    json!({
        "slug": candidate.slug, "memory_dir": candidate.memory_dir, "root": candidate.root,
        "why": candidate.why.as_str(), "files": offer.fresh,
    })
}
