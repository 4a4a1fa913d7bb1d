//! Who asks, in which dialect, and about which ids.

use axum::extract::{FromRequestParts, RawPathParams, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use mem_stores::dialect::{BETA_HEADER, SHOULD_RETRY_HEADER, WORKSPACE_HEADER};
use mem_stores::limits::ID_BYTES_MAX;
use mem_stores::wire::STORES_PATH;
use mem_stores::{ApiVersion, Invalid};

use super::refusal_response::{invalid, not_found};
use crate::access::Caller;
use crate::app::Shared;
use crate::http::problem::HttpProblem;
use crate::storage::Verb;
use crate::storage::stores::{AccessScope, StoreRefusal};

/// A request, once it is known who asks.
#[derive(Clone, Debug)]
pub(super) struct AuthenticatedRequest {
    /// Who.
    pub(super) caller: Caller,
    /// In which words.
    pub(super) dialect: ApiVersion,
}

impl AuthenticatedRequest {
    /// The stores that may be read.
    pub(super) fn reads(&self) -> AccessScope {
        self.caller.scope(Verb::Read)
    }

    /// The stores that may be written.
    pub(super) fn writes(&self) -> AccessScope {
        self.caller.scope(Verb::Write)
    }

    /// The stores that may be deleted or archived as a whole.
    pub(super) fn removes(&self) -> AccessScope {
        self.writes().for_whole_stores()
    }
}

/// The middleware: first who asks, then in which dialect, then for which workspace.
pub(super) async fn admit(State(app): State<Shared>, mut request: Request, next: Next) -> Response {
    let caller = match Caller::authenticate(&app, request.headers()).await {
        Ok(caller) => caller,
        Err(problem) => return problem.into_response(),
    };
    let workspace = HeaderValue::from_str(&caller.workspace);
    let mut response = match authenticate(caller, request.headers()) {
        Ok(authenticate) => {
            request.extensions_mut().insert(authenticate);
            next.run(request).await
        }
        Err(problem) => problem.into_response(),
    };
    if let Ok(workspace) = workspace {
        let name = HeaderName::from_static(WORKSPACE_HEADER);
        response.headers_mut().insert(name, workspace);
    }
    response
}

fn authenticate(caller: Caller, headers: &HeaderMap) -> Result<AuthenticatedRequest, HttpProblem> {
    let dialect = dialect(headers).map_err(|error| invalid(&error))?;
    let meant = headers.get_all(WORKSPACE_HEADER).iter();
    for meant in meant {
        if meant.as_bytes() != caller.workspace.as_bytes() {
            let message = "this token is for another workspace";
            return Err(HttpProblem::new(StatusCode::FORBIDDEN, message));
        }
    }
    Ok(AuthenticatedRequest { caller, dialect })
}

/// Around all that can fail: answers that are none are in the words of the dialect, of all sources: routes, limits,
/// panics.
pub(crate) async fn speak(
    request: Request,
    next: impl AsyncFnOnce(Request) -> Response,
) -> Response {
    if !request.uri().path().starts_with(STORES_PATH) {
        return next(request).await;
    }
    let dialect = dialect(request.headers()).unwrap_or_default();
    let mut response = next(request).await;
    if let Some(problem) = response.extensions_mut().remove::<HttpProblem>() {
        response.extensions_mut().insert(problem.spoken(dialect));
    }
    // Clients send again what met a conflict, and it would meet it again.
    if response.status() == StatusCode::CONFLICT {
        let name = HeaderName::from_static(SHOULD_RETRY_HEADER);
        let never = HeaderValue::from_static("false");
        response.headers_mut().insert(name, never);
    }
    response
}

/// The dialect that the headers name.
pub(super) fn dialect(headers: &HeaderMap) -> Result<ApiVersion, Invalid> {
    let values = headers.get_all(BETA_HEADER).iter();
    let values = values.filter_map(|value| value.to_str().ok());
    Ok(ApiVersion::of_betas(values)?)
}

/// The ids of an address. One that cannot be an id of its kind is one that is not there.
#[derive(Clone, Debug, Default)]
pub(super) struct Ids {
    /// `memstore_…`; empty where the address is about all stores.
    pub(super) store: String,
    /// `mem_…` or `memver_…`; empty where the address is about a store.
    pub(super) object: String,
}

impl FromRequestParts<Shared> for Ids {
    type Rejection = HttpProblem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, HttpProblem> {
        let no_store = || not_found(&StoreRefusal::NoStore);
        let parameters = RawPathParams::from_request_parts(parts, app);
        let parameters = parameters.await.map_err(|_| no_store())?;
        if parameters.iter().next().is_none() {
            return Ok(Self::default());
        }
        let (mut store, mut object) = (String::new(), String::new());
        for (name, value) in &parameters {
            match name {
                "memory" if !is_id("mem_", value) => {
                    return Err(not_found(&StoreRefusal::NoMemory));
                }
                "version" if !is_id("memver_", value) => {
                    return Err(not_found(&StoreRefusal::NoVersion));
                }
                "memory" | "version" => value.clone_into(&mut object),
                _ => value.clone_into(&mut store),
            }
        }
        match is_id("memstore_", &store) {
            true => Ok(Self { store, object }),
            false => Err(no_store()),
        }
    }
}

/// Whether a text can be an id of this kind.
pub(super) fn is_id(prefix: &str, text: &str) -> bool {
    let fits = |rest: &str| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_alphanumeric());
    text.len() <= ID_BYTES_MAX && text.strip_prefix(prefix).is_some_and(fits)
}
