//! Which lines of a prompt a person pasted: code, logs, and what others wrote.

use super::pattern::folded;

/// The lines of a text, trimmed; empty those that are code or somebody else's.
pub(super) fn own_lines(text: &str) -> impl Iterator<Item = &str> {
    let lines: Vec<&str> = text.lines().collect();
    let mut own = Vec::with_capacity(lines.len());
    let (mut until, mut is_others) = (None, false);
    for (at, line) in lines.iter().enumerate() {
        let bare = line.trim();
        let fence = fence(bare).filter(|_| until.is_none());
        let is_closed = |end: &&str| lines[at + 1..].iter().any(|line| line.trim() == *end);
        let is_inside = until.is_some();
        match (until, fence) {
            (Some(end), _) if bare.starts_with(end) => until = None,
            (None, Some(end)) if is_code_fence(end) || is_closed(&end) => {
                (until, is_others) = (Some(end), false);
            }
            _ => {}
        }
        is_others &= !bare.is_empty();
        let is_own = !is_inside && until.is_none() && !is_others && !is_pasted(line);
        own.push(if is_own { bare } else { "" });
        is_others |= introduces(bare);
    }
    own.into_iter()
}

/// What ends a stretch that begins with a line: code, or what people put between quotation marks and dashes.
fn fence(line: &str) -> Option<&str> {
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

/// Whether a line says that what follows are somebody else's words, or a program's.
fn introduces(line: &str) -> bool {
    const BY: [&str; 22] = [
        " sent",
        " wrote",
        " writes",
        " says",
        " replied",
        " posted",
        " answered",
        "the log",
        "the error",
        "the output",
        "the ticket",
        "the mail",
        "this mail",
        "this message",
        "the comment",
        "stack trace",
        "it prints",
        " schrieb",
        " schreibt",
        " a ecrit",
        " escribio",
        "写道",
    ];
    let plain = folded(&line.to_lowercase());
    plain.ends_with([':', '：'])
        && !plain.starts_with("i ")
        && BY.iter().any(|one| plain.contains(one))
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
        "[ERROR",
        "[INFO",
        "[WARN",
        "E   ",
    ]) {
        return !is_prose(text);
    }
    is_stamped(text) || !text.is_empty() && is_symbols(text)
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
    day && has_time || clock
}

/// Whether signs of code outweigh the words.
fn is_symbols(text: &str) -> bool {
    let signs = text
        .bytes()
        .filter(|byte| b"{}();=<>[]|&$\\*#+~^%".contains(byte));
    let (signs, length) = (signs.count(), text.chars().count());
    signs * 100 > length * 9 || text.ends_with(';') || text.ends_with('{')
}
