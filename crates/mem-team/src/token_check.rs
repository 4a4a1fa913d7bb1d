//! Asks a server whether it knows a token, before the token is stored.
//!
//! The protocol of team memory is asked first, about the repository of the settings where that server has it.
//! A server authenticates before it looks at grants, so that any repository tells a wrong token (401) from
//! one without a grant (403). A server that does not speak this protocol is asked for its memory stores.

use mem_core::RunContext;
use mem_core::location::ProjectContext;
use mem_stores::client::{Blocking, ClientError, ClientOptions, Patience};
use mem_sync::Repository;
use mem_sync::remote::http::{Http, HttpOptions, Timeouts};
use mem_sync::remote::{Remote as _, RemoteError, StateQuery};
use secrecy::SecretString;

use super::address::{Address, ServerAddress};
use super::error::TeamError;
use super::settings;
use super::tokens::TokenError;

/// The repository that is asked about where the settings name none at this server.
const ANY_REPOSITORY: &str = "mem/login";
/// How this client names itself.
const USER_AGENT: &str = concat!("mem/", env!("CARGO_PKG_VERSION"));

/// Asks a server about a token. Returns the repository of the settings that the token may not read.
///
/// # Errors
/// The server does not know the token, or cannot be asked.
pub fn check_token(
    server: &ServerAddress,
    token: &SecretString,
    place: &ProjectContext,
    context: &RunContext,
) -> Result<Option<String>, TeamError> {
    let shared = settings::team_if_set_up(place, context).ok().flatten();
    let shared = shared.filter(|share| match &share.address {
        Address::Server(own) => own.origin == server.origin,
        Address::Git(_) => false,
    });
    let repository = match &shared {
        Some(share) => share.repository.clone(),
        None => Repository::of_name(ANY_REPOSITORY)?,
    };
    let mut remote = Http::open(HttpOptions {
        base: server.base.clone(),
        repository: repository.clone(),
        token: Some(token.clone()),
        actor: String::new(),
        user_agent: USER_AGENT.to_owned(),
        limits: Timeouts::default(),
    })?;
    let asked = remote.get_state(&StateQuery::of_hashes(), None);
    drop(remote);
    match asked {
        Ok(_) => Ok(None),
        Err(RemoteError::Unauthorized) => Err(TokenError::Unknown(server.origin.clone()).into()),
        Err(RemoteError::Forbidden) => Ok(shared.map(|_| repository.name().to_owned())),
        Err(error @ (RemoteError::Unreachable(_) | RemoteError::Busy { .. })) => {
            Err(unasked_error(server, &error).into())
        }
        Err(_) => check_stores(server, token).map(|()| None),
    }
}

/// Asks for one memory store.
fn check_stores(server: &ServerAddress, token: &SecretString) -> Result<(), TeamError> {
    let client = Blocking::open(&ClientOptions {
        base: server.base.clone(),
        key: Some(token.clone()),
        user_agent: USER_AGENT.to_owned(),
        patience: Patience {
            attempts: 1,
            ..Patience::default()
        },
    })?;
    match client.run(|client| client.stores(false, 1)) {
        Ok(_) => Ok(()),
        Err(ClientError::Refused(refusal)) if matches!(refusal.status, 401 | 403) => {
            Err(TokenError::Unknown(server.origin.clone()).into())
        }
        Err(error) => Err(unasked_error(server, &error).into()),
    }
}

fn unasked_error(server: &ServerAddress, why: &dyn std::error::Error) -> TokenError {
    TokenError::Unasked {
        origin: server.origin.clone(),
        why: why.to_string(),
    }
}
