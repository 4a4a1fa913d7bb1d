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
/// For a connection, and for an answer: the server asks the provider meanwhile.
const CONNECT: Duration = Duration::from_secs(10);
const ANSWER: Duration = Duration::from_secs(30);

/// The server does not sign anybody in.
#[derive(Debug, thiserror::Error, Diagnose)]
pub(crate) enum LoginError {
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
    /// No answer, or none that says so.
    #[error("cannot ask `{origin}`: {why}")]
    #[diagnose(
        Unreachable,
        hint = "look whether the server runs and the address is right"
    )]
    Unreachable {
        /// The server.
        origin: String,
        /// What came instead.
        why: String,
    },
    /// It answers, and cannot do it.
    #[error("the server `{origin}` cannot do this now: {why}")]
    #[diagnose(
        Unreachable,
        hint = "try again in a moment, or ask who runs the server"
    )]
    Failing {
        /// The server.
        origin: String,
        /// What it says.
        why: String,
    },
    /// Nobody is signed in there.
    #[error("nobody is signed in at `{0}`")]
    #[diagnose(NotFound, hint = "`mem login` signs in")]
    NotSignedIn(String),
}

/// A device flow that was begun.
#[derive(Deserialize)]
pub(crate) struct DeviceCode {
    device_code: String,
    pub(crate) user_code: String,
    pub(crate) verification_uri: String,
    pub(crate) verification_uri_complete: Option<String>,
    expires_in: u64,
    interval: u64,
}

/// A session that was begun.
#[derive(Deserialize)]
pub(crate) struct NewSession {
    token: String,
    pub(crate) name: String,
    pub(crate) grants: Vec<String>,
}

impl NewSession {
    pub(crate) fn into_token(self) -> SecretString {
        SecretString::from(self.token)
    }
}

/// Who a token is.
#[derive(Deserialize, Serialize)]
pub(crate) struct KnownSession {
    pub(crate) name: String,
    pub(crate) kind: Option<String>,
    pub(crate) expires_at: Option<String>,
    pub(crate) renew_until: Option<String>,
    pub(crate) grants: Option<Vec<String>>,
}

/// The server, with a runtime that runs while somebody waits.
pub(crate) struct IdentityClient {
    server: ServerAddress,
    http: Client,
    runtime: Runtime,
}

impl IdentityClient {
    /// A client; no connection is opened yet.
    ///
    /// # Errors
    /// The address cannot be used, or there is no HTTP.
    pub(crate) fn open(server: &ServerAddress) -> Result<Self, LoginError> {
        let fault = |why: String| LoginError::Unreachable {
            origin: server.origin.clone(),
            why,
        };
        let base = Url::parse(&server.base).map_err(|error| fault(error.to_string()))?;
        let http = mem_http::client_builder(&base, HeaderMap::new(), CONNECT).timeout(ANSWER);
        let runtime = Builder::new_current_thread().enable_all().build();
        Ok(Self {
            server: server.clone(),
            http: http
                .build()
                .map_err(|error| fault(LineFault::from(error).to_string()))?,
            runtime: runtime.map_err(|error| fault(error.to_string()))?,
        })
    }

    /// Begins a sign-in.
    ///
    /// # Errors
    /// See [`LoginError`].
    pub(crate) fn begin(&self) -> Result<DeviceCode, LoginError> {
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
    pub(crate) fn wait(
        &self,
        code: &DeviceCode,
        workspace: Option<&str>,
    ) -> Result<NewSession, LoginError> {
        let body = json!({ "device_code": code.device_code, "workspace": workspace });
        let mut interval = Duration::from_secs(code.interval.max(1));
        let mut left = Duration::from_secs(code.expires_in);
        while left > interval {
            left -= interval;
            self.runtime
                .block_on(async { tokio::time::sleep(interval).await });
            let reply = match self.send_request(Method::POST, "/device/token", None, &body) {
                // The provider still knows the code when the line is back.
                Err(LoginError::Unreachable { .. } | LoginError::Failing { .. }) => continue,
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
    pub(crate) fn session(&self, token: &SecretString) -> Result<KnownSession, LoginError> {
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
    pub(crate) fn end(&self, token: &SecretString) -> Result<bool, LoginError> {
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
        if let Some(bearer) = token.and_then(|token| mem_http::credential_header("Bearer ", token))
        {
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
        let sent = self
            .runtime
            .block_on(async { reader.read(request.send().await?).await });
        sent.map_err(|fault| self.unreachable_error(fault.to_string()))
    }

    /// What a successful answer says. A token in it is never quoted.
    fn read<T: DeserializeOwned>(&self, reply: &HttpReply) -> Result<T, LoginError> {
        let status = reply.status.as_u16();
        if reply.status.is_success() {
            let read = serde_json::from_slice(&reply.body);
            return read
                .map_err(|_| self.unreachable_error("its answer cannot be understood".to_owned()));
        }
        let said: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
        let message = said["error"]["message"]
            .as_str()
            .map(|text| reply.sanitize_text(text));
        match message {
            Some(message) if (400..500).contains(&status) => Err(LoginError::Refused(message)),
            message => Err(LoginError::Failing {
                origin: self.server.origin.clone(),
                why: message.unwrap_or_else(|| format!("it answered HTTP {status}")),
            }),
        }
    }

    fn unreachable_error(&self, why: String) -> LoginError {
        LoginError::Unreachable {
            origin: self.server.origin.clone(),
            why,
        }
    }
}
