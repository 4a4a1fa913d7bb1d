//! What may be ranked at all, and for each document that may not, what said so.

use super::RankOptions;
use crate::document::Facets;
use crate::index::RecallIndex;

/// Documents that are left out before ranking. Empty lists ask for nothing. Words compare without
/// regard to ASCII case.
#[derive(Debug, Clone, Default)]
pub struct RankFilter {
    /// Types of which the document's must be one.
    pub kinds: Vec<String>,
    /// Scopes of which the document's must be one.
    pub scopes: Vec<String>,
    /// Categories of which the document's must be one.
    pub categories: Vec<String>,
    /// Tags of which the document must have one.
    pub tags: Vec<String>,
    /// The importance a document must have at least.
    pub min_importance: Option<f32>,
    /// Keys that are not wanted: say, what was shown already.
    pub exclude: Vec<String>,
    /// What keys have to begin with: say, a folder. Other documents are left out without being named.
    pub below: String,
    /// Whether expired documents are ranked all the same.
    pub expired: bool,
}

/// A document that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filtered {
    /// Its key.
    pub key: String,
    /// What left it out.
    pub by: FilteredBy,
}

/// What leaves a document out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FilteredBy {
    /// Its type.
    Kind,
    /// Its scope.
    Scope,
    /// Its category.
    Category,
    /// Its tags.
    Tag,
    /// Its importance.
    Importance,
    /// Its expiry.
    Expired,
    /// Its key.
    Excluded,
}

impl FilteredBy {
    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kind => "type",
            Self::Scope => "scope",
            Self::Category => "category",
            Self::Tag => "tag",
            Self::Importance => "importance",
            Self::Expired => "expired",
            Self::Excluded => "excluded",
        }
    }
}

impl RankFilter {
    fn is_empty(&self) -> bool {
        let lists = [
            &self.kinds,
            &self.scopes,
            &self.categories,
            &self.tags,
            &self.exclude,
        ];
        let any = lists.iter().any(|list| !list.is_empty());
        !any && self.min_importance.is_none()
    }

    /// What leaves a document out, if anything does.
    fn exclusion_reason(&self, key: &str, facets: &Facets, now: i64) -> Option<FilteredBy> {
        let lacks = |list: &[String], word: &str| {
            !list.is_empty() && !list.iter().any(|w| w.eq_ignore_ascii_case(word))
        };
        let tagged = || {
            facets
                .tags
                .iter()
                .any(|tag| self.tags.iter().any(|w| w.eq_ignore_ascii_case(tag)))
        };
        let verdicts = [
            (self.exclude.iter().any(|k| k == key), FilteredBy::Excluded),
            (
                !self.expired && facets.expires.is_some_and(|at| at <= now),
                FilteredBy::Expired,
            ),
            (lacks(&self.kinds, &facets.kind), FilteredBy::Kind),
            (lacks(&self.scopes, &facets.scope), FilteredBy::Scope),
            (
                lacks(&self.categories, &facets.category),
                FilteredBy::Category,
            ),
            (!self.tags.is_empty() && !tagged(), FilteredBy::Tag),
            (
                self.min_importance
                    .is_some_and(|least| facets.importance.unwrap_or(0.5) < least),
                FilteredBy::Importance,
            ),
        ];
        verdicts.into_iter().find_map(|(out, by)| out.then_some(by))
    }
}

/// For each document of all segments, dead ones included, whether it may be ranked.
pub(super) fn allowed_documents(
    index: &RecallIndex,
    options: &RankOptions,
    filtered: &mut Vec<Filtered>,
) -> Vec<bool> {
    let everything = options.filter.is_empty();
    let mut allowed = Vec::with_capacity(index.len());
    for segment in index.segments() {
        for doc in 0..segment.len() {
            let record = segment
                .is_live(doc)
                .then(|| segment.read_record(doc))
                .flatten();
            allowed.push(record.is_some_and(|record| {
                if !record.key.starts_with(&options.filter.below) {
                    return false;
                }
                if everything && !record.has_expiry() {
                    return true;
                }
                let Some(facets) = record.read_facets() else {
                    return false;
                };
                let verdict = options
                    .filter
                    .exclusion_reason(record.key, &facets, options.now);
                filtered.extend(verdict.map(|by| Filtered {
                    key: record.key.to_owned(),
                    by,
                }));
                verdict.is_none()
            }));
        }
    }
    allowed
}
