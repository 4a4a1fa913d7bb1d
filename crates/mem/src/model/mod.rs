//! The model of the user's settings: a program, or one behind the Messages API.
//!
//! No file of a repository says which, where, or with which key: its settings are not read here, a host may pass
//! them on as variables, and so an agent's environment names none of it. `error`: what cannot be used. `key`:
//! where the key of the API comes from.

mod error;
mod key;

use std::time::Duration;

use mem_agent::model::{Api, ApiOptions, Model, ModelError};
use mem_core::config::Origin;
use mem_core::history::Actor;
use mem_core::location::Place;
use secrecy::SecretString;

pub(crate) use error::ModelSettingError;
pub(crate) use key::VARIABLE as KEY_VARIABLE;

use crate::context::Context;

/// The settings that say who is asked.
const API: &str = "model.api";
const NAME: &str = "model.name";
const KEY_FILE: &str = "model.key_file";
const COMMAND: &str = "model.command";

/// What a host gives to all that it runs, hooks too. Beside it no word about who acts counts: it may come from
/// the repository.
const OF_HOSTS: [&str; 3] = ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_PROJECT_DIR"];

/// The model that is set; a program goes before an API. `None` where none is set.
///
/// # Errors
/// The settings name one that cannot be asked.
pub(crate) fn configured(
    place: &Place,
    context: &Context,
) -> Result<Option<Model>, ModelSettingError> {
    let config = &place.config;
    let seconds = config.integer("model.timeout").unwrap_or_default();
    let limit = Duration::from_secs(u64::try_from(seconds).unwrap_or_default().max(1));
    if let Some(program) = Model::new(config.text(COMMAND), limit) {
        return Ok(Some(program));
    }
    if !is_api_set(place) {
        return Ok(None);
    }
    let (key, _) = key_of(place, context)?;
    let tokens = config.integer("model.max_tokens").unwrap_or_default();
    let api = Api::new(ApiOptions {
        base: base(place).to_owned(),
        key,
        name: config.text(NAME).trim().to_owned(),
        user_agent: concat!("mem/", env!("CARGO_PKG_VERSION")).to_owned(),
        time_limit: limit,
        tokens_max: u64::try_from(tokens).unwrap_or_default(),
    });
    let api = api.map_err(ModelError::from)?;
    Ok(Some(Model::Api(Box::new(api))))
}

/// Which model is asked, for a person; nothing of its key but where it comes from.
///
/// # Errors
/// As for [`configured`].
pub(crate) fn described(
    place: &Place,
    context: &Context,
) -> Result<Option<String>, ModelSettingError> {
    Ok(match configured(place, context)? {
        None => None,
        Some(Model::Program(_)) => Some(format!("a program (`{COMMAND}`)")),
        Some(Model::Api(_)) => {
            let (_, origin) = key_of(place, context)?;
            let (base, name) = (base(place), place.config.text(NAME));
            Some(format!("{name} at {base}, with the key of {origin}"))
        }
    })
}

fn is_api_set(place: &Place) -> bool {
    !place.config.text(API).trim().is_empty()
}

/// The address; an ending that SDKs add by themselves is taken off.
fn base(place: &Place) -> &str {
    let base = place.config.text(API).trim().trim_end_matches('/');
    base.strip_suffix("/v1").unwrap_or(base)
}

/// The key for the address of the settings, and where it comes from.
fn key_of(
    place: &Place,
    context: &Context,
) -> Result<(SecretString, key::KeyOrigin), ModelSettingError> {
    let by_variable = |key: &str| match place.config.origin(key) {
        Origin::Environment(variable) => Some(variable),
        _ => None,
    };
    if is_agent(context)
        && let Some(variable) = [API, NAME, KEY_FILE].into_iter().find_map(by_variable)
    {
        return Err(ModelSettingError::ByEnvironment(variable));
    }
    let asked = key::Asked {
        base: base(place),
        is_named_by_variable: by_variable(API).is_some(),
        file: place.config.text(KEY_FILE),
    };
    key::find(&asked, place, context)
}

/// Whether an agent runs this, or a host behind its person's back.
fn is_agent(context: &Context) -> bool {
    let is_by_host = OF_HOSTS.iter().any(|name| context.env.get(name).is_some());
    is_by_host || context.author().actor == Actor::Agent
}
