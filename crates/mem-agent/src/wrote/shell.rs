//! Whether a shell's command line runs a command of `mem` that writes memory.
//!
//! A line is taken apart into the words of its simple commands, as sh(1) does for quotes, operators,
//! substitutions and here-documents. What a word expands to is not known; none of it is run.

/// The commands that write, whatever follows.
const WRITING: [&str; 11] = [
    "save", "edit", "remove", "rename", "undo", "restore", "redact", "purge", "import", "adopt",
    "extract",
];
/// The nouns with verbs that write.
const NOUNS: [(&str, &[&str]); 3] = [
    ("index", &["repair", "fit"]),
    ("inbox", &["accept", "edit"]),
    ("check", &["--fix"]),
];
/// Programs that run the rest of their words as a command.
const RUNNERS: [&str; 8] = [
    "sudo", "command", "exec", "env", "time", "nohup", "nice", "builtin",
];
/// The words of a shell's grammar that a command may follow.
const KEYWORDS: [&str; 10] = [
    "if", "then", "else", "elif", "while", "until", "do", "!", "{", "time",
];
/// Shells inside of shells are followed so far.
const DEPTH_MAX: usize = 4;

/// The verb of the first command of `mem` that writes.
pub(super) fn writing_verb(line: &str) -> Option<String> {
    verb_within(line, DEPTH_MAX)
}

fn verb_within(line: &str, depth: usize) -> Option<String> {
    let deeper = depth.checked_sub(1)?;
    let parts = Reader::read(line);
    let commands = parts.commands.iter();
    let own = commands.filter_map(|words| verb_of(words, deeper)).next();
    own.or_else(|| {
        parts
            .inner
            .iter()
            .find_map(|line| verb_within(line, deeper))
    })
}

/// The verb of one simple command.
fn verb_of(words: &[String], depth: usize) -> Option<String> {
    let mut words = words.iter().map(String::as_str).peekable();
    let is_before = |word: &&str| {
        let assigns = word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        });
        assigns || KEYWORDS.contains(word)
    };
    while words.next_if(is_before).is_some() {}
    let program = words.next()?;
    let name = program.rsplit('/').next().unwrap_or(program);
    let rest: Vec<String> = words.map(str::to_owned).collect();
    match name.strip_suffix(".exe").unwrap_or(name) {
        "mem" => mem_verb(&rest),
        "sh" | "bash" | "zsh" | "dash" => {
            let at = rest
                .iter()
                .position(|word| word.starts_with('-') && word.ends_with('c'))?;
            verb_within(rest.get(at + 1)?, depth)
        }
        runner if RUNNERS.contains(&runner) => {
            let deeper = depth.checked_sub(1)?;
            let flags = rest.iter().take_while(|word| word.starts_with('-')).count();
            verb_of(&rest[flags..], deeper)
        }
        _ => None,
    }
}

/// The verb of `mem`'s words, where it writes.
fn mem_verb(words: &[String]) -> Option<String> {
    let asks = |word: &String| ["--help", "-h", "--dry-run"].contains(&word.as_str());
    if words.iter().any(asks) {
        return None;
    }
    let mut words = words.iter().map(String::as_str);
    let mut verb = words.next()?;
    while verb.starts_with('-') {
        if matches!(verb, "-C" | "--color") {
            words.next();
        }
        verb = words.next()?;
    }
    let rest: Vec<&str> = words.collect();
    let writes = match verb {
        "log" => rest
            .iter()
            .find(|word| !word.starts_with('-'))
            .is_some_and(|word| *word != "show"),
        _ if WRITING.contains(&verb) => true,
        _ => NOUNS
            .iter()
            .any(|(noun, verbs)| *noun == verb && rest.iter().any(|word| verbs.contains(word))),
    };
    writes.then(|| verb.to_owned())
}

/// A line, taken apart.
#[derive(Default)]
struct Reader {
    commands: Vec<Vec<String>>,
    /// What stands in `$(..)` and backticks.
    inner: Vec<String>,
    words: Vec<String>,
    word: Option<String>,
    /// The ends of here-documents that begin with the next line.
    documents: Vec<String>,
}

