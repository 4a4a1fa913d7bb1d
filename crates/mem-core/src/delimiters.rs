//! Delimiters in text that is put before a model: no stored text may close the block that it stands in, or open one.
//!
//! A model reads leniently: `</Memory>`, `< / memory>` and `＜/ｍｅｍｏｒｙ＞` end a block for it as `</memory>` does. So a
//! delimiter is recognised by its meaning. It is a `<`, or a character or an entity that stands for one, then blanks,
//! slashes or nothing, then a name that a host or `mem` uses. Case, width, and characters that nobody sees do not
//! count. Other tags (`<div>`) are left as they are.

use std::borrow::Cow;
use std::iter::Peekable;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// What is written for the `<` of a delimiter. A host that escapes `<` once more, as Gemini CLI does, and one that
/// unescapes entities once still show something else than a delimiter.
const ESCAPED: &str = "&amp;lt;";
/// Names are compared up to this number of characters.
const NAME_CHARS_MAX: usize = 48;
/// Characters that look like `<` and are not folded to it.
const LOOKALIKES: &str = "\u{2039}\u{3008}\u{27e8}\u{2329}\u{276e}\u{2770}\u{276c}\u{2c2}\u{1438}\u{16b2}\u{29fc}\
                          \u{227a}\u{fe3f}";
/// Letters of other scripts that look like Latin ones, each followed by that one.
const HOMOGLYPHS: &str =
    "аaвbеeкkмmнhоoрpсcтtуyхxіiјjѕsԁdһhԛqԝwӏlոnսuօoցgαaεeιiκkμmνvοoρpτtυuχxɑaɡgıi";
/// Entities for `<`, without the `&` and in lower case; of numbers, leading zeros are ignored.
const ENTITIES: [&str; 6] = ["lt", "#60", "#x3c", "#65308", "#xff1c", "lang"];
/// Names of delimiters, by their first word (`system-reminder`: `system`).
const FIRST_WORDS: [&str; 66] = [
    "additional",
    "agent",
    "antml",
    "assistant",
    "attached",
    "attachment",
    "attachments",
    "bash",
    "budget",
    "candidate",
    "candidates",
    "claude",
    "command",
    "context",
    "conversation",
    "current",
    "cursor",
    "developer",
    "editor",
    "env",
    "environment",
    "extension",
    "function",
    "functions",
    "gemini",
    "global",
    "hook",
    "hooks",
    "human",
    "ide",
    "inst",
    "instruction",
    "instructions",
    "invoke",
    "lines",
    "local",
    "manifest",
    "mem",
    "model",
    "open",
    "parameter",
    "parameters",
    "permissions",
    "persisted",
    "project",
    "prompt",
    "prompts",
    "reminder",
    "request",
    "session",
    "skill",
    "start",
    "end",
    "state",
    "subagent",
    "sys",
    "system",
    "task",
    "teammate",
    "thinking",
    "tool",
    "tools",
    "turn",
    "user",
    "users",
    "workspace",
];
/// Those of them that are names of delimiters only with further words (`local-command-stdout`): alone they are
/// ordinary words of code.
const COMPOUND_WORDS: [&str; 14] = [
    "additional",
    "bash",
    "command",
    "current",
    "end",
    "extension",
    "global",
    "local",
    "model",
    "open",
    "project",
    "start",
    "state",
    "workspace",
];
/// Beginnings of names, whatever follows (`memories`, `claudeMd`, `systemReminder`).
const BEGINNINGS: [&str; 18] = [
    "memor",
    "antml",
    "assistant",
    "claudemd",
    "currentnotes",
    "document",
    "endofturn",
    "functioncall",
    "functionresult",
    "reminderinst",
    "sessionnotes",
    "startofturn",
    "systemprompt",
    "systemreminder",
    "toolcall",
    "toolresult",
    "tooluse",
    "userprompt",
];

/// The text with every `<` of a delimiter escaped. What is escaped is not escaped again.
pub fn escape(text: &str) -> Cow<'_, str> {
    replaced(text, |_| ESCAPED.to_owned(), |_, len| len)
}

/// JSON in which no string shows a delimiter: the same values, with the `<` of each written as `\u003c`.
pub fn escape_json(json: &str) -> Cow<'_, str> {
    let unicode = |opener: char| {
        let mut units = [0; 2];
        let units = opener.encode_utf16(&mut units).iter();
        units.map(|unit| format!("\\u{unit:04x}")).collect()
    };
    replaced(json, unicode, |opener, _| opener.len_utf8())
}

/// The names of all tags of a text, folded: in lower case and plain letters, without what nobody sees.
pub fn names(text: &str) -> impl Iterator<Item = String> {
    openers(text).map(|(at, _, len)| Tag::read(&text[at + len..]).name)
}

