//! People: who signs in with an identity provider, what they may do, and when that ends.
//!
//! ```text
//!   browser   console -> login (binding) -> provider -> callback (code)  \
//!   terminal  mem login -> device -> provider, polled                     -> ID token -> claims -> user, grants -> session
//!   renewal   a request with a session that is about to end -> refresh   /
//! ```
//!
//! # Layout
//! - [`settings`]: the sections of the settings file. `rules`: from claims to grants.
//! - `provider`: the provider over HTTP. `jws`, `claims`: whether an ID token is true.
//! - `sign_in`: the two flows. `session`: begin, renew, end. `routes`: both over HTTP.
//! - `scim`: what an administrator's directory says of users. `forge`: who may read a repository.
//!
//! A session is a token of the server (see `storage::identity`), so that every replica knows it, and its end counts at
//! once. The provider's refresh token is sealed with a key that the session's own secret gives, which the database does
//! not have: a copy of the database redeems nothing. The session's secret stays the same when it is renewed, so a client
//! needs nothing but the secret.

mod claims;
mod forge;
mod jws;
mod provider;
mod routes;
mod rules;
mod scim;
mod session;
pub mod settings;
mod sign_in;

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};

use jiff::Timestamp;
use ring::hmac;
use secrecy::SecretString;

use crate::access::RateLimit;
use crate::options::Clock;
use crate::settings::ServerSettings;
use crate::storage::Database;
pub(crate) use forge::Forge;
use provider::Provider;
pub(crate) use routes::routes;
use rules::AccessRules;
pub(crate) use scim::{routes as scim_routes, scim_answer, scim_error};
use settings::{IdentitySettings, ScimSettings, invalid};

/// Requests a second of people who are not signed in yet, from one network: each costs a request to the provider.
const SIGN_INS_A_SECOND: NonZeroU32 = NonZeroU32::MIN.saturating_add(19);

/// What a server knows of people; without `[identity]` it has tokens only.
pub(crate) struct Identity {
    settings: IdentitySettings,
    provider: Provider,
    /// What people call the provider: the host of its issuer where the settings have no name.
    provider_name: String,
    rules: AccessRules,
    database: Database,
    now: Clock,
    pace: RateLimit,
    /// Signs what a browser keeps during a sign-in; the same on all replicas.
    binding: hmac::Key,
    /// When the renewal of a session may be tried again.
    attempts: Mutex<HashMap<String, Timestamp>>,
    /// The token of `[scim]`, and whether only its users may sign in.
    scim: Option<SecretString>,
    is_scim_required: bool,
    /// Who may read a repository, where somebody else than the grants says that.
    pub(crate) forge: Option<Forge>,
    forge_claim: Option<String>,
}

impl Identity {
    /// Reads the settings and their secrets. The provider is not asked yet: a server starts without it.
    ///
    /// # Errors
    /// The settings cannot be used, or the database does not answer.
    pub(crate) async fn open(
        settings: &ServerSettings,
        database: &Database,
        now: &Clock,
    ) -> Result<Option<Arc<Self>>, crate::ServeError> {
        let Some(identity) = &settings.identity else {
            let why = "is missing: `[[access]]`, `[scim]` and `[forge]` need it";
            return match (settings.access.is_empty(), &settings.scim, &settings.forge) {
                (true, None, None) => Ok(None),
                _ => Err(invalid("identity", why).into()),
            };
        };
        let issuer = identity.check()?;
        if settings.access.is_empty() && settings.forge.is_none() {
            let why = "gives access to nobody: `[[access]]` has to say to whom, or `[forge]` to ask the forge";
            return Err(invalid("identity", why).into());
        }
        let (scim, forge) = (settings.scim.as_ref(), settings.forge.as_ref());
        Ok(Some(Arc::new(Self {
            provider: Provider::open(identity, &issuer, Arc::clone(now))?,
            provider_name: match &identity.name {
                Some(name) => name.clone(),
                None => issuer.host_str().unwrap_or_default().to_owned(),
            },
            rules: AccessRules::new(&settings.access, &identity.groups_claim)?,
            database: database.clone(),
            now: Arc::clone(now),
            pace: RateLimit::new(Some(SIGN_INS_A_SECOND), "network"),
            binding: hmac::Key::new(hmac::HMAC_SHA256, &database.signing_key().await?),
            attempts: Mutex::default(),
            scim: scim.map(ScimSettings::token).transpose()?,
            is_scim_required: scim.is_some_and(|scim| scim.required),
            forge: forge.map(|forge| Forge::open(forge, now)).transpose()?,
            forge_claim: forge.map(|forge| forge.login_claim.clone()),
            settings: identity.clone(),
        })))
    }
}
