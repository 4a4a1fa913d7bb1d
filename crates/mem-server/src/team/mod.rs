//! The team protocol over HTTP: one file a verb. What goes over the line is [`mem_sync::wire`].

pub(crate) mod get;
pub(crate) mod log;
pub(crate) mod put;
pub(crate) mod redact;
mod turns;

use axum::body::{Body, Bytes};
use axum::http::request::Parts;

use crate::access::Caller;
use crate::app::App;
use crate::http::body;
use crate::http::problem::HttpProblem;
use crate::http::query::Parameters;
use crate::storage::{RepositoryName, Verb};
pub(crate) use turns::Turns;

/// What a request asks for, once it is known who asks and that they may.
struct TeamRequest {
    caller: Caller,
    repository: RepositoryName,
    parameters: Parameters,
}

impl TeamRequest {
    /// Checks a request: first who asks, then what, then whether they may.
    ///
    /// # Errors
    /// 401, 429, 400, 403, in this order.
    async fn from_request(
        app: &App,
        head: &Parts,
        known: &[&str],
        verb: Verb,
    ) -> Result<Self, HttpProblem> {
        let caller = Caller::authenticate(app, &head.headers).await?;
        let parameters = Parameters::read(head.uri.query(), known)?;
        let name = parameters.required("repo")?;
        let repository = RepositoryName::parse(name)
            .map_err(|_| HttpProblem::invalid("`repo` is not of the form `owner/repo`"))?;
        caller.require(&repository, verb)?;
        Ok(Self {
            caller,
            repository,
            parameters,
        })
    }
}

/// A request's body, within the limits of one PUT.
async fn body_of(app: &App, head: &Parts, body: Body) -> Result<Bytes, HttpProblem> {
    let max = mem_sync::limits::PUT_BYTES_MAX;
    body::read(&head.headers, body, max, app.limits.body).await
}
