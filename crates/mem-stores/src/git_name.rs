//! Names that git takes for its own, wherever they stand: a folder `.git` is a repository whose settings name
//! programs, and a file `.git` says where another one is.

/// What is said of a path that has such a name.
pub const WHY: &str = "git would take it for its own, and obey it";

/// Whether some file system has this name for `.git`.
pub fn is_of_git(name: &str) -> bool {
    let name = name.split(':').next().unwrap_or(name);
    let name = name.trim_end_matches(['.', ' ']).to_lowercase();
    name == ".git" || name == "git~1"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_say_it_is_known() {
        for name in [".git", ".GIT", ".git. ", ".git::$INDEX_ALLOCATION", "GIT~1"] {
            assert!(is_of_git(name), "{name}");
        }
        for name in [".gitignore", "git", "a.git", ".github", "git~2"] {
            assert!(!is_of_git(name), "{name}");
        }
    }
}
