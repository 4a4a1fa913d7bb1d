//! The console of a server over plain HTTP: who is signed in, what one may see, and what hostile requests come to.

use std::path::PathBuf;
use std::process::Command;

use mem_tests::http::{Answer, Ask};
use mem_tests::{Server, TestEnv, clients};
use serde_json::{Value, json};

use super::{expect, text};
use crate::serve::token;

const HOSTILE: &str = "\"><script>alert(1)</script><img src=x onerror=alert(1)>";

/// A server with a store of one memory that has two versions, and somebody who may do everything.
struct Bed {
    env: TestEnv,
    server: Server,
    admin: String,
    store: String,
    memory: String,
}

impl Bed {
    fn new() -> Self {
        let env = TestEnv::new();
        let admin = token(
            &env,
            &[
                "--name",
                "dana",
                "--grant",
                "*:write",
                "--grant",
                "tokens:write",
            ],
        );
        let server = Server::start(&env, &[]);
        let mut bed = Self {
            env,
            server,
            admin,
            store: String::new(),
            memory: String::new(),
        };
        bed.store = bed.make_store("Preferences");
        let first = json!({ "path": "/style/tabs.md", "content": "# Tabs\n\nAlways **tabs**.\n\nNever mixed.\n" });
        bed.memory = id_of(&bed.api("POST", &format!("/{}/memories", bed.store), &first));
        let second = json!({ "content": "# Tabs\n\nAlways **spaces**.\n\nNever mixed.\n" });
        bed.api(
            "POST",
            &format!("/{}/memories/{}", bed.store, bed.memory),
            &second,
        );
        bed
    }

    fn make_store(&self, name: &str) -> String {
        id_of(&self.api(
            "POST",
            "",
            &json!({ "name": name, "description": "What people like" }),
        ))
    }

    #[track_caller]
    fn api(&self, method: &str, rest: &str, body: &Value) -> Value {
        let ask = self
            .server
            .ask(method, &format!("/v1/memory_stores{rest}"))
            .token(&self.admin);
        let answer = match method {
            "GET" => ask.send(),
            _ => ask.json(body.to_string()).send(),
        };
        answer.assert(200);
        answer.json()
    }

    fn ask(&self, method: &str, target: &str, cookie: &str) -> Ask {
        self.server.ask(method, target).header("cookie", cookie)
    }

    fn get(&self, target: &str, cookie: &str) -> Answer {
        self.ask("GET", target, cookie).send()
    }

    /// Sends a form as a page of the console does.
    fn post(&self, target: &str, cookie: &str, fields: &[(&str, &str)]) -> Answer {
        let ask = self
            .ask("POST", target, cookie)
            .header("origin", self.server.url());
        ask.body(form(fields)).send()
    }

    fn sign_in(&self, token: &str) -> Answer {
        let origin = self.server.url();
        let ask = self
            .server
            .ask("POST", "/console/enter")
            .header("origin", origin);
        ask.body(form(&[("token", token), ("to", "/console")]))
            .send()
    }

    /// Signs in; the cookie and the token of forms.
    #[track_caller]
    fn enter(&self, token: &str) -> (String, String) {
        let answer = self.sign_in(token);
        expect(&answer, 303);
        let cookie = answer.header("set-cookie").unwrap();
        let cookie = cookie.split(';').next().unwrap().to_owned();
        let page = expect(&self.get("/console", &cookie), 200);
        let csrf = page.split_once("name=\"csrf\" value=\"").unwrap().1;
        (cookie, csrf.split('"').next().unwrap().to_owned())
    }

    fn store_at(&self, rest: &str) -> String {
        format!("/console/{}{rest}", self.store)
    }

    fn versions(&self) -> Value {
        self.api(
            "GET",
            &format!("/{}/memory_versions", self.store),
            &Value::Null,
        )
    }
}

fn id_of(object: &Value) -> String {
    object["id"].as_str().unwrap().to_owned()
}

fn form(fields: &[(&str, &str)]) -> String {
    let encoded =
        |text: &str| -> String { text.bytes().map(|byte| format!("%{byte:02x}")).collect() };
    let pairs = fields
        .iter()
        .map(|(name, value)| format!("{name}={}", encoded(value)));
    pairs.collect::<Vec<_>>().join("&")
}

