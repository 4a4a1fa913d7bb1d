//! The files that a script of Python, JavaScript, Ruby or Perl writes, as far as its words tell: a name in quotes, or
//! what was made of one, in the place of a call that writes where files are named. None of it is run.

use std::cell::Cell;

/// Calls that write what their first argument names; with a dot, only by that name.
const WRITERS: [&str; 27] = [
    "writeFile",
    "writeFileSync",
    "appendFile",
    "appendFileSync",
    "createWriteStream",
    "writeTextFile",
    "writeTextFileSync",
    "outputFile",
    "outputFileSync",
    "truncateSync",
    "unlink",
    "unlinkSync",
    "rmSync",
    "renameSync",
    "fs.rm",
    "fs.rename",
    "os.remove",
    "os.rename",
    "os.replace",
    "os.truncate",
    "shutil.rmtree",
    "Bun.write",
    "Deno.remove",
    "File.write",
    "File.delete",
    "IO.write",
    "FileUtils.rm",
];
/// Calls that write what their second argument names.
const COPIERS: [&str; 13] = [
    "shutil.copy",
    "copy2",
    "copyfile",
    "shutil.move",
    "os.rename",
    "os.replace",
    "copyFile",
    "copyFileSync",
    "cpSync",
    "renameSync",
    "fs.rename",
    "FileUtils.cp",
    "FileUtils.mv",
];
/// Methods that write the file that they are asked of.
const METHODS: [&str; 4] = ["write_text", "write_bytes", "unlink", "touch"];
/// Calls that write only where a mode says so.
const OPENERS: [&str; 3] = ["open", "openSync", "fdopen"];
/// So many names of a script are followed.
const NAMES_MAX: usize = 100;
/// So many texts of a script are looked for among the files: one may be data, line by line.
const ASKED_MAX: usize = 1_000;
/// So many calls of a script that may write are looked at.
const CALLS_MAX: usize = 1_000;
/// So much of a call is looked at, before its name and after it.
const CALL_BYTES_MAX: usize = 4_096;

/// The first file that the script writes. `names` says whether a text in quotes is the name of one that matters.
pub(super) fn written(script: &str, names: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let mut known: Vec<(&str, String)> = Vec::new();
    let (asked, mut left) = (Cell::new(0), CALLS_MAX);
    let names = &|text: &str| {
        asked.set(asked.get() + 1);
        (asked.get() <= ASKED_MAX).then(|| names(text)).flatten()
    };
    for (start, statement) in statements(script) {
        let file = |expression: &str| named(expression, &known, names);
        let found = calls(script, start, statement).take(left).find_map(|call| {
            left = left.saturating_sub(1);
            call.written(&file)
        });
        if found.is_some() {
            return found;
        }
        let set = assigned(statement);
        if let Some((name, file)) = set.and_then(|(name, value)| Some((name, file(value)?)))
            && known.len() < NAMES_MAX
        {
            known.push((name, file));
        }
    }
    None
}

/// The lines, and what stands between semicolons outside of quotes, each with where it begins.
fn statements(script: &str) -> impl Iterator<Item = (usize, &str)> {
    let (mut quote, mut start) = (None, 0);
    let parts = script.split(move |c| {
        quote = after(quote, c);
        c == '\n' || (c == ';' && quote.is_none())
    });
    parts.map(move |part| {
        let at = start;
        start += part.len() + 1;
        (at, part)
    })
}

/// Within which quotes the next character stands. Those that are not closed end with the line.
fn after(quote: Option<char>, c: char) -> Option<char> {
    match (quote, c) {
        (_, '\n') => None,
        (None, '\'' | '"' | '`') => Some(c),
        (Some(open), c) if open == c => None,
        (quote, _) => quote,
    }
}

