//! Lists of memories: by prefix and depth, in the order of their paths' bytes.

use mem_stores::wire::ContentView;
use mem_stores::{Invalid, PathPrefix};

use super::call::ApiCall;
use super::refusal_response::invalid;
use super::request_context::AuthenticatedRequest;
use super::{request_parameters, response_objects};
use crate::http::HttpAnswer;
use crate::http::problem::HttpProblem;
use crate::http::query::Parameters;
use crate::storage::stores::MemoryQuery;

/// What a list is asked with. The order of earlier clients is passed over.
const LIST: [&str; 5] = ["depth", "limit", "page", "path_prefix", "view"];

/// `GET …/memories`.
pub(super) async fn list(call: ApiCall) -> HttpAnswer {
    let parameters = call.parameters(&LIST)?;
    let view = request_parameters::view(&parameters, ContentView::Basic)?;
    let mut query = MemoryQuery {
        prefix: prefix(&parameters, &call.asking)?,
        roll_up: roll_up(&parameters)?,
        content: view == ContentView::Full,
        // Who copies a store takes no content for an empty one.
        as_far_as_open: false,
        limit: request_parameters::limit(&parameters, view)?,
        after: None,
        reached: None,
    };
    let dialect = call.asking.dialect;
    let (store, prefix) = (call.ids.store.clone(), query.prefix.clone());
    let shape = format!("{dialect:?} {}", query.roll_up);
    let list = vec!["memories".to_owned(), shape, store, prefix];
    let (pages, after) = call.pages(list, &parameters).await?;
    query.after = after;
    let turn = call.turn().await?;
    let reads = call.asking.reads();
    let database = call.database();
    let found = database.memories(&reads, &call.ids.store, &query).await?;
    let next = found.next.map(|after| pages.name(&after));
    let items = found.items.into_iter();
    let items = items
        .map(|item| response_objects::listed(item, dialect))
        .collect();
    call.page(items, next, turn)
}

fn prefix(parameters: &Parameters, asking: &AuthenticatedRequest) -> Result<String, HttpProblem> {
    let Some(text) = parameters.get("path_prefix") else {
        return Ok(String::new());
    };
    let prefix = PathPrefix::parse(text, asking.dialect);
    let prefix = prefix.map_err(|error| invalid(&Invalid::from(error)))?;
    Ok(prefix.as_str().to_owned())
}

/// Whether deeper memories are rolled up.
fn roll_up(parameters: &Parameters) -> Result<bool, HttpProblem> {
    let depth =
        request_parameters::parsed(parameters, "depth", "has to be 0 or 1", |text| match text {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        })?;
    Ok(depth.unwrap_or(false))
}
