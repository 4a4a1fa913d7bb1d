//! Every frontmatter form seen in the wild, and the hostile ones.

use mem_core::MemoryType;
use mem_core::topic::{FrontmatterForm, TopicFile, WarningKind};

fn parse(text: &str) -> TopicFile {
    TopicFile::parse(text.as_bytes())
}

fn kinds(topic: &TopicFile) -> Vec<WarningKind> {
    topic.warnings.iter().map(|warning| warning.kind).collect()
}

/// Name, description and the word of the type.
fn core(topic: &TopicFile) -> [&str; 3] {
    [&topic.name, &topic.description, &topic.type_word].map(|field| field.as_deref().unwrap_or(""))
}

#[test]
fn flat_and_nested_say_the_same() {
    let flat = parse("---\nname: A\ndescription: B — c\ntype: project\ntags: [x, y]\n---\nbody\n");
    let nested = parse(
        "---\nname: A\ndescription: \"B — c\"\nmetadata: \n  node_type: memory\n  type: project\n  \
         tags:\n    - x\n    - y\n  originSessionId: 12-ab\n  modified: 2026-11-01T10:00:00.000Z\n---\nbody\n",
    );
    for topic in [&flat, &nested] {
        assert_eq!(core(topic), ["A", "B — c", "project"]);
        assert_eq!(topic.kind, Some(MemoryType::Project));
        assert_eq!(topic.tags, ["x", "y"]);
        assert_eq!(topic.warnings, []);
    }
    assert_eq!(
        (flat.form, nested.form),
        (FrontmatterForm::Flat, FrontmatterForm::Nested)
    );
    assert_eq!(nested.origin_session.as_deref(), Some("12-ab"));
    assert_eq!(nested.modified.unwrap().to_string(), "2026-11-01T10:00:00Z");
}

#[test]
fn the_optional_fields_are_read_at_either_level() {
    let fields = "importance: 4\nexpires: 2026-12-31\npinned: true\ncategory: ops\n";
    let flat = parse(&format!("---\ntags: a, b c\n{fields}---\n"));
    let indented = fields.replace("\n", "\n  ");
    let nested = parse(&format!(
        "---\nmetadata:\n  tags: a, b c\n  {}---\n",
        indented.trim_end_matches(' ')
    ));
    for topic in [flat, nested] {
        assert_eq!(topic.tags, ["a", "b c"]);
        assert_eq!(topic.importance, Some(4));
        assert_eq!(topic.expires.unwrap().to_string(), "2026-12-31");
        assert!(topic.pinned);
        assert_eq!(topic.category.as_deref(), Some("ops"));
        assert_eq!(topic.warnings, []);
    }
}

#[test]
fn windows_files_read_like_others() {
    let text = "\u{feff}---\r\nname: A\r\ndescription: B\r\ntype: user\r\n---\r\nbody\r\n";
    let topic = parse(text);
    assert_eq!(core(&topic), ["A", "B", "user"]);
    assert_eq!(topic.body(text.as_bytes()), b"body\r\n");
    assert_eq!(topic.warnings, []);
}

#[test]
fn an_unquoted_colon_costs_no_field() {
    let topic = parse("---\nname: x\ndescription: Major session: freshness\ntype: project\n---\n");
    assert_eq!(core(&topic), ["x", "Major session: freshness", "project"]);
    assert_eq!(kinds(&topic), [WarningKind::Yaml]);
    assert_eq!((topic.warnings[0].line, topic.warnings[0].column), (3, 27));
}

#[test]
fn text_behind_a_hash_is_kept_in_sentences_only() {
    let topic = parse("---\ndescription: see issue #12 first\ntype: user # who\n---\n");
    assert_eq!(core(&topic), ["", "see issue #12 first", "user"]);
    assert_eq!(kinds(&topic), [WarningKind::HashInText]);
    assert_eq!((topic.warnings[0].line, topic.warnings[0].column), (2, 23));
}

#[test]
fn a_quoted_word_followed_by_text_is_text() {
    let topic = parse("---\nname: \"통과\" 한마디 = 끝\ntype: feedback\n---\n");
    assert_eq!(core(&topic), ["\"통과\" 한마디 = 끝", "", "feedback"]);
    assert_eq!(kinds(&topic), [WarningKind::Yaml]);
}

#[test]
fn of_duplicate_keys_the_first_counts() {
    let topic = parse("---\nname: a\nname: b\ntype: user\n---\n");
    assert_eq!(core(&topic), ["a", "", "user"]);
    assert_eq!(kinds(&topic), [WarningKind::DuplicateKey]);
    assert_eq!(topic.warnings[0].line, 3);
}

