//! Where a team's memory is kept: a server's address, or a git remote.

use std::fmt;
use std::ops::Range;

use mem_core::Diagnose;
use mem_http::{AddressFault, PlainHttp};

/// The value of `team.remote`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// `http://` or `https://`.
    Server(ServerAddress),
    /// `git:NAME` or `git:URL`.
    Git(String),
}

/// A server, by its address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAddress {
    /// `https://host:port/prefix`, without a slash at its end.
    pub base: String,
    /// `https://host:port`, in lower case, the scheme's own port left out: whom a token is given to.
    pub origin: String,
}

/// Why a text names no remote. It is not quoted: it may hold a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Diagnose)]
pub enum InvalidAddress {
    /// Neither form.
    #[error("the remote is neither a server's address nor `git:` with the name of a git remote")]
    #[diagnose(
        Invalid,
        hint = "write `git:origin`, or an address such as `https://mem.example.org`"
    )]
    Form,
    /// `https://user:password@host`.
    #[error("the remote's address holds a user or a password")]
    #[diagnose(
        Invalid,
        hint = "leave them out and give the token with `mem team login --server URL`"
    )]
    Credentials,
    /// `git:https://user:password@host`, which git would show as well.
    #[error("the git remote's address holds a user or a password")]
    #[diagnose(
        Invalid,
        hint = "leave them out: git asks its credential helpers (`git help credentials`); a \
                password that stood in a file has to be changed"
    )]
    GitCredentials,
    /// `?` or `#`.
    #[error("the remote's address has a query or a fragment")]
    #[diagnose(Invalid, hint = "give the address of the server alone")]
    Query,
}

impl Address {
    /// Reads what a person wrote.
    ///
    /// # Errors
    /// See [`InvalidAddress`].
    pub fn parse_address(text: &str) -> Result<Self, InvalidAddress> {
        let text = text.trim();
        if let Some(remote) = text.strip_prefix("git:")
            && !remote.starts_with("//")
        {
            // `ext::` and its like run programs.
            let is_option = remote.is_empty() || remote.starts_with('-') || remote.contains("::");
            if is_option || remote.chars().any(char::is_control) {
                return Err(InvalidAddress::Form);
            }
            return match holds_credentials(remote) {
                true => Err(InvalidAddress::GitCredentials),
                false => Ok(Self::Git(remote.to_owned())),
            };
        }
        parse_server(text).map(Self::Server)
    }
}

impl ServerAddress {
    /// Whether what is sent there can be read on the way: no TLS, and another machine.
    pub fn is_open_to_listeners(&self) -> bool {
        self.origin.starts_with("http://") && !self.is_loopback()
    }

    /// Whether it is this machine.
    pub fn is_loopback(&self) -> bool {
        let base = mem_http::parse_address(&self.base, PlainHttp::Anywhere);
        base.is_ok_and(|base| mem_http::is_loopback(&base))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Server(server) => f.write_str(&server.base),
            Self::Git(remote) => write!(f, "git:{remote}"),
        }
    }
}

/// Whether a git address says who asks, and that is more than ssh needs: over http even a name alone may be a token.
fn holds_credentials(remote: &str) -> bool {
    !credential_ranges(remote).is_empty()
}

/// The places of users and passwords in the addresses that a text names, where they may be secrets.
pub fn credential_ranges(text: &str) -> Vec<Range<usize>> {
    let places = text.match_indices("://").filter_map(|(at, _)| {
        let before = text[..at].rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '+');
        let scheme = before.into_iter().next().unwrap_or_default();
        let start = at + "://".len();
        let rest = &text[start..];
        let end = rest.find(|c: char| c == '/' || c.is_whitespace());
        let (user, _) = rest[..end.unwrap_or(rest.len())].rsplit_once('@')?;
        let says = user.contains(':') || scheme.to_ascii_lowercase().starts_with("http");
        (says && !user.is_empty()).then(|| start..start + user.len())
    });
    places.collect()
}

fn parse_server(text: &str) -> Result<ServerAddress, InvalidAddress> {
    // What a reader of URLs would mend is not taken for what somebody meant.
    let would_be_mended = |c: char| c == '\\' || c.is_whitespace() || c.is_control();
    if !text.contains("://") || text.contains(would_be_mended) {
        return Err(InvalidAddress::Form);
    }
    let url = mem_http::parse_address(text, PlainHttp::Anywhere).map_err(|fault| match fault {
        AddressFault::Credentials => InvalidAddress::Credentials,
        AddressFault::Query => InvalidAddress::Query,
        _ => InvalidAddress::Form,
    })?;
    Ok(ServerAddress {
        base: url.as_str().trim_end_matches('/').to_owned(),
        origin: url.origin().ascii_serialization(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(text: &str) -> String {
        match Address::parse_address(text).unwrap() {
            Address::Server(server) => server.origin,
            Address::Git(remote) => panic!("git: {remote}"),
        }
    }

    #[test]
    fn one_origin_in_every_spelling_and_others_apart() {
        for text in [
            "https://H.example",
            "HTTPS://h.example:443/",
            "https://h.example/a/b/",
            "https://h.example:/a",
        ] {
            assert_eq!(origin(text), "https://h.example", "{text}");
        }
        assert_eq!(origin("http://h.example:8080"), "http://h.example:8080");
        assert_ne!(origin("http://h.example"), origin("https://h.example"));
        let base = Address::parse_address("https://h.example/mem/")
            .unwrap()
            .to_string();
        assert_eq!(base, "https://h.example/mem");
        assert_eq!(
            Address::parse_address("git:origin"),
            Ok(Address::Git("origin".into()))
        );
    }

    #[test]
    fn what_is_no_address_is_refused_without_being_quoted() {
        let secret = ["hunter", "2"].concat();
        let with_password = format!("https://me:{secret}@h.example");
        assert_eq!(
            Address::parse_address(&with_password),
            Err(InvalidAddress::Credentials)
        );
        for text in [
            &format!("git:https://me:{secret}@h.example/a/b"),
            &format!("git:HTTP://{secret}@h.example/a/b"),
            &format!("git:ssh://me:{secret}@h.example:22/a/b"),
        ] {
            assert_eq!(
                Address::parse_address(text),
                Err(InvalidAddress::GitCredentials)
            );
        }
        for text in ["git:ssh://git@h.example/a", "git:git@h:a/b", "git:/a:b@c"] {
            assert!(Address::parse_address(text).is_ok(), "{text}");
        }
        assert_eq!(
            Address::parse_address("https://h.example/?x"),
            Err(InvalidAddress::Query)
        );
        for text in [
            "",
            "git:",
            "git:--upload-pack=x",
            "origin",
            "https://",
            "ftp://h",
            "http://h h",
            "http://h/a b",
            "http://h\nh",
            "https:h.example",
            "https:\\\\h.example",
            "https://h.example:65536",
        ] {
            assert_eq!(
                Address::parse_address(text),
                Err(InvalidAddress::Form),
                "{text}"
            );
        }
    }

    #[test]
    fn only_this_machine_may_be_spoken_to_in_the_clear() {
        let open = |text| match Address::parse_address(text).unwrap() {
            Address::Server(server) => server.is_open_to_listeners(),
            Address::Git(_) => panic!("git"),
        };
        assert!(open("http://h.example") && open("http://10.0.0.1:80"));
        for text in [
            "https://h.example",
            "http://127.0.0.1:9",
            "http://[::1]:9",
            "http://localhost",
        ] {
            assert!(!open(text), "{text}");
        }
    }
}
