//! `memory_search`.

use crate::CallError;
use mem_core::{MemoryType, Scope};
use mem_find::encoder::ChosenEncoder;
use mem_find::search::{MemorySearch, SearchHit, find_memories};
use mem_find::settings;
use mem_recall::RankFilter;
use serde::Deserialize;
use serde_json::{Value, json};

use super::mcp_call::McpCall;
use super::shape;

const LIMIT_DEFAULT: usize = 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct McpSearchArguments {
    query: String,
    #[serde(rename = "type")]
    kind: Option<MemoryType>,
    limit: Option<usize>,
}

/// The notes that have to do with the query, the best first.
pub(super) fn call_search(
    arguments: McpSearchArguments,
    desk: &McpCall,
) -> Result<Value, CallError> {
    let kinds = arguments.kind.map(MemoryType::as_str);
    let search = MemorySearch {
        text: arguments.query,
        filter: RankFilter {
            kinds: kinds.into_iter().map(str::to_owned).collect(),
            scopes: scope_names(desk),
            expired: true,
            ..RankFilter::default()
        },
        since: None,
        is_sifted: false,
        limit: arguments.limit.unwrap_or(LIMIT_DEFAULT),
        encoder: ChosenEncoder::choose(desk.run().dirs()?).encoder,
        weights: settings::rank_weights(&desk.place.config),
    };
    let storing = settings::storing_mode(&desk.place.config);
    let now = desk.run().now;
    let found = find_memories(&search, &desk.memory, now, storing, &|_| true)?;
    let memories = found.hits.iter().map(|one| hit_json(one, desk));
    // The index is of all tiers, and its warnings name files.
    let is_of_all = Scope::ALL.iter().all(|one| desk.terms.scopes.contains(one));
    let warnings = found.warnings.iter().filter(|_| is_of_all);
    Ok(json!({
        "memories": memories.collect::<Vec<_>>(),
        "warnings": warnings.collect::<Vec<_>>(),
    }))
}

/// The tiers as the index knows them.
pub(super) fn scope_names(desk: &McpCall) -> Vec<String> {
    let names = desk.terms.scopes.iter().map(|scope| Scope::as_str(*scope));
    names.map(str::to_owned).collect()
}

fn hit_json(one: &SearchHit, desk: &McpCall) -> Value {
    let snippets = one.snippets.iter();
    let snippets = snippets.map(|one| json!({ "line": one.line, "text": one.text }));
    let more = json!({
        "score": one.score.map(shape::rounded_number),
        "snippets": snippets.collect::<Vec<_>>(),
    });
    shape::note_with(&one.note, desk.run().now, more)
}
