//! Versions: list, read, redact.

use axum::body::Body;
use mem_stores::wire::ContentView;

use super::call::ApiCall;
use super::{request_parameters, response_objects};
use crate::http::HttpAnswer;
use crate::http::json_answer;
use crate::http::problem::HttpProblem;
use crate::http::query::Parameters;
use crate::storage::stores::{VersionOperation, VersionQuery};

/// What a list is asked with.
const LIST: [&str; 12] = [
    "api_key_id",
    "service_account_id",
    "session_id",
    "memory_id",
    "operation",
    "created_at[gte]",
    "created_at[lte]",
    "created_at_gte",
    "created_at_lte",
    "limit",
    "page",
    "view",
];

/// `GET …/memory_versions`.
pub(super) async fn list(call: ApiCall) -> HttpAnswer {
    let parameters = call.parameters(&LIST)?;
    let view = request_parameters::view(&parameters, ContentView::Basic)?;
    let mut query = query(&parameters)?;
    let (store, narrowed) = (call.ids.store.clone(), format!("{query:?}"));
    query.limit = request_parameters::limit(&parameters, view)?;
    query.content = view == ContentView::Full;
    let list = vec!["versions".to_owned(), store, narrowed];
    let (pages, after) = call.pages(list, &parameters).await?;
    let after = after.map(|after| after.parse().map_err(|_| HttpProblem::internal()));
    query.after = after.transpose()?;
    let turn = call.turn().await?;
    let reads = call.asking.reads();
    let found = call.app.database.versions(&reads, &call.ids.store, &query);
    let found = found.await?;
    let next = found.next.map(|after| pages.name(&after.to_string()));
    let items = found.items.into_iter();
    let items = items
        .map(|record| response_objects::version(record, view))
        .collect();
    call.page(items, next, turn)
}

/// Which versions, without how many and how.
fn query(parameters: &Parameters) -> Result<VersionQuery, HttpProblem> {
    let wants = "has to be `created`, `modified` or `deleted`";
    let operation =
        request_parameters::parsed(parameters, "operation", wants, VersionOperation::parse)?;
    let (created_from, created_to) = request_parameters::times(parameters)?;
    Ok(VersionQuery {
        api_key_id: request_parameters::id(parameters, "api_key_id", "apikey_")?,
        service_account_id: request_parameters::id(parameters, "service_account_id", "svac_")?,
        session_id: request_parameters::id(parameters, "session_id", "sesn_")?,
        memory_id: request_parameters::id(parameters, "memory_id", "mem_")?,
        operation,
        created_from,
        created_to,
        ..VersionQuery::default()
    })
}

/// `GET …/memory_versions/{version}`.
pub(super) async fn retrieve(call: ApiCall) -> HttpAnswer {
    let (view, reads) = (call.view(ContentView::Full)?, call.asking.reads());
    let (store, version) = (&call.ids.store, &call.ids.object);
    let is_full = view == ContentView::Full;
    let found = call.database().version(&reads, store, version, is_full);
    json_answer(&response_objects::version(found.await?, view))
}

/// `POST …/memory_versions/{version}/redact`.
pub(super) async fn redact(call: ApiCall, body: Body) -> HttpAnswer {
    call.read_nothing(body).await?;
    let database = call.database();
    let redacted = database.redact_version(call.writing(), &call.ids.object);
    let redacted = call.written(redacted.await).await?;
    json_answer(&response_objects::version(redacted, ContentView::Full))
}
