//! A request, sent as often as it may be.

use mem_http::{Attempt, HttpReply, LineFault, Retries, random_fraction};
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use serde::de::DeserializeOwned;

use super::StoresClient;
use super::error::ClientError;
use super::reply;
use super::request::Ask;

/// An answer, and how often it was asked for.
#[derive(Debug)]
pub(super) struct Sent<T> {
    pub(super) answer: Result<T, ClientError>,
    pub(super) attempts: u32,
}

impl StoresClient {
    /// Sends a request; the answer is what is hoped for.
    pub(super) async fn send<T: DeserializeOwned>(&self, ask: Ask) -> Result<T, ClientError> {
        self.send_counted(ask).await.answer
    }

    /// The same, and how often.
    pub(super) async fn send_counted<T: DeserializeOwned>(&self, ask: Ask) -> Sent<T> {
        let retries = Retries {
            attempts: self.patience.attempts,
            pause: self.patience.pause,
            is_repeatable: ask.is_repeatable,
            does_conflict_pass: false,
        };
        let mut attempts = 0;
        loop {
            attempts += 1;
            let (attempt, answer) = match self.once(&ask).await {
                Ok(reply) => (Attempt::Answered(reply.retry_hint()), reply::object(&reply)),
                Err((attempt, fault)) => (attempt, Err(fault.into())),
            };
            let is_done = answer.is_ok();
            match retries.pause_before_retry(attempt, attempts, random_fraction()) {
                Some(pause) if !is_done => tokio::time::sleep(pause).await,
                _ => return Sent { answer, attempts },
            }
        }
    }

    async fn once(&self, ask: &Ask) -> Result<HttpReply, (Attempt, LineFault)> {
        let mut request = self.http.request(ask.method.clone(), ask.url(&self.base));
        if let Some(body) = &ask.body {
            let json = HeaderValue::from_static("application/json");
            request = request.header(CONTENT_TYPE, json).body(body.clone());
        }
        let response = request.send().await.map_err(|error| {
            let attempt = match error.is_connect() {
                true => Attempt::NotSent,
                false => Attempt::Lost,
            };
            (attempt, LineFault::from(error))
        })?;
        let reply = self.reader.read(response).await;
        reply.map_err(|fault| (Attempt::Lost, fault))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mem_tests::Dripping;

    use crate::client::{Blocking, ClientError, ClientOptions, Patience};

    /// A client that waits so long for a piece of an answer.
    fn client(server: &Dripping, attempts: u32) -> Blocking {
        let patience = Patience {
            stall: Duration::from_millis(300),
            attempts,
            ..Patience::default()
        };
        Blocking::open(&ClientOptions {
            base: server.url().to_owned(),
            key: None,
            user_agent: "mem/test".to_owned(),
            patience,
        })
        .unwrap()
    }

    #[test]
    fn a_server_that_sends_a_byte_now_and_then_is_given_up() {
        let dripping = Dripping::start();
        let client = client(&dripping, 1);
        let error = client.run(|client| client.stores(false, 1)).unwrap_err();
        assert!(matches!(error, ClientError::Unreachable(_)), "{error:?}");
        let said = error.to_string();
        assert!(said.contains("bytes of its answer in"), "{said}");
        // Its connection is open for as long as it is.
        drop(client);
        assert!((2..60_000).contains(&dripping.bytes()));
    }

    #[test]
    fn and_asked_again_where_twice_is_as_good_as_once() {
        let dripping = Dripping::before(&[r#"{"data":[],"next_page":null}"#]);
        let client = client(&dripping, 2);
        assert_eq!(client.run(|client| client.stores(false, 1)), Ok(Vec::new()));
    }
}
