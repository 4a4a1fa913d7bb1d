//! A change of one field changes that field and nothing else, or is refused.

use mem_core::frontmatter::{EditError, FieldEdit, FrontmatterField, edit};
use mem_core::topic::TopicFile;
use mem_core::{MemoryType, TextSource};
use proptest::prelude::*;

use super::frontmatter_property::block;
use super::topic_render::text;

#[track_caller]
fn check(before: &str, change: FieldEdit, after: &str) {
    let result = edit(before.as_bytes(), &[change]).unwrap();
    assert_eq!(String::from_utf8(result).unwrap(), after);
}

fn description(text: &str) -> FieldEdit {
    FieldEdit::Description(text.to_owned())
}

#[test]
fn a_value_keeps_its_quotes_its_comment_and_its_surroundings() {
    check(
        "---\nzeta: 1 # keep\nname:   'a'  # why\n# note\ntype: user # who\n---\nbody",
        FieldEdit::Name("it's".to_owned()),
        "---\nzeta: 1 # keep\nname:   'it''s'  # why\n# note\ntype: user # who\n---\nbody",
    );
    check(
        "\u{feff}---\r\nname: a\r\ntype: user # who\r\n---\r\nbody\r\n",
        FieldEdit::Type(MemoryType::Feedback),
        "\u{feff}---\r\nname: a\r\ntype: feedback # who\r\n---\r\nbody\r\n",
    );
    check(
        "---\nname: \"a\"\n---\n",
        FieldEdit::Name("b".into()),
        "---\nname: \"b\"\n---\n",
    );
    check(
        "---\nname:\n---\n",
        FieldEdit::Name("b".into()),
        "---\nname: b\n---\n",
    );
    check(
        "---\nname: # c\n---\n",
        FieldEdit::Name("b".into()),
        "---\nname: \"b\" # c\n---\n",
    );
}

#[test]
fn values_over_several_lines_become_one() {
    for old in [
        ">\n  long\n\n  text",
        "|-\n  long\n  text",
        "\"long\n  text\"",
        "long\n  text",
    ] {
        let before = format!("---\nname: a\ndescription: {old}\ntype: user\n---\nb");
        let after = edit(before.as_bytes(), &[description("new: one")]).unwrap();
        let expected = b"---\nname: a\ndescription: \"new: one\"\ntype: user\n---\nb";
        assert_eq!(after, expected, "{old}");
    }
}

#[test]
fn tags_keep_their_style() {
    let tags = || FieldEdit::Tags(vec!["x".into(), "no".into()]);
    check(
        "---\ntags: [a, b] # c\n---\n",
        tags(),
        "---\ntags: [x, \"no\"] # c\n---\n",
    );
    check("---\ntags: a, b\n---\n", tags(), "---\ntags: x, no\n---\n");
    check(
        "---\ntags:\n  - a\n  - b\nz: 1\n---\n",
        tags(),
        "---\ntags:\n  - x\n  - \"no\"\nz: 1\n---\n",
    );
    check(
        "---\ntags:\n- a\nz: 1\n---\n",
        tags(),
        "---\ntags:\n- x\n- \"no\"\nz: 1\n---\n",
    );
    check(
        "---\ntags: [\n  a,\n  b\n]\nz: 1\n---\n",
        tags(),
        "---\ntags: [x, \"no\"]\nz: 1\n---\n",
    );
    check(
        "---\ntags: [a]\nz: 1\n---\n",
        FieldEdit::Tags(vec![]),
        "---\nz: 1\n---\n",
    );
}

