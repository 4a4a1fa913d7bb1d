//! What a start loads and parses: it is paid for at every prompt and every push.

use mem_tests::TestEnv;

/// The loader of glibc lists what it loads and runs nothing.
#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn one_library() {
    let env = TestEnv::new();
    let run = env.invoke(["--version"]);
    let listed = run.env("LD_TRACE_LOADED_OBJECTS", "1").run().assert_ok();
    assert!(listed.stdout.contains("libc.so"), "{}", listed.stdout);
    let names = listed.stdout.lines().map(str::trim);
    let needed: Vec<&str> = names
        .filter(|line| {
            !["linux-vdso", "libc.so", "/lib"]
                .iter()
                .any(|known| line.starts_with(known))
        })
        .collect();
    assert!(needed.is_empty(), "{needed:?}");
}

#[test]
fn a_value_that_is_named_as_a_command_is_none() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let expected = repo.mem(["path"]).assert_ok().stdout;
    let folder = repo.path().join("save");
    std::fs::create_dir(&folder).unwrap();
    assert_eq!(
        repo.mem(["-C", "save", "path"]).assert_ok().stdout,
        expected
    );
    let error = repo.mem(["-C", "save", "completion", "path", "--json"]);
    let error = error.assert_code(2).json_error();
    assert_eq!(error["hint"], "did you mean `completions`?");
}

#[test]
fn the_version_is_the_same_however_it_is_asked_for() {
    let env = TestEnv::new();
    let version = env.mem(["--version"]).assert_ok().stdout;
    assert_eq!(env.mem(["-V"]).assert_ok().stdout, version);
    assert_eq!(env.mem(["-q", "--version"]).assert_ok().stdout, version);
    let number = env.mem(["--version", "--json"]).json()["version"].clone();
    assert!(version.starts_with(&format!("mem {} (", number.as_str().unwrap())));
}
