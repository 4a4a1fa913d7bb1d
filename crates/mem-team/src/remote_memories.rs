//! How many memories the remote has that a repository suggests, as `mem status` tells before anybody has agreed.
//!
//! Only a git remote of this clone is asked, which git itself talks to all the time; a server hears nothing from
//! here. It is asked once a day at most, and whatever it says, nothing follows from it but a number.

use jiff::{SignedDuration, Timestamp};
use mem_core::RunContext;
use mem_core::history::AuthorKind;
use mem_core::location::ProjectContext;
use mem_core::state_file;
use serde::{Deserialize, Serialize};

use super::address::Address;
use super::place::SharePlace;
use super::recorded_address;
use super::remote;
use super::settings::{self, KIND, TeamShare};

/// How long an answer holds, and that there was none.
const HOLDS: SignedDuration = SignedDuration::from_hours(24);

/// What was asked last.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct LastQuery {
    /// The address, as `recorded_address` gives it.
    address: String,
    at: Option<Timestamp>,
    memories: Option<usize>,
}

/// How many memories the remote of a suggestion has; `None` where it is not to be asked, or did not say.
pub fn remote_memories(
    share: &TeamShare,
    place: &ProjectContext,
    context: &RunContext,
) -> Option<usize> {
    let Address::Git(name) = &share.address else {
        return None;
    };
    settings::remote_url(&place.project, name)?;
    let address = recorded_address::recorded_address(share.git_url.as_deref()?);
    let file = SharePlace::share_folder(&share.store, KIND).join("glance.json");
    let kept: LastQuery = state_file::read(&file).0;
    if kept.address == address && kept.at.is_some_and(|at| holds_still(at, context.now.0)) {
        return kept.memories;
    }
    // Where an agent looks, the network may be shut, and there is nobody to agree to anything.
    let is_wanted = place.config.values.team.glance;
    if !is_wanted || !place.location.enabled || context.author().actor == AuthorKind::Agent {
        return None;
    }
    let keep = |memories| {
        let asked = LastQuery {
            address: address.clone(),
            at: Some(context.now.0),
            memories,
        };
        state_file::put(&file, &asked)
    };
    // That it was asked stands there first: one that hangs, or is not waited for, hangs once a day.
    keep(None).ok()?;
    let memories = remote::count_in_passing(share, place, context)?;
    // What cannot be kept is not asked again for a day, but it is known now.
    let _ = keep(Some(memories));
    Some(memories)
}

/// Not where the clock went back since: it would hold for as long as that.
fn holds_still(at: Timestamp, now: Timestamp) -> bool {
    let age = now.duration_since(at);
    !age.is_negative() && age < HOLDS
}
