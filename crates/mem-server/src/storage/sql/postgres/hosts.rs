//! The address of a database that several servers may have: the primary and its standbys.
//!
//! Two forms, as libpq reads them: `postgres://user@a:5432,b:5433/database`, and lists in the query,
//! `?host=/run/a,/run/b&port=5432,5433`. Source: the section "Connection URIs" of PostgreSQL's manual.

use std::str::FromStr as _;

use sqlx::postgres::PgConnectOptions;

use crate::storage::StorageError;

/// Says which server is wanted. It is always the one that takes writes, so the value changes nothing.
const ATTRIBUTES: &str = "target_session_attrs";

/// Every server that an address names, in its order. No error quotes the address: it may hold a password.
///
/// # Errors
/// [`StorageError::Address`].
pub(super) fn parse_hosts(url: &str) -> Result<Vec<PgConnectOptions>, StorageError> {
    let (scheme, rest) = url.split_once("://").ok_or(StorageError::Address)?;
    if !["postgres", "postgresql"].contains(&scheme) {
        return Err(StorageError::Address);
    }
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at(end);
    let (user, places) = match authority.rsplit_once('@') {
        Some((user, places)) => (format!("{user}@"), places),
        None => (String::new(), authority),
    };
    let (path, query) = tail.split_once('?').unwrap_or((tail, ""));
    let pairs: Vec<(&str, Vec<&str>)> = query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .filter(|(name, _)| *name != ATTRIBUTES)
        .map(|(name, value)| (name, parameter_values(name, value)))
        .collect();
    let places: Vec<&str> = places.split(',').collect();
    let longest = pairs.iter().map(|(_, values)| values.len()).max();
    let count = places.len().max(longest.unwrap_or(1));
    (0..count)
        .map(|at| {
            let place = value_for(&places, at).ok_or(StorageError::Address)?;
            let pairs = pairs.iter().map(|(name, values)| {
                let value = value_for(values, at).ok_or(StorageError::Address)?;
                Ok(format!("{name}={value}"))
            });
            let query = pairs.collect::<Result<Vec<_>, StorageError>>()?.join("&");
            let one = format!("{scheme}://{user}{place}{path}?{query}");
            PgConnectOptions::from_str(&one).map_err(|_| StorageError::Address)
        })
        .collect()
}

/// The values of a parameter. Only these two may be lists; a password may hold a comma.
fn parameter_values<'u>(name: &str, value: &'u str) -> Vec<&'u str> {
    match ["host", "port"].contains(&name) {
        true => value.split(',').collect(),
        false => vec![value],
    }
}

/// What a list says of a server: a single element is for all of them.
fn value_for<'u>(list: &[&'u str], at: usize) -> Option<&'u str> {
    match list {
        [one] => Some(one),
        more => more.get(at).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(url: &str) -> Vec<String> {
        let hosts = parse_hosts(url).unwrap().into_iter();
        hosts
            .map(|host| match host.get_socket() {
                Some(folder) => format!("{}:{}", folder.display(), host.get_port()),
                None => format!("{}:{}", host.get_host(), host.get_port()),
            })
            .collect()
    }

    #[test]
    fn an_address_names_one_server_or_several() {
        for (url, expected) in [
            ("postgres://u@a/d", vec!["a:5432"]),
            ("postgres://u@a:1,b:2/d", vec!["a:1", "b:2"]),
            (
                "postgresql://u@a,b:2/d?sslmode=prefer",
                vec!["a:5432", "b:2"],
            ),
            ("postgres://u@h/d?host=/x,/y", vec!["/x:5432", "/y:5432"]),
            ("postgres://u@h/d?host=/x,/y&port=7,8", vec!["/x:7", "/y:8"]),
            ("postgres://u@h/d?host=a,b&port=7", vec!["a:7", "b:7"]),
            (
                "postgres://u@a,b,c/d?target_session_attrs=read-write",
                vec!["a:5432", "b:5432", "c:5432"],
            ),
        ] {
            assert_eq!(places(url), expected, "{url}");
        }
        let hosts = parse_hosts("postgres://user@a,b/team?options=-c%20x=1").unwrap();
        for host in hosts {
            assert_eq!(host.get_username(), "user");
            assert_eq!(host.get_database(), Some("team"));
        }
    }

    #[test]
    fn lists_of_different_lengths_and_other_schemes_are_no_addresses() {
        for url in [
            "mysql://u@a/d",
            "postgres:a",
            "postgres://u@a,b/d?host=/x,/y,/z",
            "postgres://u@h/d?host=a,b,c&port=1,2",
        ] {
            assert!(
                matches!(parse_hosts(url), Err(StorageError::Address)),
                "{url}"
            );
        }
    }
}
