//! Which parts of a prompt a person pasted: documents, briefs, reviews, code, logs, and what others wrote.

use super::language::fold_to_ascii;
use crate::session::fence::Fence;
use mem_recall::lexicon::WordList;

/// What is longer was pasted, or made by a program: of that, only what introduces it was typed.
const TYPED_BYTES_MAX: usize = 1_500;
/// So much introduces a document at most.
const LEAD_CHARS_MAX: usize = 200;
/// So many lines that look like parts of a document, or items of a list, make one.
const PARTS_MIN: usize = 2;
const ITEMS_MIN: usize = 7;

/// How briefs begin that a program or another session wrote, and prompts for a model of the product's own.
static BRIEFS: WordList = WordList::of(&["brief_openings"]);

/// "You", and the ends of a sentence that says who somebody is: "you must .." begins in the same way in these
/// languages.
static ADDRESSEES: WordList = WordList::of(&["brief_addressees"]);
static ROLE_ENDS: WordList = WordList::of(&["brief_role_ends"]);

/// The part of a prompt that a person typed: all of it, what stands before the document in it, or nothing.
pub(super) fn typed_part(prompt: &str) -> &str {
    let text = prompt.trim_start();
    let head = text[..text.floor_char_boundary(40)].to_lowercase();
    let is_document = ["# ", "## ", "<!--"]
        .iter()
        .any(|one| head.starts_with(one));
    if is_document || BRIEFS.prefix_len(&head).is_some() || gives_a_role(text) || is_cut_code(text)
    {
        return "";
    }
    let (mut at, mut first) = (0, None);
    let (mut parts, mut items) = (0, 0);
    for line in text.split_inclusive('\n') {
        let (is_part, is_item) = (is_part(line.trim()), is_item(line.trim()));
        parts += usize::from(is_part);
        items += usize::from(is_item);
        if is_part || is_item {
            first.get_or_insert(at);
        }
        at += line.len();
    }
    let is_document = parts >= PARTS_MIN || items >= ITEMS_MIN || text.len() > TYPED_BYTES_MAX;
    if !is_document {
        return text;
    }
    let lead = &text[..first.unwrap_or(text.len())];
    let lead = ["\n\n", "\"\"\""]
        .iter()
        .fold(lead, |lead, end| lead.split(end).next().unwrap_or_default());
    match lead.chars().count() <= LEAD_CHARS_MAX {
        true => lead,
        false => "",
    }
}

/// Whether a text ends with the fence of a block that began before it: a piece of something longer.
fn is_cut_code(text: &str) -> bool {
    let last = text.trim_end().lines().next_back().unwrap_or_default();
    let is_fence = last.trim().len() >= 3 && last.trim().chars().all(|c| c == '`');
    is_fence && Fence::open_at_end(text.trim_end()).is_some()
}

/// Whether a text begins with a sentence that says who its reader is: by a name ("You are Reviewer 3, .."), or in a
/// language whose verb comes last.
fn gives_a_role(text: &str) -> bool {
    let first = text.split(['\n', '.', '。']).next().unwrap_or_default();
    let mut name = first
        .strip_prefix("You are ")
        .unwrap_or_default()
        .split(' ');
    let is_name = |word: &str| word.starts_with(|c: char| c.is_uppercase() || c.is_numeric());
    if name.next().is_some_and(is_name) && name.next().is_some_and(is_name) {
        return true;
    }
    ADDRESSEES.prefix_len(first).is_some()
        && ROLE_ENDS
            .words()
            .iter()
            .any(|end| first.trim_end().ends_with(end))
}

/// Whether a line is a heading, a label, a row of a table, or drawn by a terminal or a review tool.
fn is_part(line: &str) -> bool {
    const DRAWN: [char; 10] = ['●', '⎿', '⏺', '├', '└', '│', '┌', '─', '╭', '╰'];
    let rest = line.trim_start_matches('#');
    let is_heading = rest.len() < line.len() && rest.starts_with(' ');
    let label = line.trim_start_matches(|c: char| c.is_ascii_digit() || "-*.) ".contains(c));
    let is_label = line[..line.len() - label.len()].contains("**") && label.contains("**");
    is_heading
        || is_label
        || is_titled(line)
        || line.starts_with(DRAWN)
        || line.starts_with(is_emoji)
        || line.contains(KEYCAP)
        || line.starts_with('|') && line.ends_with('|') && line.len() > 1
        || ["@@ ", "@ -", "diff --git", "<!--"]
            .iter()
            .any(|one| line.starts_with(one))
        || line.ends_with(" Severity")
}

