//! The npm packages: one with the binary for each platform, and one that starts the right of them. No script runs at
//! installation: many forbid them.

use serde_json::json;

use super::archive::{Entry, tar_gz};
use super::platform::{Platform, System};
use super::{PACKAGE, Package, Release, SUMMARY};

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
    let platforms = Platform::ALL.map(|platform| (package_name(platform), version.into()));
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
    let entries = vec![
        Entry::text("package/package.json", about.into_bytes()),
        Entry::program("package/mem.js", script.into_bytes()),
        Entry::text("package/README.md", release.document("README.md")),
    ];
    packed(PACKAGE, entries, release)
}

fn package_name(platform: Platform) -> String {
    let (system, processor) = platform.node_names();
    format!("{PACKAGE}-{system}-{processor}")
}

fn binary(release: &Release) -> anyhow::Result<Package> {
    let (system, processor) = release.platform.node_names();
    let (name, program) = (package_name(release.platform), release.platform.program());
    let mut about = json!({
        "name": name,
        "version": release.version,
        "description": format!("The binary of {PACKAGE} for {system} on {processor}"),
        "license": "MIT OR Apache-2.0",
        "os": [system],
        "cpu": [processor],
        "files": [program],
    });
    if release.platform.system == System::Linux {
        about["libc"] = json!(["glibc"]);
    }
    let entries = vec![
        Entry::text("package/package.json", json_text(&about)?.into_bytes()),
        Entry::program(format!("package/{program}"), &release.binary),
    ];
    packed(&name, entries, release)
}

fn json_text(value: &serde_json::Value) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// A package of these files and the licences.
fn packed<'r>(
    name: &str,
    mut entries: Vec<Entry<'r>>,
    release: &'r Release,
) -> anyhow::Result<Package> {
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let path = format!("package/{licence}");
        entries.push(Entry::text(path, release.document(licence)));
    }
    Ok(Package {
        bytes: tar_gz(&entries, release.time)?,
        file_name: format!("{name}-{}.tgz", release.version),
    })
}
