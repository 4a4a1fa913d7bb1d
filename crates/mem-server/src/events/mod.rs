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

use std::net::{Ipv4Addr, Ipv6Addr};

use address::AddressPolicy;
pub(crate) use delivery::DeliveryTask;
pub use event::{EVENT_TYPES, Event, EventType};
use ipnet::{IpNet, Ipv4Net, Ipv6Net};
pub(crate) use routes::routes;
pub use routes::{dead_letter_json, webhook_json};
use serde::{Deserialize, Deserializer};
pub(crate) use signing::SigningSecret;

/// `[events]` of the server's settings.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EventSettings {
    /// Which addresses that are not on the public internet webhooks may lead to: `true`, or a list of networks.
    pub allow_private: AllowPrivate,
    /// For one attempt at a delivery, from 1 to 20.
    #[serde(deserialize_with = "attempt_seconds")]
    pub timeout_seconds: u64,
}

impl Default for EventSettings {
    fn default() -> Self {
        Self {
            allow_private: AllowPrivate::default(),
            timeout_seconds: 15,
        }
    }
}

/// A lease on a delivery lasts longer than any attempt.
fn attempt_seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let seconds = u64::deserialize(deserializer)?;
    match (1..=20).contains(&seconds) {
        true => Ok(seconds),
        false => Err(serde::de::Error::custom("a number from 1 to 20 is needed")),
    }
}

/// Which addresses that are not on the public internet may be asked.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "`allow_private` is `true`, `false` or a list of networks such as `[\"10.1.0.0/16\"]`"
)]
pub enum AllowPrivate {
    /// All or none.
    All(bool),
    /// Those of these networks, such as `10.1.0.0/16`.
    Networks(Vec<IpNet>),
}

impl Default for AllowPrivate {
    fn default() -> Self {
        Self::All(false)
    }
}

impl EventSettings {
    /// Which addresses may be asked.
    pub fn address_policy(&self) -> AddressPolicy {
        AddressPolicy::allowing(match &self.allow_private {
            AllowPrivate::All(false) => Vec::new(),
            AllowPrivate::All(true) => vec![
                IpNet::V4(Ipv4Net::new_assert(Ipv4Addr::UNSPECIFIED, 0)),
                IpNet::V6(Ipv6Net::new_assert(Ipv6Addr::UNSPECIFIED, 0)),
            ],
            AllowPrivate::Networks(networks) => networks.clone(),
        })
    }
}
