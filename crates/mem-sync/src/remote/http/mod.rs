//! A server that speaks the protocol, over HTTP.
//!
//! Asynchronous inside, on a runtime of its own that runs only while somebody waits. One connection is kept
//! for the requests that follow. No redirect is followed: it would carry the token to another host.
//!
//! **Invariant:** a write is sent at most once. Where its answer is lost, the next round looks: if the write was made, both
//! ends hold the same content and the key is settled. Every answer has limits of bytes and of time, for the whole and for
//! each pause in it. Tests: `http::bridge::it_conforms_over_one_connection_each`,
//! `http::conduct::a_look_is_sent_once_more_where_the_connection_ends_and_a_write_is_not`,
//! `http::conduct::a_server_that_sends_a_byte_now_and_then_is_given_up`.

mod options;
mod reply;

use std::fmt;
use std::time::Duration;

use mem_http::{
    BodyReader, LineFault, PlainHttp, client_builder, credential_header, is_loopback, parse_address,
};
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue,
    IF_MATCH, IF_NONE_MATCH,
};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, Url};
use secrecy::SecretString;
use tokio::runtime::{Builder, Runtime};

pub use options::{HttpError, HttpOptions, Timeouts};

use super::{Fetched, LogQuery, PutOutcome, Remote, RemoteError, StateQuery};
use crate::limits::{ANSWER_BYTES_MAX, PUT_BYTES_MAX};
use crate::wire::{
    ETag, LOG_PATH, LogPage, PATH, PutAnswer, PutBody, REDACT_PATH, REFUSED_PATH, RedactBody,
    RedactOutcome, RefusalOutcome, RefusalReport, StateAnswer, VERSION,
};
use reply::SyncReply;

/// Who changes, for servers that do not know it from the token.
const ACTOR: HeaderName = HeaderName::from_static("x-mem-actor");
/// The version of the protocol that this end speaks.
const PROTOCOL: HeaderName = HeaderName::from_static("x-mem-protocol");
/// Packing an answer and unpacking it takes longer than sending it to another program of this machine.
const AS_IT_IS: HeaderValue = HeaderValue::from_static("identity");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// What is left of the caller's quotas, as `workspace-bytes=812/1000, user-requests-today=7/100`.
const QUOTA: HeaderName = HeaderName::from_static("x-mem-quota");
/// Nobody waits for a report for longer.
const REPORT_MAX: Duration = Duration::from_secs(5);
/// A longer one is no such header.
const QUOTA_CHARS_MAX: usize = 500;

/// A store behind an address.
pub struct Http {
    runtime: Runtime,
    client: Client,
    base: Url,
    repository: String,
    reader: BodyReader,
    quota: Option<String>,
}

impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Http")
            .field("base", &self.base.as_str())
            .field("repository", &self.repository)
            .finish_non_exhaustive()
    }
}

/// Takes in what servers did since the last request, because nothing runs between two of them: one that closed a kept
/// connection meanwhile would have the next request go out on it, and nobody answer.
async fn poll_connections() {
    // What the system tells is looked at in the first turn, and reaches the connection in the next.
    for _ in 0..3 {
        tokio::task::yield_now().await;
    }
}

impl Http {
    /// A store; no connection is opened yet. Not to be called, used or dropped by asynchronous code.
    ///
    /// # Errors
    /// An address or a token that cannot be used.
    pub fn open(options: HttpOptions) -> Result<Self, HttpError> {
        let base = parse_address(&options.base, PlainHttp::Anywhere).map_err(HttpError::Address)?;
        let mut headers = request_headers(options.token.as_ref(), &options.actor)?;
        if is_loopback(&base) {
            headers.insert(ACCEPT_ENCODING, AS_IT_IS);
        }
        let mut client = client_builder(&base, headers, options.limits.connect);
        if options::is_plain(&base) {
            // Plain HTTP needs no root certificates, and loading the system's takes longer than a request.
            client = client.tls_certs_only([]);
        }
        let client = client
            .user_agent(options.user_agent)
            .pool_max_idle_per_host(1)
            .read_timeout(options.limits.stall)
            .timeout(options.limits.request)
            .build()
            .map_err(|error| HttpError::Client(error.without_url().to_string()))?;
        let runtime = Builder::new_current_thread().enable_all().build();
        Ok(Self {
            runtime: runtime.map_err(|error| HttpError::Client(error.to_string()))?,
            client,
            base,
            repository: options.repository.name().to_owned(),
            reader: BodyReader {
                bytes_max: ANSWER_BYTES_MAX,
                stall: options.limits.stall,
                secret: options.token,
            },
            quota: None,
        })
    }