#[test]
fn values_that_are_no_strings_keep_their_text() {
    let topic = parse(
        "---\n1: x\ntrue: y\nname: 1.10\ndescription: 0x1F\ntype: no\ntags: [1.10, v2]\n---\n",
    );
    assert_eq!(core(&topic), ["1.10", "0x1F", "no"]);
    assert_eq!(topic.tags, ["1.10", "v2"]);
    assert_eq!(topic.kind, None);
    assert_eq!(kinds(&topic), [WarningKind::UnknownType]);
    assert_eq!(
        core(&parse("---\nname: ~\ndescription: null\ntype:\n---\n")),
        ["", "", ""]
    );
}

#[test]
fn scalars_over_several_lines_are_one_line() {
    let topic = parse(
        "---\nname: |\n  a\n  b\ndescription: >-\n  c\n\n  d\ncategory: \"e\n  f\"\ntype:\n  user\n---\n",
    );
    assert_eq!(core(&topic), ["a b", "c d", "user"]);
    assert_eq!(topic.category.as_deref(), Some("e f"));
    // The same beside a line that is no YAML.
    let broken = parse(
        "---\nname: |\n  a\n  b\ndescription: >-\n  c\n\n  d\nx: y: z\ncategory: \"e\n  f\"\ntype:\n  user\n---\n",
    );
    assert_eq!(core(&broken), ["a b", "c d", "user"]);
    assert_eq!(broken.category.as_deref(), Some("e f"));
}

#[test]
fn flow_mappings_are_read_with_and_without_the_parser() {
    let topic = parse("---\nname: a\nmetadata: {type: user, pinned: true}\n---\n");
    assert_eq!(
        (topic.kind, topic.pinned, topic.form),
        (Some(MemoryType::User), true, FrontmatterForm::Nested)
    );
    let broken = parse("---\nname: a: b\nmetadata: {type: user, pinned: true}\n---\n");
    assert_eq!((broken.kind, broken.pinned), (Some(MemoryType::User), true));
}

#[test]
fn values_out_of_range_are_warnings() {
    let topic =
        parse("---\nimportance: 9\nexpires: soon\npinned: maybe\nname: [a]\nmodified: x\n---\n");
    assert_eq!(kinds(&topic), [WarningKind::Value; 5]);
    assert_eq!(
        (topic.importance, topic.pinned, topic.name),
        (None, false, None)
    );
}

#[test]
fn oversized_and_hostile_blocks_are_read_by_lines() {
    let filler = "# comment\n".repeat(1_000);
    let topic = parse(&format!(
        "---\nname: a\n{filler}description: b #1\ntype: user\n---\nx"
    ));
    assert_eq!(core(&topic), ["a", "b #1", "user"]);
    assert_eq!(
        kinds(&topic),
        [WarningKind::TooLarge, WarningKind::HashInText]
    );

    let nest = parse(&format!(
        "---\nname: a\nx: {}\ntype: user\n---\n",
        "[".repeat(6_000)
    ));
    assert_eq!(core(&nest), ["a", "", "user"]);

    let level = |level| format!("a{level}: &a{level} [*a{0}, *a{0}, *a{0}]\n", level - 1);
    let levels: String = (1..30).map(level).collect();
    let bomb = format!("---\nname: a\na0: &a0 [x, x]\n{levels}type: user\n---\n");
    let bomb = parse(&bomb);
    assert_eq!(core(&bomb), ["a", "", "user"]);
}

#[test]
fn bytes_that_are_not_utf8_cost_only_themselves() {
    let bytes = b"---\nname: a\xffb\ndescription: ok\ntype: user\n---\nbody \xfe\n";
    let topic = TopicFile::parse(bytes);
    assert_eq!(core(&topic), ["a\u{fffd}b", "ok", "user"]);
    assert_eq!(kinds(&topic), [WarningKind::Utf8]);
    assert_eq!(topic.text(bytes), "body \u{fffd}\n");
}

#[test]
fn what_has_no_frontmatter_is_all_body() {
    for text in [
        "",
        "body",
        "---",
        "---\n\nprose\n\n---\nmore\n",
        "a\n---\nname: x\n---\n",
    ] {
        let topic = parse(text);
        assert_eq!(
            (topic.form, topic.body(text.as_bytes())),
            (FrontmatterForm::None, text.as_bytes())
        );
        assert_eq!(topic.warnings, []);
    }
    let open = parse("---\nname: x\n");
    assert_eq!(
        (open.form, kinds(&open)),
        (FrontmatterForm::None, vec![WarningKind::Unterminated])
    );
    let long = format!("---\nname: x\n{}---\n", "# filler\n".repeat(40_000));
    let message = &parse(&long).warnings[0].message;
    assert!(message.contains("within 262144 bytes"), "{message}");
    let deep = format!("---\nname: x\nother: {}\n---\n", "[".repeat(300));
    let message = &parse(&deep).warnings[0].message;
    assert!(
        message.contains("more than 256 opening brackets"),
        "{message}"
    );
    let later = "---\nname: a\n---\nx\n---\ny\n";
    assert_eq!(parse(later).body(later.as_bytes()), b"x\n---\ny\n");
}
