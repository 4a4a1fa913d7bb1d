//! Whether a shell's command line writes memory: by a command of `mem` that does, or by putting a file into a memory
//! directory.

use std::path::{Path, PathBuf};

use super::line::{Command, MEMORY, Reader};
use super::{files, script};

/// The commands that write, whatever follows.
const WRITING: [&str; 15] = [
    "save", "edit", "remove", "rename", "undo", "restore", "redact", "purge", "import", "adopt",
    "extract", "prune", "dream", "erase", "tool",
];
/// The nouns with verbs that write.
const NOUNS: [(&str, &[&str]); 7] = [
    ("index", &["repair", "fit"]),
    ("inbox", &["accept", "edit"]),
    ("check", &["--fix"]),
    ("record", &["store", "delete"]),
    (
        "store",
        &["put", "mv", "rm", "rollback", "redact", "import", "delete"],
    ),
    ("team", &["delete", "redact", "resolve"]),
    ("sync", &["delete", "redact", "resolve"]),
];
/// With these a command only shows what it would do.
const SHOWING: [&str; 4] = ["--help", "-h", "--dry-run", "--plan"];
/// Programs that run the rest of their words as a command, the flags of theirs that a word belongs to, and how many words
/// stand before the command.
const RUNNERS: [(&str, &[&str], usize); 25] = [
    (
        "sudo",
        &["-u", "-g", "-h", "-p", "-C", "-T", "-D", "-r", "-t", "-U"],
        0,
    ),
    ("doas", &["-u", "-C"], 0),
    ("env", &["-u", "-C", "-S"], 0),
    ("command", &[], 0),
    ("exec", &["-a"], 0),
    ("builtin", &[], 0),
    ("eval", &[], 0),
    ("time", &["-f", "-o"], 0),
    ("nohup", &[], 0),
    ("setsid", &[], 0),
    ("nice", &["-n"], 0),
    ("ionice", &["-c", "-n"], 0),
    ("stdbuf", &["-i", "-o", "-e"], 0),
    ("timeout", &["-s", "-k"], 1),
    (
        "xargs",
        &["-I", "-n", "-P", "-L", "-d", "-a", "-E", "-s"],
        0,
    ),
    ("npx", &["-p", "--package"], 0),
    ("bunx", &[], 0),
    ("uvx", &["--from", "--with"], 0),
    ("pnpx", &[], 0),
    ("npm", &["-p", "--package"], 1),
    ("pnpm", &[], 1),
    ("yarn", &[], 1),
    ("bun", &[], 1),
    ("pipx", &["--spec"], 1),
    ("uv", &["--with"], 1),
];
/// The words of a shell's grammar that a command may follow.
const KEYWORDS: [&str; 10] = [
    "if", "then", "else", "elif", "while", "until", "do", "!", "{", "time",
];
/// The types of memories, and the categories of records.
const KINDS: [&str; 10] = [
    "user",
    "feedback",
    "project",
    "reference",
    "user_preference",
    "project_context",
    "factual_knowledge",
    "decision_log",
    "relationship",
    "task_progress",
];
/// Shells inside of shells are followed so far.
const DEPTH_MAX: usize = 4;

/// How a line writes memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// By this verb of `mem`.
    Verb(String),
    /// Into this file.
    File(String),
}

/// The first command that writes memory, of a line that runs in a folder.
pub(super) fn deed(line: &str, folder: &Path, is_memory: &dyn Fn(&Path) -> bool) -> Option<Deed> {
    within(line, folder, is_memory, DEPTH_MAX)
}

fn within(
    line: &str,
    folder: &Path,
    is_memory: &dyn Fn(&Path) -> bool,
    depth: usize,
) -> Option<Deed> {
    let deeper = depth.checked_sub(1)?;
    let parts = Reader::read(line);
    let mut place = Place {
        folder: folder.to_owned(),
        variables: Vec::new(),
        is_memory,
    };
    let own = parts
        .commands
        .iter()
        .find_map(|command| place.deed_of(command, deeper));
    own.or_else(|| {
        let mut inner = parts.inner.iter();
        inner.find_map(|line| within(line, folder, is_memory, deeper))
    })
}

/// Where a line's commands run.
struct Place<'p> {
    folder: PathBuf,
    variables: Vec<(String, String)>,
    is_memory: &'p dyn Fn(&Path) -> bool,
}

