//! How one's own notes are kept in step, as far as that is known without asking anybody.

use mem_core::location::ProjectContext;
use serde_json::{Value, json};

use super::team::SharedTier;
use crate::context::Context;
use crate::error::ErrorShape;
use crate::sanitize::one_line;
use crate::style::WARNING;
use crate::team::standing::ShareStatus;

/// What a status tells of it; nothing where it is not set up.
#[derive(Debug, Default)]
pub(super) struct PersonalSyncStatus {
    shared: Option<SharedTier>,
    /// Why it cannot be told.
    error: Option<String>,
}

impl PersonalSyncStatus {
    /// Looks at the settings and at what is remembered. What is wrong with them is told, not failed at.
    pub(super) fn for_project(place: &ProjectContext, context: &Context) -> Self {
        match look_up(place, context) {
            Ok(shared) => Self {
                shared,
                error: None,
            },
            Err(error) => Self {
                shared: None,
                error: Some(ErrorShape::from_error(&error).message),
            },
        }
    }

    /// The lines for people.
    pub(super) fn status_lines(&self) -> Vec<String> {
        let error = self.error.iter();
        let error = error.map(|why| format!("  {WARNING}own notes{WARNING:#}: {}", one_line(why)));
        self.shared
            .iter()
            .map(SharedTier::status_line)
            .chain(error)
            .collect()
    }

    /// The stable shape; null where nothing is kept in step.
    pub(super) fn to_json(&self) -> Value {
        match (&self.shared, &self.error) {
            (Some(shared), _) => shared.to_json(),
            (None, Some(error)) => json!({ "error": error }),
            (None, None) => Value::Null,
        }
    }
}

fn look_up(place: &ProjectContext, context: &Context) -> anyhow::Result<Option<SharedTier>> {
    let Some(own) = context.own_if_set_up(place)? else {
        return Ok(None);
    };
    let mut all: Option<SharedTier> = None;
    for share in &own.shares {
        let standing = ShareStatus::for_share(share, place, context)?;
        let shared = all.get_or_insert_with(|| SharedTier::of_own(share));
        shared.count_tier(share, standing);
    }
    Ok(all)
}
