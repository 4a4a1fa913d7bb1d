//! What a provider, or somebody between, can send, and what comes of it: nobody is signed in.

use jiff::Timestamp;
use mem_tests::http::Answer;
use mem_tests::oidc::parameter;
use serde_json::{Value, json};

use super::fixture::{PUBLIC_URL, RunningServer};
use super::hostile_provider::{HostileProvider, SigningKey, ok, unsigned};
use crate::storage::fixture::Fixture;

/// A sign-in that waits for the provider's answer.
struct Begun {
    body: Value,
    nonce: String,
}

struct Stage {
    server: RunningServer,
    provider: HostileProvider,
    key: SigningKey,
}

impl Stage {
    fn set(fixture: &Fixture) -> Self {
        let provider = HostileProvider::start();
        let key = SigningKey::generate("one");
        provider.change(|plan| plan.keys = json!({ "keys": [key.published()] }));
        let settings = format!(
            "[identity]\nissuer = \"{}\"\nclient_id = \"mem\"\npublic_url = \"{PUBLIC_URL}\"\n\
             [[access]]\neverybody = true\ngrants = [\"team:acme/*:read\"]\n",
            provider.issuer
        );
        let server = RunningServer::start(fixture, &settings);
        Self {
            server,
            provider,
            key,
        }
    }

    fn begin(&self) -> Begun {
        let begun = self.server.post("/api/identity/login", &json!({}));
        begun.assert(200);
        let begun = begun.json();
        let location = begun["location"].as_str().unwrap();
        let body = json!({ "binding": begun["binding"], "state": parameter(location, "state"), "code": "c" });
        let nonce = parameter(location, "nonce").unwrap();
        Begun { body, nonce }
    }

    fn claims(&self, nonce: &str, changes: &Value) -> Value {
        let now = Timestamp::now().as_second();
        let mut claims = json!({
            "iss": self.provider.issuer, "aud": "mem", "sub": "1", "preferred_username": "dana",
            "iat": now, "exp": now + 300, "nonce": nonce,
        });
        for (name, value) in changes.as_object().unwrap() {
            claims[name] = value.clone();
        }
        claims
    }

    fn send(&self, begun: &Begun, token: &str) -> Answer {
        let answer = json!({ "access_token": "a", "token_type": "Bearer", "id_token": token });
        self.provider.change(|plan| plan.token = answer);
        self.server.post("/api/identity/callback", &begun.body)
    }
}

