//! The description of the API that the server hands out: `templates/server/openapi.json`.

use axum::response::Response;

use crate::http::json;

/// OpenAPI 3.1.
pub const DOCUMENT: &str = mem_templates::SERVER_OPENAPI;

/// `GET /openapi.json`.
pub(crate) async fn document() -> Response {
    json(DOCUMENT.as_bytes().to_vec(), None)
}