#[test]
fn new_keys_go_where_the_form_puts_them() {
    check(
        "---\nname: a\nother: 1\n---\n",
        description("b"),
        "---\nname: a\ndescription: b\nother: 1\n---\n",
    );
    check(
        "---\nother: 1\n---\n",
        FieldEdit::Name("a".into()),
        "---\nname: a\nother: 1\n---\n",
    );
    check(
        "---\nname: a\nmetadata: \n    type: user\nother: 1\n---\n",
        FieldEdit::Pinned(true),
        "---\nname: a\nmetadata: \n    type: user\n    pinned: true\nother: 1\n---\n",
    );
    check(
        "---\nname: a\nmetadata:\n---\n",
        FieldEdit::Importance(3),
        "---\nname: a\nmetadata:\n  importance: 3\n---\n",
    );
    check(
        "body\r\n",
        FieldEdit::Name("a".into()),
        "---\r\nname: a\r\n---\r\nbody\r\n",
    );
    check(
        "---\n---\nbody",
        FieldEdit::Pinned(true),
        "---\npinned: true\n---\nbody",
    );
}

#[test]
fn a_key_is_changed_at_the_level_where_it_stands() {
    check(
        "---\nname: a\ntype: user\nmetadata:\n  node_type: memory\n---\n",
        FieldEdit::Type(MemoryType::Project),
        "---\nname: a\ntype: project\nmetadata:\n  node_type: memory\n---\n",
    );
    check(
        "---\nname: a\nmetadata: \n  type: user\n---\n",
        FieldEdit::Type(MemoryType::Project),
        "---\nname: a\nmetadata: \n  type: project\n---\n",
    );
}

#[test]
fn broken_yaml_is_edited_by_its_lines() {
    check(
        "---\nname: a: b\nstray line\ntype: user\n---\n",
        FieldEdit::Type(MemoryType::Project),
        "---\nname: a: b\nstray line\ntype: project\n---\n",
    );
    check(
        "---\nname: \"x\" y\n---\n",
        FieldEdit::Name("z".into()),
        "---\nname: z\n---\n",
    );
    check(
        "---\nname: a\nname: b\n---\n",
        FieldEdit::Remove(FrontmatterField::Name),
        "---\n---\n",
    );
}

#[test]
fn removing_takes_the_whole_entry() {
    check(
        "---\nname: a\ndescription: |\n  b\n\n  c\n# note\ntype: user\n---\n",
        FieldEdit::Remove(FrontmatterField::Description),
        "---\nname: a\n# note\ntype: user\n---\n",
    );
    check(
        "no frontmatter",
        FieldEdit::Remove(FrontmatterField::Name),
        "no frontmatter",
    );
}

#[test]
fn the_body_is_replaced_below_its_blank_lines() {
    let body = |text: &str| FieldEdit::Body(text.as_bytes().to_vec());
    check(
        "---\nname: a: b\n---\n\n\nold",
        body("new\n"),
        "---\nname: a: b\n---\n\n\nnew\n",
    );
    check(
        "---\nname: a\n---",
        body("new\n"),
        "---\nname: a\n---\nnew\n",
    );
    check("old", body("new"), "new");
    check("old", body(""), "");
    check(
        "---\nname: a\n---\nold",
        body("---\nname: b\n---\n"),
        "---\nname: a\n---\n---\nname: b\n---\n",
    );
    assert_eq!(
        edit(b"old", &[body("---\nname: b\n---\n")]),
        Err(EditError::Body)
    );
}

#[test]
fn what_cannot_be_changed_alone_is_refused() {
    let pinned = [FieldEdit::Pinned(true)];
    let inline = b"---\nname: a\nmetadata: {type: user, pinned: false}\n---\n";
    assert!(matches!(
        edit(inline, &pinned),
        Err(EditError::Inline { line: 3, .. })
    ));
    let anchored = b"---\nname: &n a\ndescription: *n\n---\n";
    let renamed = edit(anchored, &[FieldEdit::Name("b".into())]);
    assert!(matches!(renamed, Err(EditError::Entangled { .. })));
    assert_eq!(
        edit(b"---\nname: a\n", &pinned),
        Err(EditError::Unterminated)
    );
}