/// The text with something else for the first bytes of each opener of a delimiter.
fn replaced(
    text: &str,
    with: impl Fn(char) -> String,
    bytes: impl Fn(char, usize) -> usize,
) -> Cow<'_, str> {
    let mut escaped = String::new();
    let mut done = 0;
    for (at, opener, len) in openers(text) {
        if Tag::read(&text[at + len..]).is_delimiter() {
            escaped.push_str(&text[done..at]);
            escaped.push_str(&with(opener));
            done = at + bytes(opener, len);
        }
    }
    match done {
        0 => Cow::Borrowed(text),
        _ => Cow::Owned(escaped + &text[done..]),
    }
}

/// Where something stands for `<`: the place, its first character, and its length in bytes.
fn openers(text: &str) -> impl Iterator<Item = (usize, char, usize)> {
    text.char_indices().filter_map(|(at, c)| match c {
        '<' => Some((at, c, 1)),
        '&' => entity(&text[at + 1..]).map(|len| (at, c, 1 + len)),
        _ if c.is_ascii() => None,
        _ => stands_for_less(c).then_some((at, c, c.len_utf8())),
    })
}

fn stands_for_less(c: char) -> bool {
    LOOKALIKES.contains(c) || std::iter::once(c).nfkd().next() == Some('<')
}

/// The length of an entity for `<`, after its `&`.
fn entity(text: &str) -> Option<usize> {
    let is_part = |c: &char| c.is_ascii_alphanumeric() || *c == '#';
    let low: String = text.chars().take(16).take_while(is_part).collect();
    let low = low.to_ascii_lowercase();
    let digits = low.trim_start_matches(['#', 'x']);
    let head = &low[..low.len() - digits.len()];
    let plain = format!("{head}{}", digits.trim_start_matches('0'));
    // `&lt` needs no semicolon, and then a letter may follow.
    let len = match &*plain {
        plain if ENTITIES.contains(&plain) => low.len(),
        _ if low.starts_with("lt") => 2,
        _ => return None,
    };
    Some(len + usize::from(text[len..].starts_with(';')))
}

/// What follows a `<`.
struct Tag {
    /// The folded name, with `-` for whatever parts its words.
    name: String,
    /// Whether the text or the line ends before any name: what is written after it must not become one.
    is_open: bool,
    /// Whether it is in the form `<|name|>`.
    is_token: bool,
}

impl Tag {
    fn read(after: &str) -> Self {
        let mut chars = after.chars().peekable();
        let (is_open, has_bar) = skip(&mut chars);
        let mut name = String::new();
        let mut ends_in_bar = false;
        for c in chars.filter(|c| !is_unseen(*c)) {
            match folded(c) {
                Some(letters) => name.push_str(&letters),
                None => {
                    ends_in_bar = c == '|';
                    break;
                }
            }
            if name.len() > NAME_CHARS_MAX {
                break;
            }
        }
        Self {
            is_token: has_bar && ends_in_bar && !name.is_empty(),
            name,
            is_open,
        }
    }

    fn is_delimiter(&self) -> bool {
        // `antml:invoke` is known by either part.
        let is_known = |name: &str| {
            let word = name.split('-').next().unwrap_or_default();
            let joined = name.replace('-', "");
            let is_word = FIRST_WORDS.contains(&word)
                && (word.len() < name.len() || !COMPOUND_WORDS.contains(&word));
            is_word || BEGINNINGS.iter().any(|start| joined.starts_with(start))
        };
        self.is_open || self.is_token || self.name.split(':').any(is_known)
    }
}

/// Skips what may stand between `<` and a name. Says whether the text or the line ended there, and whether a `|` was
/// among it.
fn skip(chars: &mut Peekable<std::str::Chars<'_>>) -> (bool, bool) {
    let mut has_bar = false;
    loop {
        match chars.peek() {
            None | Some('\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}') => {
                return (true, has_bar);
            }
            Some('|') => has_bar = true,
            Some(&c) if c.is_whitespace() || is_unseen(c) || is_slash(c) => {}
            Some(_) => return (false, has_bar),
        }
        chars.next();
    }
}

/// Characters that a reader may take for a slash, or that stand between `<` and a name in some notation.
fn is_slash(c: char) -> bool {
    let plain = std::iter::once(c).nfkd().next().unwrap_or(c);
    matches!(
        plain,
        '/' | '\\'
            | '!'
            | '?'
            | '-'
            | '_'
            | '\u{2044}'
            | '\u{2215}'
            | '\u{29f8}'
            | '\u{29f5}'
            | '\u{2571}'
    )
}

