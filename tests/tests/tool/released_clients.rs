//! The released file system memory tools and `mem tool`, asked the same: texts and files are equal.

use std::fs;
use std::process::Command;

use mem_tests::{TestEnv, clients};

/// Other seeds ask other things; each of these is 400 commands.
const SEEDS: [&str; 2] = ["1", "2026"];

#[track_caller]
fn assert_alike(mut command: Command) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{stderr}");
    let (asked, rest) = said.split_once(" commands, ").unwrap();
    let skipped = rest.split_once(' ').unwrap().0;
    let (asked, skipped): (u32, u32) = (asked.parse().unwrap(), skipped.parse().unwrap());
    assert!(asked == 400 && skipped * 4 < asked, "{said}");
}

#[test]
fn the_python_package_says_and_writes_the_same() {
    let env = TestEnv::new();
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/clients/python/compare.py");
    for seed in SEEDS {
        let folder = env.work().join(seed);
        fs::create_dir(&folder).unwrap();
        let mut command = env.command(clients::python());
        command
            .arg(program)
            .arg(mem_tests::binary::path())
            .arg(&folder)
            .arg(seed);
        assert_alike(command);
    }
}

#[test]
fn the_typescript_package_says_and_writes_the_same() {
    let env = TestEnv::new();
    // Modules are looked for from where the program really stands.
    let program = env.work().join("compare.mjs");
    fs::copy(
        concat!(env!("CARGO_MANIFEST_DIR"), "/clients/node/compare.mjs"),
        &program,
    )
    .unwrap();
    std::os::unix::fs::symlink(clients::node_modules(), env.work().join("node_modules")).unwrap();
    for seed in SEEDS {
        let folder = env.work().join(seed);
        fs::create_dir(&folder).unwrap();
        let mut command = env.command("node");
        command
            .arg(&program)
            .arg(mem_tests::binary::path())
            .arg(&folder)
            .arg(seed);
        assert_alike(command);
    }
}
