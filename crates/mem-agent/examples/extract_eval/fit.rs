//! Fitting the weights of clues to the labelled sentences and sessions.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use mem_agent::extract::clues::{KINDS, of_prompt};

use crate::labelled;

/// What is not worth keeping, and then the types.
const CLASSES: usize = KINDS.len() + 1;
/// How far a weight is kept from growing.
const DECAY: f32 = 1.0;
const ROUNDS: usize = 300;
const PACE: f32 = 0.3;
/// Clues of so many sentences count; a clue whose weights are all smaller says nothing.
const SENTENCES_MIN: usize = 2;
const WEIGHT_MIN: f32 = 0.1;
const HEAD: &str = "# What the words of a sentence say for its being worth keeping: as feedback, user, project, reference, and the clue.
# Fitted to labelled sentences by `cargo xtask eval extract --fit`; not to be edited.
";

/// The clues of a sentence, and its class.
type Said = (Vec<(String, f32)>, usize);

/// A sentence: its clues by number, its class.
struct Sample {
    clues: Vec<(usize, f32)>,
    class: usize,
}

/// Fits them to the files of a folder and writes them to a file; says what that came to.
pub(crate) fn fit(folder: &Path, without: &[String], out: &Path) -> Result<String> {
    let mut said: Vec<Said> = Vec::new();
    let is_wanted = |name: &&str| !without.iter().any(|one| one == name);
    let files: Vec<&str> = labelled::FITTED.into_iter().filter(is_wanted).collect();
    for name in &files {
        let text = std::fs::read_to_string(folder.join(name))?;
        match *name {
            "phrases.txt" => said.extend(phrases(&text)?),
            _ => said.extend(sessions(&text)?),
        }
    }
    let (names, samples) = numbered(&said);
    let clues = written(&names, &fitted(&samples, names.len()));
    let text = format!("{HEAD}{}{clues}", labelled::origin(folder, &files)?);
    File::create(out).and_then(|mut file| file.write_all(text.as_bytes()))?;
    let clues = clues.lines().count();
    Ok(format!("{} sentences, {clues} clues", samples.len()))
}

/// `TYPE text` a line.
fn phrases(text: &str) -> Result<Vec<Said>> {
    let mut all = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (kind, phrase) = line.split_once(' ').context("a line without a text")?;
        let class = class(kind);
        all.extend(
            of_prompt(phrase)
                .into_iter()
                .map(|(_, clues)| (clues, class)),
        );
    }
    Ok(all)
}

/// The sentences of what people said. Those that stand beside what is wanted may be a part of it, and are left out.
fn sessions(text: &str) -> Result<Vec<Said>> {
    let mut all = Vec::new();
    for session in labelled::read(text)? {
        for (_, prompt) in session.said.iter().filter(|(who, _)| *who == 'P') {
            let wanted = |text: &str| {
                let text = text.to_lowercase();
                let mut all = session.wanted.iter();
                all.find(|(_, words)| text.contains(words))
                    .map(|(kind, _)| class(kind))
            };
            let said = of_prompt(prompt);
            let has_any = wanted(prompt).is_some();
            for (text, clues) in said {
                match wanted(&text) {
                    Some(class) => all.push((clues, class)),
                    None if has_any => {}
                    None => all.push((clues, 0)),
                }
            }
        }
    }
    Ok(all)
}

fn class(kind: &str) -> usize {
    let at = KINDS.iter().position(|one| one.to_string() == kind);
    at.map_or(0, |at| at + 1)
}

fn numbered(said: &[Said]) -> (Vec<String>, Vec<Sample>) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (clue, _) in said.iter().flat_map(|(clues, _)| clues) {
        *counts.entry(clue).or_default() += 1;
    }
    counts.retain(|_, count| *count >= SENTENCES_MIN);
    let names: Vec<String> = counts.keys().map(|name| (*name).to_owned()).collect();
    let number = |name: &str| names.binary_search_by(|one| one.as_str().cmp(name)).ok();
    let samples = said.iter().map(|(clues, class)| Sample {
        clues: clues
            .iter()
            .filter_map(|(clue, value)| Some((number(clue)?, *value)))
            .collect(),
        class: *class,
    });
    let samples = samples.collect();
    (names, samples)
}

/// A logistic regression over all classes, each of which counts the same, by steps that shrink (`AdaGrad`).
fn fitted(samples: &[Sample], clues: usize) -> Vec<[f32; CLASSES]> {
    let mut counts = [0_usize; CLASSES];
    for sample in samples {
        counts[sample.class] += 1;
    }
    let share = counts.map(|count| samples.len() as f32 / (CLASSES * count.max(1)) as f32);
    let mut weights = vec![[0.0_f32; CLASSES]; clues];
    let mut squares = vec![[1e-6_f32; CLASSES]; clues];
    for _ in 0..ROUNDS {
        let mut slopes: Vec<[f32; CLASSES]> =
            weights.iter().map(|one| one.map(|w| w * DECAY)).collect();
        for sample in samples {
            let mut wrong = chances(sample, &weights);
            wrong[sample.class] -= 1.0;
            for (clue, value) in &sample.clues {
                for (slope, wrong) in slopes[*clue].iter_mut().zip(wrong) {
                    *slope += wrong * value * share[sample.class];
                }
            }
        }
        for (at, slopes) in slopes.iter().enumerate() {
            for (class, slope) in slopes.iter().enumerate() {
                squares[at][class] += slope * slope;
                weights[at][class] -= PACE * slope / squares[at][class].sqrt();
            }
        }
    }
    weights
}

/// How likely each class is.
fn chances(sample: &Sample, weights: &[[f32; CLASSES]]) -> [f32; CLASSES] {
    let mut sums = [0.0_f32; CLASSES];
    for (clue, value) in &sample.clues {
        for (sum, weight) in sums.iter_mut().zip(weights[*clue]) {
            *sum += weight * value;
        }
    }
    let most = sums.iter().copied().fold(f32::MIN, f32::max);
    let parts = sums.map(|sum| (sum - most).exp());
    let all: f32 = parts.iter().sum();
    parts.map(|part| part / all)
}

/// One line a clue: how much more it speaks for each type than for nothing.
fn written(names: &[String], weights: &[[f32; CLASSES]]) -> String {
    let mut text = String::new();
    for (name, weights) in names.iter().zip(weights) {
        let more = [1, 2, 3, 4].map(|class| weights[class] - weights[0]);
        if more.iter().any(|one| one.abs() >= WEIGHT_MIN) {
            let [a, b, c, d] = more;
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{a:.2} {b:.2} {c:.2} {d:.2} {name}");
        }
    }
    text
}
