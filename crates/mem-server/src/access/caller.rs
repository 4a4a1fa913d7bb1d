//! From the headers of a request to somebody.

use axum::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use mem_sync::limits::LABEL_CHARS_MAX;
use subtle::ConstantTimeEq as _;

use super::{grant, secret};
use crate::app::App;
use crate::http::problem::HttpProblem;
use crate::http::query::Parameters;
use crate::http::request_log::{note_caller, note_quota};
use crate::options::ServerAccess;
use crate::quota::{DayMeasure, QuotaOwner, quota_header};
use crate::storage::stores::AccessScope;
use crate::storage::{
    ActorKind, DEFAULT_WORKSPACE, Grant, RepositoryName, StorageActor, Token, Verb,
};

/// The header in which the memory stores API has its tokens, beside `Authorization`.
const API_KEY: &str = "x-api-key";
/// Who asks a server without tokens says so.
const ACTOR: &str = "x-mem-actor";
/// Who does not say so.
const ANONYMOUS: &str = "anonymous";

/// What whoever was not granted records is told.
pub(crate) fn no_records(verb: Verb) -> &'static str {
    match verb {
        Verb::Read => {
            "this token may not read records: it needs the grant `records:read` or `records:write`"
        }
        Verb::Write => "this token may not write records: it needs the grant `records:write`",
    }
}

/// Somebody who may ask.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// Who it is.
    pub(crate) actor: StorageActor,
    /// The workspace that all of it is in.
    pub(crate) workspace: String,
    /// The token that says what they may do; `None`: everything.
    token: Option<Box<Token>>,
}

impl Caller {
    /// Finds out who asks.
    ///
    /// # Errors
    /// 401 without a token that counts, 429 for one that asks too often.
    pub(crate) async fn authenticate(app: &App, headers: &HeaderMap) -> Result<Self, HttpProblem> {
        let caller = Self::authenticate_uncounted(app, headers).await?;
        if caller.token.is_some() {
            caller.count(app, DayMeasure::Requests)?;
        }
        Ok(caller)
    }

