//! A request of the API as its handler finds it: who asks, about what, and what is said.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use jiff::Timestamp;
use mem_stores::Invalid;
use mem_stores::strict::ObjectFields;
use mem_stores::wire::{ApiPage, ContentView};
use serde::Serialize;
use tokio::sync::OwnedSemaphorePermit;

use super::cursor::ListPages;
use super::refusal_response::invalid;
use super::request_context::{AuthenticatedRequest, Ids};
use super::request_parameters;
use crate::app::Shared;
use crate::concurrency_limit;
use crate::http::HttpAnswer;
use crate::http::large_response;
use crate::http::problem::HttpProblem;
use crate::http::query::Parameters;
use crate::storage::Database;
use crate::storage::stores::{AccessScope, StoreRefusal, StoresError, Writing};

/// One request, once it is known who asks.
pub(super) struct ApiCall {
    pub(super) app: Shared,
    pub(super) asking: AuthenticatedRequest,
    pub(super) ids: Ids,
    query: Option<String>,
    headers: HeaderMap,
}

impl FromRequestParts<Shared> for ApiCall {
    type Rejection = HttpProblem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, HttpProblem> {
        let ids = Ids::from_request_parts(parts, app).await?;
        // `admit` has put it there.
        let asking = parts.extensions.remove();
        Ok(Self {
            app: Arc::clone(app),
            asking: asking.ok_or_else(HttpProblem::internal)?,
            ids,
            query: parts.uri.query().map(str::to_owned),
            headers: std::mem::take(&mut parts.headers),
        })
    }
}

impl ApiCall {
    /// The parameters that are known here.
    pub(super) fn parameters(&self, known: &[&str]) -> Result<Parameters, HttpProblem> {
        Parameters::read_known(self.query.as_deref(), known)
    }

    /// Whether contents are to come along, where nothing else can be asked for.
    pub(super) fn view(&self, default: ContentView) -> Result<ContentView, HttpProblem> {
        request_parameters::view(&self.parameters(&["view"])?, default)
    }

    /// What the body says, once it is there.
    pub(super) async fn read<T>(
        &self,
        body: Body,
        read: impl FnOnce(&[u8]) -> Result<T, Invalid>,
    ) -> Result<T, HttpProblem> {
        let bytes = request_parameters::body(&self.app, &self.headers, body).await?;
        read(&bytes).map_err(|error| invalid(&error))
    }

    /// Takes a body that has nothing to say: none, or any object.
    pub(super) async fn read_nothing(&self, body: Body) -> Result<(), HttpProblem> {
        let read = |bytes: &[u8]| ObjectFields::read_optional(bytes).map(drop);
        self.read(body, read).await
    }

    /// A change in the store of the address, as far as the caller may write.
    pub(super) fn writing(&self) -> Writing {
        let (writes, actor) = (self.asking.writes(), &self.asking.caller.actor);
        Writing::new(&writes, &self.ids.store, actor, self.now())
    }

    /// The database.
    pub(super) fn database(&self) -> &Database {
        &self.app.database
    }

    /// The time.
    pub(super) fn now(&self) -> Timestamp {
        (self.app.now)()
    }

    /// What became of the removal of the store of the address: as [`Self::written`].
    pub(super) async fn removed<T>(
        &self,
        outcome: Result<T, StoresError>,
    ) -> Result<T, HttpProblem> {
        if self.is_there(&outcome, self.asking.writes()).await {
            let message = "this token may write to this memory store, and neither delete nor archive it as a \
                           whole: that takes the grant `*:write`, or `store:*:write` for a store that is no \
                           repository's";
            return Err(HttpProblem::new(StatusCode::FORBIDDEN, message));
        }
        self.written(outcome).await
    }

    /// What became of a write into the store of the address. A store that the caller may read and not write is no
    /// secret: 403. Of any other store there is no hint.
    pub(super) async fn written<T>(
        &self,
        outcome: Result<T, StoresError>,
    ) -> Result<T, HttpProblem> {
        if self.is_there(&outcome, self.asking.reads()).await {
            let message = "this token may read this memory store, and not write it";
            return Err(HttpProblem::new(StatusCode::FORBIDDEN, message));
        }
        Ok(outcome?)
    }

    /// Whether the store that was not found is there for a caller of this scope.
    async fn is_there<T>(&self, outcome: &Result<T, StoresError>, scope: AccessScope) -> bool {
        let is_missing = matches!(outcome, Err(StoresError::Refused(StoreRefusal::NoStore)));
        is_missing && self.database().store(&scope, &self.ids.store).await.is_ok()
    }

    /// The pages of a list, and where the one that is asked for goes on.
    pub(super) async fn pages(
        &self,
        list: Vec<String>,
        parameters: &Parameters,
    ) -> Result<(ListPages, Option<String>), HttpProblem> {
        let pages = self.app.cursors.of(&self.app.database, list).await?;
        let after = parameters.get("page").map(|page| pages.position(page));
        Ok((pages, after.transpose()?))
    }

    /// A turn for a page that may be large.
    pub(super) async fn turn(&self) -> Result<OwnedSemaphorePermit, HttpProblem> {
        concurrency_limit::acquire(&self.app.parts).await
    }

    /// A page that may be large, sent in its turn.
    pub(super) fn page<T: Serialize>(
        &self,
        data: Vec<T>,
        next_page: Option<String>,
        turn: OwnedSemaphorePermit,
    ) -> HttpAnswer {
        let json = serde_json::to_vec(&ApiPage { data, next_page });
        let json = json.map_err(|_| HttpProblem::internal())?;
        Ok(large_response::told(json, turn, self.app.limits.write))
    }
}
