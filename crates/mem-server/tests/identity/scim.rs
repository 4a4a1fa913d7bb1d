//! A directory tells of users: `/scim/v2`.

use mem_tests::http::Answer;
use mem_tests::oidc::parameter;
use serde_json::{Value, json};

use super::fixture::{PUBLIC_URL, RunningServer, machine_token, wait_until};
use super::hostile_provider::{HostileProvider, SigningKey};
use crate::storage::fixture::Fixture;

struct Stage {
    server: RunningServer,
    provider: HostileProvider,
    key: SigningKey,
    scim: String,
}

impl Stage {
    fn set(fixture: &Fixture, required: bool) -> Self {
        let provider = HostileProvider::start();
        let key = SigningKey::generate("one");
        provider.change(|plan| plan.keys = json!({ "keys": [key.published()] }));
        let scim = "0123456789abcdef".repeat(3);
        let settings = format!(
            "[identity]\nissuer = \"{}\"\nclient_id = \"mem\"\npublic_url = \"{PUBLIC_URL}\"\n\
             [audit]\nfile = \"FOLDER/audit.log\"\n\
             [scim]\ntoken_file = \"FOLDER/scim-token\"\nrequired = {required}\n\
             [[access]]\neverybody = true\ngrants = [\"team:acme/*:write\", \"tokens:write\", \"records:write\"]\n",
            provider.issuer
        );
        let server = RunningServer::start_with(fixture, &settings, &[("scim-token", &scim)]);
        Self {
            server,
            provider,
            key,
            scim,
        }
    }

    fn scim(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        let ask = self.server.ask(method, path).token(&self.scim);
        let ask = match body {
            None => ask,
            Some(body) => ask
                .header("content-type", "application/scim+json")
                .body(body.to_string()),
        };
        ask.send()
    }

    /// Somebody with a true token of the provider comes back from it.
    fn comes_back(&self, subject: &str, name: &str) -> Answer {
        let begun = self.server.post("/api/identity/login", &json!({})).json();
        let location = begun["location"].as_str().unwrap();
        let now = jiff::Timestamp::now().as_second();
        let token = self.key.sign(&json!({
            "iss": self.provider.issuer, "aud": "mem", "sub": subject, "preferred_username": name,
            "iat": now, "exp": now + 300, "nonce": parameter(location, "nonce"),
        }));
        let answer = json!({ "access_token": "a", "token_type": "Bearer", "id_token": token });
        self.provider.change(|plan| plan.token = answer);
        let body = json!({ "binding": begun["binding"], "state": parameter(location, "state"), "code": "c" });
        self.server.post("/api/identity/callback", &body)
    }

    fn signs_in(&self, subject: &str, name: &str) -> String {
        let answer = self.comes_back(subject, name);
        answer.assert(200);
        answer.json()["token"].as_str().unwrap().to_owned()
    }
}

/// The error that SCIM has for it.
#[track_caller]
fn refused(answer: &Answer, status: u16, kind: Option<&str>) {
    assert_eq!(
        answer.status,
        status,
        "{}",
        String::from_utf8_lossy(&answer.body)
    );
    let body = answer.json();
    assert_eq!(
        body["schemas"],
        json!(["urn:ietf:params:scim:api:messages:2.0:Error"])
    );
    assert_eq!(body["status"], status.to_string());
    assert_eq!(body["scimType"].as_str(), kind);
}

