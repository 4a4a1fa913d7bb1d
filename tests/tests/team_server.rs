//! `mem team` over HTTP: the real server, and one that means harm.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::thread;

use mem_tests::TestEnv;

use crate::team::Person;

/// A running `mem serve`.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(env: &TestEnv) -> Self {
        let mut command = env.command(mem_tests::binary::path());
        command
            .args([
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--insecure-no-auth",
                "--data-dir",
            ])
            .arg(env.root().join("server"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        let stdout = child.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        let url = line
            .trim()
            .strip_prefix("listening on ")
            .unwrap()
            .to_owned();
        Self { child, url }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn at<'e>(env: &'e TestEnv, name: &str, url: &str) -> Person<'e> {
    let person = Person::new(env, name);
    person
        .mem(&format!("team setup --remote {url} --repo acme/app"))
        .assert_ok();
    person
}

#[test]
fn a_memory_travels_through_the_server_and_its_end_is_no_loss() {
    let env = TestEnv::new();
    let server = Server::start(&env);
    let (ann, ben) = (at(&env, "ann", &server.url), at(&env, "ben", &server.url));
    ann.save("Freeze", "Nothing lands.");
    ann.sync();
    ben.sync();
    assert!(
        ben.read("project_freeze.md")
            .unwrap()
            .contains("Nothing lands.")
    );
    let json = ben.mem("team sync --json").assert_ok().json();
    assert_eq!(json["not_modified"], true);
    fs::remove_file(ben.team().join("project_freeze.md")).unwrap();
    ben.sync();
    assert!(ben.read("project_freeze.md").is_some());
    let log = ben.mem("team log").assert_ok().stdout;
    let all = ben.mem("team log -n 0").assert_ok();
    assert_eq!((all.stdout, all.stderr), (log.clone(), String::new()));
    assert!(log.contains("created   ann  project_freeze.md"), "{log}");
    let why = [
        "team",
        "delete",
        "project_freeze.md",
        "--reason",
        "it is over",
    ];
    ann.invoke(why).run().assert_ok();
    let log = ben.mem("team log").assert_ok().stdout;
    assert!(
        log.contains("deleted   ann  project_freeze.md  (it is over)\n"),
        "{log}"
    );
    drop(server);
    ann.write("later.md", "x\n");
    let stopped = ann.mem("team sync --json").assert_code(5);
    assert!(
        stopped.stderr.contains("\"kind\":\"unreachable\""),
        "{}",
        stopped.shown()
    );
    let status = ann.mem("team status").assert_ok().stdout;
    assert!(status.contains("offline") && status.contains("waits to be sent  later.md"));
    assert!(ann.mem("status").stdout.contains("offline"));
}

#[test]
fn a_token_goes_to_its_server_and_nobody_elses_hands() {
    let env = TestEnv::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (sender, requests) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = sender.send(head(&mut stream));
            let body = r#"{"type":"error","error":{"type":"authentication_error","message":"no"},"request_id":"r"}"#;
            let _ = write!(
                stream,
                "HTTP/1.1 401 Unauthorized\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    let ann = Person::new(&env, "ann");
    let token = "token-of-ann-0123456789";
    let elsewhere = [
        "team",
        "login",
        "--no-check",
        "--server",
        "http://127.0.0.1:1",
    ];
    ann.invoke(elsewhere)
        .stdin("token-of-another-server\n")
        .run()
        .assert_ok();
    let setup = format!("team setup --remote {url} --repo acme/app");
    let refused = ann.mem(&setup).assert_code(1);
    assert!(
        refused.stderr.contains("none is kept for it here")
            && refused
                .stderr
                .contains(&format!("`mem team login --server {url}`")),
        "{}",
        refused.shown()
    );
    assert!(!requests.recv().unwrap().contains("authorization"));
    let login = ["team", "login", "--no-check", "--server", &url];
    let told = ann
        .invoke(login)
        .stdin(format!("{token}\n"))
        .run()
        .assert_ok();
    assert!(!told.shown().contains(token));
    ann.mem(&setup).assert_code(1);
    assert!(
        requests
            .recv()
            .unwrap()
            .contains(&format!("authorization: bearer {token}"))
    );
    let tokens = ann.home.join(".local/state/mem/tokens");
    for entry in fs::read_dir(&tokens).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    }
    let refused = ann.mem(&setup).assert_code(1);
    assert!(refused.stderr.contains("chmod 600"), "{}", refused.shown());
    let open = ["team", "login", "--server", "http://mem.example.org"];
    let refused = ann.invoke(open).stdin("x\n").run().assert_code(1);
    assert!(
        refused.stderr.contains("in the clear"),
        "{}",
        refused.shown()
    );
    ann.mem(&format!("team logout --server {url}")).assert_ok();
    assert_eq!(fs::read_dir(&tokens).unwrap().count(), 1);
}

