//! People sign in with a real identity provider: in the console, and with `mem login`.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::TcpListener;
use std::time::{Duration, Instant};

use mem_tests::oidc::{FormBrowser, OidcProvider};
use mem_tests::{Server, TestEnv};
use serde_json::json;

/// A server that knows a provider, where browsers find it.
fn start(env: &TestEnv) -> (Server, OidcProvider) {
    let port = TcpListener::bind("127.0.0.1:0").and_then(|bound| bound.local_addr());
    let address = port.unwrap().to_string();
    let provider = OidcProvider::start(&format!("http://{address}"), &json!({}));
    provider.account("dana", &["dev"]);
    let secret = env.root().join("client-secret");
    fs::write(&secret, &provider.secret).unwrap();
    let settings = env.root().join("server.toml");
    let text = format!(
        "[identity]\nname = \"Acme\"\nissuer = \"{}\"\nclient_id = \"mem\"\nclient_secret_file = \"{}\"\n\
         public_url = \"http://{address}\"\n\
         [[access]]\ngroup = \"dev\"\ngrants = [\"team:acme/*:write\", \"store:*:write\"]\n",
        provider.issuer,
        secret.display()
    );
    fs::write(&settings, text).unwrap();
    let data = env.root().join("data");
    let serve = env.invoke(["serve", "--listen", &address]);
    let serve = serve.args(["--data-dir", data.to_str().unwrap()]);
    let serve = serve.args(["--settings", settings.to_str().unwrap()]);
    // The provider lives in the present.
    (Server::of(serve.without_env("MEM_NOW")), provider)
}

#[test]
fn a_person_signs_in_to_the_console_and_out_of_it() {
    let env = TestEnv::new();
    let (server, provider) = start(&env);
    let url = server.url();
    let mut browser = FormBrowser::default();
    let shown = browser.ask(
        "GET",
        &format!("{url}/console/enter?to=/console/tokens"),
        "",
    );
    let page = String::from_utf8_lossy(&shown.body);
    assert!(page.contains("Sign in with Acme"), "{page}");
    assert!(
        page.contains("/console/enter/provider?to=%2Fconsole%2Ftokens"),
        "{page}"
    );
    // Whoever says no at the provider is told so, and is not signed in.
    let start = format!("{url}/console/enter/provider?to=/console/tokens");
    let refused = browser.ask("GET", &format!("{url}/console/callback?state=x&code=y"), "");
    assert_eq!(refused.status, 400);
    let back = browser.sign_in(&start, "sub-of-dana", "none").unwrap_err();
    let page = String::from_utf8_lossy(&back.body).into_owned();
    assert_eq!(back.status, 200, "{page}");
    assert!(page.contains("0;url=/console/tokens"), "{page}");
    let cookies: Vec<&String> = back
        .headers
        .iter()
        .filter(|(name, _)| name == "set-cookie")
        .map(|(_, value)| value)
        .collect();
    assert!(
        cookies[0].contains("SameSite=Strict") && cookies[0].contains("HttpOnly"),
        "{cookies:?}"
    );
    assert!(cookies[1].starts_with("mem-sign-in=;"), "{cookies:?}");
    let stores = browser.ask("GET", &format!("{url}/console"), "");
    assert_eq!(stores.status, 200);
    assert!(!String::from_utf8_lossy(&stores.body).contains("Sign in with"));
    // The first form of a page signs out: here at once, and at the provider by a link.
    let out = browser
        .sign_in(&format!("{url}/console"), "", "none")
        .unwrap_err();
    let page = String::from_utf8_lossy(&out.body).into_owned();
    assert!(
        page.contains(&format!("{}/session/end?", provider.issuer)),
        "{page}"
    );
    let after = browser.ask("GET", &format!("{url}/console"), "");
    assert_eq!(after.status, 303);
    let log = server.end();
    assert!(!log.contains("memtok_") && !log.contains("code="), "{log}");
}

#[test]
fn a_person_signs_in_at_a_terminal_and_out_of_it() {
    let env = TestEnv::new();
    let (server, _provider) = start(&env);
    let url = server.url();
    let run = |args: &[&str]| {
        let run = env.invoke(args).args(["--server", url.as_str()]);
        run.without_env("MEM_NOW").run()
    };
    let nobody = run(&["login", "--status", "--json"]).assert_code(1);
    assert!(
        nobody.stderr.contains("nobody is signed in"),
        "{}",
        nobody.stderr
    );
    let said = sign_in(&env, &url);
    assert_eq!(said["name"], "dana");
    assert_eq!(
        said["grants"],
        json!(["store:*:write", "team:acme/*:write"])
    );
    let shown = run(&["login", "--status", "--json"]).assert_ok().json();
    assert_eq!(
        (&shown["name"], &shown["kind"]),
        (&json!("dana"), &json!("device"))
    );
    assert!(shown["renew_until"].is_string());
    // The session is the token of the server for every other command.
    let stores = env
        .invoke(["store", "list", "--base-url", &url])
        .without_env("MEM_NOW")
        .run();
    stores.assert_ok();
    // Another sign-in ends the session that it replaces.
    let before = stored_token(&env);
    let status = |token: &str| {
        let ask = server.ask("GET", "/api/identity/session").token(token);
        ask.send().status
    };
    assert_eq!(status(&before), 200);
    sign_in(&env, &url);
    let after = stored_token(&env);
    assert_eq!((status(&before), status(&after)), (401, 200));
    let out = run(&["logout", "--json"]).assert_ok().json();
    assert_eq!(
        (&out["ended"], &out["removed"]),
        (&json!(true), &json!(true))
    );
    let again = run(&["logout", "--json"]).assert_ok().json();
    assert_eq!(
        (&again["ended"], &again["removed"]),
        (&json!(false), &json!(false))
    );
}

