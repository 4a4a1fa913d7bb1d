//! How team files leave this machine (`team.push`): a person says so when they set the sharing up.

use mem_core::RunContext;
use mem_core::config;
use mem_core::location::ProjectContext;

use super::error::TeamError;
use super::settings::TeamShare;

/// The setting.
pub const SETTING: &str = "team.push";

/// What leaves by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sending {
    /// What a person saved, shared or reviewed; the rest waits for a look.
    Review,
    /// Everything.
    Auto,
}

impl Sending {
    /// The word in the settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Review => "review",
            Self::Auto => "auto",
        }
    }

    /// What a share does.
    pub fn for_share(share: &TeamShare) -> Self {
        match share.pushes_in_review {
            true => Self::Review,
            false => Self::Auto,
        }
    }
}

/// Records what a person said, in the table of the repository.
///
/// # Errors
/// The settings cannot be written.
pub(crate) fn record_sending(
    sending: Sending,
    place: &ProjectContext,
    context: &RunContext,
) -> Result<(), TeamError> {
    let root = Some(place.project.root.as_path());
    config::set(context.dirs()?, SETTING, sending.as_str(), root)?;
    Ok(())
}