/// What the answer says against a token.
#[track_caller]
fn refused(answer: &Answer, why: &str) {
    answer.assert(403);
    let said = answer.json()["error"]["message"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(said.contains(why), "{said} / {why}");
}

#[test]
fn no_token_but_a_true_one_signs_anybody_in() {
    let fixture = Fixture::sqlite();
    let stage = Stage::set(&fixture);
    let now = Timestamp::now().as_second();
    for (changes, why) in [
        (json!({ "iss": "https://other.example" }), "`iss`"),
        (json!({ "aud": "other" }), "`aud`"),
        (json!({ "aud": ["mem", "other"] }), "`azp`"),
        (json!({ "azp": "other" }), "`azp`"),
        (json!({ "exp": now - 100 }), "expired"),
        (
            json!({ "iat": now + 600, "exp": now + 900 }),
            "not valid yet",
        ),
        (json!({ "nbf": now + 600 }), "not valid yet"),
        (json!({ "iat": now - 3600 }), "too long ago"),
        (json!({ "exp": "never" }), "`exp`"),
        (json!({ "nonce": "other" }), "`nonce`"),
        (json!({ "nonce": null }), "`nonce`"),
        (json!({ "sub": "" }), "`sub`"),
    ] {
        let begun = stage.begin();
        let token = stage.key.sign(&stage.claims(&begun.nonce, &changes));
        refused(&stage.send(&begun, &token), why);
    }
    let begun = stage.begin();
    let claims = stage.claims(&begun.nonce, &json!({}));
    let stranger = SigningKey::generate("one");
    let mut longer = claims.clone();
    longer["sub"] = json!("2");
    let good = stage.key.sign(&claims);
    let (_, signature) = good.rsplit_once('.').unwrap();
    let head = json!({ "alg": "ES256", "kid": "one" });
    for (token, why) in [
        (
            format!("{}.", unsigned(&json!({ "alg": "none" }), &claims)),
            "`none`",
        ),
        (
            format!(
                "{}.",
                unsigned(&json!({ "alg": "None", "kid": "one" }), &claims)
            ),
            "`None`",
        ),
        (stage.key.confused(&claims), "`HS256`"),
        (
            stage
                .key
                .sign_with(&json!({ "alg": "ES384", "kid": "one" }), &claims),
            "not accepted",
        ),
        (
            stage
                .key
                .sign_with(&json!({ "alg": "RS256", "kid": "one" }), &claims),
            "not accepted",
        ),
        (
            stage.key.sign_with(
                &json!({ "alg": "ES256", "kid": "one", "crit": ["x"] }),
                &claims,
            ),
            "not a signed",
        ),
        (
            stage
                .key
                .sign_with(&json!({ "alg": "ES256", "kid": "two" }), &claims),
            "does not publish",
        ),
        (stranger.sign(&claims), "signature"),
        (
            format!("{}.{signature}", unsigned(&head, &longer)),
            "signature",
        ),
        (format!("{}.", unsigned(&head, &claims)), "signature"),
        (good[..good.len() - 2].to_owned(), "signature"),
        ("a.b".to_owned(), "not a signed"),
        (String::new(), "not a signed"),
    ] {
        refused(&stage.send(&begun, &token), why);
    }
    // The same sign-in with a true token succeeds, so that the refusals above were about the tokens.
    stage.send(&begun, &good).assert(200);
}

#[test]
fn an_answer_that_was_used_is_not_used_again() {
    for fixture in Fixture::all() {
        let stage = Stage::set(&fixture);
        let replica = stage.server.replica();
        let other = replica.as_ref().unwrap_or(&stage.server);
        let begun = stage.begin();
        let token = stage.key.sign(&stage.claims(&begun.nonce, &json!({})));
        stage.send(&begun, &token).assert(200);
        // This provider takes a code as often as it is sent; the server does not, on any replica, whether the token is
        // the same or another one for the same sign-in.
        refused(
            &other.post("/api/identity/callback", &begun.body),
            "used before",
        );
        let again = stage
            .key
            .sign(&stage.claims(&begun.nonce, &json!({ "jti": "2" })));
        refused(&stage.send(&begun, &again), "used before");
        // A token of one sign-in does not do for another.
        refused(&stage.send(&stage.begin(), &token), "`nonce`");
    }
}

#[test]
fn keys_are_read_again_for_a_new_one_and_not_for_every_stranger() {
    let fixture = Fixture::sqlite();
    let stage = Stage::set(&fixture);
    let begun = stage.begin();
    stage
        .send(
            &begun,
            &stage.key.sign(&stage.claims(&begun.nonce, &json!({}))),
        )
        .assert(200);
    assert_eq!(stage.provider.asked("/keys"), 1);
    let new = SigningKey::generate("new");
    let begun = stage.begin();
    let token = new.sign(&stage.claims(&begun.nonce, &json!({})));
    for _ in 0..5 {
        refused(&stage.send(&begun, &token), "does not publish");
    }
    assert_eq!(
        stage.provider.asked("/keys"),
        1,
        "they were read a moment ago"
    );
    stage.server.ahead.set(61);
    for _ in 0..5 {
        refused(&stage.send(&begun, &token), "does not publish");
    }
    assert_eq!(stage.provider.asked("/keys"), 2);
    stage
        .provider
        .change(|plan| plan.keys = json!({ "keys": [stage.key.published(), new.published()] }));
    stage.server.ahead.set(122);
    stage.send(&begun, &token).assert(200);
    assert_eq!(stage.provider.asked("/keys"), 3);
}

#[test]
fn a_provider_that_breaks_the_rules_is_not_followed() {
    let redirect = b"HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/elsewhere\r\ncontent-length: 0\r\n\r\n";
    let huge = ok(format!("{{\"keys\":[],\"x\":\"{}\"}}", "x".repeat(1_000_000)).as_bytes());
    let broken = b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{".to_vec();
    let failing = b"HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n".to_vec();
    for (path, bytes, status, why) in [
        (
            "openid-configuration",
            redirect.to_vec(),
            502,
            "redirects to `http://127.0.0.1:1/elsewhere`",
        ),
        ("openid-configuration", ok(b"[]"), 502, "not the JSON"),
        ("openid-configuration", failing.clone(), 503, "HTTP 500"),
        ("/keys", huge, 502, "longer than 262144 bytes"),
        ("/keys", redirect.to_vec(), 502, "redirects"),
        ("/keys", ok(b"{}"), 502, "no set of keys"),
        ("/token", broken, 503, "cannot be reached"),
        ("/token", redirect.to_vec(), 502, "redirects"),
        ("/token", failing, 503, "HTTP 500"),
    ] {
        let fixture = Fixture::sqlite();
        let stage = Stage::set(&fixture);
        // Before the discovery document is known.
        let discovers = path.contains("openid");
        let begun = (!discovers).then(|| stage.begin());
        stage.provider.change(|plan| plan.raw.push((path, bytes)));
        let answer = match &begun {
            None => stage.server.post("/api/identity/login", &json!({})),
            Some(begun) => stage.send(
                begun,
                &stage.key.sign(&stage.claims(&begun.nonce, &json!({}))),
            ),
        };
        answer.assert(status);
        let said = answer.json()["error"]["message"]
            .as_str()
            .unwrap()
            .to_owned();
        assert!(said.contains(why), "{path}: {said}");
    }
}

#[test]
fn a_discovery_document_of_somebody_else_or_with_unsafe_addresses_is_refused() {
    for (name, value, why) in [
        ("issuer", json!("https://other.example"), "`issuer`"),
        (
            "authorization_endpoint",
            json!("http://id.example.org/auth"),
            "no `https` address",
        ),
        (
            "authorization_endpoint",
            json!("javascript:alert(1)"),
            "no `https` address",
        ),
        (
            "authorization_endpoint",
            json!("https://me@id.example.org/auth"),
            "no `https` address",
        ),
    ] {
        let fixture = Fixture::sqlite();
        let stage = Stage::set(&fixture);
        stage.provider.change(|plan| plan.discovery[name] = value);
        let answer = stage.server.post("/api/identity/login", &json!({}));
        answer.assert(502);
        let said = answer.json()["error"]["message"]
            .as_str()
            .unwrap()
            .to_owned();
        assert!(said.contains(why), "{said}");
    }
}
