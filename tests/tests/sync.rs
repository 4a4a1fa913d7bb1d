//! `mem sync`: one person, two machines.

use std::fs;
use std::path::PathBuf;

use mem_tests::{TestEnv, github_token};

#[cfg(target_os = "linux")]
use crate::check::WITHOUT_PRIVILEGE;
use crate::team::Person;

/// Answers every question of a program on a terminal of its own.
pub(crate) const TERMINAL: &str = r"
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[2], sys.argv[2:])
out, asked = b'', 0
while True:
    try:
        data = os.read(fd, 4096)
    except OSError:
        break
    if not data:
        break
    out += data
    while out.count(b'[y/N]') > asked:
        asked += 1
        os.write(fd, sys.argv[1].encode() + b'\n')
sys.stdout.buffer.write(out)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
";

fn notes(env: &TestEnv) -> String {
    format!("git:{}", env.root().join("notes.git").display())
}

fn machine<'e>(env: &'e TestEnv, name: &str) -> Person<'e> {
    let person = Person::new(env, name);
    let url = "https://git.example.org/acme/app.git";
    person.repo.git(["remote", "set-url", "origin", url]);
    person
}

/// Two machines whose notes are kept in step in a bare repository.
pub(crate) fn two(env: &TestEnv) -> (Person<'_>, Person<'_>) {
    let (laptop, desk) = (machine(env, "laptop"), machine(env, "desk"));
    let bare = env.root().join("notes.git");
    let bare = bare.to_string_lossy();
    laptop.repo.git(["init", "--quiet", "--bare", &bare]);
    for person in [&laptop, &desk] {
        let remote = notes(env);
        let setup = ["sync", "setup", "--remote", &remote];
        person.invoke(setup).run().assert_ok();
    }
    (laptop, desk)
}

/// Two machines on which `x.md` was changed since they were in step.
pub(crate) fn two_that_differ(env: &TestEnv) -> (Person<'_>, Person<'_>) {
    let (laptop, desk) = two(env);
    write(&laptop, "x.md", "one\n");
    sync(&laptop);
    sync(&desk);
    write(&laptop, "x.md", "of laptop\n");
    write(&desk, "x.md", "of desk\n");
    (laptop, desk)
}

fn private(person: &Person<'_>) -> PathBuf {
    PathBuf::from(person.mem("path").line())
}

