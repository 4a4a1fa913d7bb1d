//! Remote addresses in one form, so that two clones of one repository can be told to be such.

/// Normalises a remote address to `host/owner/repo` in lower case, without scheme, user,
/// password, port and `.git`; absolute local paths become `file:/path`.
///
/// Understands URLs (`https://`, `ssh://`, `git://`, `git+ssh://`, `file://`) and the scp form
/// (`git@host:owner/repo`). `None` for relative paths and for what is no address at all.
pub fn normalise(address: &str) -> Option<String> {
    let address = address.trim();
    if let Some((scheme, rest)) = address.split_once("://") {
        if scheme.eq_ignore_ascii_case("file") {
            return local(rest);
        }
        let (authority, path) = rest.split_once('/')?;
        return join(host(authority), path);
    }
    if address.starts_with('/') {
        return local(address);
    }
    let (authority, path) = address.split_once(':')?;
    let is_scp = !authority.contains('/') && authority.len() > 1;
    if is_scp {
        join(host(authority), path)
    } else {
        None
    }
}

/// The host of `user:password@host:port`; an address in brackets keeps its colons.
fn host(authority: &str) -> &str {
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    if host.starts_with('[') {
        return host.split_inclusive(']').next().unwrap_or(host);
    }
    host.split_once(':').map_or(host, |(host, _)| host)
}

fn join(host: &str, path: &str) -> Option<String> {
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let path = without_suffix(path.trim_matches('/'));
    let usable = !host.is_empty() && !path.is_empty();
    usable.then(|| format!("{host}/{path}").to_ascii_lowercase())
}

fn local(path: &str) -> Option<String> {
    let path = without_suffix(path.trim_end_matches('/'));
    path.starts_with('/').then(|| format!("file:{path}"))
}

fn without_suffix(path: &str) -> &str {
    path.strip_suffix(".git")
        .unwrap_or(path)
        .trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::normalise;

    #[test]
    fn every_spelling_of_one_repository_is_one() {
        let secret = ["hunter", "2"].concat();
        for address in [
            "https://github.com/Owner/Repo.git".to_owned(),
            "https://github.com/owner/repo/".to_owned(),
            format!("https://user:{secret}@github.com/owner/repo.git"),
            "https://token@github.com:443/owner/repo?x=1".to_owned(),
            "ssh://git@github.com:22/owner/repo.git".to_owned(),
            "git+ssh://git@GitHub.com/owner/repo".to_owned(),
            "git@github.com:owner/repo.git".to_owned(),
            "github.com:/owner/repo".to_owned(),
        ] {
            assert_eq!(
                normalise(&address).as_deref(),
                Some("github.com/owner/repo"),
                "{address}"
            );
        }
    }

    #[test]
    fn other_addresses() {
        for (address, want) in [
            ("https://gitlab.com/a/b/c.git", Some("gitlab.com/a/b/c")),
            ("ssh://git@[::1]:2222/a/b", Some("[::1]/a/b")),
            ("/srv/git/Repo.git/", Some("file:/srv/git/Repo")),
            ("file:///srv/git/repo.git", Some("file:/srv/git/repo")),
            ("../relative", None),
            ("relative", None),
            ("C:/windows/path", None),
            ("https://host", None),
            ("", None),
        ] {
            assert_eq!(normalise(address).as_deref(), want, "{address}");
        }
    }
}
