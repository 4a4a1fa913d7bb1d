//! Two repositories over one store, a server that comes and goes: whatever order it comes in, all end up with
//! the same, and no text that somebody wrote last is lost.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use mem_tests::{Repo, TestEnv};
use serde_json::{Value, json};

use super::Bed;

const PATHS: [&str; 5] = ["/a.md", "/b.md", "/deep/c.md", "/deep/er/d.md", "/deep"];
const STEPS: usize = 50;

/// Numbers that look drawn and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % count
    }
}

/// One repository, and what its agent wrote last at each path.
struct Side<'e> {
    repo: Repo<'e>,
    last: BTreeMap<&'static str, String>,
}

impl Side<'_> {
    fn tool(&self, input: &Value) -> bool {
        let run = self
            .repo
            .invoke(["tool", "--json", "--on-exists", "overwrite"]);
        run.stdin(input.to_string()).run().json()["is_error"] == false
    }

    fn write(&mut self, path: &'static str, text: &str) {
        let input = json!({ "command": "create", "path": format!("/memories/notes{path}"), "file_text": text });
        if self.tool(&input) {
            self.last.insert(path, text.to_owned());
        }
    }

    fn delete(&mut self, path: &'static str) {
        let input = json!({ "command": "delete", "path": format!("/memories/notes{path}") });
        if self.tool(&input) {
            let below = format!("{path}/");
            self.last
                .retain(|other, _| *other != path && !other.starts_with(&below));
        }
    }

    fn copy(&self, env: &TestEnv) -> BTreeMap<String, Vec<u8>> {
        let book = self.repo.mem(["attachments", "--json"]).assert_ok().json();
        assert_eq!(book["resources"][0]["waiting"], json!([]), "{book}");
        let name = self.repo.path().file_name().unwrap().to_str().unwrap();
        let marker = format!("work-{name}-");
        let files = env.files_under(&env.home());
        let ours = files.into_iter().filter(|(path, _)| path.contains(&marker));
        let ours = ours.filter_map(|(path, bytes)| {
            let (_, path) = path.split_once("/attached/memories/notes")?;
            Some((path.to_owned(), bytes))
        });
        ours.collect()
    }
}

/// Every content that the server ever had.
fn contents(bed: &Bed<'_>, store: &str) -> (BTreeMap<String, Vec<u8>>, BTreeSet<String>) {
    let server = bed.server.as_ref().unwrap();
    let pages = |what: &str| {
        let (mut all, mut page) = (Vec::new(), String::new());
        loop {
            let target = format!("/v1/memory_stores/{store}/{what}?view=full&limit=20{page}");
            let answer = server.ask("GET", &target).send().json();
            all.extend(answer["data"].as_array().unwrap().clone());
            match answer["next_page"].as_str() {
                Some(next) => page = format!("&page={next}"),
                None => return all,
            }
        }
    };
    let text = |one: &Value, field: &str| one[field].as_str().map(str::to_owned);
    let live = pages("memories").into_iter().map(|one| {
        let content = text(&one, "content").unwrap();
        (text(&one, "path").unwrap(), content.into_bytes())
    });
    let ever = pages("memory_versions");
    let ever = ever.iter().filter_map(|one| text(one, "content"));
    (live.collect(), ever.collect())
}

fn play(seed: u64) {
    let env = TestEnv::new();
    let mut bed = Bed::new(&env);
    let store = bed.create("Notes");
    let mut sides: Vec<Side<'_>> = ["one", "two"]
        .map(|name| Side {
            repo: env.repo(name),
            last: BTreeMap::new(),
        })
        .into();
    for side in &sides {
        side.repo
            .mem(["attach", &store, "--base-url", &bed.url])
            .assert_ok();
    }
    let mut dice = Dice(seed);
    for step in 0..STEPS {
        let side = &mut sides[dice.below(2)];
        let path = PATHS[dice.below(PATHS.len())];
        match dice.below(10) {
            0..=5 => side.write(path, &format!("text {step}\n")),
            6 | 7 => side.delete(path),
            8 => env.advance(600),
            _ if bed.server.is_some() => bed.kill(),
            _ => bed.revive(),
        }
    }
    if bed.server.is_none() {
        bed.revive();
    }
    for _ in 0..2 {
        env.advance(600);
        for side in &sides {
            side.repo.mem(["attachments", "--sync"]).assert_ok();
        }
    }
    let (live, ever) = contents(&bed, &store);
    let kept = env.files_under(&env.home());
    let kept: Vec<&[u8]> = kept
        .iter()
        .filter(|(path, _)| path.contains("/aside/"))
        .map(|(_, bytes)| bytes.as_slice())
        .collect();
    for side in &sides {
        assert_eq!(side.copy(&env), live, "seed {seed}");
        for (path, text) in &side.last {
            let is_safe = ever.contains(text) || kept.contains(&text.as_bytes());
            assert!(
                is_safe,
                "seed {seed}: {text} of {path} in {} is lost",
                Path::display(side.repo.path())
            );
        }
    }
}

#[test]
fn all_end_up_with_the_same_and_nothing_is_lost() {
    for seed in 1..=4 {
        play(seed);
    }
}
