//! `mem team setup`: say where the team's memory is shared.

use anyhow::Result;
use mem_core::Scope;
use mem_core::config::TeamFlow;
use mem_core::history::Sha256;
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use mem_team::settings::{self, TeamShare};
use mem_team::sharing_consent::{self, SharingConsent};

use crate::context::Context;
use crate::exit::Exit;
use crate::team::consent::tell_agreement;
use crate::team::sending_choice::{ask_sending, parse_sending};
use crate::team::sync_progress::SyncProgress;

/// Say where this repository's team memory is shared
///
/// Through a git remote that the team has already (`git:origin`; memories travel under the reference
/// `refs/mem/team`, which no branch shows), or through a server (`mem serve`). The remote is looked at
/// once; one that anybody can read is refused. It is recorded in your own settings: nothing that the
/// repository holds can change it.
///
/// --push, or an answer on a terminal, sets `team.push`. With `review`, the default, what you save, share or
/// review goes by itself, and what agents and other programs put into `team/` waits for a look
/// (`mem team review`); with `auto` everything goes by itself. A daemon is started where `daemon.autostart`
/// does not forbid it.
///
/// With --json: {"remote","repository","address","actor","public","memories","push","waiting","daemon","dry_run"};
/// `daemon` is "started", "running", "off" or "failed", null with --dry-run.
///
/// Example: mem team setup --remote git:origin
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// A server's address, or `git:` and the name of a git remote
    #[arg(long, value_name = "URL|git:NAME")]
    remote: String,
    /// The name of the memory there; that of the git remote if it is not given
    #[arg(long, value_name = "OWNER/REPO")]
    repo: Option<String>,
    #[command(flatten)]
    consent: ConsentArgs,
}

/// What a person agrees to, however they came to the remote.
#[derive(clap::Args, Debug)]
pub(super) struct ConsentArgs {
    /// Share it where anybody can read it
    #[arg(long)]
    public: bool,
    /// How team files leave this machine: what you saved, shared or reviewed by itself, or everything
    #[arg(long, value_name = "review|auto", value_parser = parse_sending())]
    push: Option<TeamFlow>,
    /// Look at the remote and record nothing
    #[arg(long)]
    pub(super) dry_run: bool,
}

impl ConsentArgs {
    /// Looks at the remote and records it, unless that is not wanted.
    pub(super) fn agree(
        &self,
        share: TeamShare,
        suggestion: Option<Sha256>,
        may_ask: bool,
        place: &ProjectContext,
        context: &Context,
    ) -> Result<Exit> {
        let is_dry = self.dry_run;
        let wish = SharingConsent {
            is_public: self.public,
            is_dry,
            suggestion,
            sending: ask_sending(self.push, may_ask && !is_dry, place, context)?,
        };
        let talk =
            |share: &TeamShare| SyncProgress::begin_sync("looking at the remote", share, context);
        let agreed = sharing_consent::agree_to_share(share, place, context, wish, talk)?;
        tell_agreement(&agreed, is_dry, place, context)?;
        Ok(Exit::Ok)
    }
}

/// Looks at the remote and records it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let store = memory.store(Scope::Team).clone();
    let repo = args.repo.as_deref().unwrap_or_default();
    let share = settings::make_share(&place, &args.remote, repo, store)?;
    args.consent.agree(share, None, true, &place, context)
}
