//! What every text has to pass before it leaves: the secret scanner, behind a trait.

use std::fmt;

use mem_core::history::Sha256;
use mem_secrets::{Finding, Origin, Scanner};

use crate::key::Key;

/// Asked about every file and its key before anything is sent.
pub trait Screen {
    /// The reasons why this may not leave; none where it may.
    ///
    /// # Errors
    /// It cannot be told. Then nothing leaves at all.
    fn screen(&self, key: &Key, text: &str) -> Result<Vec<Leak>, ScreenError>;

    /// Whether a person is to look at this content before it leaves. Asked once it was scanned.
    fn is_in_review(&self, _: &Key, _: Sha256) -> bool {
        false
    }
}

/// One reason, without the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leak {
    /// The rule's id.
    pub rule: String,
    /// From 1; `None` where the key itself holds it.
    pub line: Option<u64>,
}

impl fmt::Display for Leak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{} in line {line}", self.rule),
            None => write!(f, "{} in its name", self.rule),
        }
    }
}

/// The scan could not run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("what is to be sent cannot be scanned: {0}")]
pub struct ScreenError(pub String);

/// The rules that ship with `mem-secrets`, less what a person has allowed.
pub struct SecretScreen<A> {
    scanner: Scanner,
    is_allowed: A,
}

impl<A: Fn(&Finding) -> bool> SecretScreen<A> {
    /// A screen. `is_allowed` says of a finding whether this user, or a configuration that this user
    /// trusts, allows it with a reason.
    pub fn new(scanner: Scanner, is_allowed: A) -> Self {
        Self {
            scanner,
            is_allowed,
        }
    }

    fn leaks(&self, bytes: &[u8], origin: &Origin, line: fn(&Finding) -> Option<u64>) -> Vec<Leak> {
        let found = self.scanner.scan(bytes, origin).into_iter();
        let left = found.filter(|finding| !(self.is_allowed)(finding));
        let leak = |finding: Finding| Leak {
            line: line(&finding),
            rule: finding.rule,
        };
        left.map(leak).collect()
    }
}

impl<A> fmt::Debug for SecretScreen<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretScreen")
    }
}

impl<A: Fn(&Finding) -> bool> Screen for SecretScreen<A> {
    fn screen(&self, key: &Key, text: &str) -> Result<Vec<Leak>, ScreenError> {
        let mut leaks = self.leaks(parts(key.as_str()).as_bytes(), &Origin::unknown(), |_| None);
        let origin = Origin::path(key.as_str());
        leaks.extend(self.leaks(text.as_bytes(), &origin, |finding| Some(finding.line)));
        Ok(leaks)
    }
}

/// No token that a rule knows is shorter, in bytes.
const TOKEN_BYTES_MIN: usize = 12;

/// A name in every way in which a token could stand in it, a line each: a scanner of texts takes what is
/// joined by `_`, `-` or `.` for one word, and names are joined by them.
pub fn parts(name: &str) -> String {
    let mut lines = String::from(name);
    for segment in name.split('/') {
        let (mut starts, mut ends) = (vec![0], Vec::new());
        for (at, joint) in segment.match_indices(['_', '-', '.']) {
            ends.push(at);
            starts.push(at + joint.len());
        }
        ends.push(segment.len());
        for &start in &starts {
            let long = ends.iter().filter(|&&end| end >= start + TOKEN_BYTES_MIN);
            for part in long.filter_map(|&end| segment.get(start..end)) {
                lines.push('\n');
                lines.push_str(part);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_told_by_rule_and_line_and_passes_where_allowed() {
        let token = ["ghp_", "A1b2C3d4E5f6G7h8", "I9j0K1l2M3n4O5p6Q7r8"].concat();
        let key = Key::parse("a.md").unwrap();
        let text = format!("# Deploy\n\nuse {token} here\n");
        let screen = SecretScreen::new(Scanner::new(), |_: &Finding| false);
        let leaks = screen.screen(&key, &text).unwrap();
        assert_eq!(leaks.len(), 1, "{leaks:?}");
        assert_eq!(leaks[0].line, Some(3));
        assert!(!leaks[0].to_string().contains(&token));
        assert_eq!(screen.screen(&key, "nothing").unwrap(), []);
        for joined in [
            format!("export TOKEN_{token}"),
            format!("it was {token}.Then it changed"),
            format!("see {token}-old"),
        ] {
            assert_ne!(screen.screen(&key, &joined).unwrap(), []);
        }
        let named = Key::parse(&format!("{token}.md")).unwrap();
        assert!(
            screen
                .screen(&named, "")
                .unwrap()
                .iter()
                .any(|leak| leak.line.is_none())
        );
        for name in [
            format!("reference_{token}.md"),
            format!("token-{token}.bak.md"),
            format!("{token}-old.md"),
            format!("{token}_old.md"),
            format!("d_{token}/a.md"),
        ] {
            let key = Key::parse(&name).unwrap();
            assert_ne!(screen.screen(&key, "").unwrap(), [], "{}", name.len());
        }
        let open = SecretScreen::new(Scanner::new(), |_: &Finding| true);
        assert_eq!(open.screen(&key, &text).unwrap(), []);
    }
}
