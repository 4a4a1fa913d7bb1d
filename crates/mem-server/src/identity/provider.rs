//! The provider over HTTP: its discovery document, its keys, and what it answers to a code or a refresh token.
//!
//! ```text
//!   discovery and keys    kept for an hour; keys read again for an unknown key id, once a minute at most
//!   each answer           bounded, within ten seconds, no redirect, from `https` or a loopback address
//! ```

use std::sync::Arc;
use std::time::Duration;

use form_urlencoded::byte_serialize;
use jiff::{SignedDuration, Timestamp};
use mem_http::{BodyReader, HttpReply, LineFault};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, RequestBuilder, Url};
use secrecy::{ExposeSecret as _, SecretString};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::sync::Mutex;

use super::claims::{ExpectedToken, IdTokenFault, VerifiedClaims, subject_of};
use super::jws::{ProviderKeys, SignedToken};
use super::settings::{IdentityError, IdentitySettings, read_secret};
use crate::options::Clock;

/// Of an answer of the provider.
const ANSWER_BYTES_MAX: usize = 256 * 1024;
/// For a connection, and for an answer.
const CONNECT: Duration = Duration::from_secs(5);
const ANSWER: Duration = Duration::from_secs(10);
/// For so long what the provider says of itself holds.
const DISCOVERY_KEPT: SignedDuration = SignedDuration::from_hours(1);
/// So long after reading the keys an unknown one is a reason to read them again.
const KEYS_AGAIN: SignedDuration = SignedDuration::from_secs(60);
/// So long a provider that cannot be reached is not asked again.
const PAUSE: SignedDuration = SignedDuration::from_secs(3);
/// Of a code, a refresh token and the like.
pub(super) const CREDENTIAL_CHARS_MAX: usize = 16 * 1024;

/// What the provider says of itself (OpenID Connect Discovery 1.0).
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Discovery {
    issuer: String,
    pub(super) authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    device_authorization_endpoint: Option<String>,
    userinfo_endpoint: Option<String>,
    pub(super) end_session_endpoint: Option<String>,
    #[serde(default)]
    id_token_signing_alg_values_supported: Vec<String>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    pub(super) authorization_response_iss_parameter_supported: bool,
}

/// What the provider answers to a code, a device code or a refresh token.
#[derive(Deserialize)]
pub(super) struct TokenAnswer {
    access_token: Option<SecretString>,
    pub(super) id_token: Option<SecretString>,
    pub(super) refresh_token: Option<SecretString>,
}

/// What the provider answers to the start of a device flow (RFC 8628, 3.2), and what the terminal shows of it.
#[derive(Deserialize, Serialize)]
pub(super) struct DeviceAnswer {
    pub(super) device_code: String,
    pub(super) user_code: String,
    pub(super) verification_uri: String,
    pub(super) verification_uri_complete: Option<String>,
    pub(super) expires_in: u64,
    pub(super) interval: Option<u64>,
}

/// The provider did not do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub(super) enum ProviderFault {
    /// No answer, or one that says to come again.
    #[error("the identity provider cannot be reached: {0}")]
    Unreachable(String),
    /// An answer that breaks the protocol.
    #[error("the identity provider's answer cannot be used: {0}")]
    Invalid(String),
    /// An error of OAuth: its code.
    #[error("the identity provider refuses: `{0}`")]
    Refused(String),
    /// An ID token that is not true.
    #[error("the identity provider's token is not accepted: {0}")]
    Token(#[from] IdTokenFault),
}

/// An answer that breaks the protocol in this way.
pub(super) fn unusable_answer(why: &str) -> ProviderFault {
    ProviderFault::Invalid(why.to_owned())
}

impl From<LineFault> for ProviderFault {
    fn from(fault: LineFault) -> Self {
        match fault {
            fault @ (LineFault::TooLong { .. } | LineFault::Garbled(_)) => {
                Self::Invalid(fault.to_string())
            }
            fault => Self::Unreachable(fault.to_string()),
        }
    }
}

/// What was read of the provider last.
#[derive(Default)]
struct ProviderState {
    discovery: Option<(Arc<Discovery>, Timestamp)>,
    /// Why it could not be reached, so that those who wait do not all ask again, one after the other.
    unreachable: Option<(String, Timestamp)>,
    keys: Option<(Arc<ProviderKeys>, Timestamp)>,
}

/// The provider of the settings.
pub(super) struct Provider {
    issuer: String,
    is_on_this_machine: bool,
    client_id: String,
    secret: Option<SecretString>,
    pub(super) scopes: String,
    http: Client,
    now: Clock,
    known: Mutex<ProviderState>,
}

impl Provider {
    /// The provider of the settings; it is asked when somebody signs in.
    pub(super) fn open(
        settings: &IdentitySettings,
        issuer: &Url,
        now: Clock,
    ) -> Result<Self, IdentityError> {
        let secret = settings.client_secret_file.as_deref();
        let secret = secret.map(|path| read_secret("identity.client_secret_file", path));
        let http = mem_http::client_builder(issuer, HeaderMap::new(), CONNECT).timeout(ANSWER);
        Ok(Self {
            issuer: settings.issuer.clone(),
            is_on_this_machine: mem_http::is_loopback(issuer),
            client_id: settings.client_id.clone(),
            secret: secret.transpose()?,
            scopes: settings.scopes.join(" "),
            http: http.build().map_err(LineFault::from)?,
            now,
            known: Mutex::default(),
        })
    }

