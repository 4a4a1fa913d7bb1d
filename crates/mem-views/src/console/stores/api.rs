//! The server's own API, called in process.

use std::collections::BTreeMap;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Method, Request, StatusCode};
use mem_stores::dialect::{BETA_HEADER, PREVIEW_BETA};
use mem_stores::wire::{FailureEnvelope, STORES_PATH};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tower_service::Service as _;

use super::super::request::PageError;
use super::super::texts;

pub(super) const STORES: &str = STORES_PATH;
pub(super) const TOKENS: &str = "/api/tokens";
/// A page of contents has some 10 MB at most.
const ANSWER_BYTES_MAX: usize = 64 * 1024 * 1024;

/// The API as the holder of a token asks it.
pub(super) struct Api {
    router: Router,
    host: HeaderValue,
    authorization: HeaderValue,
}

impl Api {
    /// `headers` are those of the request from outside: a server without tokens checks their host. A text that no header
    /// holds is no token.
    pub(super) fn new(router: &Router, headers: &HeaderMap, token: &str) -> Self {
        let authorization = HeaderValue::from_str(&format!("Bearer {token}"));
        let mut authorization = authorization.unwrap_or(HeaderValue::from_static(""));
        authorization.set_sensitive(true);
        let host = headers.get(header::HOST).cloned();
        Self {
            router: router.clone(),
            host: host.unwrap_or(HeaderValue::from_static("")),
            authorization,
        }
    }

    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, PageError> {
        self.send(Method::GET, path, &Value::Null).await
    }

    /// One call.
    pub(super) async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: &Value,
    ) -> Result<T, PageError> {
        let mut request = Request::builder().uri(path);
        if method == Method::GET {
            // The dialect that lists memories by any prefix.
            request = request.header(BETA_HEADER, PREVIEW_BETA);
        }
        let request = request
            .method(method)
            .header(header::HOST, &self.host)
            .header(header::AUTHORIZATION, &self.authorization)
            .header(header::CONTENT_TYPE, "application/json")
            .body(match body {
                Value::Null => Body::empty(),
                body => Body::from(body.to_string()),
            });
        let request = request.map_err(|_| PageError::not_found())?;
        let Ok(answer) = self.router.clone().call(request).await;
        let status = answer.status();
        let broken = || PageError::from_status(StatusCode::BAD_GATEWAY, texts::UNREADABLE);
        let bytes = to_bytes(answer.into_body(), ANSWER_BYTES_MAX).await;
        let bytes = bytes.map_err(|_| broken())?;
        if status.is_success() {
            return serde_json::from_slice(&bytes).map_err(|_| broken());
        }
        let said: FailureEnvelope = serde_json::from_slice(&bytes).map_err(|_| broken())?;
        Err(PageError::from_status(status, &said.error.message))
    }

    /// The tokens of the workspace.
    pub(super) async fn tokens(&self) -> Result<Vec<Value>, PageError> {
        let mut listed: Value = self.get(TOKENS).await?;
        Ok(serde_json::from_value(listed["tokens"].take()).unwrap_or_default())
    }

    /// The names of tokens by their ids, as far as the caller may list them.
    pub(super) async fn token_names(&self) -> BTreeMap<String, String> {
        let listed = self.tokens().await.unwrap_or_default();
        let pairs = listed
            .iter()
            .map(|token| (word(token, "id"), word(token, "name")));
        pairs.collect()
    }

    /// The memories of a store that have to do with a query, as the tool of agents finds them: path, time and lines of each.
    pub(super) async fn search(&self, store: &str, query: &str) -> Result<Vec<Value>, PageError> {
        if query.is_empty() {
            return Ok(Vec::new());
        }
        let arguments = json!({ "store": store, "query": query, "limit": 20 });
        let params = json!({ "name": "memory_search", "arguments": arguments });
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let mut answer: Value = self.send(Method::POST, "/mcp", &call).await?;
        if let Value::Array(found) = answer["result"]["structuredContent"]["memories"].take() {
            return Ok(found);
        }
        let said = answer["result"]["content"][0]["text"].as_str();
        let said = said.unwrap_or(texts::UNREADABLE);
        Err(PageError::from_status(StatusCode::BAD_REQUEST, said))
    }
}

/// A text of an object; empty where there is none.
pub(super) fn word(object: &Value, key: &str) -> String {
    object[key].as_str().unwrap_or_default().to_owned()
}
