//! A request, sent as often as it may be.

use reqwest::header::{CONTENT_TYPE, HeaderValue};
use serde::de::DeserializeOwned;

use super::Client;
use super::error::ClientError;
use super::reply::{Reply, unreachable};
use super::request::Ask;
use super::retry::{self, Attempt};

/// An answer, and how often it was asked for.
#[derive(Debug)]
pub(super) struct Sent<T> {
    pub(super) answer: Result<T, ClientError>,
    pub(super) attempts: u32,
}

impl Client {
    /// Sends a request; the answer is what is hoped for.
    pub(super) async fn send<T: DeserializeOwned>(&self, ask: Ask) -> Result<T, ClientError> {
        self.send_counted(ask).await.answer
    }

    /// The same, and how often.
    pub(super) async fn send_counted<T: DeserializeOwned>(&self, ask: Ask) -> Sent<T> {
        let mut attempts = 0;
        loop {
            attempts += 1;
            let (attempt, answer) = match self.once(&ask).await {
                Ok(reply) => (reply.attempt(), reply.object()),
                Err((attempt, error)) => (attempt, Err(error)),
            };
            let is_done = answer.is_ok();
            let pause = retry::pause(attempt, attempts, ask.repeat, &self.patience, chance());
            match pause {
                Some(pause) if !is_done => tokio::time::sleep(pause).await,
                _ => return Sent { answer, attempts },
            }
        }
    }

    async fn once(&self, ask: &Ask) -> Result<Reply, (Attempt, ClientError)> {
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
            (attempt, unreachable(error))
        })?;
        let reply = Reply::read(response).await;
        reply.map_err(|error| (Attempt::Lost, error))
    }
}

/// A number from 0 to 1, so that those who waited together do not come back together.
fn chance() -> f64 {
    let drawn = getrandom::u32().unwrap_or_default();
    f64::from(drawn) / f64::from(u32::MAX)
}
