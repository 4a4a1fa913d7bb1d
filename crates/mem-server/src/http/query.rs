//! The part of an address behind the `?`: every parameter known, and none of them twice.

use std::collections::BTreeSet;

use mem_sync::EntryKey;
use mem_sync::limits::{ASKED_KEYS_BYTES_MAX, ASKED_KEYS_MAX};

use super::problem::HttpProblem;

/// The one parameter that is a list: repeated, or with commas between its values.
const LIST: &str = "keys";

/// The parameters of one request.
#[derive(Debug, Default)]
pub(crate) struct Parameters {
    pairs: Vec<(String, String)>,
    has_list: bool,
}

impl Parameters {
    /// Reads them.
    ///
    /// # Errors
    /// 400: a parameter that is not among `known`, that is there twice, or that is not UTF-8.
    pub(crate) fn read(query: Option<&str>, known: &[&str]) -> Result<Self, HttpProblem> {
        Self::read_with(query, known, || {
            Err(HttpProblem::invalid(
                "there is a query parameter that is not known here",
            ))
        })
    }

    /// Reads those that are known, and passes over all others.
    ///
    /// # Errors
    /// 400: one that is there twice, or that is not UTF-8.
    pub(crate) fn read_known(query: Option<&str>, known: &[&str]) -> Result<Self, HttpProblem> {
        Self::read_with(query, known, || Ok(()))
    }

    fn read_with(
        query: Option<&str>,
        known: &[&str],
        on_unknown: impl Fn() -> Result<(), HttpProblem>,
    ) -> Result<Self, HttpProblem> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        let mut has_list = false;
        let parts = query.unwrap_or_default().split('&');
        for part in parts.filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let name = decoded(name)?;
            if !known.contains(&name.as_str()) {
                on_unknown()?;
                continue;
            }
            if name == LIST {
                has_list = true;
                for one in value.split(',').filter(|one| !one.is_empty()) {
                    pairs.push((name.clone(), decoded(one)?));
                }
                continue;
            }
            if pairs.iter().any(|(there, _)| *there == name) {
                return Err(HttpProblem::invalid(format!(
                    "`{name}` is there twice in the query"
                )));
            }
            pairs.push((name, decoded(value)?));
        }
        Ok(Self { pairs, has_list })
    }

    /// The value of a parameter.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.pairs.iter().find(|(there, _)| there == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The value of a parameter that has to be there.
    ///
    /// # Errors
    /// 400.
    pub(crate) fn required(&self, name: &str) -> Result<&str, HttpProblem> {
        let missing = || HttpProblem::invalid(format!("the query has no `{name}`"));
        self.get(name).ok_or_else(missing)
    }

    /// Whether a list of keys is there, be it an empty one.
    pub(crate) fn names_a_list(&self) -> bool {
        self.has_list
    }

    /// The keys that are asked for; none where all are.
    ///
    /// # Errors
    /// 400: one that is no key, or more of them than one request may name.
    pub(crate) fn keys(&self) -> Result<BTreeSet<EntryKey>, HttpProblem> {
        let named = self.pairs.iter().filter(|(name, _)| name == LIST);
        let mut keys = BTreeSet::new();
        let mut bytes = 0;
        for (_, text) in named {
            bytes += text.len();
            keys.insert(key(text)?);
            if keys.len() > ASKED_KEYS_MAX || bytes > ASKED_KEYS_BYTES_MAX {
                return Err(HttpProblem::invalid(
                    "more keys than one request may ask for",
                ));
            }
        }
        Ok(keys)
    }
}

/// One key.
///
/// # Errors
/// 400.
pub(crate) fn key(text: &str) -> Result<EntryKey, HttpProblem> {
    EntryKey::parse(text).map_err(|error| HttpProblem::invalid(error.to_string()))
}

/// The text of a form-encoded part: `%20` and `+` are spaces.
fn decoded(part: &str) -> Result<String, HttpProblem> {
    let bad = || HttpProblem::invalid("the query is not UTF-8 in percent-encoding");
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        match (first, after) {
            (b'+', _) => bytes.push(b' '),
            (b'%', [high, low, after @ ..]) => {
                let digit = |byte: &u8| char::from(*byte).to_digit(16);
                let (high, low) = (digit(high).ok_or_else(bad)?, digit(low).ok_or_else(bad)?);
                bytes.push(u8::try_from(high * 16 + low).map_err(|_| bad())?);
                rest = after;
            }
            (b'%', _) => return Err(bad()),
            (byte, _) => bytes.push(*byte),
        }
    }
    String::from_utf8(bytes).map_err(|_| bad())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_repeated_and_with_commas() {
        let query = "repo=a%2Fb&keys=x.md,y%2Cz.md&keys=%C3%A9+1.md";
        let read = Parameters::read(Some(query), &["repo", "keys"]).unwrap();
        assert_eq!(read.required("repo").unwrap(), "a/b");
        let keys: Vec<String> = read
            .keys()
            .unwrap()
            .iter()
            .map(EntryKey::to_string)
            .collect();
        assert_eq!(keys, ["x.md", "y,z.md", "é 1.md"]);
    }

    #[test]
    fn an_empty_list_is_not_no_list() {
        let names = |query| Parameters::read(Some(query), &["repo", "keys"]).unwrap();
        assert!(names("repo=a&keys=").names_a_list() && names("keys").names_a_list());
        assert!(!names("repo=a").names_a_list());
    }

    #[test]
    fn what_is_unknown_twice_or_broken_is_refused() {
        for query in [
            "x=1",
            "repo=a&repo=b",
            "repo=%f",
            "repo=%zz",
            "repo=%ff",
            "%72epo=a&repo=b",
        ] {
            assert!(
                Parameters::read(Some(query), &["repo", "keys"]).is_err(),
                "{query}"
            );
        }
        let many = "keys=a&".repeat(ASKED_KEYS_MAX + 1);
        let same = Parameters::read(Some(&many), &["keys"]).unwrap();
        assert_eq!(same.keys().unwrap().len(), 1);
        let long = format!(
            "keys={}",
            "a/".repeat(3) + &"b".repeat(ASKED_KEYS_BYTES_MAX)
        );
        assert!(
            Parameters::read(Some(&long), &["keys"])
                .unwrap()
                .keys()
                .is_err()
        );
        let traversal = Parameters::read(Some("keys=..%2Fx"), &["keys"]).unwrap();
        assert!(traversal.keys().is_err());
    }
}
