//! Web addresses of this repository: files, folders and commits of it.

use mem_core::project::normalise_remote;

use super::{CitationKind, CitationShape, CitationTarget, path, reference};

/// A web address, if it belongs to one of the remotes (in any spelling, or as
/// `host/owner/repo`).
pub(super) fn parse_remote_url(url: &str, remotes: &[String]) -> Option<CitationShape> {
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))?;
    let rest = rest.split('?').next().unwrap_or(rest);
    let inside = remotes.iter().find_map(|remote| {
        let own = normalise_remote(remote).unwrap_or_else(|| remote.clone());
        let head = rest.get(..own.len())?;
        head.eq_ignore_ascii_case(&own)
            .then(|| rest[own.len()..].trim_start_matches(".git"))
    })?;
    let inside = inside.strip_prefix("/-").unwrap_or(inside);
    let (verb, rest) = inside.strip_prefix('/')?.split_once('/')?;
    match verb {
        "blob" | "tree" | "raw" | "blame" | "src" => parse_file_url(rest, verb == "tree"),
        "commit" | "commits" => {
            let id = rest.split(['/', '#']).next()?;
            reference::is_commit_id(id).then(|| {
                CitationShape::firm_shape(CitationKind::Url, CitationTarget::Commit(id.to_owned()))
            })
        }
        _ => None,
    }
}

/// `REF/path#L10`; a branch whose name has slashes is not told from a folder.
fn parse_file_url(rest: &str, is_folder: bool) -> Option<CitationShape> {
    let (_, inside) = rest.split_once('/')?;
    let inside = inside.strip_prefix("branch/").unwrap_or(inside);
    let plain = inside.trim_end_matches('/');
    let shape = if is_folder {
        path::in_code(&format!("{plain}/"))?
    } else {
        path::in_code(plain)?
    };
    let CitationTarget::Path { path, lines, .. } = shape.target else {
        return None;
    };
    let target = CitationTarget::Path {
        path,
        lines,
        is_folder,
    };
    Some(CitationShape::firm_shape(CitationKind::Url, target))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_addresses_only() {
        let remotes = ["git@github.com:Acme/shop.git".to_owned()];
        let own = |rest: &str| {
            let url = format!("https://github.com/{rest}");
            parse_remote_url(&url, &remotes).map(|shape| shape.target)
        };
        let path = |path: &str, lines, is_folder| {
            Some(CitationTarget::Path {
                path: path.to_owned(),
                lines,
                is_folder,
            })
        };
        let file = path("src/a.rs", Some((4, 6)), false);
        assert_eq!(own("acme/shop/blob/main/src/a.rs#L4-L6"), file);
        assert_eq!(own("acme/shop/tree/main/src"), path("src", None, true));
        let commit = Some(CitationTarget::Commit("a1b2c3d4".to_owned()));
        assert_eq!(own("acme/shop/commit/a1b2c3d4"), commit);
        assert_eq!(own("acme/other/blob/main/src/a.rs"), None);
        assert_eq!(own("acme/shop/issues/12"), None);
        assert_eq!(own("acme/shopping/blob/main/src/a.rs"), None);
    }
}