/// `name = value`, with what declares it.
fn assigned(statement: &str) -> Option<(&str, &str)> {
    let (left, value) = statement.split_once('=')?;
    let value = &value[..value.floor_char_boundary(CALL_BYTES_MAX)];
    let name = left.trim().rsplit(' ').next()?;
    let name = name.trim_start_matches(['$', '@']);
    let is_name = !name.is_empty() && name.chars().all(is_of_name);
    // What was read out of a file names none.
    let is_reading = |(is_text, piece): (bool, &str)| {
        !is_text && (piece.contains("read") || piece.contains("open"))
    };
    let is_content = value.starts_with('=') || pieces(value).any(is_reading);
    (is_name && !is_content).then_some((name, value))
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The file that an expression names: by a text in quotes, or by a name that was given to one.
fn named(
    expression: &str,
    known: &[(&str, String)],
    names: &dyn Fn(&str) -> Option<String>,
) -> Option<String> {
    let (texts, code): (Vec<_>, Vec<_>) = pieces(expression).partition(|(is_text, _)| *is_text);
    let of_text = texts.iter().find_map(|(_, text)| {
        let is_path = text.contains(['/', '.']) && text.len() < CALL_BYTES_MAX;
        is_path.then(|| names(&filled(text, known))).flatten()
    });
    of_text.or_else(|| {
        let mut words = code
            .iter()
            .flat_map(|(_, code)| code.split(|c| !is_of_name(c)));
        let folder = words.find_map(|word| {
            let known = known.iter().rev().find(|(name, _)| *name == word)?;
            Some(&known.1)
        })?;
        let file = texts.first().map(|(_, file)| format!("{folder}/{file}"));
        Some(file.unwrap_or_else(|| folder.clone()))
    })
}

/// A text with the names filled in that stand in it in brackets.
fn filled(text: &str, known: &[(&str, String)]) -> String {
    let mut filled = text.to_owned();
    for (name, file) in known.iter().filter(|_| text.contains('{')) {
        for sign in ["$", "#", ""] {
            filled = filled.replace(&format!("{sign}{{{name}}}"), file);
        }
    }
    filled
}

/// An expression as what stands in quotes, and what stands around it.
fn pieces(expression: &str) -> impl Iterator<Item = (bool, &str)> {
    let (mut rest, mut quote) = (expression, None::<char>);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let is_text = quote.is_some();
        let ends = |c: char| match quote {
            Some(open) => c == open,
            None => matches!(c, '\'' | '"' | '`'),
        };
        let (piece, left) = match rest.find(ends) {
            Some(at) => {
                let open = rest[at..].chars().next();
                quote = open.filter(|_| !is_text);
                (&rest[..at], &rest[at + 1..])
            }
            None => (rest, ""),
        };
        rest = left;
        Some((is_text, piece))
    })
}

/// A call that may write.
struct Call<'s> {
    /// With the names before its dots.
    name: &'s str,
    /// What the method is asked of.
    of: &'s str,
    arguments: Vec<&'s str>,
}

/// The calls of a statement that may write. Their arguments may go on below it.
fn calls<'s>(script: &'s str, start: usize, statement: &'s str) -> impl Iterator<Item = Call<'s>> {
    let mut quote = None;
    let opens = statement.char_indices().filter(move |(_, c)| {
        quote = after(quote, *c);
        *c == '(' && quote.is_none()
    });
    opens.filter_map(move |(at, _)| {
        let before = &statement[..at];
        let name = before.trim_end_matches(|c| is_of_name(c) || c == '.').len();
        let name = &before[name..];
        let lists: [&[&str]; 4] = [&WRITERS, &COPIERS, &METHODS, &OPENERS];
        lists.iter().any(|list| is_in(list, name)).then(|| Call {
            name,
            of: before.rfind('.').map_or("", |dot| receiver(&before[..dot])),
            arguments: arguments(&script[start + at + 1..]),
        })
    })
}

fn is_in(list: &[&str], name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    list.contains(&name) || list.contains(&last)
}

/// The expression that a text ends with: names, dots and what stands in brackets.
fn receiver(text: &str) -> &str {
    let (mut depth, mut start) = (0_usize, text.len());
    let least = text.len().saturating_sub(CALL_BYTES_MAX);
    for (at, c) in text.char_indices().rev().take_while(|(at, _)| *at >= least) {
        match c {
            ')' | ']' => depth += 1,
            '(' | '[' if depth > 0 => depth -= 1,
            c if depth == 0 && !is_of_name(c) && c != '.' && c != '$' => break,
            _ => {}
        }
        start = at;
    }
    &text[start..]
}

