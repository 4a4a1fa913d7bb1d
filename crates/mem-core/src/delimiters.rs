//! Delimiters in text that is put before a model: no stored text may close the block that it stands in, or open one.
//!
//! A model reads leniently: `</Memory>`, `< / memory>` and `＜/ｍｅｍｏｒｙ＞` end a block for it as `</memory>` does. So a
//! tag is read as a model reads it: a `<`, or a character or an entity that stands for one, then blanks, slashes or
//! nothing, then a name. Case, width, and characters that nobody sees do not count. Hosts add blocks with every
//! version, so a delimiter is recognised by its form. Names of `KNOWN` and `BEGINNINGS` are delimiters
//! in any form; of others:
//!
//! | form | is a delimiter | stays |
//! |---|---|---|
//! | `<two-words>`, `<two_words>`, `<twoWords>` | always | `size_t`, `i < max_len`, `Map<row_id, T>`, `<a-b@c.de>` |
//! | `</word>` | unless of `HTML` or a component | `</div>`, `</T>`, `</UserCard>` |
//! | `<word>` | where the text has its `</word>` | `<branch>`, `<T>`, `<stdio.h>`, `<https://..>` |
//!
//! A comparison, a generic type or a shift is told from a tag by what follows the name: `is_shaped`.

use std::borrow::Cow;
use std::collections::HashSet;

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
/// Names of delimiters that are one word, and first words of others (`system-reminder`: `system`).
#[rustfmt::skip]
const KNOWN: [&str; 54] = [
    "agent", "antml", "assistant", "attached", "attachment", "attachments", "budget", "candidate", "candidates",
    "channel", "claude", "context", "conversation", "cursor", "developer", "editor", "env", "environment", "function",
    "functions", "gemini", "hook", "hooks", "human", "ide", "inst", "instruction", "instructions", "invoke", "lines",
    "manifest", "mem", "parameter", "parameters", "permissions", "persisted", "prompt", "prompts", "reminder",
    "request", "session", "skill", "subagent", "sys", "system", "task", "teammate", "thinking", "tick", "tool",
    "tools", "turn", "user", "users",
];
/// Beginnings of names, whatever follows (`memories`, `claudeMd`, `SystemReminder`).
#[rustfmt::skip]
const BEGINNINGS: [&str; 18] = [
    "memor", "antml", "assistant", "claudemd", "currentnotes", "document", "endofturn", "functioncall",
    "functionresult", "reminderinst", "sessionnotes", "startofturn", "systemprompt", "systemreminder", "toolcall",
    "toolresult", "tooluse", "userprompt",
];
/// Elements of HTML, SVG and MathML: no host has a block of such a name alone.
const HTML: &str = "a abbr address animate area article aside audio b base blockquote body br button canvas caption \
    center circle cite clippath code col colgroup data datalist dd defs del desc details dfn dialog div dl dt ellipse \
    em embed fieldset figcaption figure filter font footer foreignobject form frame g h1 h2 h3 h4 h5 h6 head header hr \
    html i iframe image img input ins kbd label legend li line lineargradient link main map mark marker mask math menu \
    meta meter nav noscript object ol optgroup option output p param path pattern picture polygon polyline pre \
    progress q radialgradient rect rp rt ruby s samp script search section select slot small source span stop strong style \
    sub summary sup svg symbol table tbody td template text textarea textpath tfoot th thead time title tr track tspan tt \
    u ul use var video view wbr";

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
    openers(text).map(|(at, _, len)| DelimiterTag::read(text, at, len).name)
}

