//! The two flows of a sign-in: a code for a browser (RFC 6749 with RFC 7636), a device code for a terminal (RFC 8628).
//!
//! A browser keeps a random secret between the two halves of its flow, signed with the time that it ends. State, nonce
//! and code verifier are derived from it, so any replica finishes what another began, and no table grows with sign-ins
//! that nobody finishes. A nonce counts once, by the database.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::{SignedDuration, Timestamp};
use ring::hmac;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use super::Identity;
use super::claims::IdTokenFault;
use super::provider::{CREDENTIAL_CHARS_MAX, DeviceAnswer, ProviderFault};
use super::session::SignInFault;
use crate::storage::SessionKind;
use crate::tokens::FreshToken;

/// The page that the provider sends browsers back to.
const CALLBACK: &str = "/console/callback";
/// The page that it sends them to who signed out.
const SIGNED_OUT: &str = "/console/enter";
/// For a person at the provider.
const FLOW_TIME: SignedDuration = SignedDuration::from_mins(10);
/// Random bytes of a flow.
const SECRET_BYTES: usize = 32;
/// Of what a browser keeps.
const BINDING_CHARS_MAX: usize = 4096;
/// A client polls no faster, where the provider does not say (RFC 8628, 3.2).
const POLL_SECONDS: u64 = 5;

/// What a browser keeps during a sign-in.
#[derive(Serialize, Deserialize)]
struct Binding {
    secret: String,
    ends: i64,
    to: String,
    workspace: Option<String>,
}

impl Binding {
    /// What is derived from the secret for one purpose.
    fn derive_text(&self, purpose: &str) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.secret.as_bytes());
        URL_SAFE_NO_PAD.encode(hmac::sign(&key, purpose.as_bytes()))
    }
}

/// A sign-in that was begun in a browser.
#[derive(Serialize)]
pub(super) struct BegunSignIn {
    /// Where the browser goes.
    pub(super) location: String,
    /// What it keeps.
    pub(super) binding: String,
}

/// What the provider says of a browser that comes back.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Callback {
    pub(super) binding: String,
    pub(super) state: String,
    pub(super) code: Option<String>,
    pub(super) error: Option<String>,
    pub(super) iss: Option<String>,
}

/// What a poll comes to.
pub(super) enum DevicePoll {
    /// The person has not decided yet; the next poll may come this many seconds later than before.
    Pending {
        slower: u64,
    },
    Done(FreshToken),
}

