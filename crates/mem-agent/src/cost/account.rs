//! A ledger, added up.

use std::collections::BTreeMap;

use crate::injection::Injection;
use crate::use_figures::{SessionUse, UseFigures};
use mem_core::compact_sort::CompactSort as _;
use mem_find::documents::key_of_label;

/// The event at which a host tells a prompt.
const PROMPT: &str = "user-prompt-submit";

/// What a ledger comes to.
#[derive(Debug, Default)]
pub struct CostAccount {
    /// In the order in which they were first given something.
    pub sessions: Vec<SessionCost>,
    /// Prompts of which a hook was told.
    pub prompts: usize,
    /// Those for which a memory was given.
    pub prompts_with_memory: usize,
    /// Rounded; with the indexes that the host loads.
    pub tokens_per_session: usize,
    /// Rounded; over all prompts.
    pub tokens_per_prompt: usize,
    /// The dearest first.
    pub entries: Vec<CostEntry>,
    /// What each day (UTC) came to, oldest first.
    pub days: BTreeMap<String, DayCost>,
}

/// What one day came to.
#[derive(Debug, Default)]
pub struct DayCost {
    /// Tokens that were given.
    pub tokens: usize,
    /// Memories that sessions were given, by the day on which they were measured last, and those that were used.
    pub memories: UseFigures,
}

/// A session.
#[derive(Debug, Default)]
pub struct SessionCost {
    /// Its id.
    pub id: String,
    /// Tokens that it was given.
    pub tokens: usize,
    /// The same in characters.
    pub chars: usize,
    /// Its prompts.
    pub prompts: usize,
}

/// A part of what was given, over all times.
#[derive(Debug, Default)]
pub struct CostEntry {
    /// The memory, or the index of a tier.
    pub label: String,
    /// How often it was given.
    pub times: usize,
    /// Tokens over all times.
    pub tokens: usize,
    /// The same in characters.
    pub chars: usize,
    /// Sessions in which it was looked for in what the model wrote.
    pub sessions_measured: usize,
    /// Those in which the model named it.
    pub sessions_used: usize,
}

impl CostAccount {
    /// Adds up; every session also has `tokens_by_host`.
    pub fn from_ledger(ledger: &[Injection], tokens_by_host: usize) -> Self {
        let mut account = Self::default();
        let mut entries: BTreeMap<&str, CostEntry> = BTreeMap::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let mut prompt_tokens = 0;
        for one in ledger {
            let next = account.sessions.len();
            let at = *places.entry(&one.session).or_insert(next);
            if at == next {
                account.sessions.push(SessionCost {
                    id: one.session.clone(),
                    ..SessionCost::default()
                });
            }
            account.day(one.at).tokens += one.tokens;
            let session = &mut account.sessions[at];
            session.tokens += one.tokens;
            session.chars += one.chars;
            if one.event == PROMPT {
                session.prompts += 1;
                account.prompts += 1;
                account.prompts_with_memory += usize::from(one.tokens > 0);
                prompt_tokens += one.tokens;
            }
            for part in &one.entries {
                let entry = entries.entry(&part.label).or_default();
                entry.times += 1;
                entry.tokens += part.tokens;
                entry.chars += part.chars;
            }
        }
        let given: usize = account.sessions.iter().map(|one| one.tokens).sum();
        let sessions = account.sessions.len();
        account.tokens_per_session = mean_of(given + sessions * tokens_by_host, sessions);
        account.tokens_per_prompt = mean_of(prompt_tokens, account.prompts);
        let named = entries.into_iter().map(|(label, entry)| CostEntry {
            label: label.to_owned(),
            ..entry
        });
        account.entries = named.collect();
        account
            .entries
            .compact_sort_by_key(|entry| std::cmp::Reverse(entry.tokens));
        account
    }

    /// The day of an instant, in seconds since 1970.
    fn day(&mut self, at: i64) -> &mut DayCost {
        let at = jiff::Timestamp::from_second(at).unwrap_or_default();
        let day = at.strftime("%Y-%m-%d").to_string();
        self.days.entry(day).or_default()
    }

    /// Adds in how many of the sessions that were measured each memory was used, and what of it on each day.
    pub fn add_uses<'a>(&mut self, sessions: impl Iterator<Item = &'a SessionUse>) {
        let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for session in sessions {
            for figures in session.figures.values() {
                self.day(session.at).memories.add(*figures);
            }
            for (key, is_used) in &session.memories {
                let (measured, used) = counts.entry(key).or_default();
                *measured += 1;
                *used += usize::from(*is_used);
            }
        }
        for entry in &mut self.entries {
            if let Some(counts) = counts.get(&*key_of_label(&entry.label)) {
                (entry.sessions_measured, entry.sessions_used) = *counts;
            }
        }
    }
}

fn mean_of(sum: usize, count: usize) -> usize {
    (sum + count / 2).checked_div(count).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::injection;

    #[test]
    fn means_are_over_sessions_and_over_all_prompts() {
        let given = |session: &str, event: &str, tokens: usize, label: &str| Injection {
            session: session.to_owned(),
            event: event.to_owned(),
            tokens,
            chars: tokens * 4,
            entries: vec![injection::InjectedPart {
                label: label.to_owned(),
                chars: tokens * 4,
                tokens,
            }],
            at: 0,
            call: String::new(),
        };
        let ledger = [
            given("a", "session-start", 100, "index:global"),
            given("a", PROMPT, 50, "x.md"),
            given("b", PROMPT, 0, "x.md"),
            given("a", PROMPT, 250, "y.md"),
        ];
        let account = CostAccount::from_ledger(&ledger, 10);
        assert_eq!((account.prompts, account.prompts_with_memory), (3, 2));
        assert_eq!(account.tokens_per_prompt, 100);
        assert_eq!(account.tokens_per_session, 210);
        let dearest: Vec<_> = account
            .entries
            .iter()
            .map(|one| (&*one.label, one.times))
            .collect();
        assert_eq!(dearest, [("y.md", 1), ("index:global", 1), ("x.md", 2)]);
        let sessions: Vec<_> = account
            .sessions
            .iter()
            .map(|one| (&*one.id, one.tokens))
            .collect();
        assert_eq!(sessions, [("a", 400), ("b", 0)]);
        assert_eq!(CostAccount::from_ledger(&[], 10).tokens_per_session, 0);
    }
}
