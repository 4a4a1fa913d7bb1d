//! Pages: their order, their names, views, depth and prefixes.

use std::collections::BTreeSet;

use mem_tests::Server;
use serde_json::{Value, json};

use super::{Bed, ask, id, memory, ok, paths, send, store};

/// All pages of a list.
fn pages(server: &Server, rest: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut page = String::new();
    loop {
        let one = ok(&ask(server, "GET", &format!("{rest}{page}")).send());
        let next = one["next_page"]
            .as_str()
            .map(|next| format!("&page={next}"));
        found.push(one);
        match next {
            Some(next) => page = next,
            None => return found,
        }
    }
}

fn over_both(test: fn(&Server)) {
    for bed in Bed::both() {
        test(&bed.open());
    }
}

#[test]
fn memories_come_in_the_order_of_their_bytes_a_page_at_a_time() {
    over_both(|server| {
        let store = store(server);
        let mut wanted = [
            "/B", "/a", "/a b", "/a-b/c", "/b/c/d", "/b/c/é", "/Ü", "/한", "/z/1", "/z/10",
        ];
        for path in wanted {
            memory(server, &store, path, path);
        }
        wanted.sort_unstable();
        for limit in [1, 3, 10, 100] {
            let found = pages(server, &format!("/{store}/memories?limit={limit}"));
            let found: Vec<&str> = found.iter().flat_map(paths).collect();
            assert_eq!(found, wanted, "{limit}");
        }
        let found = pages(server, &format!("/{store}/memories?depth=1&limit=2"));
        let found: Vec<&str> = found.iter().flat_map(paths).collect();
        let mut rolled = ["/B", "/a", "/a b", "/a-b/", "/b/", "/Ü", "/한", "/z/"];
        rolled.sort_unstable();
        assert_eq!(found, rolled);
        let below = |query: &str| {
            let page = ok(&ask(server, "GET", &format!("/{store}/memories?{query}")).send());
            paths(&page)
                .iter()
                .map(|path| (*path).to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(below("path_prefix=/b/&depth=1"), ["/b/c/"]);
        assert_eq!(below("path_prefix=%2Fb%2Fc%2F"), ["/b/c/d", "/b/c/é"]);
        assert_eq!(below("path_prefix=/a+b/"), [""; 0]);
        assert_eq!(below("path_prefix=/&depth=0&limit=1").len(), 1);
        // What earlier clients sent, and what nobody knows.
        assert_eq!(
            below("beta=true&order=desc&order_by=x&path_prefix=/z/"),
            ["/z/1", "/z/10"]
        );
    });
}

#[test]
fn pages_stay_where_they_are_whatever_is_written_meanwhile() {
    over_both(|server| {
        let store = store(server);
        for number in 0..30 {
            memory(server, &store, &format!("/m/{number:02}"), "x");
        }
        let list = format!("/{store}/memories?limit=7");
        let versions = format!("/{store}/memory_versions?limit=7");
        let (mut seen, mut log) = (BTreeSet::new(), Vec::new());
        let (mut page, mut log_page) = (String::new(), String::new());
        for round in 0.. {
            let one = ok(&ask(server, "GET", &format!("{list}{page}")).send());
            let found = paths(&one)
                .iter()
                .map(|path| (*path).to_owned())
                .collect::<Vec<_>>();
            assert!(found.iter().all(|path| seen.insert(path.clone())));
            let past = ok(&ask(server, "GET", &format!("{versions}{log_page}")).send());
            log.extend(past["data"].as_array().unwrap().iter().map(id));
            // One before, one after, and one of those that were seen.
            memory(server, &store, &format!("/a/{round}"), "x");
            memory(server, &store, &format!("/z/{round}"), "x");
            let next = |one: &Value| {
                one["next_page"]
                    .as_str()
                    .map(|next| format!("&page={next}"))
            };
            let (Some(next_page), Some(next_log)) = (next(&one), next(&past)) else {
                break;
            };
            (page, log_page) = (next_page, next_log);
        }
        assert!((0..30).all(|number| seen.contains(&format!("/m/{number:02}"))));
        assert_eq!(log.iter().collect::<BTreeSet<_>>().len(), log.len());
        assert_eq!(log.len(), 30);
    });
}

#[test]
fn a_full_view_has_contents_and_twenty_of_them() {
    over_both(|server| {
        let store = store(server);
        for number in 0..25 {
            memory(
                server,
                &store,
                &format!("/{number:02}"),
                &number.to_string(),
            );
        }
        for list in ["memories", "memory_versions"] {
            let full = pages(server, &format!("/{store}/{list}?view=full&limit=100"));
            let sizes: Vec<usize> = full
                .iter()
                .map(|page| page["data"].as_array().unwrap().len())
                .collect();
            assert_eq!(sizes, [20, 5], "{list}");
            assert!(full[1]["data"][4]["content"].is_string());
            let basic = ok(&ask(server, "GET", &format!("/{store}/{list}")).send());
            assert_eq!(basic["data"].as_array().unwrap().len(), 20);
            assert_eq!(basic["data"][0]["content"], Value::Null);
        }
    });
}

#[test]
fn a_page_belongs_to_its_list_alone() {
    over_both(|server| {
        let (one, other) = (store(server), store(server));
        for number in 0..3 {
            memory(server, &one, &format!("/a/{number}"), "x");
            memory(server, &other, &format!("/a/{number}"), "x");
        }
        let page = |rest: &str| {
            let found = ok(&ask(server, "GET", rest).send());
            found["next_page"].as_str().unwrap().to_owned()
        };
        let stores = page("?limit=1");
        let memories = page(&format!("/{one}/memories?limit=1"));
        let versions = page(&format!("/{one}/memory_versions?limit=1"));
        assert!(
            [&stores, &memories, &versions]
                .iter()
                .all(|page| page.starts_with("page_"))
        );
        let mut forged = memories.clone();
        let last = if forged.pop() == Some('0') { '1' } else { '0' };
        forged.push(last);
        let wrong = [
            format!("?page={memories}"),
            format!("?include_archived=true&page={stores}"),
            format!("/{other}/memories?page={memories}"),
            format!("/{one}/memories?page={versions}"),
            format!("/{one}/memories?page={memories}&path_prefix=/a/"),
            format!("/{one}/memories?page={memories}&depth=1"),
            format!("/{one}/memories?page={forged}"),
            format!("/{one}/memories?page="),
            format!("/{one}/memories?page=%00"),
            format!("/{one}/memory_versions?page={versions}&operation=created"),
        ];
        for rest in wrong {
            let answer = ask(server, "GET", &rest).send();
            assert_eq!(answer.assert(400), "invalid_request_error", "{rest}");
        }
        let right = format!("/{one}/memories?page={memories}&limit=100&view=full");
        assert_eq!(
            paths(&ok(&ask(server, "GET", &right).send())),
            ["/a/1", "/a/2"]
        );
    });
}

#[test]
fn lists_are_narrowed_by_time_in_every_spelling() {
    over_both(|server| {
        let found = |rest: &str| {
            let page = ok(&ask(server, "GET", rest).send());
            page["data"].as_array().unwrap().len()
        };
        let made = ok(&send(server, "POST", "", &json!({ "name": "n" })));
        let at = id(&made);
        memory(server, &at, "/a", "x");
        let past = "2020-01-01T02:00:00%2B02:00";
        for (name, value, count) in [
            ("created_at%5Bgte%5D", past, 1),
            ("created_at[gte]", "2020-01-01T00:00:00Z", 1),
            ("created_at[lte]", past, 0),
            ("created_at%5Blte%5D", "2100-01-01T00:00:00.5-07:00", 1),
            ("created_at_gte", "2100-01-01T00:00:00Z", 0),
            // The last moment of all, as those who want everything write it.
            ("created_at[lte]", "9999-12-31T23:59:59Z", 1),
            ("created_at_lte", "9999-12-31T23:59:59.999-12:00", 1),
            ("created_at[gte]", "9999-12-31T23:59:59Z", 0),
            ("created_at[gte]", "0001-01-01T00:00:00Z", 1),
        ] {
            assert_eq!(found(&format!("?{name}={value}")), count, "{name}");
            let versions = format!("/{at}/memory_versions?{name}={value}");
            assert_eq!(found(&versions), count, "{name}");
        }
        let exactly = made["created_at"].as_str().unwrap();
        assert_eq!(
            found(&format!(
                "?created_at[gte]={exactly}&created_at[lte]={exactly}"
            )),
            1
        );
    });
}
