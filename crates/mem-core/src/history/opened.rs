//! Whether everything in a history opens: each change, and each file of each version.

use std::collections::HashMap;

use git2::{Oid, TreeWalkMode, TreeWalkResult};

use super::error::HistoryError;
use super::repository::History;

impl History {
    /// Opens every object. Says how many open, and which do not and why: files by their paths, all else by its
    /// id.
    ///
    /// # Errors
    /// The objects cannot be listed.
    pub(crate) fn opened(&self) -> Result<(usize, Vec<(String, String)>), HistoryError> {
        let (mut open, mut closed) = (0, Vec::new());
        self.objects(&mut |_, _| open += 1, &mut |oid, error| {
            closed.push((oid, error.to_string()));
            Ok(())
        })?;
        if closed.is_empty() {
            return Ok((open, Vec::new()));
        }
        let paths = self.paths();
        let named = closed.into_iter().map(|(oid, why)| {
            let what = oid.map_or_else(
                || "its newest change".to_owned(),
                |oid| match paths.get(&oid) {
                    Some((path, commit)) => format!("`{path}` of change {commit}"),
                    None => format!("object {oid}"),
                },
            );
            (what, why)
        });
        Ok((open, named.collect()))
    }

    /// Where files stand: a path, and the commit of the newest change that has them there. What cannot be read is
    /// left out.
    fn paths(&self) -> HashMap<Oid, (String, Oid)> {
        let mut paths = HashMap::new();
        let Ok(mut walk) = self.repo.revwalk() else {
            return paths;
        };
        if let Ok(Some(head)) = self.head()
            && walk.push(head).is_err()
        {
            return paths;
        }
        for commit in walk.flatten() {
            let found = self.repo.find_commit(commit);
            let Ok(tree) = found.and_then(|commit| commit.tree()) else {
                continue;
            };
            // A folder that cannot be read hides what is below it, and is named by itself.
            let _ = tree.walk(TreeWalkMode::PreOrder, |folder, entry| {
                let name = String::from_utf8_lossy(entry.name_bytes());
                let path = || (format!("{folder}{name}"), commit);
                paths.entry(entry.id()).or_insert_with(path);
                TreeWalkResult::Ok
            });
        }
        paths
    }
}
