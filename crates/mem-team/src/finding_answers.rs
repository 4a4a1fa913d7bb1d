//! What a person said about findings in what is their own: each is asked about once, and the answer is
//! kept with the finding's fingerprint, never with its value.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;

use mem_core::Dirs;
use mem_core::state_file::{self, StateError};
use mem_secrets::{Fingerprint, FingerprintKey as PrintKey, SecretFinding};
use mem_sync::EntryKey;
use serde::{Deserialize, Serialize};

use super::outbound_scan::shown_key;

/// The answers of one person, on one machine.
#[derive(Clone, Debug)]
pub struct Answers {
    path: PathBuf,
    kept: StoredAnswers,
    /// What was found and not asked about yet.
    open: RefCell<Vec<OpenFinding>>,
}

/// A finding that nobody was asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenFinding {
    key: EntryKey,
    rule: String,
    line: u64,
    print: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct StoredAnswers {
    /// Of the fingerprints: random, made with the first answer.
    key: Option<[u8; 32]>,
    /// Whether a finding may leave, by its fingerprint.
    answers: BTreeMap<String, bool>,
}

impl Answers {
    /// What was said so far.
    pub fn load(dirs: &Dirs) -> Self {
        let path = dirs.state.join("own-findings.json");
        let (mut kept, _): (StoredAnswers, _) = state_file::read(&path);
        if kept.key.is_none() {
            let mut bytes = [0; 32];
            // Without random bytes nothing is remembered, and everything asked about stays here.
            kept.key = getrandom::fill(&mut bytes).ok().map(|()| bytes);
        }
        let open = RefCell::default();
        Self { path, kept, open }
    }

    /// Whether a finding may leave. One that nobody was asked about is noted.
    pub fn allows(&self, key: &EntryKey, finding: &SecretFinding) -> bool {
        let Some(bytes) = self.kept.key else {
            return false;
        };
        let print: Fingerprint = finding.fingerprint(&PrintKey::new(bytes));
        let print = print.to_string();
        if let Some(answer) = self.kept.answers.get(&print) {
            return *answer;
        }
        let open = OpenFinding {
            key: key.clone(),
            rule: finding.rule.clone(),
            line: finding.line,
            print,
        };
        let mut all = self.open.borrow_mut();
        if !all.iter().any(|one| one.print == open.print) {
            all.push(open);
        }
        false
    }

    /// Asks a person about what was found, with a question that is answered by yes or no, and remembers what they say.
    /// Returns whether anything more may leave now.
    ///
    /// # Errors
    /// Nobody can be asked, the answer not be kept.
    pub fn ask_person<E: From<StateError>>(
        mut self,
        ask: impl Fn(&str) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let open = self.open.take();
        if open.is_empty() {
            return Ok(false);
        }
        let mut is_more = false;
        for one in open {
            let question = format!(
                "{}: {} in line {}; send it to your own machines all the same?",
                shown_key(&one.key),
                one.rule,
                one.line
            );
            let answer = ask(&question)?;
            is_more |= answer;
            self.kept.answers.insert(one.print, answer);
        }
        state_file::put(&self.path, &self.kept)?;
        Ok(is_more)
    }
}
