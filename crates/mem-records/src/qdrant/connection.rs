//! The line to Qdrant: JSON over HTTP, bounded, each call waited for.

use std::fmt;
use std::time::Duration;

use mem_http::{
    AddressFault, BodyReader, HttpReply, LineFault, PlainHttp, client_builder, credential_header,
    parse_address,
};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, RequestBuilder, StatusCode, Url};
use secrecy::SecretString;
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};

use crate::error::RecordError;

/// The header that Qdrant has its keys in.
const API_KEY: HeaderName = HeaderName::from_static("api-key");
/// For a connection, and for an answer with it.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Whoever has begun to answer goes on.
pub const STALL: Duration = Duration::from_secs(5);
/// A larger answer is none of ours.
const ANSWER_BYTES_MAX: usize = 64 << 20;
/// The longest name of a collection.
const COLLECTION_BYTES_MAX: usize = 200;

/// Where records are, and whose.
#[derive(Clone, Debug)]
pub struct QdrantOptions {
    /// `http://localhost:6333`, say; with a key `https://`, but for this machine.
    pub base: String,
    /// The key, where it asks for one.
    pub api_key: Option<SecretString>,
    /// The collection: one for each namespace. Letters, digits, `-` and `_`.
    pub collection: String,
    /// For each 16 KiB of an answer that has begun; [`STALL`] suits all but tests.
    pub stall: Duration,
}

/// One collection, over HTTP.
pub(super) struct Collection {
    runtime: Runtime,
    client: Client,
    reader: BodyReader,
    collection: Url,
    place: String,
}

impl fmt::Debug for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Line({})", self.place)
    }
}

impl Collection {
    pub(super) fn open(options: &QdrantOptions) -> Result<Self, RecordError> {
        let base = checked(options).map_err(|fault| RecordError::Address(fault.to_string()))?;
        let place = base.as_str().trim_end_matches('/').to_owned();
        let refused = |cause: String| RecordError::Refused {
            place: place.clone(),
            cause,
        };
        let mut headers = HeaderMap::new();
        if let Some(key) = &options.api_key {
            let key = credential_header("", key);
            let no_key = || refused("the key contains characters that no key has".to_owned());
            headers.insert(API_KEY, key.ok_or_else(no_key)?);
        }
        let client = client_builder(&base, headers, TIMEOUT)
            .timeout(TIMEOUT)
            .build();
        let collection = collection(base, &options.collection)
            .ok_or_else(|| refused("the name of the collection is none".to_owned()))?;
        let runtime = Builder::new_current_thread().enable_all().build();
        Ok(Self {
            runtime: runtime.map_err(|error| refused(error.to_string()))?,
            client: client.map_err(|error| refused(error.without_url().to_string()))?,
            reader: BodyReader {
                bytes_max: ANSWER_BYTES_MAX,
                stall: options.stall,
                secret: options.api_key.clone(),
            },
            collection,
            place,
        })
    }

    /// Whether the collection is there.
    pub(super) fn exists(&self) -> Result<bool, RecordError> {
        let reply = self.ask(self.request("GET", ""))?;
        match reply.status {
            StatusCode::NOT_FOUND => Ok(false),
            _ => self.accepted(&reply).map(|_| true),
        }
    }

    /// Sends an object to a path below the collection.
    pub(super) fn send(
        &self,
        method: &str,
        rest: &str,
        body: &Value,
    ) -> Result<Value, RecordError> {
        let json = HeaderValue::from_static("application/json");
        let request = self.request(method, rest).header(CONTENT_TYPE, json);
        self.accepted(&self.ask(request.body(body.to_string()))?)
    }

    fn request(&self, method: &str, rest: &str) -> RequestBuilder {
        let method = Method::from_bytes(method.as_bytes()).unwrap_or(Method::GET);
        let url = format!("{}{rest}", self.collection);
        self.client.request(method, url)
    }

    fn ask(&self, request: RequestBuilder) -> Result<HttpReply, RecordError> {
        let reply = self
            .runtime
            .block_on(async { self.reader.read(request.send().await?).await });
        reply.map_err(|fault| match fault {
            // It would be the same the next time.
            LineFault::TooLong { .. } | LineFault::Garbled(_) => self.refused(fault.to_string()),
            fault => RecordError::Unreachable {
                place: self.place.clone(),
                cause: fault.to_string(),
            },
        })
    }

    fn accepted(&self, reply: &HttpReply) -> Result<Value, RecordError> {
        let status = reply.status;
        if status.is_redirection() {
            let to = reply.redirect_target();
            return Err(self.refused(format!("it redirects to `{to}`, which is not followed")));
        }
        let value: Option<Value> = serde_json::from_slice(&reply.body).ok();
        let said = match value {
            Some(value) if status.is_success() => return Ok(value),
            Some(value) => value["status"]["error"]
                .as_str()
                .map(|why| reply.sanitize_text(why)),
            None => None,
        };
        Err(self.refused(said.unwrap_or_else(|| format!("it answers {status}, and not in JSON"))))
    }

    fn refused(&self, cause: String) -> RecordError {
        RecordError::Refused {
            place: self.place.clone(),
            cause,
        }
    }
}

/// The address, if a key may go to it where there is one.
fn checked(options: &QdrantOptions) -> Result<Url, AddressFault> {
    let plain = match options.api_key {
        Some(_) => PlainHttp::OnThisMachine,
        None => PlainHttp::Anywhere,
    };
    parse_address(&options.base, plain)
}

/// Where a collection is at a server; `None` for a name that is none.
fn collection(mut base: Url, name: &str) -> Option<Url> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if !(1..=COLLECTION_BYTES_MAX).contains(&name.len()) || !name.bytes().all(is_plain) {
        return None;
    }
    base.path_segments_mut()
        .ok()?
        .pop_if_empty()
        .extend(["collections", name]);
    Some(base)
}
