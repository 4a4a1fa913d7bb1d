//! What pages say and do, over plain HTTP.

use mem_tests::{Console, TestEnv};

use super::{Repo, expect, project, shop};
use crate::sync;
use crate::team::Person;

/// A browser that was let in.
struct Visit {
    console: Console,
    cookie: String,
    base: String,
    csrf: String,
}

impl Visit {
    fn to(console: Console) -> Self {
        let cookie = console.enter();
        let (base, csrf) = project(&console, &cookie);
        Self {
            console,
            cookie,
            base,
            csrf,
        }
    }

    fn start(repo: &Repo<'_>) -> Self {
        Self::to(Console::start(repo))
    }

    #[track_caller]
    fn get(&self, page: &str) -> String {
        let ask = self.console.ask("GET", &format!("{}{page}", self.base));
        expect(&ask.header("cookie", &self.cookie).send(), 200)
    }

    /// Sends a form; the page that follows.
    #[track_caller]
    fn post(&self, page: &str, fields: &str, status: u16) -> String {
        let ask = self.console.ask("POST", &format!("{}{page}", self.base));
        let ask = ask.header("cookie", &self.cookie);
        let origin = format!("http://{}", self.console.address);
        let ask = ask.header("origin", origin);
        let answer = ask.body(format!("csrf={}&{fields}", self.csrf)).send();
        expect(&answer, status)
    }
}

/// The value of a hidden field.
fn hidden<'p>(page: &'p str, name: &str) -> &'p str {
    let start = format!("name=\"{name}\" value=\"");
    page.split_once(&start)
        .unwrap()
        .1
        .split('"')
        .next()
        .unwrap()
}

#[test]
fn an_entry_of_the_inbox_is_edited_before_it_is_accepted() {
    let env = TestEnv::new();
    let repo = shop(&env);
    let entries = repo.mem(["inbox", "list", "--json"]).json();
    let entries = entries["entries"].as_array().unwrap().clone();
    let entry = |file: &str| {
        let is_it = |one: &&serde_json::Value| one["files"].to_string().contains(file);
        let found = entries.iter().find(is_it).unwrap();
        found["id"].as_str().unwrap().to_owned()
    };
    let visit = Visit::start(&repo);
    let page = format!("/inbox/{}/edit", entry("feedback_ask_before_a_release.md"));
    let form = visit.get(&page);
    assert!(form.contains("name: Ask before a release"), "{form}");
    let sha = hidden(&form, "sha256");
    let text = "content=---%0Aname%3A+Ask%0Adescription%3A+mine%0Atype%3A+feedback%0A---%0A%0AOf+the+person.%0A";
    // Of another text than the one that is offered nothing is written, and what was typed stays.
    let refused = visit.post(&page, &format!("sha256=00&{text}"), 200);
    assert!(refused.contains("Of the person.") && refused.contains("role=\"alert\""));
    assert!(repo.note("feedback_ask_before_a_release.md").is_none());
    visit.post(&page, &format!("sha256={sha}&{text}"), 303);
    let note = repo.note("feedback_ask_before_a_release.md").unwrap();
    assert!(
        note.contains("Of the person.") && !note.contains("<b>x</b>"),
        "{note}"
    );
    assert!(
        !visit
            .get("/inbox")
            .contains("feedback_ask_before_a_release.md")
    );
}

#[test]
fn a_memory_is_moved_only_where_there_is_a_team() {
    let env = TestEnv::new();
    let ben = Person::new(&env, "ben");
    let args = [
        "save",
        "--type",
        "project",
        "--name",
        "Freeze",
        "--description",
    ];
    let saved = ben.invoke(args.into_iter().chain(["when", "--body", "x", "--json"]));
    let id = saved.run().json()["id"].as_str().unwrap().to_owned();
    let visit = || Visit::to(Console::of(ben.invoke(Vec::<&str>::new()), &[]));
    let page = format!("/memories/{id}");
    assert!(!visit().get(&page).contains("Move to the team"));
    ben.mem("team setup --remote git:origin --repo acme/app")
        .assert_ok();
    assert!(visit().get(&page).contains("Move to the team"));
}

