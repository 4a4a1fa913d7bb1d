//! Addresses of git remotes: which are used, and which are asked whether anybody can read them.

use std::path::Path;

use super::GitRemoteError;

/// What git may speak. Helpers (`ext::` runs any command) are not among it.
pub(super) const TRANSPORTS: &str = "http:https:ssh:git:file";

/// Refuses what is not the address of a repository.
pub(super) fn check_address(url: &str) -> Result<(), GitRemoteError> {
    if url.is_empty() || url.starts_with('-') {
        return Err(GitRemoteError::Address(
            "it is empty, or would be read as an option",
        ));
    }
    if url.chars().any(char::is_control) {
        return Err(GitRemoteError::Address("it contains a control character"));
    }
    if let Some((scheme, _)) = url.split_once("://") {
        let known = TRANSPORTS
            .split(':')
            .any(|one| one.eq_ignore_ascii_case(scheme));
        return match known || is_same_name(scheme) {
            true => Ok(()),
            false => Err(GitRemoteError::Address(
                "it is of a kind that is not supported",
            )),
        };
    }
    match url.split_once("::") {
        Some((helper, _)) if !helper.contains(['/', '[']) => {
            Err(GitRemoteError::Address("it would run a helper"))
        }
        _ => Ok(()),
    }
}

/// A word that `url.*.insteadOf` may replace; git refuses it where that does not happen.
fn is_same_name(scheme: &str) -> bool {
    scheme
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
        && !scheme.contains("ext")
}

/// The address as it is to be given to a git that runs elsewhere: a relative path is relative to the
/// user's repository.
pub(super) fn from_elsewhere(url: &str, work: &Path) -> String {
    let is_relative = matches!(url, "." | "..") || url.starts_with("./") || url.starts_with("../");
    let names_a_host = url.contains(':');
    if is_relative || (!names_a_host && !url.starts_with('/') && work.join(url).exists()) {
        return work.join(url).to_string_lossy().into_owned();
    }
    url.to_owned()
}

/// What to ask without credentials, where the address is one that can be asked so. The address of an
/// `ssh` remote at a forge is most likely one of `https` as well.
pub(super) fn anonymous_url(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    if !["http", "https", "git"]
        .iter()
        .any(|one| scheme.eq_ignore_ascii_case(one))
    {
        return None;
    }
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    Some(format!("{scheme}://{host}/{path}"))
}

/// Whether it is a path on this machine where nothing is: a disk that is not there, or a repository that was
/// moved away.
pub(super) fn is_away(url: &str) -> bool {
    let path = match url.split_once("://") {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("file") => rest,
        Some(_) => return false,
        None => url,
    };
    // Git takes a name without its ending, too.
    path.starts_with('/')
        && !["", ".git"]
            .iter()
            .any(|end| Path::new(&format!("{path}{end}")).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_run_something_is_refused() {
        for url in [
            "",
            "--upload-pack=x",
            "ext::sh -c id",
            "fd::3",
            "a\nb",
            "ext://x",
            "x y://z",
        ] {
            assert!(check_address(url).is_err(), "{url:?}");
        }
        for url in [
            "https://h/o/r",
            "git@h:o/r.git",
            "ssh://git@[::1]:22/o/r",
            "/srv/x.git",
            "../x.git",
            "file:///x",
            "[::1]:o/r",
        ] {
            assert!(check_address(url).is_ok(), "{url}");
        }
    }

    #[test]
    fn a_probe_has_no_credentials() {
        let address = ["https://me:", "hunter", "2", "@h:8/o/r"].concat();
        assert_eq!(anonymous_url(&address).as_deref(), Some("https://h:8/o/r"));
        assert_eq!(anonymous_url("git@h:o/r"), None);
        assert_eq!(anonymous_url("/x"), None);
    }

    #[test]
    fn only_a_path_can_be_away() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("x").to_string_lossy().into_owned();
        assert!(is_away(&path) && is_away(&format!("file://{path}")));
        for url in ["ssh://h/x", "git@h:x", "https://h/x"] {
            assert!(!is_away(url), "{url}");
        }
        std::fs::create_dir(place.path().join("x.git")).unwrap();
        assert!(!is_away(&path) && !is_away(&format!("{path}.git")));
    }

    #[test]
    fn relative_paths_are_relative_to_the_work() {
        let work = tempfile::tempdir().unwrap();
        let joined = work.path().join("../x.git").to_string_lossy().into_owned();
        assert_eq!(from_elsewhere("../x.git", work.path()), joined);
        assert_eq!(from_elsewhere("git@h:../x", work.path()), "git@h:../x");
    }
}
