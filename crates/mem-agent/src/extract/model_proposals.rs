//! Memories that a model proposes from what was said: it is asked once, or works in a scratch memory, and is believed as
//! far as it quotes.

use std::path::Path;

use mem_core::delimiters::escape;
use mem_core::foreign_text::single_spaced;
use mem_core::memory::Note;
use mem_core::topic::NewTopic;
use mem_core::{MemoryType, Now, Scope};
use mem_recall::versus::{Statement, is_contrary};
use mem_secrets::redacted;
use serde::Deserialize;

use super::candidate::{CANDIDATES_MAX, Candidate, CandidateSource, Dropped, Reason, SpeechAct};
use super::memory_text;
use super::scratch_memory::SHOWN_MAX;
use super::speech::split_sentences;
use super::visible_text::visible_text;
use super::{ExtractContext, Extraction, known_instructions, tool_proposals};

use crate::model::{Model, ModelQuestion};
use crate::orders::is_impersonation;
use crate::template::fill_template;
use crate::title::{has_denial, is_part_of, note_line, words_only};

/// The default prompt.
const PROMPT: &str = mem_templates::PROMPT_EXTRACT;
/// How sure a proposal is that quotes the person.
const CONFIDENCE: f32 = 0.8;
/// Why nothing of an answer is taken that is left out for a secret.
pub(super) const LEAKED: &str = "the model proposes a secret, and nothing beside it that was said";
/// A quotation of fewer characters proves nothing.
const QUOTE_CHARS_MIN: usize = 8;
/// A quotation that has so much of another's words is of the same thing.
const SAME_SHARE: f32 = 0.6;

/// What a person said in one prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptText {
    /// The words, of a long prompt its beginning.
    pub text: String,
    /// When, as the transcript has it.
    pub time: String,
    /// The record's `uuid`.
    pub uuid: String,
}

/// One element of an answer, or one file that was written.
#[derive(Debug, Deserialize)]
pub(super) struct CandidateProposal {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) quote: String,
    /// The memory that it was written into.
    #[serde(skip)]
    pub(super) to: Option<ProposalTarget>,
}

/// A memory that is there: the quotation is added to its text, title and line stay.
#[derive(Debug)]
pub(super) struct ProposalTarget {
    pub(super) scope: Scope,
    pub(super) file: String,
    pub(super) description: String,
}

impl CandidateProposal {
    /// Whether what it quotes holds a secret.
    pub(super) fn quotes_secret(&self) -> bool {
        redacted(&self.quote) != self.quote
    }
}

/// What a model is shown beside what was said.
#[derive(Clone, Copy, Debug)]
pub struct ModelContext<'s> {
    /// The memories that are kept already.
    pub notes: &'s [Note],
    /// Where scratch memories may be: a folder of nobody else's.
    pub scratch_dir: &'s Path,
    /// The present.
    pub now: Now,
}

/// Has a model look at what was said: a program is asked once, one behind the API works with the memory tool on
/// copies of the memories. Its proposals take the place of what the rules found for the same words, and of what those
/// are not sure of; where it does not answer, or not as it was asked to, the reason is returned and nothing is changed.
///
/// # Errors
/// Why its answer is not taken.
pub fn propose_candidates(
    found: &mut Extraction,
    shown: &ModelContext<'_>,
    setting: &ExtractContext<'_>,
    model: &Model,
) -> Result<(), String> {
    if found.heard.is_empty() {
        return Ok(());
    }
    if let Model::Api(api) = model {
        return tool_proposals::work_on_copies(found, shown, setting, api);
    }
    let answer = model
        .ask_model(
            ModelQuestion::Extract,
            &model_prompt(found, &manifest_text(shown.notes)),
        )
        .map_err(|error| error.to_string())?;
    let proposals = parse_proposals(&answer)?;
    let quotes_secret = proposals.iter().any(CandidateProposal::quotes_secret);
    let dropped = found.dropped.len();
    let kept = settle_proposals(proposals, found, setting);
    if kept.is_empty() && quotes_secret {
        found.dropped.truncate(dropped);
        return Err(LEAKED.to_owned());
    }
    merge_proposed(found, kept);
    Ok(())
}

