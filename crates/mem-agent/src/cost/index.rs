//! What the indexes cost, which every session loads.

use crate::tokens::estimate_tokens;
use mem_core::Scope;
use mem_core::index::load_index;
use mem_core::location::ProjectContext;
use mem_core::memory::{ProjectMemory, ScopeDir};
use mem_core::notes::INDEX_FILE;
use serde_json::{Value, json};

use mem_core::plural::format_count;

/// The indexes of all tiers.
#[derive(Debug)]
pub struct IndexCost {
    tiers: Vec<TierCost>,
    context_tokens: usize,
    share_max: f64,
}

#[derive(Debug)]
struct TierCost {
    scope: Scope,
    lines: usize,
    tokens: usize,
    is_by_host: bool,
}

impl IndexCost {
    /// Estimates them, as they are loaded.
    pub fn for_memory(memory: &ProjectMemory, place: &ProjectContext) -> Self {
        let scopes = [Scope::Private, Scope::Team, Scope::Global].into_iter();
        let scopes = scopes.filter(|scope| !(memory.is_one() && *scope == Scope::Global));
        let tier = |scope: Scope| {
            let path = ScopeDir(scope).path(INDEX_FILE).ok()?;
            let bytes = memory.store(scope).read(&path).ok()??;
            let loaded = load_index(&bytes);
            Some(TierCost {
                scope,
                lines: loaded.lines,
                tokens: estimate_tokens(&loaded.text),
                is_by_host: scope == Scope::Private && place.location.is_loaded_by_host,
            })
        };
        let cost = &place.config.values.cost;
        Self {
            tiers: scopes.filter_map(tier).collect(),
            context_tokens: cost.context_tokens.max(1),
            share_max: cost.index_share.0,
        }
    }

    fn total_tokens(&self) -> usize {
        self.tiers.iter().map(|tier| tier.tokens).sum()
    }

    /// Those of the index that the host loads without us.
    pub fn tokens_by_host(&self) -> usize {
        let by_host = self.tiers.iter().filter(|tier| tier.is_by_host);
        by_host.map(|tier| tier.tokens).sum()
    }

    fn context_share(&self) -> f64 {
        self.total_tokens() as f64 / self.context_tokens as f64
    }

    fn is_over(&self) -> bool {
        self.context_share() > self.share_max
    }

    /// One line a tier.
    pub fn tier_lines(&self) -> Vec<String> {
        let line = |tier: &TierCost| {
            let by = if tier.is_by_host { "the host" } else { "mem" };
            let tokens = format_count(tier.tokens, "token", "tokens");
            let lines = format_count(tier.lines, "line", "lines");
            format!("index, {}: {tokens} in {lines}, loaded by {by}", tier.scope)
        };
        self.tiers.iter().map(line).collect()
    }

    /// What to do where they take too much.
    pub fn size_warning(&self) -> Option<String> {
        let percent = |share: f64| (share * 1_000.0).round() / 10.0;
        self.is_over().then(|| {
            format!(
                "the indexes take {} tokens of every session, {} % of a context of {} (over {} %, \
                 cost.index_share): shorten their lines, or `mem index fit`",
                self.total_tokens(),
                percent(self.context_share()),
                self.context_tokens,
                percent(self.share_max)
            )
        })
    }

    /// For `--json`.
    pub fn to_json(&self) -> Value {
        let tier = |tier: &TierCost| {
            json!({ "scope": tier.scope.as_str(), "lines": tier.lines, "tokens": tier.tokens,
                "by_host": tier.is_by_host })
        };
        json!({
            "tokens": self.total_tokens(),
            "share": self.context_share(),
            "share_max": self.share_max,
            "context_tokens": self.context_tokens,
            "is_over": self.is_over(),
            "tiers": self.tiers.iter().map(tier).collect::<Vec<_>>(),
        })
    }
}
