//! The model of the user's settings: a program, or one behind the Messages API.
//!
//! No file of a repository says which, where, or with which key: its settings are not read here, a host may pass
//! them on as variables, and so an agent's environment names none of it. `error`: what cannot be used. `key`:
//! where the key of the API comes from.

mod error;
mod key;

use std::path::Path;
use std::time::Duration;

use crate::model::{Api, ApiError, ApiOptions, Model, ModelError, STALL, judge_address};
use mem_core::RunContext;
use mem_core::config::SettingOrigin;
use mem_core::history::AuthorKind;
use mem_core::location::ProjectContext;
use secrecy::SecretString;

pub use error::ModelSettingError;

/// The settings that say who is asked.
const API: &str = "model.api";
const NAME: &str = "model.name";
const KEY_FILE: &str = "model.key_file";
const COMMAND: &str = "model.command";

/// The model that is set; a program goes before an API. `None` where none is set.
///
/// # Errors
/// The settings name one that cannot be asked.
pub fn configured_model(
    place: &ProjectContext,
    run: &RunContext,
) -> Result<Option<Model>, ModelSettingError> {
    let model = &place.config.values.model;
    let limit = Duration::from_secs(model.timeout.max(1));
    require_of_person(&[COMMAND], place, run)?;
    if let Some(program) = Model::new(&model.command, limit) {
        return Ok(Some(program));
    }
    if !is_api_set(place) {
        return Ok(None);
    }
    let (key, _) = key_of(place, run)?;
    let api = Api::new(ApiOptions {
        base: base_address(place).to_owned(),
        key,
        name: model.name.clone(),
        user_agent: concat!("mem/", env!("CARGO_PKG_VERSION")).to_owned(),
        time_limit: limit,
        stall: STALL,
        tokens_max: model.max_tokens,
    });
    let api = api.map_err(ModelError::from)?;
    Ok(Some(Model::Api(Box::new(api))))
}

/// Which model is asked, for a person; nothing of its key but where it comes from.
///
/// # Errors
/// As for [`configured_model`].
pub fn describe_model(
    place: &ProjectContext,
    run: &RunContext,
) -> Result<Option<String>, ModelSettingError> {
    Ok(match configured_model(place, run)? {
        None => None,
        Some(Model::Program(_)) => Some(format!("a program (`{COMMAND}`)")),
        Some(Model::Api(_)) => {
            let (_, origin) = key_of(place, run)?;
            let (base, name) = (base_address(place), &place.config.values.model.name);
            Some(format!("{name} at {base}, with the key of {origin}"))
        }
    })
}

fn is_api_set(place: &ProjectContext) -> bool {
    !place.config.values.model.api.is_empty()
}

/// The address; an ending that SDKs add by themselves is taken off.
fn base_address(place: &ProjectContext) -> &str {
    let base = place.config.values.model.api.trim_end_matches('/');
    base.strip_suffix("/v1").unwrap_or(base)
}

/// The key for the address of the settings, and where it comes from.
fn key_of(
    place: &ProjectContext,
    run: &RunContext,
) -> Result<(SecretString, key::KeyOrigin), ModelSettingError> {
    require_of_person(&[API, NAME, KEY_FILE], place, run)?;
    let asked = key::KeyRequest {
        base: base_address(place),
        is_named_by_variable: by_variable(API, place).is_some(),
        file: &place.config.values.model.key_file,
    };
    key::find_key(&asked, place, run)
}

/// Refuses what can be no setting of a model, before it is kept: a key in the place of its file is not quoted.
///
/// # Errors
/// An address that no key may go to, no name, or no path.
pub fn check_setting(key: &str, value: &str) -> Result<(), ModelSettingError> {
    let value = value.trim();
    match key {
        API if !value.is_empty() => judge_address(value).map_err(ModelError::from)?,
        NAME if value.is_empty() => return Err(ModelError::from(ApiError::NoName).into()),
        KEY_FILE if !value.is_empty() && !is_path(value) => return Err(ModelSettingError::NoPath),
        _ => {}
    }
    Ok(())
}

/// Whether it could name a file of one's own from everywhere.
fn is_path(value: &str) -> bool {
    Path::new(value.strip_prefix('~').unwrap_or(value)).is_absolute()
}

/// The variable that gives a setting.
fn by_variable(key: &str, place: &ProjectContext) -> Option<String> {
    match place.config.origin(key) {
        SettingOrigin::Environment(variable) => Some(variable),
        _ => None,
    }
}

/// Refuses settings that the environment of an agent gives, or that of a host behind its person's back.
fn require_of_person(
    keys: &[&'static str],
    place: &ProjectContext,
    run: &RunContext,
) -> Result<(), ModelSettingError> {
    let is_agent = run.env.is_of_agent() || run.author().actor == AuthorKind::Agent;
    let named = keys
        .iter()
        .find_map(|key| Some((*key, by_variable(key, place)?)));
    match named {
        Some((key, variable)) if is_agent => {
            Err(ModelSettingError::ByEnvironment { key, variable })
        }
        _ => Ok(()),
    }
}
