//! What may leave this machine: no secret in a text or its name, but for those that a config which this user trusts
//! allows with a reason. Where the rules cannot be read nothing leaves.

use mem_core::project::Project;
use mem_core::{Diagnose, Dirs};
use mem_secrets::{InputOrigin, Scanner, SecretFinding};
use mem_sync::outbound_scan::{Leak, name_spellings};

use super::rules::{RuleSources, RulesError, Ruleset};

/// A text that is to leave, or its name, holds a secret.
#[derive(Debug, thiserror::Error, Diagnose)]
#[error("{what} holds a secret: {why}")]
#[diagnose(
    Secret,
    hint = "write where the secret is kept instead; `mem secrets allow` allows a finding, with a \
            reason"
)]
pub struct OutboundSecret {
    /// What, as it may be shown.
    what: String,
    /// Rule and line.
    why: String,
}

/// The scanner, with the rules and allows of a trusted repository.
pub struct OutboundScanner {
    rules: Ruleset,
    scanners: Vec<Scanner>,
}

impl OutboundScanner {
    /// The scanner of a project.
    ///
    /// # Errors
    /// The rules cannot be read: then nothing leaves.
    pub fn for_project(project: &Project, dirs: &Dirs) -> Result<Self, RulesError> {
        let sources = RuleSources::of_trusted(project, dirs);
        let has_own = sources.root.is_some();
        let (rules, _) = sources.load()?;
        // A repository may add rules. What its allowlists hide is found by the rules that ship with mem.
        let own = has_own.then(|| rules.scanner().clone().with_comments(false));
        let scanners = std::iter::once(Scanner::new()).chain(own).collect();
        Ok(Self { rules, scanners })
    }

    /// The reasons why a text may not leave, those in its name first; `is_answered` says which findings a person has
    /// let pass.
    pub fn leaks(
        &self,
        path: &str,
        text: &str,
        is_answered: &dyn Fn(&SecretFinding) -> bool,
    ) -> Vec<Leak> {
        let mut leaks = self.found(
            &name_spellings(path),
            &InputOrigin::unknown(),
            |_| None,
            is_answered,
        );
        let origin = InputOrigin::path(path);
        leaks.extend(self.found(text, &origin, |finding| Some(finding.line), is_answered));
        leaks
    }

    /// The first reason why a text may not leave; `None` where it may.
    pub fn leak(&self, path: &str, text: &str) -> Option<Leak> {
        self.leaks(path, text, &|_| false).into_iter().next()
    }

    /// Refuses what may not leave.
    ///
    /// # Errors
    /// It holds a secret. The value is not quoted, nor a name that holds one.
    pub fn require(&self, path: &str, text: &str) -> Result<(), OutboundSecret> {
        match self.leak(path, text) {
            None => Ok(()),
            Some(leak) => Err(OutboundSecret {
                what: match leak.line {
                    None => "the name of a memory".to_owned(),
                    Some(_) => format!("`{}`", mem_core::memory_path::escaped(path)),
                },
                why: leak.to_string(),
            }),
        }
    }

    /// Refuses what a store is told about itself where that may not leave: name and description, and its metadata.
    ///
    /// # Errors
    /// One of them holds a secret. Nothing of it is quoted, not even a key.
    pub fn require_of_store<'t>(
        &self,
        told: &[&str],
        metadata: impl Iterator<Item = (&'t String, &'t String)>,
    ) -> Result<(), OutboundSecret> {
        self.require_told("name and description of the store", &told.join("\n"))?;
        // A value is looked at with its key, which may say what it is, and by itself.
        let lines =
            metadata.map(|(key, value)| format!("{}\n{value}\n{key}={value}", name_spellings(key)));
        let lines: Vec<String> = lines.collect();
        self.require_told("the metadata of the store", &lines.join("\n"))
    }

    /// Refuses a text that is no memory's where that may not leave.
    ///
    /// # Errors
    /// It holds a secret.
    pub fn require_told(&self, what: &str, text: &str) -> Result<(), OutboundSecret> {
        let leaks = self.found(text, &InputOrigin::unknown(), |_| None, &|_| false);
        match leaks.into_iter().next() {
            None => Ok(()),
            Some(leak) => Err(OutboundSecret {
                what: what.to_owned(),
                why: leak.rule,
            }),
        }
    }

    /// What all rules find, each place once.
    fn found(
        &self,
        text: &str,
        origin: &InputOrigin,
        line: fn(&SecretFinding) -> Option<u64>,
        is_answered: &dyn Fn(&SecretFinding) -> bool,
    ) -> Vec<Leak> {
        let mut leaks = Vec::new();
        for scanner in &self.scanners {
            for finding in scanner.scan(text.as_bytes(), origin) {
                let leak = Leak {
                    line: line(&finding),
                    rule: finding.rule.clone(),
                };
                let is_allowed = self.rules.allows_finding(&finding) || is_answered(&finding);
                if !is_allowed && !leaks.contains(&leak) {
                    leaks.push(leak);
                }
            }
        }
        leaks
    }
}
