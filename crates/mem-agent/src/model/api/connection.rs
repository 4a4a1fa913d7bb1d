//! The connection of one conversation: a request goes out as often as it may before its deadline.

use std::time::{Duration, Instant};

use mem_http::{
    Attempt, BodyReader, HttpReply, LineFault, Retries, client_builder, credential_header,
    is_loopback, random_fraction,
};
use reqwest::Client;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};

use super::message::ModelMessage;
use super::{Api, ApiError, reply};
use crate::model::ANSWER_BYTES_MAX;

/// The version of the whole API.
const VERSION: &str = "2023-06-01";
/// A request is sent so often at most.
const ATTEMPTS_MAX: u32 = 4;
/// For a connection.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(10);

/// An open line to the model, with a runtime that runs only while somebody waits.
pub(super) struct ModelConnection<'a> {
    api: &'a Api,
    http: Client,
    reader: BodyReader,
    runtime: Option<Runtime>,
}

impl<'a> ModelConnection<'a> {
    /// Opens it; no connection is made yet.
    pub(super) fn open(api: &'a Api, betas: Option<&'static str>) -> Result<Self, ApiError> {
        let client = client_builder(&api.url, request_headers(api, betas)?, CONNECT_TIME_MAX);
        let client = client.user_agent(&api.options.user_agent);
        let http = client.https_only(!is_loopback(&api.url)).build();
        let runtime = Builder::new_current_thread().enable_all().build();
        Ok(Self {
            api,
            http: http.map_err(|error| ApiError::Setup(error.without_url().to_string()))?,
            reader: BodyReader {
                bytes_max: ANSWER_BYTES_MAX,
                stall: api.options.stall,
                secret: Some(api.options.key.clone()),
            },
            runtime: Some(runtime.map_err(|error| ApiError::Setup(error.to_string()))?),
        })
    }

    /// Sends a request and waits for its message, for as long as a turn may take.
    pub(super) fn send_request(&self, body: &Value) -> Result<ModelMessage, ApiError> {
        let limit = self.api.options.time_limit;
        let late = || ApiError::Late {
            seconds: limit.as_secs(),
        };
        let Some(runtime) = &self.runtime else {
            return Err(late());
        };
        let body = body.to_string();
        runtime.block_on(async {
            let insisting = self.send_with_retries(&body, Instant::now() + limit);
            let answer = tokio::time::timeout(limit, insisting).await;
            answer.map_err(|_| late())?
        })
    }

    async fn send_with_retries(&self, body: &str, end: Instant) -> Result<ModelMessage, ApiError> {
        let mut made = 0;
        loop {
            made += 1;
            let (attempt, answer) = match self.send_once(body).await {
                Ok(reply) => {
                    let answer = reply::read_message(&reply, &self.api.options.key);
                    (Attempt::Answered(reply.retry_hint()), answer)
                }
                // The same answer would be as long again.
                Err(fault @ LineFault::TooLong { .. }) => return Err(fault.into()),
                Err(fault) => (Attempt::Lost, Err(fault.into())),
            };
            let retries = Retries {
                attempts: ATTEMPTS_MAX,
                pause: end.saturating_duration_since(Instant::now()),
                is_repeatable: true,
                does_conflict_pass: true,
            };
            match retries.pause_before_retry(attempt, made, random_fraction()) {
                Some(pause) if answer.is_err() => tokio::time::sleep(pause).await,
                _ => return answer,
            }
        }
    }

    async fn send_once(&self, body: &str) -> Result<HttpReply, LineFault> {
        let request = self.http.post(self.api.url.clone());
        let response = request.body(body.to_owned()).send().await?;
        self.reader.read(response).await
    }
}

impl Drop for ModelConnection<'_> {
    /// Nobody waits for a name that is still being looked up.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// What goes along with every request.
fn request_headers(api: &Api, betas: Option<&'static str>) -> Result<HeaderMap, ApiError> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let version = HeaderName::from_static("anthropic-version");
    headers.insert(version, HeaderValue::from_static(VERSION));
    if let Some(betas) = betas {
        let name = HeaderName::from_static("anthropic-beta");
        headers.insert(name, HeaderValue::from_static(betas));
    }
    let key = credential_header("", &api.options.key).ok_or(ApiError::Key)?;
    headers.insert(HeaderName::from_static("x-api-key"), key);
    Ok(headers)
}
