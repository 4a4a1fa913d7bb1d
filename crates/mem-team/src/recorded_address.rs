//! How a git remote is reached, for telling whether its name still stands for what a person agreed to.
//!
//! One repository has many spellings, and `plain` makes them one. But a repository that is private over ssh
//! may be open to everybody over http, and another port is another server: both are looked at anew.

use super::settings::plain_url;

/// An address as it is recorded: how, which host, which port, which repository, and no credentials.
pub(crate) fn recorded_address(url: &str) -> String {
    let name = plain_url(url);
    let Some((host, path)) = name.split_once('/').filter(|(host, _)| *host != "file:") else {
        return name;
    };
    let (scheme, rest) = match url.trim().split_once("://") {
        Some((scheme, rest)) => (scheme.to_ascii_lowercase(), rest),
        // `host:path` is ssh; its colon is before no port.
        None => ("ssh".to_owned(), ""),
    };
    let scheme = match scheme.as_str() {
        "git+ssh" | "ssh+git" => "ssh",
        other => other,
    };
    let port = url_port(rest).filter(|port| *port != usual_port(scheme));
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    format!("{scheme}://{host}{port}/{path}")
}

/// Whether an address is the one that was recorded. What an earlier version recorded says nothing of how.
pub(crate) fn is_same(before: &str, url: &str) -> bool {
    match before.contains("://") {
        true => before == recorded_address(url),
        false => before == plain_url(url),
    }
}

/// The port in `user:password@host:port/path`.
fn url_port(rest: &str) -> Option<&str> {
    let authority = rest.split('/').next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let after = host.rsplit(']').next().unwrap_or_default();
    let (_, port) = after.split_once(':')?;
    (!port.is_empty()).then_some(port)
}

fn usual_port(scheme: &str) -> &'static str {
    match scheme {
        "http" => "80",
        "https" => "443",
        "ssh" => "22",
        "git" => "9418",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_way_to_a_repository_is_one_however_it_is_spelled() {
        let password = ["hunter", "2"].concat();
        for (before, url) in [
            ("git@h.example:me/notes.git", "ssh://git@h.example/me/notes"),
            ("git@h.example:me/notes", "ssh://h.example:22/me/notes.git"),
            (
                "git+ssh://h.example/me/notes",
                "ssh+git://h.example/me/notes",
            ),
            (
                "https://h.example/me/notes",
                "https://H.example:443/me/notes.git/",
            ),
            (
                "https://h.example/me/notes",
                &format!("https://me:{password}@h.example/me/notes"),
            ),
            ("ssh://[::1]:2222/a/b", "ssh://git@[::1]:2222/a/b.git"),
            ("/srv/git/a.git", "file:///srv/git/a"),
        ] {
            assert!(
                is_same(&recorded_address(before), url),
                "{before} {}",
                recorded_address(url)
            );
        }
        let recorded = recorded_address(&format!(
            "https://me:{password}@h.example:8443/me/notes.git"
        ));
        assert_eq!(recorded, "https://h.example:8443/me/notes");
    }

    #[test]
    fn another_way_to_it_is_asked_about() {
        for (before, url) in [
            ("git@h.example:me/notes", "https://h.example/me/notes"),
            ("https://h.example/me/notes", "http://h.example/me/notes"),
            ("https://h.example/me/notes", "git://h.example/me/notes"),
            (
                "http://h.example/me/notes",
                "http://h.example:8080/me/notes",
            ),
            ("ssh://h.example/me/notes", "ssh://h.example:2222/me/notes"),
            ("ssh://[::1]/a/b", "ssh://[::1]:2222/a/b"),
            ("/srv/git/a.git", "ssh://h.example/srv/git/a"),
        ] {
            assert!(!is_same(&recorded_address(before), url), "{before} {url}");
        }
    }

    #[test]
    fn what_an_earlier_version_recorded_still_holds() {
        assert!(is_same("h.example/me/notes", "git@h.example:me/notes.git"));
        assert!(!is_same("h.example/me/notes", "git@h.example:me/other.git"));
    }
}