#[test]
fn a_token_signs_in_until_it_is_revoked() {
    let bed = Bed::new();
    let asked = bed
        .server
        .ask("GET", &bed.store_at("?prefix=%2Fstyle%2F"))
        .send();
    expect(&asked, 303);
    let entrance = asked.header("location").unwrap().to_owned();
    assert!(
        entrance.starts_with("/console/enter?to=%2Fconsole%2Fmemstore"),
        "{entrance}"
    );
    let page = expect(&bed.server.ask("GET", &entrance).send(), 200);
    assert!(
        page.contains("name=\"to\" value=\"/console/memstore"),
        "{page}"
    );
    expect(
        &bed.server.ask("GET", "/console/assets/console.css").send(),
        200,
    );
    let mut wrong = bed.admin.clone();
    wrong.push('0');
    for other in ["", "x", wrong.as_str(), "a; b"] {
        let refused = bed.sign_in(other);
        expect(&refused, 401);
        assert!(refused.header("set-cookie").is_none());
    }
    let answer = bed.sign_in(&bed.admin);
    expect(&answer, 303);
    let cookie = answer.header("set-cookie").unwrap();
    assert!(
        cookie.ends_with("; Path=/console; HttpOnly; SameSite=Strict"),
        "{cookie}"
    );
    let guest = token(&bed.env, &["--name", "guest", "--grant", "store:*:read"]);
    let (cookie, csrf) = bed.enter(&guest);
    let page = bed.get("/console", &cookie);
    assert!(expect(&page, 200).contains("Preferences"));
    for answer in [&asked, &answer, &page] {
        let policy = answer.header("content-security-policy").unwrap();
        assert!(
            policy.contains("default-src 'none'")
                && policy.contains("frame-ancestors 'none'")
                && !policy.contains("unsafe")
        );
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(answer.header("x-frame-options"), Some("DENY"));
        assert_eq!(answer.header("referrer-policy"), Some("same-origin"));
    }
    let left = bed.post("/console/leave", &cookie, &[("csrf", &csrf)]);
    expect(&left, 303);
    assert!(
        left.header("set-cookie")
            .unwrap()
            .starts_with("mem-console=; Max-Age=0;")
    );
    let (cookie, _) = bed.enter(&guest);
    let listed = bed
        .server
        .ask("GET", "/api/tokens")
        .token(&bed.admin)
        .send()
        .json();
    let tokens = listed["tokens"].as_array().unwrap();
    let id = id_of(tokens.iter().find(|one| one["name"] == "guest").unwrap());
    bed.server
        .ask("DELETE", &format!("/api/tokens/{id}"))
        .token(&bed.admin)
        .send()
        .assert(200);
    let ended = bed.get("/console", &cookie);
    assert!(!expect(&ended, 401).contains("Preferences"));
    assert!(ended.header("set-cookie").unwrap().contains("Max-Age=0"));
    let log = bed.server.end();
    assert!(
        !log.contains(&bed.admin) && !log.contains(&guest) && !log.contains(&csrf),
        "{log}"
    );
}