    /// What the provider says of itself.
    pub(super) async fn discovery(&self) -> Result<Arc<Discovery>, ProviderFault> {
        let mut known = self.known.lock().await;
        let now = (self.now)();
        if let Some((discovery, read_at)) = &known.discovery
            && is_within(*read_at, now, DISCOVERY_KEPT)
        {
            return Ok(Arc::clone(discovery));
        }
        if let Some((why, at)) = &known.unreachable
            && is_within(*at, now, PAUSE)
        {
            return Err(ProviderFault::Unreachable(why.clone()));
        }
        let found = match self.fetch_discovery().await {
            Err(ProviderFault::Unreachable(why)) => {
                known.unreachable = Some((why.clone(), now));
                return Err(ProviderFault::Unreachable(why));
            }
            found => found?,
        };
        let found = Arc::new(found);
        known.discovery = Some((Arc::clone(&found), now));
        Ok(found)
    }

    async fn fetch_discovery(&self) -> Result<Discovery, ProviderFault> {
        let base = self.issuer.trim_end_matches('/');
        let place = format!("{base}/.well-known/openid-configuration");
        let found: Discovery = read_json(&self.get_json(&place, None).await?)?;
        if found.issuer != self.issuer {
            return Err(unusable_answer("`issuer` is not the one of the settings"));
        }
        Ok(found)
    }

    /// The keys of the provider, those of at most `age` ago.
    async fn fetch_keys(
        &self,
        discovery: &Discovery,
        age: SignedDuration,
    ) -> Result<Arc<ProviderKeys>, ProviderFault> {
        let mut known = self.known.lock().await;
        let now = (self.now)();
        if let Some((keys, read_at)) = &known.keys
            && is_within(*read_at, now, age)
        {
            return Ok(Arc::clone(keys));
        }
        let reply = self.get_json(&discovery.jwks_uri, None).await?;
        let keys = ProviderKeys::read(&read_success(&reply)?.body);
        let keys = Arc::new(keys.ok_or_else(|| unusable_answer("`jwks_uri` has no set of keys"))?);
        known.keys = Some((Arc::clone(&keys), now));
        Ok(keys)
    }

    /// Checks an ID token: its signature by a key of the provider, then what it says.
    pub(super) async fn verify(
        &self,
        token: &SecretString,
        nonce: Option<&str>,
    ) -> Result<VerifiedClaims, ProviderFault> {
        let token = SignedToken::parse(token.expose_secret())?;
        let discovery = self.discovery().await?;
        let announced = &discovery.id_token_signing_alg_values_supported;
        // A provider that announces nothing signs with what every one has to know.
        let is_default = announced.is_empty() && token.algorithm == "RS256";
        if !is_default && !announced.contains(&token.algorithm) {
            return Err(IdTokenFault::Algorithm(token.algorithm).into());
        }
        let mut keys = self.fetch_keys(&discovery, DISCOVERY_KEPT).await?;
        if keys.choose(&token).is_none() {
            keys = self.fetch_keys(&discovery, KEYS_AGAIN).await?;
        }
        let key = keys.choose(&token).ok_or(IdTokenFault::UnknownKey)?;
        key.verify_token(&token).ok_or(IdTokenFault::Signature)?;
        let expected = ExpectedToken {
            issuer: &self.issuer,
            client_id: &self.client_id,
            nonce,
            now: (self.now)(),
        };
        Ok(VerifiedClaims::check(token.into_claims(), &expected)?)
    }

    /// Redeems a code, a device code or a refresh token: a grant of this type with these fields.
    pub(super) async fn redeem_grant(
        &self,
        grant_type: &str,
        fields: &[(&str, &str)],
    ) -> Result<TokenAnswer, ProviderFault> {
        let discovery = self.discovery().await?;
        let fields = [&[("grant_type", grant_type)], fields].concat();
        self.post_form(&discovery, &discovery.token_endpoint, &fields)
            .await
    }

    /// Begins a device flow.
    pub(super) async fn begin_device(&self) -> Result<DeviceAnswer, ProviderFault> {
        let discovery = self.discovery().await?;
        let place = discovery.device_authorization_endpoint.as_ref();
        let place = place.ok_or_else(|| {
            unusable_answer("it has no device flow (`device_authorization_endpoint`)")
        })?;
        let scope = [("scope", self.scopes.as_str())];
        let answer: DeviceAnswer = self.post_form(&discovery, place, &scope).await?;
        // The client shows them to a person, who follows them.
        self.endpoint(&answer.verification_uri)?;
        if let Some(place) = &answer.verification_uri_complete {
            self.endpoint(place)?;
        }
        Ok(answer)
    }

