//! Why the team's memory, or one's own notes, cannot be shared right now.

use std::io;
use std::path::PathBuf;

use mem_core::config::ConfigError;
use mem_core::inbox::InboxError;
use mem_core::memory::MemoryError;
use mem_core::memory_path::InvalidPath;
use mem_core::run::HomeError;
use mem_core::state_file::StateError;
use mem_core::store::StoreError;
use mem_core::{Diagnose, ErrorKind};
use mem_stores::client::ClientError;
use mem_sync::client::StopReason;
use mem_sync::files::FilesError;
use mem_sync::key::InvalidKey;
use mem_sync::limits::REASON_CHARS_MAX;
use mem_sync::outbound_scan::OutboundScanError;
use mem_sync::plan::BlockedFile;
use mem_sync::remote::RemoteError;
use mem_sync::remote::git::GitRemoteError;
use mem_sync::remote::http::HttpError;
use mem_sync::repository::InvalidRepository;

use super::address::InvalidAddress;
use super::outbound_scan::{blocked_hint, blocked_kind};
use super::tokens::TokenError;

/// What gives the private notes of a repository a name.
const NAMED: &str = "`mem config set --repository team.repo OWNER/REPO` names it, as a remote `origin` on a server does; \
                     the global notes travel without";
const ELSEWHERE: &str = "use a repository or a server of your own";

