//! The forge as the judge of who may read the memory of a repository: people who may read the repository.
//!
//! ```text
//!   GitHub   GET /repos/{owner}/{repo}/collaborators/{login}/permission   `permission` is not `none`
//!   GitLab   GET /users?username={login}, then
//!            GET /projects/{path}/members/all/{id}                        `access_level` is 20 (reporter) or more
//! ```
//!
//! Both as the public documentation of the forges has them. Answers hold for a few minutes; while the forge is down, those
//! that are known hold until then, and others are 503.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use mem_http::{BodyReader, HttpReply, LineFault};
use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use reqwest::{Client, Url};
use secrecy::SecretString;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::settings::{ForgeKind, ForgeSettings, IdentityError, address, invalid, read_secret};
use crate::http::problem::HttpProblem;
use crate::locks::lock;
use crate::options::Clock;
use crate::storage::RepositoryName;

/// Of an answer of the forge.
const ANSWER_BYTES_MAX: usize = 256 * 1024;
/// For a connection, and for an answer.
const CONNECT: Duration = Duration::from_secs(5);
const ANSWER: Duration = Duration::from_secs(10);
/// Answers that are kept.
const KEPT_MAX: usize = 10_000;
/// Of a user's name at a forge.
const LOGIN_CHARS_MAX: usize = 255;
/// From this level on a member of a private GitLab project reads its code.
const REPORTER: i64 = 20;

/// Whether a text can be the name of a user at a forge.
pub(super) fn is_login(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    text.len() <= LOGIN_CHARS_MAX
        && text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && text.bytes().all(is_plain)
}

/// A user and a repository.
type Question = (String, String);

/// The forge of the settings.
pub(crate) struct Forge {
    kind: ForgeKind,
    api: Url,
    http: Client,
    token: SecretString,
    keep: SignedDuration,
    now: Clock,
    /// What it said, and until when that holds.
    known: Mutex<HashMap<Question, (bool, Timestamp)>>,
}

/// The forge did not say.
#[derive(Debug, thiserror::Error)]
enum ForgeFault {
    #[error(transparent)]
    Line(#[from] LineFault),
    #[error("it answered HTTP {0}")]
    Status(u16),
    #[error("its answer is not the JSON that was expected")]
    Form,
}

/// GitHub's answer about a collaborator.
#[derive(Deserialize)]
struct GithubPermission {
    permission: String,
}

/// One of GitLab's users.
#[derive(Deserialize)]
struct GitlabUser {
    id: u64,
    username: String,
    state: String,
}

/// GitLab's answer about a member.
#[derive(Deserialize)]
struct GitlabMember {
    access_level: i64,
    state: String,
}

impl Forge {
    /// The forge of the settings; it is asked when somebody reads.
    pub(super) fn open(settings: &ForgeSettings, now: &Clock) -> Result<Self, IdentityError> {
        let api = address("forge.api", &settings.api)?;
        let token = read_secret("forge.token_file", &settings.token_file)?;
        let bearer = mem_http::credential_header("Bearer ", &token);
        let bearer = bearer.ok_or_else(|| invalid("forge.token_file", "holds no token"))?;
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, bearer);
        headers.insert(USER_AGENT, HeaderValue::from_static("mem-server"));
        if settings.kind == ForgeKind::Github {
            let version = HeaderName::from_static("x-github-api-version");
            headers.insert(version, HeaderValue::from_static("2022-11-28"));
            headers.insert(
                ACCEPT,
                HeaderValue::from_static("application/vnd.github+json"),
            );
        }
        let http = mem_http::client_builder(&api, headers, CONNECT).timeout(ANSWER);
        Ok(Self {
            kind: settings.kind,
            http: http.build().map_err(LineFault::from)?,
            api,
            token,
            keep: SignedDuration::from_mins(settings.keep_minutes.into()),
            now: Arc::clone(now),
            known: Mutex::default(),
        })
    }

