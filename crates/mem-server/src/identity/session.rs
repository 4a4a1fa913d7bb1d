//! Sessions: begun by an ID token that was verified, renewed with the provider's refresh token, ended.

use std::sync::Arc;

use axum::http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::hmac;
use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};

use super::Identity;
use super::claims::{IdTokenFault, VerifiedClaims, remembered_until};
use super::provider::{CREDENTIAL_CHARS_MAX, ProviderFault, TokenAnswer, unusable_answer};
use super::rules::GrantedAccess;
use crate::access::secret;
use crate::http::problem::HttpProblem;
use crate::locks::lock;
use crate::storage::{NewSession, RenewableSession, SessionKind, SignInUser, Token, UserError};
use crate::tokens::FreshToken;

/// What the key of a sealed refresh token is for.
const SEAL_LABEL: &[u8] = b"mem identity refresh token";
/// After a renewal that came to nothing, before the next one.
const NEXT_ATTEMPT: SignedDuration = SignedDuration::from_secs(30);
/// Sessions whose attempts are remembered.
const ATTEMPTS_MAX: usize = 10_000;
/// The workspace of those who are judged by the forge alone.
const DEFAULT_WORKSPACE_NAME: &str = "default";

/// Why there is no session.
#[derive(Debug, thiserror::Error)]
pub(super) enum SignInFault {
    #[error(transparent)]
    Provider(#[from] ProviderFault),
    #[error("the identity provider names no user: the claim `{0}` is missing or is no name")]
    NoName(String),
    #[error("no rule of the server (`[[access]]`) gives this user access{0}")]
    NoAccess(String),
    #[error(transparent)]
    User(#[from] UserError),
    #[error("the sign-in was not begun in this browser, or too long ago")]
    Binding,
    #[error(transparent)]
    Storage(#[from] crate::storage::StorageError),
    #[error("the server failed")]
    Internal,
}

impl From<IdTokenFault> for SignInFault {
    fn from(fault: IdTokenFault) -> Self {
        Self::Provider(fault.into())
    }
}

impl From<SignInFault> for HttpProblem {
    fn from(fault: SignInFault) -> Self {
        let message = fault.to_string();
        match fault {
            SignInFault::Storage(error) | SignInFault::User(UserError::Storage(error)) => {
                error.into()
            }
            SignInFault::Internal => Self::internal(),
            SignInFault::Binding => Self::invalid(message),
            SignInFault::Provider(ProviderFault::Unreachable(_)) => {
                tracing::warn!(error = message, "a sign-in failed");
                Self::new(StatusCode::SERVICE_UNAVAILABLE, message).retry_after(5)
            }
            SignInFault::Provider(ProviderFault::Invalid(_)) => {
                tracing::error!(error = message, "a sign-in failed");
                Self::new(StatusCode::BAD_GATEWAY, message)
            }
            _ => {
                tracing::warn!(error = message, "a sign-in was refused");
                Self::new(StatusCode::FORBIDDEN, message)
            }
        }
    }
}

/// What came of a renewal.
enum Renewal {
    Done,
    /// Another request has it, or the provider cannot be asked now.
    Busy,
    /// The provider does not renew it: it is over.
    Ended,
}

impl Identity {
    /// Begins a session for the user of the provider's answer.
    pub(super) async fn begin_session(
        &self,
        answer: TokenAnswer,
        nonce: Option<&str>,
        workspace: Option<&str>,
        kind: SessionKind,
    ) -> Result<FreshToken, SignInFault> {
        let id_token = answer.id_token.as_ref();
        let id_token = id_token.ok_or_else(|| unusable_answer("there is no `id_token`"))?;
        let mut claims = self.provider.verify(id_token, nonce).await?;
        let now = (self.now)();
        let used = [Some(id_token.expose_secret()), nonce]
            .into_iter()
            .flatten();
        let used: Vec<[u8; 32]> = used.map(|text| Sha256::digest(text).into()).collect();
        let used = self.database.use_once(&used, remembered_until(now), now);
        if !used.await? {
            return Err(IdTokenFault::Replayed.into());
        }
        self.complete_claims(&mut claims, &answer).await?;
        let (access, forge_login) = self.access_of(&claims, workspace)?;
        let who = SignInUser {
            issuer: self.settings.issuer.clone(),
            user_name: self.user_name(&claims)?,
            subject: claims.subject,
            must_exist: self.is_scim_required,
        };
        let user = self.database.sign_in_user(&who, now).await?;
        let workspace = self.database.workspace_named_or_new(&access.workspace, now);
        let workspace = workspace.await?;
        let end = Some(now + self.session_length());
        let made = FreshToken::generate(workspace, user.profile.user_name, access.grants, end);
        let made = made.map_err(|_| SignInFault::Internal)?;
        let id = &made.token.id;
        let refresh = answer.refresh_token.as_ref();
        let refresh = refresh.map(|refresh| seal_refresh(&made.secret, id, refresh));
        let refresh = refresh.transpose()?;
        let session = NewSession {
            token: &made.token,
            user_id: user.id,
            kind,
            renew_until: refresh.is_some().then(|| now + self.sign_in_length()),
            refresh,
            forge_login,
        };
        self.database.create_session(&session, now).await?;
        tracing::info!(token = id, kind = kind.as_str(), "somebody signed in");
        Ok(made)
    }

    /// A token as it is after it was renewed, where it is a session that is about to end: in the background while it is
    /// still valid, before the request goes on where it is not. `presented` is its secret.
    ///
    /// # Errors
    /// 503 where the provider cannot be asked, or another request renews it.
    pub(crate) async fn renewed(
        self: &Arc<Self>,
        token: Token,
        presented: &str,
    ) -> Result<Token, HttpProblem> {
        let now = (self.now)();
        let due = token.expires_at.map(|end| end - self.session_length() / 4);
        let session = token.session.as_ref();
        let renew_until = session.and_then(|session| session.renew_until);
        let is_due =
            due.is_some_and(|due| now >= due) && renew_until.is_some_and(|until| now < until);
        if !token.is_usable() || !is_due {
            return Ok(token);
        }
        let presented = SecretString::from(presented);
        if token.is_valid(now) {
            if self.may_attempt(&token.id, now) {
                let (identity, id) = (Arc::clone(self), token.id.clone());
                // The next requests see what comes of it.
                tokio::spawn(
                    async move { identity.renew_session(&id, &presented).await.map(drop) },
                );
            }
            return Ok(token);
        }
        match self.renew_session(&token.id, &presented).await? {
            Renewal::Done => {
                let found = self.database.token_by_hash(&token.sha256).await?;
                found.ok_or_else(HttpProblem::internal)
            }
            Renewal::Busy => {
                let message = "the session cannot be renewed: the identity provider does not answer, or another request renews it";
                Err(HttpProblem::new(StatusCode::SERVICE_UNAVAILABLE, message).retry_after(1))
            }
            Renewal::Ended => Ok(token),
        }
    }

    /// Renews a session, unless somebody does already.
    async fn renew_session(
        &self,
        id: &str,
        presented: &SecretString,
    ) -> Result<Renewal, HttpProblem> {
        let now = (self.now)();
        let Some(session) = self.database.claim_renewal(id, now).await? else {
            return Ok(match self.database.is_renewing(id, now).await? {
                true => Renewal::Busy,
                false => Renewal::Ended,
            });
        };
        match self.renew_claimed(id, presented, &session).await {
            Ok(true) => Ok(Renewal::Done),
            Ok(false) => Ok(Renewal::Ended),
            Err(SignInFault::Provider(ProviderFault::Unreachable(why))) => {
                tracing::warn!(token = id, error = why, "a session was not renewed yet");
                Ok(Renewal::Busy)
            }
            Err(SignInFault::Storage(error)) => Err(error.into()),
            Err(fault) => {
                tracing::warn!(token = id, error = %fault, "a session ends: it was not renewed");
                self.database.revoke_token(id, (self.now)()).await?;
                Ok(Renewal::Ended)
            }
        }
    }

    async fn renew_claimed(
        &self,
        id: &str,
        presented: &SecretString,
        session: &RenewableSession,
    ) -> Result<bool, SignInFault> {
        if session.issuer != self.settings.issuer {
            return Err(IdTokenFault::Issuer.into());
        }
        let refresh = open_refresh(presented, id, &session.refresh)?;
        // Without a scope, which may be no wider than what was granted (RFC 6749, 6).
        let fields = [("refresh_token", refresh.expose_secret())];
        let answer = self.provider.redeem_grant("refresh_token", &fields).await?;
        let mut claims = match &answer.id_token {
            Some(token) => self.provider.verify(token, None).await?,
            // The provider says who it is in its other answer.
            None => VerifiedClaims {
                subject: session.subject.clone(),
                claims: serde_json::json!({}),
            },
        };
        if claims.subject != session.subject {
            return Err(IdTokenFault::Subject.into());
        }
        if !self.complete_claims(&mut claims, &answer).await? && answer.id_token.is_none() {
            return Err(
                unusable_answer("there is neither an `id_token` nor a user's claims").into(),
            );
        }
        let (access, forge_login) = self.access_of(&claims, Some(&session.workspace))?;
        // A provider that does not rotate refresh tokens sends none.
        let refresh = answer.refresh_token.as_ref().unwrap_or(&refresh);
        let sealed = seal_refresh(presented, id, refresh)?;
        let end = (self.now)() + self.session_length();
        Ok(self
            .database
            .renew_session(id, end, sealed, &access.grants, forge_login)
            .await?)
    }

    /// Asks for the claims of a user that the ID token does not have. Whether there were some.
    async fn complete_claims(
        &self,
        claims: &mut VerifiedClaims,
        answer: &TokenAnswer,
    ) -> Result<bool, SignInFault> {
        let lacks = |claim: &String| claims.claim(claim).is_none();
        let needs_more = lacks(&self.settings.name_claim)
            || self.forge_claim.as_ref().is_some_and(lacks)
            || self.rules.needs_more(claims);
        if !needs_more {
            return Ok(false);
        }
        let more = self.provider.user_info(answer, &claims.subject).await?;
        let (Some(known), Some(more)) = (claims.claims.as_object_mut(), more) else {
            return Ok(false);
        };
        // What the token itself says goes before.
        for (name, value) in more {
            known.entry(name).or_insert(value);
        }
        Ok(true)
    }

    /// What the rules give, and what the forge calls the user. Who is known at the forge needs no rule.
    fn access_of(
        &self,
        claims: &VerifiedClaims,
        workspace: Option<&str>,
    ) -> Result<(GrantedAccess, Option<String>), SignInFault> {
        let claim = self.forge_claim.as_deref();
        let login = claim.and_then(|claim| claims.text(claim));
        let login = login.filter(|login| super::forge::is_login(login));
        let login = login.map(str::to_owned);
        if let Some(access) = self.rules.granted(claims, workspace) {
            return Ok((access, login));
        }
        let is_default = workspace.is_none_or(|name| name == DEFAULT_WORKSPACE_NAME);
        if login.is_none() || !is_default {
            let name = workspace.map(mem_core::memory_path::printable);
            let place = name.map(|name| format!(" to the workspace `{name}`"));
            return Err(SignInFault::NoAccess(place.unwrap_or_default()));
        }
        let access = GrantedAccess {
            workspace: DEFAULT_WORKSPACE_NAME.to_owned(),
            grants: Vec::new(),
        };
        Ok((access, login))
    }

    /// What the user is called.
    fn user_name(&self, claims: &VerifiedClaims) -> Result<String, SignInFault> {
        let claim = self.settings.name_claim.as_str();
        let no_name = || SignInFault::NoName(claim.to_owned());
        // Anybody may claim an address that nobody checked.
        if claim == "email" && claims.claim("email_verified") == Some(&false.into()) {
            return Err(no_name());
        }
        let name = claims.text(claim).and_then(secret::name);
        name.ok_or_else(no_name)
    }

    fn session_length(&self) -> SignedDuration {
        SignedDuration::from_mins(self.settings.session_minutes.into())
    }

    fn sign_in_length(&self) -> SignedDuration {
        SignedDuration::from_hours(24 * i64::from(self.settings.sign_in_days))
    }

    /// Whether this process has not tried to renew a session just now.
    fn may_attempt(&self, id: &str, now: Timestamp) -> bool {
        let mut attempts = lock(&self.attempts);
        if attempts.get(id).is_some_and(|next| now < *next) {
            return false;
        }
        if attempts.len() >= ATTEMPTS_MAX {
            attempts.retain(|_, next| now < *next);
        }
        attempts.insert(id.to_owned(), now + NEXT_ATTEMPT);
        true
    }
}

/// The key that seals the refresh token of a session.
fn seal_key(secret: &SecretString) -> Result<LessSafeKey, SignInFault> {
    let secret = hmac::Key::new(hmac::HMAC_SHA256, secret.expose_secret().as_bytes());
    let key = UnboundKey::new(&CHACHA20_POLY1305, hmac::sign(&secret, SEAL_LABEL).as_ref());
    key.map(LessSafeKey::new).map_err(|_| SignInFault::Internal)
}

/// A refresh token as the database has it: a nonce, then what only the holder of the session's secret can open.
fn seal_refresh(
    secret: &SecretString,
    id: &str,
    token: &SecretString,
) -> Result<Vec<u8>, SignInFault> {
    let token = token.expose_secret();
    if token.len() > CREDENTIAL_CHARS_MAX {
        return Err(unusable_answer("its refresh token is too long").into());
    }
    let mut nonce = [0; NONCE_LEN];
    getrandom::fill(&mut nonce).map_err(|_| SignInFault::Internal)?;
    let mut text = token.as_bytes().to_vec();
    let fixed = Nonce::assume_unique_for_key(nonce);
    let done =
        seal_key(secret)?.seal_in_place_append_tag(fixed, Aad::from(id.as_bytes()), &mut text);
    done.map_err(|_| SignInFault::Internal)?;
    Ok([nonce.as_slice(), &text].concat())
}

fn open_refresh(
    secret: &SecretString,
    id: &str,
    sealed: &[u8],
) -> Result<SecretString, SignInFault> {
    let (nonce, text) = sealed
        .split_first_chunk::<NONCE_LEN>()
        .ok_or(SignInFault::Internal)?;
    let mut text = text.to_vec();
    let fixed = Nonce::assume_unique_for_key(*nonce);
    let key = seal_key(secret)?;
    let plain = key.open_in_place(fixed, Aad::from(id.as_bytes()), &mut text);
    let plain = plain.map_err(|_| SignInFault::Internal)?;
    let plain = std::str::from_utf8(plain).map_err(|_| SignInFault::Internal)?;
    Ok(SecretString::from(plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refresh_token_opens_with_the_secret_of_its_session_alone() {
        let secret = |text: &str| SecretString::from(text.to_owned());
        let (one, other) = (secret("memtok_1"), secret("memtok_2"));
        let token = secret(&"refresh".repeat(100));
        let bytes = seal_refresh(&one, "apikey_1", &token).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains("refresh"));
        let plain = open_refresh(&one, "apikey_1", &bytes).unwrap();
        assert_eq!(plain.expose_secret(), token.expose_secret());
        assert!(open_refresh(&other, "apikey_1", &bytes).is_err());
        assert!(open_refresh(&one, "apikey_2", &bytes).is_err());
        assert!(open_refresh(&one, "apikey_1", &bytes[..20]).is_err());
    }
}