    /// What the provider says of the user of an access token, where the ID token says less. The subject has to be the
    /// same (OpenID Connect Core, 5.3.2).
    pub(super) async fn user_info(
        &self,
        answer: &TokenAnswer,
        subject: &str,
    ) -> Result<Option<Map<String, Value>>, ProviderFault> {
        let discovery = self.discovery().await?;
        let (Some(place), Some(token)) = (&discovery.userinfo_endpoint, &answer.access_token)
        else {
            return Ok(None);
        };
        let bearer = mem_http::credential_header("Bearer ", token);
        let bearer = bearer.ok_or_else(|| unusable_answer("`access_token` is none"))?;
        let claims: Value = read_json(&self.get_json(place, Some(bearer)).await?)?;
        match claims {
            claims if subject_of(&claims)? != subject => Err(IdTokenFault::Subject.into()),
            Value::Object(claims) => Ok(Some(claims)),
            _ => Ok(None),
        }
    }

    /// Where a browser or a request may be sent.
    pub(super) fn endpoint(&self, text: &str) -> Result<Url, ProviderFault> {
        let url = Url::parse(text).ok().filter(|url| {
            // A provider elsewhere has no business with what listens on this machine.
            let is_safe = match url.scheme() {
                "https" => true,
                "http" => self.is_on_this_machine && mem_http::is_loopback(url),
                _ => false,
            };
            is_safe && url.has_host() && url.username().is_empty() && url.password().is_none()
        });
        url.ok_or_else(|| unusable_answer("one of its addresses is no `https` address"))
    }

    async fn get_json(
        &self,
        place: &str,
        bearer: Option<HeaderValue>,
    ) -> Result<HttpReply, ProviderFault> {
        let mut request = self.http.get(self.endpoint(place)?);
        if let Some(bearer) = bearer {
            request = request.header(AUTHORIZATION, bearer);
        }
        self.send_request(request).await
    }

    /// A form of OAuth, with what the provider knows this server by.
    async fn post_form<T: DeserializeOwned>(
        &self,
        discovery: &Discovery,
        place: &str,
        fields: &[(&str, &str)],
    ) -> Result<T, ProviderFault> {
        let request = self.form_request(discovery, place, fields)?;
        read_json(&self.send_request(request).await?)
    }

    fn form_request(
        &self,
        discovery: &Discovery,
        place: &str,
        fields: &[(&str, &str)],
    ) -> Result<RequestBuilder, ProviderFault> {
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.extend_pairs(fields);
        let mut request = self.http.post(self.endpoint(place)?);
        let methods = discovery.token_endpoint_auth_methods_supported.as_deref();
        // What providers that do not say so take.
        let takes_basic =
            methods.is_none_or(|all| all.iter().any(|method| method == "client_secret_basic"));
        match &self.secret {
            // RFC 6749, 2.3.1: both parts are encoded as in a form.
            Some(secret) if takes_basic => {
                let id = byte_serialize(self.client_id.as_bytes());
                let secret = byte_serialize(secret.expose_secret().as_bytes());
                request =
                    request.basic_auth(id.collect::<String>(), Some(secret.collect::<String>()));
            }
            secret => {
                form.append_pair("client_id", &self.client_id);
                if let Some(secret) = secret {
                    form.append_pair("client_secret", secret.expose_secret());
                }
            }
        }
        let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
        Ok(request.header(CONTENT_TYPE, kind).body(form.finish()))
    }

    async fn send_request(&self, request: RequestBuilder) -> Result<HttpReply, ProviderFault> {
        let reader = BodyReader {
            bytes_max: ANSWER_BYTES_MAX,
            stall: CONNECT,
            secret: self.secret.clone(),
        };
        let request = request.header(ACCEPT, "application/json");
        let reply = request.send().await.map_err(LineFault::from)?;
        Ok(reader.read(reply).await?)
    }
}

fn is_within(read_at: Timestamp, now: Timestamp, age: SignedDuration) -> bool {
    // A clock that was set back makes nothing older.
    now.duration_since(read_at).abs() < age
}

/// An answer that is a success.
fn read_success(reply: &HttpReply) -> Result<&HttpReply, ProviderFault> {
    #[derive(Deserialize)]
    struct OAuthError {
        error: String,
    }
    let status = reply.status.as_u16();
    if reply.status.is_success() {
        return Ok(reply);
    }
    if status == 429 || status >= 500 {
        let why = format!("it answered HTTP {status}");
        return Err(ProviderFault::Unreachable(why));
    }
    if reply.status.is_redirection() {
        let to = reply.redirect_target();
        return Err(ProviderFault::Invalid(format!("it redirects to `{to}`")));
    }
    match serde_json::from_slice::<OAuthError>(&reply.body) {
        Ok(said) => Err(ProviderFault::Refused(reply.sanitize_text(&said.error))),
        Err(_) => Err(ProviderFault::Invalid(format!("it answered HTTP {status}"))),
    }
}

/// The JSON of an answer that is a success. What does not fit is not quoted: it may hold a token.
fn read_json<T: DeserializeOwned>(reply: &HttpReply) -> Result<T, ProviderFault> {
    serde_json::from_slice(&read_success(reply)?.body)
        .map_err(|_| unusable_answer("it is not the JSON that was expected"))
}
