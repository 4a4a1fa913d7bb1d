//! Plays a history: each line an operation, files made of blocks that look like code.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::fixture::Fixture;

/// Words that bodies are made of; none of them is cited.
const WORDS: [&str; 24] = [
    "amount", "basket", "buffer", "chunk", "cursor", "deadline", "entry", "factor", "ledger",
    "margin", "marker", "offset", "payload", "quota", "reader", "record", "region", "sample",
    "segment", "session", "source", "total", "window", "writer",
];

/// One declaration of a file. Its body depends on the seed alone, so that a new name leaves it.
#[derive(Clone)]
struct Block {
    name: String,
    seed: u64,
    edits: usize,
}

#[derive(Clone, Default)]
struct File {
    blocks: Vec<Block>,
    /// Calls, comments and lines of prose.
    lines: Vec<String>,
}

/// Plays a history into a repository; returns the second at which the notes were written.
pub(crate) fn play(fixture: &Fixture, script: &str) -> i64 {
    let mut files: BTreeMap<String, File> = BTreeMap::new();
    let mut message: Option<&str> = None;
    let mut written = 0;
    for line in script.lines().chain(["commit end"]) {
        let (verb, rest) = line.split_once(' ').unwrap();
        if matches!(verb, "commit" | "mark") {
            if let Some(message) = message.take() {
                commit(fixture, &files, message);
            }
            match verb {
                "mark" => written = fixture.second(),
                _ => message = Some(rest),
            }
        } else {
            apply(&mut files, verb, rest);
        }
    }
    written
}

fn commit(fixture: &Fixture, files: &BTreeMap<String, File>, message: &str) {
    for entry in std::fs::read_dir(fixture.root()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with(".git") {
            std::fs::remove_dir_all(path).unwrap();
        }
    }
    for (path, file) in files {
        fixture.write(path, render(path, file));
    }
    fixture.commit(message);
}

fn apply(files: &mut BTreeMap<String, File>, verb: &str, rest: &str) {
    let words: Vec<&str> = rest.split(' ').collect();
    match verb {
        "write" | "add" => {
            let file = files.entry(words[0].to_owned()).or_default();
            file.blocks
                .extend(words[1..].iter().map(|name| block(words[0], name)));
        }
        "drop" => {
            let file = files.get_mut(words[0]).unwrap();
            let count = file.blocks.len();
            file.blocks
                .retain(|block| !words[1..].contains(&&*block.name));
            assert_eq!(file.blocks.len() + words.len() - 1, count, "{rest}");
        }
        "rename" => {
            for file in files.values_mut() {
                let named = file
                    .blocks
                    .iter_mut()
                    .filter(|block| block.name == words[0]);
                named.for_each(|block| words[1].clone_into(&mut block.name));
                let lines = file.lines.iter_mut();
                lines.for_each(|line| *line = line.replace(words[0], words[1]));
            }
        }
        "mv" | "rm" => relocate(files, words[0], words.get(1).copied()),
        "touch" => {
            let count: usize = words[1].parse().unwrap();
            let file = files.get_mut(words[0]).unwrap();
            file.blocks
                .iter_mut()
                .for_each(|block| block.edits += count);
        }
        "rewrite" => {
            let file = files.get_mut(words[0]).unwrap();
            file.blocks
                .iter_mut()
                .for_each(|block| block.seed ^= 0x5555);
        }
        "call" => files
            .get_mut(words[0])
            .unwrap()
            .lines
            .push(format!("{}(7);", words[1])),
        "say" | "comment" => {
            let (path, text) = rest.split_once(' ').unwrap();
            let mark = if verb == "comment" { "// " } else { "" };
            files
                .get_mut(path)
                .unwrap()
                .lines
                .push(format!("{mark}{text}"));
        }
        other => panic!("unknown operation {other}"),
    }
}

/// Moves or removes a file or a folder.
fn relocate(files: &mut BTreeMap<String, File>, from: &str, to: Option<&str>) {
    let folder = format!("{from}/");
    let paths: Vec<String> = files
        .keys()
        .filter(|path| *path == from || path.starts_with(&folder))
        .cloned()
        .collect();
    assert!(!paths.is_empty(), "{from}");
    for path in paths {
        let file = files.remove(&path).unwrap();
        if let Some(to) = to {
            files.insert(path.replacen(from, to, 1), file);
        }
    }
}

/// A block; prose has no name, so that its file stands for it.
fn block(path: &str, name: &str) -> Block {
    let mut hasher = DefaultHasher::new();
    if name == "PROSE" { path } else { name }.hash(&mut hasher);
    Block {
        name: name.to_owned(),
        seed: hasher.finish(),
        edits: 0,
    }
}

fn render(path: &str, file: &File) -> String {
    let mut text = String::new();
    for block in &file.blocks {
        text.push_str(&declaration(path, block));
        text.push('\n');
    }
    for line in &file.lines {
        text.push_str(line);
        text.push('\n');
    }
    text
}

fn word(seed: u64, at: usize) -> &'static str {
    let mixed = seed.wrapping_mul(at as u64 * 2 + 1) >> 17;
    WORDS[usize::try_from(mixed % WORDS.len() as u64).unwrap()]
}

/// A declaration as its language writes it.
fn declaration(path: &str, block: &Block) -> String {
    let (name, seed) = (&block.name, block.seed);
    let body = |lead: &str, end: &str| -> String {
        let lines = 5 + usize::try_from(seed % 4).unwrap();
        (0..lines)
            .map(|at| {
                let value = if at < block.edits {
                    seed % 89 + 100
                } else {
                    seed % 89
                };
                format!(
                    "    {lead}{}_{at} = {}({value} + {at}){end}\n",
                    word(seed, at),
                    word(seed, at + 9)
                )
            })
            .collect()
    };
    if name == "PROSE" {
        let seed = block.seed;
        let line = |at: usize| {
            format!(
                "The {} of the {}{}.\n",
                word(seed, at),
                word(seed, at + 3),
                ", again".repeat(usize::from(at < block.edits))
            )
        };
        return (0..9).map(line).collect();
    }
    let is_type = name.starts_with(char::is_uppercase);
    if let Some(variable) = name.strip_prefix("ENV:") {
        return match path.rsplit_once('.').unwrap().1 {
            "py" => format!("SETTING_{} = os.environ[\"{variable}\"]\n", seed % 97),
            _ => format!(
                "static SETTING_{}: &str = env!(\"{variable}\");\n",
                seed % 97
            ),
        };
    }
    if let Some(flag) = name.strip_prefix("FLAG:") {
        return format!("case \"$1\" in {flag}) {}=1;; esac\n", word(seed, 1));
    }
    if let Some(key) = name.strip_prefix("KEY:") {
        let (section, key) = key.split_once('.').unwrap();
        return format!("[{section}]\n{key} = {}\n", seed % 97);
    }
    match (path.rsplit_once('.').unwrap().1, is_type) {
        ("rs", true) => format!(
            "/// The {}.\npub struct {name} {{\n{}}}\n",
            word(seed, 3),
            body("", ",")
        ),
        ("rs", false) => format!(
            "pub fn {name}(value: u32) -> u32 {{\n{}    value\n}}\n",
            body("let ", ";")
        ),
        ("py", true) => format!("class {name}:\n{}", body("", "")),
        ("py", false) => format!("def {name}(value):\n{}    return value\n", body("", "")),
        (_, true) => format!("export class {name} {{\n{}}}\n", body("", ";")),
        (_, false) => format!(
            "export function {name}(value: number) {{\n{}}}\n",
            body("const ", ";")
        ),
    }
}