    fn build_request(&self, method: Method, path: &str, query: &[(&str, &str)]) -> RequestBuilder {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path().trim_end_matches('/')));
        let mut pairs = url.query_pairs_mut();
        pairs.append_pair("repo", &self.repository);
        for (name, value) in query {
            pairs.append_pair(name, value);
        }
        drop(pairs);
        self.client.request(method, url)
    }

    fn send_request(&mut self, request: RequestBuilder) -> Result<SyncReply, RemoteError> {
        let reply = self.runtime.block_on(async {
            poll_connections().await;
            let response = self.once_or_again(request).await?;
            self.reader.read(response).await
        });
        if let Ok(reply) = &reply
            && let Some(quota) = reply.header(&QUOTA)
        {
            self.quota = storage_quota(quota);
        }
        reply.map(SyncReply).map_err(|fault| match fault {
            LineFault::TooLong { .. } => RemoteError::AnswerTooLarge,
            // The line held: what came over it is no packed answer.
            fault @ LineFault::Garbled(_) => RemoteError::Nonsense(fault.to_string()),
            fault => RemoteError::Unreachable(fault.to_string()),
        })
    }

    /// Who only asks asks once more where a connection ended without an answer: one that was kept may end at the
    /// very moment that it is used. A write is not sent again, for it may have been made.
    async fn once_or_again(&self, request: RequestBuilder) -> reqwest::Result<Response> {
        let request = request.build()?;
        let again = request
            .try_clone()
            .filter(|_| request.method() == Method::GET);
        let answer = self.client.execute(request).await;
        match (answer, again) {
            (Err(error), Some(again))
                if error.is_request() && !error.is_timeout() && !error.is_connect() =>
            {
                self.client.execute(again).await
            }
            (answer, _) => answer,
        }
    }

    /// What another status means: who brings no token is not told that theirs is wrong.
    fn refusal_error(&self, reply: &SyncReply) -> RemoteError {
        match reply.status_error() {
            RemoteError::Unauthorized if self.reader.secret.is_none() => {
                RemoteError::NoToken(self.base.as_str().trim_end_matches('/').to_owned())
            }
            error => error,
        }
    }

    /// Sends what has to be answered with 200.
    fn send_expecting_ok(&mut self, request: RequestBuilder) -> Result<SyncReply, RemoteError> {
        let reply = self.send_request(request)?;
        match reply.status() {
            StatusCode::OK => Ok(reply),
            _ => Err(self.refusal_error(&reply)),
        }
    }
}

impl Remote for Http {
    fn get_state(
        &mut self,
        query: &StateQuery,
        if_none_match: Option<&ETag>,
    ) -> Result<Fetched, RemoteError> {
        let mut pairs = Vec::new();
        if query.hashes {
            pairs.push(("view", "hashes"));
        }
        pairs.extend(query.keys.iter().map(|key| ("keys", key.as_str())));
        let mut request = self.build_request(Method::GET, PATH, &pairs);
        if let Some(tag) = if_none_match {
            request = request.header(IF_NONE_MATCH, tag.as_str());
        }
        let reply = self.send_request(request)?;
        match (reply.status(), if_none_match) {
            (StatusCode::OK, _) => {}
            (StatusCode::NOT_MODIFIED, Some(_)) => return Ok(Fetched::NotModified),
            (StatusCode::NOT_MODIFIED, None) => {
                let why = "304 to a request without a condition";
                return Err(RemoteError::Nonsense(why.to_owned()));
            }
            (StatusCode::PAYLOAD_TOO_LARGE, _) => return Err(RemoteError::AnswerTooLarge),
            _ => return Err(self.refusal_error(&reply)),
        }
        let etag = reply.state_etag()?;
        let (mut answer, rejected) = StateAnswer::read(reply.json_body()?)?;
        let epochs = if_none_match.and_then(ETag::epoch).zip(etag.epoch());
        answer.is_put_back = epochs.is_some_and(|(known, now)| known != now);
        Ok(Fetched::Found {
            etag,
            answer,
            rejected,
        })
    }

