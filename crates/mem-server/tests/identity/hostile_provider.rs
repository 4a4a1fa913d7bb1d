//! A provider that does what it is told: any discovery document, any keys, any token.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};

/// A key pair of its own.
pub(super) struct SigningKey {
    pair: EcdsaKeyPair,
    id: String,
}

impl SigningKey {
    pub(super) fn generate(id: &str) -> Self {
        let (kind, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
        let document = EcdsaKeyPair::generate_pkcs8(kind, &random).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(kind, document.as_ref(), &random).unwrap();
        Self {
            pair,
            id: id.to_owned(),
        }
    }

    pub(super) fn published(&self) -> Value {
        let point = self.pair.public_key().as_ref();
        let (x, y) = (coded(&point[1..33]), coded(&point[33..]));
        json!({ "kty": "EC", "crv": "P-256", "kid": self.id, "use": "sig", "alg": "ES256", "x": x, "y": y })
    }

    pub(super) fn sign(&self, claims: &Value) -> String {
        let head = json!({ "alg": "ES256", "kid": self.id });
        self.sign_with(&head, claims)
    }

    pub(super) fn sign_with(&self, head: &Value, claims: &Value) -> String {
        let text = unsigned(head, claims);
        let signature = self
            .pair
            .sign(&SystemRandom::new(), text.as_bytes())
            .unwrap();
        format!("{text}.{}", coded(signature.as_ref()))
    }

    /// Signed with HS256, with what everybody knows of the key as the shared secret.
    pub(super) fn confused(&self, claims: &Value) -> String {
        let text = unsigned(&json!({ "alg": "HS256", "kid": self.id }), claims);
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.pair.public_key().as_ref());
        format!(
            "{text}.{}",
            coded(hmac::sign(&key, text.as_bytes()).as_ref())
        )
    }
}

/// The first two parts of a token.
pub(super) fn unsigned(head: &Value, claims: &Value) -> String {
    format!(
        "{}.{}",
        coded(head.to_string().as_bytes()),
        coded(claims.to_string().as_bytes())
    )
}

fn coded(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// What it answers at each of its addresses, as whole answers of HTTP or as JSON.
#[derive(Clone, Default)]
pub(super) struct Plan {
    pub(super) discovery: Value,
    pub(super) keys: Value,
    pub(super) token: Value,
    /// Bytes in the place of an answer, by a part of the path.
    pub(super) raw: Vec<(&'static str, Vec<u8>)>,
    /// Requests that came, by their paths.
    pub(super) asked: Vec<String>,
}

#[derive(Clone)]
pub(super) struct HostileProvider {
    pub(super) issuer: String,
    plan: Arc<Mutex<Plan>>,
}

impl HostileProvider {
    pub(super) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let plan = Arc::new(Mutex::new(Plan {
            discovery: json!({
                "issuer": issuer,
                "authorization_endpoint": format!("{issuer}/auth"),
                "token_endpoint": format!("{issuer}/token"),
                "jwks_uri": format!("{issuer}/keys"),
                "id_token_signing_alg_values_supported": ["ES256", "none", "HS256"],
            }),
            ..Plan::default()
        }));
        let shared = Arc::clone(&plan);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (stream, shared) = (stream.unwrap(), Arc::clone(&shared));
                thread::spawn(move || answer(stream, &shared));
            }
        });
        Self { issuer, plan }
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Plan)) {
        change(&mut self.plan.lock().unwrap());
    }

    pub(super) fn asked(&self, path: &str) -> usize {
        let plan = self.plan.lock().unwrap();
        plan.asked
            .iter()
            .filter(|asked| asked.contains(path))
            .count()
    }
}

fn answer(mut stream: TcpStream, plan: &Mutex<Plan>) {
    // A connection without a request was opened for later.
    let Some(path) = request_path(&mut stream) else {
        return;
    };
    let mut plan = plan.lock().unwrap();
    plan.asked.push(path.clone());
    let raw = plan.raw.iter().find(|(part, _)| path.contains(part));
    let bytes = match raw {
        Some((_, bytes)) => bytes.clone(),
        None => {
            let body = match path.as_str() {
                path if path.contains("openid-configuration") => &plan.discovery,
                path if path.contains("/keys") => &plan.keys,
                _ => &plan.token,
            };
            ok(body.to_string().as_bytes())
        }
    };
    drop(plan);
    // Whoever has had enough hangs up.
    let _ = stream.write_all(&bytes);
}

/// A whole answer.
pub(super) fn ok(body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// Reads a request with its body.
fn request_path(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).to_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    stream.read_exact(&mut body).ok()?;
    head.split(' ').nth(1).map(str::to_owned)
}
