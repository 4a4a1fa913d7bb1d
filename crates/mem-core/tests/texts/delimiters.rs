//! No text that is put before a model closes a block or opens one, as a reader sees it that is more lenient than any.

use std::fs;
use std::path::{Path, PathBuf};

use mem_core::delimiters::escape;
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization as _;

/// Names of blocks that the texts below try to close and open.
const NAMES: [&str; 12] = [
    "memory",
    "memories",
    "memory-index",
    "memory-session",
    "system",
    "system-reminder",
    "user",
    "assistant",
    "tool_result",
    "function_calls",
    "manifest",
    "current_notes",
];
const OPENERS: [&str; 10] = [
    "<", "\u{ff1c}", "\u{fe64}", "\u{27e8}", "\u{2039}", "\u{3008}", "&lt;", "&#60;", "&#x3C;",
    "&LT;",
];
const BETWEEN: [&str; 16] = [
    "", "", "", "/", "/", " ", "\t", "\u{a0}", "\u{3000}", "\u{200b}", "\u{ad}", "\0", "\n",
    "\u{ff0f}", "\\", "\u{feff}",
];

/// The blocks that a reader sees who ignores case, width, blanks, whatever is invisible, and how `<` is written.
fn seen(text: &str) -> Vec<String> {
    let invisible = |c: char| {
        (c.is_control() && !c.is_whitespace())
            || [
                '\u{ad}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{feff}', '\u{2060}',
            ]
            .contains(&c)
    };
    let mut plain: String = text.nfkc().filter(|c| !invisible(*c)).collect();
    plain = plain.to_lowercase();
    for other in [
        "&lt;", "&#60;", "&#x3c;", "\u{27e8}", "\u{2039}", "\u{3008}",
    ] {
        plain = plain.replace(other, "<");
    }
    let mut names = Vec::new();
    for (at, _) in plain.match_indices('<') {
        let rest = plain[at + 1..]
            .trim_start_matches(|c: char| c.is_whitespace() || c == '/' || c == '\\');
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_'));
        let name = &rest[..end.unwrap_or(rest.len())];
        if NAMES.contains(&name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// A name in another case or width, or with something invisible in it.
fn name() -> impl Strategy<Value = String> {
    let letter = |c: char, way: u8| match way % 6 {
        0 => c.to_uppercase().to_string(),
        1 if c.is_ascii_alphabetic() => char::from_u32(c as u32 + 0xfee0).unwrap().to_string(),
        2 => format!("{c}\u{200b}"),
        3 => format!("\u{ad}{c}"),
        _ => c.to_string(),
    };
    let ways = proptest::collection::vec(any::<u8>(), 16);
    (proptest::sample::select(&NAMES[..]), ways).prop_map(move |(name, ways)| {
        let letters = name.chars().zip(ways.iter().cycle());
        letters.map(|(c, way)| letter(c, *way)).collect()
    })
}

/// A text of pieces of which delimiters are made, and of any others.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => proptest::sample::select(&OPENERS[..]).prop_map(str::to_owned),
        3 => proptest::sample::select(&BETWEEN[..]).prop_map(str::to_owned),
        3 => name(),
        1 => Just(">".to_owned()),
        1 => ".{0,6}",
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// An entry as `recall` writes it: each text is escaped by itself.
fn entry(texts: &[String; 3]) -> String {
    let [title, description, body] = texts.each_ref().map(|text| escape(text));
    format!(
        "<memories>\n<memory file=\"a.md\">\n{title}\n{description}\n\n{body}\n</memory>\n</memories>\n"
    )
}

const OURS: [&str; 4] = ["memories", "memory", "memory", "memories"];

proptest! {
    #[test]
    fn only_our_own_delimiters_are_seen(texts in [text(), text(), text()]) {
        let entry = entry(&texts);
        prop_assert_eq!(seen(&entry), OURS, "{:?}", entry);
        // A host that escapes HTML on the way, and one that unescapes it.
        let hop = entry.replace('<', "&lt;").replace('>', "&gt;");
        prop_assert_eq!(seen(&hop), OURS, "{:?}", hop);
        let back = entry.replace("&lt;", "<").replace("&amp;", "&");
        let entities = ["&lt;", "&LT;", "&#60;", "&#x3C;"];
        let raw = entities.iter().fold(back, |text, one| text.replace(one, "_"));
        prop_assert_eq!(seen(&raw).len(), 4, "{:?}", raw);
    }

    #[test]
    fn what_is_escaped_stays_as_it_is(text in text()) {
        let once = escape(&text).into_owned();
        prop_assert_eq!(escape(&once), once.as_str());
    }

    #[test]
    fn lines_may_be_left_out(text in text(), kept in any::<u32>()) {
        let text = format!("{text}\n{text}");
        let lines = text.lines().enumerate();
        let kept = lines.filter(|(at, _)| kept & (1 << (at % 32)) != 0);
        let kept: String = kept.map(|(_, line)| format!("{}\n", escape(line))).collect();
        prop_assert!(seen(&kept).is_empty(), "{kept:?}");
    }
}

/// The sources that write blocks for a model, without their tests.
fn sources(folder: &Path, ending: &str, into: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, ending, into);
        } else if path.extension().is_some_and(|one| one == ending)
            && !path.ends_with("daemon/unit.rs")
        {
            let text = fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]").next().unwrap().to_owned();
            into.push((path, text));
        }
    }
}

#[test]
fn every_delimiter_that_we_write_or_know_of_a_host_is_escaped() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut all = Vec::new();
    sources(
        &crates.parent().unwrap().join("templates/prompts"),
        "md",
        &mut all,
    );
    for name in ["mem", "mem-agent", "mem-records"] {
        sources(&crates.join(name).join("src"), "rs", &mut all);
    }
    let mut found = 0;
    for (path, text) in all {
        // What a transcript of a host begins with.
        let opener = if path.ends_with("transcript/origin.rs") {
            "\"<"
        } else {
            "</"
        };
        for (at, _) in text.match_indices(opener) {
            let rest = &text[at + 2..];
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'));
            let name = &rest[..end.unwrap_or(rest.len())];
            if name.starts_with(|c: char| c.is_ascii_lowercase()) {
                found += 1;
                for tag in [format!("<{name}>"), format!("</{name}>")] {
                    assert_ne!(
                        escape(&tag),
                        tag,
                        "{}: add `{name}` to `delimiters`",
                        path.display()
                    );
                }
            }
        }
    }
    assert!(found > 20, "{found}");
}
