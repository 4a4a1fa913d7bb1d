//! Measures the rules line by line against CredData (Samsung/CredData), which is not part of the
//! repository: `cargo run --release --example creddata -- DIR [-v] [--beside NAME=FILE]..`.
//!
//! DIR is a checkout of CredData with the repositories that it names under `tmp/ID`, as its
//! `download_data.py` leaves them; a repository that is not there is left out. A true range is found
//! when a finding touches a line of it. A false alarm is a finding that touches no true range and one
//! that is labelled false; what has no label is counted apart. FILE is what another
//! scanner reported, as gitleaks (a JSON list) or as lines `PATH:LINE`, with paths that are absolute or begin at DIR.
#![expect(
    clippy::disallowed_methods,
    reason = "it measures on files that its user names"
)]
#![expect(clippy::print_stdout, reason = "a measurement is printed")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use mem_secrets::{Confidence, InputOrigin, Scanner};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Line ranges that a scanner reported, by their file, with the rules that did.
type Reported = HashMap<PathBuf, BTreeMap<LineRange, BTreeSet<String>>>;
/// First and last line of a label.
type LineRange = (u64, u64);

/// One labelled file.
struct LabelledFile {
    path: PathBuf,
    /// With their categories.
    secret: BTreeMap<LineRange, String>,
    harmless: BTreeMap<LineRange, String>,
}

/// What one scanner got right and wrong.
#[derive(Default)]
struct Score {
    secret: usize,
    found: usize,
    wrong: usize,
    unlabelled: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("which checkout of CredData?")?);
    let arguments: Vec<String> = arguments.collect();
    let verbose = arguments.iter().any(|argument| argument == "-v");
    let files = labelled_files(&folder)?;
    let lost = files.iter().filter(|file| !file.path.is_file()).count();
    let files: Vec<LabelledFile> = files
        .into_iter()
        .filter(|file| file.path.is_file())
        .collect();
    println!("{} labelled files, {lost} more are missing", files.len());
    let scanner = Scanner::new().with_confidence(Confidence::Low);
    let mut levels = [Confidence::Low, Confidence::Medium, Confidence::High].map(|least| {
        let name = format!("mem, {least:?} and above").to_lowercase();
        (name, least, Reported::new())
    });
    for file in &files {
        scan(&scanner, file, &folder, &mut levels)?;
    }
    for (name, _, reported) in &levels {
        println!("{}", Score::new(&files, reported).line(name));
    }
    for pair in arguments.windows(2).filter(|pair| pair[0] == "--beside") {
        let (name, report) = pair[1].split_once('=').ok_or("NAME=FILE is expected")?;
        let reported = other_report(Path::new(report), &folder)?;
        println!("{}", Score::new(&files, &reported).line(name));
    }
    let [(_, _, all), ..] = &levels;
    print_rules(&files, all);
    print_categories(&files, all);
    if verbose {
        print_lines(&files, all)?;
    }
    Ok(())
}

/// The labels of every repository that is there.
fn labelled_files(folder: &Path) -> Result<Vec<LabelledFile>, Box<dyn Error>> {
    let snapshot: Value = serde_json::from_slice(&fs::read(folder.join("snapshot.json"))?)?;
    let mut files = Vec::new();
    for id in snapshot
        .as_object()
        .ok_or("no list of repositories")?
        .keys()
    {
        let root = folder.join("tmp").join(id);
        if !root.is_dir() {
            continue;
        }
        let bytes: Result<Vec<u8>, _> = (0..id.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&id[at..at + 2], 16))
            .collect();
        let labels = folder.join(format!("meta/{:08x}.csv", crc32(&bytes?)));
        let mut paths = Vec::new();
        walk(&root, &mut paths)?;
        let by_id: HashMap<String, PathBuf> = paths
            .into_iter()
            .map(|path| (file_id(&path, &root), path))
            .collect();
        let mut known: BTreeMap<String, LabelledFile> = BTreeMap::new();
        for row in fs::read_to_string(labels)?
            .lines()
            .skip(1)
            .filter(|row| !row.is_empty())
        {
            let field: Vec<&str> = row.split(',').collect();
            let [_, id, _, _, _, first, last, truth, .., category] = field[..] else {
                return Err(format!("a label has too few fields: {row}").into());
            };
            let file = known.entry(id.to_owned()).or_insert_with(|| LabelledFile {
                path: by_id.get(id).cloned().unwrap_or_default(),
                secret: BTreeMap::new(),
                harmless: BTreeMap::new(),
            });
            let range = (first.parse()?, last.parse()?);
            let list = match truth {
                "T" => &mut file.secret,
                _ => &mut file.harmless,
            };
            list.insert(range, category.to_owned());
        }
        files.extend(known.into_values());
    }
    Ok(files)
}

