//! What may leave: no secret, but for those that a config which this user trusts allows with a reason, and to a team no
//! memory about a person.

use std::fmt;
use std::rc::Rc;

use mem_core::history::Sha256;
use mem_core::memory_path::printable;
use mem_core::project::Project;
use mem_core::topic::TopicFile;
use mem_core::{Dirs, ErrorKind, MemoryType, Scope};
use mem_scan::outbound::OutboundScanner;
use mem_secrets::{InputOrigin, Scanner, SecretFinding};
use mem_sync::EntryKey;
use mem_sync::outbound_scan::{Leak, OutboundScan, OutboundScanError, name_spellings};
use mem_sync::plan::BlockedFile;

use super::files::SharedReview;
use super::finding_answers::Answers;
use super::personal_sync::OWN;
use super::settings::TeamShare;

/// The secret scanner, with what a person said about findings, and what waits for one.
pub struct TeamOutboundScan {
    /// The scanner, or why its rules cannot be read: then nothing leaves.
    scanner: Rc<Result<OutboundScanner, String>>,
    /// Whether the tier is the team's, which takes no memory about a person.
    is_team_tier: bool,
    /// What waits for a person, where that is wanted; looked up when something is to leave.
    pub(crate) review: Option<SharedReview>,
    /// What the person said about findings, where all of it is their own.
    pub answers: Option<Answers>,
}

impl fmt::Debug for TeamOutboundScan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TeamOutboundScan").finish_non_exhaustive()
    }
}

impl TeamOutboundScan {
    /// The screen of a project's share.
    pub fn for_share(share: &TeamShare, project: &Project, dirs: &Dirs) -> Self {
        let is_own = share.place.kind() == OWN;
        let scanner = OutboundScanner::for_project(project, dirs);
        Self {
            scanner: Rc::new(scanner.map_err(|error| error.to_string())),
            is_team_tier: share.tier.0 == Scope::Team,
            review: None,
            answers: is_own.then(|| Answers::load(dirs)),
        }
    }

    /// The same scan, for which nothing waits.
    pub(crate) fn without_review(&self) -> Self {
        Self {
            scanner: self.scanner.clone(),
            is_team_tier: self.is_team_tier,
            review: None,
            answers: self.answers.clone(),
        }
    }
}

impl OutboundScan for TeamOutboundScan {
    fn find_leaks(&self, key: &EntryKey, text: &str) -> Result<Vec<Leak>, OutboundScanError> {
        let scanner = self.scanner.as_ref().as_ref();
        let scanner = scanner.map_err(|why| OutboundScanError(why.clone()))?;
        let is_answered = |finding: &SecretFinding| {
            let answers = self.answers.as_ref();
            answers.is_some_and(|answers| answers.allows(key, finding))
        };
        Ok(scanner.leaks(key.as_str(), text, &is_answered))
    }

    fn is_about_person(&self, _: &EntryKey, text: &str) -> bool {
        self.is_team_tier && is_about_person(text.as_bytes())
    }

    fn is_in_review(&self, key: &EntryKey, sha256: Sha256) -> bool {
        let review = self.review.as_ref();
        review.is_some_and(|review| review.borrow_mut().holds_content(key, sha256))
    }
}

/// What kind of error it is that a file stays here.
pub(crate) fn blocked_kind(blocked: &BlockedFile) -> ErrorKind {
    match blocked {
        BlockedFile::Secret { .. } => ErrorKind::Secret,
        BlockedFile::AboutPerson(_)
        | BlockedFile::NotText(_)
        | BlockedFile::TooLarge { .. }
        | BlockedFile::TooLargeAsSent(_) => ErrorKind::Refused,
    }
}

/// What to do about a file that stays here.
pub fn blocked_hint(blocked: &BlockedFile) -> &'static str {
    match blocked {
        BlockedFile::Secret { .. } => {
            "take it out; or `mem scan --memory` names its fingerprint, and `mem secrets allow` allows it with a \
             reason in a repository you trust (`mem trust`)"
        }
        BlockedFile::AboutPerson(_) => {
            "move it out of the team's memory: `mem save --type user` keeps it private"
        }
        BlockedFile::NotText(_) => {
            "only text is shared: convert it to UTF-8, or move it out of the memory directory"
        }
        BlockedFile::TooLarge { .. } | BlockedFile::TooLargeAsSent(_) => {
            "split it, or keep it private"
        }
    }
}

/// Whether the write gate of the team tier rejects a memory because it is about a person: no colleague could take it.
fn is_about_person(bytes: &[u8]) -> bool {
    TopicFile::parse(bytes).kind == Some(MemoryType::User)
}

/// What is said instead of a name that holds a secret.
const NAMELESS: &str = "a file whose name holds a secret";

/// The name of a file here, as it may be shown: one that holds a secret is not.
pub fn shown_key(key: &EntryKey) -> String {
    shown_as(key.as_str(), key.to_string())
}

/// The same of a name that may be no key.
pub fn shown_name(name: &str) -> String {
    match EntryKey::parse(name) {
        Ok(key) => shown_key(&key),
        Err(_) => shown_as(name, printable(name)),
    }
}

fn shown_as(name: &str, harmless: String) -> String {
    let found = Scanner::new().scan(name_spellings(name).as_bytes(), &InputOrigin::unknown());
    match found.is_empty() {
        true => harmless,
        false => NAMELESS.to_owned(),
    }
}

/// A name at the remote that was not taken, and why, as they may be shown.
pub fn shown_refusal(name: &str, why: &str) -> (String, String) {
    let shown = shown_name(name);
    let is_quoted = why.contains(name) || why.contains(&printable(name));
    let why = match shown == NAMELESS && is_quoted {
        true => "no memory can be taken under this name",
        false => why,
    };
    (shown, why.to_owned())
}

/// Whether a name was shown as one that holds a secret.
pub fn is_hidden(shown: &str) -> bool {
    shown == NAMELESS
}
