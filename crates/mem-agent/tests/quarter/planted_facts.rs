//! The facts that are planted, and the logs that speak of them between noise.

use jiff::ToSpan as _;
use jiff::civil::Date;

pub(super) const DAYS: i64 = 90;
pub(super) const SERVICES: [&str; 12] = [
    "payments",
    "orders",
    "billing",
    "search",
    "catalog",
    "auth",
    "gateway",
    "notifications",
    "inventory",
    "shipping",
    "reports",
    "media",
];
const PEOPLE: [&str; 8] = [
    "Alice", "Bob", "Kim", "Noor", "Jonas", "Priya", "Tomas", "Mei",
];
const DATABASES: [&str; 5] = ["Postgres", "MySQL", "MongoDB", "Redis", "DynamoDB"];
const REGIONS: [&str; 4] = ["eu-west-1", "us-east-2", "ap-south-1", "eu-north-1"];
const WEEKDAYS: [&str; 5] = ["Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays"];
pub(super) const PROJECTS: [&str; 6] =
    ["Atlas", "Borealis", "Cygnus", "Draco", "Electra", "Fornax"];

/// A thing of which there is one truth at a time.
pub(super) struct Fact {
    /// What somebody would ask.
    pub(super) question: String,
    /// What is true, the newest last: the words for it, and what has to be in the answer.
    pub(super) truths: Vec<(Date, String, String)>,
}

impl Fact {
    pub(super) fn current(&self, on: Date) -> Option<&(Date, String, String)> {
        self.truths.iter().rfind(|(since, ..)| *since <= on)
    }
}

/// Numbers that look drawn, the same in every run.
pub(super) struct Draw(pub(super) u64);

impl Draw {
    fn below(&mut self, many: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % many
    }

    fn of<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }
}

/// How something is said first, and how once it has changed.
type Wordings = (
    &'static [&'static str],
    &'static [&'static str],
    &'static str,
);

const OWNER: Wordings = (
    &[
        "The {s} service owner is {v}",
        "{v} owns the {s} service",
        "Owner of the {s} service is {v}",
    ],
    &[
        "The {s} service owner is now {v}",
        "Update: {v} owns the {s} service",
        "Owner of the {s} service changed from {o} to {v}",
    ],
    "who is the owner of the {s} service?",
);
const TIMEOUT: Wordings = (
    &[
        "The {s} request timeout is {v} seconds",
        "Request timeout of {s}: {v} seconds",
    ],
    &[
        "The {s} request timeout is now {v} seconds",
        "Raised the {s} request timeout from {o} to {v} seconds",
        "Request timeout of {s}: {v} seconds",
    ],
    "what is the request timeout of {s}?",
);
const DATABASE: Wordings = (
    &["The {s} database is {v}", "We use {v} for the {s} database"],
    &[
        "The {s} database is {v} now",
        "We switched the {s} database from {o} to {v}",
    ],
    "which database does {s} use?",
);
const WINDOW: Wordings = (
    &[
        "Deploy window for {s}: {v}",
        "The {s} deploy window is on {v}",
    ],
    &[
        "The {s} deploy window moved to {v}",
        "Deploy window for {s}: {v}",
    ],
    "when is the deploy window of {s}?",
);
const REGION: Wordings = (
    &[
        "The {s} cluster runs in {v}",
        "Region of the {s} cluster is {v}",
    ],
    &[
        "Region of the {s} cluster is {v}",
        "The {s} cluster moved to {v}",
    ],
    "in which region is the {s} cluster?",
);
const DEADLINE: Wordings = (
    &[
        "Deadline for the {s} release is {v}",
        "The {s} release deadline is {v}",
    ],
    &[
        "The {s} release deadline moved to {v}",
        "Deadline for the {s} release slipped from {o} to {v}",
        "Correction: the {s} release deadline is {v}",
    ],
    "when is the {s} release deadline?",
);

fn filled(wording: &str, subject: &str, value: &str, old: &str) -> String {
    let text = wording.replace("{s}", subject).replace("{v}", value);
    text.replace("{o}", old)
}

/// A fact with up to four truths over the quarter.
fn fact(
    draw: &mut Draw,
    wordings: &Wordings,
    subject: &str,
    values: &[String],
    first: Date,
) -> Fact {
    let (new, changed, question) = *wordings;
    let mut at = draw.below(25) as i64;
    let mut value = draw.of(values).clone();
    let text = filled(draw.of::<&str>(new), subject, &value, "");
    let mut truths = vec![(first + at.days(), text, value.clone())];
    for _ in 0..draw.below(4) {
        at += 5 + draw.below(25) as i64;
        let next = draw.of(values).clone();
        if at >= DAYS || next == value {
            break;
        }
        let text = filled(draw.of::<&str>(changed), subject, &next, &value);
        truths.push((first + at.days(), text, next.clone()));
        value = next;
    }
    let question = filled(question, subject, "", "");
    Fact { question, truths }
}

