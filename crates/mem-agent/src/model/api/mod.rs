//! A model behind the Messages API: asked one question, or given the memory tool for a few turns.
//!
//! # Layout
//! - [`Api`]: which model, where, with which key, for how long and how many tokens. [`ApiError`]: what
//!   came instead of an answer.
//! - `connection`, `reply`: one request, sent as often as it may be before its deadline, and its answer,
//!   bounded. `message`: what the answer says, without the key.
//! - `question`, `tool_loop`: the two ways of asking. `tokens`: the budget.
//!
//! Every text of ours goes through the scanner for secrets on its way out. No redirect is followed: the next
//! address would be given the key.

mod connection;
mod error;
mod message;
mod question;
mod reply;
mod tokens;
mod tool_loop;

use std::fmt;
use std::time::Duration;

use mem_http::{AddressFault, PlainHttp, credential_header, parse_address};
use reqwest::Url;
use secrecy::SecretString;

pub use error::ApiError;
pub use tool_loop::{ModelTask, TURNS_MAX};

/// A longer key is none.
const KEY_BYTES_MAX: usize = 4 * 1024;

/// An answer of a few hundred KiB comes at once where it comes at all.
pub const STALL: Duration = Duration::from_secs(30);

/// What a model behind the API has to be told.
#[derive(Clone, Debug)]
pub struct ApiOptions {
    /// `https://host[:port][/prefix]`, without `/v1`; `http://` to this machine only.
    pub base: String,
    /// Sent with every request, to this address only.
    pub key: SecretString,
    /// The model's name, as the API knows it.
    pub name: String,
    /// Such as `mem/0.1.0`.
    pub user_agent: String,
    /// For a question, or a turn, with all attempts and pauses.
    pub time_limit: Duration,
    /// For each 16 KiB of an answer that has begun: one that only drips is asked for again.
    pub stall: Duration,
    /// For all turns together, what is read and what is written.
    pub tokens_max: u64,
}

/// A model behind the API.
#[derive(Clone)]
pub struct Api {
    url: Url,
    options: ApiOptions,
}

/// Whether a key may go to an address.
///
/// # Errors
/// It may not; the address is not quoted.
pub fn judge_address(base: &str) -> Result<(), ApiError> {
    messages_url(base).map(drop).map_err(ApiError::Address)
}

impl fmt::Debug for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Api")
            .field("url", &self.url.as_str())
            .field("name", &self.options.name)
            .finish_non_exhaustive()
    }
}

impl Api {
    /// A model; nothing is sent yet.
    ///
    /// # Errors
    /// The address, the key or the name cannot be used.
    pub fn new(options: ApiOptions) -> Result<Self, ApiError> {
        let url = messages_url(&options.base).map_err(ApiError::Address)?;
        let key = credential_header("", &options.key);
        if key.is_none_or(|key| key.len() > KEY_BYTES_MAX) {
            return Err(ApiError::Key);
        }
        if options.name.trim().is_empty() {
            return Err(ApiError::NoName);
        }
        Ok(Self { url, options })
    }
}

/// The endpoint below a base address.
fn messages_url(base: &str) -> Result<Url, AddressFault> {
    let mut url = parse_address(base, PlainHttp::OnThisMachine)?;
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(["v1", "messages"]);
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(key: &str) -> ApiOptions {
        ApiOptions {
            base: "https://model.example.org".to_owned(),
            key: SecretString::from(key),
            name: "a-model".to_owned(),
            user_agent: "test".to_owned(),
            time_limit: Duration::from_secs(1),
            stall: STALL,
            tokens_max: 1,
        }
    }

    #[test]
    fn a_key_is_one_word_and_never_shown() {
        let key = ["key-", "of-nobody"].concat();
        let api = Api::new(options(&key)).unwrap();
        let shown = format!("{api:?} {:?}", options(&key));
        assert!(
            shown.contains("a-model") && !shown.contains(&key),
            "{shown}"
        );
        for bad in ["", "two words", "line\nx-other: 1", "schlüssel"] {
            assert_eq!(Api::new(options(bad)).unwrap_err(), ApiError::Key);
        }
    }

    #[test]
    fn a_key_goes_over_tls_or_stays_on_the_machine() {
        for (base, url) in [
            ("https://h", "https://h/v1/messages"),
            (" https://h:1/prefix/ ", "https://h:1/prefix/v1/messages"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/messages"),
            ("http://[::1]:1", "http://[::1]:1/v1/messages"),
        ] {
            assert_eq!(messages_url(base).unwrap().as_str(), url);
        }
        assert_eq!(messages_url("http://h"), Err(AddressFault::Readable));
        assert_eq!(messages_url("https://me@h"), Err(AddressFault::Credentials));
    }
}