/// The text with something else for the first bytes of each opener of a delimiter.
fn replaced(
    text: &str,
    with: impl Fn(char) -> String,
    bytes: impl Fn(char, usize) -> usize,
) -> Cow<'_, str> {
    let tags: Vec<_> = openers(text)
        .map(|(at, opener, len)| (at, opener, len, DelimiterTag::read(text, at, len)))
        .collect();
    let closed: HashSet<&str> = tags
        .iter()
        .filter(|(.., tag)| tag.closes())
        .map(|(.., tag)| &*tag.name)
        .collect();
    let mut escaped = String::new();
    let mut done = 0;
    for &(at, opener, len, ref tag) in &tags {
        if tag.is_delimiter() || tag.is_shaped && closed.contains(&*tag.name) {
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

fn stands_for_greater(c: char) -> bool {
    "\u{203a}\u{3009}\u{27e9}\u{232a}\u{276f}\u{2771}\u{276d}\u{2c3}\u{29fd}\u{227b}\u{fe40}"
        .contains(c)
        || std::iter::once(c).nfkd().next() == Some('>')
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
#[derive(Default)]
struct DelimiterTag {
    /// The folded name, with `-` for whatever parts its words.
    name: String,
    /// The lengths of the name before each character that nobody sees: a reader may take it for the end.
    ends: Vec<usize>,
    /// Whether `-`, `_` or a capital parts its words. A `.` parts names of files and packages.
    is_compound: bool,
    /// Whether it begins with a capital and has small letters, as types and components do.
    is_capitalised: bool,
    /// Whether a slash stands before it.
    has_slash: bool,
    /// Whether the text goes on as it does behind the name of a tag.
    is_shaped: bool,
    /// Whether the text or the line ends before any name: what is written after it must not become one.
    is_open: bool,
    /// Whether it is in the form `<|name|>`.
    is_token: bool,
    /// Whether it is a path of code in a generic type, as in `Vec<memory::Pool>`.
    is_code_path: bool,
}

impl DelimiterTag {
    /// Reads the tag whose opener begins at `at` and has `len` bytes.
    fn read(text: &str, at: usize, len: usize) -> Self {
        let after = &text[at + len..];
        let is_between = |c: char| c == '|' || is_blank(c) || is_slash(c);
        let start = after.find(|c| ends_line(c) || !is_between(c));
        let (between, rest) = after.split_at(start.unwrap_or(after.len()));
        let mut tag = Self {
            has_slash: between.contains(is_stroke),
            is_open: rest.is_empty() || rest.starts_with(ends_line),
            ..Self::default()
        };
        let (mut is_apart, mut was_small, mut end) = (false, false, 0);
        for c in rest.chars() {
            if is_unseen(c) {
                tag.ends.push(tag.name.len());
            } else {
                let Some(letters) = folded(c) else { break };
                let is_parted = is_apart || was_small && c.is_uppercase() && !tag.is_capitalised;
                tag.is_compound |= letters != "-" && is_parted;
                tag.is_capitalised |= tag.name.is_empty() && c.is_uppercase();
                is_apart = letters == "-" && c != '.';
                was_small = c.is_lowercase();
                tag.name.push_str(&letters);
            }
            end += c.len_utf8();
            if tag.name.len() > NAME_CHARS_MAX {
                break;
            }
        }
        let name = &rest[..end];
        // Nobody begins a block right behind a name, and no block is called so.
        tag.is_code_path = between.is_empty()
            && text[..at].ends_with(char::is_alphanumeric)
            && name.contains("::")
            && name.split("::").all(is_identifier)
            && rest[end..].starts_with(['>', ',', '<']);
        tag.is_capitalised &= name.contains(char::is_lowercase);
        let rest = rest[end..].trim_start_matches(is_unseen);
        tag.is_token = between.contains('|') && rest.starts_with('|') && !name.is_empty();
        // `x < max_len`, `x <- read_all`, `x << max_len`
        let is_loose =
            between.contains(|c: char| c == '-' || c.is_whitespace()) || text[..at].ends_with('<');
        tag.is_shaped = tag.name.len() > NAME_CHARS_MAX || is_shaped(rest, is_loose);
        tag
    }

    fn is_delimiter(&self) -> bool {
        // `antml:invoke` is known by either part.
        let is_known = |name: &str| {
            let word = name.split('-').next().unwrap_or_default();
            let joined = name.replace('-', "");
            KNOWN.contains(&word) || BEGINNINGS.iter().any(|start| joined.starts_with(start))
        };
        let mut names = self.ends.iter().map(|end| &self.name[..*end]);
        // `size_t`, `std::string_view`
        let is_type = self.name.ends_with("-t") || self.name.contains("::");
        let is_block =
            self.is_shaped && self.is_compound && self.is_named() && !is_type && !self.is_element();
        self.is_open
            || self.is_token
            || !self.is_code_path && self.name.split(':').any(is_known)
            || names.any(|name| name.rsplit(':').next().is_some_and(is_known))
            || is_block
            || self.closes()
    }

    /// Whether it ends a block of one word.
    fn closes(&self) -> bool {
        self.has_slash
            && self.is_shaped
            && self.is_named()
            && !self.is_capitalised
            && !self.is_element()
    }

    fn is_element(&self) -> bool {
        HTML.split_ascii_whitespace().any(|one| one == self.name)
    }

    /// Whether the name is one that a block may have: more than a letter or a number.
    fn is_named(&self) -> bool {
        self.name.chars().nth(1).is_some() && self.name.starts_with(char::is_alphabetic)
    }
}

/// Whether the text behind a name is that of a tag: the end of the tag, of the text or of the line, or an attribute. In
/// code, a sign follows: `i<max_len;`, `Map<row_id, T>`. A `<` that is loose, as in comparisons, is one of a tag only
/// where the tag is whole.
fn is_shaped(rest: &str, is_loose: bool) -> bool {
    let next = rest.trim_start_matches(|c| is_blank(c) && !ends_line(c));
    let is_parted = next.len() < rest.len();
    let behind_slash = next.trim_start_matches(|c| is_stroke(c) || c == '?' || is_blank(c));
    let is_entity = |text: &str| text.starts_with("&gt") || text.starts_with("&#");
    if behind_slash.starts_with(stands_for_greater) || is_entity(behind_slash) {
        return true;
    }
    let behind_word = next.trim_start_matches(|c: char| c.is_alphanumeric() || "-_:".contains(c));
    let is_attribute =
        is_parted && behind_word.len() < next.len() && behind_word.trim_start().starts_with('=');
    // In JSON, the text ends with a quote, and the line with a backslash and a letter.
    let goes_on = |c: char| ends_line(c) || !c.is_ascii() || matches!(c, '"' | '\\' | '\'' | '|');
    is_attribute
        || !is_loose
            && (behind_slash.is_empty()
                || next.starts_with(goes_on)
                || is_parted && next.starts_with(char::is_alphanumeric))
}

/// Whether it is a name of code, in plain letters.
fn is_identifier(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !text.is_empty() && text.bytes().all(is_part)
}

fn ends_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// What parts words, or is not seen at all.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || is_unseen(c)
}

/// Characters that a reader may take for a slash.
fn is_stroke(c: char) -> bool {
    let plain = std::iter::once(c).nfkd().next().unwrap_or(c);
    matches!(
        plain,
        '/' | '\\' | '\u{2044}' | '\u{2215}' | '\u{29f8}' | '\u{29f5}' | '\u{2571}'
    )
}

/// Characters that a reader may take for a slash, or that stand between `<` and a name in some notation.
fn is_slash(c: char) -> bool {
    let plain = std::iter::once(c).nfkd().next().unwrap_or(c);
    is_stroke(c) || matches!(plain, '!' | '?' | '-' | '_')
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
            "<user\u{200e}name>",
            "<ma\u{200b}nifest\u{200e}files>",
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
    fn a_block_that_nobody_listed_is_recognised_by_its_form() {
        for name in [
            "new-diagnostics",
            "channel",
            "tick",
            "cross-session-message",
            "collaboration_mode",
            "personality_spec",
            "skills_instructions",
            "apps_instructions",
            "plugins_instructions",
            "realtime_conversation",
            "recommended_plugins",
            "proposed_plan",
            "loaded_context",
            "untrusted_context",
            "available_skills",
            "oai-mem-citation",
            "agents_md",
            "gitStatus",
            "total_tokens",
            "some-future-block",
            "futureBlock",
        ] {
            for text in [
                format!("<{name}>"),
                format!("</{name}>"),
                format!("< {name} >"),
                format!("<{name} a=\"b\">"),
                format!("< {name} a = 'b'"),
                format!("<{name}/>"),
                format!("<{name}\u{ff1e}"),
                format!("<{name}"),
                format!("x <{name}\ny"),
                format!("&lt;{name}&gt;"),
                format!("a<{name} b>"),
                format!("<\u{200b}/ {name}\u{203a}"),
                format!("<x:{name}>"),
            ] {
                let escaped = escape(&text);
                assert!(escaped.contains(ESCAPED), "{text:?}");
                assert_eq!(escape(&escaped), escaped);
            }
        }
        // A block of one word: its end, and its beginning where it has one.
        for (text, count) in [
            ("<plan>do</plan>", 2),
            ("<plan>do", 0),
            ("do</Plan >", 0),
            ("</PLAN>", 1),
            ("<plan a='b'> < / plan >", 2),
            ("`</plan`", 0),
            ("x < plan && </plan>", 1),
            ("</plan\n", 1),
        ] {
            assert_eq!(escape(text).matches(ESCAPED).count(), count, "{text:?}");
        }
    }

    #[test]
    fn code_stays_readable() {
        for text in [
            "if i < max_len && j > 0 {",
            "for (i = 0; i < max_len; i++)",
            "while i<max_len;",
            "f(a<b_c)",
            "1 << max_bits",
            "x <- read_file(path)",
            "cout << foo_bar << endl",
            "HashMap<row_id, T>",
            "Vec<size_t>",
            "#include <stdio.h>",
            "std::optional<std::string_view>",
            "List<java.lang.String>",
            "Option<u8> and Vec<String>",
            "<a_b@example.org>",
            "sort </dev/null >x",
            "<div><p>a</p><br/></div>",
            "<svg><linearGradient id='a'/></linearGradient></svg>",
            "<UserCard name={x}></UserCard>",
            "<></>",
            "Foo<'a, T>",
            "cp <path> <host>:<port>",
            "a</b> c</I>",
            "<!-- foo-bar -->",
            "<!DOCTYPE html>",
            "Result<(), io::Error>",
            "x <= max_len",
            "</>",
            "1 </ 2-3",
            "vector<foo_bar*>",
            "a < b_c // d",
            "x < y_z -> w",
            "when n < max_size and then",
        ] {
            assert!(
                matches!(escape(text), Cow::Borrowed(_)),
                "{text:?}: {:?}",
                escape(text)
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
            "Vec<memory::Pool>",
            "HashMap<memory::Key, memory::Pool>",
            "Option<memory::Pool<T>>",
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
    fn only_within_a_generic_type_a_path_of_code_is_none() {
        for text in [
            "<memory::Pool>",
            "Vec</memory::Pool>",
            "Vec< memory::Pool>",
            "Vec<memory::>",
            "Vec<memory>",
            "Vec<memory::Pool id=\"1\">",
            "x<system-reminder::y>",
            "foo<:invoke name=\"z\">",
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
