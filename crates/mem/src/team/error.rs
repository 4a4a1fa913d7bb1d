//! Why the team's memory, or one's own notes, cannot be shared right now.

use mem_core::{Diagnose, ErrorKind};
use mem_sync::limits::REASON_CHARS_MAX;
use mem_sync::remote::RemoteError;

/// Sharing is not set up, or not as it was agreed to.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TeamError {
    /// No remote.
    #[error("team memory is not shared from here yet")]
    NotSetUp,
    /// `git:NAME` without such a remote.
    #[error("this repository has no git remote `{0}`")]
    NoSuchRemote(String),
    /// The name of a git remote stands for another address.
    #[error("the git remote `{0}` is not the one that team memory was set up with")]
    Moved(String),
    /// An agent's environment names another remote.
    #[error("`{0}` names where memory goes: that is for a person to set, and an agent runs this")]
    ByEnvironment(String),
    /// Several repositories could be meant.
    #[error("this clone has two remotes, `{origin}` and `{upstream}`: whose memory is meant?")]
    ForkOrUpstream {
        /// The name of the one.
        origin: String,
        /// The name of the other.
        upstream: String,
    },
    /// Nothing to take a name from.
    #[error("the name of the team's repository is not known: {0}")]
    Nameless(String),
    /// Anybody can read it.
    #[error("anybody can read `{0}`: what is shared there is public")]
    Public(String),
    /// Nothing has this key.
    #[error("nothing at the remote is called `{key}`")]
    NoSuchKey {
        /// The key, as it may be shown.
        key: String,
        /// The command that shares it.
        command: &'static str,
    },
    /// Nothing ever had this key.
    #[error("nothing at the remote was ever called `{key}`")]
    NeverThere {
        /// The key, as it may be shown.
        key: String,
        /// What `team.repo` is, or the name of one's own notes.
        repository: String,
    },
    /// Its name is to go, and it is there.
    #[error("`{key}` is at the remote: its name goes once it is deleted there")]
    NameStands {
        /// The key, as it may be shown.
        key: String,
        /// The command that deletes, without its verb.
        command: &'static str,
    },
    /// A redaction is pushed over what was there.
    #[error("the git remote does not let what it has be written anew: {0}")]
    NoRewrite(String),
    /// It would be read by everybody, for good.
    #[error("the reason holds a secret: {0}")]
    SecretReason(String),
    /// Longer than what is kept of it.
    #[error("the reason has {0} characters, more than {REASON_CHARS_MAX}")]
    LongReason(usize),
    /// Nothing gave way there.
    #[error("no text of `{key}` gave way")]
    NoConflict {
        /// The key, as it may be shown.
        key: String,
        /// The command that lists what did.
        command: String,
    },
    /// It does not wait.
    #[error("`{0}` does not wait for a review")]
    NotInReview(String),
    /// Both texts still stand between their marks.
    #[error("the marks of the two texts still stand in `{0}`: nothing was decided")]
    MarksLeft(String),
    /// One's own tiers go nowhere.
    #[error("your own notes are not kept in step with other machines from here yet")]
    OwnNotSetUp,
    /// A server has other people's names too.
    #[error("at a server your own notes need a name that nobody else has")]
    OwnNameless,
    /// Not the beginning of an `owner/repo`.
    #[error("`{0}` cannot be the beginning of the names of your own notes")]
    OwnName(String),
    /// `git:NAME`, which is another remote in every repository.
    #[error("`{0}` is not the address of a git remote")]
    OwnByName(String),
    /// Nothing that this repository's private notes could be called by on every machine.
    #[error("this repository has no name that all your machines know: {0}")]
    OwnUnnamed(String),
    /// Notes that are not kept in step.
    #[error("the {scope} notes stay on this machine{}", because_text(why.as_deref()))]
    OwnStay {
        /// Which.
        scope: &'static str,
        /// Why, where that has a reason.
        why: Option<String>,
    },
    /// Anybody can read it.
    #[error("anybody can read `{0}`: your own notes do not go there")]
    OwnPublic(String),
    /// One's own notes are there.
    #[error("your own notes are kept at `{0}`: what the team shares does not go there")]
    TeamIsOwn(String),
    /// Colleagues read it.
    #[error("the team's memory is shared at `{0}`: your own notes do not go there")]
    OwnIsTeams(String),
    /// Colleagues of another repository read it.
    #[error(
        "the team's memory of `{root}` is shared at `{address}`: your own notes do not go there"
    )]
    OwnIsOtherTeams {
        /// The remote.
        address: String,
        /// That repository.
        root: String,
    },
    /// Whoever works on the repository reads it.
    #[error("`{0}` is a remote of this repository: whoever reads that could read your own notes")]
    OwnIsShared(String),
    /// A server that asks nobody who they are.
    #[error("the server at `{0}` lets anybody read")]
    OpenServer(String),
    /// Nothing was suggested.
    #[error("this repository suggests no team memory")]
    NoSuggestion,
    /// The suggestion is no such file.
    #[error("`.mem/team.toml` {0}")]
    Suggestion(String),
}