/// Sharing is not set up, or not as it was agreed to.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum TeamError {
    /// No remote.
    #[error("team memory is not shared from here yet")]
    #[diagnose(
        NotFound,
        hint = "`mem team setup --remote git:origin` shares it through the git remote, `--remote \
                https://…` through a server"
    )]
    NotSetUp,
    /// No remote, where the repository suggests one.
    #[error("team memory is not shared from here yet")]
    #[diagnose(
        NotFound,
        hint = "`mem team join` shares it as `.mem/team.toml` of this repository suggests"
    )]
    NotJoined,
    /// A file that no review lets go.
    #[error("not sent: {0}")]
    #[diagnose(kind = blocked_kind(_0), hint = blocked_hint(_0))]
    Blocked(BlockedFile),
    /// `git:NAME` without such a remote.
    #[error("this repository has no git remote `{0}`")]
    #[diagnose(NotFound, hint = "`git remote -v` lists them")]
    NoSuchRemote(String),
    /// The name of a git remote stands for another address.
    #[error("the git remote `{remote}` is not the one that team memory was set up with")]
    #[diagnose(
        Refused,
        hint = "if that is meant, `mem team setup --remote git:{remote} --repo {repository}` looks at the new address"
    )]
    Moved {
        /// The name of the git remote.
        remote: String,
        /// What the memory is called there.
        repository: String,
    },
    /// Another repository has its memory in the same directory.
    #[error(
        "`{}` has its memory in the same directory as this repository: hosts give both paths one name",
        .0.display()
    )]
    #[diagnose(
        Refused,
        hint = "rename one of the two folders, then `mem adopt` in it; what is shared from here would be of both"
    )]
    SharedDirectory(PathBuf),
    /// An agent's environment names another remote.
    #[error("`{0}` names where memory goes: that is for a person to set, and an agent runs this")]
    #[diagnose(
        Refused,
        hint = "ask the person to run `mem team setup`, or `mem sync setup` for their own notes"
    )]
    ByEnvironment(String),
    /// Several repositories could be meant.
    #[error("this clone has two remotes, `{origin}` and `{upstream}`: whose memory is meant?")]
    #[diagnose(Invalid, hint = "give --repo {upstream} or --repo {origin}")]
    ForkOrUpstream {
        /// The name of the one.
        origin: String,
        /// The name of the other.
        upstream: String,
    },
    /// Nothing to take a name from.
    #[error("the name of the team's repository is not known: {0}")]
    #[diagnose(Invalid, hint = "give it with --repo OWNER/REPO")]
    Nameless(String),
    /// Anybody can read it.
    #[error("anybody can read `{0}`: what is shared there is public")]
    #[diagnose(
        Refused,
        hint = "use a private remote or a server; --public shares it with the world all the same"
    )]
    Public(String),
    /// Nothing has this key.
    #[error("nothing at the remote is called `{key}`")]
    #[diagnose(
        NotFound,
        hint = "`{command} status` tells what is there, `{command} diff` what differs"
    )]
    NoSuchKey {
        /// The key, as it may be shown.
        key: String,
        /// The command that shares it.
        command: &'static str,
    },
    /// Nothing ever had this key.
    #[error("nothing at the remote was ever called `{key}`")]
    #[diagnose(
        NotFound,
        hint = "check the name, and that `{repository}` is the right memory"
    )]
    NeverThere {
        /// The key, as it may be shown.
        key: String,
        /// What `team.repo` is, or the name of one's own notes.
        repository: String,
    },
    /// Its name is to go, and it is there.
    #[error("`{key}` is at the remote: its name goes once it is deleted there")]
    #[diagnose(
        Refused,
        hint = "delete it with `{command} delete`, then run this again"
    )]
    NameStands {
        /// The key, as it may be shown.
        key: String,
        /// The command that deletes, without its verb.
        command: &'static str,
    },
    /// The remote still has a content that was changed here.
    #[error("`{key}` at the remote is as it was before the change here, which is not sent yet")]
    #[diagnose(Refused, hint = Some(remedy.clone()))]
    ChangeNotSent {
        /// The key, as it may be shown.
        key: String,
        /// How it gets sent, or why it is not.
        remedy: String,
    },
    /// A redaction is pushed over what was there.
    #[error("the git remote does not let what it has be written anew: {0}")]
    #[diagnose(
        Refused,
        hint = "nothing was taken out: ask who runs it to let `refs/mem` be forced, or to delete \
                that ref; the next sync writes what stands here anew, without its past"
    )]
    NoRewrite(String),
    /// It would be read by everybody, for good.
    #[error("the reason holds a secret: {0}")]
    #[diagnose(Secret, hint = "say why without the value; nothing was deleted")]
    SecretReason(String),
    /// Longer than what is kept of it.
    #[error("the reason has {0} characters, more than {REASON_CHARS_MAX}")]
    #[diagnose(Invalid, hint = "say it in a sentence; nothing was deleted")]
    LongReason(usize),
    /// Nothing gave way there.
    #[error("no text of `{key}` gave way")]
    #[diagnose(NotFound, hint = "`{command}` lists what gave way")]
    NoConflict {
        /// The key, as it may be shown.
        key: String,
        /// The command that lists what did.
        command: String,
    },
    /// It does not wait.
    #[error("`{0}` does not wait for a review")]
    #[diagnose(NotFound, hint = "`mem team review` lists what does")]
    NotInReview(String),
    /// Both texts still stand between their marks.
    #[error("the marks of the two texts still stand in `{0}`: nothing was decided")]
    #[diagnose(Invalid, hint = "take the lines with <<<, === and >>> out")]
    MarksLeft(String),
    /// One's own tiers go nowhere.
    #[error("your own notes are not kept in step with other machines from here yet")]
    #[diagnose(
        NotFound,
        hint = "`mem sync setup --remote git:URL` keeps them in a private git repository, `--remote \
                https://…` at a server"
    )]
    OwnNotSetUp,
    /// A server has other people's names too.
    #[error("at a server your own notes need a name that nobody else has")]
    #[diagnose(Invalid, hint = "give --name, the same on all your machines")]
    OwnNameless,
    /// Not the beginning of an `owner/repo`.
    #[error("`{0}` cannot be the beginning of the names of your own notes")]
    #[diagnose(
        Invalid,
        hint = "give --name letters, digits, `-`, `_` and dots, such as `me`"
    )]
    OwnName(String),
    /// `git:NAME`, which is another remote in every repository.
    #[error("`{0}` is not the address of a git remote")]
    #[diagnose(
        Invalid,
        hint = "give its address: a name means another remote in every repository"
    )]
    OwnByName(String),
    /// Nothing that this repository's private notes could be called by on every machine.
    #[error("this repository has no name that all your machines know: {0}")]
    #[diagnose(Invalid, hint = NAMED)]
    OwnUnnamed(String),
    /// Notes that are not kept in step.
    #[error("the {scope} notes stay on this machine{}", because_text(why.as_deref()))]
    #[diagnose(Invalid, hint = NAMED)]
    OwnStay {
        /// Which.
        scope: &'static str,
        /// Why, where that has a reason.
        why: Option<String>,
    },
    /// Anybody can read it.
    #[error("anybody can read `{0}`: your own notes do not go there")]
    #[diagnose(Refused, hint = "use a private repository of your own")]
    OwnPublic(String),
    /// One's own notes are there.
    #[error("your own notes are kept at `{0}`: what the team shares does not go there")]
    #[diagnose(
        Refused,
        hint = "share it elsewhere, or `mem sync leave` and keep your own notes elsewhere"
    )]
    TeamIsOwn(String),
    /// Colleagues read it.
    #[error("the team's memory is shared at `{0}`: your own notes do not go there")]
    #[diagnose(Refused, hint = ELSEWHERE)]
    OwnIsTeams(String),
    /// Colleagues of another repository read it.
    #[error(
        "the team's memory of `{root}` is shared at `{address}`: your own notes do not go there"
    )]
    #[diagnose(Refused, hint = ELSEWHERE)]
    OwnIsOtherTeams {
        /// The remote.
        address: String,
        /// That repository.
        root: String,
    },
    /// Whoever works on the repository reads it.
    #[error("`{0}` is a remote of this repository: whoever reads that could read your own notes")]
    #[diagnose(
        Refused,
        hint = "use a repository of your own; --mine if nobody but you reads this one"
    )]
    OwnIsShared(String),
    /// A server that asks nobody who they are.
    #[error("the server at `{0}` lets anybody read")]
    #[diagnose(Refused, hint = "have it ask for tokens, and `mem team login` there")]
    OpenServer(String),
    /// An agent would delete for everybody, and there is nothing here that could wait for a person.
    #[error("what is shared, and with whom, is for a person to decide, and an agent runs this")]
    #[diagnose(Refused, hint = "ask the person to run it in a terminal of their own")]
    AgentDeletes,
    /// Nothing was suggested.
    #[error("this repository suggests no team memory")]
    #[diagnose(
        NotFound,
        hint = "the person who set it up commits `.mem/team.toml` (`mem help team join` shows it), or you run \
                `mem team setup --remote … --repo OWNER/REPO` as they did"
    )]
    NoSuggestion,
    /// The suggestion is no such file.
    #[error("`.mem/team.toml` {0}")]
    #[diagnose(Invalid, hint = "ask whoever wrote it, or run `mem team setup`")]
    Suggestion(String),
    /// No place for a temporary copy.
    #[error(transparent)]
    #[diagnose(Io)]
    Temporary(#[from] io::Error),
    /// The files cannot be read or written.
    #[error(transparent)]
    #[diagnose(kind = files_kind(_0), hint = files_hint(_0))]
    Files(#[from] FilesError),
    /// What may leave cannot be told.
    #[error(transparent)]
    #[diagnose(Invalid)]
    OutboundScan(#[from] OutboundScanError),
    /// The address of the remote cannot be understood.
    #[error(transparent)]
    Address(#[from] InvalidAddress),
    /// A server of memory stores does not answer.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The settings cannot be read or written.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The copy of a git remote cannot be made.
    #[error(transparent)]
    Git(#[from] GitRemoteError),
    /// There is no home directory.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// A server cannot be asked.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// What waits for a person cannot be changed.
    #[error(transparent)]
    Inbox(#[from] InboxError),
    /// A name cannot be shared.
    #[error(transparent)]
    Key(#[from] InvalidKey),
    /// A memory cannot be read or changed.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// A name cannot stand here.
    #[error(transparent)]
    Path(#[from] InvalidPath),
    /// The remote says no, or nothing.
    #[error(transparent)]
    Remote(#[from] RemoteError),
    /// A name is not one of a repository.
    #[error(transparent)]
    Repository(#[from] InvalidRepository),
    /// What is remembered of the remote cannot be kept.
    #[error(transparent)]
    State(#[from] StateError),
    /// The store refuses, or the system does.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The token cannot be used.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// A round stopped.
    #[error(transparent)]
    StopReason(#[from] StopReason),
}

impl TeamError {
    /// Why a redaction was not made, where that is more than what the remote says.
    pub fn of_redaction(error: RemoteError) -> Self {
        match error {
            RemoteError::RefNotTaken { message, .. } => Self::NoRewrite(message),
            error => error.into(),
        }
    }

    /// Whether the settings cannot be read: the message quotes what somebody wrote into them.
    pub fn is_of_settings(&self) -> bool {
        matches!(self, Self::Config(_))
    }
}

/// What is known of why files cannot be read or written.
fn files_diagnosis(error: &FilesError) -> Option<&dyn Diagnose> {
    let of_store = error.0.downcast_ref::<StoreError>();
    let of_state = || error.0.downcast_ref::<StateError>();
    of_store
        .map(|error| error as &dyn Diagnose)
        .or_else(|| of_state().map(|error| error as &dyn Diagnose))
}

fn files_kind(error: &FilesError) -> ErrorKind {
    files_diagnosis(error).map_or(ErrorKind::Io, Diagnose::kind)
}

fn files_hint(error: &FilesError) -> Option<String> {
    files_diagnosis(error).and_then(Diagnose::hint)
}

fn because_text(why: Option<&str>) -> String {
    why.map_or(String::new(), |why| format!(": {why}"))
}