pub(crate) fn write(person: &Person<'_>, file: &str, text: &str) {
    let path = private(person).join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

pub(crate) fn read(person: &Person<'_>, file: &str) -> Option<String> {
    fs::read_to_string(private(person).join(file)).ok()
}

pub(crate) fn sync(person: &Person<'_>) -> String {
    person.mem("sync").assert_ok().stdout
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_read_is_not_deleted_elsewhere() {
    use std::os::unix::fs::PermissionsExt as _;

    let env = TestEnv::new();
    let (laptop, desk) = two(&env);
    write(&laptop, "sub/x.md", "one\n");
    sync(&laptop);
    sync(&desk);
    // Recorded, and not sent.
    write(&laptop, "sub/y.md", "unsent\n");
    laptop.mem("index repair").assert_ok();
    write(&laptop, "z.md", "beside\n");
    let folder = private(&laptop).join("sub");
    let set_mode = |mode| fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
    set_mode(0o000);
    let run = laptop.invoke(["sync"]).through_shell(WITHOUT_PRIVILEGE);
    let told = run.run().assert_ok().stderr;
    assert!(told.contains("cannot be read: permission denied"), "{told}");
    assert!(told.contains("not shared: `sub/y.md`"), "{told}");
    set_mode(0o755);
    sync(&desk);
    assert_eq!(read(&desk, "z.md").as_deref(), Some("beside\n"));
    for machine in [&laptop, &desk] {
        sync(machine);
        assert_eq!(read(machine, "sub/x.md").as_deref(), Some("one\n"));
        assert_eq!(read(machine, "sub/y.md").as_deref(), Some("unsent\n"));
    }
}

pub(crate) fn references(person: &Person<'_>, env: &TestEnv) -> String {
    let bare = env.root().join("notes.git");
    person.repo.git(["ls-remote", &bare.to_string_lossy()])
}

#[test]
fn private_and_global_notes_travel_and_the_teams_do_not() {
    let env = TestEnv::new();
    let (laptop, desk) = two(&env);
    write(&laptop, "project_freeze.md", "Nothing lands.\n");
    laptop.write("of_team.md", "for everybody\n");
    let global = [
        "save", "--type", "user", "--scope", "global", "--name", "Editor",
    ];
    let rest = ["--description", "about it", "--body", "Tabs."];
    laptop
        .invoke(global.into_iter().chain(rest))
        .run()
        .assert_ok();
    let sent = sync(&laptop);
    assert!(sent.contains("sent  project_freeze.md"), "{sent}");
    assert!(sent.contains("sent  user_editor.md"), "{sent}");
    sync(&desk);
    assert_eq!(
        read(&desk, "project_freeze.md").unwrap(),
        "Nothing lands.\n"
    );
    let global = desk.mem("list --scope global").assert_ok().stdout;
    assert!(global.contains("user_editor.md"), "{global}");
    assert!(
        desk.read("of_team.md").is_none() && !sent.contains("of_team"),
        "{sent}"
    );
    let there = references(&laptop, &env);
    assert!(there.contains("refs/mem/own/global") && there.contains("refs/mem/own/private/"));
    assert!(sync(&desk).contains("in step"));
    // A removed note comes back, a deleted one goes everywhere.
    fs::remove_file(private(&desk).join("project_freeze.md")).unwrap();
    sync(&desk);
    assert!(read(&desk, "project_freeze.md").is_some());
    desk.mem("sync delete project_freeze.md").assert_ok();
    sync(&laptop);
    assert!(read(&laptop, "project_freeze.md").is_none());
    let status = laptop.mem("sync status --json").assert_ok().json();
    assert_eq!(status["tiers"][0]["scope"], "private", "{status}");
    assert_eq!(status["tiers"][1]["repository"], "own/global", "{status}");
    laptop.mem("sync leave").assert_ok();
    laptop.mem("sync").assert_code(1);
}

#[test]
fn what_is_removed_or_renamed_through_mem_goes_on_all_machines() {
    let env = TestEnv::new();
    let (laptop, desk) = two(&env);
    for file in ["gone.md", "old.md"] {
        write(&laptop, file, "one\n");
    }
    sync(&laptop);
    sync(&desk);
    laptop.mem("remove gone.md").assert_ok();
    laptop.mem("rename old.md new.md").assert_ok();
    sync(&laptop);
    sync(&desk);
    sync(&laptop);
    for machine in [&laptop, &desk] {
        assert!(read(machine, "gone.md").is_none() && read(machine, "old.md").is_none());
        assert_eq!(read(machine, "new.md").unwrap(), "one\n");
    }
    // Taken back here, it is back everywhere.
    laptop.mem("restore gone.md").assert_ok();
    sync(&laptop);
    sync(&desk);
    assert!(read(&desk, "gone.md").is_some());
}

#[test]
fn both_machines_changes_are_merged_or_kept_aside() {
    let env = TestEnv::new();
    let (laptop, desk) = two_that_differ(&env);
    sync(&laptop);
    let told = desk.mem("sync").assert_ok();
    assert!(
        told.stderr.contains("`mem sync resolve`"),
        "{}",
        told.stderr
    );
    assert_eq!(read(&desk, "x.md").unwrap(), "of laptop\n");
    desk.mem("sync resolve x.md --mine").assert_ok();
    sync(&desk);
    sync(&laptop);
    assert_eq!(read(&laptop, "x.md").unwrap(), "of desk\n");
}

#[test]
fn a_memory_and_its_line_in_the_index_have_one_fate() {
    let env = TestEnv::new();
    let (laptop, desk) = two(&env);
    let file = "project_freeze.md";
    let run = |person: &Person<'_>, args: &[&str]| {
        let run = person.invoke(args.iter().copied()).run();
        run.assert_ok();
    };
    let save = ["save", "--type", "project", "--name", "Freeze"];
    let rest = ["--description", "when", "--body", "Nothing lands."];
    run(&laptop, &[&save[..], &rest].concat());
    sync(&laptop);
    sync(&desk);
    // Removed on one machine, edited on the other: the edit stands, with its line.
    run(&desk, &["remove", file, "--reason", "bye"]);
    run(&laptop, &["edit", file, "--body", "Of laptop."]);
    for person in [&laptop, &desk, &laptop] {
        sync(person);
    }
    for person in [&laptop, &desk] {
        assert!(read(person, file).unwrap().contains("Of laptop."));
        let index = read(person, "MEMORY.md").unwrap();
        assert!(index.contains("(project_freeze.md)"), "{index}");
    }
    // The remote's text replaces the memory, of which a copy is kept. A line that was changed here stays.
    let changes = ["--description", "of desk", "--body", "Of desk."];
    run(&desk, &[&["edit", file][..], &changes].concat());
    let index = read(&desk, "MEMORY.md").unwrap();
    let index = format!("{}\n  A line below it.\n", index.trim_end());
    write(&desk, "MEMORY.md", &index);
    run(&laptop, &["edit", file, "--body", "Of laptop again."]);
    for person in [&laptop, &desk, &laptop] {
        sync(person);
    }
    for person in [&laptop, &desk] {
        assert!(read(person, file).unwrap().contains("Of laptop again."));
        assert_eq!(read(person, "MEMORY.md").unwrap(), index);
    }
    // A line that was moved to the archive stays there alone.
    write(&desk, "MEMORY.archive.md", &index);
    write(&desk, "MEMORY.md", "# Index\n");
    let text = read(&desk, file).unwrap();
    write(&desk, file, &text.replace("Of laptop again.", "Of desk."));
    write(&laptop, file, &text.replace("again", "at last"));
    for person in [&laptop, &desk, &laptop] {
        sync(person);
    }
    for person in [&laptop, &desk] {
        assert!(read(person, file).unwrap().contains("Of laptop at last."));
        assert_eq!(read(person, "MEMORY.archive.md").unwrap(), index);
        let index = read(person, "MEMORY.md").unwrap();
        assert!(!index.contains(file), "{index}");
    }
}

#[test]
fn the_line_of_a_memory_that_is_held_back_stays_with_it() {
    let env = TestEnv::new();
    let (laptop, desk) = two(&env);
    let lines = "- [Plain](plain.md) — about it\n- [Token](token.md) — of the build\n";
    write(&laptop, "plain.md", "Nothing secret.\n");
    let token = github_token(1);
    write(&laptop, "token.md", &format!("the token is {token}\n"));
    write(&laptop, "MEMORY.md", lines);
    laptop.mem("sync").assert_code(3);
    sync(&desk);
    let index = read(&desk, "MEMORY.md").unwrap();
    assert_eq!(index, "- [Plain](plain.md) — about it\n");
    write(&desk, "new.md", "Of desk.\n");
    let added = format!("{index}- [New](new.md) — of desk\n");
    write(&desk, "MEMORY.md", &added);
    sync(&desk);
    laptop.mem("sync").assert_code(3);
    let index = read(&laptop, "MEMORY.md").unwrap();
    for file in ["plain.md", "token.md", "new.md"] {
        assert!(index.contains(file), "{index}");
    }
    // Without its secret it leaves, with its line.
    write(&laptop, "token.md", "It is in the vault.\n");
    sync(&laptop);
    sync(&desk);
    let index = read(&desk, "MEMORY.md").unwrap();
    assert!(index.contains("(token.md)"), "{index}");
}

#[test]
fn hints_about_own_notes_name_what_there_is() {
    let env = TestEnv::new();
    let (laptop, _) = two(&env);
    fs::create_dir_all(private(&laptop)).unwrap();
    fs::write(private(&laptop).join("x.md"), b"\xff\xfe\x00").unwrap();
    let told = laptop.mem("sync").stderr;
    assert!(
        told.contains("convert it to UTF-8") && !told.contains("team's"),
        "{told}"
    );
    let origin = env.work().join("origin.git");
    let url = origin.to_string_lossy();
    laptop.repo.git(["remote", "set-url", "origin", &url]);
    let told = laptop.mem("sync resolve").stderr;
    assert!(
        told.contains("hint: `mem config set --repository team.repo OWNER/REPO`"),
        "{told}"
    );
}

#[test]
fn a_finding_is_asked_about_once_and_blocks_where_nobody_is_there() {
    let env = TestEnv::new();
    let (laptop, desk) = two(&env);
    let token = github_token(1);
    write(&laptop, "yes.md", &format!("the token is {token}\n"));
    let blocked = laptop.mem("sync").assert_code(3);
    assert!(!blocked.stderr.contains(&token) && blocked.stderr.contains("yes.md"));
    let ask = |answer: &str| {
        let mut python = env.command("python3");
        python.args(["-c", TERMINAL, answer]);
        python.arg(mem_tests::binary::path()).arg("sync");
        python
            .env("HOME", &laptop.home)
            .current_dir(laptop.repo.path());
        let output = python.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), said)
    };
    let (code, said) = ask("n");
    assert_eq!(code, Some(3), "{said}");
    assert!(
        said.contains("yes.md") && said.contains("[y/N]") && !said.contains(&token),
        "{said}"
    );
    let (code, said) = ask("y");
    assert!(
        code == Some(3) && !said.contains("[y/N]"),
        "asked again: {said}"
    );
    // Another secret is another question.
    let other = github_token(2);
    write(&laptop, "yes.md", &format!("the token is {other}\n"));
    let (code, said) = ask("y");
    assert_eq!((code, said.contains("[y/N]")), (Some(0), true), "{said}");
    sync(&desk);
    assert!(read(&desk, "yes.md").unwrap().contains(&other));
    let kept = fs::read_to_string(laptop.home.join(".local/state/mem/own-findings.json")).unwrap();
    assert!(!kept.contains(&other) && !kept.contains(&token));
}