/// Lets the proposals take the place of what the rules found. What those are sure of stays where nothing is proposed
/// for it: a model that says nothing has not said that it is wrong.
pub(super) fn merge_proposed(found: &mut Extraction, proposed: Vec<Candidate>) {
    let count = proposed.len();
    let by_rules = std::mem::replace(&mut found.candidates, proposed);
    for one in by_rules {
        let is_covered = |other: &Candidate| is_same(&one.quote, &other.quote);
        match one {
            _ if found.candidates[..count].iter().any(is_covered) => {}
            one if one.is_sure() => found.candidates.push(one),
            one => found.dropped.push(Dropped::new(one.quote, Reason::Passed)),
        }
    }
}

/// Whether two quotations are of the same words, or one holds most of the other, in the same sense.
fn is_same(one: &str, other: &str) -> bool {
    let [words, others] = [one, other].map(known_instructions::word_stems);
    let shared = words.intersection(&others).count() as f32;
    shared / words.len().min(others.len()).max(1) as f32 >= SAME_SHARE
        && !is_contrary(&Statement::from_text(one), &Statement::from_text(other))
}

/// One line a memory.
fn manifest_text(notes: &[Note]) -> String {
    let lines = notes
        .iter()
        .take(SHOWN_MAX)
        .map(|note| format!("- {}: {}", note.label(), note_line(note)));
    lines.collect::<Vec<_>>().join("\n")
}

/// The proposals that count, as candidates; the others are told.
pub(super) fn settle_proposals(
    proposals: Vec<CandidateProposal>,
    found: &mut Extraction,
    setting: &ExtractContext<'_>,
) -> Vec<Candidate> {
    let mut kept = Vec::new();
    for proposal in proposals {
        let (quote, reason) = match proposal_candidate(&proposal, &found.heard, setting) {
            Ok(one) if is_taken_back(&one, found) => (one.quote, Reason::TakenBack),
            Ok(one) if is_twice(&one, &kept) => (one.quote, Reason::Twice),
            Ok(one) => {
                kept.push(one);
                continue;
            }
            Err(reason) => (redacted(&proposal.quote), reason),
        };
        found.dropped.push(Dropped::new(quote, reason));
    }
    kept
}

/// Whether the rules know that it was taken back, and have not found it again since.
fn is_taken_back(candidate: &Candidate, found: &Extraction) -> bool {
    let says_so = |one: &Dropped| {
        one.reason == Reason::TakenBack
            && words_only(&one.quote).contains(&words_only(&candidate.quote))
    };
    let stands = |one: &Candidate| is_same(&one.quote, &candidate.quote);
    found.dropped.iter().any(says_so) && !found.candidates.iter().any(stands)
}

/// Whether a memory of its own is proposed for these very words already.
fn is_twice(candidate: &Candidate, kept: &[Candidate]) -> bool {
    let quoted = words_only(&candidate.quote);
    let is_new = |one: &Candidate| one.file.is_none() && words_only(&one.quote) == quoted;
    candidate.file.is_none() && kept.iter().any(is_new)
}

/// What was said and what the rules found; no secret is in it.
pub(super) fn model_material(found: &Extraction) -> (String, String) {
    let said = found.heard.iter().map(|one| {
        let day = one.time.get(..10).unwrap_or("unknown day");
        let text = redacted(one.text.trim());
        format!(
            "<prompt day=\"{}\">\n{}\n</prompt>",
            day.replace('"', "'"),
            escape(&text)
        )
    });
    let candidates = found
        .candidates
        .iter()
        .map(|one| format!("- [{}] {}", one.kind, escape(&one.description)));
    let said = said.collect::<Vec<_>>().join("\n");
    (said, candidates.collect::<Vec<_>>().join("\n"))
}

