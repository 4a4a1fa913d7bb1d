//! The identity provider of a server, as `mem login` and `mem logout` ask for it: `/api/identity` of the server.

use std::time::Duration;

use mem_core::Diagnose;
use mem_http::{BodyReader, HttpReply, LineFault};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, Method, Url};
use secrecy::SecretString;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use super::address::ServerAddress;

/// Of an answer of the server.
const ANSWER_BYTES_MAX: usize = 256 * 1024;
/// For a connection.
const CONNECT: Duration = Duration::from_secs(10);
/// For an answer: the server asks the provider meanwhile.
pub const ANSWER: Duration = Duration::from_secs(30);

/// The server does not sign anybody in.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum LoginError {
    /// It has no provider, or is older.
    #[error("the server `{0}` has no identity provider")]
    #[diagnose(
        Refused,
        hint = "ask who runs it for a token; `mem team login` keeps it"
    )]
    NoProvider(String),
    /// It says no.
    #[error("the server refuses the sign-in: {0}")]
    #[diagnose(Refused, hint = "ask who runs the server")]
    Refused(String),
    /// The person took too long.
    #[error("the sign-in was not finished in time")]
    #[diagnose(Refused, hint = "run `mem login` again")]
    TooLate,
    /// No answer of a server, or none that says so: what came instead.
    #[error("cannot ask `{0}`: {1}")]
    #[diagnose(
        Unreachable,
        hint = "look whether the server runs and the address is right"
    )]
    Unreachable(String, String),
    /// A server answers, and cannot do it: what it says.
    #[error("the server `{0}` cannot do this now: {1}")]
    #[diagnose(
        Unreachable,
        hint = "try again in a moment, or ask who runs the server"
    )]
    Failing(String, String),
    /// A server did not hear of a sign-out: what came instead.
    #[error("the sign-in to `{0}` was removed here, and the server could not be told: {1}")]
    #[diagnose(
        Unreachable,
        hint = "the session ends by itself; `mem server token revoke` at the server ends it at once"
    )]
    Untold(String, String),
    /// Nobody is signed in there.
    #[error("nobody is signed in at `{0}`")]
    #[diagnose(NotFound, hint = "`mem login` signs in")]
    NotSignedIn(String),
}

impl LoginError {
    /// The same of a sign-out that was carried out here alone.
    pub fn into_untold(self) -> Self {
        match self {
            Self::Unreachable(origin, why) | Self::Failing(origin, why) => {
                Self::Untold(origin, why)
            }
            other => other,
        }
    }
}

/// A device flow that was begun.
#[derive(Deserialize)]
pub struct DeviceCode {
    device_code: String,
    /// What a person types in at the provider.
    pub user_code: String,
    /// Where.
    pub verification_uri: String,
    /// The same with the code in it.
    pub verification_uri_complete: Option<String>,
    expires_in: u64,
    interval: u64,
}

/// A session that was begun.
#[derive(Deserialize)]
pub struct NewSession {
    token: String,
    /// Who it is, as the server names them.
    pub name: String,
    /// What the session may do.
    pub grants: Vec<String>,
}

impl NewSession {
    /// Its token.
    pub fn into_token(self) -> SecretString {
        SecretString::from(self.token)
    }
}

/// Who a token is.
#[derive(Deserialize, Serialize)]
pub struct KnownSession {
    /// As the server names them.
    pub name: String,
    /// Whether it is a session or a token that somebody made; an older server does not say.
    pub kind: Option<String>,
    /// When it ends, RFC 3339.
    pub expires_at: Option<String>,
    /// Until when it is renewed by itself, RFC 3339.
    pub renew_until: Option<String>,
    /// What it may do.
    pub grants: Option<Vec<String>>,
}

/// The server, with a runtime that runs while somebody waits.
pub struct IdentityClient {
    server: ServerAddress,
    http: Client,
    runtime: Runtime,
}

impl IdentityClient {
    /// A client that waits so long for an answer; no connection is opened yet.
    ///
    /// # Errors
    /// The address cannot be used, or there is no HTTP.
    pub fn open(server: &ServerAddress, answer: Duration) -> Result<Self, LoginError> {
        let fault = |why: String| LoginError::Unreachable(server.origin.clone(), why);
        let base = Url::parse(&server.base).map_err(|error| fault(error.to_string()))?;
        let http = mem_http::client_builder(&base, HeaderMap::new(), CONNECT).timeout(answer);
        let http = http.build().map_err(LineFault::from);
        let runtime = Builder::new_current_thread().enable_all().build();
        Ok(Self {
            server: server.clone(),
            http: http.map_err(|error| fault(error.to_string()))?,
            runtime: runtime.map_err(|error| fault(error.to_string()))?,
        })
    }

