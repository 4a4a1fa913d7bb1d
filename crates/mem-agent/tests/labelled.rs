//! The labelled sessions of `eval/extract`, as transcripts of a host, and how much of what is worth
//! keeping is found in them.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use mem_agent::extract::{Candidate, Dropped, Known, Setting, extract};
use mem_agent::transcript::Cursor;
use mem_agent::wrote::MemoryWrites;
use mem_core::history::Sha256;
use serde_json::{Value, json};

/// One session and what of it is worth keeping.
pub(crate) struct Session {
    /// Its name in the file.
    pub(crate) id: String,
    day: String,
    /// Who said what.
    pub(crate) said: Vec<(char, String)>,
    /// Types of memory, with words of what was said.
    pub(crate) wanted: Vec<(String, String)>,
}

/// How a session was judged.
#[derive(Default)]
pub(crate) struct Judged {
    /// Candidates that were wanted.
    pub(crate) right: Vec<Candidate>,
    /// Candidates that were not.
    pub(crate) wrong: Vec<Candidate>,
    /// How many of those hold what was wanted, as another type.
    pub(crate) mistyped: usize,
    /// What was wanted and not found.
    pub(crate) missed: Vec<String>,
    /// What was left out.
    pub(crate) dropped: Vec<Dropped>,
}

/// What the weights of clues are fitted to.
pub(crate) const FITTED: [&str; 4] = ["tuning.txt", "others.txt", "sentences.txt", "phrases.txt"];

/// The line of the weights' file that says what they were fitted to.
pub(crate) fn origin(folder: &Path, names: &[&str]) -> Result<String> {
    let mut all = String::new();
    for name in names {
        let text = std::fs::read_to_string(folder.join(name))?;
        all.push_str(name);
        // However a checkout ends its lines.
        for line in text.lines() {
            all.push('\n');
            all.push_str(line);
        }
        all.push('\0');
    }
    let digest = Sha256::of(all.as_bytes());
    Ok(format!("# Of {}: {digest}\n", names.join(", ")))
}

/// Reads a file of sessions.
pub(crate) fn read(text: &str) -> Result<Vec<Session>> {
    let mut sessions: Vec<Session> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let (mark, rest) = line.split_at_checked(2).unwrap_or((line, ""));
        if mark == "= " {
            let (id, day) = rest.split_once(' ').context("a session without a day")?;
            sessions.push(Session {
                id: id.to_owned(),
                day: day.to_owned(),
                said: Vec::new(),
                wanted: Vec::new(),
            });
            continue;
        }
        let Some(session) = sessions.last_mut().filter(|_| !line.is_empty()) else {
            continue;
        };
        match mark {
            "P " | "A " | "T " | "E " | "S " | "H " => {
                let who = mark.chars().next().unwrap_or_default();
                // A prompt of several lines is one prompt; a list of prompts has answers between them.
                match session
                    .said
                    .last_mut()
                    .filter(|(last, _)| *last == 'P' && who == 'P')
                {
                    Some((_, text)) => {
                        text.push('\n');
                        text.push_str(rest);
                    }
                    None => session.said.push((who, rest.to_owned())),
                }
            }
            "+ " => {
                let (kind, words) = rest.split_once(' ').context("nothing wanted")?;
                session.wanted.push((kind.to_owned(), words.to_lowercase()));
            }
            _ => bail!("line {}: `{mark}` is nothing", at + 1),
        }
    }
    Ok(sessions)
}

impl Session {
    /// The lines of a host's transcript, with all that one has beside what is said.
    pub(crate) fn transcript(&self) -> String {
        let mut text = String::new();
        let mut add = |line: Value| {
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{line}");
        };
        add(json!({"type": "file-history-snapshot", "messageId": "s", "snapshot": {}}));
        for (at, (who, what)) in self.said.iter().enumerate() {
            let time = format!("{}T09:{:02}:{:02}.120Z", self.day, at % 60, at % 50);
            let line = |kind: &str, part: &str, content: Value| {
                json!({"parentUuid": format!("{}-{}", self.id, at), "isSidechain": *who == 'S', "userType": "external",
                    "cwd": "/home/dev/app", "sessionId": self.id, "version": "2.1.240", "gitBranch": "main",
                    "type": kind, "uuid": format!("{}-{at}-{part}", self.id), "timestamp": time,
                    "message": {"role": kind, "id": format!("msg_{at}"), "model": "m", "content": content,
                        "usage": {"input_tokens": 4, "output_tokens": 9}}})
            };
            match who {
                'A' => add(line(
                    "assistant",
                    "a",
                    json!([{"type": "text", "text": what}]),
                )),
                'T' | 'E' => {
                    let (call, output) = what.split_once(" => ").unwrap_or((what, ""));
                    let (tool, input) = call.split_once(' ').unwrap_or((call, "{}"));
                    let input: Value = serde_json::from_str(input).unwrap_or_default();
                    let id = format!("toolu_{at}");
                    add(line(
                        "assistant",
                        "t",
                        json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]),
                    ));
                    add(line(
                        "user",
                        "r",
                        json!([{"type": "tool_result", "tool_use_id": id,
                        "is_error": *who == 'E', "content": [{"type": "text", "text": output}]}]),
                    ));
                }
                _ => add(line("user", "p", json!(what))),
            }
        }
        add(json!({"type": "system", "subtype": "turn_duration", "durationMs": 4100, "uuid": "d"}));
        text
    }

    /// Extracts from it, and compares.
    pub(crate) fn judge(&self, folder: &Path) -> Result<Judged> {
        let file = folder.join(format!("{}.jsonl", self.id));
        std::fs::File::create(&file).and_then(|mut file| {
            std::io::Write::write_all(&mut file, self.transcript().as_bytes())
        })?;
        let setting = Setting {
            session: &self.id,
            known: &Known::default(),
            writes: MemoryWrites {
                is_memory: &|path| path.starts_with("/memory"),
                is_written: &|_, _| false,
            },
        };
        let found = extract(&file, &Cursor::default(), &setting)?;
        let mut judged = Judged {
            dropped: found.dropped,
            ..Judged::default()
        };
        let mut open = self.wanted.clone();
        for candidate in found.candidates {
            let kind = candidate.kind.to_string();
            let text = format!("{} {}", candidate.quote, candidate.why).to_lowercase();
            let holds = |(_, words): &(String, String)| text.contains(words);
            let fits = |one: &(String, String)| one.0 == kind && holds(one);
            // A candidate may hold two things that were said in one breath.
            let before = open.len();
            open.retain(|one| !fits(one));
            match open.len() < before {
                true => judged.right.push(candidate),
                false => {
                    judged.mistyped += usize::from(open.iter().any(holds));
                    judged.wrong.push(candidate);
                }
            }
        }
        judged.missed = open
            .into_iter()
            .map(|(kind, words)| format!("{kind} {words}"))
            .collect();
        Ok(judged)
    }
}

/// Precision and recall, in hundredths.
pub(crate) fn rates(judged: &[Judged]) -> (f64, f64) {
    let count = |of: fn(&Judged) -> usize| judged.iter().map(of).sum::<usize>() as f64;
    let right = count(|one| one.right.len());
    let precision = right / (right + count(|one| one.wrong.len())).max(1.0);
    let recall = right / (right + count(|one| one.missed.len())).max(1.0);
    (precision * 100.0, recall * 100.0)
}