impl Place<'_> {
    /// What a simple command does; the line goes on where it leads.
    fn deed_of(&mut self, command: &Command, depth: usize) -> Option<Deed> {
        let mut outputs = command.outputs.iter();
        if let Some(file) = outputs.find_map(|word| self.memory_file(word)) {
            return Some(Deed::File(file));
        }
        match command.words.as_slice() {
            [cd, folder] if cd == "cd" || cd == "pushd" => {
                self.folder = self.at(&self.expanded(folder));
                None
            }
            // Of what a loop goes over, the first stands for all.
            [begin, name, of, first, ..] if begin == "for" && of == "in" => {
                self.variables.push((name.clone(), first.clone()));
                None
            }
            words => {
                let deed = self.deed_of_words(words, &command.input, depth);
                let set = words.iter().map_while(|word| assigned(word));
                self.variables
                    .extend(set.map(|(name, value)| (name.to_owned(), value.to_owned())));
                deed
            }
        }
    }

    fn deed_of_words(&self, words: &[String], input: &str, depth: usize) -> Option<Deed> {
        let is_before =
            |word: &String| assigned(word).is_some() || KEYWORDS.contains(&word.as_str());
        let before = words.iter().take_while(|word| is_before(word)).count();
        let (program, rest) = words.get(before..)?.split_first()?;
        let name = name_of(program);
        match name {
            "mem" => mem_verb(rest).map(Deed::Verb),
            "sh" | "bash" | "zsh" | "dash" => {
                let is_script = |word: &String| word.starts_with('-') && word.ends_with('c');
                let script = match rest.iter().position(is_script) {
                    Some(at) => rest.get(at + 1)?,
                    None => Some(input).filter(|_| files::reads_script(rest))?,
                };
                within(script, &self.folder, self.is_memory, depth)
            }
            "find" if rest.iter().any(|word| word.starts_with("-exec")) => {
                self.deed_of_words(&found_words(rest), input, depth.checked_sub(1)?)
            }
            "cargo" => cargo_words(rest, &self.folder)
                .and_then(mem_verb)
                .map(Deed::Verb),
            _ => match RUNNERS.iter().find(|(runner, ..)| *runner == name) {
                Some((_, flags, count)) => {
                    let deeper = depth.checked_sub(1)?;
                    self.deed_of_words(run_words(rest, flags, *count)?, input, deeper)
                }
                None => {
                    let file = |word: &str| self.memory_file(word);
                    let mut written = files::written(name, rest).into_iter();
                    let mut scripts = files::scripts(name, rest, input).into_iter();
                    let found = written.find_map(file);
                    let found =
                        found.or_else(|| scripts.find_map(|script| script::written(script, &file)));
                    found.map(Deed::File)
                }
            },
        }
    }

    /// A word as a file of a memory directory; `None` where it names none.
    fn memory_file(&self, word: &str) -> Option<String> {
        let word = self.expanded(word);
        if word.contains(MEMORY) {
            return Some(word);
        }
        let path = self.at(&word);
        // Things put into the directory itself stand below it.
        let is_memory = (self.is_memory)(&path) || (self.is_memory)(&path.join("memory.md"));
        is_memory.then(|| path.display().to_string())
    }

    /// A path from the folder on; one in the home directory stays as it is, for whoever knows where that is.
    fn at(&self, word: &str) -> PathBuf {
        match word.starts_with(['~', '$']) {
            true => PathBuf::from(word),
            false => self.folder.join(word),
        }
    }

    /// A word with the variables that the line has set.
    fn expanded(&self, word: &str) -> String {
        let mut text = word.to_owned();
        for (name, value) in self.variables.iter().rev() {
            text = text.replace(&format!("${{{name}}}"), value);
            text = text.replace(&format!("${name}"), value);
        }
        text
    }
}

/// `NAME=value`.
fn assigned(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then_some((name, value))
}

/// A program by its name alone: without its folder, its ending and a package's version.
fn name_of(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let name = name.split('@').next().unwrap_or(name);
    name.strip_suffix(".exe").unwrap_or(name)
}

/// The command among the words of a program that runs it.
fn run_words<'w>(words: &'w [String], flags: &[&str], count: usize) -> Option<&'w [String]> {
    let (mut at, mut left) = (0, count);
    while let Some(word) = words.get(at) {
        match () {
            () if flags.contains(&word.as_str()) => at += 2,
            () if word.starts_with('-') || assigned(word).is_some() => at += 1,
            // `npm exec`, `timeout 10`, `uv tool run`.
            () if left > 0 || word == "run" => {
                left = left.saturating_sub(1);
                at += 1;
            }
            () => break,
        }
    }
    words.get(at..)
}

/// The command that `find` runs, on what stands below the folder that it looks in.
fn found_words(words: &[String]) -> Vec<String> {
    let folder = words.first().map_or(".", String::as_str);
    let command = words.iter().skip_while(|word| !word.starts_with("-exec"));
    let command = command
        .skip(1)
        .take_while(|word| *word != ";" && *word != "+");
    command
        .map(|word| word.replace("{}", &format!("{folder}/memory.md")))
        .collect()
}