impl Reader {
    fn read(line: &str) -> Self {
        let mut reader = Self::default();
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            let used = reader.take(c, rest);
            rest = rest.get(used.max(c.len_utf8())..).unwrap_or_default();
        }
        reader.end_command();
        reader
    }

    /// Takes what the rest begins with, and says how many bytes that was.
    fn take(&mut self, c: char, rest: &str) -> usize {
        match c {
            '\'' => self.quoted(rest, false),
            '"' => self.quoted(rest, true),
            '\\' => {
                let next = rest[1..].chars().next();
                self.push(next.filter(|c| *c != '\n'));
                1 + next.map_or(0, char::len_utf8)
            }
            '$' if rest.starts_with("$(") => self.substitution(rest),
            '`' => {
                let inner = rest[1..].split('`').next().unwrap_or_default();
                self.inner.push(inner.to_owned());
                self.push(None);
                inner.len() + 2
            }
            '#' if self.word.is_none() => rest.find('\n').unwrap_or(rest.len()),
            '<' if rest.starts_with("<<") && !rest.starts_with("<<<") => self.document(rest),
            '\n' => self.line_end(rest),
            ';' | '&' | '|' | '(' | ')' => {
                self.end_command();
                1
            }
            ' ' | '\t' | '\r' | '<' | '>' => {
                self.end_word();
                1
            }
            c => {
                self.push(Some(c));
                c.len_utf8()
            }
        }
    }

    fn push(&mut self, c: Option<char>) {
        self.word.get_or_insert_default().extend(c);
    }

    fn end_word(&mut self) {
        self.words.extend(self.word.take());
    }

    fn end_command(&mut self) {
        self.end_word();
        let words = std::mem::take(&mut self.words);
        if !words.is_empty() {
            self.commands.push(words);
        }
    }

    /// A text in quotes; in double ones, substitutions are commands.
    fn quoted(&mut self, rest: &str, is_double: bool) -> usize {
        let quote = if is_double { '"' } else { '\'' };
        self.push(None);
        let mut at = 1;
        while let Some(c) = rest.get(at..).and_then(|rest| rest.chars().next()) {
            if c == quote {
                return at + 1;
            }
            match c {
                '\\' if is_double => {
                    let next = rest[at + 1..].chars().next();
                    self.push(next);
                    at += 1 + next.map_or(0, char::len_utf8);
                }
                '$' if is_double && rest[at..].starts_with("$(") => {
                    at += self.substitution(&rest[at..]);
                }
                c => {
                    self.push(Some(c));
                    at += c.len_utf8();
                }
            }
        }
        at
    }

    /// `$(..)`, to the bracket that closes it.
    fn substitution(&mut self, rest: &str) -> usize {
        let mut depth = 0_usize;
        let close = rest.char_indices().skip(1).find(|(_, c)| {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        });
        let end = close.map_or(rest.len(), |(at, _)| at);
        self.inner
            .push(rest.get(2..end).unwrap_or_default().to_owned());
        self.push(None);
        end + 1
    }

    /// The word after `<<`, which ends a here-document.
    fn document(&mut self, rest: &str) -> usize {
        self.end_word();
        let after = rest.trim_start_matches('<').trim_start_matches('-');
        let after = after.trim_start_matches([' ', '\t']);
        let is_of_word = |c: char| !c.is_whitespace() && !";&|()<>".contains(c);
        let length = after.find(|c| !is_of_word(c)).unwrap_or(after.len());
        let word: String = after[..length].replace(['\'', '"', '\\'], "");
        self.documents.push(word);
        rest.len() - after.len() + length
    }

    /// Ends the line, and passes over the here-documents that begin after it.
    fn line_end(&mut self, rest: &str) -> usize {
        self.end_command();
        let mut used = 1;
        for end in std::mem::take(&mut self.documents) {
            for line in rest[used..].split_inclusive('\n') {
                used += line.len();
                if line.trim_matches(['\t', '\n', '\r']) == end {
                    break;
                }
            }
        }
        used
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_write_are_found_wherever_they_stand() {
        for line in [
            "mem save --type user --name x --body y",
            "cd app && /usr/local/bin/mem save x",
            "MEM_SESSION=1 mem -q -C /tmp edit x --body y",
            "cat x | mem save --body -",
            "true; sudo -E mem remove x",
            "echo $(mem save x)",
            "echo \"done: $(mem undo --json)\"",
            "bash -lc 'mem rename a b'",
            "if true; then mem save x; fi",
            "cat <<'END' > /tmp/x\nnothing\nEND\nmem save --body \"$(cat /tmp/x)\"",
            "mem log \"a thing\"",
            "mem index repair",
            "mem check --fix",
            "\"mem\" 'save' x",
        ] {
            assert!(writing_verb(line).is_some(), "{line}");
        }
    }

    #[test]
    fn words_that_only_look_so_are_none() {
        for line in [
            "echo \"mem save\"",
            "echo mem save",
            "mem recall save",
            "mem show x",
            "mem save --help",
            "mem undo --dry-run",
            "mem log show",
            "mem index show",
            "mem check",
            "# mem save x",
            "grep 'mem save' README.md",
            "git commit -m \"mem save; mem edit\"",
            "cat <<END\nmem save x\nEND\n",
            "memory save x",
            "./run mem save",
            "echo 'unclosed; mem save x",
            "echo \"$(",
            "bash -c",
            "mem",
            "mem -C",
            "\\",
            "",
        ] {
            assert_eq!(writing_verb(line), None, "{line}");
        }
    }

    #[test]
    fn any_line_is_read_to_its_end() {
        let pieces = [
            "'", "\"", "$(", "`", "\\", "<<", "\n", "mem", "é", ")", " ", "#", "<<é\n",
        ];
        for a in pieces {
            for b in pieces {
                for c in pieces {
                    let _ = writing_verb(&format!("{a}{b}{c}{a}{c}{b}"));
                }
            }
        }
        let deep = "bash -c ".repeat(5_000);
        assert_eq!(writing_verb(&deep), None);
        let deep = format!("{}mem save x{}", "$(".repeat(5_000), ")".repeat(5_000));
        assert_eq!(writing_verb(&deep), None, "beyond what is followed");
    }
}
