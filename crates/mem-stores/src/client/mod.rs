//! The end that asks: every method of the API, over HTTP.
//!
//! # Layout
//! - [`ClientOptions`]: where the server is, who asks, how long to wait. [`ClientError`]: what came instead
//!   of an answer.
//! - `request`, `send`, `reply`: one request, sent as often as it may be, and its answer, bounded.
//! - `stores`, `memories`, `versions`: the methods. `pages`: lists, page by page.
//! - [`name_lookup`]: from what a person calls a store or a memory to its id.
//! - [`edits`]: changes of memories as a person asks for them.
//! - [`Blocking`]: for callers that are not asynchronous.
//!
//! No redirect is followed: the next address would be given the key.

mod blocking;
pub mod edits;
mod error;
mod memories;
pub mod name_lookup;
mod options;
mod pages;
mod reply;
mod request;
mod send;
mod stores;
mod versions;

use std::fmt;

use mem_http::{BodyReader, PlainHttp, client_builder, credential_header, parse_address};
use reqwest::Url;
use reqwest::header::{ACCEPT, HeaderMap, HeaderName, HeaderValue};
use secrecy::SecretString;

pub use blocking::Blocking;
pub use error::{ClientError, ServerRefusal};
pub use memories::MemoriesQuery;
pub use options::{ClientOptions, Patience};
pub use pages::PageReader;
pub use versions::VersionsQuery;

use crate::dialect::{API_KEY_HEADER, BETA_HEADER, CURRENT_BETA, VERSION_HEADER};

/// The version of the whole API that goes with keys in `x-api-key`.
const VERSION: &str = "2023-06-01";
/// A page of 20 of the longest contents, every character escaped, is shorter.
const ANSWER_BYTES_MAX: usize = 16 * 1024 * 1024;

/// A server of the API.
#[derive(Clone)]
pub struct StoresClient {
    http: reqwest::Client,
    base: Url,
    patience: Patience,
    reader: BodyReader,
}

impl fmt::Debug for StoresClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("base", &self.base.as_str())
            .finish_non_exhaustive()
    }
}

impl StoresClient {
    /// A client; no connection is opened yet.
    ///
    /// # Errors
    /// An address or a key that cannot be used.
    pub fn open(options: &ClientOptions) -> Result<Self, ClientError> {
        let base =
            parse_address(&options.base, PlainHttp::Anywhere).map_err(ClientError::Address)?;
        let headers = headers(options.key.as_ref())?;
        let http = client_builder(&base, headers, options.patience.connect)
            .user_agent(&options.user_agent)
            .read_timeout(options.patience.stall)
            .timeout(options.patience.request)
            .build()
            .map_err(|error| ClientError::Setup(error.without_url().to_string()))?;
        Ok(Self {
            http,
            base,
            patience: options.patience,
            reader: BodyReader {
                bytes_max: ANSWER_BYTES_MAX,
                stall: options.patience.stall,
                secret: options.key.clone(),
            },
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
        let value = credential_header("", key).ok_or(ClientError::Key)?;
        headers.insert(HeaderName::from_static(API_KEY_HEADER), value);
    }
    Ok(headers)
}
