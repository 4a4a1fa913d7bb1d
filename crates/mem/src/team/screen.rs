//! What may leave: no secret, but for those that a config which this user trusts allows with a reason.

use mem_core::Dirs;
use mem_core::history::Sha256;
use mem_core::memory_path::printable;
use mem_core::project::Project;
use mem_secrets::{Finding, Origin, Scanner};
use mem_sync::Key;
use mem_sync::screen::{Leak, Screen, ScreenError, SecretScreen, parts};

use super::answers::Answers;
use super::files::SharedReview;
use super::own::OWN;
use super::settings::Share;
use crate::scan::Ruleset;
use crate::scan::rules::Sources;

/// The secret scanner, with the rules and allows of a trusted repository.
#[derive(Debug)]
pub(crate) struct TeamScreen {
    /// The rules, or why they cannot be read: then nothing leaves.
    rules: Result<Ruleset, String>,
    /// Whether a repository adds rules of its own.
    has_own: bool,
    /// What waits for a person, where that is wanted; looked up when something is to leave.
    pub(super) review: Option<SharedReview>,
    /// What the person said about findings, where all of it is their own.
    pub(crate) answers: Option<Answers>,
}

impl TeamScreen {
    /// The screen of a project's share.
    pub(crate) fn of(share: &Share, project: &Project, dirs: &Dirs) -> Self {
        let sources = Sources::of_trusted(project, dirs);
        let is_own = share.place.kind() == OWN;
        Self {
            answers: is_own.then(|| Answers::load(dirs)),
            review: None,
            has_own: sources.root.is_some(),
            rules: sources
                .load()
                .map(|(rules, _)| rules)
                .map_err(|error| error.to_string()),
        }
    }
}

impl Screen for TeamScreen {
    fn screen(&self, key: &Key, text: &str) -> Result<Vec<Leak>, ScreenError> {
        let rules = self.rules.as_ref();
        let rules = rules.map_err(|why| ScreenError(why.clone()))?;
        let is_answered = |finding: &Finding| {
            let answers = self.answers.as_ref();
            answers.is_some_and(|answers| answers.allows(key, finding))
        };
        let is_allowed = |finding: &Finding| rules.allows(finding) || is_answered(finding);
        let mut leaks = SecretScreen::new(Scanner::new(), is_allowed).screen(key, text)?;
        if self.has_own {
            // A repository may add rules. What its allowlists hide is found by the rules above.
            let own = rules.scanner().clone().with_comments(false);
            let more = SecretScreen::new(own, is_allowed).screen(key, text)?;
            leaks.extend(
                more.into_iter()
                    .filter(|leak| !leaks.contains(leak))
                    .collect::<Vec<_>>(),
            );
        }
        Ok(leaks)
    }

    fn is_in_review(&self, key: &Key, sha256: Sha256) -> bool {
        let review = self.review.as_ref();
        review.is_some_and(|review| review.borrow_mut().holds(key, sha256))
    }
}

/// What is said instead of a name that holds a secret.
const NAMELESS: &str = "a file whose name holds a secret";

/// The name of a file here, as it may be shown: one that holds a secret is not.
pub(crate) fn shown(key: &Key) -> String {
    let screen = SecretScreen::new(Scanner::new(), |_: &Finding| false);
    match screen.screen(key, "") {
        Ok(leaks) if leaks.is_empty() => key.to_string(),
        _ => NAMELESS.to_owned(),
    }
}

/// The same of a name that may be no key.
pub(crate) fn shown_name(name: &str) -> String {
    if let Ok(key) = Key::parse(name) {
        return shown(&key);
    }
    let found = Scanner::new().scan(parts(name).as_bytes(), &Origin::unknown());
    match found.is_empty() {
        true => printable(name),
        false => NAMELESS.to_owned(),
    }
}

/// A name at the remote that was not taken, and why, as they may be shown.
pub(crate) fn shown_refusal(name: &str, why: &str) -> (String, String) {
    let shown = shown_name(name);
    let is_quoted = why.contains(name) || why.contains(&printable(name));
    let why = match shown == NAMELESS && is_quoted {
        true => "no memory can be taken under this name",
        false => why,
    };
    (shown, why.to_owned())
}

/// Whether a name was shown as one that holds a secret.
pub(crate) fn is_hidden(shown: &str) -> bool {
    shown == NAMELESS
}
