//! Which server of memory stores is asked, and which key it is given.
//!
//! A key goes to the origin it was given for: `ANTHROPIC_API_KEY` to the vendor alone, that of a file to the
//! origin the file names, `MEM_TOKEN` to a server that the settings name or a person names in this run. No file
//! of a repository says anything about either.

use mem_core::config::SettingOrigin;
use mem_core::history::AuthorKind;
use mem_core::location::ProjectContext;
use mem_core::run::HomeError;
use mem_core::{Diagnose, RunContext};
use mem_stores::client::{Blocking, ClientError, ClientOptions, Patience};
use secrecy::SecretString;

use crate::address::{Address, InvalidAddress, ServerAddress};
use crate::tokens::{self, TokenError};

/// The vendor's server.
const VENDOR: &str = "https://api.anthropic.com";
/// Its key, as its SDKs read it.
const VENDOR_KEY: &str = "ANTHROPIC_API_KEY";
/// The setting that names another one.
const SETTING: &str = "stores.base_url";

/// No server can be asked.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum StoresServerError {
    /// Nobody said which server.
    #[error("no server of memory stores is known")]
    #[diagnose(
        NotFound,
        hint = "give --base-url URL, or `mem config set stores.base_url URL`; with \
                ANTHROPIC_API_KEY it is https://api.anthropic.com"
    )]
    NoServer,
    /// Not a server's address. It is not quoted: it may hold a password.
    #[error("that is not the address of a server of memory stores")]
    #[diagnose(Invalid, hint = "write it as `https://host`, without `/v1`")]
    NotAServer,
    /// An agent, and an environment that moves what is said.
    #[error("`{0}` names the server, and an agent runs this")]
    #[diagnose(
        Refused,
        hint = "ask the person to run `mem config set stores.base_url URL`"
    )]
    ByEnvironment(String),
    /// The address holds what none may hold.
    #[error(transparent)]
    Address(#[from] InvalidAddress),
    /// There is no home directory.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// The key cannot be used.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// The client cannot be made.
    #[error(transparent)]
    Client(#[from] ClientError),
}

/// A server, and whether somebody said in this run that it is to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoresServer {
    /// Its address.
    pub server: ServerAddress,
    is_named_by_person: bool,
}

impl StoresServer {
    /// The server that a run is to ask: of the flag, else of the settings, else the vendor's.
    ///
    /// # Errors
    /// None is known, or the address cannot be understood.
    pub fn choose(
        flag: Option<&str>,
        place: &ProjectContext,
        run: &RunContext,
    ) -> Result<Self, StoresServerError> {
        let is_agent = run.author().actor == AuthorKind::Agent;
        if let Some(flag) = flag {
            return Ok(Self {
                server: parse_server(flag)?,
                is_named_by_person: !is_agent,
            });
        }
        if let SettingOrigin::Environment(variable) = place.config.origin(SETTING)
            && is_agent
        {
            return Err(StoresServerError::ByEnvironment(variable));
        }
        let text = match place.config.values.stores.base_url.as_str() {
            "" if run.env.get(VENDOR_KEY).is_some() => VENDOR,
            "" => return Err(StoresServerError::NoServer),
            set => set,
        };
        Ok(Self {
            server: parse_server(text)?,
            is_named_by_person: false,
        })
    }

    /// A server whose address was kept.
    ///
    /// # Errors
    /// The address cannot be understood.
    pub fn from_stored(base_url: &str) -> Result<Self, StoresServerError> {
        Ok(Self {
            server: parse_server(base_url)?,
            is_named_by_person: false,
        })
    }

    /// Opens it. Nothing is sent yet.
    ///
    /// # Errors
    /// The key cannot be used, or would travel in the clear.
    pub fn open_client(
        &self,
        place: &ProjectContext,
        run: &RunContext,
        patience: Patience,
    ) -> Result<Blocking, StoresServerError> {
        Ok(Blocking::open(&ClientOptions {
            base: self.server.base.clone(),
            key: self.find_key(place, run)?,
            user_agent: concat!("mem/", env!("CARGO_PKG_VERSION")).to_owned(),
            patience,
        })?)
    }

    /// Whether later runs have a key for it, if this one has.
    ///
    /// # Errors
    /// A key cannot be used.
    pub fn is_for_good(
        &self,
        place: &ProjectContext,
        run: &RunContext,
    ) -> Result<bool, StoresServerError> {
        let later = Self {
            is_named_by_person: false,
            ..self.clone()
        };
        let has_key = self.find_key(place, run)?.is_some();
        Ok(!has_key || later.find_key(place, run)?.is_some())
    }

    fn find_key(
        &self,
        place: &ProjectContext,
        run: &RunContext,
    ) -> Result<Option<SecretString>, StoresServerError> {
        let (server, dirs) = (&self.server, run.dirs()?);
        let vendor = run.env.get(VENDOR_KEY);
        if let Some(key) = vendor.filter(|_| server.origin == VENDOR) {
            return Ok(Some(tokens::check_token(key)?));
        }
        let may_have_variable = self.is_named_by_person || self.is_in_settings(place);
        let token = match may_have_variable {
            true => tokens::token_for(server, dirs, &run.env)?,
            false => tokens::kept_for(server, dirs)?,
        };
        match token {
            Some(_) if server.is_open_to_listeners() => {
                Err(TokenError::Unprotected(server.origin.clone()).into())
            }
            token => Ok(token),
        }
    }

    fn is_in_settings(&self, place: &ProjectContext) -> bool {
        let values = &place.config.values;
        [
            &values.stores.base_url,
            &values.team.remote,
            &values.sync.remote,
        ]
        .into_iter()
        .filter_map(|address| parse_server(address).ok())
        .any(|server| server.origin == self.server.origin)
    }
}

/// Rejects a value of the setting with which no server could be asked.
///
/// # Errors
/// The value is neither empty nor the address of a server.
pub fn check_setting(key: &str, value: &str) -> Result<(), StoresServerError> {
    match key == SETTING && !value.is_empty() {
        true => parse_server(value).map(drop),
        false => Ok(()),
    }
}

/// A server's address; an ending that SDKs add by themselves is taken off.
fn parse_server(text: &str) -> Result<ServerAddress, StoresServerError> {
    let text = text.trim();
    let text = text.strip_suffix('/').unwrap_or(text);
    let text = text.strip_suffix("/v1").unwrap_or(text);
    match Address::parse_address(text) {
        Ok(Address::Server(server)) => Ok(server),
        Ok(Address::Git(_)) | Err(InvalidAddress::Form) => Err(StoresServerError::NotAServer),
        Err(error) => Err(error.into()),
    }
}
