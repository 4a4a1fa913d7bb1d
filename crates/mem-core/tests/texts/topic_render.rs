//! What is written is strict YAML for every input, and reads back equal.

use mem_core::MemoryType;
use mem_core::topic::{Eol, Expiry, FrontmatterForm, NewTopic, TopicFile, render};
use proptest::prelude::*;

/// Text that other YAML readers like to take for something else, and plain noise.
pub(crate) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => any::<String>(),
        2 => "[ -~]{0,40}",
        2 => prop::sample::select(vec![
            "no", "Yes", "on", "OFF", "y", "~", "null", "", " ", "12", "0x1f", "1e3", "1_000",
            "2026-11-20", "12:30:45", ".inf", ".5", "-1", "+1", "a: b", "a #b", "a:", "#a", "- a",
            "? a", "[a]", "{a}", "&a", "*a", "!a", "|", ">", "%a", "@a", "`a", "'a'", "\"a\"",
            "a\"b", "a\\b", " a", "a ", "\ta", "a\tb", "a\nb", "a\r\nb", "a\u{85}b", "a\u{2028}b",
            "\u{feff}a", "a\0b", "a\u{7f}b", "\u{ffff}", "=", "<<", "---", "...", "한글", "true",
            "a\u{a0}", "\u{3000}a", "١٢", "1.2.3", "5 - 3",
        ])
        .prop_map(str::to_owned),
    ]
}

fn new_topic() -> impl Strategy<Value = NewTopic> {
    let tag = text().prop_map(|t| t.replace(',', " ").trim().to_owned());
    let kinds = prop::sample::select(MemoryType::ALL.to_vec());
    let tags = prop::collection::vec(tag.prop_filter("empty", |t| !t.is_empty()), 0..3);
    let rest = (
        prop::option::of(1_u8..=5),
        any::<bool>(),
        prop::option::of(text()),
    );
    (text(), text(), kinds, tags, rest, any::<bool>()).prop_map(
        |(name, description, kind, tags, (importance, pinned, category), dated)| NewTopic {
            tags,
            importance,
            pinned,
            category,
            expires: dated.then(|| "2026-12-31".parse::<Expiry>().unwrap()),
            modified: dated.then(|| "2026-11-20T10:00:00Z".parse().unwrap()),
            ..NewTopic::new(kind, &name, &description, "---\nthe body\n")
        },
    )
}

fn shown(text: &str) -> Option<String> {
    (!text.trim().is_empty()).then(|| text.to_owned())
}

/// A scalar that a YAML 1.1 reader computes with must be quoted.
fn yaml_1_1_sees_text(line: &str) -> bool {
    let value = line.split_once(": ").map_or("", |(_, value)| value);
    if value.starts_with('"') || value.starts_with('[') {
        return true;
    }
    let word = value.to_ascii_lowercase();
    let special = [
        "y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "=", "",
    ];
    let number = value.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
        && value
            .chars()
            .all(|c| c.is_ascii_hexdigit() || "xob_.,:+-eTtZz ".contains(c));
    !special.contains(&word.as_str()) && !number
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn every_input_reads_back_equal(new in new_topic(), nested: bool, crlf: bool) {
        let form = if nested { FrontmatterForm::Nested } else { FrontmatterForm::Flat };
        let eol = if crlf { Eol::CrLf } else { Eol::Lf };
        let bytes = render(&new, form, eol);
        let file = std::str::from_utf8(&bytes).unwrap();
        let eol = eol.as_str();
        let yaml = file
            .strip_prefix(&format!("---{eol}"))
            .and_then(|rest| rest.split_once(&format!("{eol}---{eol}")))
            .map(|(yaml, _)| yaml)
            .unwrap();
        let strict: serde_yaml::Value = serde_yaml::from_str(yaml).unwrap();
        prop_assert_eq!(strict["name"].as_str(), Some(new.name.as_str()));
        prop_assert_eq!(strict["description"].as_str(), Some(new.description.as_str()));
        for line in yaml.lines().take(2) {
            prop_assert!(yaml_1_1_sees_text(line), "{}", line);
        }

        let topic = TopicFile::parse(&bytes);
        prop_assert_eq!(&topic.name, &shown(&new.name));
        prop_assert_eq!(&topic.description, &shown(&new.description));
        prop_assert_eq!(topic.kind, Some(new.kind));
        prop_assert_eq!(&topic.tags, &new.tags);
        prop_assert_eq!(topic.importance, new.importance);
        prop_assert_eq!(topic.expires, new.expires);
        prop_assert_eq!(topic.pinned, new.pinned);
        prop_assert_eq!(&topic.category, &new.category.as_deref().and_then(shown));
        prop_assert_eq!(topic.modified, new.modified);
        prop_assert_eq!(topic.form, form);
        prop_assert_eq!(&topic.warnings, &[]);
        prop_assert_eq!(topic.text(&bytes).replace("\r\n", "\n"), "---\nthe body\n");
    }
}

#[test]
fn the_two_forms_look_like_this() {
    let mut new = NewTopic::new(
        MemoryType::Feedback,
        "No mocks",
        "Tests: use a real DB",
        "Body.\n",
    );
    new.pinned = true;
    let flat = String::from_utf8(render(&new, FrontmatterForm::Flat, Eol::Lf)).unwrap();
    assert_eq!(
        flat,
        "---\nname: No mocks\ndescription: \"Tests: use a real DB\"\ntype: feedback\npinned: true\n---\n\nBody.\n"
    );
    let nested = String::from_utf8(render(&new, FrontmatterForm::Nested, Eol::Lf)).unwrap();
    assert_eq!(
        nested,
        "---\nname: No mocks\ndescription: \"Tests: use a real DB\"\nmetadata:\n  type: feedback\n  pinned: true\n---\n\nBody.\n"
    );
}

#[test]
fn a_topic_is_checked_before_it_is_written() {
    let check = |name: &str, description: &str| {
        NewTopic::new(MemoryType::User, name, description, "").validate()
    };
    assert!(check("a", "b").is_ok());
    for (name, description) in [
        ("", "b"),
        ("a", " "),
        ("a\nb", "c"),
        ("a", "b\nc"),
        ("a\u{1b}", "b"),
    ] {
        assert!(
            check(name, description).is_err(),
            "{name:?} {description:?}"
        );
    }
    assert!(check(&"a".repeat(201), "b").is_err());
    assert!(check("a", &"b".repeat(1_025)).is_err());
}
