//! A transcript, turn by turn: whose turns count, and what was said in them.

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use mem_core::{MemoryType, Scope};
use mem_secrets::redacted;

use super::candidate::{
    CANDIDATES_MAX, Candidate, DROPPED_MAX, Dropped, LIKELY_MIN, Reason, Sort, Source,
};
use super::compose::{self, Said as Words};
use super::proposed::Heard;
use super::speech::{Sentence, sentences};
use super::thought::{Kept, completes, explains, joined, keep};
use super::visible::visible;
use super::weigh::{Standing, Verdict, is_task, weigh};
use super::{Setting, known};
use crate::dates;
use crate::orders::poses;
use crate::transcript::{Origin, Part, Record, Said};
use crate::wrote::Watch;

/// Of what the agent said before a prompt, so much is remembered.
const BEFORE_BYTES_MAX: usize = 400;
/// Of all prompts, and of one of them, so much is remembered for a model.
const HEARD_BYTES_MAX: usize = 48 * 1024;
const HEARD_PROMPT_BYTES_MAX: usize = 4 * 1024;
/// Two sentences whose words are the same, so many of them, say the same.
const SAME_SHARE: f32 = 0.8;

/// What a stretch of a session brought.
#[derive(Debug, Default)]
pub(super) struct Gatherer {
    pub(super) candidates: Vec<Candidate>,
    pub(super) dropped: Vec<Dropped>,
    /// Turns that were left out because the agent wrote memory in them.
    pub(super) written_turns: usize,
    /// The directories that the session stood in.
    pub(super) folders: BTreeSet<String>,
    /// Prompts that were looked at.
    pub(super) prompts: usize,
    /// Records of any sort.
    pub(super) records: usize,
    /// The last of them, for a model.
    pub(super) heard: Vec<Heard>,
    turn: Turn,
    watch: Watch,
    /// What the agent said last.
    before: String,
    uuid: String,
}

/// What the turn that goes on has brought.
#[derive(Debug, Default)]
struct Turn {
    candidates: Vec<Candidate>,
    dropped: Vec<Dropped>,
    heard: Vec<Heard>,
}

/// Directories that are remembered; a session seldom leaves its first.
const FOLDERS_MAX: usize = 64;

impl Gatherer {
    /// Takes in the next record.
    pub(super) fn take(&mut self, record: &Record<'_>, setting: &Setting<'_>) {
        if let Some(cwd) = &record.cwd
            && !self.folders.contains(&**cwd)
            && self.folders.len() < FOLDERS_MAX
        {
            self.folders.insert(cwd.to_string());
        }
        self.records += usize::from(record.uuid.is_some() || record.cwd.is_some());
        if let Some(uuid) = &record.uuid {
            self.uuid.replace_range(.., uuid);
        }
        match &record.said {
            Said::User {
                origin: Origin::Person,
                parts,
            } => self.take_prompt(parts, record, setting),
            Said::Assistant { parts, .. } => {
                for part in parts {
                    if let Part::Text(text) = part
                        && !text.trim().is_empty()
                    {
                        let end = text.floor_char_boundary(BEFORE_BYTES_MAX);
                        self.before = visible(&text[..end]);
                    }
                }
            }
            _ => {}
        }
        self.watch.take(record, setting.is_memory);
    }

