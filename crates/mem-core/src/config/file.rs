//! Reading `config.toml`.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use toml_edit::{Document, Item, TableLike, Value as TomlValue};

use super::Setting;
use crate::limits::SETTINGS_BYTES_MAX;
use crate::regular_file;

use super::error::ConfigError;
use super::key::SettingKey;
use super::origin::SettingOrigin;
use super::settings::KEYS;
use super::value::SettingValue;

/// The table of tables, one for each repository.
pub(super) const REPOSITORY: &str = "repository";

/// What a file says for one repository.
#[derive(Default)]
pub(super) struct LoadedSettings {
    pub(super) settings: BTreeMap<&'static str, Setting>,
    pub(super) warnings: Vec<String>,
}

/// The file's text; `None` when there is no such file.
pub(super) fn read(path: &Path) -> Result<Option<String>, ConfigError> {
    let text = regular_file::read(path, SETTINGS_BYTES_MAX)
        .and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
    regular_file::if_there(text).map_err(|source| ConfigError::Read {
        path: path.to_owned(),
        source,
    })
}

/// Parses a settings file, as it counts for `repository`.
pub(super) fn parse(
    path: &Path,
    text: &str,
    repository: Option<&Path>,
    home: Option<&Path>,
) -> Result<LoadedSettings, ConfigError> {
    let document = Document::parse(text).map_err(|error| ConfigError::Syntax {
        path: path.to_owned(),
        line: line_at(text, error.span().map_or(0, |span| span.start)),
        message: error.message().to_owned(),
    })?;
    let mut reader = SettingsReader {
        path,
        text,
        in_repository: false,
        loaded: LoadedSettings::default(),
    };
    for (name, item) in document.iter().filter(|(name, _)| *name != REPOSITORY) {
        reader.item(name, item)?;
    }
    let tables = document.get(REPOSITORY).and_then(Item::as_table_like);
    if let (Some(tables), Some(repository)) = (tables, repository) {
        reader.in_repository = true;
        for (_, table) in tables
            .iter()
            .filter(|(name, _)| names(name, repository, home))
        {
            reader.tables("", table.as_table_like())?;
        }
    }
    Ok(reader.loaded)
}

/// What a key is in the tables of the repositories, by their names; what is wrong there is not told.
pub(super) fn in_repositories(text: &str, key: &str) -> Vec<(String, SettingValue)> {
    let Ok(document) = Document::parse(text) else {
        return Vec::new();
    };
    let tables = document.get(REPOSITORY).and_then(Item::as_table_like);
    let tables = tables.into_iter().flat_map(TableLike::iter);
    let value = |table: &Item| {
        let mut reader = SettingsReader {
            path: Path::new(""),
            text,
            in_repository: true,
            loaded: LoadedSettings::default(),
        };
        reader.tables("", table.as_table_like()).ok()?;
        reader.loaded.settings.remove(key)
    };
    tables
        .filter_map(|(name, table)| Some((name.to_owned(), value(table)?.value)))
        .collect()
}

/// Whether a table's name, absolute or `~/`, is the repository's root.
pub(super) fn names(name: &str, repository: &Path, home: Option<&Path>) -> bool {
    match (name.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest) == repository,
        _ => Path::new(name) == repository,
    }
}

struct SettingsReader<'a> {
    path: &'a Path,
    text: &'a str,
    in_repository: bool,
    loaded: LoadedSettings,
}

impl SettingsReader<'_> {
    fn tables(&mut self, prefix: &str, table: Option<&dyn TableLike>) -> Result<(), ConfigError> {
        for (name, item) in table.into_iter().flat_map(TableLike::iter) {
            self.item(&format!("{prefix}{name}"), item)?;
        }
        Ok(())
    }

    fn item(&mut self, name: &str, item: &Item) -> Result<(), ConfigError> {
        if let Some(key) = KEYS.iter().find(|key| key.name == name) {
            return self.value(key, item);
        }
        if let Some(table) = item.as_table_like() {
            return self.tables(&format!("{name}."), Some(table));
        }
        let hint = SettingKey::nearest(name)
            .map(|nearest| format!(" (did you mean `{nearest}`?)"))
            .unwrap_or_default();
        let place = self.place(item);
        self.loaded
            .warnings
            .push(format!("{place}: `{name}` is not a setting{hint}"));
        Ok(())
    }

    fn value(&mut self, key: &'static SettingKey, item: &Item) -> Result<(), ConfigError> {
        let found = item.as_value().and_then(SettingValue::from_toml);
        let Some(value) = found.filter(|value| key.takes(value)) else {
            return Err(key.wrong(&self.place(item), &shown(item)));
        };
        let (path, line) = (self.path.to_owned(), self.line(item));
        let origin = if self.in_repository {
            SettingOrigin::Repository { path, line }
        } else {
            SettingOrigin::File { path, line }
        };
        self.loaded
            .settings
            .insert(key.name, Setting { value, origin });
        Ok(())
    }

    fn line(&self, item: &Item) -> usize {
        line_at(self.text, item.span().map_or(0, |span| span.start))
    }

    fn place(&self, item: &Item) -> String {
        format!("`{}` line {}", self.path.display(), self.line(item))
    }
}

/// The line of a byte, counted from 1.
fn line_at(text: &str, byte: usize) -> usize {
    let before = text.as_bytes().iter().take(byte);
    1 + before.filter(|byte| **byte == b'\n').count()
}

/// A value that a key does not take, as an error names it.
fn shown(item: &Item) -> String {
    match item.as_value() {
        Some(TomlValue::String(text)) => format!("\"{}\"", text.value()),
        Some(TomlValue::Integer(number)) => format!("the number {}", number.value()),
        Some(TomlValue::Float(number)) => format!("the number {}", number.value()),
        Some(value) => value.type_name().to_owned(),
        None => "a table".to_owned(),
    }
}
