//! What was said and may become a memory: judged, without a secret, and not yet worded.
//!
//! Most of what a long session brings is said again, or is more than a run keeps. A memory is made only of the rest.

use mem_core::{MemoryType, Scope};
use mem_secrets::redacted;

use super::candidate::{Candidate, LIKELY_MIN, SURE_MIN, Sort, Source};
use super::compose::{self, Said as Words};
use super::ground;
use super::speech::{Sentence, sentences};
use super::thought::Kept;
use crate::dates;

/// How sure it is at most where it may have been taken back.
const UNSURE: f32 = (LIKELY_MIN + SURE_MIN) / 2.0;

/// It, with what a memory of it needs.
#[derive(Debug)]
pub(super) struct Pending {
    kept: Kept,
    /// What was said, with what stands around it where that holds no secret.
    pub(super) quote: String,
    /// What the agent had said before.
    pub(super) before: String,
    /// Where it was said.
    pub(super) source: Source,
}

impl Pending {
    /// What was said; none where it is about a secret.
    pub(super) fn of(kept: Kept, source: Source) -> Option<Self> {
        let quote = clean(&kept.around_quote()).or_else(|| clean(&kept.quote()))?;
        Some(Self {
            kept,
            quote,
            before: String::new(),
            source,
        })
    }

    /// The type of memory that it makes.
    pub(super) fn kind(&self) -> MemoryType {
        self.kept.kind
    }

    /// How sure it is that it is worth keeping.
    pub(super) fn confidence(&self) -> f32 {
        self.kept.confidence
    }

    /// Leaves it to a person whether it is kept.
    pub(super) fn doubt(&mut self) {
        self.kept.confidence = self.kept.confidence.min(UNSURE);
    }

    /// Whether what the agent said before is a part of it.
    pub(super) fn is_of_before(&self) -> bool {
        self.kept.sort == Sort::Confirmation
    }

    /// The memory of it.
    pub(super) fn candidate(self) -> Candidate {
        let one = &self.kept;
        let day = ground::day(&self.source.time);
        let dated = |text: &str| match day {
            Some(day) => dates::annotated(text, day),
            None => text.to_owned(),
        };
        let statement = dated(&compose::statement(&one.quote()));
        let why = match one.why.as_str() {
            "" => compose::reason_of(&statement)
                .unwrap_or_default()
                .to_owned(),
            why => clean(why).map_or_else(String::new, |why| dated(&why)),
        };
        let said = Words {
            statement: &statement,
            why: if one.why.is_empty() { "" } else { &why },
            quote: &self.quote,
            before: &redacted(&self.before),
            day,
        };
        Candidate {
            kind: one.kind,
            scope: scope(one.kind, &one.sentences),
            sort: one.sort,
            name: compose::name(&statement),
            description: compose::description(&statement),
            body: compose::body(one.sort, one.kind, &said),
            why,
            confidence: one.confidence,
            quote: self.quote,
            source: self.source,
            file: None,
        }
    }
}

/// A text of several sentences, if none of them holds a secret. Each is looked at by itself as well: what stands behind
/// a password may keep it from being known as one.
fn clean(text: &str) -> Option<String> {
    let is_clean = |text: &str| redacted(text) == text && !text.contains("[redacted: ");
    let all = is_clean(text) && sentences(text).iter().all(|part| is_clean(&part.text));
    all.then(|| text.to_owned())
}

/// The tier: the person's own, here or in every repository. What one says in a session is said to nobody else.
fn scope(kind: MemoryType, sentences: &[Sentence]) -> Scope {
    const EVERYWHERE: &[&str] = &[
        "all my projects",
        "every project",
        "in all projects",
        "all repos",
        "everywhere i work",
        "any project",
        "in allen projekten",
        "dans tous mes projets",
        "en todos mis proyectos",
        "所有项目",
        "全プロジェクト",
        "すべてのプロジェクト",
        "모든 프로젝트",
    ];
    let says = |words: &[&str]| {
        let mut all = sentences.iter();
        all.any(|one| words.iter().any(|word| one.plain.contains(word)))
    };
    match kind {
        MemoryType::Project => Scope::Private,
        _ if says(EVERYWHERE) => Scope::Global,
        _ => Scope::Private,
    }
}