#[test]
fn what_others_read_is_refused_and_agents_are_too() {
    let env = TestEnv::new();
    let laptop = Person::new(&env, "laptop");
    let origin = format!("git:{}", env.work().join("origin.git").display());
    let setup = |remote: &str, more: &[&str]| {
        let args = ["sync", "setup", "--remote", remote];
        let more = more.iter().copied();
        laptop.invoke(args.into_iter().chain(more)).run()
    };
    let refused = setup(&origin, &[]).assert_code(1).stderr;
    assert!(
        refused.contains("is a remote of this repository"),
        "{refused}"
    );
    let by_name = setup("git:origin", &[]).assert_code(1).stderr;
    assert!(by_name.contains("not the address"), "{by_name}");
    let nameless = setup("http://127.0.0.1:9", &[]).assert_code(1).stderr;
    assert!(nameless.contains("--name"), "{nameless}");
    let agent = laptop
        .invoke(["sync", "setup", "--mine", "--remote", &origin])
        .env("MEM_ACTOR", "agent");
    agent.run().assert_code(1);
    let agent = laptop.invoke(["sync"]).env("MEM_ACTOR", "agent");
    agent.env("MEM_SYNC_REMOTE", &origin).run().assert_code(1);
    let team = [
        "team",
        "setup",
        "--remote",
        "git:origin",
        "--repo",
        "acme/app",
    ];
    laptop.invoke(team).run().assert_ok();
    let refused = setup(&origin, &["--mine"]).assert_code(1).stderr;
    assert!(
        refused.contains("the team's memory is shared at"),
        "{refused}"
    );
    laptop.mem("team leave").assert_ok();
    setup(&origin, &["--mine"]).assert_ok();
    let refused = laptop.invoke(team).run().assert_code(1).stderr;
    assert!(refused.contains("your own notes are kept at"), "{refused}");
    // It became the team's since, in a way that nobody asked about.
    laptop
        .mem("config set --repository team.remote git:origin")
        .assert_ok();
    let refused = laptop.mem("sync").assert_code(1).stderr;
    assert!(
        refused.contains("the team's memory is shared at"),
        "{refused}"
    );
}

