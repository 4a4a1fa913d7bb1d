//! How sentences stand to each other, pair by pair.

use super::super::said::tests::said;
use super::*;

/// Fails with every pair that stands otherwise.
#[track_caller]
pub(in crate::dream) fn assert_all(
    pairs: &[(&str, &str)],
    is_right: impl Fn(Option<Relation>) -> bool,
) {
    let wrong: Vec<String> = pairs
        .iter()
        .map(|(older, newer)| (older, newer, of(older, newer)))
        .filter(|(.., found)| !is_right(*found))
        .map(|(older, newer, found)| format!("{older} -> {newer}: {found:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn of(older: &str, newer: &str) -> Option<Relation> {
    relate_sentences(&said(older), &said(newer)).map(|(relation, _)| relation)
}

#[test]
fn newer_words_on_the_same_thing_take_its_place() {
    let pairs = [
        ("Team standup is at 09:30", "Standup moved to 10:00"),
        (
            "Primary database: PostgreSQL 14",
            "Primary database upgraded to PostgreSQL 16",
        ),
        ("User prefers dark mode", "User now prefers light mode"),
        ("Use 2-space indentation", "Use 4-space indentation"),
        (
            "Office is closed on Fridays",
            "Office is open on Fridays now",
        ),
        (
            "Project deadline is June 1, 2026",
            "Deadline extended to July 15, 2026",
        ),
        ("We're using Jest", "We moved from Jest to Vitest"),
        (
            "We chose Redis for caching",
            "We replaced Redis with Memcached for caching",
        ),
        ("CI runs on Jenkins", "CI migrated to GitHub Actions"),
        ("Alice is the tech lead", "Bob is the new tech lead"),
        (
            "API base URL is https://api-v1.example.org",
            "API base URL changed to https://api-v2.example.org",
        ),
        ("The payments owner is Alice", "The payments owner is Bob"),
        ("Alice owns payments", "Bob owns payments now"),
        ("Alice owns payments", "Bob owns payments"),
        ("Ann reviews releases", "Ben reviews releases now"),
        ("Ann reviews releases", "From now on Ben reviews releases"),
        ("The release reviewer is Ann", "The release reviewer is Ben"),
        (
            "Deadline for the Atlas release is 2026-03-14",
            "Atlas release deadline moved to 2026-03-28",
        ),
        (
            "We use Postgres 15 for orders",
            "We use Postgres 16 for orders",
        ),
        (
            "We use Postgres for orders",
            "We switched orders from Postgres to MySQL",
        ),
        ("Use npm for installs", "Use bun instead of npm"),
        (
            "Deploys happen on Tuesdays after standup",
            "Deploys happen on Thursdays after standup",
        ),
        (
            "The API gateway timeout is 30 seconds",
            "The API gateway timeout is now 60 seconds",
        ),
        (
            "User prefers tabs for indentation",
            "User prefers spaces for indentation",
        ),
        (
            "The search request timeout is 20 seconds",
            "Raised the search request timeout from 20 to 50 seconds",
        ),
        (
            "Raised the search request timeout from 20 to 50 seconds",
            "The search request timeout is 30 seconds",
        ),
        (
            "We switched the search database from MongoDB to MySQL",
            "The search database is Redis",
        ),
        (
            "Region of the orders cluster is eu-north-1",
            "The orders cluster moved to us-east-2",
        ),
        (
            "The orders cluster runs in Paris",
            "The orders cluster runs in Frankfurt",
        ),
        (
            "Backups keep 30 days of data",
            "Backups keep 60 days of data",
        ),
        ("Staging runs on heroku", "Staging moved from heroku to fly"),
        (
            "The owner of search is Mei",
            "Owner of search changed from Mei to Kim",
        ),
        (
            "Owner of search changed from Mei to Kim",
            "The search owner is Mei",
        ),
    ];
    assert_all(&pairs, |found| found == Some(Relation::Updates));
}

#[test]
fn contraries_are_told() {
    let pairs = [
        (
            "Always run tests before committing",
            "No need to run tests before committing",
        ),
        ("Always squash commits", "Never squash commits"),
        ("Prefer tabs over spaces", "Prefer spaces over tabs"),
        (
            "Use mocks in database tests",
            "Don't use mocks in database tests",
        ),
        (
            "We use Redis for sessions",
            "We no longer use Redis for sessions",
        ),
    ];
    assert_all(&pairs, |found| found == Some(Relation::Contradicts));
}

#[test]
fn the_same_in_more_or_fewer_words_is_the_same() {
    let pairs = [
        (
            "Use bun for installs",
            "Always use bun for installs, please",
        ),
        (
            "Staging database is postgres",
            "Staging database is postgres, as ever",
        ),
        ("Use bun, not npm", "Use bun, not npm"),
    ];
    assert_all(&pairs, |found| found == Some(Relation::Same));
}

#[test]
fn what_only_looks_alike_takes_nobodys_place() {
    let pairs = [
        (
            "Server alpha listens on port 8080",
            "Server beta listens on port 9090",
        ),
        (
            "The orders service uses Postgres",
            "The billing service uses MySQL",
        ),
        (
            "Sprint 12 ends on 2026-03-03",
            "Sprint 13 ends on 2026-03-17",
        ),
        ("The API is slow", "The API is versioned by header"),
        (
            "Atlas release is called Borealis",
            "Atlas release deadline moved to 2026-03-28",
        ),
        ("npm registry token is in the vault", "Use bun, not npm"),
        (
            "The orders cluster runs in us-east-2",
            "The orders cluster is slow",
        ),
        ("The cron job runs at 03:00", "The cron job runs on db-7"),
        (
            "User prefers dark mode in the editor",
            "User prefers vim keys in the editor",
        ),
        (
            "Atlas release freeze starts on 2026-03-20",
            "Atlas release deadline is 2026-03-28",
        ),
        (
            "The catalog service owner is now Kim",
            "Owner of the media service changed from Kim to Bob",
        ),
        (
            "Customer 2 asked for payments exports in format 2",
            "Customer 5 asked for payments exports in format 5",
        ),
        (
            "Customer 2 asked for payments exports",
            "Customer 5 asked for payments exports",
        ),
        (
            "The pricing deadline of site 4 is now 0",
            "The pricing deadline of site 0 is now 4",
        ),
        ("Alice has a dog", "Alice has a keyboard"),
        ("Alice is off on Mondays", "Alice is off on Fridays"),
        (
            "The parser is called twice",
            "The parser is called from main",
        ),
        ("Never push on Fridays", "Never push without a review"),
        (
            "We use Postgres 15 for orders",
            "We use Postgres 15 for billing",
        ),
        (
            "The payments owner is Alice",
            "The payments deadline is 2026-03-03",
        ),
        (
            "We use Redis for sessions",
            "We also use Memcached for sessions",
        ),
        ("Ann reviews releases", "Ben reviews releases"),
        ("Ann reviews releases", "Ben also reviews releases"),
        (
            "Ann reviews the releases of the app",
            "Ben reviews the releases of the app",
        ),
        ("Alice owns payments", "Bob reviews payments"),
        ("Alice owns payments", "Bob also owns payments"),
    ];
    assert_all(&pairs, |found| {
        matches!(found, None | Some(Relation::Beside))
    });
}

#[test]
fn pairs_that_words_tell_one_by_one_stand_as_they_are_labelled() {
    let lines = include_str!("../../../../mem-recall/eval/versus.jsonl").lines();
    let mut wrong = Vec::new();
    for line in lines {
        let pair: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| pair[key].as_str().unwrap().to_owned();
        let (label, old, new) = (text("label"), text("old"), text("new"));
        let found = of(&old, &new);
        let gives_way = matches!(found, Some(Relation::Updates | Relation::Contradicts));
        let is_right = match label.as_str() {
            "contrary" | "updated" => gives_way,
            // Another address is where a thing has moved to.
            "another" if old.contains("://") => true,
            "another" => matches!(found, None | Some(Relation::Beside)),
            "same" => found == Some(Relation::Same),
            _ => true,
        };
        if !is_right {
            wrong.push(format!("{label}, and {found:?}: {old} -> {new}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is made of the labelled pairs of one label: those that are taken otherwise than the label says.
fn otherwise(label: &str, is_right: impl Fn(Option<Relation>) -> bool) -> (usize, Vec<String>) {
    let lines = include_str!("../../../../mem-recall/eval/denial.jsonl").lines();
    let pairs = lines.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let of_label: Vec<_> = pairs.filter(|pair| pair["label"] == label).collect();
    let read = of_label.iter().map(|pair| {
        let text = |key: &str| pair[key].as_str().unwrap();
        (text("old"), text("new"), of(text("old"), text("new")))
    });
    let wrong = read.filter(|(.., found)| !is_right(*found));
    let told = wrong.map(|(old, new, found)| format!("{found:?}: {old} -> {new}"));
    let told = told.collect();
    (of_label.len(), told)
}

#[test]
fn what_is_denied_in_other_words_gives_way_and_what_is_true_beside_it_stays() {
    let gives_way = |found| matches!(found, Some(Relation::Updates | Relation::Contradicts));
    for label in ["both", "same"] {
        let is_right =
            |found| !gives_way(found) && (label == "same" || found != Some(Relation::Same));
        let (_, wrong) = otherwise(label, is_right);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
    for label in ["contrary", "updated"] {
        let (all, missed) = otherwise(label, gives_way);
        assert!(missed.len() * 100 <= all * 15, "{}", missed.join("\n"));
    }
}

#[test]
fn what_is_reversed_gives_way_and_other_roles_stay() {
    let lines = include_str!("../../../../mem-recall/eval/reversed.jsonl").lines();
    let pairs: Vec<serde_json::Value> = lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for half in ["tuned", "held-out"] {
        let labelled = |label: &'static str| {
            let of_half = pairs
                .iter()
                .filter(move |pair| pair["half"] == half && pair["label"] == label);
            of_half.map(|pair| {
                let (old, new) = (pair["old"].as_str().unwrap(), pair["new"].as_str().unwrap());
                (old, new, of(old, new))
            })
        };
        let gives_way = |found| matches!(found, Some(Relation::Updates | Relation::Contradicts));
        let contraries = labelled("contrary").count();
        let stays: Vec<_> = labelled("contrary")
            .filter(|(.., found)| !gives_way(*found))
            .collect();
        assert!(
            contraries >= 40 && stays.len() * 100 <= contraries * 15,
            "{half}: {stays:#?}"
        );
        let gone: Vec<_> = labelled("both")
            .filter(|(.., found)| gives_way(*found) || *found == Some(Relation::Same))
            .collect();
        assert!(gone.is_empty(), "{half}: {gone:#?}");
    }
}

#[test]
fn one_place_takes_anothers_and_one_end_no_others() {
    let places = [
        ("host h1 is in Bern", "host h1 is in Basel"),
        ("The host h1 is in Bern", "The host h1 is in Basel now"),
        ("h1 is in Bern", "h1 is in Basel"),
        ("Server h1 stands in Bern", "Server h1 stands in Basel"),
        ("The shop opens at 9", "The shop opens at 10"),
    ];
    assert_all(&places, |found| found == Some(Relation::Updates));
    let ends = [
        ("host h1 is in Bern", "host h2 is in Basel"),
        ("The shop opens at 9", "The shop closes at 18"),
        ("The office opens at 9:00", "The office closes at 9:30"),
        ("The freeze starts on Monday", "The freeze ends on Friday"),
        ("The min pool size is 4", "The max pool size is 20"),
        ("Pool size: min 4", "Pool size: max 20"),
        ("Staging uses Fly", "Production uses Hetzner"),
        ("The read replicas run on db-2", "The primary runs on db-1"),
        (
            "Deploys are allowed before noon",
            "Deploys are forbidden after noon",
        ),
        ("部署窗口9点开始", "部署窗口18点结束"),
    ];
    assert_all(&ends, |found| {
        matches!(found, None | Some(Relation::Beside))
    });
}
