//! The files of the working tree, as the rules look at them.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders that hold nothing of ours.
const SKIPPED: [&str; 3] = ["target", ".git", "node_modules"];
/// Folders whose Rust files are tests.
const TEST_FOLDERS: [&str; 4] = ["tests", "benches", "fuzz", "examples"];

/// A text file.
pub(crate) struct Source {
    /// Its path from the top, with `/`.
    pub name: String,
    /// All of it.
    pub text: String,
}

impl Source {
    /// The segments of its path, the last without `.rs`.
    pub(crate) fn segments(&self) -> impl Iterator<Item = &str> {
        self.name.trim_end_matches(".rs").split('/')
    }

    /// Whether it is there for tests alone.
    fn is_test(&self) -> bool {
        self.name.ends_with("tests.rs") || self.segments().any(|name| TEST_FOLDERS.contains(&name))
    }

    /// The lines before an inline test module.
    pub(crate) fn production(&self) -> Vec<&str> {
        let lines: Vec<&str> = self.text.split('\n').collect();
        let starts_tests = |pair: &[&str]| {
            pair[0].starts_with("#[cfg(test)]")
                && pair[1].contains("mod ")
                && pair[1].ends_with('{')
        };
        let end = lines.windows(2).position(starts_tests);
        lines[..end.unwrap_or(lines.len())].to_vec()
    }
}

/// The top of the working tree.
pub(crate) fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap().to_owned()
}

/// Every text file.
pub(crate) fn texts() -> Vec<Source> {
    let mut found = Vec::new();
    collect(&root(), &root(), &mut found);
    found.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(found.len() > 20, "the working tree was not found");
    found
}

/// Every Rust file.
pub(crate) fn rust() -> Vec<Source> {
    let mut sources = texts();
    sources.retain(|source| source.name.ends_with(".rs"));
    sources
}

/// Every Rust file that is not there for tests alone.
pub(crate) fn production() -> Vec<Source> {
    let mut sources = rust();
    sources.retain(|source| !source.is_test());
    sources
}

/// Whether no `mod` line of its parent names it, so that the compiler never sees it.
pub(crate) fn is_orphan(source: &Source) -> bool {
    let path = root().join(&source.name);
    let (Some(folder), Some(stem)) = (path.parent(), path.file_stem().and_then(|s| s.to_str()))
    else {
        return true;
    };
    let stands_alone = folder.ends_with("examples") || folder.ends_with("fuzz_targets");
    if stands_alone || ["main", "lib", "runner", "build"].contains(&stem) {
        return false;
    }
    let (folder, name) = match stem {
        "mod" => (folder.parent().unwrap(), folder.file_name().unwrap()),
        _ => (folder, stem.as_ref()),
    };
    let line = format!("mod {};", name.to_str().unwrap());
    let parents = ["mod.rs", "main.rs", "lib.rs", "runner.rs"].map(|file| folder.join(file));
    let beside = folder.with_extension("rs");
    !parents
        .iter()
        .chain([&beside])
        .any(|parent| fs::read_to_string(parent).is_ok_and(|text| text.contains(&line)))
}

/// Adds the text files of a folder.
fn collect(root: &Path, folder: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if SKIPPED.contains(&name) {
            continue;
        }
        if path.is_dir() {
            collect(root, &path, found);
        } else if let Ok(text) = fs::read_to_string(&path) {
            let name = path.strip_prefix(root).unwrap();
            let name = name.to_str().unwrap().replace('\\', "/");
            found.push(Source { name, text });
        }
    }
}