    /// The same for a request that takes nothing from the day's quota: a caller who has none left can see that.
    ///
    /// # Errors
    /// As [`Caller::authenticate`].
    pub(crate) async fn authenticate_uncounted(
        app: &App,
        headers: &HeaderMap,
    ) -> Result<Self, HttpProblem> {
        if app.access == ServerAccess::Open {
            let name = neighbour(headers);
            let actor = StorageActor::new(ActorKind::User, &name, &name);
            note_caller(&name, &name, DEFAULT_WORKSPACE);
            return Ok(Self {
                actor,
                workspace: DEFAULT_WORKSPACE.to_owned(),
                token: None,
            });
        }
        let Some(token) = Box::pin(token(app, headers)).await? else {
            app.metrics.unauthenticated.inc();
            let message = "a valid token is needed, as `Authorization: Bearer` or `x-api-key`";
            let problem = HttpProblem::new(StatusCode::UNAUTHORIZED, message);
            return Err(problem.with(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")));
        };
        note_caller(&token.id, &token.name, &token.workspace);
        app.pace.admit(&token.id)?;
        Ok(Self {
            actor: actor_of(&token),
            workspace: token.workspace.clone(),
            token: Some(Box::new(token)),
        })
    }

    /// Finds out who manages something of their workspace, [`grant::TOKENS`] or [`grant::WEBHOOKS`]: reads it with GET,
    /// and else changes it. `*` does not cover them: a token that leaked would else make others that outlive it, or be
    /// told of all that happens after it was revoked.
    ///
    /// # Errors
    /// As [`Caller::authenticate`]; 403 without the grant, 400 for a GET with a query.
    pub(crate) async fn authenticate_manager(
        app: &App,
        head: &Parts,
        resource: &'static str,
    ) -> Result<Self, HttpProblem> {
        let caller = Self::authenticate(app, &head.headers).await?;
        let (verb, may_not) = match (head.method == Method::GET, resource) {
            (true, _) => (Verb::Read, "list"),
            (false, grant::TOKENS) => (Verb::Write, "make or revoke"),
            (false, _) => (Verb::Write, "make or change"),
        };
        let wanted = Grant {
            resource: resource.to_owned(),
            verb,
        };
        if !caller.includes(&wanted) {
            let message =
                format!("this token may not {may_not} {resource}: it needs the grant `{wanted}`");
            return Err(HttpProblem::new(StatusCode::FORBIDDEN, message));
        }
        if verb == Verb::Read {
            Parameters::read(head.uri.query(), &[])?;
        }
        Ok(caller)
    }

    /// Counts something that has a limit for a day, and notes for the answer what is left.
    ///
    /// # Errors
    /// 429.
    pub(crate) fn count(&self, app: &App, measure: DayMeasure) -> Result<(), HttpProblem> {
        let owners = self.quota_owners();
        let counted = app.day_counts.admit(measure, &owners, (app.now)());
        if let Some(left) = quota_header(app, &owners) {
            note_quota(left);
        }
        counted
    }

    /// Whose quotas a request of theirs counts for.
    pub(crate) fn quota_owners(&self) -> [QuotaOwner; 2] {
        [
            QuotaOwner::Workspace(self.workspace.clone()),
            QuotaOwner::user(&self.workspace, self.user_id()),
        ]
    }

    /// The signed-in user that the token belongs to, else the token itself: a new session begins no new day.
    fn user_id(&self) -> &str {
        let owner = self.token().and_then(|token| token.user_id.as_deref());
        owner.unwrap_or(&self.actor.id)
    }

    /// The token that was shown; `None` at a server without tokens.
    pub(crate) fn token(&self) -> Option<&Token> {
        self.token.as_deref()
    }

    /// What they may do; `None`: everything.
    fn grants(&self) -> Option<&Vec<Grant>> {
        self.token.as_ref().map(|token| &token.grants)
    }

    /// The memory stores that they may do this with.
    pub(crate) fn scope(&self, verb: Verb) -> AccessScope {
        match self.grants() {
            Some(grants) => AccessScope::from_grants(&self.workspace, grants, verb),
            None => AccessScope::everything(&self.workspace),
        }
    }

    /// Refuses whoever was not granted records. Whose they are is not a matter of grants: everybody has
    /// their own.
    ///
    /// # Errors
    /// 403.
    pub(crate) fn require_records(&self, verb: Verb) -> Result<(), HttpProblem> {
        match self.has_records(verb) {
            true => Ok(()),
            false => Err(HttpProblem::new(StatusCode::FORBIDDEN, no_records(verb))),
        }
    }

    /// Whether they were granted records.
    pub(crate) fn has_records(&self, verb: Verb) -> bool {
        let covers = |one: &Grant| ["*", grant::RECORDS].contains(&one.resource.as_str());
        let is_allowed =
            |grants: &Vec<Grant>| grants.iter().any(|one| covers(one) && verb <= one.verb);
        self.grants().is_none_or(is_allowed)
    }

    /// Whether they may do all that a grant allows.
    pub(crate) fn includes(&self, wanted: &Grant) -> bool {
        let held = self.grants();
        held.is_none_or(|held| grant::include(held, wanted))
    }

    /// Whether they were granted records and nothing else.
    pub(crate) fn has_records_alone(&self) -> bool {
        let is_alone = |grants: &Vec<Grant>| {
            !grants.is_empty() && grants.iter().all(|one| one.resource == grant::RECORDS)
        };
        self.grants().is_some_and(is_alone)
    }

    /// Refuses what the grants do not cover, and every repository where the token is for another workspace
    /// than the one that they are in. Says the same of repositories that are there and of others,
    /// because grants are all that it looks at.
    ///
    /// # Errors
    /// 403.
    pub(crate) fn require(
        &self,
        repository: &RepositoryName,
        verb: Verb,
    ) -> Result<(), HttpProblem> {
        let is_allowed = |grants: &Vec<Grant>| {
            self.workspace == DEFAULT_WORKSPACE && grant::allow(grants, repository, verb)
        };
        if self.grants().is_none_or(is_allowed) {
            return Ok(());
        }
        let message = "this token may not do that with this repository";
        Err(HttpProblem::new(StatusCode::FORBIDDEN, message))
    }

    /// The same, but the forge may allow a signed-in user to read.
    ///
    /// # Errors
    /// 403; 503 where the forge does not say.
    pub(crate) async fn require_with_forge(
        &self,
        app: &App,
        repository: &RepositoryName,
        verb: Verb,
    ) -> Result<(), HttpProblem> {
        let refused = match self.require(repository, verb) {
            Ok(()) => return Ok(()),
            Err(refused) => refused,
        };
        let forge = app
            .identity
            .as_ref()
            .and_then(|identity| identity.forge.as_ref());
        let session = self.token.as_ref().and_then(|token| token.session.as_ref());
        let login = session.and_then(|session| session.forge_login.as_deref());
        let (Some(forge), Some(login)) = (forge, login) else {
            return Err(refused);
        };
        let is_open = verb == Verb::Read && self.workspace == DEFAULT_WORKSPACE;
        match is_open && forge.may_read(login, repository).await? {
            true => Ok(()),
            false => Err(refused),
        }
    }
}

/// Who acts with a token: in a session its user, else the token.
fn actor_of(token: &Token) -> StorageActor {
    match (&token.session, &token.user_id) {
        (Some(_), Some(user)) => StorageActor::new(ActorKind::User, user, &token.name),
        _ => StorageActor::new(ActorKind::ApiKey, &token.id, &token.name),
    }
}

/// The token of a request, if it counts at this moment. A session that is about to end is renewed.
async fn token(app: &App, headers: &HeaderMap) -> Result<Option<Token>, HttpProblem> {
    let Some((text, sha256)) =
        presented(headers).and_then(|text| Some((text, secret::digest(text)?)))
    else {
        return Ok(None);
    };
    let found = app.database.token_by_hash(&sha256).await?;
    let Some(mut token) = found.filter(|token| token.sha256.ct_eq(&sha256).into()) else {
        return Ok(None);
    };
    if let (Some(identity), Some(_)) = (&app.identity, &token.session) {
        token = Box::pin(identity.renewed(token, text)).await?;
    }
    let now = (app.now)();
    if !token.is_valid(now) {
        return Ok(None);
    }
    app.uses.note(&app.database, &token, now);
    Ok(Some(token))
}

/// The text that is to be a token. Two that differ are none.
fn presented(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get_all(AUTHORIZATION).iter().map(|value| {
        let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    let key = headers.get_all(API_KEY).iter();
    let key = key.map(|value| value.to_str().ok().map(str::trim));
    let mut all = bearer.chain(key);
    let first = all.next()??;
    all.all(|other| other == Some(first)).then_some(first)
}

/// The name that a program of this machine gives itself.
fn neighbour(headers: &HeaderMap) -> String {
    let said = headers.get(ACTOR).map(HeaderValue::as_bytes);
    let said = String::from_utf8_lossy(said.unwrap_or_default());
    let plain = said.trim().chars().filter(|c| !c.is_control());
    let name: String = plain.take(LABEL_CHARS_MAX).collect();
    if name.is_empty() {
        return ANONYMOUS.to_owned();
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_found_in_both_headers() {
        let read = |pairs: &[(&'static str, &str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                headers.append(*name, HeaderValue::from_str(value).unwrap());
            }
            presented(&headers).map(str::to_owned)
        };
        let some = Some("t".to_owned());
        assert_eq!(read(&[("authorization", "Bearer t")]), some);
        assert_eq!(read(&[("authorization", "bearer  t ")]), some);
        assert_eq!(read(&[("x-api-key", "t")]), some);
        assert_eq!(
            read(&[("x-api-key", "t"), ("authorization", "Bearer t")]),
            some
        );
        assert_eq!(
            read(&[("x-api-key", "u"), ("authorization", "Bearer t")]),
            None
        );
        assert_eq!(read(&[("authorization", "Basic t")]), None);
        assert_eq!(read(&[]), None);
    }
}
