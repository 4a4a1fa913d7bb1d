//! Lists of memories: by prefix and depth, in the order of their paths' bytes.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::response::Response;
use mem_stores::wire::{Page, View};
use mem_stores::{Invalid, PathPrefix};

use super::asking::{Asking, Ids};
use super::cursor::List;
use super::refused::invalid;
use super::{asked, shape};
use crate::app::Shared;
use crate::http::large;
use crate::http::problem::Problem;
use crate::http::query::Parameters;
use crate::storage::stores::MemoryQuery;

/// What a list is asked with. The order of earlier clients is passed over.
const LIST: [&str; 5] = ["depth", "limit", "page", "path_prefix", "view"];

/// `GET …/memories`.
pub(super) async fn list(
    State(app): State<Shared>,
    Extension(asking): Extension<Asking>,
    ids: Ids,
    request: Request,
) -> Result<Response, Problem> {
    let parameters = asked::parameters(request.uri().query(), &LIST)?;
    let view = asked::view(&parameters, View::Basic)?;
    let mut query = MemoryQuery {
        prefix: prefix(&parameters, &asking)?,
        roll_up: roll_up(&parameters)?,
        content: view == View::Full,
        limit: asked::limit(&parameters, view)?,
        after: None,
    };
    let parts = [ids.store.clone(), query.prefix.clone()];
    let shape = format!("{:?} {}", asking.dialect, query.roll_up);
    let list = ["memories".to_owned(), shape].into_iter().chain(parts);
    let pages = app.cursors.of(&app.database, List::of(list)).await?;
    if let Some(page) = parameters.get("page") {
        query.after = Some(pages.position(page)?);
    }
    let turn = Arc::clone(&app.parts).acquire_owned().await;
    let turn = turn.map_err(|_| Problem::busy())?;
    let reads = asking.reads();
    let found = app.database.memories(&reads, &ids.store, &query);
    let found = found.await?;
    let items = found.items.into_iter();
    let page = Page {
        next_page: found.next.map(|after| pages.name(&after)),
        data: items
            .map(|item| shape::listed(item, view, asking.dialect))
            .collect(),
    };
    large::told(&page, turn, app.limits.write)
}

fn prefix(parameters: &Parameters, asking: &Asking) -> Result<String, Problem> {
    let Some(text) = parameters.get("path_prefix") else {
        return Ok(String::new());
    };
    let prefix = PathPrefix::parse(text, asking.dialect);
    let prefix = prefix.map_err(|error| invalid(&Invalid::from(error)))?;
    Ok(prefix.as_str().to_owned())
}

/// Whether deeper memories are rolled up.
fn roll_up(parameters: &Parameters) -> Result<bool, Problem> {
    match parameters.get("depth") {
        None | Some("0") => Ok(false),
        Some("1") => Ok(true),
        Some(_) => Err(asked::wrong("depth", "is 0 or 1")),
    }
}