    fn put_entries(
        &mut self,
        body: &PutBody,
        if_match: Option<&ETag>,
    ) -> Result<PutOutcome, RemoteError> {
        let json = body.to_json();
        if json.len() > PUT_BYTES_MAX {
            return Err(RemoteError::TooLarge);
        }
        let mut request = self
            .build_request(Method::PUT, PATH, &[])
            .header(CONTENT_TYPE, JSON);
        if let Some(tag) = if_match {
            request = request.header(IF_MATCH, tag.as_str());
        }
        let reply = self.send_expecting_ok(request.body(json))?;
        let etag = reply.state_etag()?;
        let answer = PutAnswer::read(reply.json_body()?)?;
        Ok(PutOutcome { etag, answer })
    }

    fn quota(&self) -> Option<&str> {
        self.quota.as_deref()
    }

    fn read_log(&mut self, query: &LogQuery) -> Result<LogPage, RemoteError> {
        let limit = query.page_size().to_string();
        let mut pairs = vec![("limit", limit.as_str())];
        pairs.extend(query.key.as_ref().map(|key| ("key", key.as_str())));
        pairs.extend(query.page.as_ref().map(|page| ("page", page.as_str())));
        let reply = {
            let request = self.build_request(Method::GET, LOG_PATH, &pairs);
            self.send_expecting_ok(request)?
        };
        Ok(LogPage::read(reply.json_body()?)?)
    }

    fn redact_key(&mut self, what: &RedactBody) -> Result<RedactOutcome, RemoteError> {
        let request = self.build_request(Method::POST, REDACT_PATH, &[]);
        let request = request.header(CONTENT_TYPE, JSON).body(what.to_json());
        let reply = self.send_expecting_ok(request)?;
        Ok(RedactOutcome::read(reply.json_body()?)?)
    }

    fn report_refusal(&mut self, report: &RefusalReport) -> Result<bool, RemoteError> {
        let request = self.build_request(Method::POST, REFUSED_PATH, &[]);
        let request = request.header(CONTENT_TYPE, JSON).body(report.to_json());
        let reply = self.send_expecting_ok(request.timeout(REPORT_MAX))?;
        Ok(RefusalOutcome::read(reply.json_body()?)?.told)
    }
}

/// The part of a quota that changes with what is stored. What is counted for a day would be another one after each look.
fn storage_quota(header: &str) -> Option<String> {
    let is_plain = |part: &&str| {
        part.bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"-=/".contains(&b))
    };
    let parts = header.split(", ").filter(is_plain);
    let parts: Vec<&str> = parts.filter(|part| !part.contains("-today=")).collect();
    let joined = parts.join(", ");
    (!joined.is_empty() && joined.len() <= QUOTA_CHARS_MAX).then_some(joined)
}

/// What goes along with every request.
fn request_headers(token: Option<&SecretString>, actor: &str) -> Result<HeaderMap, HttpError> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, JSON);
    headers.insert(PROTOCOL, HeaderValue::from(VERSION));
    let actor: String = actor.chars().filter(|c| !c.is_control()).collect();
    if let Ok(actor) = HeaderValue::from_bytes(actor.as_bytes()) {
        headers.insert(ACTOR, actor);
    }
    if let Some(token) = token {
        let value = credential_header("Bearer ", token).ok_or(HttpError::Token)?;
        headers.insert(AUTHORIZATION, value);
    }
    Ok(headers)
}
