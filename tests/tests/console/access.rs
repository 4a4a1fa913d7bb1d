//! Who is let in, what every answer has, and what hostile requests come to.

use mem_tests::http::Answer;
use mem_tests::{Console, TestEnv};

use super::{expect, project, save, shop, text};

/// What every answer has, whatever it says.
#[track_caller]
fn assert_guarded(answer: &Answer) {
    let policy = answer.header("content-security-policy").unwrap();
    for rule in [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "frame-ancestors 'none'",
        "form-action 'self'",
    ] {
        assert!(policy.contains(rule), "{policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.header("x-frame-options"), Some("DENY"));
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    assert!(answer.header("cache-control").is_some());
}

#[test]
fn one_browser_is_let_in_once() {
    let env = TestEnv::new();
    let repo = shop(&env);
    let console = Console::start(&repo);
    let target = console
        .url
        .split_once(&console.address.to_string())
        .unwrap()
        .1;
    let wrong = console.ask("GET", &target[..target.len() - 1]).send();
    expect(&wrong, 401);
    assert!(wrong.header("set-cookie").is_none());
    let first = console.ask("GET", target).send();
    expect(&first, 200);
    let cookie = first.header("set-cookie").unwrap();
    assert!(
        cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"),
        "{cookie}"
    );
    let token = target.split_once('=').unwrap().1;
    assert!(!cookie.contains(token) && !text(&first).contains(token));
    let again = console.ask("GET", target).send();
    expect(&again, 401);
    assert!(again.header("set-cookie").is_none());
    for answer in [&wrong, &first, &again] {
        assert_guarded(answer);
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
    let cookie = cookie.split(';').next().unwrap();
    let home = console.ask("GET", "/").header("cookie", cookie).send();
    expect(&home, 303);
    // No child is told the secrets.
    let environment =
        std::fs::read(format!("/proc/{}/environ", console.child.id())).unwrap_or_default();
    assert!(!String::from_utf8_lossy(&environment).contains(token));
}

#[test]
fn hostile_requests_change_nothing() {
    let env = TestEnv::new();
    let repo = shop(&env);
    let console = Console::start(&repo);
    let cookie = console.enter();
    let (base, csrf) = project(&console, &cookie);
    let before = repo.mem(["history", "--json"]).stdout;
    let undo = {
        let changes = repo.mem(["history", "--json"]).json();
        format!(
            "{base}/changes/{}/undo",
            changes["changes"][0]["id"].as_str().unwrap()
        )
    };
    let origin = format!("http://{}", console.address);
    let body = format!("csrf={csrf}");
    let post = |target: &str| {
        let ask = console.ask("POST", target).header("cookie", &cookie);
        ask.header("content-type", "application/x-www-form-urlencoded")
    };
    let answers = [
        (401, console.ask("GET", &base).send()),
        (
            401,
            console
                .ask("GET", &base)
                .header("cookie", "mem-console=1")
                .send(),
        ),
        (401, console.ask("GET", "/assets/console.css").send()),
        (
            421,
            console
                .ask("GET", &base)
                .without("host")
                .header("host", "evil.example")
                .header("cookie", &cookie)
                .send(),
        ),
        (
            421,
            console
                .ask("GET", &base)
                .without("host")
                .header("host", format!("localhost:{}", console.address.port()))
                .header("cookie", &cookie)
                .send(),
        ),
        (
            403,
            console
                .ask("GET", &base)
                .header("cookie", &cookie)
                .header("sec-fetch-site", "cross-site")
                .send(),
        ),
        (
            403,
            console
                .ask("GET", &base)
                .header("cookie", &cookie)
                .header("sec-fetch-site", "same-site")
                .send(),
        ),
        (403, post(&undo).body(body.as_str()).send()),
        (
            403,
            post(&undo)
                .header("origin", "http://evil.example")
                .body(body.as_str())
                .send(),
        ),
        (
            403,
            post(&undo)
                .header("origin", "null")
                .body(body.as_str())
                .send(),
        ),
        (403, post(&undo).header("origin", &origin).send()),
        (
            403,
            post(&undo).header("origin", &origin).body("csrf=0").send(),
        ),
        (
            405,
            console
                .ask("PUT", &undo)
                .header("cookie", &cookie)
                .body(body.as_str())
                .send(),
        ),
        (
            413,
            post(&undo)
                .header("origin", &origin)
                .body(vec![b'a'; 5 * 1024 * 1024])
                .send(),
        ),
        (
            404,
            console.ask("GET", &undo).header("cookie", &cookie).send(),
        ),
    ];
    for (status, answer) in &answers {
        expect(answer, *status);
        assert_guarded(answer);
    }
    for target in [
        "/assets/../Cargo.toml",
        "/assets/%2e%2e/Cargo.toml",
        "/p/..",
        "/p/%2e%2e/memories",
        "/p/-etc/memories",
        &format!("{base}/memories/--help"),
        &format!("{base}/memories/mem_x%2f..%2f.."),
        &format!("{base}/memories/../../../etc/passwd"),
        &format!("{base}/changes/chg_--global"),
        "/enter",
    ] {
        let answer = console.ask("GET", target).header("cookie", &cookie).send();
        assert!(
            [401, 404].contains(&answer.status),
            "{target}: {}",
            answer.status
        );
        assert_guarded(&answer);
        assert!(!text(&answer).contains("root:"), "{target}");
    }
    assert_eq!(repo.mem(["history", "--json"]).stdout, before);
    let allowed = post(&undo)
        .header("origin", &origin)
        .body(body.as_str())
        .send();
    expect(&allowed, 303);
    assert_ne!(repo.mem(["history", "--json"]).stdout, before);
}

#[test]
fn arguments_of_forms_are_no_flags() {
    let env = TestEnv::new();
    let repo = shop(&env);
    let console = Console::start(&repo);
    let cookie = console.enter();
    let (base, csrf) = project(&console, &cookie);
    let origin = format!("http://{}", console.address);
    let files = env.files_under(&repo.memory());
    for (target, fields) in [
        ("/team/review", "file=--all"),
        ("/team/resolve", "file=--edit&with=mine"),
        ("/redact", "text=--yes"),
        (
            "/memories/new",
            "type=project&name=--pin&description=&scope=private&body=x",
        ),
    ] {
        let ask = console
            .ask("POST", &format!("{base}{target}"))
            .header("cookie", &cookie)
            .header("origin", &origin);
        ask.body(format!("csrf={csrf}&{fields}")).send();
    }
    for query in [
        "/memories?q=--sessions&texts=1",
        "/recall?prompt=--file",
        "/recall?file=--help",
        "/recall?prompt=x&threshold=--help",
    ] {
        let answer = console
            .ask("GET", &format!("{base}{query}"))
            .header("cookie", &cookie)
            .send();
        assert!(
            [200, 400].contains(&answer.status),
            "{query}: {}",
            answer.status
        );
    }
    assert_eq!(env.files_under(&repo.memory()), files);
}

#[test]
fn a_memory_is_text_on_every_page() {
    let env = TestEnv::new();
    let repo = shop(&env);
    let hostile = "\"><script>alert(1)</script><img src=x onerror=alert(1)>";
    save(
        &repo,
        "project",
        "Hostile",
        hostile,
        &format!("{hostile} `src/net/retry.rs`\n\n[x](javascript:alert(1))"),
    );
    let list = repo.mem(["list", "--json"]).json();
    let one = list["memories"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["name"] == "Hostile")
        .unwrap();
    let id = one["id"].as_str().unwrap();
    let console = Console::start(&repo);
    let cookie = console.enter();
    let (base, _) = project(&console, &cookie);
    for page in [
        String::new(),
        "/memories".to_owned(),
        "/memories?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E".to_owned(),
        format!("/memories/{id}"),
        format!("/memories/{id}/edit"),
        format!("/memories/{id}/edit?as=file"),
        format!("/memories/{id}/remove"),
        "/inbox".to_owned(),
        "/recall?prompt=%3Cscript%3Ealert(1)%3C/script%3E+hostile&threshold=0".to_owned(),
        "/graph".to_owned(),
        "/changes".to_owned(),
    ] {
        let answer = console
            .ask("GET", &format!("{base}{page}"))
            .header("cookie", &cookie)
            .send();
        let html = expect(&answer, 200);
        assert!(
            !html.contains("<script>") && !html.contains("<img"),
            "{page}"
        );
        assert!(
            !html.contains("href=\"javascript") && !html.contains(" style="),
            "{page}"
        );
    }
}

#[test]
fn an_agent_starts_none() {
    let env = TestEnv::new();
    let repo = shop(&env);
    let run = repo
        .invoke(["console", "--no-open", "--json"])
        .env("CLAUDECODE", "1")
        .run();
    let error = run.assert_code(1).json_error();
    assert_eq!(error["kind"], "refused", "{error}");
}

#[test]
fn it_ends_by_itself_when_nobody_looks() {
    let env = TestEnv::new();
    let repo = shop(&env);
    let mut console = Console::of(repo.invoke(Vec::<&str>::new()), &["--idle", "1"]);
    let ended = console.child.wait().unwrap();
    assert!(ended.success(), "{ended}");
}
