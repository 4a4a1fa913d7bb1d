//! What the README shows is what happens.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use mem_tests::{TestEnv, demo};

const README: &str = include_str!("../../README.md");

/// The lines of every `console` block.
fn console() -> Vec<&'static str> {
    let blocks = README.split("```console\n").skip(1);
    blocks
        .flat_map(|block| block.split("```").next().unwrap().lines())
        .collect()
}

#[test]
fn every_command_prints_what_the_readme_says() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut played = String::new();
    for line in console() {
        let Some(script) = line.strip_prefix("$ ") else {
            continue;
        };
        let mut shell = env.command("sh");
        let binary = mem_tests::binary::path().parent().unwrap();
        let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
        shell
            .args(["-c", script])
            .env("PATH", path)
            .current_dir(repo.path());
        let output = shell.output().unwrap();
        played += "$ ";
        played += script;
        played += "\n";
        played += &String::from_utf8_lossy(&output.stdout);
        played += &String::from_utf8_lossy(&output.stderr);
    }
    let shown: String = console()
        .into_iter()
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(played, shown);
}

#[test]
fn the_picture_shows_what_the_tour_prints() {
    let tour = TestEnv::new().mem(["tour"]).assert_ok();
    let picture = include_str!("../../docs/demo.svg");
    let drawn = demo::render(&tour.stdout).unwrap();
    assert_eq!(drawn, picture, "`cargo xtask demo` draws it again");
    assert!(picture.len() < 60_000 && !picture.contains("<script"));
    assert!(README.contains("](docs/demo.svg)"));
}

#[test]
fn the_two_commands_are_real() {
    assert!(README.contains("cargo run --release -- tour\ncargo xtask test\n"));
    TestEnv::new().mem(["help", "tour"]).assert_ok();
    let alias = include_str!("../../.cargo/config.toml");
    assert!(alias.contains("xtask ="), "{alias}");
}

/// The README, ARCHITECTURE.md and every page below `docs/`, each with its text.
fn documents() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut paths = vec![root.join("README.md"), root.join("ARCHITECTURE.md")];
    let mut folders = vec![root.join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                // Pictures have no links.
                false if path.extension().is_some_and(|kind| kind == "png") => {}
                false => paths.push(path),
            }
        }
    }
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// The README and the page of the agents name the versions that the tests run.
#[test]
fn the_agents_are_those_that_the_tests_run() {
    let pinned = include_str!("../clients/hosts/package.json");
    let pinned: serde_json::Value = serde_json::from_str(pinned).unwrap();
    let agents = include_str!("../../docs/agents.md");
    let hosts = pinned["dependencies"].as_object().unwrap();
    for (package, version) in hosts.iter().filter(|(name, _)| !name.starts_with("node-")) {
        let version = version.as_str().unwrap();
        for text in [README, agents] {
            assert!(text.contains(version), "{package} {version}");
        }
    }
}

#[test]
fn every_place_that_the_architecture_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let table = text.split("## To change X, open Y").nth(1).unwrap();
    let table = table.split("## Invariants").next().unwrap();
    // Within backticks stands every other part.
    let places = table.split('`').skip(1).step_by(2);
    let places: Vec<&str> = places.filter(|place| place.contains('/')).collect();
    assert!(places.len() > 20, "{places:?}");
    for place in places.into_iter().filter(|place| !place.contains('<')) {
        let (in_crates, in_root) = (root.join("crates").join(place), root.join(place));
        assert!(in_crates.exists() || in_root.exists(), "{place}");
    }
}

/// The site of the documentation: a page that its summary does not name is not in it.
#[test]
fn the_book_has_every_page_once_under_its_title() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let mut named = Vec::new();
    for link in summary.split('[').skip(1) {
        let (title, rest) = link.split_once("](").unwrap();
        let file = rest.split_once(')').unwrap().0;
        let page = fs::read_to_string(docs.join(file)).unwrap();
        assert_eq!(page.lines().next(), Some(&*format!("# {title}")), "{file}");
        named.push(docs.join(file));
    }
    named.sort();
    let is_page = |path: &PathBuf| {
        let is_markdown = path.extension().is_some_and(|end| end == "md");
        is_markdown && path.starts_with(&docs) && !path.ends_with("SUMMARY.md")
    };
    let pages = documents().into_iter().map(|(path, _)| path);
    let mut pages: Vec<PathBuf> = pages.filter(is_page).collect();
    pages.sort();
    assert_eq!(named, pages);
}

#[test]
fn every_link_of_a_document_leads_to_a_file() {
    for (path, text) in documents() {
        // Every other part stands within a fence: what it prints is no link of the document.
        let prose: String = text.split("```").step_by(2).collect();
        for link in prose.split("](").skip(1) {
            let target = link.split([')', '#']).next().unwrap();
            if !target.contains("://") && !target.is_empty() {
                let file = path.with_file_name("").join(target);
                assert!(file.exists(), "{}: {target}", path.display());
            }
        }
    }
}

#[test]
fn every_command_of_a_document_exists() {
    let env = TestEnv::new();
    let mut names = BTreeSet::new();
    for (_, text) in documents() {
        let starts = ["`mem ", "\nmem ", "$ mem "].into_iter();
        for rest in starts.flat_map(|start| text.split(start).skip(1)) {
            let name = rest
                .split(|c: char| !c.is_ascii_lowercase() && c != '-')
                .next();
            let is_command = |name: &&str| name.starts_with(|c: char| c.is_ascii_lowercase());
            names.extend(name.filter(is_command).map(str::to_owned));
        }
    }
    assert!(names.len() > 40, "{names:?}");
    for name in names {
        env.mem(["help", &name]).assert_ok();
    }
}
