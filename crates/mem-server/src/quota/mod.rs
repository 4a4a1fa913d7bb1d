//! How much a workspace and a user may have and ask for.
//!
//! # Layout
//! - [`QuotaSettings`]: the section `[quota]` of the server's settings.
//! - `day_count`: requests and searches of a day, on all replicas together.
//! - `report`: what a caller has of it, as headers and at `/api/quota`.
//!
//! Bytes and memories are checked where a change is handed to the storage (`storage::quota`).

mod day_count;
mod report;

use std::collections::BTreeMap;

pub(crate) use day_count::{DayCounts, DayMeasure};
pub(crate) use report::{quota_header, routes};
use serde::Deserialize;

/// The section `[quota]`. Without a value there is no limit.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QuotaSettings {
    /// Of each workspace.
    pub workspace: QuotaLimits,
    /// Of each user: of a token, or of a person who signed in.
    pub user: QuotaLimits,
    /// Of the workspaces with these ids, where it differs.
    pub workspaces: BTreeMap<String, QuotaLimits>,
    /// Of the users with these ids, where it differs.
    pub users: BTreeMap<String, QuotaLimits>,
}

/// What somebody may have and ask for.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(default, deny_unknown_fields)]
pub struct QuotaLimits {
    /// Bytes of the contents of memories that were not deleted.
    pub bytes: Option<u64>,
    /// Memories that were not deleted.
    pub memories: Option<u64>,
    /// Requests of a day, in UTC.
    pub requests_per_day: Option<u64>,
    /// Searches of a day, in UTC.
    pub searches_per_day: Option<u64>,
}

/// Whose limits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum QuotaOwner {
    /// A workspace, by its id.
    Workspace(String),
    /// The caller, by the id of the token or user.
    User {
        /// Where it is.
        workspace: String,
        /// Which.
        id: String,
    },
}

impl QuotaOwner {
    /// A user of a workspace.
    pub(crate) fn user(workspace: &str, id: &str) -> Self {
        Self::User {
            workspace: workspace.to_owned(),
            id: id.to_owned(),
        }
    }

    /// What it is, in a message.
    pub(crate) fn noun(&self) -> &'static str {
        match self {
            Self::Workspace(_) => "workspace",
            Self::User { .. } => "user",
        }
    }

    /// Its id.
    pub(crate) fn id(&self) -> &str {
        match self {
            Self::Workspace(id) | Self::User { id, .. } => id,
        }
    }
}

impl QuotaLimits {
    fn or(self, each: Self) -> Self {
        Self {
            bytes: self.bytes.or(each.bytes),
            memories: self.memories.or(each.memories),
            requests_per_day: self.requests_per_day.or(each.requests_per_day),
            searches_per_day: self.searches_per_day.or(each.searches_per_day),
        }
    }

    fn has_day_limit(&self) -> bool {
        self.requests_per_day.is_some() || self.searches_per_day.is_some()
    }
}

impl QuotaSettings {
    /// The limits of somebody.
    pub(crate) fn limits(&self, owner: &QuotaOwner) -> QuotaLimits {
        let (own, each) = match owner {
            QuotaOwner::Workspace(id) => (self.workspaces.get(id), self.workspace),
            QuotaOwner::User { id, .. } => (self.users.get(id), self.user),
        };
        own.copied().unwrap_or_default().or(each)
    }

    /// Whether anybody has a limit for a day.
    pub(crate) fn has_day_limit(&self) -> bool {
        let own = self.workspaces.values().chain(self.users.values());
        let mut all = own.chain([&self.workspace, &self.user]);
        all.any(QuotaLimits::has_day_limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_of_somebody_holds_over_that_of_each() {
        let text = "[quota.workspace]\nbytes = 10\nmemories = 5\n[quota.workspaces.wrkspc_a]\nbytes = 99\n";
        let settings: crate::ServerSettings = toml_edit::de::from_str(text).unwrap();
        let limits = |id: &str| settings.quota.limits(&QuotaOwner::Workspace(id.to_owned()));
        assert_eq!(
            (limits("wrkspc_a").bytes, limits("wrkspc_a").memories),
            (Some(99), Some(5))
        );
        assert_eq!(limits("wrkspc_b").bytes, Some(10));
        let user = QuotaOwner::user("wrkspc_a", "u");
        assert_eq!(settings.quota.limits(&user), QuotaLimits::default());
    }
}
