//! From the raw values of a frontmatter to the fields of a topic.

use super::{Expiry, TopicFile, expires};
use crate::compact_sort::CompactSort as _;
use crate::frontmatter::{
    FieldMatch, FrontmatterField, RawValue, ReadFrontmatter, Warning, WarningKind, read,
};

pub(super) fn topic_of(bytes: &[u8]) -> TopicFile {
    let mut fields = TopicFields {
        reading: read(bytes),
        warnings: Vec::new(),
    };
    let type_word = fields.text(FrontmatterField::Type);
    let mut topic = TopicFile {
        name: fields.text(FrontmatterField::Name),
        description: fields.text(FrontmatterField::Description),
        kind: fields.kind(type_word.as_deref()),
        tags: fields.list(FrontmatterField::Tags),
        when: fields.list(FrontmatterField::When),
        importance: fields.parsed(
            FrontmatterField::Importance,
            "a number from 1 to 5",
            importance,
        ),
        expires: fields.parsed(FrontmatterField::Expires, "a date or a time", |text| {
            text.parse::<Expiry>().ok()
        }),
        pinned: fields
            .parsed(FrontmatterField::Pinned, "true or false", switch)
            .unwrap_or(false),
        category: fields.text(FrontmatterField::Category),
        // A key of this name may be somebody's own: other words are not complained about.
        rests_on: fields
            .text(FrontmatterField::RestsOn)
            .and_then(|text| text.trim().parse().ok()),
        modified: fields.parsed(FrontmatterField::Modified, "a time", expires::instant),
        origin_session: fields.text(FrontmatterField::OriginSession),
        type_word,
        form: fields.reading.form,
        body: fields.reading.split.body.clone(),
        warnings: Vec::new(),
    };
    topic.warnings = fields.reading.warnings;
    topic.warnings.append(&mut fields.warnings);
    topic
        .warnings
        .compact_sort_by_key(|warning| (warning.line, warning.column));
    topic
}

struct TopicFields<'a> {
    reading: ReadFrontmatter<'a>,
    warnings: Vec<Warning>,
}

impl TopicFields<'_> {
    fn found(&self, field: FrontmatterField) -> Option<&FieldMatch> {
        self.reading.get(field)
    }

    fn warn(&mut self, field: FrontmatterField, kind: WarningKind, message: String) {
        let (line, column) = self
            .found(field)
            .map_or((1, 1), |found| (found.line, found.column));
        self.warnings.push(Warning {
            kind,
            line,
            column,
            message,
        });
    }

    /// A text that is not empty.
    fn text(&mut self, field: FrontmatterField) -> Option<String> {
        match self.found(field).map(|found| &found.raw) {
            None | Some(RawValue::Null) => None,
            Some(RawValue::Text(text)) => (!text.trim().is_empty()).then(|| text.clone()),
            Some(RawValue::List(_) | RawValue::Map) => {
                let message = format!("`{field}` is not a single value");
                self.warn(field, WarningKind::Value, message);
                None
            }
        }
    }

    fn kind(&mut self, word: Option<&str>) -> Option<crate::MemoryType> {
        let word = word?;
        let kind = word.trim().parse().ok();
        if kind.is_none() {
            let message = format!(
                "`{}` is not a memory type",
                crate::memory_path::printable(word)
            );
            self.warn(FrontmatterField::Type, WarningKind::UnknownType, message);
        }
        kind
    }

    /// A list, or words with commas between them.
    fn list(&mut self, field: FrontmatterField) -> Vec<String> {
        let owned = |text: &str| Some(text.trim().to_owned()).filter(|word| !word.is_empty());
        match self.found(field).map(|found| &found.raw) {
            None | Some(RawValue::Null) => Vec::new(),
            Some(RawValue::Text(text)) => text.split(',').filter_map(owned).collect(),
            Some(RawValue::List(items)) => items.iter().filter_map(|item| owned(item)).collect(),
            Some(RawValue::Map) => {
                let message = format!("`{field}` is not a list");
                self.warn(field, WarningKind::Value, message);
                Vec::new()
            }
        }
    }

    fn parsed<T>(
        &mut self,
        field: FrontmatterField,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.text(field)?;
        let value = parse(text.trim());
        if value.is_none() {
            let text = crate::memory_path::printable(&text);
            let message = format!("`{field}` is `{text}`, which is not {expected}");
            self.warn(field, WarningKind::Value, message);
        }
        value
    }
}

fn importance(text: &str) -> Option<u8> {
    text.parse().ok().filter(|value| (1..=5).contains(value))
}

fn switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}
