//! What a rule is once the build script has turned its entry in `rules/` into
//! a static table: nothing is parsed when a program starts.

pub(crate) mod assigned;
pub(crate) mod boundary;
pub(crate) mod sequence;

use crate::check::Check;
use crate::detect::{Detector, Record};
use crate::finding::Severity;

use self::sequence::Sequence;

/// One compiled rule.
#[derive(Debug)]
pub struct Rule {
    /// Stable name, the same as gitleaks' where the meaning is the same.
    pub id: &'static str,
    /// What it finds, as a noun phrase.
    pub description: &'static str,
    /// The file under `rules/` it comes from.
    pub family: &'static str,
    /// How bad a leak is.
    pub severity: Severity,
    /// Lower-case words of which one must be present.
    pub keywords: &'static [&'static str],
    /// Woken by long rows of letters and digits instead of keywords; so many
    /// bytes of the token stand before the row.
    pub(crate) lead: usize,
    pub(crate) body: Body,
    /// Least Shannon entropy of the secret, in bits for each byte.
    pub(crate) entropy: f32,
    pub(crate) check: Check,
    /// Only in files whose path matches.
    pub(crate) path: Option<&'static str>,
    /// The form is so narrow that the filters for words need not run.
    pub(crate) exact: bool,
}

/// How a rule finds its secret once one of its keywords is there.
#[derive(Debug)]
pub(crate) enum Body {
    /// A token that is recognised by its own form.
    Token(&'static [Sequence]),
    /// A value of some form that is assigned to a name with the keyword in it.
    Assigned(&'static [Sequence]),
    /// A regular expression run in a window around the keyword.
    Search(Search),
    /// A matcher written by hand.
    Detector(Detector),
    /// Each line of a file whose name has a keyword in it.
    File(Record),
    /// The path alone is the finding.
    Path,
}

/// A lazily compiled expression and the bytes around a keyword it may need.
#[derive(Debug)]
pub(crate) struct Search {
    pub(crate) pattern: &'static str,
    /// Capture group of the secret; 0 is the whole match.
    pub(crate) group: usize,
    pub(crate) before: usize,
    pub(crate) after: usize,
    /// Index among the rules of this kind.
    pub(crate) slot: usize,
}