/// The name that the labels have for a file: the beginning of the SHA-256 of its path.
fn file_id(path: &Path, root: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    let digest = Sha256::digest(below.as_os_str().as_encoded_bytes());
    digest[..4]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// CRC-32, by which the file of a repository's labels is called.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, &byte: &u8| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ ((crc & 1) * 0xedb8_8320)
        })
    };
    !bytes.iter().fold(u32::MAX, step)
}

fn walk(folder: &Path, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !path.is_symlink() {
            walk(&path, paths)?;
        } else {
            paths.push(path);
        }
    }
    Ok(())
}

/// Scans a file once and files each finding under every level that it reaches.
fn scan(
    scanner: &Scanner,
    file: &LabelledFile,
    folder: &Path,
    levels: &mut [(String, Confidence, Reported)],
) -> Result<(), Box<dyn Error>> {
    let bytes = fs::read(&file.path)?;
    // `tmp/ID/` is the root of the repository.
    let below = file.path.strip_prefix(folder.join("tmp"))?;
    let below: PathBuf = below.iter().skip(1).collect();
    let origin = InputOrigin::path(&below.to_string_lossy());
    for finding in scanner.scan(&bytes, &origin) {
        for (_, least, reported) in &mut *levels {
            if finding.confidence < *least {
                continue;
            }
            let ranges = reported.entry(file.path.clone()).or_default();
            let rules = ranges.entry((finding.line, finding.end_line)).or_default();
            rules.insert(finding.rule.clone());
        }
    }
    Ok(())
}

/// The lines of another scanner's report.
fn other_report(report: &Path, folder: &Path) -> Result<Reported, Box<dyn Error>> {
    let text = fs::read_to_string(report)?;
    let mut reported = Reported::new();
    let mut add = |path: &str, first: u64, last: u64| {
        // Relative to the checkout, or to wherever the other scanner ran.
        let ranges = reported.entry(folder.join(path)).or_default();
        ranges.entry((first, last.max(first))).or_default();
    };
    if let Ok(Value::Array(list)) = serde_json::from_str(&text) {
        for one in &list {
            let line = |key: &str| one[key].as_u64().unwrap_or(0);
            add(
                one["File"].as_str().unwrap_or_default(),
                line("StartLine"),
                line("EndLine"),
            );
        }
        return Ok(reported);
    }
    for line in text.lines() {
        let (path, line) = line.rsplit_once(':').ok_or("PATH:LINE is expected")?;
        let line = line.parse()?;
        add(path, line, line);
    }
    Ok(reported)
}

/// What the labels say of a reported range.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Truth {
    Secret,
    Harmless,
    Unlabelled,
}

impl LabelledFile {
    fn truth_of(&self, reported: LineRange) -> Truth {
        let touches = |ranges: &BTreeMap<LineRange, String>| {
            let mut ranges = ranges.keys();
            ranges.any(|range| overlap(*range, reported))
        };
        match (touches(&self.secret), touches(&self.harmless)) {
            (true, _) => Truth::Secret,
            (false, true) => Truth::Harmless,
            (false, false) => Truth::Unlabelled,
        }
    }
}