/// Signs in at a terminal, with a browser elsewhere.
fn sign_in(env: &TestEnv, url: &str) -> serde_json::Value {
    let login = env.invoke(["login", "--server", url, "--json"]);
    let mut login = login.without_env("MEM_NOW").spawn();
    let mut lines = BufReader::new(login.stdout.take().unwrap());
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    let begun: serde_json::Value = serde_json::from_str(&line).unwrap();
    let place = begun["verification_uri"].as_str().unwrap().to_owned();
    let page = FormBrowser::default()
        .sign_in(&place, "sub-of-dana", "none")
        .unwrap_err();
    assert_eq!(page.status, 200);
    let mut said = String::new();
    lines.read_to_string(&mut said).unwrap();
    assert!(login.wait().unwrap().success());
    serde_json::from_str(&said).unwrap()
}

/// The one token that is kept.
fn stored_token(env: &TestEnv) -> String {
    let folder = "home/.local/state/mem/tokens";
    let mut files = fs::read_dir(env.root().join(folder)).unwrap();
    let file = fs::read(files.next().unwrap().unwrap().path()).unwrap();
    let file: serde_json::Value = serde_json::from_slice(&file).unwrap();
    file["token"].as_str().unwrap().to_owned()
}

#[test]
fn who_signs_out_at_a_server_that_says_nothing_is_out_here_and_told_so() {
    let env = TestEnv::new();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let token = format!("memtok_{}", "0".repeat(64));
    env.invoke(["team", "login", "--no-check", "--server", &url])
        .stdin(token)
        .run()
        .assert_ok();
    let begun = Instant::now();
    let out = env
        .invoke(["logout", "--server", &url])
        .run()
        .assert_code(5);
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert!(out.stderr.contains("was removed here"), "{}", out.stderr);
    let again = env.invoke(["logout", "--server", &url]).run().assert_ok();
    assert!(
        again.stdout.contains("there was no token"),
        "{}",
        again.stdout
    );
}

#[test]
fn a_server_without_a_provider_says_so() {
    let env = TestEnv::new();
    let server = Server::start(&env, &[]);
    let run = env.invoke(["login", "--server", &server.url()]).run();
    assert!(
        run.stderr.contains("has no identity provider"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("mem team login"), "{}", run.stderr);
}

#[test]
fn a_token_is_rotated_and_its_last_use_is_listed() {
    let env = TestEnv::new();
    let old = super::token(&env, &["--name", "ci", "--grant", "team:acme/*:write"]);
    let data = env.root().join("data");
    let administer = |args: &[&str]| {
        let run = env.invoke(["server", "token"]).args(args);
        run.args(["--data-dir", data.to_str().unwrap()])
    };
    let list = || administer(&["list", "--json"]).run().assert_ok().json();
    let id = list()[0]["id"].as_str().unwrap().to_owned();
    administer(&["rotate", &id, "--overlap", "31d"])
        .run()
        .assert_code(2);
    let rotated = administer(&["rotate", &id, "--overlap", "2h", "--json"])
        .run()
        .assert_ok()
        .json();
    let new = rotated["token"].as_str().unwrap();
    assert_eq!(
        (&rotated["name"], &rotated["replaces"]),
        (&json!("ci"), &json!(id))
    );
    let server = Server::start(&env, &[]);
    for token in [old.as_str(), new] {
        server
            .store("GET", "acme/app", "")
            .token(token)
            .send()
            .assert(200);
    }
    // It is written down beside the request.
    let successor = || {
        let all = list();
        let all = all.as_array().unwrap().iter();
        let mut successors = all.filter(|token| token["rotated_from"] == id.as_str());
        successors.next().unwrap().clone()
    };
    while successor()["last_used_at"].is_null() {}
    drop(server);
    env.advance(2 * 3600);
    let server = Server::start(&env, &[]);
    server
        .store("GET", "acme/app", "")
        .token(&old)
        .send()
        .assert(401);
    server
        .store("GET", "acme/app", "")
        .token(new)
        .send()
        .assert(200);
    let text = administer(&["list"]).run().assert_ok().shown();
    assert!(text.contains("expired") && text.contains("used "), "{text}");
}
