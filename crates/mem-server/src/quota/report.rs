//! What a caller has of their quotas, as a header of answers and at `/api/quota`.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::routing::get;
use serde_json::{Value, json};

use super::{DayMeasure, QuotaOwner};
use crate::access::Caller;
use crate::app::{App, Shared};
use crate::http::problem::HttpProblem;
use crate::http::query::Parameters;
use crate::http::{HttpAnswer, json_answer};
use crate::storage::StorageTotal;

/// Where the figures are.
const QUOTA_PATH: &str = "/api/quota";

/// The route of quotas.
pub(crate) fn routes() -> Router<Shared> {
    Router::new().route(QUOTA_PATH, get(show_quota))
}

/// `GET /api/quota`: what the caller's workspace and the caller have used, and may use. A limit that is not set is
/// `null`.
async fn show_quota(State(app): State<Shared>, request: Request) -> HttpAnswer {
    let caller = Caller::authenticate_uncounted(&app, request.headers()).await?;
    Parameters::read(request.uri().query(), &[])?;
    let [workspace, user] = caller.quota_owners();
    json_answer(&json!({
        "workspace": owner_figures(&app, &workspace).await?,
        "user": owner_figures(&app, &user).await?,
    }))
}

async fn owner_figures(app: &App, owner: &QuotaOwner) -> Result<Value, HttpProblem> {
    let limits = app.settings.quota.limits(owner);
    let total = app.database.storage_total(owner).await?;
    let now = (app.now)();
    let day = |measure| {
        let day = app.day_counts.used(measure, owner, now);
        json!({ "used": day.map(|day| day.used), "limit": day.map(|day| day.limit) })
    };
    Ok(json!({
        "id": owner.id(),
        "bytes": { "used": total.bytes, "limit": limits.bytes },
        "memories": { "used": total.memories, "limit": limits.memories },
        "requests_today": day(DayMeasure::Requests),
        "searches_today": day(DayMeasure::SearchIndexes),
    }))
}

/// The header of an answer: what is left of each limit that the caller has, `workspace-bytes=812/1000`, as far as it is
/// known without asking the database. `None` where there is none.
pub(crate) fn quota_header(app: &App, owners: &[QuotaOwner]) -> Option<HeaderValue> {
    let now = (app.now)();
    let mut parts = Vec::new();
    for owner in owners {
        let (noun, limits) = (owner.noun(), app.settings.quota.limits(owner));
        if let Some(StorageTotal { bytes, memories }) = app.database.known_total(owner) {
            let of = [
                ("bytes", bytes, limits.bytes),
                ("memories", memories, limits.memories),
            ];
            for (what, used, limit) in of {
                parts.extend(limit.map(|limit| format!("{noun}-{what}={used}/{limit}")));
            }
        }
        for measure in [DayMeasure::Requests, DayMeasure::SearchIndexes] {
            if let Some(day) = app.day_counts.used(measure, owner, now) {
                let (what, used, limit) = (measure.noun(), day.used, day.limit);
                parts.push(format!("{noun}-{what}-today={used}/{limit}"));
            }
        }
    }
    let parts = Some(parts).filter(|parts| !parts.is_empty())?;
    HeaderValue::from_str(&parts.join(", ")).ok()
}
