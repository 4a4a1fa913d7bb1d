//! What a token may do: a resource and a verb, `team:OWNER/REPO:write` as people write it.
//!
//! Resources are `team:OWNER/REPO` and `team:OWNER/*` (the memory of repositories, through both APIs),
//! `store:*` (every other memory store, those that are yet to be made too), `store:memstore_…`, `records` (the
//! structured memories of the token's own user), `*` for all of these, and `tokens` (the tokens of the token's own
//! workspace) and `webhooks` (its webhooks), which `*` does not cover.

use mem_core::Diagnose;
use mem_sync::Repository;

use crate::storage::{Grant, RepositoryName, Verb};

/// The resources of team memory.
const TEAM: &str = "team:";
/// The resources of memory stores that are no repository's.
const STORE: &str = "store:";
/// The records of the token's own user.
pub(crate) const RECORDS: &str = "records";
/// The tokens of the token's own workspace.
pub(crate) const TOKENS: &str = "tokens";
/// The webhooks of the token's own workspace.
pub(crate) const WEBHOOKS: &str = "webhooks";
/// How the id of a store begins.
const STORE_ID: &str = "memstore_";

/// A text that is no grant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Diagnose)]
#[diagnose(
    Invalid,
    hint = "write `team:OWNER/REPO:read`, `team:OWNER/*:write`, `store:*:read`, \
            `store:memstore_…:write`, `records:write`, `*:write`, `tokens:write` or `webhooks:write`"
)]
#[error("`{0}` is not a grant")]
pub struct InvalidGrant(String);

/// Reads a grant.
///
/// # Errors
/// [`InvalidGrant`].
pub fn parse(text: &str) -> Result<Grant, InvalidGrant> {
    let invalid = || InvalidGrant(mem_core::memory_path::printable(text));
    let (resource, verb) = text.rsplit_once(':').ok_or_else(invalid)?;
    let verb = Verb::from_stored(verb).ok_or_else(invalid)?;
    let resource = resource_of(resource).ok_or_else(invalid)?;
    Ok(Grant { resource, verb })
}

impl TryFrom<String> for Grant {
    type Error = InvalidGrant;

    fn try_from(text: String) -> Result<Self, InvalidGrant> {
        parse(&text)
    }
}

/// A resource in the form that it is kept in.
fn resource_of(text: &str) -> Option<String> {
    if ["*", RECORDS, TOKENS, WEBHOOKS].contains(&text) {
        return Some(text.to_owned());
    }
    if let Some(store) = text.strip_prefix(STORE) {
        let is_id = |id: &str| {
            (1..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric())
        };
        let fits = store == "*" || store.strip_prefix(STORE_ID).is_some_and(is_id);
        return fits.then(|| text.to_owned());
    }
    let name = text.strip_prefix(TEAM)?;
    if let Some(owner) = name.strip_suffix("/*") {
        // Whatever is below it has to be able to be a repository.
        let probe = Repository::of_name(&format!("{owner}/x")).ok()?;
        let owner = probe.name().strip_suffix("/x")?;
        return Some(format!("{TEAM}{owner}/*"));
    }
    let repository = Repository::of_name(name).ok()?;
    Some(format!("{TEAM}{}", repository.name()))
}

/// Whether one of these allows it.
pub(crate) fn allow(grants: &[Grant], repository: &RepositoryName, verb: Verb) -> bool {
    let covers = |resource: &str| match resource.strip_prefix(TEAM) {
        None => resource == "*",
        Some(name) => match name.strip_suffix('*') {
            Some(folder) => repository.as_str().starts_with(folder) && folder.ends_with('/'),
            None => name == repository.as_str(),
        },
    };
    let mut fitting = grants.iter().filter(|grant| covers(&grant.resource));
    fitting.any(|grant| verb <= grant.verb)
}

/// Whether one of these allows all that `wanted` allows.
pub(crate) fn include(grants: &[Grant], wanted: &Grant) -> bool {
    let resource = wanted.resource.as_str();
    let covers = |one: &str| match one.strip_suffix('*') {
        // `*`, `store:*`, `team:owner/*`.
        Some(start) => resource.starts_with(start) && ![TOKENS, WEBHOOKS].contains(&resource),
        None => one == resource,
    };
    let mut fitting = grants.iter().filter(|grant| covers(&grant.resource));
    fitting.any(|grant| wanted.verb <= grant.verb)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grants_cover_what_they_name() {
        let may = |grants: &[&str], repository: &str, verb| {
            let grants: Vec<Grant> = grants.iter().map(|text| parse(text).unwrap()).collect();
            allow(&grants, &RepositoryName::parse(repository).unwrap(), verb)
        };
        use Verb::{Read, Write};
        assert!(may(&["*:write"], "a/b", Write) && may(&["*:read"], "a/b", Read));
        assert!(!may(&["*:read"], "a/b", Write) && !may(&[], "a/b", Read));
        assert!(may(&["team:A/B:write"], "a/b", Read) && may(&["team:a/b:write"], "A/B", Write));
        assert!(
            !may(&["team:a/b:write"], "a/bc", Read) && !may(&["team:a/b:write"], "a/b/c", Read)
        );
        assert!(may(&["team:a/*:read"], "a/b/c", Read) && !may(&["team:a/*:read"], "ab/c", Read));
        assert!(may(&["team:a/*:read", "team:a/b:write"], "a/b", Write));
        assert!(!may(&["team:a/*:read", "team:a/b:write"], "a/c", Write));
        assert!(!may(
            &["store:*:write", "store:memstore_a:write"],
            "a/b",
            Read
        ));
    }

    #[test]
    fn nobody_hands_on_more_than_they_have() {
        let may = |held: &[&str], wanted: &str| {
            let held: Vec<Grant> = held.iter().map(|text| parse(text).unwrap()).collect();
            include(&held, &parse(wanted).unwrap())
        };
        for (held, wanted) in [
            ("*:write", "store:*:read"),
            ("*:read", "records:read"),
            ("store:*:write", "store:memstore_a:write"),
            ("team:a/*:read", "team:a/b:read"),
            ("team:a/*:write", "team:a/b/*:read"),
            ("tokens:write", "tokens:read"),
        ] {
            assert!(may(&[held], wanted), "{held} {wanted}");
        }
        for (held, wanted) in [
            ("*:read", "store:*:write"),
            ("*:write", "tokens:read"),
            ("*:write", "webhooks:read"),
            ("store:*:write", "team:a/b:read"),
            ("store:*:write", "*:read"),
            ("store:memstore_a:write", "store:*:read"),
            ("team:a/*:write", "team:ab/c:read"),
            ("team:a/b:write", "team:a/*:read"),
            ("tokens:write", "*:read"),
        ] {
            assert!(!may(&[held, "records:write"], wanted), "{held} {wanted}");
        }
    }

    #[test]
    fn what_is_no_grant_is_refused() {
        for text in [
            "",
            "*",
            "write",
            "team:a:write",
            "team:a/b",
            "team:a/b:own",
            "team:*:read",
            "team:*/b:read",
            "store:x:read",
            "store:memstore_:read",
            "store:memstore_a/b:read",
            "store:mem_a:read",
            "store:memstore_a*:read",
            "team:a/../b:read",
            "team:/*:read",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert_eq!(parse("team:A/*:read").unwrap().to_string(), "team:a/*:read");
        assert_eq!(parse("records:write").unwrap().to_string(), "records:write");
    }
}
