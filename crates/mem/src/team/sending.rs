//! How team files leave this machine (`team.push`): a person says so when they set the sharing up.

use anyhow::Result;
use mem_core::config;
use mem_core::location::ProjectContext;

use super::settings::TeamShare;
use crate::context::Context;
use crate::usage::UsageError;

/// The setting.
const SETTING: &str = "team.push";

/// What leaves by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Sending {
    /// What a person saved, shared or reviewed; the rest waits for a look.
    Review,
    /// Everything.
    Auto,
}

impl Sending {
    /// The word in the settings.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Review => "review",
            Self::Auto => "auto",
        }
    }

    /// What a share does.
    pub(crate) fn for_share(share: &TeamShare) -> Self {
        match share.pushes_in_review {
            true => Self::Review,
            false => Self::Auto,
        }
    }
}

/// What a person says: by a flag, or asked on a terminal where nothing is set yet. `None` where the settings stay as
/// they are.
///
/// # Errors
/// The answer is none, or the terminal cannot be read.
pub(crate) fn ask_sending(
    flag: Option<Sending>,
    may_ask: bool,
    place: &ProjectContext,
    context: &Context,
) -> Result<Option<Sending>> {
    let is_set = place.config.is_set(SETTING);
    if flag.is_some() || is_set || !may_ask || !context.is_interactive() {
        return Ok(flag);
    }
    let question = "how do team files leave this machine? review: what you save, share or review goes by \
                    itself, what agents and other programs write waits for your look; auto: everything goes by \
                    itself [review]";
    let answer = context.ask_line(question)?.map(|word| word.to_lowercase());
    match answer.as_deref() {
        None | Some("review" | "r") => Ok(Some(Sending::Review)),
        Some("auto" | "a") => Ok(Some(Sending::Auto)),
        Some(_) => {
            let hint = "answer `review` or `auto`, or give it with --push; nothing was set up";
            Err(UsageError::new("that is no way to send team files", hint).into())
        }
    }
}

/// Records what a person said, in the table of the repository.
///
/// # Errors
/// The settings cannot be written.
pub(super) fn record_sending(
    sending: Sending,
    place: &ProjectContext,
    context: &Context,
) -> Result<()> {
    let root = Some(place.project.root.as_path());
    config::set(context.dirs()?, SETTING, sending.as_str(), root)?;
    Ok(())
}
