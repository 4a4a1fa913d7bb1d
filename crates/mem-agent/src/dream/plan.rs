//! What a distillation is going to do, each item with where it comes from: for people, and for programs.

use mem_core::history::Sha256;
use mem_core::topic::NewTopic;
use serde::Serialize;

use super::bullet::Source;

/// A text and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Quote {
    /// The text.
    pub text: String,
    /// The day that it is of, `YYYY-MM-DD`.
    pub date: String,
    /// Where it was read.
    pub sources: Vec<Source>,
}

/// A text with the memory that says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FiledQuote {
    /// The memory.
    pub file: String,
    /// What it says.
    #[serde(flatten)]
    pub quote: Quote,
}

/// Why something is retired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SupersededReason {
    /// A newer text says it otherwise.
    Updated,
    /// A newer text says the contrary.
    Contradicted,
    /// Another memory says the same.
    Duplicate,
    /// The code that it speaks of is gone.
    Broken,
}

/// Something that holds no longer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SupersededStatement {
    /// The memory that said it.
    pub file: String,
    /// Why.
    pub why: SupersededReason,
    /// What it said.
    pub old: Quote,
    /// What holds instead.
    pub new: Option<Quote>,
    /// Where its file goes, where the whole of it is retired.
    pub archived: Option<String>,
    /// Whether it is the description of a memory that somebody wrote: what holds instead is put there, and the text
    /// keeps the older one quoted.
    pub is_description: bool,
}

/// Something that a memory says which is pinned, and that a newer text says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pinned {
    /// The memory. It stays as it is.
    pub file: String,
    /// What it says.
    pub old: Quote,
    /// What is said otherwise.
    pub new: Quote,
}

/// Something that stays where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkippedBullet {
    /// Where it stands.
    pub source: Source,
    /// What it says; nothing of what holds a secret.
    pub text: String,
    /// Why it becomes no memory.
    pub why: &'static str,
}

/// A plan. Nothing of it has happened.
#[derive(Clone, Debug, Default, Serialize)]
pub struct DistillPlan {
    /// What is new.
    pub added: Vec<FiledQuote>,
    /// What is there already.
    pub merged: Vec<FiledQuote>,
    /// What holds no longer.
    pub retired: Vec<SupersededStatement>,
    /// What is said otherwise than by memories that are pinned: for a person to decide.
    pub pinned: Vec<Pinned>,
    /// Memories that stay as they are.
    pub unchanged: Vec<String>,
    /// What stays in the log.
    pub left: Vec<SkippedBullet>,
    /// What waits for another night, because this one has touched enough.
    pub waiting: Vec<Source>,
    /// What is to be known beside.
    pub warnings: Vec<String>,
    /// The files.
    #[serde(skip)]
    pub wishes: Vec<PlannedFile>,
    /// The marks of the bullets that are done with when this is carried out.
    #[serde(skip)]
    pub handled: Vec<String>,
}

/// What is wanted of one file of the private tier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedFile {
    /// Where it stands, and the digest of what was read there; nothing for a new one.
    pub from: Option<(String, Sha256)>,
    /// What becomes of it.
    pub to: To,
}

/// What becomes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum To {
    /// A new file by this name, or a numbered one.
    New(Box<NewTopic>),
    /// Other bytes, perhaps under another name; title, hook and type for its line in the index.
    Changed {
        /// Its name from now on.
        file: String,
        /// Its bytes.
        bytes: Vec<u8>,
    },
    /// It goes to the archive.
    Archived,
}

impl DistillPlan {
    /// Whether nothing is to be done.
    pub fn is_idle(&self) -> bool {
        self.wishes.is_empty()
    }

    /// What it comes to, in one line.
    pub fn summary_line(&self) -> String {
        let mut line = format!(
            "{} added, {} merged, {} retired",
            self.added.len(),
            self.merged.len(),
            self.retired.len()
        );
        if !self.waiting.is_empty() {
            line = format!("{line}, {} waiting", self.waiting.len());
        }
        line
    }
}
