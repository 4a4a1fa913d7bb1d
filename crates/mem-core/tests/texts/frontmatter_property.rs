//! Reading agrees with the YAML parser wherever that one takes a block, and survives every other.

use mem_core::topic::{TopicFile, WarningKind};
use proptest::prelude::*;
use serde_yaml::Value;

/// Pieces that are likely to mean something to YAML.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-zA-Z]{1,6}",
        2 => prop::sample::select(vec![
            " ", "  ", ": ", ":", " #", "#", "\"", "'", "\\", "\\n", "- ", "-", "[", "]", "{", "}",
            ", ", ",", "|", ">", "&a ", "*a", "!t ", "%", "@", "`", "~", "null", "no", "true",
            "12", "1.50", "2026-01-02", "?", "? ", "\t", "—", "é", "\u{85}", "\u{2028}", "\u{a0}",
            "=", "<<", "...", "---", "''", "\\\"", "\\x41", "key: v",
        ])
        .prop_map(str::to_owned),
    ]
}

fn value() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..6).prop_map(|pieces| pieces.concat())
}

fn line() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec![
        "name",
        "description",
        "type",
        "tags",
        "category",
        "metadata",
        "other",
        "\"name\"",
        "x y",
        "true",
        "name ",
        "pinned",
    ]);
    let gap = prop::sample::select(vec![
        ": ", ":", ":  ", " : ", ": \"", ": '", ": [", ": |\n  ",
    ]);
    let end = prop::sample::select(vec!["", "", "", " ", "\"", "'", "]", "\r", " # c"]);
    let indent = prop::sample::select(vec!["", "", "", "", "  ", "    ", "- ", "  - ", "# "]);
    prop_oneof![
        8 => (indent.clone(), key, gap, value(), end)
            .prop_map(|(indent, key, gap, value, end)| format!("{indent}{key}{gap}{value}{end}")),
        1 => (indent, value()).prop_map(|(indent, value)| format!("{indent}{value}")),
        1 => Just(String::new()),
    ]
}

pub(crate) fn block() -> impl Strategy<Value = String> {
    prop::collection::vec(line(), 0..6).prop_map(|lines| {
        lines
            .iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    })
}

/// The text that the parser gives for a key of the top level, if it is a string on one line.
fn strict_text(mapping: &serde_yaml::Mapping, key: &str) -> Option<String> {
    match mapping.get(key) {
        Some(Value::String(text)) if !text.trim().is_empty() => Some(text.clone()),
        _ => None,
    }
}

/// What [`Topic`] promises for text that stands on several lines.
fn one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

fn has_fence(block: &str) -> bool {
    block
        .lines()
        .any(|line| line.trim_end_matches([' ', '\t', '\r']) == "---")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn reading_agrees_with_the_parser(block in block()) {
        prop_assume!(!has_fence(&block));
        let text = format!("---\n{block}---\nbody");
        let topic = TopicFile::parse(text.as_bytes());
        match serde_yaml::from_str::<Value>(&block) {
            Ok(Value::Mapping(mapping)) => {
                prop_assert!(!topic.warnings.iter().any(|w| w.kind == WarningKind::Yaml));
                let cut = topic.warnings.iter().any(|w| w.kind == WarningKind::HashInText);
                for (key, ours) in [("name", &topic.name), ("description", &topic.description)] {
                    let Some(strict) = strict_text(&mapping, key) else { continue };
                    let ours = ours.clone().unwrap_or_default();
                    let agrees = ours == strict
                        || one_line(&ours) == one_line(&strict)
                        || (cut && ours.starts_with(strict.trim_end()));
                    prop_assert!(agrees, "{key}: {ours:?} for {strict:?}");
                }
            }
            Ok(Value::Null) => prop_assert!(topic.name.is_none()),
            Ok(Value::Tagged(_)) => {}
            _ => prop_assert!(
                !topic.warnings.is_empty() || topic.form == mem_core::topic::FrontmatterForm::None,
                "nothing was said about what is not YAML"
            ),
        }
    }

    #[test]
    fn nothing_panics(bytes in prop::collection::vec(any::<u8>(), 0..200), block in block()) {
        let _ = TopicFile::parse(&bytes);
        let mut mixed = b"---\n".to_vec();
        mixed.extend_from_slice(block.as_bytes());
        mixed.extend_from_slice(&bytes);
        mixed.extend_from_slice(b"\n---\n");
        let _ = TopicFile::parse(&mixed);
    }
}