/// The last character of a numbered emoji: a digit, a variation selector, and this.
const KEYCAP: char = '\u{20e3}';

/// Whether a character is an emoji or a dingbat, as generated texts and terminals begin lines with.
fn is_emoji(letter: char) -> bool {
    matches!(letter, '\u{2600}'..='\u{27bf}' | '\u{1f300}'..='\u{1faff}')
}

/// Whether a line is a title with what is under it: `Font Configuration: While we have ..`.
fn is_titled(line: &str) -> bool {
    let Some((title, rest)) = line.split_once(": ") else {
        return false;
    };
    let is_capital = |word: &str| word.starts_with(char::is_uppercase) || word == "&";
    (2..=6).contains(&title.split(' ').count())
        && title.split(' ').all(is_capital)
        && rest.starts_with(char::is_uppercase)
}

/// Whether a line is an item of a list.
fn is_item(line: &str) -> bool {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let is_numbered = digits > 0 && line[digits..].starts_with(['.', ')']);
    is_numbered
        || ["- ", "* ", "• ", "· "]
            .iter()
            .any(|one| line.starts_with(one))
}

/// The lines of a text, trimmed; empty those that are code or somebody else's.
pub(super) fn own_lines(text: &str) -> impl Iterator<Item = &str> {
    let lines: Vec<&str> = text.lines().collect();
    let mut own = Vec::with_capacity(lines.len());
    let (mut until, mut is_others, mut to_end) = (None, false, false);
    for (at, line) in lines.iter().enumerate() {
        let bare = line.trim();
        let fence = find_fence_end(bare).filter(|_| until.is_none());
        let is_closed = |end: &&str| lines[at + 1..].iter().any(|line| line.trim() == *end);
        let is_inside = until.is_some();
        match (until, fence) {
            (Some(end), _) if bare.starts_with(end) => until = None,
            (None, Some(end)) if is_code_fence(end) || is_closed(&end) => {
                (until, is_others) = (Some(end), false);
            }
            _ => {}
        }
        is_others &= to_end || !bare.is_empty();
        let is_own = !is_inside && until.is_none() && !is_others && !is_pasted(line);
        own.push(if is_own { line.trim_end() } else { "" });
        to_end |= hands_over(bare);
        is_others |= to_end || introduces_paste(bare);
    }
    own.into_iter()
}

/// What ends a stretch that begins with a line: code, or what people put between quotation marks and dashes.
fn find_fence_end(line: &str) -> Option<&str> {
    let code = ["```", "~~~"].iter().find(|one| line.starts_with(**one));
    let is_rule = line.len() >= 3
        && ["\"", "'", "-", "=", "_"]
            .iter()
            .any(|one| line.replace(one, "").is_empty());
    code.copied().or(is_rule.then_some(line))
}

fn is_code_fence(fence: &str) -> bool {
    fence.starts_with(['`', '~'])
}

/// Whether a line says that all that follows is a document: a review, a plan, a specification.
fn hands_over(line: &str) -> bool {
    static WHAT: WordList = WordList::of(&["documents"]);
    const OWN: [&str; 6] = [
        "rule",
        "always",
        "never",
        "remember",
        "convention",
        "prefer",
    ];
    let plain = line.to_lowercase();
    let mut words = plain.split(|c: char| !c.is_alphanumeric());
    plain.ends_with([':', '：'])
        && words.any(|word| WHAT.contains(word.trim_end_matches('s')))
        && !OWN.iter().any(|one| plain.contains(one))
}