#[test]
fn a_remote_cannot_write_into_the_teams_folder() {
    let env = TestEnv::new();
    let (laptop, desk) = two(&env);
    write(&laptop, "fine.md", "one\n");
    sync(&laptop);
    // As somebody would who has got hold of the remote.
    let bare = env.root().join("notes.git");
    let bare = bare.to_string_lossy().into_owned();
    let git = |args: &[&str]| {
        let all = ["--git-dir", &bare].into_iter().chain(args.iter().copied());
        laptop.repo.git(all).trim().to_owned()
    };
    let reference = git(&[
        "for-each-ref",
        "--format=%(refname)",
        "refs/mem/own/private",
    ]);
    let blob = git(&["rev-parse", &format!("{reference}:fine.md")]);
    let index = env.root().join("index").to_string_lossy().into_owned();
    let script = format!(
        "export GIT_INDEX_FILE={index} GIT_DIR={bare}; git read-tree {reference} && \
         git update-index --add --cacheinfo 100644,{blob},team/planted.md && \
         git update-index --add --cacheinfo 100644,{blob},Team/too.md && \
         git update-ref {reference} $(git commit-tree -m x -p {reference} $(git write-tree))"
    );
    let planted = env.command("sh").args(["-c", &script]).status().unwrap();
    assert!(planted.success());
    let told = desk.mem("sync").assert_code(1);
    assert!(told.stderr.contains("team/planted.md"), "{}", told.stderr);
    assert_eq!(read(&desk, "fine.md").unwrap(), "one\n");
    assert!(read(&desk, "team/planted.md").is_none() && read(&desk, "Team/too.md").is_none());
}