#[test]
fn hostile_requests_find_nobody_signed_in_and_change_nothing() {
    let bed = Bed::new();
    let (cookie, csrf) = bed.enter(&bed.admin);
    let (other, _) = bed.enter(&bed.admin);
    let before = bed.versions();
    let delete = bed.store_at(&format!("/{}/delete", bed.memory));
    let memory = bed.api(
        "GET",
        &format!("/{}/memories/{}", bed.store, bed.memory),
        &Value::Null,
    );
    let body = form(&[
        ("csrf", &csrf),
        ("sha256", memory["content_sha256"].as_str().unwrap()),
    ]);
    let post = |cookie: &str| bed.ask("POST", &delete, cookie);
    let origin = bed.server.url();
    let answers = [
        (403, post(&cookie).body(body.as_str())),
        (
            403,
            post(&cookie)
                .header("origin", "http://evil.example")
                .body(body.as_str()),
        ),
        (
            403,
            post(&cookie).header("origin", "null").body(body.as_str()),
        ),
        (
            403,
            post(&cookie)
                .header("origin", &origin)
                .header("sec-fetch-site", "cross-site")
                .body(body.as_str()),
        ),
        (403, post(&cookie).header("origin", &origin)),
        (403, post(&cookie).header("origin", &origin).body("csrf=0")),
        // A form of another session.
        (
            403,
            post(&other).header("origin", &origin).body(body.as_str()),
        ),
        (
            303,
            bed.server
                .ask("POST", &delete)
                .header("origin", &origin)
                .body(body.as_str()),
        ),
        (
            303,
            post(&format!("{cookie}; {other}"))
                .header("origin", &origin)
                .body(body.as_str()),
        ),
        (
            303,
            bed.ask("GET", "/console", &cookie)
                .header("sec-fetch-site", "cross-site"),
        ),
        (
            405,
            bed.ask("PUT", &delete, &cookie)
                .header("origin", &origin)
                .body(body.as_str()),
        ),
        (
            413,
            post(&cookie)
                .header("origin", &origin)
                .body(vec![b'a'; 5 * 1024 * 1024]),
        ),
        (
            413,
            bed.server
                .ask("POST", "/console/enter")
                .header("origin", &origin)
                .body(vec![b'a'; 10_000]),
        ),
        (
            404,
            bed.ask("GET", "/console/assets/../Cargo.toml", &cookie),
        ),
        (
            404,
            bed.ask("GET", "/console/memstore_1/mem_x%2f..%2f..", &cookie),
        ),
        (404, bed.ask("GET", "/console/memstore_..", &cookie)),
        (404, bed.ask("GET", &bed.store_at("/../../v1"), &cookie)),
        (404, bed.ask("GET", "/console/memstore_nobody", &cookie)),
    ];
    for (at, (status, ask)) in answers.into_iter().enumerate() {
        let answer = ask.send();
        assert_eq!(answer.status, status, "{at}: {}", text(&answer));
        assert!(!text(&answer).contains("Preferences"), "{at}");
    }
    assert_eq!(bed.versions(), before);
    let done = post(&cookie)
        .header("origin", &origin)
        .body(body.as_str())
        .send();
    expect(&done, 303);
    assert_ne!(bed.versions(), before);
}

#[test]
fn only_a_page_of_the_host_that_is_asked_signs_in() {
    let bed = Bed::new();
    let from = |host: &str, origin: &str, to: &str| {
        let ask = bed.server.ask("POST", "/console/enter").without("host");
        let ask = ask.header("host", host).header("origin", origin);
        ask.body(form(&[("token", &bed.admin), ("to", to)])).send()
    };
    for (host, origin, attributes) in [
        (
            "mem.example",
            "https://mem.example",
            "; SameSite=Strict; Secure",
        ),
        ("mem.example:8443", "https://mem.example:8443", "; Secure"),
        (
            "localhost:8787",
            "http://localhost:8787",
            "; SameSite=Strict",
        ),
        (
            "localhost:8787",
            "https://localhost:8787",
            "; SameSite=Strict",
        ),
        ("[::1]:8787", "http://[::1]:8787", "; SameSite=Strict"),
    ] {
        let answer = from(host, origin, "/console");
        expect(&answer, 303);
        let cookie = answer.header("set-cookie").unwrap();
        assert!(cookie.ends_with(attributes), "{host}: {cookie}");
    }
    for (host, origin) in [
        ("mem.example", "http://mem.example"),
        ("mem.example", "https://evil.example"),
        ("mem.example", "https://mem.example.evil.example"),
        ("mem.example", "null"),
        ("mem.example", ""),
        ("localhost:8787", "http://localhost:3000"),
        ("localhost.evil.example", "http://localhost.evil.example"),
    ] {
        let answer = from(host, origin, "/console");
        assert_eq!(answer.status, 403, "{host} {origin}");
        assert!(answer.header("set-cookie").is_none());
    }
    // One is sent on within the console alone.
    let sent_on = |to: &str| {
        let answer = from("localhost", "http://localhost", to);
        answer.header("location").unwrap().to_owned()
    };
    let place = "/console/memstore_1?prefix=%2Fa%2F";
    assert_eq!(sent_on(place), place);
    for to in [
        "",
        "/",
        "//evil.example",
        "/consolex",
        "/console\\evil",
        "/console/ a",
        "https://evil.example",
        "/console\r\nx: y",
    ] {
        assert_eq!(sent_on(to), "/console", "{to:?}");
    }
    for cookie in [
        "",
        "mem-console=",
        "mem-console=a",
        "other=a.b",
        &format!("mem-console=.{}", bed.admin),
    ] {
        let answer = bed.get("/console", cookie);
        assert_eq!(answer.status, 303, "{cookie}");
    }
}