/// What stands between the commas up to the bracket that closes.
fn arguments(text: &str) -> Vec<&str> {
    let text = &text[..text.floor_char_boundary(CALL_BYTES_MAX)];
    let (mut quote, mut depth, mut start, mut found) = (None, 0_usize, 0, Vec::new());
    for (at, c) in text.char_indices() {
        quote = after(quote, c);
        match c {
            _ if quote.is_some() => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth > 0 => depth -= 1,
            ')' => {
                found.push(&text[start..at]);
                return found;
            }
            ',' if depth == 0 => {
                found.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&text[start..]);
    found
}

impl Call<'_> {
    /// The file that it writes.
    fn written(&self, file: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        let argument = |at: usize| self.arguments.get(at).and_then(|one| file(one));
        let is = |list: &[&str]| is_in(list, self.name);
        if is(&OPENERS) {
            let (first, rest) = self.arguments.split_first()?;
            // `Path(path).open('w')`, `open(path, 'w')`, `open(my $f, '>', $path)`.
            return match rest.iter().any(|one| is_writing(one)) {
                true => argument(0).or_else(|| argument(2)),
                false if rest.is_empty() && is_writing(first) => file(self.of),
                false => None,
            };
        }
        let of_method = is(&METHODS).then(|| file(self.of)).flatten();
        let first = || is(&WRITERS).then(|| argument(0)).flatten();
        let second = || is(&COPIERS).then(|| argument(1)).flatten();
        of_method.or_else(first).or_else(second)
    }
}

/// Whether an argument is the mode of a file that is written: `'w'`, `"a+"`, `mode='wb'`, `'>>'`.
fn is_writing(argument: &str) -> bool {
    let value = argument.trim();
    let value = value.strip_prefix("mode").map_or(value, |value| {
        value.trim_start().trim_start_matches('=').trim_start()
    });
    let Some(mode) = value.strip_prefix(['\'', '"', '`']) else {
        return false;
    };
    let mode = mode.trim_end_matches(['\'', '"', '`']);
    let is_mode = !mode.is_empty() && mode.len() <= 12;
    let letters =
        mode.chars().all(|c| "rwaxbt+".contains(c)) && mode.contains(['w', 'a', 'x', '+']);
    is_mode && (letters || mode.trim_start_matches('+').starts_with('>'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(script: &str) -> Option<String> {
        written(script, &|text| {
            (text == "/m" || text.starts_with("/m/")).then(|| text.to_owned())
        })
    }

    #[test]
    fn what_a_script_writes_is_found_by_what_it_calls() {
        for script in [
            "open('/m/MEMORY.md', 'w').write('x')",
            "with open(\"/m/MEMORY.md\", \"a+\", encoding='utf-8') as f:\n    f.write('x')",
            "p = '/m/MEMORY.md'\ns = open(p).read()\nopen(p, mode='w').write(s)",
            "import pathlib\npathlib.Path('/m/a.md').write_text('x')",
            "from pathlib import Path\np = Path('/m/') / 'a.md'\np.write_text(p.read_text() + 'x')",
            "import os\nd = '/m/memory'\nf = os.path.join(d, 'a.md')\nwith open(f, 'w') as out: out.write('x')",
            "d = '/m/memory'; open(d + '/a.md', 'wb').write(b'x')",
            "import shutil; shutil.copy('/tmp/a.md', '/m/a.md')",
            "import os; os.remove('/m/a.md')",
            "Path('/m/a.md').open('w').write('x')",
            "require('fs').writeFileSync('/m/a.md', 'x')",
            "const fs = require('fs');\nconst p = `/m/a.md`;\nfs.appendFileSync(p, 'x');",
            "await Bun.write('/m/a.md', text)",
            "File.write('/m/a.md', 'x')",
            "File.open('/m/a.md', 'a') { |f| f.puts 'x' }",
            "open(my $f, '>>', '/m/a.md') or die; print $f 'x';",
            "my $p = '/m/a.md'; open(my $f, '>', $p);",
            "d = '/m/memory'\nopen(f'{d}/a.md', 'w')",
            "open(\n    '/m/a.md',\n    'w',\n).write('x')",
            "(Path('/m') / 'a.md').write_text('x')",
        ] {
            assert!(found(script).is_some(), "{script}");
        }
    }

    #[test]
    fn a_script_that_is_data_is_looked_at_within_bounds() {
        let asked = Cell::new(0);
        let count = |_: &str| {
            asked.set(asked.get() + 1);
            None
        };
        let lines = "x = 'a/b'\n".repeat(20_000);
        let one = format!("x = {{{}}}", "'a/b', ".repeat(20_000));
        let calls = "open(".repeat(20_000) + &"p.open('/m', 'w')".repeat(10_000);
        for script in [lines, one, calls] {
            asked.set(0);
            assert_eq!(written(&script, &count), None);
            assert!(asked.get() <= ASKED_MAX + 1, "{}", asked.get());
        }
    }

    #[test]
    fn what_a_script_only_reads_or_speaks_of_is_not_written() {
        for script in [
            "print(open('/m/a.md').read())",
            "s = open('/m/a.md').read()\nopen('/tmp/x', 'w').write(s)",
            "open('/tmp/x', 'w').write('see /m/a.md')",
            "open('/tmp/x', 'w').write('/m/a.md')",
            "import shutil; shutil.copy('/m/a.md', '/tmp/a.md')",
            "p = Path('/m/a.md')\nPath('/tmp/x').write_text(p.read_text())",
            "fs.writeFileSync('/tmp/x', fs.readFileSync('/m/a.md'))",
            "print(\"open('/m/a.md', 'w')\")",
            "print('/m/a.md'.replace('a', 'b'))",
            "with open('/m/a.md') as f, open('/tmp/x', 'w') as g: g.write(f.read())",
            "open('/m/a.md', 'r')",
            "text.replace('/m/a.md', 'x'); names.remove('/m/a.md')",
            "say('/m/a.md', other.touch())",
            "x = '/m/a.md' if False else None",
            "é('",
            "(",
            "open(",
            "open('",
            "=",
            "'",
            "p = '/m/a.md",
            "",
        ] {
            assert_eq!(found(script), None, "{script}");
        }
    }
}
