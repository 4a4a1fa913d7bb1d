//! Memories that a model proposes from what was said: it is asked once, and believed as far as it quotes.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use mem_core::memory::route;
use mem_core::topic::NewTopic;
use mem_core::{MemoryType, Scope};
use mem_secrets::redacted;
use serde::Deserialize;

use super::candidate::{CANDIDATES_MAX, Candidate, Dropped, Reason, Sort, Source};
use super::{Found, Setting};
use crate::dates;
use crate::model::{Model, Task};
use crate::template::fill;

/// The default prompt.
const PROMPT: &str = include_str!("../../../../templates/prompts/extract.md");
/// How sure a proposal is that quotes the person.
const CONFIDENCE: f32 = 0.8;
/// A quotation of fewer characters proves nothing.
const QUOTE_CHARS_MIN: usize = 8;

/// What a person said in one prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// The words, of a long prompt its beginning.
    pub text: String,
    /// When, as the transcript has it.
    pub time: String,
    /// The record's `uuid`.
    pub uuid: String,
}

/// One element of an answer.
#[derive(Debug, Deserialize)]
struct Proposal {
    #[serde(rename = "type")]
    kind: String,
    name: String,
    description: String,
    body: String,
    quote: String,
    #[serde(default)]
    why: String,
}

/// Has a model look at what was said. Its proposals take the place of what the rules found; where it does not
/// answer, or not as it was asked to, the reason is returned and nothing is changed.
///
/// # Errors
/// Why its answer is not taken.
pub fn propose(
    found: &mut Found,
    manifest: &str,
    setting: &Setting<'_>,
    model: &Model,
) -> Result<(), String> {
    if found.heard.is_empty() {
        return Ok(());
    }
    let answer = model
        .ask(Task::Extract, &prompt(found, manifest))
        .map_err(|error| error.to_string())?;
    let proposals = proposals(&answer)?;
    let mut kept = Vec::new();
    for proposal in proposals {
        match candidate(&proposal, &found.heard, setting) {
            Ok(candidate) => kept.push(candidate),
            Err(reason) => found.dropped.push(Dropped {
                quote: redacted(&proposal.quote),
                reason,
            }),
        }
    }
    found.candidates = kept;
    Ok(())
}

/// What a model is asked; no secret is in it.
fn prompt(found: &Found, manifest: &str) -> String {
    let said = found.heard.iter().map(|one| {
        let day = one.time.get(..10).unwrap_or("unknown day");
        format!("[{day}] {}", redacted(one.text.trim()))
    });
    let candidates = found
        .candidates
        .iter()
        .map(|one| format!("- [{}] {}", one.kind, one.description));
    let values = [
        ("said", said.collect::<Vec<_>>().join("\n---\n")),
        ("candidates", candidates.collect::<Vec<_>>().join("\n")),
        ("manifest", manifest.to_owned()),
    ];
    fill(
        PROMPT,
        &values.each_ref().map(|(name, text)| (*name, text.as_str())),
    )
}

/// The elements of an answer, with or without a fence around it.
fn proposals(answer: &str) -> Result<Vec<Proposal>, String> {
    let unfit = "the model did not answer with a JSON array";
    let start = answer.find('[').ok_or(unfit)?;
    let end = answer.rfind(']').filter(|end| *end > start).ok_or(unfit)?;
    let all: Vec<Proposal> =
        serde_json::from_str(&answer[start..=end]).map_err(|error| format!("{unfit}: {error}"))?;
    match all.len() > CANDIDATES_MAX {
        true => Err(format!("the model proposed {} memories", all.len())),
        false => Ok(all),
    }
}

/// A proposal as a candidate, where the person said what it quotes and it could be a memory.
fn candidate(
    proposal: &Proposal,
    heard: &[Heard],
    setting: &Setting<'_>,
) -> Result<Candidate, Reason> {
    let kind: MemoryType = proposal.kind.parse().map_err(|_| Reason::Unfounded)?;
    let quote = redacted(proposal.quote.trim());
    let wanted = words(&quote);
    if wanted.chars().count() < QUOTE_CHARS_MIN {
        return Err(Reason::Unfounded);
    }
    let said = heard
        .iter()
        .find(|one| words(&redacted(&one.text)).contains(&wanted));
    let said = said.ok_or(Reason::Unfounded)?;
    let time: Option<Timestamp> = said.time.parse().ok();
    let day = time.map(|time| time.to_zoned(TimeZone::UTC).date());
    let dated = |text: &str| match day {
        Some(day) => dates::annotated(&redacted(text.trim()), day),
        None => redacted(text.trim()),
    };
    let (name, description) = (dated(&proposal.name), dated(&proposal.description));
    let body = format!("{}\n", dated(&proposal.body));
    let topic = NewTopic::new(kind, &name, &description, &body);
    topic.validate().map_err(|_| Reason::Unfounded)?;
    Ok(Candidate {
        kind,
        scope: route(kind, None, setting.has_team).unwrap_or(Scope::Private),
        sort: Sort::of(kind),
        name,
        description,
        body,
        quote,
        why: dated(&proposal.why),
        confidence: CONFIDENCE,
        source: Source {
            session: setting.session.to_owned(),
            from: said.uuid.clone(),
            to: said.uuid.clone(),
            time: said.time.clone(),
        },
    })
}

/// A text by its words alone: models straighten quotes and blanks.
fn words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}
