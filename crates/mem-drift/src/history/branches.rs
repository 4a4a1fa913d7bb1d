//! Branches that were merged and deleted: the merge remembers their names.

/// The branch that a merge's first line names: `Merge branch 'x'`, `Merge pull request #1 from
/// owner/x`, `Merge remote-tracking branch 'origin/x'`.
pub(super) fn merged_branch(summary: &str) -> Option<&str> {
    let rest = summary.strip_prefix("Merge ")?;
    if let Some((_, quoted)) = rest.split_once('\'') {
        let name = quoted.split('\'').next()?;
        return Some(name.strip_prefix("origin/").unwrap_or(name));
    }
    let (_, from) = rest.split_once(" from ")?;
    let (_, name) = from.split_once('/')?;
    Some(name.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_merged_branches() {
        assert_eq!(
            merged_branch("Merge branch 'fix/a' into main"),
            Some("fix/a")
        );
        assert_eq!(
            merged_branch("Merge pull request #3 from acme/fix/a"),
            Some("fix/a")
        );
        assert_eq!(
            merged_branch("Merge remote-tracking branch 'origin/b'"),
            Some("b")
        );
        assert_eq!(merged_branch("Fix 'it'"), None);
    }
}
