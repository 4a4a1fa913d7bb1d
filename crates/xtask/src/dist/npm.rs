//! The npm packages: one with the binary for each platform, and one that starts the right of them. No script runs at
//! installation: many forbid them.

use serde_json::json;

use super::archive::{Entry, tar_gz};
use super::{PACKAGE, Package, Release, SUMMARY};

/// The platforms of a release, as Node calls them: `process.platform`, `process.arch`.
const PLATFORMS: [(&str, &str); 5] = [
    ("linux", "x64"),
    ("linux", "arm64"),
    ("darwin", "x64"),
    ("darwin", "arm64"),
    ("win32", "x64"),
];
/// What `npx` and the links in `node_modules/.bin` start.
const LAUNCHER: &str = r#"#!/usr/bin/env node
// Starts the binary of the package for this platform, which npm installed as an optional dependency.
const { spawnSync } = require("node:child_process");
const name = `PACKAGE-${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "mem.exe" : "mem";
let binary;
try {
  binary = require.resolve(`${name}/${file}`);
} catch {
  console.error(`error: mem has no package for ${process.platform} on ${process.arch}, or npm left out \`${name}\``);
  console.error("hint: install without `--omit=optional`");
  process.exit(1);
}
const { status, signal, error } = spawnSync(binary, process.argv.slice(2), { stdio: "inherit" });
if (error) {
  console.error(`error: cannot start \`${binary}\`: ${error.message}`);
  process.exit(1);
}
if (signal) process.kill(process.pid, signal);
process.exit(status ?? 1);
"#;

/// The package that is named, and the one with this platform's binary.
pub(super) fn packages(release: &Release) -> anyhow::Result<[Package; 2]> {
    Ok([launcher(release)?, binary(release)?])
}

fn launcher(release: &Release) -> anyhow::Result<Package> {
    let version = release.version;
    let platforms = PLATFORMS.map(|(os, cpu)| (format!("{PACKAGE}-{os}-{cpu}"), version.into()));
    let about = json!({
        "name": PACKAGE,
        "version": version,
        "description": SUMMARY,
        "license": "MIT OR Apache-2.0",
        "keywords": ["agents", "memory", "claude", "mcp", "git"],
        "bin": { "mem": "mem.js" },
        "files": ["mem.js"],
        "engines": { "node": ">=18" },
        "optionalDependencies": serde_json::Map::from_iter(platforms),
    });
    let (about, script) = (json_text(&about)?, LAUNCHER.replace("PACKAGE", PACKAGE));
    let mut entries = vec![
        Entry::text("package/package.json", about.as_bytes()),
        Entry::program("package/mem.js", script.as_bytes()),
        Entry::text("package/README.md", release.document("README.md")),
    ];
    entries.extend(licences(release));
    packed(PACKAGE, &entries, release)
}

fn binary(release: &Release) -> anyhow::Result<Package> {
    let cpu = match release.arch {
        "aarch64" => "arm64",
        _ => "x64",
    };
    let name = format!("{PACKAGE}-linux-{cpu}");
    let about = json_text(&json!({
        "name": name,
        "version": release.version,
        "description": format!("The binary of {PACKAGE} for Linux on {cpu}"),
        "license": "MIT OR Apache-2.0",
        "os": ["linux"],
        "cpu": [cpu],
        "libc": ["glibc"],
        "files": ["mem"],
    }))?;
    let mut entries = vec![
        Entry::text("package/package.json", about.as_bytes()),
        Entry::program("package/mem", &release.binary),
    ];
    entries.extend(licences(release));
    packed(&name, &entries, release)
}

fn licences(release: &Release) -> [Entry<'_>; 2] {
    ["LICENSE-MIT", "LICENSE-APACHE"]
        .map(|name| Entry::text(format!("package/{name}"), release.document(name)))
}

fn json_text(value: &serde_json::Value) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

fn packed(name: &str, entries: &[Entry<'_>], release: &Release) -> anyhow::Result<Package> {
    Ok(Package {
        bytes: tar_gz(entries, release.time)?,
        file_name: format!("{name}-{}.tgz", release.version),
    })
}
