//! Whole processes over many notes.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use mem_tests::{Repo, TestEnv};

use crate::bench::list::{memory_directory, write};
use crate::bench::row::{BenchRow, ms};
use crate::bench::timing::interleave;
use crate::bench::{Bench, program, usage};
use crate::run::output_of;

pub(crate) const PROMPT: &str = "why does the billing worker retry after a cluster failure";
/// What a recall may take beyond the start of the process and a look at the files, the encoder of a
/// prompt of 12 tokens included.
const BEYOND_MS: f64 = 15.0;
/// What the first index may take beyond reading the files three times.
const FIRST_MS: f64 = 2_000.0;
/// What one changed note may take beyond a recall.
const CHANGED_MS: f64 = 10.0;
/// What a recall may take where all that it remembers is sealed: a key is read and the index opened.
const SEALED_RATIO: f64 = 1.3;
/// The memory that a recall may take at its peak.
const PEAK_MB: f64 = 60.0;

/// A memory directory with notes.
pub(crate) struct NotesDir<'e> {
    bench: &'e Bench,
    env: &'e TestEnv,
    repo: &'e Repo<'e>,
    folder: PathBuf,
}

impl<'e> NotesDir<'e> {
    pub(crate) fn new(
        bench: &'e Bench,
        env: &'e TestEnv,
        repo: &'e Repo<'e>,
        notes: u64,
    ) -> anyhow::Result<Self> {
        let folder = memory_directory(bench, env, repo.path())?;
        let made = Self {
            bench,
            env,
            repo,
            folder,
        };
        (0..notes).try_for_each(|number| write(&made.file(number), &note(number, 0)))?;
        Ok(made)
    }

    fn file(&self, number: u64) -> PathBuf {
        self.folder.join(format!("project_note_{number}.md"))
    }

    fn mem(&self, args: &[&str]) -> Command {
        self.bench.mem(self.env, self.repo.path(), args)
    }

    fn recall(&self) -> Command {
        self.mem(&["recall", PROMPT])
    }

    /// Starting the process, and a stat of every file.
    fn floor(&self) -> Vec<Command> {
        let find = program(
            self.env,
            "find",
            &self.folder,
            [".", "-printf", "%s %T@ %i\n"],
        );
        vec![self.mem(&["--version"]), find]
    }

    /// Adds a note with this text.
    pub(crate) fn cite(&self, text: &str) -> anyhow::Result<()> {
        let heading = "---\nname: Cited\ndescription: What it cites\ntype: project\n---\n";
        let file = self.folder.join("project_cited.md");
        write(&file, &format!("{heading}{text}\n"))
    }

    /// Makes the index.
    pub(crate) fn index(&self) -> anyhow::Result<()> {
        output_of(&mut self.recall()).map(drop)
    }
}

/// A recall among a number of notes.
pub(crate) fn measure(bench: &Bench, notes: u64, runs: usize) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let notes = NotesDir::new(bench, &env, &repo, notes)?;
    notes.index()?;
    let medians = interleave(runs, |_| Ok(vec![notes.recall()]), |_| Ok(notes.floor()))?;
    let goal = ms(medians[1]) + BEYOND_MS;
    let peak = usage::peak_words(&notes.recall(), env.root(), &format!(" ({PEAK_MB})"));
    let row = BenchRow::new("mem recall", "mem --version; find -printf", medians);
    Ok(vec![row.within(goal.round()).also(peak)])
}

/// 1,000 notes on a machine whose state and caches are sealed, beside one where they are not.
pub(crate) fn measure_sealed(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let [sealed, plain] = [TestEnv::new(), TestEnv::new()];
    let [one, other] = [sealed.repo("app"), plain.repo("app")];
    let sealed = NotesDir::new(bench, &sealed, &one, 1_000)?;
    let plain = NotesDir::new(bench, &plain, &other, 1_000)?;
    output_of(&mut sealed.mem(&["encrypt", "on", "--local"]))?;
    sealed.index()?;
    plain.index()?;
    let medians = interleave(
        bench.runs,
        |_| Ok(vec![sealed.recall()]),
        |_| Ok(vec![plain.recall()]),
    )?;
    let row = BenchRow::new("mem recall, encrypted", "the same, plain", medians);
    Ok(vec![row.at_most(SEALED_RATIO)])
}

/// The first index of 10,000 notes, beside reading them.
pub(crate) fn measure_first(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let notes = NotesDir::new(bench, &env, &repo, 10_000)?;
    let index = env.home().join(".cache/mem/recall");
    let medians = interleave(
        bench.runs.div_ceil(8),
        |_| {
            let _ = fs::remove_dir_all(&index);
            Ok(vec![notes.recall()])
        },
        |_| {
            let files = (0..10_000).map(|number| notes.file(number));
            Ok(vec![program(&env, "cat", env.root(), files)])
        },
    )?;
    let goal = 3.0 * ms(medians[1]) + FIRST_MS;
    let row = BenchRow::new("rm index; mem recall", "cat *.md", medians);
    Ok(vec![row.within(goal.round())])
}

/// One changed note among 10,000, beside a recall in as many of which none changed.
pub(crate) fn measure_changed(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let (one, other) = (env.repo("one"), env.repo("other"));
    let changing = NotesDir::new(bench, &env, &one, 10_000)?;
    let same = NotesDir::new(bench, &env, &other, 10_000)?;
    changing.index()?;
    same.index()?;
    // As on a prompt, where the process behind it stores the change; here it finds its turn taken.
    let lock = env.home().join(".cache/mem/recall/warm.lock");
    let lock = fs::File::options().create(true).append(true).open(lock)?;
    lock.lock()?;
    let recall = |notes: &NotesDir<'_>| {
        let mut recall = notes.recall();
        recall.env("MEM_RECALL_BACKGROUND", "true");
        vec![recall]
    };
    let mut version = 0;
    let medians = interleave(
        bench.runs.div_ceil(2),
        |_| {
            version += 1;
            write(&changing.file(17), &note(17, version))?;
            Ok(recall(&changing))
        },
        |_| Ok(recall(&same)),
    )?;
    let goal = ms(medians[1]) + CHANGED_MS;
    let row = BenchRow::new("one note changed; mem recall", "mem recall", medians);
    Ok(vec![row.within(goal.round())])
}

/// A note of some 2 KB out of words of one trade, as those of a busy project are.
fn note(number: u64, version: u64) -> String {
    const WORDS: &str = "deploy cluster token session index branch cache queue worker schema billing \
        invoice upload search login retry flag metric replica shard";
    const ENDINGS: [&str; 8] = [
        "", "s", "ing", "-job", "_id", " policy", " failure", " owner",
    ];
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut state = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ version | 1;
    let mut text = |count: usize| {
        let word = |_| {
            // Knuth's MMIX generator.
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let (word, ending) = ((state >> 33) as usize, (state >> 50) as usize);
            format!(
                "{}{}",
                words[word % words.len()],
                ENDINGS[ending % ENDINGS.len()]
            )
        };
        (0..count).map(word).collect::<Vec<_>>().join(" ")
    };
    format!(
        "---\nname: {} {number}\ndescription: {}\ntype: project\n---\n{}\n",
        text(3),
        text(9),
        text(200)
    )
}
