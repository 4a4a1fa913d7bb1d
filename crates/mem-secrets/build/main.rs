//! Turns `rules/*.toml` into static tables, so that a program that scans one
//! small file does not pay for four hundred rules.

#![expect(
    clippy::print_stdout,
    reason = "this is how a build script talks to cargo"
)]
#![expect(
    clippy::disallowed_methods,
    reason = "cargo names the folders in the environment"
)]

mod emit;
mod entry;
mod pattern;
#[path = "../src/keywords/tables.rs"]
mod tables;
mod texts;
mod words;

use std::collections::hash_map::DefaultHasher;
use std::error::Error;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=rules");
    println!("cargo::rerun-if-changed=data");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let mut entries = Vec::new();
    for file in rule_files(&root.join("rules"))? {
        let family = file
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or_default();
        let text = fs::read_to_string(&file)?;
        let found = entry::parse(family, &text).map_err(|e| format!("{}: {e}", file.display()))?;
        entries.extend(found);
    }
    refuse_twins(&entries)?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let source = emit::emit(&entries).map_err(|e| e.join("\n"))?;
    fs::write(out.join("rules.rs"), source)?;
    let data = |name: &str| fs::read_to_string(root.join("data").join(name));
    let words = words::emit(
        &data("bip39.txt")?,
        &data("words.txt")?,
        &data("letters.txt")?,
    );
    fs::write(out.join("words.rs"), words)?;
    println!(
        "cargo::rustc-env=MEM_SECRETS_RULES_HASH={:016x}",
        hash(&root)?
    );
    Ok(())
}

/// Names everything that decides on a finding: rules, word lists and code. It only has to differ
/// between builds that judge differently.
fn hash(root: &Path) -> Result<u64, Box<dyn Error>> {
    let mut hasher = DefaultHasher::new();
    let mut folders: Vec<PathBuf> = ["rules", "data", "build", "src"]
        .iter()
        .map(|f| root.join(f))
        .collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    for file in files {
        fs::read(file)?.hash(&mut hasher);
    }
    Ok(hasher.finish())
}

fn rule_files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "toml")
    });
    files.sort();
    Ok(files)
}

fn refuse_twins(entries: &[entry::Entry]) -> Result<(), String> {
    let mut seen: Vec<&str> = Vec::new();
    for entry in entries {
        let id = entry.id.as_str();
        // Forms of one secret share an id when they stand next to each other.
        if seen.last() != Some(&id) {
            if seen.contains(&id) {
                return Err(format!("two rules are called `{id}`"));
            }
            seen.push(id);
        }
    }
    Ok(())
}
