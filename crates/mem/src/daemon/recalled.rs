//! Recalling through a daemon: the question as it is asked here, and the answer as it would be given here.
//! Whoever asks sends the world as they see it, so that both give the same.

use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use jiff::Timestamp;
use mem_core::location::{self, ProjectContext};
use mem_core::{Dirs, Environment, Now};
use mem_daemon::client::DaemonClient;
use mem_daemon::protocol::DaemonRequest as Ask;
use mem_find::chosen::RecallAnswer;
use mem_find::encoding::PromptEncoding;
use mem_find::reply::RecallReply;
use mem_find::request::{RecallChoice, RecallRequest};
use mem_find::settings;
use mem_recall::RankFilter;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::context::Context;
use crate::question;
use mem_daemon::VERSION;
use mem_daemon::ask::IMPATIENCE;
use mem_daemon::instance::DaemonInstance;

/// What it is called.
pub(super) const NAME: &str = "recall";

/// Variables that may change an answer begin with one of these.
const PREFIXES: [&str; 4] = ["MEM_", "CLAUDE", "CODEX_", "GIT_"];
/// Or are one of these.
const NAMES: [&str; 4] = ["HOME", "LOGNAME", "PWD", "USER"];
/// They never do, and are nobody else's.
const WITHHELD: [&str; 3] = ["MEM_TOKEN", mem_agent::model::KEY_VARIABLE, "MEM_NOW"];

/// A question, with the world of whoever asks.
#[derive(Debug, Serialize, Deserialize)]
struct RemoteQuestion {
    version: String,
    env: Vec<(String, String)>,
    cwd: PathBuf,
    now: Timestamp,
    /// The directories that a daemon's name does not tell.
    cache: PathBuf,
    home: Option<PathBuf>,
    prompt: String,
    limit: usize,
    min_score: f32,
    kinds: Vec<String>,
    scopes: Vec<String>,
    tags: Vec<String>,
    exclude: Vec<String>,
    choice: Option<RecallChoice>,
    tools: Vec<String>,
    session: Option<String>,
}

/// The answer of a running daemon; `None` where there is none, or none in time.
pub(crate) fn ask_daemon(
    request: &RecallRequest,
    place: &ProjectContext,
    context: &Context,
) -> Option<RecallAnswer> {
    let house = DaemonInstance::for_memory(place, context).ok()?;
    if !house.place.socket().exists() {
        return None;
    }
    let asked = RemoteQuestion::from_request(request, context)?;
    let mut client = DaemonClient::connect(&house.place, IMPATIENCE).ok()?;
    let name = NAME.to_owned();
    let input = serde_json::to_value(asked).ok()?;
    let answer = client.ask(Ask::Work { name, input }).ok()?;
    serde_json::from_value::<RecallReply>(answer)
        .ok()?
        .into_answer()
}

/// Answers a question that came over the socket.
///
/// # Errors
/// It is none, comes from another world, or cannot be answered.
pub(super) fn answer_question(input: Value, context: &Context) -> Result<Value> {
    let asked: RemoteQuestion = serde_json::from_value(input).context("not a question")?;
    ensure!(asked.version == VERSION, "it is asked by another version");
    let prompt = asked.prompt.clone();
    let dirs = context.dirs()?;
    std::thread::scope(|scope| {
        // Nothing is looked at before it begins: it is what takes longest.
        let encoding = PromptEncoding::begin_encoding(scope, &prompt, dirs);
        recall_answer(encoding, asked, context)
    })
}

fn recall_answer(
    encoding: PromptEncoding<'_>,
    asked: RemoteQuestion,
    context: &Context,
) -> Result<Value> {
    let (request, context) = asked.into_request(context)?;
    let dirs = context.dirs()?;
    let place = location::open(&context.cwd, dirs, &context.env, &[])?;
    ensure!(place.location.enabled, "memory is off there");
    let request = RecallRequest {
        weights: settings::rank_weights(&place.config),
        ..request
    };
    let answer = question::looked_up_while(encoding, &request, &place, &context)?;
    let reply = RecallReply::from_answer(answer).context("a word that is not known")?;
    Ok(serde_json::to_value(reply)?)
}

impl RemoteQuestion {
    /// `None` where something is asked that does not go over the socket.
    fn from_request(request: &RecallRequest, context: &Context) -> Option<Self> {
        let RecallRequest {
            prompt,
            limit,
            min_score,
            filter,
            exclude,
            choice,
            tools,
            session,
            // Of the settings, which are the same there.
            weights: _,
        } = request;
        let RankFilter {
            kinds,
            scopes,
            categories,
            tags,
            min_importance: None,
            exclude: keys,
            below,
            expired: false,
        } = filter
        else {
            return None;
        };
        let dirs = context.dirs().ok()?;
        (categories.is_empty() && keys.is_empty() && below.is_empty()).then(|| Self {
            version: VERSION.to_owned(),
            env: env_variables(&context.env),
            cwd: context.cwd.clone(),
            now: context.now.0,
            cache: dirs.cache.clone(),
            home: dirs.home.clone(),
            prompt: prompt.clone(),
            limit: *limit,
            min_score: *min_score,
            kinds: kinds.clone(),
            scopes: scopes.clone(),
            tags: tags.clone(),
            exclude: exclude.clone(),
            choice: choice.clone(),
            tools: tools.clone(),
            session: session.clone(),
        })
    }

    /// The question, and the world that it is asked in.
    fn into_request(self, context: &Context) -> Result<(RecallRequest, Context)> {
        let Dirs { cache, home, .. } = context.dirs()?;
        let is_same = *cache == self.cache && *home == self.home;
        ensure!(is_same, "it is asked from another home");
        let env: Environment = self.env.into_iter().collect();
        let world = context.as_seen_by(env, Now(self.now), self.cwd);
        let request = RecallRequest {
            prompt: self.prompt,
            limit: self.limit,
            min_score: self.min_score,
            filter: RankFilter {
                kinds: self.kinds,
                scopes: self.scopes,
                tags: self.tags,
                ..RankFilter::default()
            },
            exclude: self.exclude,
            choice: self.choice,
            tools: self.tools,
            session: self.session,
            weights: mem_recall::RankWeights::default(),
        };
        Ok((request, world))
    }
}

fn env_variables(env: &Environment) -> Vec<(String, String)> {
    let counts = |name: &str| {
        let is_named = NAMES.contains(&name) || PREFIXES.iter().any(|one| name.starts_with(one));
        is_named && !WITHHELD.contains(&name)
    };
    let pairs = env.iter().filter(|(name, _)| counts(name));
    pairs
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}
