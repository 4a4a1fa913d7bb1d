//! The job that keeps history, indexes and verdicts in step with the files.

use mem_find::verdicts::Verdicts;
use mem_team::write_gates::ProjectGate;
use std::time::Duration;

use crate::JobError;
use mem_core::Scope;
use mem_core::history::{Author, AuthorKind};
use mem_core::inbox::Inbox;
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use mem_core::store::ChangeMetadata;
use mem_find::encoder::ChosenEncoder;
use mem_find::index_refresh::{RefreshPace, RefreshTurn, refresh_index};
use mem_records::prune::PruneLimits;
use serde::{Deserialize, Serialize};

use mem_core::RunContext;
use mem_tools::error_text::shown_message;
use mem_tools::records::prune::{self, LastPruning, PruningState};

/// Between two looks at the files, notes are encoded for so long.
const ENCODING_TIME_MAX: Duration = Duration::from_secs(10);

/// The verb of what is pruned, and the name under which it is done.
const VERB: &str = "prune";

/// What a job came to.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct MaintenanceOutcome {
    /// What went wrong, for the log.
    pub(crate) trouble: Option<String>,
    /// Files with something wrong, which is told and not mended.
    #[serde(default)]
    pub(crate) findings: usize,
}

/// Brings everything in step.
pub(crate) fn run(run: &RunContext) -> MaintenanceOutcome {
    match maintain_memory(run) {
        Ok(findings) => MaintenanceOutcome {
            trouble: None,
            findings,
        },
        Err(error) => MaintenanceOutcome {
            trouble: Some(shown_message(&*error)),
            findings: 0,
        },
    }
}

fn maintain_memory(run: &RunContext) -> Result<usize, JobError> {
    let place = run.place()?;
    if !place.location.enabled {
        return Ok(0);
    }
    let memory = ProjectMemory::new(&place.location, run.dirs()?);
    let findings = record_and_check(&memory, &place, run)?;
    if let Some(limits) = prune::prune_limits(&place.config) {
        take_out(&memory, &limits, &place, run)?;
    }
    if place.config.values.recall.background {
        encode_memories(&memory, &place, run)?;
    }
    Ok(findings)
}

/// Records what others changed, and counts what the checks find.
fn record_and_check(
    memory: &ProjectMemory,
    place: &ProjectContext,
    run: &RunContext,
) -> Result<usize, JobError> {
    let mut findings = 0;
    let mut scopes = Scope::ALL.to_vec();
    scopes.retain(|scope| !(memory.is_one() && *scope == Scope::Global));
    for store in memory.stores().into_iter().take(scopes.len().min(2)) {
        if store.places().root.is_dir() {
            drop(store.observe(run.current_time())?);
            run.clean_up_when_due(place, store);
        }
    }
    for scope in scopes {
        findings += memory.inspect(scope)?.findings.len();
    }
    Ok(findings)
}

/// Takes out of the private tier what the settings say is too much, as an agent does: with the consent that agents
/// need, and never twice what a person has decided on.
fn take_out(
    memory: &ProjectMemory,
    limits: &PruneLimits,
    place: &ProjectContext,
    run: &RunContext,
) -> Result<(), JobError> {
    let (now, scope) = (run.current_time(), Scope::Private);
    let places = memory.store(scope).places();
    let pruned = PruningState::for_paths(places);
    let mut going = prune::prunable_memories(memory, scope, limits, place, now)?;
    going.retain(|(one, _)| !pruned.knows_note(&one.what.id));
    let waiting = Inbox::for_paths(places).waiting().entries;
    if going.is_empty() || waiting.iter().any(|entry| entry.verb == VERB) {
        return Ok(());
    }
    let author = Author {
        actor: AuthorKind::Agent,
        name: Some(VERB.to_owned()),
        session: None,
        host: Some("daemon".to_owned()),
        source: None,
    };
    let mut last = LastPruning {
        time: now.0,
        count: going.len(),
        reason: prune::prune_reason(&going),
        change: None,
        trouble: None,
    };
    let handled = going.iter().map(|(one, _)| one.what.id.clone()).collect();
    let order = ChangeMetadata::new(VERB, author, now);
    match prune::take_out(
        going,
        memory,
        scope,
        order,
        &ProjectGate::for_place(place, run),
    ) {
        Ok(removed) => {
            last.count = removed.value.len();
            last.change = removed.change.map(|change| change.id.to_string());
            Ok(PruningState::add_outcome(places, handled, last)?)
        }
        Err(error) if error.awaits_consent() => {
            last.trouble = Some("it waits in the inbox for you".to_owned());
            Ok(PruningState::add_outcome(places, handled, last)?)
        }
        Err(error) => {
            let trouble = Some(shown_message(&error));
            // The same again tells nothing new.
            if pruned.last.is_none_or(|before| before.trouble != trouble) {
                PruningState::add_outcome(places, Vec::new(), LastPruning { trouble, ..last })?;
            }
            Err(error.into())
        }
    }
}

/// Brings the index of recall up to date, at leisure, and looks at the files again in between.
fn encode_memories(
    memory: &ProjectMemory,
    place: &ProjectContext,
    run: &RunContext,
) -> Result<(), JobError> {
    let Some(turn) = RefreshTurn::take_turn(run.dirs()?) else {
        // Somebody else is at it.
        return Ok(());
    };
    mem_daemon::background::lower_priority();
    let pace = RefreshPace {
        threads: 1,
        time_max: ENCODING_TIME_MAX,
    };
    let encoder = ChosenEncoder::choose(run.dirs()?).encoder;
    loop {
        let warmed = refresh_index(&turn, memory, encoder, pace, &|_| {})?;
        if warmed.pending == 0 || warmed.encoded == 0 {
            break;
        }
        record_and_check(memory, place, run)?;
    }
    let notes = memory.list(&Scope::ALL)?.notes;
    // Recall tells verdicts that were found before; without them it looks for itself.
    let _ = Verdicts::for_place(place, run)?.check_notes(&notes);
    Ok(())
}
