//! One distillation: a plan from all that is there, and the one change that it becomes.

use std::collections::{BTreeMap, BTreeSet};

use crate::dream::{
    self, BULLETS_MAX, Bullet, Choice, DistillInput, DistillPlan, DreamError, Source,
    build_question, parse_choices,
};
use jiff::tz::TimeZone;
use mem_core::Scope;
use mem_core::history::AuthorKind;
use mem_core::memory::{Note, ProjectMemory};
use mem_core::store::{ChangeMetadata, WriteOutcome};
use mem_drift::DriftError;
use mem_find::verdicts::Verdicts;

use super::code;
use super::error::DistillationError;
use super::sources::{self, DistillSources, SourceFilter};
use super::state::{ChangingRun, DistillState, LastRun, StartedRun};
use crate::access::MemoryAccess;
use crate::model::{self, Model, ModelQuestion};

/// Before this (2020-01-01T00:00:00Z) no clock is right that runs this program.
const EARLIEST_SECONDS: i64 = 1_577_836_800;

/// The most questions that one run asks; the rest is for the rules.
const QUESTIONS_MAX: usize = 8;

/// So many warnings are kept for a person who was not there.
const WARNINGS_MAX: usize = 20;

/// A plan, and what it was made from.
#[derive(Debug)]
pub struct DistillationDraft {
    /// What is to be done.
    pub plan: DistillPlan,
    memory: ProjectMemory,
    sources: DistillSources,
}

/// Makes a plan. Nothing is touched.
///
/// # Errors
/// The clock cannot be right, something cannot be read, or the plan does not stand the checks.
pub fn prepare_plan(
    access: &MemoryAccess<'_>,
    wanted: SourceFilter,
    zone: &TimeZone,
) -> Result<DistillationDraft, DistillationError> {
    let MemoryAccess { place, run, .. } = *access;
    let now = run.now.0;
    if now.as_second() < EARLIEST_SECONDS {
        return Err(DreamError::Clock(now.to_string()).into());
    }
    let dirs = run.dirs()?;
    let memory = ProjectMemory::new(&place.location, dirs);
    let sources = sources::read(&memory, wanted, access, zone)?;
    let listing = memory.list(&[Scope::Private])?;
    let notes = listing.notes;
    let mut warnings = listing.warnings;
    warnings.extend(sources.warnings.iter().cloned());
    let pinned = memory.pinned_files(Scope::Private)?;
    let untold = |warnings: &mut Vec<String>, error: DriftError| {
        warnings.push(format!("not compared with the code: {error}"));
    };
    let open_verdicts = || Verdicts::for_project(&place.project, dirs, run.now);
    let broken = code::find_broken(&notes, &open_verdicts()).unwrap_or_else(|error| {
        untold(&mut warnings, error);
        Default::default()
    });
    let said =
        code::find_code_statements(&sources.bullets, &open_verdicts()).unwrap_or_else(|error| {
            untold(&mut warnings, error);
            Default::default()
        });
    let model = match model::configured_model(place, run) {
        Ok(model) => model.filter(|_| !sources.bullets.is_empty()),
        Err(error) => {
            warnings.push(format!("distilled by rules: {error}"));
            None
        }
    };
    let (choices, model_warnings) = match &model {
        Some(model) => ask_model(model, &sources.bullets, &notes),
        None => Default::default(),
    };
    warnings.extend(model_warnings);
    let given = DistillInput {
        notes: &notes,
        bullets: &sources.bullets,
        instructions: &code::instruction_lines(place, dirs),
        broken: &broken,
        code: &|text| said.contains(text),
        pinned: &pinned,
        choices: &choices,
        max_share: place.config.values.dream.max_share.0,
        today: sources::local_date(now, zone),
        now,
    };
    let mut plan = dream::plan_distillation(&given);
    dream::check_plan(&plan, &given)?;
    warnings.append(&mut plan.warnings);
    plan.warnings = warnings;
    Ok(DistillationDraft {
        plan,
        memory,
        sources,
    })
}

impl DistillationDraft {
    /// Carries the plan out as one change, and remembers what is done with.
    ///
    /// # Errors
    /// A memory was changed since, a gate refuses, or the system does. Nothing is written then.
    pub fn carry_out(
        &self,
        order: &ChangeMetadata,
        access: &MemoryAccess<'_>,
    ) -> Result<WriteOutcome<Vec<String>>, DistillationError> {
        let MemoryAccess { place, gate, run } = *access;
        let store = self.memory.store(Scope::Private);
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
            taken: sources::distilled_entries(&self.plan, &self.sources),
        };
        let taken = begun.taken.clone();
        DistillState::begin_run(store.places(), begun)?;
        let applied = dream::apply_plan(
            &self.plan,
            store,
            order,
            gate,
            place.config.values.memory.mode,
        )?;
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
        sources::move_to_rejected(store.places(), &taken)?;
        DistillState::add_run(store.places(), &self.plan.handled, &last, made)?;
        run.clean_up_when_due(place, store);
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
    pub fn remember_reported(&self) -> Result<(), DistillationError> {
        let store = self.memory.store(Scope::Private);
        DistillState::save_reported_files(store.places(), self.sources.reported_files.clone())?;
        Ok(())
    }
}

/// What a model said of bullets, and why it did not of others.
fn ask_model(
    model: &Model,
    bullets: &[Bullet],
    notes: &[Note],
) -> (BTreeMap<String, Choice>, Vec<String>) {
    let (mut chosen, mut warnings) = (BTreeMap::new(), Vec::new());
    // What holds a secret is shown to nobody.
    let shown: Vec<&Bullet> = bullets.iter().filter(|one| !one.is_secret).collect();
    for part in shown.chunks(BULLETS_MAX).take(QUESTIONS_MAX) {
        let answer = match model.ask_model(ModelQuestion::Distill, &build_question(part, notes)) {
            Ok(answer) => answer,
            Err(error) => {
                warnings.push(format!("distilled by rules: {error}"));
                break;
            }
        };
        match parse_choices(&answer, part) {
            Ok(choices) => chosen.extend(choices),
            Err(why) => warnings.push(format!(
                "the model's plan was refused: {why}; distilled by rules"
            )),
        }
    }
    (chosen, warnings)
}