impl TeamError {
    /// Why a redaction was not made, where that is more than what the remote says.
    pub(crate) fn of_redaction(error: RemoteError) -> anyhow::Error {
        match error {
            RemoteError::RefNotTaken { message, .. } => Self::NoRewrite(message).into(),
            error => error.into(),
        }
    }

    /// What to do where one's own notes are concerned.
    fn hint_of_own(&self) -> Option<&'static str> {
        Some(match self {
            Self::OwnNotSetUp => {
                "`mem sync setup --remote git:URL` keeps them in a private git repository, \
                 `--remote https://…` at a server"
            }
            Self::OwnNameless => "give --name, the same on all your machines",
            Self::OwnName(_) => "give --name letters, digits, `-`, `_` and dots, such as `me`",
            Self::OwnByName(_) => {
                "give its address: a name means another remote in every repository"
            }
            Self::OwnUnnamed(_) | Self::OwnStay { .. } => {
                "give the repository a remote `origin`, or `mem config set --repository team.repo \
                 OWNER/REPO`; the global notes travel without"
            }
            Self::OwnPublic(_) => "use a private repository of your own",
            Self::OwnIsTeams(_) | Self::OwnIsOtherTeams { .. } => {
                "use a repository or a server of your own"
            }
            Self::OwnIsShared(_) => {
                "use a repository of your own; --mine if nobody but you reads this one"
            }
            _ => return None,
        })
    }
}

impl Diagnose for TeamError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::OwnNotSetUp
            | Self::NotSetUp
            | Self::NoSuchRemote(_)
            | Self::NoSuchKey { .. }
            | Self::NeverThere { .. }
            | Self::NoSuggestion => ErrorKind::NotFound,
            Self::Moved(_) | Self::ByEnvironment(_) | Self::Public(_) | Self::NameStands { .. } => {
                ErrorKind::Refused
            }
            Self::SecretReason(_) | Self::NoRewrite(_) => ErrorKind::Refused,
            Self::LongReason(_) => ErrorKind::Invalid,
            Self::OwnIsTeams(_) | Self::OwnIsOtherTeams { .. } | Self::OwnIsShared(_) => {
                ErrorKind::Refused
            }
            Self::OpenServer(_) | Self::OwnPublic(_) | Self::TeamIsOwn(_) => ErrorKind::Refused,
            Self::OwnNameless | Self::OwnName(_) | Self::OwnByName(_) | Self::OwnUnnamed(_) => {
                ErrorKind::Invalid
            }
            Self::OwnStay { .. } => ErrorKind::Invalid,
            Self::NoConflict { .. } | Self::NotInReview(_) => ErrorKind::NotFound,
            Self::ForkOrUpstream { .. }
            | Self::Nameless(_)
            | Self::Suggestion(_)
            | Self::MarksLeft(_) => ErrorKind::Invalid,
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NotSetUp => {
                "`mem team setup --remote git:origin` shares it through the git remote, \
                 `--remote https://…` through a server"
                    .to_owned()
            }
            Self::TeamIsOwn(_) => {
                "share it elsewhere, or `mem sync leave` and keep your own notes elsewhere"
                    .to_owned()
            }
            Self::OpenServer(_) => "have it ask for tokens, and `mem team login` there".to_owned(),
            Self::NoSuchRemote(_) => "`git remote -v` lists them".to_owned(),
            Self::Moved(_) => {
                "if that is meant, run `mem team setup` again: it looks at the new address"
                    .to_owned()
            }
            Self::ByEnvironment(_) => {
                "ask the person to run `mem team setup`, or `mem sync setup` for their own notes"
                    .to_owned()
            }
            Self::ForkOrUpstream { origin, upstream } => {
                format!("give --repo {upstream} or --repo {origin}")
            }
            Self::Nameless(_) => "give it with --repo OWNER/REPO".to_owned(),
            Self::Public(_) => {
                "use a private remote or a server; --public shares it with the world all the same"
                    .to_owned()
            }
            Self::NoSuchKey { command, .. } => {
                format!("`{command} status` tells what is there, `{command} diff` what differs")
            }
            Self::NeverThere { repository, .. } => {
                format!("check the name, and that `{repository}` is the right memory")
            }
            Self::NoRewrite(_) => "nothing was taken out: ask who runs it to let `refs/mem` be forced, or to \
                                   delete that ref; the next sync writes what stands here anew, without its past"
                .to_owned(),
            Self::NameStands { command, .. } => format!("`{command} delete` it; then this again"),
            Self::SecretReason(_) => "say why without the value; nothing was deleted".to_owned(),
            Self::LongReason(_) => "say it in a sentence; nothing was deleted".to_owned(),
            Self::NoConflict { command, .. } => format!("`{command}` lists what gave way"),
            Self::NotInReview(_) => "`mem team review` lists what does".to_owned(),
            Self::MarksLeft(_) => "take the lines with <<<, === and >>> out".to_owned(),
            Self::NoSuggestion => "`mem team setup --remote …` sets it up".to_owned(),
            Self::Suggestion(_) => "ask whoever wrote it, or run `mem team setup`".to_owned(),
            own => return own.hint_of_own().map(str::to_owned),
        })
    }
}

fn because_text(why: Option<&str>) -> String {
    why.map_or(String::new(), |why| format!(": {why}"))
}