    /// Whether a user may read a repository.
    ///
    /// # Errors
    /// 503 where the forge does not say.
    pub(crate) async fn may_read(
        &self,
        login: &str,
        repository: &RepositoryName,
    ) -> Result<bool, HttpProblem> {
        let question = (login.to_owned(), repository.as_str().to_owned());
        if let Some(known) = self.known_answer(&question) {
            return Ok(known);
        }
        let asked = match self.kind {
            ForgeKind::Github => self.ask_github(login, repository.as_str()).await,
            ForgeKind::Gitlab => self.ask_gitlab(login, repository.as_str()).await,
        };
        let may = asked.map_err(|fault| {
            tracing::warn!(error = %fault, "the forge does not say who may read");
            let message = "the forge cannot be asked whether this user may read the repository";
            HttpProblem::new(StatusCode::SERVICE_UNAVAILABLE, message).retry_after(30)
        })?;
        self.keep_answer(question, may);
        Ok(may)
    }

    async fn ask_github(&self, login: &str, repository: &str) -> Result<bool, ForgeFault> {
        let Some((owner, name)) = repository
            .split_once('/')
            .filter(|(_, name)| !name.contains('/'))
        else {
            return Ok(false);
        };
        let place =
            self.request_place(&["repos", owner, name, "collaborators", login, "permission"]);
        let answer: Option<GithubPermission> = self.get_answer(place).await?;
        Ok(answer.is_some_and(|answer| answer.permission != "none"))
    }

    async fn ask_gitlab(&self, login: &str, repository: &str) -> Result<bool, ForgeFault> {
        let mut place = self.request_place(&["users"]);
        place.query_pairs_mut().append_pair("username", login);
        let users: Option<Vec<GitlabUser>> = self.get_answer(place).await?;
        let mut users = users.unwrap_or_default().into_iter();
        let is_meant =
            |user: &GitlabUser| user.username.eq_ignore_ascii_case(login) && user.state == "active";
        let Some(user) = users.find(is_meant) else {
            return Ok(false);
        };
        let place = self.request_place(&[
            "projects",
            repository,
            "members",
            "all",
            &user.id.to_string(),
        ]);
        let member: Option<GitlabMember> = self.get_answer(place).await?;
        Ok(
            member
                .is_some_and(|member| member.state == "active" && member.access_level >= REPORTER),
        )
    }

    /// An address below that of the API; a slash within a part is escaped.
    fn request_place(&self, parts: &[&str]) -> Url {
        let mut place = self.api.clone();
        if let Ok(mut path) = place.path_segments_mut() {
            path.pop_if_empty().extend(parts);
        }
        place
    }

    /// What is at an address; `None` where nothing is.
    async fn get_answer<T: DeserializeOwned>(&self, place: Url) -> Result<Option<T>, ForgeFault> {
        let reader = BodyReader {
            bytes_max: ANSWER_BYTES_MAX,
            stall: CONNECT,
            secret: Some(self.token.clone()),
        };
        let reply = self.http.get(place).send().await.map_err(LineFault::from)?;
        let HttpReply { status, body, .. } = &reader.read(reply).await?;
        match status.as_u16() {
            200 => serde_json::from_slice(body)
                .map(Some)
                .map_err(|_| ForgeFault::Form),
            404 => Ok(None),
            status => Err(ForgeFault::Status(status)),
        }
    }

    fn known_answer(&self, question: &Question) -> Option<bool> {
        let known = lock(&self.known);
        let (may, until) = known.get(question)?;
        ((self.now)() < *until).then_some(*may)
    }

    fn keep_answer(&self, question: Question, may: bool) {
        let now = (self.now)();
        let mut known = lock(&self.known);
        if known.len() >= KEPT_MAX {
            known.retain(|_, (_, until)| now < *until);
        }
        if known.len() < KEPT_MAX {
            known.insert(question, (may, now + self.keep));
        }
    }
}