/// A character of a name as plain letters, in lower case; `None` ends the name.
fn folded(c: char) -> Option<String> {
    let seen = |c: &char| !is_combining_mark(*c);
    let plain: String = std::iter::once(c).nfkd().filter(seen).collect();
    let plain: String = plain.to_uppercase().to_lowercase();
    let plain: String = plain.chars().map(latin).collect();
    let is_part = |c: char| c.is_alphanumeric() || c == ':';
    match plain.as_str() {
        "-" | "_" | "." | "\u{2010}" => Some("-".to_owned()),
        plain if plain.chars().all(is_part) => Some(plain.to_owned()),
        _ => None,
    }
}

/// The Latin letter that a letter of another script looks like; itself where there is none.
fn latin(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    let mut pairs = HOMOGLYPHS.chars();
    while let (Some(other), Some(latin)) = (pairs.next(), pairs.next()) {
        if other == c {
            return latin;
        }
    }
    c
}

/// Characters without a shape of their own: controls, joiners, marks of direction, variation selectors, accents that
/// are put over another letter.
fn is_unseen(c: char) -> bool {
    let is_ignorable = matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}');
    is_ignorable
        || is_combining_mark(c)
        || (c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{85}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delimiter_is_recognised_by_its_meaning() {
        for text in [
            "</memory>",
            "</Memory>",
            "</MEMORIES >",
            "< /memory>",
            "</ memory>",
            "<\u{200b}/\u{a0}memory>",
            "<\0/memory>",
            "<\t\\memory>",
            "\u{ff1c}/\u{ff4d}\u{ff45}\u{ff4d}\u{ff4f}\u{ff52}\u{ff59}\u{ff1e}",
            "\u{fe64}memory>",
            "<m\u{ad}em\u{200d}ory>",
            "<m\u{301}emory>",
            "<\u{1d426}emory>",
            "\u{27e8}system-reminder>",
            "&lt;/memory&gt;",
            "&#060;memory>",
            "&#X3C;/memory",
            "&ltsystem>",
            "<system-reminder>",
            "<system_prompt>",
            "<SystemReminder>",
            "<invoke name=\"x\">",
            "<x:memory>",
            "<function_calls>",
            "</tool_result>",
            "<claudeMd>",
            "<|im_start|>",
            "< |im_start|>",
            "<<SYS>>",
            "<user>",
            "</Human>",
            "<command-name>",
            "Vec<Memory>",
            "</m\u{435}m\u{43e}r\u{443}>",
            "<\u{455}\u{443}st\u{435}m-reminder>",
            "<\u{3c5}ser>",
        ] {
            let escaped = escape(text);
            assert!(escaped.contains(ESCAPED), "{text:?}: {escaped:?}");
            assert_eq!(escape(&escaped), escaped, "{text:?}");
            let after = &text[text.find(['/', '>']).unwrap_or(0)..];
            assert!(
                escaped.ends_with(after.trim_start_matches('/')),
                "{text:?}: {escaped:?}"
            );
        }
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        for text in [
            "",
            "통과 — почти",
            "a < b && c > d",
            "<div class=\"memory\">",
            "Vec<UserCard>",
            "<SystemProvider>",
            "<T>",
            "x &lt; y",
            "&amp;lt;/memory>",
            "a <- b",
            "1 <= 2",
            "a <| b |> c",
            "<https://example.org/memory>",
            "<branch>",
            "<\u{43f}\u{430}\u{43c}\u{44f}\u{442}\u{44c}>",
            "i < end",
            "useState<State>()",
            "lo < open",
            "memory> system>",
            "R&D and AT&T",
            "\u{3008}\u{6c11}\u{6cd5}\u{3009}",
        ] {
            assert!(
                matches!(escape(text), Cow::Borrowed(_)),
                "{text:?}: {:?}",
                escape(text)
            );
        }
    }

    #[test]
    fn nothing_that_is_written_after_a_text_makes_a_delimiter_of_it() {
        for text in [
            "a <",
            "a </ ",
            "a <\n",
            "a <\r\n/memory>",
            "a &lt;",
            "a \u{ff1c}/",
        ] {
            assert!(escape(text).contains(ESCAPED), "{text:?}");
        }
    }

    #[test]
    fn json_keeps_its_values() {
        let value = serde_json::json!({
            "a": "</memory> \u{ff1c}Memory> &lt;/memory> <div> \u{27e8}system>", "<memory>": ["<"],
        });
        let json = value.to_string();
        let escaped = escape_json(&json);
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&escaped).unwrap(),
            value
        );
        assert!(
            !escaped.contains("</m") && !escaped.contains("&lt") && escaped.contains("<div>"),
            "{escaped}"
        );
    }

    #[test]
    fn names_are_folded() {
        let of = |text| names(text).collect::<Vec<_>>();
        assert_eq!(
            of("< /\u{ff33}ystem_Reminder x> <b>"),
            ["system-reminder", "b"]
        );
    }
}