fn owned(values: &[&str]) -> Vec<String> {
    values.iter().map(|&value| value.to_owned()).collect()
}

pub(super) fn planted(draw: &mut Draw, first: Date) -> Vec<Fact> {
    let mut facts = Vec::new();
    let seconds: Vec<String> = (1..12).map(|n| (n * 5).to_string()).collect();
    let dates: Vec<String> = (40..80)
        .map(|n| (first + (n * 3).days()).to_string())
        .collect();
    for service in SERVICES {
        facts.push(fact(draw, &OWNER, service, &owned(&PEOPLE), first));
        facts.push(fact(draw, &TIMEOUT, service, &seconds, first));
        facts.push(fact(draw, &DATABASE, service, &owned(&DATABASES), first));
        facts.push(fact(draw, &WINDOW, service, &owned(&WEEKDAYS), first));
        facts.push(fact(draw, &REGION, service, &owned(&REGIONS), first));
    }
    for project in PROJECTS {
        facts.push(fact(draw, &DEADLINE, project, &dates, first));
    }
    // Rules, and what was said against them later.
    for (question, rules) in [
        (
            "tabs or spaces?",
            &[
                ("Prefer tabs over spaces for indentation", "tabs over"),
                ("Prefer spaces over tabs for indentation", "spaces over"),
            ][..],
        ),
        (
            "squash commits before merging?",
            &[
                ("Always squash commits before merging", "Always squash"),
                ("Never squash commits before merging", "Never squash"),
            ],
        ),
        (
            "which package manager for installs?",
            &[
                ("Use npm for installs", "npm"),
                ("Use bun instead of npm for installs", "Use bun"),
            ],
        ),
        (
            "mocks in database tests?",
            &[
                ("Use mocks in database tests", "Use mocks"),
                (
                    "Don't use mocks in database tests, the last migration slipped through",
                    "Don't use mocks",
                ),
            ],
        ),
        (
            "redis for sessions?",
            &[
                ("We use Redis for sessions", "use Redis"),
                ("We no longer use Redis for sessions", "no longer"),
            ],
        ),
        (
            "answers short or long?",
            &[(
                "User prefers short answers without a summary",
                "short answers",
            )],
        ),
        (
            "push on fridays?",
            &[(
                "Never push to main on a Friday afternoon",
                "Friday afternoon",
            )],
        ),
        (
            "where are incidents tracked?",
            &[(
                "Incidents are tracked at https://tracker.example.org/INC",
                "tracker.example.org",
            )],
        ),
    ] {
        let start = draw.below(20) as i64;
        let step = 20 + draw.below(20) as i64;
        let truths = rules.iter().zip(0_i64..).map(|((text, mark), at)| {
            let since = first + (start + at * step).days();
            (since, (*text).to_owned(), (*mark).to_owned())
        });
        facts.push(Fact {
            question: question.to_owned(),
            truths: truths.collect(),
        });
    }
    facts
}

/// What only mattered that day.
fn noise(draw: &mut Draw) -> String {
    let number = draw.below(900) + 100;
    let service = *draw.of(&SERVICES);
    match draw.below(9) {
        0 => format!("Fixed a flaky test in {service}"),
        1 => format!("Reviewed PR {number} for {service}"),
        2 => "Ran the linter, all green".to_owned(),
        3 => "Lunch".to_owned(),
        4 => format!("Looked into slow query {number} of {service}"),
        5 => format!("Merged {service} dependency bumps"),
        6 => "Standup".to_owned(),
        7 => format!("CI took {} minutes for {service} at noon", number / 20),
        _ => format!("Paired with {} on {service}", draw.of(&PEOPLE)),
    }
}

/// A day's log: what became true, what is said again, and noise; some lines are no bullets.
pub(super) fn log(draw: &mut Draw, facts: &[Fact], day: Date) -> String {
    let mut lines = Vec::new();
    for fact in facts {
        if let Some((since, text, _)) = fact.current(day) {
            let is_said_again = *since < day && draw.below(40) == 0;
            if *since == day || is_said_again {
                lines.push(format!("- 10:{:02} {text}", draw.below(60)));
            }
        }
    }
    for _ in 0..draw.below(12) {
        let line = noise(draw);
        lines.insert(
            draw.below(lines.len() + 1),
            format!("- 11:{:02} {line}", draw.below(60)),
        );
    }
    format!("# {day}\n\n{}\nnot a bullet at all\n", lines.join("\n"))
}