fn overlap(one: LineRange, other: LineRange) -> bool {
    one.0 <= other.1 && other.0 <= one.1
}

/// Whether one of the reported ranges touches a labelled one.
fn is_found(ranges: Option<&BTreeMap<LineRange, BTreeSet<String>>>, wanted: LineRange) -> bool {
    ranges.is_some_and(|ranges| ranges.keys().any(|range| overlap(*range, wanted)))
}

impl Score {
    fn new(files: &[LabelledFile], reported: &Reported) -> Self {
        let mut score = Self::default();
        for file in files {
            let ranges = reported.get(&file.path);
            score.secret += file.secret.len();
            let found = file.secret.keys().filter(|range| is_found(ranges, **range));
            score.found += found.count();
            for range in ranges.into_iter().flat_map(BTreeMap::keys) {
                match file.truth_of(*range) {
                    Truth::Secret => {}
                    Truth::Harmless => score.wrong += 1,
                    Truth::Unlabelled => score.unlabelled += 1,
                }
            }
        }
        score
    }

    fn line(&self, name: &str) -> String {
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        let recall = share(self.found, self.secret);
        let precision = share(self.found, self.found + self.wrong);
        let harmonic = 2.0 * recall * precision / (recall + precision).max(f64::MIN_POSITIVE);
        format!(
            "{name:26} recall {:5.1} % ({} of {}), precision {:5.1} % ({} false), F1 {harmonic:.3}, {} without a label",
            100.0 * recall,
            self.found,
            self.secret,
            100.0 * precision,
            self.wrong,
            self.unlabelled
        )
    }
}

/// Of each rule the findings that are true, false and without a label.
fn print_rules(files: &[LabelledFile], reported: &Reported) {
    let mut rules: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for file in files {
        for (range, by) in reported.get(&file.path).into_iter().flatten() {
            let truth = file.truth_of(*range) as usize;
            by.iter()
                .for_each(|rule| rules.entry(rule).or_default()[truth] += 1);
        }
    }
    println!("\nfindings by rule: true, false, without a label");
    for (rule, [right, wrong, other]) in rules {
        println!("{rule:34} {right:5} {wrong:5} {other:5}");
    }
}

/// Of each category the true ranges and how many of them are found.
fn print_categories(files: &[LabelledFile], reported: &Reported) {
    let mut categories: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for file in files {
        let ranges = reported.get(&file.path);
        for (range, category) in &file.secret {
            let count = categories.entry(category).or_default();
            count[0] += usize::from(is_found(ranges, *range));
            count[1] += 1;
        }
    }
    println!("\ntrue ranges by category: found, all");
    for (category, [found, all]) in categories {
        println!("{category:44} {found:5} {all:5}");
    }
}

/// What was missed, and what was reported that is not labelled true.
fn print_lines(files: &[LabelledFile], reported: &Reported) -> Result<(), Box<dyn Error>> {
    for file in files {
        let text = fs::read(&file.path)?;
        let rows: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
        let shown = |line: u64| {
            let row = rows.get(line as usize - 1).copied().unwrap_or_default();
            let row = String::from_utf8_lossy(row.trim_ascii()).into_owned();
            row.chars().take(220).collect::<String>()
        };
        let ranges = reported.get(&file.path);
        let path = file.path.display();
        for (range, category) in &file.secret {
            if !is_found(ranges, *range) {
                println!("MISS {category} {path}:{} | {}", range.0, shown(range.0));
            }
        }
        for (range, by) in ranges.into_iter().flatten() {
            let word = match file.truth_of(*range) {
                Truth::Secret => continue,
                Truth::Harmless => "FALSE",
                Truth::Unlabelled => "UNLABELLED",
            };
            println!("{word} {by:?} {path}:{} | {}", range.0, shown(range.0));
        }
    }
    Ok(())
}
