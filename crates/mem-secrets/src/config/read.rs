//! Reads the TOML of a configuration. Keys that are not known are left alone,
//! as gitleaks does: configurations are shared between versions.

use regex::bytes::Regex;
use toml_edit::{Document, Item, Table, TableLike};

use super::allowlist::{Allowlist, AllowlistTarget};
use super::custom::{CustomRule, Required};
use super::error::{RuleProblem, RulesConfigError};
use super::{Config, expression};
use crate::finding::Confidence;

/// Largest configuration that is parsed.
const CONFIG_BYTES_MAX: usize = 4 << 20;

/// What betterleaks decides by expressions, which are not evaluated here: whatever they would drop is reported.
const EXPRESSIONS: [&str; 2] = ["filter", "prefilter"];

type Tables<'a> = Vec<(usize, &'a dyn TableLike)>;

/// Where in the text something is, for errors.
struct RuleReader<'a> {
    text: &'a str,
    rule: Option<String>,
}

pub(super) fn config(text: &str) -> Result<Config, RulesConfigError> {
    let mut reader = RuleReader { text, rule: None };
    if text.len() > CONFIG_BYTES_MAX {
        return Err(reader.error(0, RuleProblem::Size(CONFIG_BYTES_MAX)));
    }
    let document: Document<&str> = Document::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        reader.error(at, RuleProblem::Syntax(error.message().to_owned()))
    })?;
    reader.all(document.as_table())
}