/// The words of `mem` in those of `cargo run`: where its package is named, or where that is the folder's or the words
/// are those of no other program.
fn cargo_words<'w>(words: &'w [String], folder: &Path) -> Option<&'w [String]> {
    let end = words.iter().position(|word| word == "--")?;
    let (own, rest) = (&words[..end], &words[end + 1..]);
    let is_run = own.iter().any(|word| word == "run" || word == "r");
    let names = |word: &String| {
        let value = word.rsplit('=').next().unwrap_or(word);
        value == "mem" || value.ends_with("/mem") || value.ends_with("mem/Cargo.toml")
    };
    let chosen = ["-p", "--package", "--bin", "--example", "--manifest-path"];
    let is_chosen = own.iter().any(|word| {
        let flag = word.split('=').next().unwrap_or(word);
        chosen.contains(&flag)
    });
    let is_mem = match is_chosen {
        true => own.iter().any(names),
        false => own.iter().any(names) || folder.ends_with("mem") || is_ours(rest),
    };
    (is_run && is_mem).then_some(rest)
}

/// Whether words are those of a memory that is saved: its type or its category is one of ours.
fn is_ours(words: &[String]) -> bool {
    let verb = words.iter().find(|word| !word.starts_with('-'));
    let flags = match verb.map(String::as_str) {
        Some("save") => ["--type", "-t"],
        Some("record") => ["--category", "-c"],
        _ => return false,
    };
    let is_kind = |value: &str| KINDS.contains(&value);
    words
        .windows(2)
        .any(|two| flags.contains(&two[0].as_str()) && is_kind(&two[1]))
        || words.iter().any(|word| {
            let value = word
                .split_once('=')
                .filter(|(flag, _)| flags.contains(flag));
            value.is_some_and(|(_, value)| is_kind(value))
        })
}

