//! The forge as the judge of who reads, on answers as the public documentation of GitHub and GitLab prints them. The
//! real forges were not asked.

use mem_tests::oidc::parameter;
use serde_json::{Value, json};

use super::fixture::{PUBLIC_URL, RunningServer};
use super::hostile_provider::{HostileProvider, SigningKey, ok};
use crate::storage::fixture::Fixture;

/// `GET /repos/{owner}/{repo}/collaborators/{username}/permission`, shortened to the fields that matter here.
fn github(permission: &str) -> Vec<u8> {
    let answer = json!({
        "permission": permission,
        "role_name": permission,
        "user": { "login": "octocat", "id": 1, "type": "User", "site_admin": false },
    });
    ok(answer.to_string().as_bytes())
}

fn nothing() -> Vec<u8> {
    let body = json!({ "message": "Not Found", "documentation_url": "https://docs.github.com/rest", "status": "404" });
    let body = body.to_string();
    format!(
        "HTTP/1.1 404 Not Found\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn failing() -> Vec<u8> {
    b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec()
}

struct Stage {
    server: RunningServer,
    forge: HostileProvider,
    token: String,
}

impl Stage {
    /// Somebody who is known at the forge, and to whom no rule gives anything.
    fn set(fixture: &Fixture, kind: &str, path: &str) -> Self {
        let (provider, forge) = (HostileProvider::start(), HostileProvider::start());
        let key = SigningKey::generate("one");
        provider.change(|plan| plan.keys = json!({ "keys": [key.published()] }));
        let settings = format!(
            "[identity]\nissuer = \"{}\"\nclient_id = \"mem\"\npublic_url = \"{PUBLIC_URL}\"\n\
             [forge]\nkind = \"{kind}\"\napi = \"{}{path}\"\ntoken_file = \"FOLDER/forge-token\"\nlogin_claim = \"forge_login\"\n",
            provider.issuer, forge.issuer
        );
        let files = [("forge-token", "of-this-test")];
        let server = RunningServer::start_with(fixture, &settings, &files);
        let begun = server.post("/api/identity/login", &json!({})).json();
        let location = begun["location"].as_str().unwrap();
        let now = jiff::Timestamp::now().as_second();
        let id_token = key.sign(&json!({
            "iss": provider.issuer, "aud": "mem", "sub": "1", "preferred_username": "dana", "forge_login": "octocat",
            "iat": now, "exp": now + 300, "nonce": parameter(location, "nonce"),
        }));
        provider.change(|plan| plan.token = json!({ "access_token": "a", "id_token": id_token }));
        let body = json!({ "binding": begun["binding"], "state": parameter(location, "state"), "code": "c" });
        let answer = server.post("/api/identity/callback", &body);
        answer.assert(200);
        let token = answer.json()["token"].as_str().unwrap().to_owned();
        Self {
            server,
            forge,
            token,
        }
    }

    fn answers(&self, answers: Vec<(&'static str, Vec<u8>)>) {
        self.forge.change(|plan| plan.raw = answers);
    }

    fn reads(&self, repository: &str) -> u16 {
        self.server.reads(&self.token, repository)
    }
}

#[test]
fn github_says_who_reads_the_memory_of_a_repository() {
    let fixture = Fixture::sqlite();
    let stage = Stage::set(&fixture, "github", "");
    stage.answers(vec![
        (
            "/repos/acme/app/collaborators/octocat/permission",
            github("read"),
        ),
        ("/repos/acme/admin/", github("admin")),
        ("/repos/acme/none/", github("none")),
        ("/repos/acme/gone/", nothing()),
        ("/repos/acme/down/", failing()),
    ]);
    assert_eq!(
        (stage.reads("acme/app"), stage.reads("acme/admin")),
        (200, 200)
    );
    assert_eq!(
        (stage.reads("acme/none"), stage.reads("acme/gone")),
        (403, 403)
    );
    assert_eq!(stage.reads("acme/down"), 503);
    // It judges reading, and nothing else.
    assert_eq!(stage.server.writes(&stage.token, "acme/admin"), 403);
    assert_eq!(
        stage.server.session(&stage.token)["grants"],
        Value::Array(Vec::new())
    );
    // An answer holds for five minutes, whatever the forge does meanwhile; then who left is out.
    assert_eq!(stage.reads("acme/app"), 200);
    assert_eq!(stage.forge.asked("/repos/acme/app/"), 1);
    stage.answers(vec![("/repos/", failing())]);
    stage.server.ahead.set(4 * 60);
    assert_eq!(
        (stage.reads("acme/app"), stage.reads("acme/gone")),
        (200, 403)
    );
    stage.server.ahead.set(6 * 60);
    assert_eq!(
        (stage.reads("acme/app"), stage.reads("acme/gone")),
        (503, 503)
    );
    stage.answers(vec![("/repos/", nothing())]);
    assert_eq!(stage.reads("acme/app"), 403);
}

#[test]
fn gitlab_says_who_reads_the_memory_of_a_project() {
    let fixture = Fixture::sqlite();
    let stage = Stage::set(&fixture, "gitlab", "/api/v4/");
    let user = json!([{ "id": 1, "username": "Octocat", "name": "O", "state": "active", "locked": false }]);
    let member = |level: i64, state: &str| {
        let member = json!({ "id": 1, "username": "octocat", "state": state, "access_level": level, "expires_at": null });
        ok(member.to_string().as_bytes())
    };
    let of = |path: &'static str, answer: Vec<u8>| (path, answer);
    stage.answers(vec![
        of(
            "/api/v4/users?username=octocat",
            ok(user.to_string().as_bytes()),
        ),
        of(
            "/api/v4/projects/acme%2fgroup%2fapp/members/all/1",
            member(20, "active"),
        ),
        of(
            "/api/v4/projects/acme%2fguest/members/all/1",
            member(10, "active"),
        ),
        of(
            "/api/v4/projects/acme%2fblocked/members/all/1",
            member(40, "blocked"),
        ),
        of("/api/v4/projects/", nothing()),
    ]);
    assert_eq!(stage.reads("acme/group/app"), 200);
    for refused in ["acme/guest", "acme/blocked", "acme/other"] {
        assert_eq!(stage.reads(refused), 403, "{refused}");
    }
}