impl RuleReader<'_> {
    fn all(&mut self, root: &Table) -> Result<Config, RulesConfigError> {
        let mut config = Config::default();
        if let Some(extend) = root.get("extend").and_then(Item::as_table_like) {
            config.extends = self.string(extend, "path")?;
            config.disabled = self.strings(extend, "disabledRules")?;
        }
        for (at, table) in self
            .tables(root, "rules")
            .into_iter()
            .chain(self.tables(root, "rule"))
        {
            self.rule = None;
            let rule = self.rule(at, table)?;
            config.rules.extend(rule);
        }
        config.has_expressions = EXPRESSIONS.iter().any(|key| {
            let rules = self.tables(root, "rules");
            root.contains_key(key) || rules.iter().any(|(_, rule)| rule.contains_key(key))
        });
        self.rule = None;
        config.allowlists = self.allowlists(root, &["allowlist", "allowlists"])?;
        for (at, table) in self.tables(root, "allow") {
            let text = self.string(table, "fingerprint")?.unwrap_or_default();
            let print = text
                .parse()
                .map_err(|e| self.error(at, RuleProblem::Fingerprint(format!("{e}"))))?;
            config.allows.push(print);
        }
        Ok(config)
    }

    /// A rule; nothing for an entry that only adjusts a rule that is extended.
    fn rule(
        &mut self,
        at: usize,
        table: &dyn TableLike,
    ) -> Result<Option<CustomRule>, RulesConfigError> {
        let id = self
            .string(table, "id")?
            .ok_or_else(|| self.error(at, RuleProblem::NoId))?;
        self.rule = Some(id.clone());
        let regex = self.regex(table, "regex")?;
        let path = self.regex(table, "path")?;
        let group = self.number(table, "secretGroup")?.unwrap_or(0.0) as usize;
        if regex
            .as_ref()
            .is_some_and(|regex| group >= regex.captures_len())
        {
            return Err(self.error(at, RuleProblem::Group(group)));
        }
        let allowlists = self.allowlists(table, &["allowlist", "allowlists"])?;
        let keywords = self.strings(table, "keywords")?;
        let silent = self.boolean(table, "skipReport")?;
        Ok(Some(CustomRule {
            regex,
            path,
            group,
            entropy: self.number(table, "entropy")?.unwrap_or(0.0) as f32,
            keywords: keywords.iter().map(|word| word.to_lowercase()).collect(),
            allowlists,
            required: self.required(table)?,
            silent,
            confidence: self.confidence(table)?,
            id,
            at_line: self.line(at),
        }))
    }

    fn confidence(&self, table: &dyn TableLike) -> Result<Option<Confidence>, RulesConfigError> {
        match self.word(table, "confidence")?.as_str() {
            "" => Ok(None),
            "low" => Ok(Some(Confidence::Low)),
            "medium" => Ok(Some(Confidence::Medium)),
            "high" => Ok(Some(Confidence::High)),
            _ => Err(self.unexpected(table, "confidence", "`low`, `medium` or `high`")),
        }
    }

    /// The rules that must have found something nearby, in the notation of gitleaks, or of betterleaks where that is
    /// there.
    fn required(&self, table: &dyn TableLike) -> Result<Vec<Required>, RulesConfigError> {
        match table.contains_key("components") {
            true => self.components(table),
            false => self.required_rules(table),
        }
    }

    fn components(&self, table: &dyn TableLike) -> Result<Vec<Required>, RulesConfigError> {
        let mut needed = Vec::new();
        for (at, component) in self.tables(table, "components") {
            let id = self
                .string(component, "id")?
                .ok_or_else(|| self.error(at, RuleProblem::RequiredId))?;
            if self.boolean(component, "optional")? {
                continue;
            }
            let within = self.string(component, "within")?.unwrap_or_default();
            let (lines, columns) = reach(&within)
                .ok_or_else(|| self.unexpected(component, "within", "`5L`, `100C` or `-2L,+4C`"))?;
            needed.push(Required {
                id,
                at_line: self.line(at),
                lines,
                columns,
            });
        }
        Ok(needed)
    }

    fn required_rules(&self, table: &dyn TableLike) -> Result<Vec<Required>, RulesConfigError> {
        let read = |(at, table): (usize, &dyn TableLike)| {
            let id = self
                .string(table, "id")?
                .ok_or_else(|| self.error(at, RuleProblem::RequiredId))?;
            let lines = self
                .number(table, "withinLines")?
                .map(|number| number as u64);
            let columns = self
                .number(table, "withinColumns")?
                .map(|number| number as u64);
            let at_line = self.line(at);
            Ok(Required {
                id,
                at_line,
                lines,
                columns,
            })
        };
        self.tables(table, "required")
            .into_iter()
            .map(read)
            .collect()
    }

    fn allowlists(
        &self,
        table: &dyn TableLike,
        keys: &[&str],
    ) -> Result<Vec<Allowlist>, RulesConfigError> {
        let tables = keys.iter().flat_map(|key| self.tables(table, key));
        tables
            .map(|(at, table)| self.allowlist(at, table))
            .collect()
    }

    fn allowlist(&self, at: usize, table: &dyn TableLike) -> Result<Allowlist, RulesConfigError> {
        let all = match self.word(table, "condition")?.as_str() {
            "" | "or" | "||" => false,
            "and" | "&&" => true,
            _ => return Err(self.unexpected(table, "condition", "`AND` or `OR`")),
        };
        let target = match self.word(table, "regexTarget")?.as_str() {
            "" | "secret" => AllowlistTarget::Secret,
            "match" => AllowlistTarget::Match,
            "line" => AllowlistTarget::Line,
            _ => return Err(self.unexpected(table, "regexTarget", "`secret`, `match` or `line`")),
        };
        let allowlist = Allowlist {
            commits: self.strings(table, "commits")?,
            paths: self.regexes(table, "paths")?,
            regexes: self.regexes(table, "regexes")?,
            stopwords: self
                .strings(table, "stopwords")?
                .iter()
                .map(|word| word.to_lowercase())
                .collect(),
            rules: self.strings(table, "targetRules")?,
            target,
            all,
        };
        if allowlist.is_empty() {
            Err(self.error(at, RuleProblem::AllowsNothing))
        } else {
            Ok(allowlist)
        }
    }

    /// The tables under a key, whether it is one table or an array of them.
    fn tables<'t>(&self, table: &'t dyn TableLike, key: &str) -> Tables<'t> {
        let Some(item) = table.get(key) else {
            return Vec::new();
        };
        let place = |span: Option<std::ops::Range<usize>>| span.map_or(0, |span| span.start);
        if let Some(array) = item.as_array_of_tables() {
            return array
                .iter()
                .map(|table| (place(table.span()), table as &dyn TableLike))
                .collect();
        }
        if let Some(array) = item.as_array() {
            let inline = array.iter().filter_map(|value| value.as_inline_table());
            return inline
                .map(|table| (place(table.span()), table as &dyn TableLike))
                .collect();
        }
        item.as_table_like()
            .map(|table| (place(item.span()), table))
            .into_iter()
            .collect()
    }

    fn regex(&self, table: &dyn TableLike, key: &str) -> Result<Option<Regex>, RulesConfigError> {
        let Some(pattern) = self
            .string(table, key)?
            .filter(|pattern| !pattern.is_empty())
        else {
            return Ok(None);
        };
        self.compile(table, key, &pattern).map(Some)
    }

    fn regexes(&self, table: &dyn TableLike, key: &str) -> Result<Vec<Regex>, RulesConfigError> {
        let patterns = self.strings(table, key)?;
        patterns
            .iter()
            .map(|pattern| self.compile(table, key, pattern))
            .collect()
    }

    fn compile(
        &self,
        table: &dyn TableLike,
        key: &str,
        pattern: &str,
    ) -> Result<Regex, RulesConfigError> {
        let wrong = |reason| RuleProblem::Expression {
            key: key.to_owned(),
            reason,
        };
        expression::compile(pattern).map_err(|reason| self.error(start(table, key), wrong(reason)))
    }

    fn string(&self, table: &dyn TableLike, key: &str) -> Result<Option<String>, RulesConfigError> {
        let Some(item) = table.get(key) else {
            return Ok(None);
        };
        let text = item
            .as_str()
            .ok_or_else(|| self.wrong_type(table, key, "a string"))?;
        Ok(Some(text.to_owned()))
    }

    /// A word in lower case; empty when it is not there.
    fn word(&self, table: &dyn TableLike, key: &str) -> Result<String, RulesConfigError> {
        Ok(self.string(table, key)?.unwrap_or_default().to_lowercase())
    }

    fn unexpected(
        &self,
        table: &dyn TableLike,
        key: &str,
        expected: &'static str,
    ) -> RulesConfigError {
        let value = table
            .get(key)
            .and_then(Item::as_str)
            .unwrap_or_default()
            .to_owned();
        self.error(
            start(table, key),
            RuleProblem::Word {
                key: key.to_owned(),
                value,
                expected,
            },
        )
    }

    fn strings(&self, table: &dyn TableLike, key: &str) -> Result<Vec<String>, RulesConfigError> {
        let Some(item) = table.get(key) else {
            return Ok(Vec::new());
        };
        let wrong = || self.wrong_type(table, key, "a list of strings");
        let array = item.as_array().ok_or_else(wrong)?;
        array
            .iter()
            .map(|value| value.as_str().map(str::to_owned).ok_or_else(wrong))
            .collect()
    }

    fn number(&self, table: &dyn TableLike, key: &str) -> Result<Option<f64>, RulesConfigError> {
        let Some(item) = table.get(key) else {
            return Ok(None);
        };
        let number = item
            .as_float()
            .or(item.as_integer().map(|whole| whole as f64));
        let number = number.filter(|number| (0.0..1e9).contains(number));
        number
            .map(Some)
            .ok_or_else(|| self.wrong_type(table, key, "a number"))
    }

    fn boolean(&self, table: &dyn TableLike, key: &str) -> Result<bool, RulesConfigError> {
        let Some(item) = table.get(key) else {
            return Ok(false);
        };
        item.as_bool()
            .ok_or_else(|| self.wrong_type(table, key, "true or false"))
    }

    fn wrong_type(
        &self,
        table: &dyn TableLike,
        key: &str,
        expected: &'static str,
    ) -> RulesConfigError {
        self.error(
            start(table, key),
            RuleProblem::Type {
                key: key.to_owned(),
                expected,
            },
        )
    }

    fn line(&self, at: usize) -> usize {
        let before = &self.text.as_bytes()[..at.min(self.text.len())];
        before.iter().filter(|byte| **byte == b'\n').count() + 1
    }

    fn error(&self, at: usize, problem: RuleProblem) -> RulesConfigError {
        RulesConfigError {
            line: self.line(at),
            rule: self.rule.clone(),
            problem,
        }
    }
}

/// How many lines and columns away a component may be: `5L` is the line itself and four more, `100C` are columns. Of
/// two signed reaches the longer one counts.
fn reach(within: &str) -> Option<(Option<u64>, Option<u64>)> {
    let (mut lines, mut columns) = (None, None);
    for part in within
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        let number = part.trim_start_matches(['-', '+']);
        let (count, unit) = number.split_at_checked(number.len().checked_sub(1)?)?;
        let count: u64 = count.parse().ok()?;
        match unit {
            "L" => lines = lines.max(Some(count.saturating_sub(1))),
            "C" => columns = columns.max(Some(count)),
            _ => return None,
        }
    }
    Some((lines, columns))
}

/// Where the value of a key begins in the text.
fn start(table: &dyn TableLike, key: &str) -> usize {
    table
        .get(key)
        .and_then(Item::span)
        .map_or(0, |span| span.start)
}
