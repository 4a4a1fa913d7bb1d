//! The files that a program writes to by its words, for those that agents use to write a text.

/// The words of a command that name files it writes, or a folder that it puts files into.
pub(super) fn written<'w>(program: &str, words: &'w [String]) -> Vec<&'w str> {
    let is_flag = |word: &str| word.starts_with('-') && word.len() > 1;
    let flags = || {
        words
            .iter()
            .map(String::as_str)
            .filter(|word| is_flag(word))
    };
    let plain = words
        .iter()
        .map(String::as_str)
        .filter(|word| !is_flag(word));
    let plain: Vec<&str> = plain.collect();
    match program {
        "tee" | "sponge" | "rm" | "unlink" | "truncate" | "touch" | "trash" => plain,
        "mv" => plain.into_iter().chain(folder(words)).collect(),
        "cp" | "install" | "rsync" | "ln" => {
            let last = plain.last().copied();
            folder(words).into_iter().chain(last).collect()
        }
        "sed" | "gsed" if flags().any(|flag| edits(flag, "nErsuz")) => plain,
        "perl" | "ruby" if flags().any(|flag| edits(flag, "pnlw0")) => plain,
        "dd" => plain
            .iter()
            .filter_map(|word| word.strip_prefix("of="))
            .collect(),
        _ if is_interpreter(program) => {
            let script = words.iter().position(|word| word == "-c" || word == "-e");
            let script = script.and_then(|at| words.get(at + 1));
            script.map_or_else(Vec::new, |script| named_in(script))
        }
        _ => Vec::new(),
    }
}

/// The folder of `-t FOLDER`.
fn folder(words: &[String]) -> Option<&str> {
    let at = words.iter().position(|word| word == "-t");
    let after = at.and_then(|at| words.get(at + 1)).map(String::as_str);
    let long = words
        .iter()
        .find_map(|word| word.strip_prefix("--target-directory="));
    after.or(long)
}

/// Whether a flag says that files are edited in place: `-i`, `-i.bak`, `-Ei`, `--in-place`.
fn edits(flag: &str, others: &str) -> bool {
    let Some(short) = flag.strip_prefix('-').filter(|flag| !flag.starts_with('-')) else {
        return flag.starts_with("--in-place");
    };
    short
        .trim_start_matches(|c| others.contains(c))
        .starts_with('i')
}

fn is_interpreter(program: &str) -> bool {
    ["python", "node", "ruby", "perl", "deno", "bun"]
        .iter()
        .any(|name| program.starts_with(name))
}

/// The texts in quotes of a script that writes.
fn named_in(script: &str) -> Vec<&str> {
    let writes = [
        "write", "append", "'w'", "\"w\"", "'a'", "\"a\"", "unlink", "remove",
    ];
    if !writes.iter().any(|word| script.contains(word)) {
        return Vec::new();
    }
    script
        .split(['\'', '"', '`'])
        .filter(|text| text.contains(['/', '.']))
        .collect()
}