#[test]
fn status_tells_of_it_and_differences_are_shown() {
    let env = TestEnv::new();
    let (laptop, desk) = two(&env);
    write(&laptop, "x.md", "one\n");
    sync(&laptop);
    sync(&desk);
    let status = laptop.mem("status").assert_ok().stdout;
    assert!(
        status.contains("own notes: 1 memory of own at git:"),
        "{status}"
    );
    write(&desk, "x.md", "two\n");
    let status = desk.mem("status").assert_ok().stdout;
    assert!(
        status.contains("1 file waits to be sent") && status.contains("`mem sync status`"),
        "{status}"
    );
    let json = desk.mem("status --json").assert_ok().json();
    assert_eq!(
        (&json["own"]["shared"], &json["own"]["waiting"]),
        (&1.into(), &1.into())
    );
    let diff = desk.mem("sync diff").assert_ok().stdout;
    assert!(diff.contains("-one\n+two"), "{diff}");
    let json = desk
        .mem("sync diff --json --scope global")
        .assert_ok()
        .json();
    assert_eq!(json["tiers"][0]["files"], serde_json::json!([]), "{json}");
    sync(&desk);
    desk.mem("sync redact x.md").assert_code(2);
    let told = desk.mem("sync redact x.md --yes").assert_ok().stdout;
    assert!(told.contains("1 version of x.md"), "{told}");
    let bare = env.root().join("notes.git");
    let bare = bare.to_string_lossy();
    let all = laptop.repo.git(["--git-dir", &bare, "log", "-p", "--all"]);
    assert!(all.contains("two") && !all.contains("+one"), "{all}");
    laptop.mem("sync leave").assert_ok();
    assert!(
        !laptop
            .mem("status")
            .assert_ok()
            .stdout
            .contains("own notes")
    );
}

