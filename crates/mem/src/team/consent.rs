//! What a person agreed to, told: for people and for programs.

use anyhow::Result;
use mem_core::config::TeamFlow;
use mem_core::location::ProjectContext;
use mem_daemon::autostart::{self, DaemonSetup};
use mem_team::sharing_consent::SharingAgreement;
use mem_team::suggestion::{Suggestion, suggestion_text};
use serde_json::{Value, json};

use super::remarks;
use crate::context::Context;
use crate::sanitize::clean;
use mem_core::plural::format_count;

/// Tells what was agreed to.
///
/// # Errors
/// Standard output cannot be written.
pub(crate) fn tell_agreement(
    agreed: &SharingAgreement,
    is_dry: bool,
    place: &ProjectContext,
    context: &Context,
) -> Result<()> {
    let (share, printer) = (&agreed.share, &context.printer);
    // It may begin to send at once, and what it does is said below.
    let daemon = match is_dry {
        true => None,
        false => Some(autostart::start_if_wanted(context)),
    };
    if printer.json {
        printer.print_json(&agreement_json(agreed, daemon.as_ref(), is_dry))?;
        return Ok(());
    }
    let would = if is_dry { "would share" } else { "shares" };
    let (repository, address) = (share.repository.name(), share.address.to_string());
    printer.line(format_args!(
        "{would} the team's memory of {} at {}: {} there",
        clean(repository),
        clean(&address),
        format_count(agreed.memories, "memory", "memories")
    ))?;
    if let Some(audience) = share.audience() {
        printer.say(audience);
    }
    printer.say(match share.push() {
        TeamFlow::Review => {
            "what you save, share or review goes by itself; what agents and other programs write waits for a \
             look (`team.push = \"review\"`)"
        }
        TeamFlow::Auto => "everything in the team tier goes by itself (`team.push = \"auto\"`)",
    });
    remarks::say_count(agreed.waiting, context);
    if !is_dry && matches!(Suggestion::from_workdir(&place.project.workdir), Ok(None)) {
        context.say(
            "colleagues can run `mem team join` once you have committed this as `.mem/team.toml`:",
        );
        for line in suggestion_text(share).lines() {
            context.say(format_args!("  {}", clean(line)));
        }
    }
    if let Some(daemon) = daemon {
        daemon.print_setup("mem team sync", context);
    }
    Ok(())
}

fn agreement_json(agreed: &SharingAgreement, daemon: Option<&DaemonSetup>, is_dry: bool) -> Value {
    let share = &agreed.share;
    json!({
        "remote": share.address.to_string(), "repository": share.repository.name(),
        "address": share.setup.address, "actor": share.setup.actor, "public": share.setup.is_public,
        "memories": agreed.memories, "push": share.push().as_str(), "waiting": agreed.waiting,
        "daemon": daemon.map(DaemonSetup::as_str), "dry_run": is_dry,
    })
}