#[test]
fn who_is_not_active_any_more_is_out_at_once_and_stays_out() {
    for fixture in Fixture::all() {
        let stage = Stage::set(&fixture, false);
        let server = &stage.server;
        let replica = server.replica();
        let other = replica.as_ref().unwrap_or(server);
        let sessions = [stage.signs_in("1", "dana"), stage.signs_in("1", "dana")];
        // A token that she made, one that was made for her, and one of somebody else.
        let body = json!({ "name": "hers", "grants": ["team:acme/app:read"] });
        let made = server
            .ask("POST", "/api/tokens")
            .token(&sessions[0])
            .json(body.to_string())
            .send();
        made.assert(200);
        let made = made.json()["token"].as_str().unwrap().to_owned();
        let (_, named) = machine_token(&fixture, "dana", &["team:acme/app:read"]);
        let (_, else_) = machine_token(&fixture, "ci", &["team:acme/app:read"]);
        let all = [&sessions[0], &sessions[1], &made, &named];
        for token in all {
            assert_eq!(other.reads(token, "acme/app"), 200);
        }
        let listed = stage
            .scim(
                "GET",
                "/scim/v2/Users?filter=userName%20eq%20%22DANA%22",
                None,
            )
            .json();
        assert_eq!(listed["totalResults"], 1);
        let id = listed["Resources"][0]["id"].as_str().unwrap().to_owned();
        let off = json!({
            "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
            "Operations": [{ "op": "Replace", "path": "active", "value": "False" }],
        });
        let answer = stage.scim("PATCH", &format!("/scim/v2/Users/{id}"), Some(&off));
        assert_eq!(
            (answer.status, &answer.json()["active"]),
            (200, &json!(false))
        );
        for token in all {
            assert_eq!(other.reads(token, "acme/app"), 401);
            assert_eq!(server.reads(token, "acme/app"), 401);
        }
        assert_eq!(other.reads(&else_, "acme/app"), 200);
        let answer = stage.comes_back("1", "dana");
        answer.assert(403);
        assert!(
            answer.json()["error"]["message"]
                .as_str()
                .unwrap()
                .contains("not active")
        );
        // Another name does not help.
        stage.comes_back("1", "dora").assert(403);
        // Who is active again signs in again; what was ended stays so.
        let on = json!({ "Operations": [{ "op": "replace", "value": { "active": true } }] });
        assert_eq!(
            stage
                .scim("PATCH", &format!("/scim/v2/Users/{id}"), Some(&on))
                .status,
            200
        );
        let again = stage.signs_in("1", "dana");
        assert_eq!(
            (
                other.reads(&again, "acme/app"),
                other.reads(&named, "acme/app")
            ),
            (200, 401)
        );
        assert_eq!(
            stage
                .scim("DELETE", &format!("/scim/v2/Users/{id}"), None)
                .status,
            204
        );
        assert_eq!(other.reads(&again, "acme/app"), 401);
        refused(
            &stage.scim("GET", &format!("/scim/v2/Users/{id}"), None),
            404,
            None,
        );
    }
}

#[test]
fn a_user_of_the_directory_is_who_signs_in() {
    for fixture in Fixture::all() {
        let stage = Stage::set(&fixture, true);
        let refused_sign_in = stage.comes_back("7", "dana");
        refused_sign_in.assert(403);
        assert!(String::from_utf8_lossy(&refused_sign_in.body).contains("not provisioned"));
        let user = json!({
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"],
            "userName": "dana@acme.example", "externalId": "7", "displayName": "Dana", "title": "not kept",
            "emails": [{ "value": "dana@acme.example", "primary": true }],
        });
        let made = stage.scim("POST", "/scim/v2/Users", Some(&user));
        assert_eq!(made.status, 201, "{}", String::from_utf8_lossy(&made.body));
        assert_eq!(made.header("content-type"), Some("application/scim+json"));
        let shown = made.json();
        assert_eq!(made.header("location"), shown["meta"]["location"].as_str());
        assert_eq!(
            (&shown["displayName"], &shown["title"]),
            (&json!("Dana"), &Value::Null)
        );
        refused(
            &stage.scim("POST", "/scim/v2/Users", Some(&user)),
            409,
            Some("uniqueness"),
        );
        // Known by what the directory calls her, and called as the directory has it.
        let token = stage.signs_in("7", "dana");
        assert_eq!(stage.server.session(&token)["name"], "dana@acme.example");
        // By name, where the directory has no id.
        let user = json!({ "userName": "erin" });
        let erin = stage.scim("POST", "/scim/v2/Users", Some(&user)).json();
        stage.signs_in("8", "erin");
        stage.comes_back("9", "erin").assert(403);
        let page = stage
            .scim("GET", "/scim/v2/Users?startIndex=2&count=1", None)
            .json();
        assert_eq!(
            (&page["totalResults"], &page["itemsPerPage"]),
            (&json!(2), &json!(1))
        );
        assert_eq!(page["Resources"][0]["id"], erin["id"]);
        // PUT replaces all of it.
        let path = format!("/scim/v2/Users/{}", erin["id"].as_str().unwrap());
        let answer = stage.scim(
            "PUT",
            &path,
            Some(&json!({ "userName": "erin", "active": true, "externalId": "8" })),
        );
        assert_eq!(answer.json()["externalId"], "8");
        let taken = json!({ "userName": "Dana@acme.example" });
        refused(
            &stage.scim("PUT", &path, Some(&taken)),
            409,
            Some("uniqueness"),
        );
    }
}

