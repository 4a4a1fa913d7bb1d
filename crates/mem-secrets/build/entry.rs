//! Reads one entry of a rule file. Unknown keys are errors: a misspelt
//! `entropy` would otherwise be a rule without one.

use toml_edit::{Document, Item, Table};

const KEYS: [&str; 17] = [
    "id",
    "description",
    "keywords",
    "kind",
    "pattern",
    "group",
    "before",
    "after",
    "detector",
    "severity",
    "entropy",
    "check",
    "path",
    "exact",
    "true",
    "example_path",
    "lead",
];

pub(crate) struct Entry {
    pub(crate) id: String,
    pub(crate) family: String,
    pub(crate) description: String,
    pub(crate) keywords: Vec<String>,
    pub(crate) kind: String,
    pub(crate) pattern: String,
    pub(crate) group: i64,
    pub(crate) before: i64,
    pub(crate) after: i64,
    pub(crate) detector: String,
    pub(crate) severity: String,
    pub(crate) entropy: f64,
    pub(crate) check: String,
    pub(crate) path: Option<String>,
    pub(crate) exact: bool,
    pub(crate) lead: Option<i64>,
}

pub(crate) fn parse(family: &str, text: &str) -> Result<Vec<Entry>, String> {
    let document: Document<String> = text.parse().map_err(|e| format!("{e}"))?;
    let rules = document.get("rule").and_then(Item::as_array_of_tables);
    let rules = rules.ok_or("no [[rule]]")?;
    rules.iter().map(|table| entry(family, table)).collect()
}

fn entry(family: &str, table: &Table) -> Result<Entry, String> {
    let id = string(table, "id").ok_or("a rule without an id")?;
    let unknown = table
        .iter()
        .find(|(key, _)| !KEYS.contains(key) && *key != "false");
    if let Some((key, _)) = unknown {
        return Err(format!("rule `{id}`: unknown key `{key}`"));
    }
    let number = |key: &str, default| table.get(key).and_then(Item::as_integer).unwrap_or(default);
    let entropy = table.get("entropy");
    Ok(Entry {
        family: family.to_owned(),
        description: string(table, "description").ok_or(format!("rule `{id}`: no description"))?,
        keywords: strings(table, "keywords"),
        kind: string(table, "kind").unwrap_or_else(|| "token".to_owned()),
        pattern: string(table, "pattern").unwrap_or_default(),
        group: number("group", 0),
        before: number("before", 64),
        after: number("after", 512),
        detector: string(table, "detector").unwrap_or_default(),
        severity: string(table, "severity").unwrap_or_else(|| "high".to_owned()),
        entropy: entropy
            .and_then(|item| {
                item.as_float()
                    .or(item.as_integer().map(|whole| whole as f64))
            })
            .unwrap_or(0.0),
        check: string(table, "check").unwrap_or_else(|| "none".to_owned()),
        path: string(table, "path"),
        lead: table.get("lead").and_then(Item::as_integer),
        exact: table.get("exact").and_then(Item::as_bool).unwrap_or(false),
        id,
    })
}

fn string(table: &Table, key: &str) -> Option<String> {
    table.get(key).and_then(Item::as_str).map(str::to_owned)
}

fn strings(table: &Table, key: &str) -> Vec<String> {
    let array = table.get(key).and_then(Item::as_array);
    let items = array.into_iter().flat_map(|array| array.iter());
    items
        .filter_map(|item| item.as_str())
        .map(str::to_owned)
        .collect()
}
