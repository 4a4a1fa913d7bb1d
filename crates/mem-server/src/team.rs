//! The team protocol over HTTP. What goes over the line is [`mem_sync::wire`].

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{ETAG, IF_MATCH, IF_NONE_MATCH};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use mem_sync::limits::{ANSWER_BYTES_MAX, LOG_PAGE_MAX};
use mem_sync::remote::{LogQuery, StateQuery};
use mem_sync::wire::{ETag, PutBody, RedactBody, RefusalOutcome, RefusalReport};

use crate::access::Caller;
use crate::app::{App, Shared};
use crate::concurrency_limit::{self, StorePermit};
use crate::http::conditions::Condition;
use crate::http::problem::HttpProblem;
use crate::http::query::{self, Parameters};
use crate::http::request_log::note_resource;
use crate::http::{HttpAnswer, body, json, json_answer, large_response, not_modified};
use crate::storage::{GroupWrite, RedactionOutcome, RepositoryName, StorageError, Verb};

/// For a key and the name of a rule.
const REPORT_BYTES_MAX: usize = 16 * 1024;
/// Changes of a page of the log that does not say how many.
const LOG_PAGE_DEFAULT: u32 = 20;

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
        note_resource(&repository.handle());
        Box::pin(caller.require_with_forge(app, &repository, verb)).await?;
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

/// `GET`: what a store holds, unless the caller knows it.
pub(crate) async fn get(State(app): State<Shared>, request: Request) -> HttpAnswer {
    let (head, _) = request.into_parts();
    let asking =
        TeamRequest::from_request(&app, &head, &["repo", "view", "keys"], Verb::Read).await?;
    let query = state_query(&asking.parameters)?;
    if let Some(known) = Condition::read(&head.headers, IF_NONE_MATCH) {
        let state = app.database.state(&asking.repository).await?;
        if known.names(&state) {
            return Ok(not_modified(&state));
        }
    }
    // Apart, so that an answer that is none carries nothing of it along.
    Box::pin(whole_answer(&app, &asking, &query)).await
}

/// What the store holds, as far as it is asked for.
async fn whole_answer(app: &App, asking: &TeamRequest, query: &StateQuery) -> HttpAnswer {
    let turn = turn(app, &asking.caller.actor.id, query).await?;
    let (etag, answer) = app.database.read(&asking.repository, query).await?;
    let bytes = answer.to_json();
    drop(answer);
    if bytes.len() > ANSWER_BYTES_MAX {
        return Err(StorageError::TooLarge.into());
    }
    let mut response = json(Vec::new(), Some(&etag));
    *response.body_mut() = large_response::sized(bytes, turn, app.limits.write);
    Ok(response)
}

fn state_query(parameters: &Parameters) -> Result<StateQuery, HttpProblem> {
    let hashes = match parameters.get("view") {
        None | Some("full") => false,
        Some("hashes") => true,
        Some(_) => return Err(HttpProblem::invalid("`view` is `full` or `hashes`")),
    };
    let keys = parameters.keys()?;
    if keys.is_empty() && parameters.names_a_list() {
        return Err(HttpProblem::invalid("`keys` names no key"));
    }
    Ok(StateQuery { hashes, keys })
}

/// A turn at having contents in memory. There are more of them for parts of a store than for whole ones.
async fn turn(app: &App, token: &str, query: &StateQuery) -> Result<StorePermit, HttpProblem> {
    if !query.hashes && query.keys.is_empty() {
        return app.whole_stores.take(token).await;
    }
    Ok((concurrency_limit::acquire(&app.parts).await?, None))
}

/// `GET …/log`: who changed what, the newest first, a page at a time.
pub(crate) async fn log(State(app): State<Shared>, request: Request) -> HttpAnswer {
    let (head, _) = request.into_parts();
    let known = ["repo", "key", "limit", "page"];
    let asking = TeamRequest::from_request(&app, &head, &known, Verb::Read).await?;
    let query = log_query(&asking.parameters)?;
    let page = app.database.log(&asking.repository, &query).await?;
    Ok(json(page.to_json(), None))
}

fn log_query(parameters: &Parameters) -> Result<LogQuery, HttpProblem> {
    let limit = match parameters.get("limit") {
        None => LOG_PAGE_DEFAULT,
        Some(text) => {
            let limit = text.parse().ok();
            let limit = limit.filter(|limit| (1..=LOG_PAGE_MAX).contains(limit));
            limit.ok_or_else(|| HttpProblem::invalid("`limit` is a number from 1 to 100"))?
        }
    };
    Ok(LogQuery {
        key: parameters.get("key").map(query::key).transpose()?,
        limit,
        page: parameters.get("page").map(str::to_owned),
    })
}

