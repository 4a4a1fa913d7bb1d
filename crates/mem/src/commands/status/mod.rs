//! `mem status`, and what `mem` alone prints: how the memory of this repository is.

mod first_screen;
mod text;

use anyhow::Result;
use mem_admin::status::{MemoryStatus, mark_looked};
use mem_core::memory::ProjectMemory;
use mem_hosts::DetectedHost;
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use mem_admin::secrets_stopped;

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
/// "offline","error"},"stores":[{"mount_path","access","memories","waiting","held","aside","trouble"}], "daemon":{as
/// mem daemon
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
        let mut value = status.to_json();
        value["hosts"] = DetectedHost::find_all(context)?
            .iter()
            .map(host_json)
            .collect();
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
        true => first_screen::first_screen(&status, &DetectedHost::find_all(context)?, context),
        false => text::status_lines(&status, context, true),
    };
    context.printer.line(lines.join("\n"))?;
    if place.location.enabled {
        mark_looked(
            &ProjectMemory::new(&place.location, context.dirs()?),
            context,
        );
    }
    Ok(Exit::Ok)
}

fn host_json(host: &DetectedHost) -> Value {
    json!({ "name": host.host.profile().name, "is_connected": host.is_connected })
}