/// The head of a request, in lower case.
fn head(stream: &mut std::net::TcpStream) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap_or(0) == 1 {
        head.push(byte[0]);
    }
    String::from_utf8_lossy(&head).to_lowercase()
}

/// A server that gives the same answer to every question.
fn scripted(body: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            head(&mut stream);
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\netag: \"1\"\r\ncontent-type: application/json\r\n\
                 content-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    url
}

const X_SHA256: &str = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";

#[test]
fn a_hostile_server_writes_nothing_outside_and_holds_nothing_up() {
    let env = TestEnv::new();
    let names = [
        "../out.md",
        "/etc/out.md",
        "a/../../out.md",
        "CON",
        "aux.md",
        ".git/config",
        "back\\\\slash.md",
        "new\\nline.md",
        "Twin.md",
        "twin.md",
        "e\\u0301.md",
        "link/in.md",
        "dangling.md",
        "fine.md",
    ];
    let long = format!("{}.md", "x".repeat(300));
    let entry = |name: &str| {
        format!(
            r#""{name}":{{"content":"x","sha256":"{X_SHA256}","updated_at":"2030-01-01T00:00:00Z","actor":"eve\u001b[2J"}}"#
        )
    };
    let entries: Vec<String> = names
        .into_iter()
        .chain([long.as_str()])
        .map(entry)
        .collect();
    let url = scripted(format!(
        r#"{{"version":1,"entries":{{{}}},"deleted":{{}}}}"#,
        entries.join(",")
    ));
    let ann = at(&env, "ann", &url);
    let outside = env.root().join("outside");
    fs::create_dir(&outside).unwrap();
    ann.write("own.md", "mine\n");
    symlink(&outside, ann.team().join("link")).unwrap();
    symlink(outside.join("made.md"), ann.team().join("dangling.md")).unwrap();
    let pulled = ann.mem("team pull").assert_code(1);
    let shown = pulled.shown();
    assert!(!shown.contains('\u{1b}'), "{shown}");
    let mut found: Vec<String> = fs::read_dir(ann.team())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    assert!(found.contains(&"fine.md".to_owned()), "{shown}");
    let twins = found
        .iter()
        .filter(|name| name.eq_ignore_ascii_case("twin.md"));
    assert!(twins.count() <= 1, "{found:?}");
    found.retain(|name| !name.eq_ignore_ascii_case("twin.md"));
    assert_eq!(found, ["dangling.md", "fine.md", "link", "own.md"]);
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    assert!(!env.root().join("out.md").exists());
    assert!(shown.contains("not taken: `link/in.md`"), "{shown}");
}

#[test]
fn ones_own_notes_travel_through_a_server_that_is_not_the_teams() {
    let env = TestEnv::new();
    let server = Server::start(&env);
    let people = ["laptop", "desk"].map(|name| Person::new(&env, name));
    for person in &people {
        let origin = "https://git.example.org/acme/app.git";
        person.repo.git(["remote", "set-url", "origin", origin]);
        let setup = format!("sync setup --remote {} --name tess", server.url);
        let told = person.mem(&setup).assert_ok().stdout;
        assert!(
            told.contains("private notes as tess/git.example.org/acme/app: 0"),
            "{told}"
        );
    }
    let note = |person: &Person<'_>| person.mem("path").line() + "/x.md";
    fs::create_dir_all(people[0].mem("path").line()).unwrap();
    fs::write(note(&people[0]), "one\n").unwrap();
    for person in &people {
        person.mem("sync").assert_ok();
    }
    assert_eq!(fs::read_to_string(note(&people[1])).unwrap(), "one\n");
    let shares = format!("team setup --remote {} --repo acme/app", server.url);
    let refused = people[0].mem(&shares).assert_code(1).stderr;
    assert!(refused.contains("your own notes are kept at"), "{refused}");
    let shares = format!("config set --repository team.remote {}", server.url);
    people[0].mem(&shares).assert_ok();
    people[0].mem("sync").assert_code(1);
}

