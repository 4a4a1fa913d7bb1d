//! `GET …/log`: who changed what, the newest first, a page at a time.

use axum::extract::{Request, State};
use axum::response::Response;
use mem_sync::limits::LOG_PAGE_MAX;
use mem_sync::remote::LogQuery;

use super::TeamRequest;
use crate::app::Shared;
use crate::http::json;
use crate::http::problem::HttpProblem;
use crate::http::query::{self, Parameters};
use crate::storage::Verb;

/// Changes of a page that does not say how many.
const LIMIT_DEFAULT: u32 = 20;

/// Answers one.
pub(crate) async fn answer(
    State(app): State<Shared>,
    request: Request,
) -> Result<Response, HttpProblem> {
    let (head, _) = request.into_parts();
    let known = ["repo", "key", "limit", "page"];
    let asking = TeamRequest::from_request(&app, &head, &known, Verb::Read).await?;
    let query = asked(&asking.parameters)?;
    let page = app.database.log(&asking.repository, &query).await?;
    Ok(json(page.to_json(), None))
}

fn asked(parameters: &Parameters) -> Result<LogQuery, HttpProblem> {
    let limit = match parameters.get("limit") {
        None => LIMIT_DEFAULT,
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