#[test]
fn scim_is_for_its_token_and_speaks_its_own_errors() {
    let fixture = Fixture::sqlite();
    let stage = Stage::set(&fixture, false);
    let (_, admin) = machine_token(&fixture, "admin", &["*:write", "tokens:write"]);
    for ask in [
        stage.server.ask("GET", "/scim/v2/Users"),
        stage.server.ask("GET", "/scim/v2/Users").token(&admin),
        stage
            .server
            .ask("GET", "/scim/v2/Users")
            .token(&stage.scim[1..]),
        stage
            .server
            .ask("GET", "/scim/v2/Users")
            .header("x-api-key", stage.scim.as_str()),
        stage
            .server
            .ask("DELETE", "/scim/v2/Users/user_1")
            .token(&stage.signs_in("1", "dana")),
    ] {
        let answer = ask.send();
        refused(&answer, 401, None);
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    }
    // The token of SCIM does nothing else.
    assert_eq!(stage.server.reads(&stage.scim, "acme/app"), 401);
    let config = stage
        .scim("GET", "/scim/v2/ServiceProviderConfig", None)
        .json();
    assert_eq!(config["patch"]["supported"], true);
    refused(
        &stage.scim("GET", "/scim/v2/Users?filter=title%20pr", None),
        400,
        Some("invalidFilter"),
    );
    refused(
        &stage.scim("GET", "/scim/v2/Users?count=many", None),
        400,
        Some("invalidValue"),
    );
    refused(
        &stage.scim("POST", "/scim/v2/Users", Some(&json!({ "active": true }))),
        400,
        Some("invalidValue"),
    );
    refused(
        &stage.scim("POST", "/scim/v2/Users", Some(&json!([]))),
        400,
        Some("invalidSyntax"),
    );
    let bad = json!({ "userName": "x", "active": "perhaps" });
    refused(
        &stage.scim("POST", "/scim/v2/Users", Some(&bad)),
        400,
        Some("invalidValue"),
    );
    refused(
        &stage.scim(
            "PUT",
            "/scim/v2/Users/user_1",
            Some(&json!({ "userName": "x" })),
        ),
        404,
        None,
    );
    // What no handler of SCIM answers has its form, too.
    let large = json!({ "userName": "x".repeat(70_000) });
    refused(
        &stage.scim("POST", "/scim/v2/Users", Some(&large)),
        413,
        None,
    );
    refused(&stage.scim("GET", "/scim/v2/Groups", None), 404, None);
    refused(&stage.scim("DELETE", "/scim/v2/Users", None), 405, None);
}

#[test]
fn sign_ins_and_what_a_directory_does_stand_in_the_audit_log() {
    let stage = Stage::set(&Fixture::sqlite(), false);
    stage.comes_back("s-1", "dana").assert(200);
    let user = json!({ "userName": "erin", "externalId": "s-2", "active": true });
    let made = stage.scim("POST", "/scim/v2/Users", Some(&user));
    let path = format!("/scim/v2/Users/{}", made.json()["id"].as_str().unwrap());
    stage.scim("DELETE", &path, None).assert(204);
    let wanted = [
        ("POST /api/identity/callback", "dana"),
        ("POST /scim/v2/Users", "scim"),
        ("DELETE /scim/v2/Users/{user}", "scim"),
    ];
    // Lines are written behind the answers.
    wait_until(|| {
        let lines = stage.server.file("audit.log");
        wanted.iter().all(|(action, name)| {
            let has = |line: &str| {
                let line: Value = serde_json::from_str(line).unwrap_or_default();
                line["action"] == *action && line["actor_name"] == *name
            };
            lines.lines().any(has)
        })
    });
}
