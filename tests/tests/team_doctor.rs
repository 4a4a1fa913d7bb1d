//! What `mem doctor` and `mem check` say of sharing, and that names with secrets are not shown.

use std::fs;

use mem_tests::{TestEnv, github_token};

use crate::team::{Person, both_changed, two};

/// The checks of one name that are not well.
fn ill(person: &Person<'_>, name: &str) -> String {
    let json = person.mem("doctor --json").json();
    let checks = json["checks"].as_array().unwrap().iter();
    let of_name = checks.filter(|one| one["name"] == name && one["status"] != "ok");
    let told = of_name.map(|one| format!("{} ({})", one["message"], one["hint"]));
    told.collect::<Vec<_>>().join("; ")
}

#[test]
fn doctor_tells_what_is_wrong_with_sharing() {
    let env = TestEnv::new();
    let (ann, _ben) = two(&env);
    ann.write("x.md", "one\n");
    ann.sync();
    assert_eq!(ill(&ann, "team"), "");
    let outcome = ann.state("-outcome.json");
    let state = outcome.to_string_lossy().replace("-outcome.json", ".state");
    // A lock of git's own goes with no process.
    let lock = state.replace(".state", ".git/refs/mem/team.lock");
    fs::write(&lock, "").unwrap();
    assert!(
        ill(&ann, "team").contains("team.lock"),
        "{}",
        ill(&ann, "team")
    );
    ann.mem("doctor --fix");
    assert_eq!(ill(&ann, "team"), "");
    // Whoever is at it is told of.
    let held = fs::File::create(state.replace(".state", "-sync.lock")).unwrap();
    held.lock().unwrap();
    assert!(ill(&ann, "team").contains("running right now"));
    drop(held);
    fs::write(&state, "{").unwrap();
    assert!(ill(&ann, "team").contains("is damaged"));
    ann.sync();
    let after = ill(&ann, "team");
    assert!(
        after.contains("set aside") && !after.contains("not used"),
        "{after}"
    );
    let elsewhere = env.work().join("elsewhere.git");
    let elsewhere = elsewhere.to_string_lossy();
    ann.repo.git(["remote", "set-url", "origin", &elsewhere]);
    let moved = ill(&ann, "team");
    assert!(
        moved.contains("not the one") && moved.contains("mem team setup"),
        "{moved}"
    );
}

#[cfg(unix)]
#[test]
fn doctor_finds_tokens_that_others_may_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann");
    let login = [
        "team",
        "login",
        "--no-check",
        "--server",
        "https://mem.example.org",
    ];
    let token = ["msk", "_", "0123456789abcdef"].concat();
    ann.invoke(login).stdin(token).run().assert_ok();
    assert_eq!(ill(&ann, "tokens"), "");
    let folder = ann.home.join(".local/state/mem/tokens");
    let file = fs::read_dir(folder)
        .unwrap()
        .flatten()
        .next()
        .unwrap()
        .path();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let told = ill(&ann, "tokens");
    assert!(
        told.contains("may be read by others") && told.contains("revoked"),
        "{told}"
    );
    ann.mem("doctor").assert_code(1);
    ann.mem("doctor --fix");
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
}

#[test]
fn check_tells_what_gave_way_and_what_is_not_shared() {
    let env = TestEnv::new();
    let (_ann, ben) = both_changed(&env, "of ben\n");
    ben.mem("team sync").assert_ok();
    ben.write("key.md", &format!("the token is {}\n", github_token(7)));
    ben.mem("team sync").assert_code(3);
    let json = ben.mem("check --json").json();
    let all = json.to_string();
    for (code, file) in [("gave-way", "x.md"), ("unshared", "key.md")] {
        let at = all
            .find(&format!("\"{code}\""))
            .unwrap_or_else(|| panic!("{code}: {all}"));
        assert!(
            all[at.saturating_sub(300)..(at + 300).min(all.len())].contains(file),
            "{all}"
        );
    }
    let text = ben.mem("check").stdout;
    assert!(text.contains("fix: mem team resolve x.md\n"), "{text}");
    ben.mem("team resolve x.md").assert_ok();
    let first = ben.repo.invoke::<&str>([]).env("HOME", &ben.home).run();
    let first = first.assert_ok().stdout;
    assert!(
        first.contains("next: mem team resolve ") && !first.contains("nothing to mend"),
        "{first}"
    );
}

#[test]
fn a_name_that_holds_a_secret_is_not_shown_anywhere() {
    let env = TestEnv::new();
    let (ann, _ben) = two(&env);
    let token = github_token(9);
    ann.write(&format!("{token}.md"), "fine\n");
    let other = github_token(10);
    ann.write(&format!("{other}. "), "an odd name\n");
    std::os::unix::fs::symlink("/nowhere", ann.team().join(&other)).unwrap();
    let synced = ann.mem("team sync").assert_code(3);
    assert!(!synced.shown().contains(&other), "a name was shown");
    for line in [
        "team diff",
        "team diff --json",
        "team status",
        "team status --json",
        "team resolve",
    ] {
        let output = ann.mem(line);
        let said = format!("{}{}", output.stdout, output.stderr);
        assert!(!said.contains(&token) && !said.contains(&other), "{line}");
        assert!(
            line == "team resolve" || said.contains("name holds a secret"),
            "{line}: {said}"
        );
    }
}

#[test]
fn doctor_says_that_a_state_without_its_key_stops_the_sync() {
    let env = TestEnv::new();
    let (ann, _ben) = two(&env);
    ann.write("x.md", "one\n");
    ann.sync();
    ann.mem("encrypt on --local").assert_ok();
    fs::remove_file(ann.home.join(".config/mem/master.key")).unwrap();
    let told = ill(&ann, "team");
    assert!(told.contains("no sync runs until it opens"), "{told}");
    ann.mem("team sync").assert_code(1);
}
