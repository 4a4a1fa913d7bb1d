//! `team.push = "review"`: an index travels entry by entry, and only the lines of agents and unknown programs wait.

use mem_tests::TestEnv;

use crate::team::Person;
use crate::team_review::save_as_agent;

const INDEX: &str = "MEMORY.md";

/// Two people who set sharing up and nothing else.
fn two_by_default(env: &TestEnv) -> (Person<'_>, Person<'_>) {
    let ann = Person::new(env, "ann").set_up_by_default();
    let ben = Person::new(env, "ben").set_up_by_default();
    (ann, ben)
}

/// Syncs the first person, then the second.
fn sync(from: &Person<'_>, to: &Person<'_>) {
    from.sync();
    to.sync();
}

fn index(person: &Person<'_>) -> String {
    person.read(INDEX).unwrap_or_default()
}

/// Asserts that the next two syncs of both people move nothing.
#[track_caller]
fn assert_in_step(people: &[&Person<'_>]) {
    for person in people.iter().chain(people) {
        let told = person.mem("team sync --json").assert_ok().json();
        for word in ["pushed", "taken", "merged", "conflicts", "overtaken"] {
            assert_eq!(told[word], serde_json::json!([]), "{word}: {told}");
        }
    }
}

/// Asserts which files wait, as `mem team review` and `mem team status` list them.
#[track_caller]
fn assert_waiting(person: &Person<'_>, files: &[&str]) {
    let told = person.mem("team review --json").assert_ok().json();
    let waiting = told["waiting"].as_array().unwrap().iter();
    let waiting: Vec<&str> = waiting.map(|one| one["file"].as_str().unwrap()).collect();
    assert_eq!(waiting, files, "{told}");
    let status = person.mem("team status").assert_ok().stdout;
    for file in files {
        assert!(status.contains(file), "{status}");
    }
}

#[test]
fn a_persons_memory_travels_with_its_entry_whatever_an_agent_put_into_the_index() {
    let env = TestEnv::new();
    let (ann, ben) = two_by_default(&env);
    save_as_agent(&ann, "A team", "x");
    ann.save("P team", "y");
    let told = ann.mem("team push").assert_ok().stdout;
    for line in [
        "sent  project_p_team.md",
        "sent  MEMORY.md",
        "waits for `mem team review`  project_a_team.md",
        "waits for `mem team review`  MEMORY.md",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    ben.sync();
    assert_eq!(index(&ben), "- [P team](project_p_team.md) — about it\n");
    ben.mem("check").assert_ok();
    assert_in_step(&[&ann, &ben]);
    assert!(index(&ann).contains("A team"));
    assert_waiting(&ann, &[INDEX, "project_a_team.md"]);
    let shown = ann.mem("team review").assert_ok().stdout;
    assert!(
        shown.contains("+- [A team]") && !shown.contains("+- [P team]"),
        "{shown}"
    );
    ann.mem("team review --all").assert_ok();
    sync(&ann, &ben);
    assert_eq!(index(&ben), index(&ann));
    assert!(index(&ben).contains("A team"));
    assert_waiting(&ann, &[]);
    assert_in_step(&[&ann, &ben]);
}

#[test]
fn a_deletion_takes_the_entry_along_whatever_waits_in_the_index() {
    let env = TestEnv::new();
    let (ann, ben) = two_by_default(&env);
    ann.save("P team", "y");
    ann.save("Q team", "z");
    sync(&ann, &ben);
    let foreign = format!("{}- [Odd](odd.md) — of a program\n", index(&ann));
    ann.write(INDEX, &foreign);
    save_as_agent(&ann, "A team", "x");
    ann.mem("team delete project_p_team.md").assert_ok();
    ben.sync();
    assert!(ben.read("project_p_team.md").is_none());
    assert_eq!(index(&ben), "- [Q team](project_q_team.md) — about it\n");
    ben.mem("check").assert_ok();
    let here = index(&ann);
    assert!(
        here.contains("Odd") && here.contains("A team") && !here.contains("P team"),
        "{here}"
    );
    assert_in_step(&[&ann, &ben]);
}

#[test]
fn what_colleagues_change_comes_in_around_the_lines_that_wait() {
    let env = TestEnv::new();
    let (ann, ben) = two_by_default(&env);
    ann.save("One", "1");
    sync(&ann, &ben);
    save_as_agent(&ann, "Waits", "w");
    ben.save("Two", "2");
    ann.save("Three", "3");
    ben.sync();
    sync(&ann, &ben);
    for name in ["One", "Two", "Three"] {
        assert!(index(&ann).contains(name) && index(&ben).contains(name));
    }
    assert!(index(&ann).contains("Waits") && !index(&ben).contains("Waits"));
    assert_in_step(&[&ann, &ben]);
    // Both have lines that wait, and both go on.
    save_as_agent(&ben, "Ben waits", "w");
    for round in ["Four", "Five", "Six"] {
        ann.save(round, "a");
        ben.save(&format!("{round} of ben"), "b");
        sync(&ann, &ben);
        ann.sync();
        assert_in_step(&[&ben, &ann]);
    }
    for person in [&ann, &ben] {
        let list = index(person);
        for round in ["Four", "Five", "Six"] {
            assert!(list.contains(&format!("[{round}]")), "{list}");
            assert!(list.contains(&format!("[{round} of ben]")), "{list}");
        }
    }
    assert!(!index(&ann).contains("Ben waits") && index(&ben).contains("Ben waits"));
    // Nothing was lost by a person who takes out an entry of all.
    ben.mem("team delete project_two.md").assert_ok();
    sync(&ben, &ann);
    assert!(!index(&ann).contains("[Two]") && index(&ann).contains("Waits"));
    assert_in_step(&[&ann, &ben]);
}

#[test]
fn an_agents_words_in_an_entry_of_a_person_wait_and_a_mere_repair_goes() {
    let env = TestEnv::new();
    let (ann, ben) = two_by_default(&env);
    ann.save("One", "1");
    sync(&ann, &ben);
    ann.write(INDEX, "- [One](project_one.md) — of a program\n");
    ann.save("Two", "2");
    sync(&ann, &ben);
    let list = index(&ben);
    assert!(
        list.contains("[One](project_one.md) — about it") && list.contains("[Two]"),
        "{list}"
    );
    assert!(index(&ann).contains("of a program"));
    assert_waiting(&ann, &[INDEX]);
    // An entry that a program lost stays with the colleagues.
    ann.write(INDEX, "- [One](project_one.md) — about it\n");
    sync(&ann, &ben);
    assert_eq!(index(&ben), list);
    // What a repair adds says what the file says.
    ann.write(INDEX, "");
    ann.save("Three", "3");
    // It also tells that lines of the index waited in the last run.
    ann.mem("check --fix").assert_code(1);
    sync(&ann, &ben);
    assert!(index(&ben).contains("[Three]"));
    assert_waiting(&ann, &[]);
    assert_in_step(&[&ann, &ben]);
}

#[test]
fn a_person_renames_and_undoes_around_the_lines_that_wait() {
    let env = TestEnv::new();
    let (ann, ben) = two_by_default(&env);
    save_as_agent(&ann, "Waits", "w");
    ann.save("Freeze", "1");
    ann.mem("rename team:project_freeze.md Thaw").assert_ok();
    sync(&ann, &ben);
    let list = index(&ben);
    assert_eq!(list, "- [Thaw](project_thaw.md) — about it\n");
    // What an agent wrote waits also where a person takes it back and brings it in again.
    save_as_agent(&ann, "Later", "w");
    ann.mem("undo").assert_ok();
    ann.save("Two", "2");
    assert!(!index(&ann).contains("Later"));
    let undone = ann.mem("history --json").assert_ok().json();
    let changes = undone["changes"].as_array().unwrap().iter();
    let id = |verb: &str| {
        let mut of = changes.clone().filter(|change| change["verb"] == verb);
        of.next().unwrap()["id"].as_str().unwrap().to_owned()
    };
    ann.mem(&format!("undo {}", id("undo"))).assert_ok();
    assert!(index(&ann).contains("Later"));
    sync(&ann, &ben);
    let list = index(&ben);
    assert!(
        list.contains("[Thaw]") && list.contains("[Two]") && !list.contains("Later"),
        "{list}"
    );
    assert_in_step(&[&ann, &ben]);
}

#[test]
fn everything_goes_once_a_person_sets_that_and_stays_where_the_review_is_set_again() {
    let env = TestEnv::new();
    let (ann, ben) = two_by_default(&env);
    ann.save("One", "1");
    save_as_agent(&ann, "Waits", "w");
    sync(&ann, &ben);
    assert!(!index(&ben).contains("Waits"));
    ann.mem("config set team.push auto").assert_ok();
    sync(&ann, &ben);
    assert_eq!(index(&ben), index(&ann));
    ann.mem("config set team.push review").assert_ok();
    save_as_agent(&ann, "Waits too", "w");
    ann.save("Two", "2");
    sync(&ann, &ben);
    let list = index(&ben);
    assert!(
        list.contains("[Waits]") && list.contains("[Two]") && !list.contains("Waits too"),
        "{list}"
    );
    assert_in_step(&[&ann, &ben]);
}

#[test]
fn what_waits_in_the_inbox_is_merged_with_what_waits_to_leave() {
    let env = TestEnv::new();
    let (ann, ben) = two_by_default(&env);
    ann.save("One", "1");
    sync(&ann, &ben);
    ann.mem("config set team.pull review").assert_ok();
    save_as_agent(&ann, "Waits", "w");
    ann.save("Mine", "m");
    ann.sync();
    ben.sync();
    ben.save("Two", "2");
    sync(&ben, &ann);
    ann.mem("inbox accept --all").assert_ok();
    let list = index(&ann);
    assert!(list.contains("[Two]") && list.contains("[Waits]"), "{list}");
    ann.save("Three", "3");
    sync(&ann, &ben);
    let list = index(&ben);
    for name in ["[One]", "[Mine]", "[Two]", "[Three]"] {
        assert!(list.contains(name), "{list}");
    }
    assert!(!list.contains("Waits"), "{list}");
    ann.mem("inbox accept --all");
    assert_in_step(&[&ben]);
}

#[test]
fn a_redacted_text_is_not_kept_among_the_texts_of_indexes() {
    let env = TestEnv::new();
    let (ann, ben) = two_by_default(&env);
    ann.save("Zanzibar plan", "1");
    save_as_agent(&ann, "Waits", "w");
    sync(&ann, &ben);
    let path = ann.state("-indexes.texts");
    let holds = || std::fs::read_to_string(&path).is_ok_and(|text| text.contains("Zanzibar"));
    assert!(holds());
    ann.mem("redact --text Zanzibar --yes").assert_ok();
    assert!(!holds());
    ann.sync();
}
