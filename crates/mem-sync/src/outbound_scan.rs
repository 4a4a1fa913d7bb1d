//! What every text has to pass before it leaves: the secret scanner, behind a trait.

use std::fmt;

use mem_core::history::Sha256;

use crate::key::EntryKey;

/// Asked about every file and its key before anything is sent.
pub trait OutboundScan {
    /// The reasons why this may not leave; none where it may.
    ///
    /// # Errors
    /// It cannot be told. Then nothing leaves at all.
    fn find_leaks(&self, key: &EntryKey, text: &str) -> Result<Vec<Leak>, OutboundScanError>;

    /// Whether this is about a person, and the tier takes no such memory. Asked once it was scanned.
    fn is_about_person(&self, _: &EntryKey, _: &str) -> bool {
        false
    }

    /// Whether a person is to look at this content before it leaves. Asked once it was scanned.
    fn is_in_review(&self, _: &EntryKey, _: Sha256) -> bool {
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
pub struct OutboundScanError(pub String);

/// No token that a rule knows is shorter, in bytes.
const TOKEN_BYTES_MIN: usize = 12;

/// A name in every way in which a token could stand in it, a line each: a scanner of texts takes what is
/// joined by `_`, `-` or `.` for one word, and names are joined by them.
pub fn name_spellings(name: &str) -> String {
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
    fn a_token_stands_in_a_line_of_its_own_however_it_is_joined() {
        let token = "A1b2C3d4E5f6";
        for name in [
            format!("{token}.md"),
            format!("reference_{token}.md"),
            format!("token-{token}.bak.md"),
            format!("{token}_old.md"),
            format!("d_{token}/a.md"),
        ] {
            let lines = name_spellings(&name);
            assert!(lines.lines().any(|line| line == token), "{lines}");
        }
    }
}