#[test]
fn a_token_sees_and_does_what_its_grants_allow() {
    let bed = Bed::new();
    let secret = bed.make_store("Payroll");
    let grant = format!("store:{}:read", bed.store);
    let (cookie, csrf) = bed.enter(&token(&bed.env, &["--grant", &grant]));
    let list = expect(&bed.get("/console", &cookie), 200);
    assert!(
        list.contains("Preferences") && !list.contains("Payroll"),
        "{list}"
    );
    for rest in ["", "/search?q=tabs", "/audit", "/archive", "/new"] {
        let page = text(&bed.get(&format!("/console/{secret}{rest}"), &cookie));
        assert!(!page.contains("Payroll"), "{rest}: {page}");
    }
    expect(&bed.get(&format!("/console/{secret}"), &cookie), 404);
    let found = expect(&bed.get(&bed.store_at("/search?q=spaces"), &cookie), 200);
    assert!(found.contains("/style/tabs.md"), "{found}");
    let path = bed.get(&bed.store_at("?prefix=%2Fstyle%2Ftabs.md"), &cookie);
    expect(&path, 303);
    assert!(path.header("location").unwrap().ends_with(&bed.memory));
    let before = bed.versions();
    let version = before["data"][1]["id"].as_str().unwrap();
    for (target, fields) in [
        ("/new".to_owned(), vec![("path", "/a.md"), ("content", "x")]),
        (
            format!("/{}/edit", bed.memory),
            vec![("path", "/a.md"), ("content", "x"), ("sha256", HASH)],
        ),
        (format!("/{}/delete", bed.memory), vec![("sha256", HASH)]),
        (format!("/{version}/redact"), vec![]),
        ("/archive".to_owned(), vec![]),
    ] {
        let fields = [&[("csrf", csrf.as_str())], fields.as_slice()].concat();
        expect(&bed.post(&bed.store_at(&target), &cookie, &fields), 403);
    }
    assert_eq!(bed.versions(), before);
    // A token that may do everything with stores may do nothing with tokens.
    let (cookie, csrf) = bed.enter(&token(&bed.env, &[]));
    expect(&bed.get("/console/tokens", &cookie), 403);
    expect(
        &bed.post(
            "/console/tokens",
            &cookie,
            &[("csrf", &csrf), ("grants", "store:*:read")],
        ),
        403,
    );
}

const HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

#[test]
fn an_edit_over_a_newer_text_loses_neither() {
    let bed = Bed::new();
    let (cookie, csrf) = bed.enter(&bed.admin);
    let edit = bed.store_at(&format!("/{}/edit", bed.memory));
    let stale = [
        ("csrf", csrf.as_str()),
        ("path", "/style/tabs.md"),
        ("content", "Mine.\r\n"),
        ("sha256", HASH),
    ];
    let page = expect(&bed.post(&edit, &cookie, &stale), 409);
    assert!(
        page.contains("Mine.") && page.contains("Always **spaces**."),
        "{page}"
    );
    let now = page.split_once("name=\"sha256\" value=\"").unwrap().1;
    let fresh = [
        stale[0],
        stale[1],
        stale[2],
        ("sha256", now.split('"').next().unwrap()),
    ];
    expect(&bed.post(&edit, &cookie, &fresh), 303);
    let memory = bed.api(
        "GET",
        &format!("/{}/memories/{}", bed.store, bed.memory),
        &Value::Null,
    );
    assert_eq!(memory["content"], "Mine.\n");
    // The answer says that the path is taken, and the form keeps the text.
    let taken = [
        stale[0],
        ("path", "/style/tabs.md"),
        ("content", "another text"),
    ];
    let page = expect(&bed.post(&bed.store_at("/new"), &cookie, &taken), 409);
    assert!(page.contains("another text"), "{page}");
}

