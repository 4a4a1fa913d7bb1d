//! Reading a model's choice: JSON where it kept to the form, lines where it did not.

use serde_json::Value;

use super::{ManifestEntry, SELECTED_MAX};

/// The files that an answer names, once each, at most [`SELECTED_MAX`], in its order. `None` where
/// it is not an answer: it names things, and none of them is in the manifest.
///
/// Understood are a JSON list of names, an object with one list in it, either of them inside a
/// code fence or other words, and lines with one name each.
pub(super) fn parse_selection(answer: &str, entries: &[ManifestEntry<'_>]) -> Option<Vec<String>> {
    let named = match find_json_list(answer) {
        Some(names) => names,
        None => leading_names(answer),
    };
    let mut chosen: Vec<String> = Vec::new();
    for name in &named {
        let known = entries.iter().find(|entry| entry.file == name);
        if let Some(entry) = known
            && !chosen.iter().any(|file| file == entry.file)
            && chosen.len() < SELECTED_MAX
        {
            chosen.push(entry.file.to_owned());
        }
    }
    let is_answer = !chosen.is_empty() || (named.is_empty() && find_json_list(answer).is_some());
    is_answer.then_some(chosen)
}

/// The first list of texts in the text.
fn find_json_list(answer: &str) -> Option<Vec<String>> {
    let start = answer.find(['[', '{'])?;
    let mut values = serde_json::Deserializer::from_str(&answer[start..]).into_iter::<Value>();
    text_list(&values.next()?.ok()?)
}

fn text_list(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Array(items) => items
            .iter()
            .map(|item| item.as_str().map(str::to_owned))
            .collect(),
        Value::Object(fields) => fields.values().find_map(text_list),
        _ => None,
    }
}

/// Names at the start of lines, bullets, quotes and backticks around them removed.
fn leading_names(answer: &str) -> Vec<String> {
    let bare = |line: &str| {
        let line = line.trim();
        let line = line.strip_prefix(['-', '*']).unwrap_or(line).trim();
        line.trim_matches(['`', '"', '\'', ',']).to_owned()
    };
    let names = answer.lines().map(bare);
    names.filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    fn chosen(answer: &str) -> Option<Vec<String>> {
        let files = ["a.md", "b.md", "c.md", "d.md", "e.md", "f.md", "team:a.md"];
        let entries = files.map(|file| ManifestEntry {
            kind: None,
            file,
            modified: Timestamp::UNIX_EPOCH,
            description: "",
        });
        parse_selection(answer, &entries)
    }

    fn files<const N: usize>(names: [&str; N]) -> Option<Vec<String>> {
        Some(names.map(str::to_owned).to_vec())
    }

    #[test]
    fn the_forms_that_models_answer_in() {
        assert_eq!(chosen(r#"["b.md","a.md"]"#), files(["b.md", "a.md"]));
        let fenced = "Here:\n```json\n{\"selected_memories\": [\"team:a.md\"]}\n```\n";
        assert_eq!(chosen(fenced), files(["team:a.md"]));
        assert_eq!(chosen("- `a.md`\n- b.md\n"), files(["a.md", "b.md"]));
        assert_eq!(chosen("[]"), files([]));
    }

    #[test]
    fn only_what_the_manifest_has_once_each_and_no_more_than_five() {
        assert_eq!(chosen(r#"["../x.md","a.md","a.md"]"#), files(["a.md"]));
        let many = r#"["a.md","b.md","c.md","d.md","e.md","f.md"]"#;
        assert_eq!(chosen(many).map(|names| names.len()), Some(5));
    }

    #[test]
    fn anything_else_is_no_answer() {
        for text in [
            "",
            "I cannot help",
            r#"["zzz.md"]"#,
            "{\"a\": 1}",
            "[1, 2]",
            "[\"a.md\"",
        ] {
            assert_eq!(chosen(text), None, "{text}");
        }
    }
}
