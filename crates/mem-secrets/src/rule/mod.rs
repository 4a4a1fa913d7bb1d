//! What a rule is once the build script has turned its entry in `rules/` into
//! a static table: nothing is parsed when a program starts.

pub(crate) mod assigned;
pub(crate) mod boundary;
pub(crate) mod sequence;

use crate::builtin::TEXTS;
use crate::check::RuleCheck;
use crate::detect::{Detector, LineRecord};
use crate::finding::LeakSeverity;

use self::sequence::Sequences;

/// One compiled rule. It holds no pointers, which the loader would have to adjust at every start
/// of the program, whatever the program is started for.
#[derive(Debug)]
pub struct Rule {
    pub(crate) id: TextSpan,
    pub(crate) description: TextSpan,
    pub(crate) family: TextSpan,
    pub(crate) severity: LeakSeverity,
    /// One on a line.
    pub(crate) keywords: TextSpan,
    /// Woken by long rows of letters and digits instead of keywords; so many
    /// bytes of the token stand before the row.
    pub(crate) lead: usize,
    pub(crate) body: Body,
    /// Least Shannon entropy of the secret, in bits for each byte.
    pub(crate) entropy: f32,
    pub(crate) check: RuleCheck,
    /// Only in files whose path matches.
    pub(crate) path: Option<TextSpan>,
    /// The form is so narrow that the filters for words need not run.
    pub(crate) exact: bool,
}

impl Rule {
    /// Stable name, the same as gitleaks' where the meaning is the same.
    #[must_use]
    pub fn id(&self) -> &'static str {
        self.id.as_str()
    }

    /// What it finds, as a noun phrase.
    #[must_use]
    pub fn description(&self) -> &'static str {
        self.description.as_str()
    }

    /// The file under `rules/` it comes from.
    #[must_use]
    pub fn family(&self) -> &'static str {
        self.family.as_str()
    }

    /// How bad a leak is.
    #[must_use]
    pub fn severity(&self) -> LeakSeverity {
        self.severity
    }

    /// Lower-case words of which one must be present.
    pub fn keywords(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.keywords.as_str().lines()
    }
}

/// A piece of the one text that holds the texts of all rules.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextSpan {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl TextSpan {
    pub(crate) fn as_str(self) -> &'static str {
        TEXTS
            .get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }
}

/// How a rule finds its secret once one of its keywords is there.
#[derive(Debug)]
pub(crate) enum Body {
    /// A token that is recognised by its own form.
    Token(Sequences),
    /// A value of some form that is assigned to a name with the keyword in it.
    Assigned(Sequences),
    /// A regular expression run in a window around the keyword.
    Search(RuleSearch),
    /// A matcher written by hand.
    Detector(Detector),
    /// Each line of a file whose name has a keyword in it.
    File(LineRecord),
    /// The path alone is the finding.
    Path,
}

/// A lazily compiled expression and the bytes around a keyword it may need.
#[derive(Debug)]
pub(crate) struct RuleSearch {
    pub(crate) pattern: TextSpan,
    /// Capture group of the secret, which the first of the later ones stands in for where it takes no part; 0 is the
    /// whole match.
    pub(crate) group: usize,
    pub(crate) before: usize,
    pub(crate) after: usize,
    /// Index among the rules of this kind.
    pub(crate) slot: usize,
}
