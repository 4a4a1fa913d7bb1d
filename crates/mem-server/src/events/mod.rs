//! Events: what happens to stores and memories, delivered to webhooks.
//!
//! # Layout
//! - `event`: what a receiver gets. `signing`: how it knows that the server sent it.
//! - [`address`]: where webhooks may lead. `delivery`: the task that sends, and sends again.
//! - `routes`: `/api/webhooks`.
//!
//! The outbox, in which events wait, is a part of the storage (`storage::outbox`).

pub mod address;
mod delivery;
mod event;
mod routes;
mod signing;
#[cfg(test)]
mod tests;

use address::AddressPolicy;
pub(crate) use delivery::{Senders, deliver};
pub use event::{EVENT_TYPES, Event, EventType};
pub(crate) use routes::routes;
use serde::Deserialize;
pub(crate) use signing::SigningSecret;

use crate::settings::number_up_to;

/// A lease on a delivery lasts longer than any attempt.
const ATTEMPT_SECONDS_MAX: u32 = 20;

/// `[events]` of the server's settings.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EventSettings {
    /// Which addresses that are not on the public internet webhooks may lead to: `true`, or a list of networks.
    pub allow_private: AddressPolicy,
    /// For one attempt at a delivery, from 1 to 20.
    #[serde(deserialize_with = "number_up_to::<_, ATTEMPT_SECONDS_MAX>")]
    pub timeout_seconds: u32,
}

impl Default for EventSettings {
    fn default() -> Self {
        Self {
            allow_private: AddressPolicy::default(),
            timeout_seconds: 15,
        }
    }
}
