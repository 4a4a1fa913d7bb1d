//! How team files leave this machine, as a person says it: with a flag, or asked on a terminal.

use anyhow::Result;
use clap::builder::{PossibleValue, TypedValueParser};
use mem_core::config::TeamFlow;
use mem_core::location::ProjectContext;
use mem_team::settings::PUSH_SETTING;

use crate::context::Context;
use crate::usage::UsageError;
use crate::word_parser::parse_word;

/// What leaves by itself.
pub(crate) fn parse_sending() -> impl TypedValueParser<Value = TeamFlow> {
    parse_word([
        (
            PossibleValue::new(TeamFlow::Review.as_str())
                .help("What a person saved, shared or reviewed; the rest waits for a look"),
            TeamFlow::Review,
        ),
        (
            PossibleValue::new(TeamFlow::Auto.as_str()).help("Everything"),
            TeamFlow::Auto,
        ),
    ])
}

/// What a person says: by a flag, or asked on a terminal where nothing is set yet. `None` where the settings stay as
/// they are.
///
/// # Errors
/// The answer is none, or the terminal cannot be read.
pub(crate) fn ask_sending(
    flag: Option<TeamFlow>,
    may_ask: bool,
    place: &ProjectContext,
    context: &Context,
) -> Result<Option<TeamFlow>> {
    let is_set = place.config.is_set(PUSH_SETTING);
    if flag.is_some() || is_set || !may_ask || !context.is_interactive() {
        return Ok(flag);
    }
    let question = "how do team files leave this machine? review: what you save, share or review goes by \
                    itself, what agents and other programs write waits for your look; auto: everything goes by \
                    itself [review]";
    let answer = context.ask_line(question)?.map(|word| word.to_lowercase());
    match answer.as_deref() {
        None | Some("review" | "r") => Ok(Some(TeamFlow::Review)),
        Some("auto" | "a") => Ok(Some(TeamFlow::Auto)),
        Some(_) => {
            let hint = "answer `review` or `auto`, or give it with --push; nothing was set up";
            Err(UsageError::new("that is no way to send team files", hint).into())
        }
    }
}
