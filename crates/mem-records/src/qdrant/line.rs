//! The line to Qdrant: JSON over HTTP, bounded, each call waited for.

use std::fmt;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Method, StatusCode, Url};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};

use crate::error::RecordError;

/// The header that Qdrant has its keys in.
const API_KEY: &str = "api-key";
/// An answer may take so long.
const TIMEOUT: Duration = Duration::from_secs(10);
/// A larger answer is none of ours.
const ANSWER_BYTES_MAX: usize = 64 << 20;
/// The longest name of a collection.
const COLLECTION_BYTES_MAX: usize = 200;

/// Where records are, and whose.
#[derive(Clone, Debug)]
pub struct QdrantOptions {
    /// `http://localhost:6333`, say.
    pub base: String,
    /// The key, where it asks for one.
    pub api_key: Option<SecretString>,
    /// The collection: one for each namespace. Letters, digits, `-` and `_`.
    pub collection: String,
}

/// One collection, over HTTP.
pub(super) struct Line {
    runtime: Runtime,
    client: Client,
    collection: Url,
    api_key: Option<SecretString>,
    place: String,
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Line({})", self.place)
    }
}

impl Line {
    pub(super) fn open(options: &QdrantOptions) -> Result<Self, RecordError> {
        let place = options.base.clone();
        let refused = |cause: String| RecordError::Refused {
            place: place.clone(),
            cause,
        };
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let name = &options.collection;
        if !(1..=COLLECTION_BYTES_MAX).contains(&name.len()) || !name.bytes().all(is_plain) {
            return Err(refused("the name of the collection is none".to_owned()));
        }
        let base = options.base.trim_end_matches('/');
        let collection = Url::parse(&format!("{base}/collections/{name}"));
        let collection = collection.map_err(|error| refused(error.to_string()))?;
        let client = Client::builder().timeout(TIMEOUT).redirect(Policy::none());
        Ok(Self {
            runtime: Builder::new_current_thread()
                .enable_all()
                .build()
                .map_err(|error| refused(error.to_string()))?,
            client: client.build().map_err(|error| refused(error.to_string()))?,
            collection,
            api_key: options.api_key.clone(),
            place,
        })
    }

    /// Whether the collection is there.
    pub(super) fn exists(&self) -> Result<bool, RecordError> {
        match self.ask("GET", "", None)? {
            (StatusCode::NOT_FOUND, _) => Ok(false),
            (status, answer) => self.accepted(status, &answer).map(|_| true),
        }
    }

    /// Sends an object to a path below the collection.
    pub(super) fn send(
        &self,
        method: &str,
        rest: &str,
        body: &Value,
    ) -> Result<Value, RecordError> {
        let (status, answer) = self.ask(method, rest, Some(body))?;
        self.accepted(status, &answer)
    }

    fn ask(
        &self,
        method: &str,
        rest: &str,
        body: Option<&Value>,
    ) -> Result<(StatusCode, Vec<u8>), RecordError> {
        let method = Method::from_bytes(method.as_bytes()).unwrap_or(Method::GET);
        let url = format!("{}{rest}", self.collection);
        let mut request = self.client.request(method, url);
        if let Some(key) = &self.api_key {
            request = request.header(API_KEY, key.expose_secret());
        }
        if let Some(body) = body {
            request = request.header("content-type", "application/json");
            request = request.body(body.to_string());
        }
        let done = self.runtime.block_on(async {
            let mut answer = request.send().await?;
            let status = answer.status();
            let mut bytes = Vec::new();
            while let Some(piece) = answer.chunk().await? {
                bytes.extend_from_slice(&piece);
                if bytes.len() > ANSWER_BYTES_MAX {
                    break;
                }
            }
            Ok::<_, reqwest::Error>((status, bytes))
        });
        done.map_err(|error| RecordError::Unreachable {
            place: self.place.clone(),
            cause: error.without_url().to_string(),
        })
    }

    fn accepted(&self, status: StatusCode, answer: &[u8]) -> Result<Value, RecordError> {
        let value: Option<Value> = serde_json::from_slice(answer).ok();
        if let Some(value) = value.as_ref().filter(|_| status.is_success()) {
            return Ok(value.clone());
        }
        let said = value.and_then(|value| value["status"]["error"].as_str().map(str::to_owned));
        Err(RecordError::Refused {
            place: self.place.clone(),
            cause: said.unwrap_or_else(|| format!("it answers {status}, and not in JSON")),
        })
    }
}