impl Identity {
    /// Begins the flow of a browser that wants to a page of the console afterwards.
    pub(super) async fn begin_sign_in(
        &self,
        to: String,
        workspace: Option<String>,
    ) -> Result<BegunSignIn, SignInFault> {
        let discovery = self.provider.discovery().await?;
        let mut secret = [0; SECRET_BYTES];
        getrandom::fill(&mut secret).map_err(|_| SignInFault::Internal)?;
        let binding = Binding {
            secret: URL_SAFE_NO_PAD.encode(secret),
            ends: ((self.now)() + FLOW_TIME).as_second(),
            to,
            workspace,
        };
        let mut location = self.provider.endpoint(&discovery.authorization_endpoint)?;
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(binding.derive_text("verifier")));
        location
            .query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.settings.client_id)
            .append_pair("redirect_uri", &self.public_place(CALLBACK))
            .append_pair("scope", &self.provider.scopes)
            .append_pair("state", &binding.derive_text("state"))
            .append_pair("nonce", &binding.derive_text("nonce"))
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256");
        // Without it providers give no refresh token to somebody who agreed before (OpenID Connect Core, 11).
        let mut scopes = self.settings.scopes.iter();
        if scopes.any(|scope| scope == "offline_access") {
            location.query_pairs_mut().append_pair("prompt", "consent");
        }
        Ok(BegunSignIn {
            location: location.into(),
            binding: self.sign_binding(&binding)?,
        })
    }

    /// Finishes the flow of a browser. Also says where it wanted to.
    pub(super) async fn finish_sign_in(
        &self,
        back: Callback,
    ) -> Result<(FreshToken, String), SignInFault> {
        let binding = self.check_binding(&back.binding, (self.now)());
        let binding = binding.ok_or(SignInFault::Binding)?;
        if !is_same(&back.state, &binding.derive_text("state")) {
            return Err(SignInFault::Binding);
        }
        // RFC 9207: the answer of another provider is none of ours.
        let discovery = self.provider.discovery().await?;
        let is_ours = match back.iss {
            Some(issuer) => issuer == self.settings.issuer,
            None => !discovery.authorization_response_iss_parameter_supported,
        };
        if !is_ours {
            return Err(IdTokenFault::Issuer.into());
        }
        if let Some(error) = back.error {
            let error: String = error.chars().take(100).collect();
            let error = mem_core::memory_path::printable(&error);
            return Err(ProviderFault::Refused(error).into());
        }
        let code = back.code.filter(|code| code.len() <= CREDENTIAL_CHARS_MAX);
        let code = code.ok_or(SignInFault::Binding)?;
        let redirect = self.public_place(CALLBACK);
        let (verifier, grant) = (binding.derive_text("verifier"), "authorization_code");
        let fields = [
            ("code", code.as_str()),
            ("code_verifier", &verifier),
            ("redirect_uri", &redirect),
        ];
        let answer = self.provider.redeem_grant(grant, &fields).await?;
        let nonce = binding.derive_text("nonce");
        let (nonce, workspace) = (Some(nonce.as_str()), binding.workspace.as_deref());
        let begun = self.begin_session(answer, nonce, workspace, SessionKind::Console);
        Ok((begun.await?, binding.to))
    }

    /// Begins the flow of a terminal.
    pub(super) async fn begin_device(&self) -> Result<DeviceAnswer, SignInFault> {
        let mut answer = self.provider.begin_device().await?;
        answer.interval = Some(answer.interval.unwrap_or(POLL_SECONDS).clamp(1, 60));
        Ok(answer)
    }

    /// Asks the provider whether the person at the terminal has signed in.
    pub(super) async fn poll_device(
        &self,
        device_code: &str,
        workspace: Option<&str>,
    ) -> Result<DevicePoll, SignInFault> {
        let grant = "urn:ietf:params:oauth:grant-type:device_code";
        let fields = [("device_code", device_code)];
        match self.provider.redeem_grant(grant, &fields).await {
            Ok(answer) => {
                let begun = self.begin_session(answer, None, workspace, SessionKind::Device);
                Ok(DevicePoll::Done(begun.await?))
            }
            Err(ProviderFault::Refused(error)) if error == "authorization_pending" => {
                Ok(DevicePoll::Pending { slower: 0 })
            }
            Err(ProviderFault::Refused(error)) if error == "slow_down" => {
                let slower = POLL_SECONDS;
                Ok(DevicePoll::Pending { slower })
            }
            Err(fault) => Err(fault.into()),
        }
    }

    /// Where a browser ends its session at the provider too (OpenID Connect RP-Initiated Logout 1.0).
    pub(super) async fn sign_out_url(&self) -> Option<String> {
        let discovery = self.provider.discovery().await.ok()?;
        let place = discovery.end_session_endpoint.as_ref()?;
        let mut place = self.provider.endpoint(place).ok()?;
        place
            .query_pairs_mut()
            .append_pair("client_id", &self.settings.client_id)
            .append_pair("post_logout_redirect_uri", &self.public_place(SIGNED_OUT));
        Some(place.into())
    }

    pub(super) fn public_place(&self, path: &str) -> String {
        format!("{}{path}", self.settings.public_url.trim_end_matches('/'))
    }

    fn sign_binding(&self, binding: &Binding) -> Result<String, SignInFault> {
        let json = serde_json::to_vec(binding).map_err(|_| SignInFault::Internal)?;
        let body = URL_SAFE_NO_PAD.encode(json);
        let tag = URL_SAFE_NO_PAD.encode(hmac::sign(&self.binding, signed_text(&body).as_bytes()));
        let text = format!("{body}.{tag}");
        match text.len() > BINDING_CHARS_MAX {
            true => Err(SignInFault::Binding),
            false => Ok(text),
        }
    }

    fn check_binding(&self, text: &str, now: Timestamp) -> Option<Binding> {
        if text.len() > BINDING_CHARS_MAX {
            return None;
        }
        let (body, tag) = text.split_once('.')?;
        let tag = URL_SAFE_NO_PAD.decode(tag).ok()?;
        hmac::verify(&self.binding, signed_text(body).as_bytes(), &tag).ok()?;
        let binding: Binding = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(body).ok()?).ok()?;
        (now.as_second() < binding.ends).then_some(binding)
    }
}

/// The key signs other things too.
fn signed_text(body: &str) -> String {
    format!("mem sign-in {body}")
}

fn is_same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}