/// `PUT`: writes and deletes the keys that are sent, on the state that the caller names.
pub(crate) async fn put(State(app): State<Shared>, request: Request) -> HttpAnswer {
    let (head, body) = request.into_parts();
    let asking = TeamRequest::from_request(&app, &head, &["repo"], Verb::Write).await?;
    if head.headers.contains_key(IF_NONE_MATCH) {
        let message =
            "a PUT is made on what `If-Match` names; a store that is not there is `\"0\"`";
        return Err(HttpProblem::invalid(message));
    }
    let bytes = body_of(&app, &head, body).await?;
    let (body, rejected) = PutBody::read(&bytes).map_err(|error| body::refused(&error))?;
    drop(bytes);
    let condition = Condition::read(&head.headers, IF_MATCH);
    let if_match = state_named(&app, &asking.repository, condition).await?;
    let sent = (body.entries.len(), body.delete.len());
    let actor = &asking.caller.actor;
    let now = (app.now)();
    let (database, repository) = (&app.database, &asking.repository);
    let written = database.write(repository, body, if_match.as_ref(), actor, now);
    let (etag, mut answer) = match written.await? {
        GroupWrite::Raced { etag } => return Err(raced(&etag)),
        GroupWrite::Archived => {
            let message = "the repository's store is archived: it is not written any more";
            return Err(HttpProblem::new(StatusCode::FORBIDDEN, message));
        }
        GroupWrite::Done { etag, answer } => (etag, answer),
    };
    let taken = (sent.0 + sent.1).saturating_sub(answer.rejected.len());
    app.metrics.keys_changed.inc_by(taken as u64);
    for one in rejected {
        answer.rejected.insert(one.name, one.rejection);
    }
    Ok(json(answer.to_json(), Some(&etag)))
}

/// The state that a write has to be made on; `None`: whatever it is.
///
/// # Errors
/// 412 where the condition names none at all.
async fn state_named(
    app: &App,
    repository: &RepositoryName,
    condition: Option<Condition>,
) -> Result<Option<ETag>, HttpProblem> {
    let tags = match condition {
        None | Some(Condition::Any) => return Ok(None),
        Some(Condition::OneOf(tags)) => tags,
    };
    if let [only] = tags.as_slice() {
        return Ok(Some(only.clone()));
    }
    let state = app.database.state(repository).await?;
    if tags.contains(&state) {
        return Ok(Some(state));
    }
    // Any of them: the write decides, and tells of the conflict.
    tags.into_iter()
        .next()
        .map(Some)
        .ok_or_else(|| raced(&state))
}

/// 412, with the state that the store has.
fn raced(etag: &ETag) -> HttpProblem {
    let message = "the store is not in the state that `If-Match` names";
    let problem = HttpProblem::new(StatusCode::PRECONDITION_FAILED, message);
    match HeaderValue::from_str(etag.as_str()) {
        Ok(value) => problem.with(ETAG, value),
        Err(_) => problem,
    }
}

/// `POST …/refused`: a client found a secret in a memory and did not send it. Its workspace's webhooks are told.
pub(crate) async fn report_secret(State(app): State<Shared>, request: Request) -> HttpAnswer {
    let (head, body) = request.into_parts();
    let asking = TeamRequest::from_request(&app, &head, &["repo"], Verb::Write).await?;
    let wants = "the body has to be an object with the name of a `rule`, and a `key`";
    let request = Request::from_parts(head, body);
    let report: RefusalReport = body::read_object(&app, request, REPORT_BYTES_MAX, wants).await?;
    if !report.is_valid() {
        return Err(HttpProblem::invalid(wants));
    }
    let (database, actor) = (&app.database, &asking.caller.actor);
    let told = database.report_secret(
        &asking.repository,
        report.key.as_ref(),
        &report.rule,
        actor,
        (app.now)(),
    );
    json_answer(&RefusalOutcome { told: told.await? })
}

/// `POST …/redact`: takes the earlier contents of a key, and its name, out of the history.
pub(crate) async fn redact(State(app): State<Shared>, request: Request) -> HttpAnswer {
    let (head, body) = request.into_parts();
    let asking = TeamRequest::from_request(&app, &head, &["repo"], Verb::Write).await?;
    let bytes = body_of(&app, &head, body).await?;
    let what = RedactBody::read(&bytes).map_err(|error| body::refused(&error))?;
    let actor = &asking.caller.actor;
    let now = (app.now)();
    let redaction = app.database.redact(&asking.repository, &what, actor, now);
    let (status, message) = match redaction.await? {
        RedactionOutcome::Done(redacted) => return Ok(json(redacted.to_json(), None)),
        RedactionOutcome::Head => (
            StatusCode::CONFLICT,
            "the key still holds what is to be taken out: write other content, or delete it, first",
        ),
        RedactionOutcome::Stands => (
            StatusCode::CONFLICT,
            "an entry stands under this name: delete it first",
        ),
        RedactionOutcome::NotFound => (StatusCode::NOT_FOUND, "the key was never there"),
    };
    Err(HttpProblem::new(status, message))
}
