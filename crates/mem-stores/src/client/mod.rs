//! The end that asks: every method of the API, over HTTP.
//!
//! # Layout
//! - [`ClientOptions`]: where the server is, who asks, how long to wait. [`ClientError`]: what came instead
//!   of an answer.
//! - `request`, `send`, `retry`, `reply`: one request, sent as often as it may be, and its answer, bounded.
//! - `stores`, `memories`, `versions`: the methods. `pages`: lists, page by page.
//! - [`Blocking`]: for callers that are not asynchronous.
//!
//! No redirect is followed: the next address would be given the key.

mod blocking;
mod error;
mod memories;
mod options;
mod pages;
mod reply;
mod request;
mod retry;
mod send;
mod stores;
mod versions;

use std::fmt;

use reqwest::header::{ACCEPT, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Url, redirect};
use secrecy::{ExposeSecret as _, SecretString};

pub use blocking::Blocking;
pub use error::{ClientError, Refusal};
pub use memories::{MemoriesQuery, MemoriesStep};
pub use options::{ClientOptions, Patience};
pub use stores::StoresQuery;
pub use versions::VersionsQuery;

use crate::dialect::{API_KEY_HEADER, BETA_HEADER, CURRENT_BETA, VERSION_HEADER};

/// The version of the whole API that goes with keys in `x-api-key`.
const VERSION: &str = "2023-06-01";

/// A server of the API.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base: Url,
    patience: Patience,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("base", &self.base.as_str())
            .finish_non_exhaustive()
    }
}

impl Client {
    /// A client; no connection is opened yet.
    ///
    /// # Errors
    /// An address or a key that cannot be used.
    pub fn open(options: &ClientOptions) -> Result<Self, ClientError> {
        let base = options::address(&options.base)?;
        let http = reqwest::Client::builder()
            .user_agent(&options.user_agent)
            .default_headers(headers(options.key.as_ref())?)
            .redirect(redirect::Policy::none())
            .referer(false)
            .connect_timeout(options.patience.connect)
            .read_timeout(options.patience.stall)
            .timeout(options.patience.request)
            .build()
            .map_err(|error| ClientError::Setup(error.without_url().to_string()))?;
        Ok(Self {
            http,
            base,
            patience: options.patience,
        })
    }
}

/// What goes along with every request.
fn headers(key: Option<&SecretString>) -> Result<HeaderMap, ClientError> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    let pairs = [(VERSION_HEADER, VERSION), (BETA_HEADER, CURRENT_BETA)];
    for (name, value) in pairs {
        let name = HeaderName::from_static(name);
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Some(key) = key {
        let key = key.expose_secret();
        let is_key = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic());
        let (Ok(mut value), true) = (HeaderValue::from_str(key), is_key) else {
            return Err(ClientError::Key);
        };
        value.set_sensitive(true);
        headers.insert(HeaderName::from_static(API_KEY_HEADER), value);
    }
    Ok(headers)
}
