//! One distillation: a plan from all that is there, and the one change that it becomes.

use mem_core::config::MemoryMode;
use std::collections::BTreeSet;

use anyhow::Result;
use jiff::Timestamp;
use mem_agent::dream::{self, Applied, DistillInput, DistillPlan, DreamError, Keeping, Source};
use mem_core::Scope;
use mem_core::history::AuthorKind;
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use mem_core::store::ChangeMetadata;

use super::remembered::{ChangingRun, DistillState, LastRun, StartedRun};
use super::sources::{self, DistillSources, SourceFilter};
use super::{asked, code, taken};
use crate::context::Context;
use crate::model;
use crate::records::prune::pinned_files;

/// Before this (2020-01-01T00:00:00Z) no clock is right that runs this program.
const EARLIEST_SECONDS: i64 = 1_577_836_800;

/// So many warnings are kept for a person who was not there.
const WARNINGS_MAX: usize = 20;

/// A plan, and what it was made from.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub plan: DistillPlan,
    memory: ProjectMemory,
    sources: DistillSources,
}

/// Makes a plan. Nothing is touched.
///
/// # Errors
/// The clock cannot be right, something cannot be read, or the plan does not stand the checks.
pub(crate) fn prepare_plan(
    place: &ProjectContext,
    wanted: SourceFilter,
    context: &Context,
) -> Result<Prepared> {
    let now = context.now.0;
    if now < Timestamp::from_second(EARLIEST_SECONDS)? {
        return Err(DreamError::Clock(now.to_string()).into());
    }
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let sources = sources::read(&memory, place, wanted, context)?;
    let listing = memory.list(&[Scope::Private])?;
    let notes = listing.notes;
    let mut warnings = listing.warnings;
    warnings.extend(sources.warnings.iter().cloned());
    let pinned = pinned_files(&memory, Scope::Private)?;
    let untold = |warnings: &mut Vec<String>, error: anyhow::Error| {
        warnings.push(format!("not compared with the code: {error:#}"));
    };
    let broken = code::find_broken(&notes, place, context).unwrap_or_else(|error| {
        untold(&mut warnings, error);
        Default::default()
    });
    let said =
        code::find_code_statements(&sources.bullets, place, context).unwrap_or_else(|error| {
            untold(&mut warnings, error);
            Default::default()
        });
    let model = match model::configured_model(place, context) {
        Ok(model) => model.filter(|_| !sources.bullets.is_empty()),
        Err(error) => {
            warnings.push(format!("distilled by rules: {error}"));
            None
        }
    };
    let (choices, told) = match &model {
        Some(model) => asked::ask_model(model, &sources.bullets, &notes),
        None => Default::default(),
    };
    warnings.extend(told);
    let given = DistillInput {
        notes: &notes,
        bullets: &sources.bullets,
        told: &code::instruction_lines(place, context.dirs()?),
        broken: &broken,
        code: &|text| said.contains(text),
        pinned: &pinned,
        choices: &choices,
        max_share: place.config.values.dream.max_share.0,
        today: sources::local_today(context),
        now,
    };
    let mut plan = dream::plan_distillation(&given);
    dream::check_plan(&plan, &given)?;
    warnings.append(&mut plan.warnings);
    plan.warnings = warnings;
    Ok(Prepared {
        plan,
        memory,
        sources,
    })
}

impl Prepared {
    /// Carries the plan out as one change, and remembers what is done with.
    ///
    /// # Errors
    /// A memory was changed since, a gate refuses, or the system does. Nothing is written then.
    pub(crate) fn carry_out(
        &self,
        place: &ProjectContext,
        order: &ChangeMetadata,
        context: &Context,
    ) -> Result<Applied> {
        let store = self.memory.store(Scope::Private);
        let keeping = match place.config.values.memory.mode {
            MemoryMode::Log => Keeping::Log,
            MemoryMode::Index => Keeping::Index,
        };
        let gate = context.gate_for(place);
        let mut last = LastRun {
            time: order.now.0,
            summary: self.plan.summary_line(),
            change: None,
            trouble: None,
            waiting: self.plan.waiting.len(),
            warnings: Vec::new(),
        };
        let begun = StartedRun {
            verb: order.verb.to_owned(),
            handled: self.plan.handled.clone(),
            last: last.clone(),
            made: self.changing_run(String::new()),
            taken: taken::taken_entries(&self.plan, &self.sources),
        };
        let taken = begun.taken.clone();
        DistillState::begin_run(store.places(), begun)?;
        let applied = dream::apply_plan(&self.plan, store, order, &gate, keeping)?;
        let change = applied.change.as_ref().map(|one| one.id.to_string());
        let mut warnings = match order.author.actor {
            AuthorKind::Agent => self
                .plan
                .warnings
                .iter()
                .chain(&applied.warnings)
                .cloned()
                .collect(),
            _ => Vec::new(),
        };
        warnings.truncate(WARNINGS_MAX);
        last.change.clone_from(&change);
        last.warnings = warnings;
        let made = change.and_then(|change| self.changing_run(change));
        // As long as it is not said what it came to, the next run knows what it was about to take out.
        taken::take_out(store.places(), &taken)?;
        DistillState::add_run(store.places(), &self.plan.handled, &last, made)?;
        context.clean_up_when_due(place, store);
        Ok(applied)
    }

    /// What is to be known of it if it is taken back.
    fn changing_run(&self, change: String) -> Option<ChangingRun> {
        let handled: BTreeSet<&String> = self.plan.handled.iter().collect();
        let left: BTreeSet<&Source> = self.plan.left.iter().map(|one| &one.source).collect();
        let bullets = self.sources.bullets.iter();
        let done = bullets.filter(|bullet| {
            handled.contains(&bullet.content_digest()) && !left.contains(&bullet.source)
        });
        Some(ChangingRun {
            change,
            since: done.map(|bullet| bullet.date).min()?,
            had_inbox: self
                .sources
                .entries
                .iter()
                .any(|(mark, _)| handled.contains(mark)),
        })
    }

    /// Remembers what a person was told of, once they were.
    ///
    /// # Errors
    /// The state cannot be written.
    pub(crate) fn remember_told(&self) -> Result<()> {
        let store = self.memory.store(Scope::Private);
        DistillState::save_told_files(store.places(), self.sources.told.clone())
    }
}
