//! Sign-in with `oidc-provider`, a certified provider, over real HTTP: in a browser, at a terminal, renewed, ended.

use mem_tests::oidc::{FormBrowser, OidcProvider, parameter};
use serde_json::{Value, json};

use super::fixture::{PUBLIC_URL, RunningServer, wait_until, with_database};
use crate::storage::fixture::Fixture;

const ACCESS: &str = "
[[access]]
group = \"dev\"
grants = [\"team:acme/*:write\", \"records:write\"]
[[access]]
group = \"lead\"
grants = [\"tokens:write\", \"team:acme/*:write\"]
[[access]]
group = \"ops\"
workspace = \"operations\"
grants = [\"store:*:write\"]
";

/// The settings of a server that knows a provider.
fn settings(provider: &OidcProvider) -> String {
    format!(
        "[identity]\nname = \"Acme\"\nissuer = \"{}\"\nclient_id = \"mem\"\n\
         client_secret_file = \"FOLDER/client-secret\"\npublic_url = \"{PUBLIC_URL}\"\n{ACCESS}",
        provider.issuer
    )
}

fn start(fixture: &Fixture, options: &Value) -> (OidcProvider, RunningServer) {
    let provider = OidcProvider::start(PUBLIC_URL, options);
    provider.account("dana", &["dev", "ops"]);
    let settings = settings(&provider);
    let server =
        RunningServer::start_with(fixture, &settings, &[("client-secret", &provider.secret)]);
    (provider, server)
}

/// A browser signs in; what it was given, and what the server answered to that.
fn callback(server: &RunningServer, name: &str) -> (Value, mem_tests::http::Answer) {
    let begun = server.post("/api/identity/login", &json!({ "to": "/console/tokens" }));
    begun.assert(200);
    let begun = begun.json();
    let mut browser = FormBrowser::default();
    let location = begun["location"].as_str().unwrap();
    let back = browser.sign_in(location, &format!("sub-of-{name}"), PUBLIC_URL);
    let back = back.unwrap_or_else(|page| panic!("{page:?}"));
    let body = json!({
        "binding": begun["binding"],
        "state": parameter(&back, "state"),
        "code": parameter(&back, "code"),
        "iss": parameter(&back, "iss"),
    });
    let answer = server.post("/api/identity/callback", &body);
    (body, answer)
}

/// The token of a session of somebody who signs in.
#[track_caller]
fn signed_in(server: &RunningServer, name: &str) -> String {
    let (_, answer) = callback(server, name);
    answer.assert(200);
    answer.json()["token"].as_str().unwrap().to_owned()
}

#[test]
fn a_browser_signs_in_once_and_gets_what_its_groups_are_granted() {
    for fixture in Fixture::all() {
        let (provider, server) = start(&fixture, &json!({}));
        let replica = server.replica();
        // Any replica finishes what another began.
        let answers = replica.as_ref().unwrap_or(&server);
        let shown = server.ask("GET", "/api/identity").send().json();
        assert_eq!(
            shown["provider"],
            json!({ "name": "Acme", "issuer": provider.issuer })
        );

        let (sent, answer) = callback(&server, "dana");
        answer.assert(200);
        let session = answer.json();
        assert_eq!(session["to"], "/console/tokens");
        assert_eq!(session["name"], "dana");
        assert_eq!(
            session["grants"],
            json!(["records:write", "team:acme/*:write"])
        );
        let token = session["token"].as_str().unwrap();
        assert_eq!(answers.writes(token, "acme/app"), 200);
        assert_eq!(answers.reads(token, "other/app"), 403);
        assert_eq!(answers.session(token)["kind"], "console");
        // Neither state nor code counts twice, on no replica.
        assert_ne!(answers.post("/api/identity/callback", &sent).status, 200);

        // Somebody without a group of the rules is nobody.
        provider.account("eve", &["guests"]);
        let (_, answer) = callback(&server, "eve");
        assert_eq!(answer.assert(403), "permission_error");
        assert!(String::from_utf8_lossy(&answer.body).contains("[[access]]"));

        // Signing out counts at once, everywhere, and leads on to the provider.
        let ended = server
            .ask("DELETE", "/api/identity/session")
            .token(token)
            .send();
        ended.assert(200);
        let place = ended.json()["sign_out_url"].as_str().unwrap().to_owned();
        assert!(
            place.starts_with(&format!("{}/session/end?", provider.issuer)),
            "{place}"
        );
        assert_eq!(
            (server.session_status(token), answers.session_status(token)),
            (401, 401)
        );
    }
}

#[test]
fn an_answer_that_was_not_asked_for_in_this_browser_is_refused() {
    let fixture = Fixture::sqlite();
    let (_provider, server) = start(&fixture, &json!({}));
    let other = server.post("/api/identity/login", &json!({})).json();
    let begun = server.post("/api/identity/login", &json!({})).json();
    let location = begun["location"].as_str().unwrap().to_owned();
    assert_eq!(
        parameter(&location, "code_challenge_method").as_deref(),
        Some("S256")
    );
    let back = FormBrowser::default()
        .sign_in(&location, "sub-of-dana", PUBLIC_URL)
        .unwrap();
    let (state, code) = (parameter(&back, "state"), parameter(&back, "code"));
    let binding = begun["binding"].as_str().unwrap();
    let send = |binding: &str, state: &Option<String>, iss: &str| {
        let body = json!({ "binding": binding, "state": state, "code": code, "iss": iss });
        server.post("/api/identity/callback", &body).status
    };
    let issuer = parameter(&back, "iss").unwrap();
    assert_eq!(
        send(other["binding"].as_str().unwrap(), &state, &issuer),
        400
    );
    assert_eq!(send(binding, &Some("x".to_owned()), &issuer), 400);
    assert_eq!(send(&binding.replace('.', "A."), &state, &issuer), 400);
    assert_eq!(send(binding, &state, "https://other.example"), 403);
    // Too late.
    server.ahead.set(601);
    assert_eq!(send(binding, &state, &issuer), 400);
    server.ahead.set(0);
    assert_eq!(send(binding, &state, &issuer), 200);
    // Whoever says no at the provider is not signed in.
    let body =
        json!({ "binding": binding, "state": state, "error": "access_denied", "iss": issuer });
    let answer = server.post("/api/identity/callback", &body);
    answer.assert(403);
    assert!(String::from_utf8_lossy(&answer.body).contains("access_denied"));
}

#[test]
fn a_terminal_signs_in_and_its_code_counts_once() {
    for fixture in Fixture::all() {
        let (_provider, server) = start(&fixture, &json!({ "post": true }));
        let begun = server.post("/api/identity/device", &json!({}));
        begun.assert(200);
        let begun = begun.json();
        let ask = json!({ "device_code": begun["device_code"], "workspace": "operations" });
        let poll = || server.post("/api/identity/device/token", &ask);
        assert_eq!(poll().status, 202);
        let place = begun["verification_uri_complete"].as_str().unwrap();
        assert!(place.contains(begun["user_code"].as_str().unwrap()));
        let done = FormBrowser::default().sign_in(place, "sub-of-dana", "none");
        assert_eq!(done.unwrap_err().status, 200);
        let answer = poll();
        answer.assert(200);
        let session = answer.json();
        // The workspace that was asked for, with its rules alone.
        assert_eq!(session["grants"], json!(["store:*:write"]));
        let token = session["token"].as_str().unwrap();
        let who = server.session(token);
        assert_eq!(
            (&who["kind"], &who["name"]),
            (&json!("device"), &json!("dana"))
        );
        let stores = server.ask("GET", "/v1/memory_stores").token(token).send();
        stores.assert(200);
        assert_eq!(poll().status, 403, "a device code counts once");
        let ask = json!({ "device_code": begun["device_code"], "workspace": "nowhere" });
        assert_eq!(server.post("/api/identity/device/token", &ask).status, 403);
    }
}

#[test]
fn a_session_is_renewed_follows_the_groups_and_ends_with_the_account() {
    for fixture in Fixture::all() {
        let (provider, server) = start(&fixture, &json!({}));
        let replica = server.replica();
        let other = replica.as_ref().unwrap_or(&server);
        let token = signed_in(&server, "dana");
        let end = server.session(&token)["expires_at"].clone();
        let move_to = |seconds: i64| {
            server.ahead.set(seconds);
            provider.control(&json!({ "clock": seconds }));
        };
        // Long before the end nothing changes.
        move_to(30 * 60);
        assert_eq!(server.session(&token)["expires_at"], end);
        // A group that is lost loses its grants with the renewal, which a request brings about and does not wait for.
        // The provider has new keys by then.
        provider.account("dana", &["lead"]);
        provider.control(&json!({ "rotate": true }));
        move_to(50 * 60);
        assert_eq!(server.session_status(&token), 200);
        wait_until(|| server.session(&token)["expires_at"] != end);
        let grants = json!(["team:acme/*:write", "tokens:write"]);
        assert_eq!(other.session(&token)["grants"], grants);
        // Long after its end a session is renewed before the request goes on.
        move_to(8 * 3600);
        assert_eq!(other.session(&token)["grants"], grants);
        // While the provider does not know the account any more, the session ends for good.
        provider.control(&json!({ "remove": "sub-of-dana" }));
        move_to(16 * 3600);
        assert_eq!(server.session_status(&token), 401);
        provider.account("dana", &["lead"]);
        assert_eq!(
            (server.session_status(&token), other.session_status(&token)),
            (401, 401)
        );
        let listed = with_database(&fixture, async |database| database.tokens().await.unwrap());
        assert!(listed.iter().all(|token| token.revoked_at.is_some()));
    }
}

#[test]
fn a_session_that_expired_waits_for_the_provider_and_is_not_lost() {
    let fixture = Fixture::sqlite();
    let (provider, server) = start(&fixture, &json!({}));
    let token = signed_in(&server, "dana");
    let Some(secret) = token.strip_prefix("memtok_") else {
        panic!("another form")
    };
    // No file of the database has the refresh token, nor what opens it.
    let data = fixture.folder().join("data");
    let files = std::fs::read_dir(&data)
        .unwrap()
        .map(|entry| std::fs::read(entry.unwrap().path()).unwrap());
    let bytes: Vec<u8> = files.flatten().collect();
    assert!(
        !bytes
            .windows(secret.len())
            .any(|some| some == secret.as_bytes())
    );
    server.ahead.set(2 * 3600);
    drop(provider);
    let answer = server
        .ask("GET", "/api/identity/session")
        .token(&token)
        .send();
    assert_eq!(answer.assert(503), "overloaded_error");
    assert!(answer.header("retry-after").is_some());
    // It is valid as far as it was.
    server.ahead.set(0);
    assert_eq!(server.session_status(&token), 200);
}

#[test]
fn a_provider_with_other_keys_and_claims_elsewhere_is_understood() {
    let fixture = Fixture::sqlite();
    // ES256, and claims in the answer about the user alone, as the specification has it.
    let (provider, server) = start(&fixture, &json!({ "ec": true, "conform": true }));
    let token = signed_in(&server, "dana");
    assert_eq!(server.writes(&token, "acme/app"), 200);
    provider.account("dana", &["lead"]);
    server.ahead.set(2 * 3600);
    provider.control(&json!({ "clock": 2 * 3600 }));
    assert_eq!(
        server.session(&token)["grants"],
        json!(["team:acme/*:write", "tokens:write"])
    );
}

#[test]
fn records_hang_on_the_user_and_a_name_has_one_owner() {
    let fixture = Fixture::sqlite();
    let (provider, server) = start(&fixture, &json!({}));
    let (one, two) = (signed_in(&server, "dana"), signed_in(&server, "dana"));
    assert_ne!(one, two);
    let record = json!({ "content": "The build needs protoc 25", "category": "factual_knowledge", "importance": 3 })
        .to_string();
    let kept = server
        .ask("POST", "/api/records")
        .token(&one)
        .json(record)
        .send();
    assert_eq!(kept.status, 200, "{}", String::from_utf8_lossy(&kept.body));
    let query = json!({ "query": "which protoc does the build need" }).to_string();
    let found = server
        .ask("POST", "/api/records/retrieve")
        .token(&two)
        .json(query)
        .send();
    assert!(
        String::from_utf8_lossy(&found.body).contains("protoc 25"),
        "{found:?}"
    );
    // Another subject who is given the same name is somebody else.
    provider.control(&json!({ "account": {
        "sub": "sub-of-other", "preferred_username": "Dana", "groups": ["dev"],
    } }));
    let (_, answer) = callback(&server, "other");
    answer.assert(403);
    assert!(String::from_utf8_lossy(&answer.body).contains("belongs to another user"));
}