#[test]
fn a_field_takes_no_other_line_of_broken_yaml_with_it() {
    let tabs = b"---\nname: a\ndescription: b\n\ttype: project\n---\n";
    let entangled = Err(EditError::Entangled {
        field: FrontmatterField::Description,
    });
    assert_eq!(edit(tabs, &[description("c")]), entangled);
    let remove = FieldEdit::Remove(FrontmatterField::Description);
    assert_eq!(edit(tabs, &[remove]), entangled);
    let block = b"---\nname: a\ndescription: |\n  note: b\nother: 'x' y\n---\n";
    assert!(edit(block, &[description("c")]).is_ok(), "a block scalar");
}

#[test]
fn what_is_no_text_is_refused() {
    let wide = "\u{feff}---\nname: a\n---\n".encode_utf16();
    let wide: Vec<u8> = wide.flat_map(u16::to_le_bytes).collect();
    assert_eq!(edit(&wide, &[description("b")]), Err(EditError::NotText));
}

fn change() -> impl Strategy<Value = FieldEdit> {
    prop_oneof![
        text().prop_map(FieldEdit::Name),
        text().prop_map(FieldEdit::Description),
        text().prop_map(FieldEdit::Category),
        prop::sample::select(MemoryType::ALL.to_vec()).prop_map(FieldEdit::Type),
        (1_u8..=5).prop_map(FieldEdit::Importance),
        Just(FieldEdit::RestsOn(TextSource::WebPage)),
        prop::collection::vec("[a-z*/.]{1,5}", 0..3).prop_map(FieldEdit::When),
        any::<bool>().prop_map(FieldEdit::Pinned),
        prop::collection::vec("[a-z]{1,5}", 0..3).prop_map(FieldEdit::Tags),
        prop::sample::select(FrontmatterField::ALL.to_vec()).prop_map(FieldEdit::Remove),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// On any block at all: refused, or all but the one field is as it was.
    #[test]
    fn an_edit_changes_one_field_or_nothing(block in block(), change in change(), body in "[ -~\n]{0,30}") {
        let before = format!("---\n{block}---\n{body}").into_bytes();
        if let Ok(after) = edit(&before, std::slice::from_ref(&change)) {
            let (mut old, mut new) = (TopicFile::parse(&before), TopicFile::parse(&after));
            prop_assert_eq!(old.body(&before), new.body(&after));
            for topic in [&mut old, &mut new] {
                topic.warnings.clear();
                topic.body = 0..0;
                match change {
                    FieldEdit::Name(_) | FieldEdit::Remove(FrontmatterField::Name) => topic.name = None,
                    FieldEdit::Description(_) | FieldEdit::Remove(FrontmatterField::Description) => topic.description = None,
                    FieldEdit::Category(_) | FieldEdit::Remove(FrontmatterField::Category) => topic.category = None,
                    FieldEdit::Type(_) | FieldEdit::Remove(FrontmatterField::Type) => (topic.kind, topic.type_word) = (None, None),
                    FieldEdit::Pinned(_) | FieldEdit::Remove(FrontmatterField::Pinned) => topic.pinned = false,
                    FieldEdit::When(_) | FieldEdit::Remove(FrontmatterField::When) => topic.when.clear(),
                    FieldEdit::Tags(_) | FieldEdit::Remove(FrontmatterField::Tags) => topic.tags.clear(),
                    FieldEdit::RestsOn(_) | FieldEdit::Remove(FrontmatterField::RestsOn) => topic.rests_on = None,
                    FieldEdit::Importance(_) => topic.importance = None,
                    _ => {}
                }
                topic.form = mem_core::topic::FrontmatterForm::None;
            }
            prop_assert_eq!(old, new);
        }
    }

    /// On the files that people have, nothing is refused.
    #[test]
    fn ordinary_files_take_every_edit(name in "[a-z][a-z :#'\"]{0,20}", change in change(), nested: bool) {
        let fields = if nested { "metadata: \n  node_type: memory\n  type: user\n" } else { "type: user\n" };
        let before = format!("---\nname: {name}\ndescription: b — c\n{fields}---\nbody\n");
        let after = edit(before.as_bytes(), &[change]);
        prop_assert!(after.is_ok(), "{:?}", after);
    }
}