#[test]
fn a_conflict_between_ones_own_machines_is_decided_on() {
    let env = TestEnv::new();
    let (laptop, desk) = sync::two_that_differ(&env);
    sync::sync(&laptop);
    sync::sync(&desk);
    let visit = Visit::to(Console::of(desk.invoke(Vec::<&str>::new()), &[]));
    let page = visit.get("/team");
    assert!(page.contains("Conflicts between your own machines") && page.contains("of desk"));
    visit.post("/team/resolve?of=sync", "file=x.md&with=mine", 303);
    assert_eq!(sync::read(&desk, "x.md").unwrap(), "of desk\n");
    assert!(!visit.get("/team").contains("of laptop"));
}

#[test]
fn past_prompts_are_shown_with_what_a_threshold_gives() {
    let env = TestEnv::new();
    let visit = Visit::start(&shop(&env));
    let page = visit.get("/recall/past");
    assert!(page.contains("how often do we retry the bank?"), "{page}");
    assert!(
        page.contains("1 of 2 prompts would be given something"),
        "{page}"
    );
    assert!(
        visit
            .get("/recall/past?threshold=1")
            .contains("0 of 2 prompts")
    );
    assert!(
        visit
            .get("/recall/past?threshold=0")
            .contains("2 of 2 prompts")
    );
}

#[test]
fn the_graph_is_shown_as_of_a_day() {
    let env = TestEnv::new();
    let repo = shop(&env);
    env.advance(86_400);
    let body = "It is in `src/billing.rs`.";
    super::save(&repo, "project", "Rounding", "how totals are rounded", body);
    let visit = Visit::start(&repo);
    let now = visit.get("/graph");
    assert!(
        now.contains("type=\"range\" name=\"day\" min=\"0\" max=\"2\" value=\"2\""),
        "{now}"
    );
    assert!(now.contains("Rounding"));
    let then = visit.get("/graph?day=0");
    assert!(
        !then.contains("Rounding") && then.contains("2026-01-01"),
        "{then}"
    );
}

#[test]
fn a_change_reads_its_own_change_and_says_whether_it_was_undone() {
    let env = TestEnv::new();
    let repo = shop(&env);
    let changes = repo.mem(["history", "--json"]).json();
    let id = changes["changes"][0]["id"].as_str().unwrap().to_owned();
    let visit = Visit::start(&repo);
    let page = format!("/changes/{id}");
    assert!(visit.get(&page).contains("Undo this change"));
    visit.post(&format!("{page}/undo"), "", 303);
    visit.get("/changes");
    let undone = visit.get(&page);
    assert!(undone.contains("undone") && !undone.contains("Undo this change"));
}

#[test]
fn a_long_list_comes_in_pages() {
    let env = TestEnv::new();
    let repo = env.repo("shop");
    repo.mem(["init"]).assert_ok();
    for number in 0..120 {
        let head =
            format!("name: Fact {number:03}\ndescription: about fact {number}\ntype: project");
        repo.edit_note(
            &format!("fact_{number:03}.md"),
            &format!("---\n{head}\n---\n\nText.\n"),
        );
    }
    let console = Console::start(&repo);
    let cookie = console.enter();
    let (base, _) = project(&console, &cookie);
    let get = |query: &str| {
        let ask = console
            .ask("GET", &format!("{base}/memories?{query}"))
            .header("cookie", &cookie);
        expect(&ask.send(), 200)
    };
    let first = get("sort=name");
    assert_eq!(
        first.matches("<li><a href=\"/p/").count(),
        50 + 7 + 1,
        "rows, navigation, the project"
    );
    assert!(
        first.contains("1–50 of 120") && first.contains("Fact 049") && !first.contains("Fact 050")
    );
    let last = get("sort=name&page=3");
    assert!(last.contains("101–120 of 120") && last.contains("Fact 119"));
    let filtered = get("q=FACT+11&sort=name");
    assert!(filtered.contains("of 11"), "011, 110 to 119");
    // What is done elsewhere is there on the next load.
    repo.edit_note(
        "fact_120.md",
        "---\nname: Fact 120\ndescription: new\n---\n\nText.\n",
    );
    std::fs::remove_file(repo.memory().join("fact_000.md")).unwrap();
    let last = get("sort=name&page=3");
    assert!(last.contains("101–120 of 120") && last.contains("Fact 120"));
    assert!(!get("sort=name").contains("Fact 000"));
    assert!(
        get("verdict=unknown").contains("of 120")
            && get("verdict=broken").contains("No memory matches")
    );
}