#[test]
fn whoever_may_only_read_is_told_so_and_takes_what_others_write() {
    let env = TestEnv::new();
    let token = |name: &str, verb: &str| {
        let grant = format!("team:acme/app:{verb}");
        let data = env.root().join("data");
        let data = data.to_string_lossy();
        let args = [
            "server", "token", "create", "--name", name, "--grant", &grant,
        ];
        let made = env.invoke(args.into_iter().chain(["--data-dir", &data]));
        made.run().assert_ok().line()
    };
    let tokens = [token("ann", "write"), token("ben", "read")];
    let server = mem_tests::Server::start(&env, &[]);
    let [ann, ben] = ["ann", "ben"].map(|name| Person::new(&env, name));
    for (person, token) in [&ann, &ben].into_iter().zip(&tokens) {
        let url = server.url();
        let setup = [
            "team", "setup", "--repo", "acme/app", "--remote", &url, "--push", "auto",
        ];
        person
            .invoke(setup)
            .env("MEM_TOKEN", token)
            .run()
            .assert_ok();
    }
    let run = |person: &Person<'_>, line: &str| {
        let token = &tokens[usize::from(person.home == ben.home)];
        person.invoke(line.split(' ')).env("MEM_TOKEN", token).run()
    };
    ann.write("x.md", "one\n");
    run(&ann, "team sync").assert_ok();
    run(&ben, "team sync").assert_ok();
    ann.write("y.md", "two\n");
    run(&ann, "team sync").assert_ok();
    let told = run(&ben, "team delete x.md").assert_code(1);
    assert!(told.stderr.contains("may not do that"), "{}", told.shown());
    assert!(
        told.stdout.contains("stays, and is not deleted  x.md"),
        "{}",
        told.shown()
    );
    assert!(told.stdout.contains("taken  y.md"), "{}", told.shown());
    // It was asked once; nothing waits.
    run(&ben, "team sync").assert_ok();
    assert_eq!(
        (ben.read("x.md"), ben.read("y.md")),
        (Some("one\n".into()), Some("two\n".into()))
    );
    ben.write("mine.md", "three\n");
    ann.write("y.md", "four\n");
    run(&ann, "team sync").assert_ok();
    let told = run(&ben, "team sync").assert_code(1);
    assert!(told.stdout.contains("taken  y.md"), "{}", told.shown());
    // What could not be sent does not unmake that both ends were compared.
    let cara = Person::new(&env, "cara");
    let mem = |line: &str| cara.invoke(line.split(' ')).env("MEM_TOKEN", &tokens[1]);
    let setup = format!(
        "team setup --push auto --repo acme/app --remote {}",
        server.url()
    );
    mem(&setup).run().assert_ok();
    cara.write("mine.md", "three\n");
    let told = mem("team sync").run().assert_code(1);
    assert!(told.stdout.contains("taken  y.md"), "{}", told.shown());
    let status = mem("team status").run().assert_ok().stdout;
    assert!(
        !status.contains("never compared") && status.contains("stopped"),
        "{status}"
    );
}

#[test]
fn a_status_tells_what_is_left_of_the_quotas_at_the_server() {
    let env = TestEnv::new();
    let settings = env.root().join("server.toml");
    fs::write(&settings, "[quota.workspace]\nmemories = 7\n").unwrap();
    let (settings, data) = (settings.to_str().unwrap(), env.root().join("data"));
    let made = env.invoke(["server", "token", "create", "--name", "ann", "--grant"]);
    let made = made
        .args(["team:acme/app:write", "--data-dir"])
        .args([data]);
    let token = made.run().assert_ok().line();
    let server = mem_tests::Server::start(&env, &["--settings", settings]);
    let ann = Person::new(&env, "ann");
    let run = |line: &str| ann.invoke(line.split(' ')).env("MEM_TOKEN", &token).run();
    let url = server.url();
    run(&format!(
        "team setup --push auto --repo acme/app --remote {url}"
    ))
    .assert_ok();
    for file in ["x.md", "y.md", "z.md"] {
        ann.write(file, "one\n");
        run("team sync").assert_ok();
    }
    let status = run("status").assert_ok();
    let told = "; quota: workspace-memories=";
    assert!(status.stdout.contains(told), "{}", status.stdout);
}
