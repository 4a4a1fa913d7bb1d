//! Which variables the settings of a repository name: a host gives them to all that it runs, whoever wrote them.
//!
//! Read strictly, for what is found here is not believed: a file that is no JSON names every variable whose name
//! stands in it, and one that cannot be looked into names them all. One that the system lets nobody read says
//! nothing, for hosts cannot read it either.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::is_tracked;
use crate::environment::Environment;
use crate::limits::SETTINGS_BYTES_MAX;
use crate::{project, regular_file};

const LOCAL: &str = "settings.local.json";
/// The files of a repository in which hosts find variables for what they run: commands, hooks, MCP servers.
const FILES: [&str; 8] = [
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".mcp.json",
    ".gemini/settings.json",
    ".qwen/settings.json",
    ".cursor/mcp.json",
    ".vscode/mcp.json",
    "opencode.json",
];
/// The keys of objects with variables, in all of them.
const VARIABLES: [&str; 2] = ["env", "environment"];
/// Where the person's own settings of hosts are, by what says so.
const OWN: [(&str, &str); 7] = [
    ("CLAUDE_CONFIG_DIR", ""),
    ("HOME", ".claude"),
    ("HOME", ".gemini"),
    ("HOME", ".qwen"),
    ("HOME", ".cursor"),
    ("HOME", ".vscode"),
    ("HOME", ""),
];

/// Of these names, those that a repository's settings name, with the file; folders are looked at with all above
/// them and with the main checkout. The person's own settings are none of a repository's, unless what says where
/// they are is itself named by one of the files.
pub fn variables_of_repositories<'n>(
    folders: &[PathBuf],
    names: &[&'n str],
    env: &Environment,
) -> BTreeMap<&'n str, PathBuf> {
    let wanted: Vec<&str> = names
        .iter()
        .copied()
        .chain(OWN.map(|(name, _)| name))
        .collect();
    let found: Vec<(PathBuf, Vec<&str>)> = files(folders)
        .into_iter()
        .map(|path| {
            let named = names_in(&path, &wanted);
            (path, named)
        })
        .collect();
    without_own(&found, names, env)
}

/// What the files name, but for the person's own.
fn without_own<'n>(
    found: &[(PathBuf, Vec<&str>)],
    names: &[&'n str],
    env: &Environment,
) -> BTreeMap<&'n str, PathBuf> {
    if found.is_empty() {
        return BTreeMap::new();
    }
    let is_moved = |name: &str| found.iter().any(|(_, named)| named.contains(&name));
    let own: Vec<PathBuf> = OWN
        .iter()
        .filter(|(name, _)| !is_moved(name))
        .filter_map(|(name, below)| Path::new(env.get(name)?).join(below).canonicalize().ok())
        .collect();
    let is_own = |path: &Path| {
        let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
        folder.is_some_and(|folder| own.contains(&folder))
    };
    let mut all = BTreeMap::new();
    for (path, named) in found.iter().filter(|(path, _)| !is_own(path)) {
        for name in names.iter().filter(|name| named.contains(*name)) {
            all.entry(*name).or_insert_with(|| path.clone());
        }
    }
    all
}

/// Of these names, those that have the very value here that a repository's settings give them, with the file. Without
/// a host around a name alone says nothing: systems, containers and tests set variables too. A value that a host
/// expands (`${PWD}/x`) is compared by what follows its last variable; a file that is no JSON gives every value that
/// stands in it. A variable that is not set has every value: hosts empty their environment.
pub(super) fn settings_of_repositories<'n>(
    folders: &[PathBuf],
    names: &[&'n str],
    env: &Environment,
) -> BTreeMap<&'n str, PathBuf> {
    // No look at repositories: every run of a person's comes through here.
    let above = folders.iter().flat_map(|folder| folder.ancestors());
    let places: BTreeSet<PathBuf> = above.map(Path::to_owned).collect();
    let mut found = Vec::new();
    for path in files_at(&places) {
        let bytes = regular_file::read(&path, SETTINGS_BYTES_MAX).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let parsed = serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}'));
        let is_given = |name: &&&str| {
            let set = env.get(name);
            match &parsed {
                Ok(settings) => values_in(settings, name)
                    .into_iter()
                    .any(|value| set.is_none_or(|set| expands_to(value.as_str(), set))),
                Err(_) => text.contains(**name) && set.is_none_or(|set| text.contains(set)),
            }
        };
        let given = names.iter().filter(is_given).copied().collect();
        found.push((path, given));
    }
    without_own(&found, names, env)
}

/// Whether a host makes `set` of a value in its settings.
fn expands_to(value: Option<&str>, set: &str) -> bool {
    let Some(value) = value else { return false };
    let rest = value.rsplit_once('}').map_or(value, |(_, rest)| rest);
    match value.contains('$') {
        true => !rest.is_empty() && !rest.contains('$') && set.ends_with(rest),
        false => value == set,
    }
}