/// What a model is asked.
fn model_prompt(found: &Extraction, manifest: &str) -> String {
    let (said, candidates) = model_material(found);
    let manifest = escape(manifest).into_owned();
    let values = [
        ("said", said),
        ("candidates", candidates),
        ("manifest", manifest),
    ];
    fill_template(PROMPT, &values)
}

/// The elements of an answer, with or without a fence around it.
fn parse_proposals(answer: &str) -> Result<Vec<CandidateProposal>, String> {
    let unfit = "the model did not answer with a JSON array";
    let start = answer.find('[').ok_or(unfit)?;
    let end = answer.rfind(']').filter(|end| *end > start).ok_or(unfit)?;
    let all: Vec<CandidateProposal> =
        serde_json::from_str(&answer[start..=end]).map_err(|error| format!("{unfit}: {error}"))?;
    match all.len() > CANDIDATES_MAX {
        true => Err(format!("the model proposed {} memories", all.len())),
        false => Ok(all),
    }
}

/// A proposal as a candidate, where the person said what it quotes and it could be a memory.
fn proposal_candidate(
    proposal: &CandidateProposal,
    heard: &[PromptText],
    setting: &ExtractContext<'_>,
) -> Result<Candidate, Reason> {
    let kind: MemoryType = proposal.kind.parse().map_err(|_| Reason::Unfounded)?;
    let (said, quote) = find_quotation(proposal, heard)?;
    let day = memory_text::day_said(&said.time);
    let statement = memory_text::statement_text(&memory_text::date_text(&quote, day));
    let title = single_spaced(&visible_text(&proposal.name));
    let why = memory_text::reason_of(&statement)
        .unwrap_or_default()
        .to_owned();
    let (name, description) = match &proposal.to {
        Some(to) => (title, to.description.clone()),
        None if is_part_of(&title, &quote) => (
            memory_text::date_text(&title, day),
            memory_text::describe_statement(&statement),
        ),
        None => (
            memory_text::memory_name(&statement),
            memory_text::describe_statement(&statement),
        ),
    };
    let body = memory_text::memory_body(kind, &statement, &quote, day);
    let topic = NewTopic::new(kind, &name, &description, &body);
    topic.validate().map_err(|_| Reason::Unfounded)?;
    Ok(Candidate {
        kind,
        scope: proposal.to.as_ref().map_or(Scope::Private, |to| to.scope),
        sort: SpeechAct::from_kind(kind),
        name,
        description,
        body,
        quote,
        why,
        confidence: CONFIDENCE,
        file: proposal.to.as_ref().map(|to| to.file.clone()),
        source: CandidateSource {
            session: setting.session.to_owned(),
            from: said.uuid.clone(),
            to: said.uuid.clone(),
            time: said.time.clone(),
        },
    })
}

/// Who says it, and the quotation without secrets.
fn find_quotation<'h>(
    proposal: &CandidateProposal,
    heard: &'h [PromptText],
) -> Result<(&'h PromptText, String), Reason> {
    let quote = single_spaced(&redacted(visible_text(&proposal.quote).trim()));
    let wanted = words_only(&quote);
    if wanted.chars().count() < QUOTE_CHARS_MIN {
        return Err(Reason::Unfounded);
    }
    let said = heard
        .iter()
        .find(|one| words_only(&redacted(&one.text)).contains(&wanted));
    let said = said.ok_or(Reason::Unfounded)?;
    let quote = restore_negation(&said.text, &wanted).unwrap_or(quote);
    if is_impersonation(&quote) {
        return Err(Reason::Orders);
    }
    Ok((said, quote))
}

/// The whole sentence, where a quotation leaves out the "never" at its beginning.
fn restore_negation(said: &str, wanted: &str) -> Option<String> {
    let said = split_sentences(&redacted(&visible_text(said)));
    said.iter().find_map(|sentence| {
        let sentence = memory_text::statement_text(&sentence.text);
        let (before, _) = words_only(&sentence)
            .split_once(wanted)
            .map(|(before, after)| (before.to_owned(), after.len()))?;
        has_denial(&before).then(|| single_spaced(&sentence))
    })
}
