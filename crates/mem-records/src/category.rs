//! The six categories of records, and how they stand to the four types of memory.
//!
//! | category | type | why |
//! |---|---|---|
//! | `user_preference` | user | how a person likes things |
//! | `project_context` | project | what is going on that the code does not say |
//! | `factual_knowledge` | reference | what holds outside of this work, and can be looked up |
//! | `decision_log` | project | what was decided, and why |
//! | `relationship` | user | who is who; about people, so never for a team |
//! | `task_progress` | project | how far a piece of work is |
//!
//! A topic file keeps the category as a field of its own. One that has none, or another word there,
//! counts as the category that its type suggests: `user` and `feedback` as `user_preference`,
//! `project` as `project_context`, everything else as `factual_knowledge`.

use std::fmt;
use std::str::FromStr;

use mem_core::MemoryType;
use mem_core::topic::TopicFile;

use crate::error::InvalidRecord;

/// What a record is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// How a person likes things.
    UserPreference,
    /// What is going on.
    ProjectContext,
    /// What holds anyway.
    FactualKnowledge,
    /// What was decided.
    DecisionLog,
    /// Who is who.
    Relationship,
    /// How far it is.
    TaskProgress,
}

impl Category {
    /// All categories, in the order in which they are shown.
    pub const ALL: [Self; 6] = [
        Self::UserPreference,
        Self::ProjectContext,
        Self::FactualKnowledge,
        Self::DecisionLog,
        Self::Relationship,
        Self::TaskProgress,
    ];

    /// The word used in tools and in frontmatter.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UserPreference => "user_preference",
            Self::ProjectContext => "project_context",
            Self::FactualKnowledge => "factual_knowledge",
            Self::DecisionLog => "decision_log",
            Self::Relationship => "relationship",
            Self::TaskProgress => "task_progress",
        }
    }

    /// The type of the memory that a record of this category is.
    pub fn memory_type(self) -> MemoryType {
        match self {
            Self::UserPreference | Self::Relationship => MemoryType::User,
            Self::ProjectContext | Self::DecisionLog | Self::TaskProgress => MemoryType::Project,
            Self::FactualKnowledge => MemoryType::Reference,
        }
    }

    /// The category of a memory that says none.
    pub fn of_kind(kind: Option<MemoryType>) -> Self {
        match kind {
            Some(MemoryType::User | MemoryType::Feedback) => Self::UserPreference,
            Some(MemoryType::Project) => Self::ProjectContext,
            Some(MemoryType::Reference) | None => Self::FactualKnowledge,
        }
    }

    /// The category that a topic file says; `None` where it says none of these.
    pub fn stated_category(topic: &TopicFile) -> Option<Self> {
        topic.category.as_deref()?.trim().parse().ok()
    }

    /// What is to be told of a topic file that says another word.
    pub fn unknown_category_notice(topic: &TopicFile) -> Option<String> {
        let word = topic.category.as_deref()?.trim();
        let error = word.parse::<Self>().err()?;
        Some(format!(
            "{error}, and it counts as {}",
            Self::from_topic(topic)
        ))
    }

    /// The category of a topic file, said or suggested by its type.
    pub fn from_topic(topic: &TopicFile) -> Self {
        Self::stated_category(topic).unwrap_or_else(|| Self::of_kind(topic.kind))
    }

    /// All words, for messages.
    pub(crate) fn category_words() -> String {
        Self::ALL.map(Self::as_str).join(", ")
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Category {
    type Err = InvalidRecord;

    fn from_str(word: &str) -> Result<Self, InvalidRecord> {
        Self::ALL
            .into_iter()
            .find(|one| one.as_str() == word)
            .ok_or_else(|| InvalidRecord::Category(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_back_and_every_type_has_a_category() {
        for one in Category::ALL {
            assert_eq!(one.as_str().parse(), Ok(one));
        }
        for word in ["", "User_Preference", "user preference", "secret"] {
            assert!(word.parse::<Category>().is_err(), "{word}");
        }
        for kind in MemoryType::ALL {
            let back = Category::of_kind(Some(kind)).memory_type();
            // Feedback has no category of its own: it is how a person likes things.
            assert!(back == kind || kind == MemoryType::Feedback, "{kind}");
        }
    }

    #[test]
    fn a_topic_says_its_category_or_its_type_does() {
        let of = |text: &str| Category::from_topic(&TopicFile::parse(text.as_bytes()));
        let said = "---\nname: n\ntype: project\ncategory: decision_log\n---\n";
        assert_eq!(of(said), Category::DecisionLog);
        let other = "---\nname: n\ntype: feedback\ncategory: style\n---\n";
        assert_eq!(of(other), Category::UserPreference);
        assert_eq!(of("no frontmatter"), Category::FactualKnowledge);
        let odd =
            |text: &str| Category::unknown_category_notice(&TopicFile::parse(text.as_bytes()));
        assert_eq!(odd(said).or(odd("no frontmatter")), None);
        let told = "`style` is not a category, and it counts as user_preference";
        assert_eq!(odd(other).as_deref(), Some(told));
    }
}