/// The verb of `mem`'s words, where it writes.
fn mem_verb(words: &[String]) -> Option<String> {
    let shows = |word: &String| SHOWING.contains(&word.as_str());
    if words.iter().any(shows) {
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
        _ => {
            let mut nouns = NOUNS.iter();
            let noun = nouns.find(|(noun, _)| *noun == verb);
            // `--fix` stands anywhere; a verb of a noun comes first.
            let first = rest.iter().find(|word| !word.starts_with('-'));
            noun.is_some_and(|(_, verbs)| {
                let says = |word: &&str| verbs.contains(word);
                first.is_some_and(says)
                    || rest.iter().any(|word| word.starts_with('-') && says(word))
            })
        }
    };
    writes.then(|| verb.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> Option<Deed> {
        deed(line, Path::new(""), &|path| {
            path.starts_with("/m/memory") && path != Path::new("/m/memory")
        })
    }

    fn verb(line: &str) -> Option<String> {
        match found(line)? {
            Deed::Verb(verb) => Some(verb),
            Deed::File(_) => None,
        }
    }

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
            "mem record store 'a thing' --category decision_log",
            "mem record --json delete mem_1 --reason old",
            "mem prune --below 1",
            "mem dream --yes",
            "mem erase --project --yes",
            "mem store put s a.md",
            "mem team delete a.md",
            "echo '{}' | mem tool",
            "npx mem save --name x",
            "npx -y -p mem mem@latest save --name x",
            "npm exec -- mem save --name x",
            "pnpm dlx mem save x",
            "cargo run -q -p mem -- save --name x",
            "cargo run --release --bin=mem -- -q record store x",
            "cargo run -q -- save --type feedback --name x --body y",
            "cargo run -- record store x --category=decision_log",
            "cd /src/mem && cargo run -q -- save --name x --body y",
            "bash <<'E'\nmem save x\nE",
            "bash -s <<E\ncd /tmp\nmem save x\nE\necho done",
            "sh <<< 'mem save x'",
            "sudo -u bob env A=b ./target/debug/mem save x",
            "env -i HOME=/x mem undo",
            "timeout -k 5 10 mem save x",
            "echo x | xargs -I {} mem log {}",
            "eval mem save x",
        ] {
            assert!(verb(line).is_some(), "{line}");
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
            "mem record retrieve store",
            "mem record list",
            "mem store cat s save",
            "mem dream --plan",
            "mem inbox list accept",
            "cargo run -p other -- save x",
            "cargo run -q -- save --name x",
            "cargo run -q -- save --type csv",
            "cd /src/mem && cargo run -p other -- save x",
            "bash build.sh <<E\nmem save x\nE",
            "ssh box bash <<E\nmem save x\nE",
            "cat <<E | wc -l\nmem save x\nE",
            "cargo test -p mem",
            "npx prettier mem save",
            "sudo echo mem save",
            "timeout 10 echo mem save",
            "\\",
            "",
        ] {
            assert_eq!(verb(line), None, "{line}");
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
                    let _ = verb(&format!("{a}{b}{c}{a}{c}{b}"));
                }
            }
        }
        let deep = "bash -c ".repeat(5_000);
        assert_eq!(verb(&deep), None);
        let deep = format!("{}mem save x{}", "$(".repeat(5_000), ")".repeat(5_000));
        assert_eq!(verb(&deep), None, "beyond what is followed");
    }

    #[test]
    fn files_put_into_the_directory_are_found() {
        for line in [
            "cat > /m/memory/a.md <<'E'\nx\nE",
            "echo x >> /m/memory/a.md",
            "echo x >|'/m/memory/a.md'",
            "echo x &> /m/memory/a.md",
            "echo x 1>/m/memory/a.md 2>&1",
            "echo x | tee -a /m/memory/a.md",
            "echo x | sudo tee /m/memory/a.md > /dev/null",
            "sed -i 's/a/b/' /m/memory/a.md",
            "sed -i.bak -e s/a/b/ /m/memory/a.md",
            "perl -pi -e s/a/b/ /m/memory/a.md",
            "cp a.md /m/memory/",
            "cp -t /m/memory a.md b.md",
            "mv /m/memory/a.md /tmp/b.md",
            "mv a.md /m/memory/b.md",
            "rm -f /m/memory/a.md",
            "dd if=x of=/m/memory/a.md",
            "cd /m/memory && echo x > a.md",
            "M=/m/memory; printf x > \"$M/a.md\"",
            "D=/m; cp a.md ${D}/memory/a.md",
            "bash -c 'echo x > /m/memory/a.md'",
            "x=$(tee /m/memory/a.md)",
            "M=$(mem path); cat x > \"$M/a.md\"",
            "cp x.md \"$(mem path)/x.md\"",
            "python3 -c 'open(\"/m/memory/a.md\",\"w\").write(\"x\")'",
            "python3 - <<'E'\nopen('/m/memory/MEMORY.md', 'w').write('x')\nE",
            "python3 <<E > /tmp/log && ls\np = '/m/memory/MEMORY.md'\nopen(p, 'a').write('x')\nE\necho done",
            "cd /m/memory && python3 - <<E\nopen('MEMORY.md', 'w').write('x')\nE",
            "M=/m/memory; python3 - <<E\nopen('$M/a.md', 'w').write('x')\nE",
            "node <<'E'\nrequire('fs').writeFileSync('/m/memory/a.md', 'x')\nE",
            "bash <<E\ncat > /m/memory/a.md <<F\nx\nF\nE",
            "curl -s -o /m/memory/a.md https://example.org",
            "find /m/memory -name '*.md' -exec sed -i s/a/b/ {} +",
            "find /m/memory -name '*.tmp' -delete",
            "for f in /m/memory/*.md; do sed -i s/a/b/ \"$f\"; done",
            "gawk -i inplace 1 /m/memory/a.md",
            "patch /m/memory/a.md < /tmp/x",
        ] {
            assert!(matches!(found(line), Some(Deed::File(_))), "{line}");
        }
        for line in [
            "cat /m/memory/a.md",
            "cat < /m/memory/a.md > /tmp/x",
            "cp /m/memory/a.md /tmp/a.md",
            "sed -n 1p /m/memory/a.md",
            "sed s/i/b/ /m/memory/a.md",
            "grep -i x /m/memory/a.md 2>&1",
            "echo '> /m/memory/a.md'",
            "echo x > /m/other.md",
            "tee /tmp/x < /m/memory/a.md",
            "python3 -c 'print(open(\"/m/memory/a.md\").read())'",
            "cat <<E > /tmp/x\necho x > /m/memory/a.md\nE",
            "python3 - <<'E'\ns = open('/m/memory/a.md').read()\nopen('/tmp/x', 'w').write(s)\nE",
            "python3 x.py <<'E'\nopen('/m/memory/a.md', 'w')\nE",
            "python3 - <<'E'\nprint(1)\nE\ncat /m/memory/a.md",
            "git commit -F - <<E\nopen('/m/memory/a.md', 'w')\nE",
            "find /m/memory -name '*.md' -exec grep x {} +",
            "find /tmp -exec sed -i s/a/b/ {} ;",
            "for f in /m/memory/*.md; do cat $f > /tmp/x; done",
        ] {
            assert_eq!(found(line), None, "{line}");
        }
    }
}