    fn take_prompt(&mut self, parts: &[Part<'_>], record: &Record<'_>, setting: &Setting<'_>) {
        let texts = parts.iter().filter_map(|part| match part {
            Part::Text(text) if Origin::of(text) == Origin::Person => Some(text),
            _ => None,
        });
        let texts: Vec<_> = texts.collect();
        if texts.is_empty() {
            return;
        }
        self.end_turn();
        self.prompts += 1;
        let time = record.time.as_deref().unwrap_or_default();
        let from = record.uuid.as_deref().unwrap_or_default();
        for text in texts {
            let text = visible(text);
            let end = text.floor_char_boundary(HEARD_PROMPT_BYTES_MAX);
            self.turn.heard.push(Heard {
                text: text[..end].to_owned(),
                time: time.to_owned(),
                uuid: from.to_owned(),
            });
            self.hear(&text, time, from, setting);
        }
    }

    /// Takes what the turn brought, unless the agent has seen to it.
    pub(super) fn end_turn(&mut self) {
        let Turn {
            mut candidates,
            mut dropped,
            mut heard,
        } = std::mem::take(&mut self.turn);
        if std::mem::take(&mut self.watch.found).any() {
            self.written_turns += 1;
            let quotes = candidates.drain(..).map(|one| Dropped {
                quote: one.quote,
                reason: Reason::Written,
            });
            dropped.extend(quotes);
            heard.clear();
        }
        self.remember(heard);
        for mut candidate in candidates {
            candidate.source.to.clone_from(&self.uuid);
            self.add(candidate);
        }
        let room = DROPPED_MAX.saturating_sub(self.dropped.len());
        let shown = dropped.into_iter().take(room).map(|one| Dropped {
            quote: without_secrets(&one.quote),
            ..one
        });
        self.dropped.extend(shown);
    }

    /// Remembers what was said, as much as a model is shown; the oldest gives way.
    fn remember(&mut self, heard: Vec<Heard>) {
        self.heard.extend(heard);
        let mut room = HEARD_BYTES_MAX;
        let fits = |one: &&Heard| {
            let left = room.checked_sub(one.text.len());
            room = left.unwrap_or_default();
            left.is_some()
        };
        let kept = self.heard.iter().rev().take_while(fits).count();
        self.heard.drain(..self.heard.len() - kept);
    }

    /// What is said twice is meant.
    fn add(&mut self, candidate: Candidate) {
        let words = known::words(&candidate.quote);
        let is_same = |other: &&mut Candidate| {
            let others = known::words(&other.quote);
            let shared = words.intersection(&others).count() as f32;
            let most = words.len().max(others.len()).max(1) as f32;
            other.kind == candidate.kind && shared / most >= SAME_SHARE
        };
        if let Some(other) = self.candidates.iter_mut().find(is_same) {
            other.confidence = (other.confidence.max(candidate.confidence) + 0.05).min(0.99);
            // It was kept before only where it was when it was said last.
            other.source = candidate.source;
        } else if self.candidates.len() < CANDIDATES_MAX {
            self.candidates.push(candidate);
        } else if self.dropped.len() < DROPPED_MAX {
            self.dropped.push(Dropped {
                quote: candidate.quote,
                reason: Reason::Surplus,
            });
        }
    }

    /// Weighs what one prompt says.
    fn hear(&mut self, text: &str, time: &str, from: &str, setting: &Setting<'_>) {
        let said = sentences(text);
        let mut kept: Vec<Kept> = Vec::new();
        let mut before: Option<Sentence> = None;
        let begins = said.first().is_some_and(|first| is_task(&first.plain));
        for (at, sentence) in said.into_iter().enumerate() {
            let standing = Standing {
                is_task: begins && at == 0,
                in_task: begins && at > 0,
                listed: sentence.listed,
            };
            let (verdict, gives_reason) = weigh(&sentence.text, &sentence.plain, standing);
            match verdict {
                Verdict::Keep {
                    sort,
                    kind,
                    confidence,
                } => {
                    let led = before.take().filter(|_| sentence.follows);
                    keep(
                        &mut kept,
                        sentence,
                        sort,
                        kind,
                        confidence,
                        led,
                        gives_reason,
                    );
                }
                Verdict::Drop(reason) => {
                    if !explains(&mut kept, &sentence, gives_reason) {
                        self.drop(&sentence.text, reason);
                    }
                }
                Verdict::Doubtful | Verdict::Nothing => {
                    let is_used = explains(&mut kept, &sentence, gives_reason)
                        || completes(&mut kept, &sentence);
                    if verdict == Verdict::Doubtful && !is_used {
                        self.drop(&sentence.text, Reason::Unsure);
                    }
                    before = Some(sentence);
                }
            }
        }
        let day = day_of(time);
        for one in kept {
            let quote = one.quote();
            let against = match () {
                () if one.confidence < LIKELY_MIN => Some(Reason::Unsure),
                () if setting.known.says(&quote) => Some(Reason::Known),
                () if poses(&quote) => Some(Reason::Orders),
                () => None,
            };
            if let Some(reason) = against {
                self.drop(&quote, reason);
                continue;
            }
            let source = Source {
                session: setting.session.to_owned(),
                from: from.to_owned(),
                to: from.to_owned(),
                time: time.to_owned(),
            };
            match candidate(&one, &self.before, day, source, setting) {
                Some(made) => self.turn.candidates.push(made),
                None => self.drop(&quote, Reason::Secret),
            }
        }
    }

    fn drop(&mut self, quote: &str, reason: Reason) {
        self.turn.dropped.push(Dropped {
            quote: quote.to_owned(),
            reason,
        });
    }
}

fn day_of(time: &str) -> Option<Date> {
    let time: Timestamp = time.parse().ok()?;
    Some(time.to_zoned(TimeZone::UTC).date())
}

/// The memory that was said; none where it is about a secret.
fn candidate(
    one: &Kept,
    before: &str,
    day: Option<Date>,
    source: Source,
    setting: &Setting<'_>,
) -> Option<Candidate> {
    let quote = clean(&one.around_quote()).or_else(|| clean(&one.quote()))?;
    let own = one.quote();
    let dated = |text: &str| match day {
        Some(day) => dates::annotated(text, day),
        None => text.to_owned(),
    };
    let statement = dated(&compose::statement(&own));
    let why = match one.why.as_str() {
        "" => compose::reason_of(&statement)
            .unwrap_or_default()
            .to_owned(),
        why => clean(why).map_or_else(String::new, |why| dated(&why)),
    };
    let said = Words {
        statement: &statement,
        why: if one.why.is_empty() { "" } else { &why },
        quote: &quote,
        before: &redacted(before),
        day,
    };
    Some(Candidate {
        kind: one.kind,
        scope: scope(one.kind, one.sort, &one.sentences, setting.has_team),
        sort: one.sort,
        name: compose::name(&statement),
        description: compose::description(&statement),
        body: compose::body(one.sort, one.kind, &said),
        quote,
        why,
        confidence: one.confidence,
        source,
        file: None,
    })
}

/// A text of several sentences without its secrets.
fn without_secrets(text: &str) -> String {
    let parts = sentences(text);
    let parts: Vec<String> = parts.iter().map(|part| redacted(&part.text)).collect();
    redacted(&joined(parts.iter().map(String::as_str)))
}

/// A text of several sentences, if none of them holds a secret. Each is looked at by itself as well: what stands behind
/// a password may keep it from being known as one.
fn clean(text: &str) -> Option<String> {
    let parts = sentences(text);
    let is_clean = |text: &str| redacted(text) == text;
    let all = is_clean(text) && parts.iter().all(|part| is_clean(&part.text));
    all.then(|| text.to_owned())
}

/// The tier: the person's own, but for what everybody who works here has to know.
fn scope(kind: MemoryType, sort: Sort, sentences: &[Sentence], has_team: bool) -> Scope {
    const EVERYWHERE: &[&str] = &[
        "all my projects",
        "every project",
        "in all projects",
        "all repos",
        "everywhere i work",
        "any project",
        "in allen projekten",
        "dans tous mes projets",
        "en todos mis proyectos",
        "所有项目",
        "全プロジェクト",
        "すべてのプロジェクト",
        "모든 프로젝트",
    ];
    let says = |words: &[&str]| {
        let mut all = sentences.iter();
        all.any(|one| words.iter().any(|word| one.plain.contains(word)))
    };
    match kind {
        _ if says(EVERYWHERE) && kind != MemoryType::Project => Scope::Global,
        MemoryType::User => Scope::Private,
        MemoryType::Project | MemoryType::Reference if has_team => Scope::Team,
        MemoryType::Feedback if has_team && sort == Sort::Convention => Scope::Team,
        _ => Scope::Private,
    }
}