#[test]
fn where_another_repositorys_team_shares_is_refused() {
    let env = TestEnv::new();
    let laptop = machine(&env, "laptop");
    let other = env.repo("other");
    let bare = env.root().join("others.git");
    let bare = bare.to_string_lossy();
    other.git(["init", "--quiet", "--bare", &bare]);
    other.git(["remote", "add", "company", &bare]);
    let in_other = |line: &str| {
        let run = other.invoke(line.split(' ')).env("HOME", &laptop.home);
        run.run().assert_ok()
    };
    in_other("team setup --remote git:company --repo acme/other");
    let remote = format!("git:{bare}");
    let setup = ["sync", "setup", "--remote", &remote];
    let refused = laptop.invoke(setup).run().assert_code(1).stderr;
    assert!(
        refused.contains("the team's memory of") && refused.contains("other"),
        "{refused}"
    );
    in_other("team leave");
    laptop.invoke(setup).run().assert_ok();
    sync(&laptop);
    let again = "team setup --remote git:company --repo acme/other".split(' ');
    let refused = other.invoke(again).env("HOME", &laptop.home).run();
    let refused = refused.assert_code(1).stderr;
    assert!(refused.contains("your own notes are kept at"), "{refused}");
    // It became theirs since, in a way that nobody asked about.
    in_other("config set --repository team.remote git:company");
    laptop.mem("sync").assert_code(1);
    let status = laptop.mem("status").assert_ok().stdout;
    assert!(
        status.contains("own notes: the team's memory of"),
        "{status}"
    );
}

#[test]
fn a_rename_or_share_that_was_undone_stays_so_on_all_machines() {
    let env = TestEnv::new();
    let (laptop, desk) = two(&env);
    for person in [&laptop, &desk] {
        let origin = env.work().join("origin.git");
        let add = ["remote", "add", "team", &origin.to_string_lossy()];
        person.repo.git(add);
        let setup = "team setup --remote git:team --repo acme/app";
        person.mem(setup).assert_ok();
    }
    let save = ["save", "--type", "project", "--name", "Cache"];
    let rest = ["--description", "about it", "--body", "One."];
    laptop
        .invoke(save.into_iter().chain(rest))
        .run()
        .assert_ok();
    for (away, back) in [
        ("rename project_cache.md Queue", "undo"),
        (
            "rename project_cache.md x.md",
            "rename x.md project_cache.md",
        ),
        ("team share project_cache.md", "undo"),
    ] {
        for command in [None, Some(away), Some(back)] {
            if let Some(command) = command {
                laptop.mem(command).assert_ok();
            }
            sync(&laptop);
            sync(&desk);
        }
        for person in [&laptop, &desk] {
            let text = read(person, "project_cache.md").unwrap_or_default();
            assert!(text.contains("One."), "{away}: {text}");
            let files = fs::read_dir(private(person)).unwrap();
            let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
            let mut names: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
            names.sort();
            assert_eq!(names, ["MEMORY.md", "project_cache.md"], "{away}");
        }
    }
}

#[test]
fn a_redaction_names_the_commands_that_clean_the_own_remote() {
    let env = TestEnv::new();
    let (laptop, desk) = two(&env);
    let name = "project_customer_acmewidgetco.md";
    let save = ["save", "--type", "project", "--name"];
    let rest = [
        "Customer ACMEWIDGETCO",
        "--description",
        "d",
        "--body",
        "the leaked body",
    ];
    laptop
        .invoke(save.into_iter().chain(rest))
        .run()
        .assert_ok();
    laptop.mem("sync").assert_ok();
    desk.mem("sync").assert_ok();
    let body = laptop.mem("redact --text leaked --yes").assert_ok().stderr;
    assert!(body.contains("`mem sync redact FILE`"), "{body}");
    let told = laptop.mem("redact --text ACMEWIDGETCO --yes").assert_ok();
    assert!(
        told.stderr.contains("`mem sync delete NAME`") && !told.stderr.contains("mem team"),
        "{}",
        told.shown()
    );
    laptop.mem(&format!("sync delete {name}")).assert_ok();
    desk.mem("sync").assert_ok();
    laptop
        .mem(&format!("sync redact {name} --name --yes"))
        .assert_ok();
    for person in [&laptop, &desk, &laptop] {
        person.mem("sync").assert_ok();
        let list = person.mem("list").assert_ok().stdout;
        assert!(!list.contains("acmewidgetco"), "{list}");
    }
}
