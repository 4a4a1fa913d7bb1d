//! `mem team join`: accept what the repository suggests.

use anyhow::Result;
use mem_core::Scope;
use mem_core::config::TeamSettings;
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use mem_team::address::Address;
use mem_team::error::TeamError;
use mem_team::settings::{self, TeamShare};
use mem_team::suggestion::Suggestion;
use mem_team::tokens::VARIABLE;

use super::setup::ConsentArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::one_line;

/// Accept what the repository suggests
///
/// A repository may say in `.mem/team.toml` where its team memory is shared:
///
///   remote = "git:origin"
///   repo = "owner/repo"
///
/// Nothing follows from that until you accept it here, once; nobody is asked anything before, not
/// even with --dry-run. What you accepted is recorded outside of the repository; when the file
/// changes, you are asked again. How team files leave this machine is asked on a terminal, or said
/// with --push; --json is that of `mem team setup`.
///
/// Example: mem team join
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The name of the memory there; as the repository suggests if it is not given
    #[arg(long, value_name = "OWNER/REPO")]
    repo: Option<String>,
    #[command(flatten)]
    consent: ConsentArgs,
    /// Accept without being asked
    #[arg(long, short)]
    yes: bool,
}

/// Shows the suggestion, asks, and records it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let suggestion =
        Suggestion::from_workdir(&place.project.workdir)?.ok_or(TeamError::NoSuggestion)?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let store = memory.store(Scope::Team).clone();
    let repo = args.repo.as_deref().unwrap_or(&suggestion.repo);
    let share = settings::make_share(&place, &suggestion.remote, repo, store)?;
    let (repository, address) = (share.repository.name(), share.address.to_string());
    let audience = share.audience();
    let audience = audience.map_or(String::new(), |who| format!(" ({who})"));
    let stands_for = share.stands_for();
    let stands_for = stands_for.map_or(String::new(), |url| {
        format!(", which is {}", one_line(&url))
    });
    let verb = if args.consent.dry_run {
        "look at"
    } else {
        "share"
    };
    let question = format!(
        "{verb} the team's memory of {} at {}{stands_for}{}?{audience}{}",
        one_line(repository),
        one_line(&address),
        replaced_share(&share, &place),
        sent_along(&share, context)
    );
    // A look is a request too: who asks, and with which token, is nothing for an address that nobody agreed to.
    context.require_confirmation(&question, args.yes)?;
    let sha256 = Some(suggestion.sha256);
    args.consent
        .agree(share, sha256, !args.yes, &place, context)
}

/// What is given up for it.
fn replaced_share(share: &TeamShare, place: &ProjectContext) -> String {
    let TeamSettings { remote, repo, .. } = &place.config.values.team;
    // One that cannot be understood is not shown either.
    let Ok(before) = Address::parse_address(remote) else {
        return String::new();
    };
    let is_same = before == share.address && repo.eq_ignore_ascii_case(share.repository.name());
    match is_same {
        true => String::new(),
        false => {
            let (repo, before) = (one_line(repo), before.to_string());
            format!(", instead of {repo} at {}", one_line(&before))
        }
    }
}

/// What a server gets to know by the first request.
fn sent_along(share: &TeamShare, context: &Context) -> &'static str {
    let has_token = context
        .env
        .get(VARIABLE)
        .is_some_and(|token| !token.is_empty());
    match &share.address {
        Address::Server(_) if has_token => " (the token in MEM_TOKEN is sent there)",
        _ => "",
    }
}