/// The settings files of repositories at and above some folders.
fn files(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut places = BTreeSet::new();
    for folder in folders {
        places.extend(folder.ancestors().map(Path::to_owned));
        // Without the environment: it may be what a repository set.
        if let Ok(project) = project::find(folder, &Environment::default()) {
            places.extend(project.cwd.ancestors().map(Path::to_owned));
            places.extend([project.root, project.workdir]);
        }
    }
    files_at(&places)
}

fn files_at(places: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let all = places
        .iter()
        .flat_map(|place| FILES.map(|name| place.join(name)));
    all.filter(|path| path.symlink_metadata().is_ok() && is_shared(path))
        .collect()
}

/// Whether it came with the repository.
fn is_shared(path: &Path) -> bool {
    if !path.ends_with(LOCAL) {
        return true;
    }
    let checkout = path.parent().and_then(Path::parent).unwrap_or(path);
    // Only a clear no is a no.
    project::find(checkout, &Environment::default()).map_or(true, |project| {
        is_tracked(&project, &project.cwd.join(".claude").join(LOCAL))
    })
}

/// Which of the names a file gives values to.
fn names_in<'n>(path: &Path, names: &[&'n str]) -> Vec<&'n str> {
    let bytes = match regular_file::read(path, SETTINGS_BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(error) if is_out_of_reach(&error) => return Vec::new(),
        Err(_) => return names.to_vec(),
    };
    let text = String::from_utf8_lossy(&bytes);
    let parsed = serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}'));
    let is_named = |name: &&str| match &parsed {
        Ok(settings) => !values_in(settings, name).is_empty(),
        // An escape may be any letter.
        Err(_) => text.contains(*name) || text.contains("\\u"),
    };
    names.iter().copied().filter(is_named).collect()
}

/// The values that a file gives to a variable, for whatever it is that it has run.
fn values_in<'v>(settings: &'v Value, name: &str) -> Vec<&'v Value> {
    let (mut found, mut next) = (Vec::new(), vec![settings]);
    while let Some(one) = next.pop() {
        match one {
            Value::Object(object) => {
                let variables = VARIABLES.iter().filter_map(|key| object.get(*key));
                found.extend(variables.filter_map(|variables| variables.get(name)));
                next.extend(object.values());
            }
            Value::Array(list) => next.extend(list),
            _ => {}
        }
    }
    found
}

fn is_out_of_reach(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::PermissionDenied
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The names that settings in a folder name, with a home.
    fn named_variables(settings: &str, home: &Path, folder: &Path) -> Vec<&'static str> {
        let file = folder.join(".claude").join("settings.json");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        crate::state_file::write(&file, settings.as_bytes()).unwrap();
        let env: Environment = [("HOME", home.to_str().unwrap())].into_iter().collect();
        let below = folder.join("below");
        fs::create_dir_all(&below).unwrap();
        let found = variables_of_repositories(&[below], &["MEM_DIR", "HOME"], &env);
        found.into_keys().collect()
    }

    #[test]
    fn whatever_could_be_read_as_naming_one_names_it() {
        let root = tempfile::tempdir().unwrap();
        let (home, repo) = (root.path().join("home"), root.path().join("repo"));
        for (settings, wanted) in [
            ("", &[][..]),
            ("{}", &[]),
            ("{\"env\":{\"OTHER\":\"MEM_DIR\"}}", &[]),
            ("\u{feff}{\"env\":{\"MEM_DIR\":\"\"}}", &["MEM_DIR"]),
            (
                "{\"autoMemoryEnabled\":3,\"env\":{\"MEM_DIR\":1}}",
                &["MEM_DIR"],
            ),
            ("{\"env\":{\"MEM_D\\u0049R\":\"x\"}}", &["MEM_DIR"]),
            ("{\"env\":{\"MEM_DIR\":\"x\",}} // broken", &["MEM_DIR"]),
            ("{\"env\":{\"\\u0058\":\"x\",}}", &["HOME", "MEM_DIR"]),
            (&" ".repeat(2 << 20), &["HOME", "MEM_DIR"]),
        ] {
            assert_eq!(
                named_variables(settings, &home, &repo),
                wanted,
                "{settings:.50}"
            );
        }
    }

    #[test]
    fn a_persons_own_are_not_a_repositorys_unless_a_repository_says_where_they_are() {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().join("home");
        let own = "{\"env\":{\"MEM_DIR\":\"x\"}}";
        assert!(named_variables(own, &home, &home).is_empty());
        let moved = "{\"env\":{\"MEM_DIR\":\"x\",\"HOME\":\"x\"}}";
        assert_eq!(named_variables(moved, &home, &home), ["HOME", "MEM_DIR"]);
    }
}
