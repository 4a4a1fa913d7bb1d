//! The name that a team's store goes by: `owner/repo`, from the address of a git remote.

use std::fmt;

use mem_core::Diagnose;
use mem_core::project::normalise_remote;
use serde::{Deserialize, Serialize};

use crate::limits::REPOSITORY_BYTES_MAX;

/// A repository at a forge. Forks have other owners, mirrors other hosts: neither is the same one.
///
/// Holds no user, password, port or query of the address it was read from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Repository {
    host: Option<String>,
    name: String,
}

/// Why an address names no repository. It does not quote the address, which may hold a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Diagnose)]
#[diagnose(
    Invalid,
    hint = "name it with the setting `team.repo`, as `owner/repo`"
)]
pub enum InvalidRepository {
    /// Neither a URL nor the scp form.
    #[error("the address of the remote is not one of a repository at a host")]
    Address,
    /// Not `owner/repo`.
    #[error("the name of the repository is not of the form `owner/repo`")]
    Name,
}

impl Repository {
    /// Reads the address of a remote: `https://`, `ssh://`, `git://` or the scp form
    /// `git@host:owner/repo.git`. Host and name are compared in lower case.
    ///
    /// # Errors
    /// A local path, or an address without owner or name.
    pub fn of_remote(address: &str) -> Result<Self, InvalidRepository> {
        let whole = normalise_remote(address).ok_or(InvalidRepository::Address)?;
        let (host, name) = whole.split_once('/').ok_or(InvalidRepository::Address)?;
        if host == "file:" || !is_host(host) {
            return Err(InvalidRepository::Address);
        }
        Ok(Self {
            host: Some(host.to_owned()),
            name: check_name(name)?,
        })
    }

    /// Reads `owner/repo`, as a person writes it.
    ///
    /// # Errors
    /// Fewer than two segments, or characters that forges do not allow.
    pub fn of_name(name: &str) -> Result<Self, InvalidRepository> {
        Ok(Self {
            host: None,
            name: check_name(&name.trim().to_ascii_lowercase())?,
        })
    }

    /// The host, unless a person named the repository without one.
    pub fn host(&self) -> Option<&str> {
        self.host.as_deref()
    }

    /// `owner/repo`, which the server knows it by; more segments where a forge has groups in groups.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// `host/owner/repo`: what is remembered of one repository is kept apart from another's by this.
impl fmt::Display for Repository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            Some(host) => write!(f, "{host}/{}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

fn check_name(name: &str) -> Result<String, InvalidRepository> {
    let fits = name.len() <= REPOSITORY_BYTES_MAX
        && name.split('/').count() >= 2
        && name.split('/').all(is_segment);
    fits.then(|| name.to_owned()).ok_or(InvalidRepository::Name)
}

/// What GitHub, GitLab, Gitea and Bitbucket allow; Sourcehut's owners begin with `~`.
fn is_segment(segment: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || b"-_.~+".contains(&b);
    !segment.is_empty() && segment != "." && segment != ".." && segment.bytes().all(allowed)
}

fn is_host(host: &str) -> bool {
    host.bytes()
        .all(|b| b.is_ascii_alphanumeric() || b"-_.:[]".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_repository_in_every_spelling() {
        let secret = ["hunter", "2"].concat();
        for address in [
            "https://git.example.com/Owner/Repo.git".to_owned(),
            "https://git.example.com:8443/owner/repo/".to_owned(),
            format!("https://me:{secret}@git.example.com/owner/repo"),
            "ssh://git@git.example.com:2222/owner/repo.git".to_owned(),
            "git@GIT.example.com:owner/repo.git".to_owned(),
            "git.example.com:/owner/repo".to_owned(),
        ] {
            let repository = Repository::of_remote(&address).unwrap();
            assert_eq!(repository.name(), "owner/repo", "{address}");
            assert_eq!(repository.to_string(), "git.example.com/owner/repo");
            assert!(!format!("{repository:?}").contains(&secret));
        }
        assert_eq!(
            Repository::of_name("Owner/Repo").unwrap().name(),
            "owner/repo"
        );
    }

    #[test]
    fn hosts_and_forks_are_told_apart() {
        let of = |address| Repository::of_remote(address).unwrap();
        let upstream = of("https://a.example/up/x");
        assert_ne!(upstream, of("https://b.example/up/x"));
        assert_ne!(upstream, of("https://a.example/me/x"));
        assert_eq!(of("https://a.example/g/sub/x.git").name(), "g/sub/x");
    }

    #[test]
    fn what_is_no_repository_is_refused_without_being_quoted() {
        let secret = ["hunter", "2"].concat();
        for address in [
            "".to_owned(),
            "/srv/git/x.git".to_owned(),
            "file:///srv/git/x".to_owned(),
            "../x".to_owned(),
            "https://host.example/alone".to_owned(),
            "https://host.example/a/../b".to_owned(),
            "https://host.example/a/%2e%2e/b".to_owned(),
            format!("https://me:{secret}@host.example/a b/c"),
        ] {
            let error = Repository::of_remote(&address).unwrap_err();
            assert!(!error.to_string().contains(&secret), "{address}");
        }
        for name in ["", "a", "a/", "/a", "../b", "a/b?x", "a/b\n"] {
            assert_eq!(
                Repository::of_name(name).is_err(),
                name != "a/b\n",
                "{name:?}"
            );
        }
    }
}