/// Whether a line says that what follows are somebody else's words, or a program's; a shell's prompt does.
fn introduces_paste(line: &str) -> bool {
    static BY: WordList = WordList::of(&["paste_marks"]);
    let plain = fold_to_ascii(&line.to_lowercase());
    let is_prompt = ["❯ ", "➜ ", "$ ", "heredoc>"]
        .iter()
        .any(|sign| line.starts_with(sign));
    is_prompt || plain.ends_with([':', '：']) && !plain.starts_with("i ") && BY.is_within(&plain)
}

/// Whether a line was pasted: quoted, printed by a program, or code.
fn is_pasted(line: &str) -> bool {
    let text = line.trim();
    let starts = |list: &[&str]| list.iter().any(|one| text.starts_with(one));
    let indented = line.starts_with("    ") || line.starts_with('\t');
    if indented && !text.starts_with(['-', '*', '•']) {
        return true;
    }
    if starts(&[
        ">",
        "|",
        "$ ",
        "//",
        "/*",
        "#include",
        "#define",
        "@",
        "+ ",
        "at ",
        "File \"",
        "Traceback",
        "{",
        "}",
        "<",
        "import ",
        "from ",
        "error:",
        "error[",
        "warning:",
        "Error:",
        "ERROR",
        "WARN",
        "INFO",
        "DEBUG",
        "FAIL",
        "panicked",
        "thread '",
        "npm ",
        "--- ",
        "+++ ",
        "diff ",
        "Caused by",
        "def ",
        "class ",
        "fn ",
        "const ",
        "var ",
        "SELECT ",
        "return ",
        "--> ",
        "= help",
        "= note",
        "help: ",
        "[ERROR",
        "[INFO",
        "[WARN",
        "E   ",
    ]) {
        return !is_prose(text);
    }
    is_stamped(text)
        || is_assignment(text)
        || follows_prompt(text)
        || !text.is_empty() && is_symbols(text)
}

/// What was typed into a program, copied with the prompt of that program: `sqlite> .tables`.
fn follows_prompt(text: &str) -> bool {
    let name = text.split_once("> ").map(|(name, _)| name);
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    name.is_some_and(|name| !name.is_empty() && is_name(name))
}

/// Lines that only begin like code: "from now on ...", "at the end ...".
fn is_prose(text: &str) -> bool {
    let begins = ["from ", "at ", "return ", "import ", "class ", "@"];
    let words = text.split(' ').count();
    begins.iter().any(|one| text.starts_with(one))
        && words >= 5
        && !text.ends_with([';', '{', ')', ':'])
        && !text.contains(" import ")
        && !is_symbols(text)
}

/// A variable of the environment: `NAME=value`.
fn is_assignment(text: &str) -> bool {
    let is_name = |name: &str| {
        name.len() >= 3
            && name
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    };
    text.split_once('=').is_some_and(|(name, _)| is_name(name))
}

/// A line that begins with a time, as logs do.
fn is_stamped(text: &str) -> bool {
    let text = text.trim_start_matches('[');
    let digits = |range: std::ops::Range<usize>| {
        text.get(range)
            .is_some_and(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let day = digits(0..4) && text.get(4..5) == Some("-") && digits(5..7) && digits(8..10);
    let has_time = text
        .get(11..16)
        .is_some_and(|time| time.as_bytes()[2] == b':');
    let clock =
        digits(0..2) && text.get(2..3) == Some(":") && digits(3..5) && text.get(5..6) == Some(":");
    day && has_time || clock || is_system_log(text)
}

/// `Mar  5 02:00:01 host ..`, as system logs have it.
fn is_system_log(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let (month, day, time) = (words.next(), words.next(), words.next());
    let is = |word: Option<&str>, fits: fn(&str) -> bool| word.is_some_and(fits);
    is(month, |word| word.len() == 3)
        && is(day, |word| {
            word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit())
        })
        && is(time, |word| {
            word.len() == 8 && word.as_bytes()[2] == b':' && word.as_bytes()[5] == b':'
        })
}

/// Whether signs of code outweigh the words.
fn is_symbols(text: &str) -> bool {
    let signs = text
        .bytes()
        .filter(|byte| b"{}();=<>[]|&$\\*#+~^%".contains(byte));
    let (signs, length) = (signs.count(), text.chars().count());
    signs * 100 > length * 9 || text.ends_with(';') || text.ends_with('{')
}
