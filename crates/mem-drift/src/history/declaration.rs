//! Whether a text declares an identifier: what a repository only uses is a library's, and its going is no loss of what
//! a memory speaks of.

/// Words after which a name is declared, in the usual languages.
const DECLARING: &str = "fn def class struct enum trait type const static let var val func function interface \
     impl module mod namespace record object protocol union macro_rules! #define define defn sub proc method \
     export async alias typedef package local table view index trigger procedure property signal component";
/// Endings of languages whose imports go over several lines.
const LISTED_IMPORTS: &str = "js jsx ts tsx mjs cjs mts cts py pyi vue svelte go";
/// Endings of data, where a key in quotes is the setting itself; in code it is as often another system's.
const DATA: &str = "json jsonc json5 yaml yml toml";
/// Words that stand in front of a use.
const USING: &str = "return await yield new throw case else in and or not if while for assert print elif unless when do";
/// What makes the name that an import brings one of the repository's own.
const OWN_IMPORTS: [&str; 10] = [
    "'./", "\"./", "'../", "\"../", "'@/", "\"@/", "$lib", "from .", "crate::", "super::",
];

/// Whether the word is declared in a file of this path and content.
pub(super) fn declares_word(path: &[u8], text: &str, word: &str) -> bool {
    let name = String::from_utf8_lossy(path);
    let ending = name.rsplit('.').next().unwrap_or_default();
    // In these a line with a name and no more belongs to an import as often as to a list of variants.
    let has_lists = !has_word(LISTED_IMPORTS, ending);
    let is_data = has_word(DATA, ending);
    is_stem(path, word)
        || text.lines().any(|line| {
            line_declares(line, word, is_data)
                || has_lists && line.trim().trim_end_matches([',', ';']) == word
        })
}

/// A component is often declared by the name of its file alone.
fn is_stem(path: &[u8], word: &str) -> bool {
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    name.split(|&byte| byte == b'.').next() == Some(word.as_bytes())
}

/// Whether a line declares the word; in data, a key in quotes does.
pub(super) fn line_declares(line: &str, word: &str, is_data: bool) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let (front, back) = (&line[..at], &line[at + word.len()..]);
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        !front.ends_with(is_part)
            && !back.starts_with(is_part)
            && (is_declared(line, front, back) || is_quoted(front, back, is_data))
    })
}

fn is_declared(line: &str, front: &str, back: &str) -> bool {
    let last = front.split_whitespace().next_back().unwrap_or_default();
    let is_import = || OWN_IMPORTS.iter().any(|own| line.contains(own));
    has_word(DECLARING, last)
        // A method of Go.
        || front.starts_with("func (") && front.ends_with(") ")
        || front.ends_with("--")
        || is_variable(line, front, back)
        || is_assigned(front, back)
        || is_signature(front, back)
        || is_import()
}

/// A variable of the environment is declared where it is read: `env::var("NAME")`, `${NAME}`, `NAME=1`.
fn is_variable(line: &str, front: &str, back: &str) -> bool {
    let name = &line[front.len()..line.len() - back.len()];
    let is_screaming = !name.contains(char::is_lowercase);
    is_screaming
        && (front.ends_with(['$', '{', '"', '\''])
            || back.starts_with('=')
            || line.to_ascii_lowercase().contains("env"))
}

fn has_word(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|entry| entry == word)
}

/// `settings["name"]`, and in data `"name": 1`.
fn is_quoted(front: &str, back: &str, is_data: bool) -> bool {
    ['"', '\''].iter().any(|&quote| {
        let rest = back.strip_prefix(quote).map(str::trim_start);
        let is_key = |rest: &str| rest.starts_with(']') || is_data && rest.starts_with(':');
        front.ends_with(quote) && rest.is_some_and(is_key)
    })
}

/// `name = 1`, `self.name: Type`, `{ name: 1 }`.
fn is_assigned(front: &str, back: &str) -> bool {
    let rest = back.trim_start().trim_start_matches('?');
    // An attribute, or an argument on a line of its own, is set and not declared.
    let is_argument = back.starts_with('=') && back.trim_end().ends_with(',');
    let is_set = back.starts_with("=\"") || is_argument;
    let is_value = rest.starts_with('=') && !rest.starts_with("==")
        || rest.starts_with(':') && !rest.starts_with("::");
    is_value && !is_set && !front.contains(['(', '=', '"'])
}

/// `int name(int a)`, `name(a) {`.
fn is_signature(front: &str, back: &str) -> bool {
    if !back.starts_with(['(', '<']) {
        return false;
    }
    let last = front.split_whitespace().next_back().unwrap_or_default();
    let is_plain = front
        .chars()
        .all(|c| c.is_alphanumeric() || c.is_whitespace() || "_:<>,*&[]~?@".contains(c));
    is_plain && !has_word(USING, last) && (!last.is_empty() || back.trim_end().ends_with('{'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_declared_is_told_from_what_is_used() {
        for line in [
            "def turn(angle):",
            "pub fn turn(angle: f64) {",
            "    turn(angle) {",
            "static int turn(int angle)",
            "func (s *Ship) turn(angle int) error {",
            "  turn = 3",
            "  self.turn: int = 3",
            "  { turn: 1 }",
            "import { turn } from './geometry'",
            "parser.add_argument('--turn')",
            "settings['turn']",
        ] {
            assert!(declares_word(b"src/a.py", line, "turn"), "{line}");
        }
        for line in [
            "image.turn(3)",
            "x = turn(3)",
            "return turn(3)",
            "from PIL import turn",
            "if turn(3) {",
            "f(turn=3)",
            "    turn=3,",
            "<Image turn=\"3\">",
            "import { turn } from 'geometry'",
            "post('/turns', {'meta': {'turn': 3}})",
        ] {
            assert!(!declares_word(b"src/a.py", line, "turn"), "{line}");
        }
        assert!(declares_word(
            b"a.rs",
            "std::env::var(\"APP_TURN\")",
            "APP_TURN"
        ));
        assert!(!declares_word(b"a.cs", "#if APP_TURN", "APP_TURN"));
        assert!(declares_word(b"a.rs", "enum Move {\n    Turn,\n}", "Turn"));
        assert!(!declares_word(
            b"a.tsx",
            "import {\n    Turn,\n} from 'moves'",
            "Turn"
        ));
        assert!(declares_word(b"src/Turn.svelte", "", "Turn"));
        assert!(declares_word(b"settings.json", "{\"turn\": 3}", "turn"));
    }
}
