//! Recalling through a daemon: the question as it is asked here, and the answer as it would be given here.
//! Whoever asks sends the world as they see it, so that both give the same.

use std::path::PathBuf;

use jiff::Timestamp;
use mem_core::environment::{MODEL_KEY_VARIABLE, TOKEN_VARIABLE};
use mem_core::location::{self, LocationError, ProjectContext};
use mem_core::run::HomeError;
use mem_core::{Dirs, Environment, Now, RunContext};
use mem_daemon::VERSION;
use mem_daemon::ask::IMPATIENCE;
use mem_daemon::client::DaemonClient;
use mem_daemon::instance::DaemonInstance;
use mem_daemon::protocol::DaemonRequest as Ask;
use mem_recall::RankFilter;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::encoding::PromptEncoding;
use crate::recall::{RecallError, answer_from_files_while};
use crate::recall_answer::RecallAnswer;
use crate::reply::RecallReply;
use crate::request::{RecallChoice, RecallRequest};
use crate::settings;

/// What it is called.
pub const RECALL_JOB: &str = "recall";

/// Variables that may change an answer begin with one of these.
const PREFIXES: [&str; 4] = ["MEM_", "CLAUDE", "CODEX_", "GIT_"];
/// Or are one of these.
const NAMES: [&str; 4] = ["HOME", "LOGNAME", "PWD", "USER"];
/// They never do, and are nobody else's.
const WITHHELD: [&str; 3] = [TOKEN_VARIABLE, MODEL_KEY_VARIABLE, "MEM_NOW"];

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
    run: &RunContext,
) -> Option<RecallAnswer> {
    let house = DaemonInstance::for_memory(place, run).ok()?;
    if !house.place.socket().exists() {
        return None;
    }
    let asked = RemoteQuestion::from_request(request, run)?;
    let mut client = DaemonClient::connect(&house.place, IMPATIENCE).ok()?;
    let name = RECALL_JOB.to_owned();
    let input = serde_json::to_value(asked).ok()?;
    let answer = client.ask(Ask::Work { name, input }).ok()?;
    serde_json::from_value::<RecallReply>(answer)
        .ok()?
        .into_answer()
}

/// Why a daemon does not answer a question; the caller answers it without one.
#[derive(Debug, thiserror::Error)]
pub enum RemoteRecallError {
    /// It is none.
    #[error("not a question: {0}")]
    Malformed(serde_json::Error),
    /// The other end may mean something else by it.
    #[error("it is asked by another version")]
    OtherVersion,
    /// Its directories are not those of the daemon.
    #[error("it is asked from another home")]
    OtherHome,
    /// There is no memory.
    #[error("memory is off there")]
    Off,
    /// The answer cannot go over the socket.
    #[error("a word that is not known")]
    Unknown,
    /// There is no home directory.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// The folder is gone, or its settings are broken. Not transparent: what masks the values of settings looks for it.
    #[error("{0}")]
    Location(#[from] LocationError),
    /// It cannot be answered.
    #[error(transparent)]
    Recall(#[from] RecallError),
    /// The answer is no JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

/// Answers a question that came over the socket.
///
/// # Errors
/// It is none, comes from another world, or cannot be answered.
pub fn answer_question(input: Value, run: &RunContext) -> Result<Value, RemoteRecallError> {
    let asked: RemoteQuestion =
        serde_json::from_value(input).map_err(RemoteRecallError::Malformed)?;
    if asked.version != VERSION {
        return Err(RemoteRecallError::OtherVersion);
    }
    let prompt = asked.prompt.clone();
    let dirs = run.dirs()?;
    std::thread::scope(|scope| {
        // Nothing is looked at before it begins: it is what takes longest.
        let encoding = PromptEncoding::begin_encoding(scope, &prompt, dirs);
        recall_answer(encoding, asked, run)
    })
}

fn recall_answer(
    encoding: PromptEncoding<'_>,
    asked: RemoteQuestion,
    run: &RunContext,
) -> Result<Value, RemoteRecallError> {
    let (request, run) = asked.into_request(run)?;
    let place = location::open(&run.cwd, run.dirs()?, &run.env, &[])?;
    if !place.location.enabled {
        return Err(RemoteRecallError::Off);
    }
    let request = RecallRequest {
        weights: settings::rank_weights(&place.config),
        ..request
    };
    let answer = answer_from_files_while(encoding, &request, &place, &run)?;
    let reply = RecallReply::from_answer(answer).ok_or(RemoteRecallError::Unknown)?;
    Ok(serde_json::to_value(reply)?)
}

impl RemoteQuestion {
    /// `None` where something is asked that does not go over the socket.
    fn from_request(request: &RecallRequest, run: &RunContext) -> Option<Self> {
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
        let dirs = run.dirs().ok()?;
        (categories.is_empty() && keys.is_empty() && below.is_empty()).then(|| Self {
            version: VERSION.to_owned(),
            env: env_variables(&run.env),
            cwd: run.cwd.clone(),
            now: run.now.0,
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
    fn into_request(
        self,
        run: &RunContext,
    ) -> Result<(RecallRequest, RunContext), RemoteRecallError> {
        let Dirs { cache, home, .. } = run.dirs()?;
        let is_same = *cache == self.cache && *home == self.home;
        if !is_same {
            return Err(RemoteRecallError::OtherHome);
        }
        let mut world = run.clone();
        world.env = self.env.into_iter().collect();
        (world.now, world.cwd) = (Now(self.now), self.cwd);
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
