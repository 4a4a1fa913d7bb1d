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
        "awk" | "gawk" if words.iter().any(|word| word == "inplace") => plain,
        "patch" => plain.into_iter().take(1).collect(),
        "find" if words.iter().any(|word| word == "-delete") => plain.into_iter().take(1).collect(),
        "sed" | "gsed" if flags().any(|flag| edits(flag, "nErsuz")) => plain,
        "perl" | "ruby" if flags().any(|flag| edits(flag, "pnlw0")) => plain,
        "dd" => plain
            .iter()
            .filter_map(|word| word.strip_prefix("of="))
            .collect(),
        "curl" | "sort" => after(words, &["-o", "--output"]),
        "wget" => after(words, &["-O", "--output-document"]),
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

/// The words that stand after one of these flags.
fn after<'w>(words: &'w [String], flags: &[&str]) -> Vec<&'w str> {
    let pairs = words
        .windows(2)
        .filter(|two| flags.contains(&two[0].as_str()));
    pairs.map(|two| two[1].as_str()).collect()
}

/// The scripts that an interpreter is given: after `-c` or `-e`, or where it reads one from its input.
pub(super) fn scripts<'w>(program: &str, words: &'w [String], input: &'w str) -> Vec<&'w str> {
    let names = ["python", "node", "ruby", "perl", "deno", "bun"];
    if !names.iter().any(|name| program.starts_with(name)) {
        return Vec::new();
    }
    let given = after(words, &["-c", "-e", "--eval"]);
    match given.is_empty() && reads_script(words) {
        true => vec![input],
        false => given,
    }
}

/// Whether the words of a shell or an interpreter name no script: it comes from the input.
pub(super) fn reads_script(words: &[String]) -> bool {
    let is_flag = |word: &&String| word.starts_with('-') && word.len() > 1;
    let first = words.iter().find(|word| !is_flag(word));
    first.is_none_or(|first| first == "-") || words.iter().any(|word| word == "-s")
}
