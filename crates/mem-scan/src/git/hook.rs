//! [`HookScan`]: what the hooks of git scan, by the rules of the repository.

use mem_core::project::{self, Project, ProjectError};
use mem_core::{Diagnose, RunContext};

use super::{
    Clean, CommitScan, GitObjectError, GitObjects, PushPlan, RefUpdateError, parse_updates,
    scan_staged,
};
use crate::rules::{RemoteState, RulesError};
use crate::{Counters, RuleSources, ScanTotals};

/// A hook cannot scan.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum HookScanError {
    /// The repository cannot be found.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// Objects of git cannot be read.
    #[error(transparent)]
    Objects(#[from] GitObjectError),
    /// Not even the rules of `mem` itself can be read.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// git says something else than which refs are pushed.
    #[error(transparent)]
    #[diagnose(Invalid)]
    Updates(#[from] RefUpdateError),
}

/// A repository that a hook runs in.
#[derive(Debug)]
pub struct HookScan<'r> {
    git: GitObjects,
    project: Project,
    run: &'r RunContext,
}

impl<'r> HookScan<'r> {
    /// Opens the repository around the current directory.
    ///
    /// # Errors
    /// There is none, or its objects cannot be read.
    pub fn open(run: &'r RunContext) -> Result<Self, HookScanError> {
        let project = project::find(&run.cwd, &run.env)?;
        let git = GitObjects::for_project(&project, &run.env)?;
        Ok(Self { git, project, run })
    }

    /// Scans what is staged.
    ///
    /// # Errors
    /// The rules or the objects cannot be read.
    pub fn scan_commit(&self) -> Result<ScanTotals, HookScanError> {
        let mut totals = ScanTotals::default();
        self.with_rules(None, &mut totals, scan_staged)?;
        totals.sort_findings();
        Ok(totals)
    }

    /// Scans what a push would send: `input` is what git says of it.
    ///
    /// # Errors
    /// The rules or the objects cannot be read, or the input is something else.
    pub fn scan_push(
        &self,
        input: &[u8],
        remote: &str,
        url: &str,
    ) -> Result<ScanTotals, HookScanError> {
        let mut totals = ScanTotals::default();
        let plan = PushPlan::new(&self.git, parse_updates(input)?, remote, url)?;
        for part in &plan.parts {
            let state = RemoteState {
                git: self.git.clone(),
                root: self.project.root.clone(),
                bases: part.bases.clone(),
            };
            self.with_rules(Some(state), &mut totals, |scan, totals| {
                plan.scan_part(part, scan, totals)
            })?;
        }
        totals.sort_findings();
        Ok(totals)
    }

    /// Broken rules of a repository are a warning: those of `mem` itself apply all the same.
    fn with_rules(
        &self,
        pushed: Option<RemoteState>,
        totals: &mut ScanTotals,
        work: impl FnOnce(&mut CommitScan<'_>, &mut ScanTotals) -> Result<(), GitObjectError>,
    ) -> Result<(), HookScanError> {
        let dirs = self.run.dirs().ok();
        let mut sources = RuleSources {
            root: Some(self.project.workdir.clone()),
            dirs: dirs.cloned(),
            pushed,
            ..RuleSources::default()
        };
        let (ruleset, warnings) = sources.load().or_else(|error| {
            let text = format_args!("{error}; only the rules of mem itself apply");
            self.run.print_warning(text);
            sources.root = None;
            sources.load()
        })?;
        self.run.warn_all(&warnings);
        let mut clean = match dirs {
            Some(dirs) => Clean::open(&dirs.cache, &ruleset.digest()),
            None => Clean::default(),
        };
        let mut scan = CommitScan {
            git: &self.git,
            ruleset: &ruleset,
            clean: &mut clean,
            counters: &Counters::default(),
            is_outgoing: true,
        };
        work(&mut scan, totals)?;
        clean.save();
        Ok(())
    }
}
