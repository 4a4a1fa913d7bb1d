//! A shell's command line, taken apart into simple commands as sh(1) does for quotes, operators, substitutions,
//! redirections and here-documents. What a word expands to is not known; none of it is run.

/// A simple command.
#[derive(Debug, Default)]
pub(super) struct Command {
    pub(super) words: Vec<String>,
    /// The files that its output goes to.
    pub(super) outputs: Vec<String>,
    /// What it is given to read: its here-documents.
    pub(super) input: String,
    /// Whether any begins after its line.
    is_fed: bool,
}

/// Stands in a word for the directory that `$(mem path)` prints.
pub(super) const MEMORY: &str = "$(mem path)";

/// What a word is.
#[derive(Default)]
enum Next {
    #[default]
    Word,
    /// Where output goes.
    Output,
    /// Where input comes from.
    Input,
    /// Input itself.
    Text,
}

/// A line, taken apart.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) commands: Vec<Command>,
    /// What stands in `$(..)` and backticks.
    pub(super) inner: Vec<String>,
    command: Command,
    /// What the next word is.
    next: Next,
    word: Option<String>,
    /// The ends of here-documents that begin with the next line, each with which command reads it.
    documents: Vec<(String, usize)>,
}

impl Reader {
    pub(super) fn read(line: &str) -> Self {
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
            '<' if rest.starts_with("<<<") => {
                self.end_word();
                self.next = Next::Text;
                3
            }
            '<' if rest.starts_with("<<") => self.document(rest),
            '\n' => self.line_end(rest),
            '>' => self.output(rest),
            '&' if rest.starts_with("&>") => self.output(&rest[1..]) + 1,
            ';' | '&' | '|' | '(' | ')' => {
                self.end_command();
                1
            }
            ' ' | '\t' | '\r' => {
                self.end_word();
                1
            }
            '<' => {
                self.end_word();
                self.next = Next::Input;
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
        let Some(word) = self.word.take() else {
            return;
        };
        match std::mem::take(&mut self.next) {
            Next::Output => self.command.outputs.push(word),
            Next::Word => self.command.words.push(word),
            Next::Text => self.command.input.push_str(&word),
            Next::Input => {}
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.next = Next::Word;
        let command = std::mem::take(&mut self.command);
        if !command.words.is_empty() || !command.outputs.is_empty() || command.is_fed {
            self.commands.push(command);
        }
    }

    /// `>`, `>>`, `>|`, with the number of what goes there before it; `>&2` goes to no file.
    fn output(&mut self, rest: &str) -> usize {
        let is_number = |word: &mut String| word.bytes().all(|c| c.is_ascii_digit());
        self.word.take_if(is_number);
        self.end_word();
        let used = if rest.starts_with(">>") || rest.starts_with(">|") {
            2
        } else {
            1
        };
        if rest[used..].starts_with('&') {
            let number = rest[used + 1..].bytes().take_while(u8::is_ascii_digit);
            let number = number.count();
            if number == 0 {
                self.next = Next::Output;
            }
            return used + 1 + number;
        }
        self.next = Next::Output;
        used
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
        let inner = rest.get(2..end).unwrap_or_default();
        self.inner.push(inner.to_owned());
        self.push(None);
        if inner.trim() == "mem path" {
            self.word.get_or_insert_default().push_str(MEMORY);
        }
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
        self.command.is_fed = true;
        self.documents.push((word, self.commands.len()));
        rest.len() - after.len() + length
    }

    /// Ends the line, and gives the here-documents that begin after it to their commands.
    fn line_end(&mut self, rest: &str) -> usize {
        self.end_command();
        let mut used = 1;
        for (end, at) in std::mem::take(&mut self.documents) {
            let start = used;
            let mut body = start;
            for line in rest[used..].split_inclusive('\n') {
                used += line.len();
                if line.trim_matches(['\t', '\n', '\r']) == end {
                    break;
                }
                body = used;
            }
            if let Some(command) = self.commands.get_mut(at) {
                command.input.push_str(&rest[start..body]);
            }
        }
        used
    }
}