    /// Begins a sign-in.
    ///
    /// # Errors
    /// See [`LoginError`].
    pub fn begin(&self) -> Result<DeviceCode, LoginError> {
        let reply = self.send_request(Method::GET, "", None, &Value::Null)?;
        let has_provider = match reply.status.as_u16() {
            404 => false,
            _ => !self.read::<Value>(&reply)?["provider"].is_null(),
        };
        if !has_provider {
            return Err(LoginError::NoProvider(self.server.origin.clone()));
        }
        let reply = self.send_request(Method::POST, "/device", None, &json!({}))?;
        self.read(&reply)
    }

    /// Waits until the person has signed in at the provider.
    ///
    /// # Errors
    /// See [`LoginError`].
    pub fn wait(
        &self,
        code: &DeviceCode,
        workspace: Option<&str>,
    ) -> Result<NewSession, LoginError> {
        let body = json!({ "device_code": code.device_code, "workspace": workspace });
        let mut interval = Duration::from_secs(code.interval.max(1));
        let mut left = Duration::from_secs(code.expires_in);
        while left > interval {
            left -= interval;
            let pause = async { tokio::time::sleep(interval).await };
            self.runtime.block_on(pause);
            let reply = match self.send_request(Method::POST, "/device/token", None, &body) {
                // The provider still knows the code when the line is back.
                Err(LoginError::Unreachable(..) | LoginError::Failing(..)) => continue,
                reply => reply?,
            };
            match reply.status.as_u16() {
                202 => {
                    let said: Value = self.read(&reply)?;
                    interval += Duration::from_secs(said["slower_seconds"].as_u64().unwrap_or(0));
                }
                503 | 429 => {}
                _ => return self.read(&reply),
            }
        }
        Err(LoginError::TooLate)
    }

    /// Who a token is.
    ///
    /// # Errors
    /// See [`LoginError`].
    pub fn session(&self, token: &SecretString) -> Result<KnownSession, LoginError> {
        let reply = self.send_request(Method::GET, "/session", Some(token), &Value::Null)?;
        match reply.status.as_u16() {
            401 => Err(LoginError::NotSignedIn(self.server.origin.clone())),
            _ => self.read(&reply),
        }
    }

    /// Ends a session. `false` where the token is none, or was ended before.
    ///
    /// # Errors
    /// See [`LoginError`].
    pub fn end(&self, token: &SecretString) -> Result<bool, LoginError> {
        let reply = self.send_request(Method::DELETE, "/session", Some(token), &Value::Null)?;
        match reply.status.as_u16() {
            401 | 404 | 409 => Ok(false),
            _ => self.read::<Value>(&reply).map(|_| true),
        }
    }

    fn send_request(
        &self,
        method: Method,
        path: &str,
        token: Option<&SecretString>,
        body: &Value,
    ) -> Result<HttpReply, LoginError> {
        let place = format!("{}/api/identity{path}", self.server.base);
        let mut request = self.http.request(method, place);
        let bearer = token.and_then(|token| mem_http::credential_header("Bearer ", token));
        if let Some(bearer) = bearer {
            request = request.header(AUTHORIZATION, bearer);
        }
        if !body.is_null() {
            let kind = HeaderValue::from_static("application/json");
            request = request.header(CONTENT_TYPE, kind).body(body.to_string());
        }
        let reader = BodyReader {
            bytes_max: ANSWER_BYTES_MAX,
            stall: ANSWER,
            secret: token.cloned(),
        };
        let send = async { reader.read(request.send().await?).await };
        let sent = self.runtime.block_on(send);
        sent.map_err(|fault| self.unreachable_error(fault.to_string()))
    }

    /// What a successful answer says. A token in it is never quoted.
    fn read<T: DeserializeOwned>(&self, reply: &HttpReply) -> Result<T, LoginError> {
        let status = reply.status.as_u16();
        if reply.status.is_success() {
            let garbled = || self.unreachable_error("its answer cannot be understood".to_owned());
            return serde_json::from_slice(&reply.body).map_err(|_| garbled());
        }
        let said: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
        let message = said["error"]["message"].as_str();
        let message = message.map(|text| reply.sanitize_text(text));
        match message {
            Some(message) if (400..500).contains(&status) => Err(LoginError::Refused(message)),
            message => {
                let why = message.unwrap_or_else(|| format!("it answered HTTP {status}"));
                Err(LoginError::Failing(self.server.origin.clone(), why))
            }
        }
    }

    fn unreachable_error(&self, why: String) -> LoginError {
        LoginError::Unreachable(self.server.origin.clone(), why)
    }
}