#[test]
fn a_memory_of_a_store_is_text_on_every_page() {
    let bed = Bed::new();
    let store = bed.make_store(HOSTILE);
    let content = format!("{HOSTILE}\n\n[x](javascript:alert(1))\n");
    let body = json!({ "path": "/<script>alert(1)</script>.md", "content": content });
    let memory = id_of(&bed.api("POST", &format!("/{store}/memories"), &body));
    let change = json!({ "content": format!("{content}more") });
    let changed = bed.api("POST", &format!("/{store}/memories/{memory}"), &change);
    let version = changed["memory_version_id"].as_str().unwrap();
    let (cookie, csrf) = bed.enter(&bed.admin);
    let named = [
        ("csrf", csrf.as_str()),
        ("name", HOSTILE),
        ("grants", "store:*:read"),
    ];
    expect(&bed.post("/console/tokens", &cookie, &named), 200);
    for page in [
        "/console".to_owned(),
        "/console/tokens".to_owned(),
        "/console/enter?to=/console%22%3E%3Cscript%3E".to_owned(),
        format!("/console/{store}"),
        format!("/console/{store}?prefix=%22%3E%3Cscript%3E"),
        format!("/console/{store}/search?q=%22%3E%3Cscript%3Ealert"),
        format!("/console/{store}/audit?api_key_id=&operation=modified"),
        format!("/console/{store}/archive"),
        format!("/console/{store}/{memory}"),
        format!("/console/{store}/{memory}/edit"),
        format!("/console/{store}/{memory}/delete"),
        format!("/console/{store}/{version}"),
        format!("/console/{store}/{version}/redact"),
    ] {
        let html = expect(&bed.get(&page, &cookie), 200);
        assert!(
            !html.contains("<script>") && !html.contains("<img"),
            "{page}: {html}"
        );
        assert!(
            !html.contains("href=\"javascript") && !html.contains(" style="),
            "{page}"
        );
    }
}

#[test]
fn a_server_without_tokens_has_its_console_too() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let ask = || {
        server
            .ask("POST", "/console/enter")
            .body("to=%2Fconsole&token=")
    };
    let entered = ask().header("origin", server.url()).send();
    expect(&entered, 303);
    let cookie = entered
        .header("set-cookie")
        .unwrap()
        .split(';')
        .next()
        .unwrap();
    let page = server
        .ask("GET", "/console/tokens")
        .header("cookie", cookie)
        .send();
    expect(&page, 200);
    assert_eq!(
        ask().header("origin", "http://evil.example").send().status,
        403
    );
}

/// Runs a scenario in Chromium. Says so where there is none.
#[track_caller]
fn in_browser(bed: &Bed, scenario: &str) {
    let Some(browser) = clients::browser() else {
        return;
    };
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("clients/browser/console.mjs");
    let mut node = Command::new("node");
    node.arg(script)
        .arg(scenario)
        .arg(format!("{}/console", bed.server.url()));
    node.arg(browser).arg(clients::node_modules_with("browser"));
    node.args(std::env::var_os("MEM_TESTS_SCREENSHOTS"));
    node.env("TOKEN", &bed.admin)
        .env("STORE", &bed.store)
        .env("MEMORY", &bed.memory);
    let output = node.output().unwrap();
    let (said, talk) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{scenario}: {said}{talk}");
}

#[test]
fn every_page_of_a_server_can_be_read_by_everybody() {
    let bed = Bed::new();
    bed.api(
        "POST",
        &format!("/{}/memories", bed.store),
        &json!({ "path": "/a.md", "content": "A\n" }),
    );
    in_browser(&bed, "server_pages");
}

#[test]
fn a_person_corrects_and_redacts_on_a_server() {
    in_browser(&Bed::new(), "server_actions");
}
