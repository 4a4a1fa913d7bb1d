//! The entry of `mem mcp` in Codex's `config.toml`: `[mcp_servers.mem]`.

use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, value};

use super::hook_settings::is_mem;
use super::jsonc::JsonFault;
use super::servers::{NAME, ServerEntry, missing};

const LIST: &str = "mcp_servers";

/// The text with the entry, once. Comments, order and line ends stay.
///
/// # Errors
/// The text is broken or of another shape; the name is another program's.
pub(super) fn install(text: &str, server: &ServerEntry) -> Result<String, JsonFault> {
    let mut document = parse(text)?;
    if let Some(entry) = entry(&mut document)? {
        require_ours(entry)?;
        entry.insert("command", value(&server.command));
        if let Some(args) = missing(server, texts(entry)) {
            entry.insert("args", value(Array::from_iter(args)));
        }
        return Ok(finished(text, &document));
    }
    let mut new = Table::new();
    new.insert("command", value(&server.command));
    new.insert("args", value(Array::from_iter(&server.args)));
    if !server.env.is_empty() {
        let env = server.env.iter().map(|(name, text)| (name, text.as_str()));
        new.insert("env", value(InlineTable::from_iter(env)));
    }
    let servers = document.entry(LIST).or_insert_with(|| {
        let mut servers = Table::new();
        servers.set_implicit(true);
        Item::Table(servers)
    });
    let servers = servers.as_table_like_mut().ok_or_else(not_a_table)?;
    servers.insert(NAME, Item::Table(new));
    Ok(finished(text, &document))
}

/// The text without the entry.
///
/// # Errors
/// As [`install`].
pub(super) fn uninstall(text: &str) -> Result<String, JsonFault> {
    let mut document = parse(text)?;
    if entry(&mut document)?.is_none_or(|entry| require_ours(entry).is_err()) {
        return Ok(text.to_owned());
    }
    let servers = document.get_mut(LIST).and_then(Item::as_table_like_mut);
    let is_empty = servers.is_some_and(|servers| {
        servers.remove(NAME);
        servers.is_empty()
    });
    if is_empty {
        document.remove(LIST);
    }
    Ok(finished(text, &document))
}

/// The program that our entry in a text runs; nothing where there is none of ours.
pub(super) fn program(text: &str) -> Option<String> {
    let mut document = parse(text).ok()?;
    let entry = entry(&mut document).ok()??;
    require_ours(entry).ok()?;
    entry
        .get("command")
        .and_then(Item::as_str)
        .map(str::to_owned)
}

fn parse(text: &str) -> Result<DocumentMut, JsonFault> {
    text.parse()
        .map_err(|error: toml_edit::TomlError| JsonFault::Broken(error.message().to_owned()))
}

fn not_a_table() -> JsonFault {
    JsonFault::Shape(LIST.to_owned(), "is not a table")
}

fn entry(document: &mut DocumentMut) -> Result<Option<&mut dyn TableLike>, JsonFault> {
    let Some(servers) = document.get_mut(LIST) else {
        return Ok(None);
    };
    let servers = servers.as_table_like_mut().ok_or_else(not_a_table)?;
    let Some(entry) = servers.get_mut(NAME) else {
        return Ok(None);
    };
    entry.as_table_like_mut().ok_or_else(not_a_table).map(Some)
}

fn require_ours(entry: &dyn TableLike) -> Result<(), JsonFault> {
    let command = entry
        .get("command")
        .and_then(Item::as_str)
        .unwrap_or_default();
    let is_mcp = texts(entry).is_some_and(|args| args.iter().any(|arg| arg == "mcp"));
    match is_mem(command) && is_mcp {
        true => Ok(()),
        false => Err(JsonFault::Taken(command.to_owned())),
    }
}

/// The arguments of an entry.
fn texts(entry: &dyn TableLike) -> Option<Vec<String>> {
    let args = entry.get("args").and_then(Item::as_array)?;
    let text = |arg: &toml_edit::Value| arg.as_str().map(str::to_owned);
    args.iter().map(text).collect()
}

/// The document with the line ends of the text that it came from.
fn finished(text: &str, document: &DocumentMut) -> String {
    let new = document.to_string();
    match text.contains("\r\n") {
        true => new.replace("\r\n", "\n").replace('\n', "\r\n"),
        false => new,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(command: &str) -> ServerEntry {
        ServerEntry {
            command: command.to_owned(),
            args: vec!["mcp".to_owned()],
            env: Vec::new(),
            is_typed: false,
        }
    }

    #[test]
    fn an_entry_is_put_in_once_follows_the_program_and_goes() {
        let text =
            "# mine\r\nmodel = \"x\" # why\r\n\r\n[mcp_servers.other]\r\ncommand = \"o\"\r\n";
        let with = install(text, &server("/a/mem")).unwrap();
        let added = "[mcp_servers.mem]\r\ncommand = \"/a/mem\"\r\nargs = [\"mcp\"]\r\n";
        assert!(with.starts_with(text) && with.ends_with(added), "{with:?}");
        assert_eq!(install(&with, &server("/a/mem")).unwrap(), with);
        let moved = install(&with, &server("/b/mem")).unwrap();
        assert_eq!(moved, with.replace("/a/mem", "/b/mem"));
        assert_eq!(program(&moved).as_deref(), Some("/b/mem"));
        assert_eq!(uninstall(&moved).unwrap(), text);
        let alone = install("", &server("/a/mem")).unwrap();
        assert_eq!(uninstall(&alone).unwrap(), "");
    }

    #[test]
    fn what_is_another_s_stays() {
        let taken = "[mcp_servers.mem]\ncommand = \"x\"\n";
        let fault = install(taken, &server("/a/mem"));
        assert_eq!(fault, Err(JsonFault::Taken("x".to_owned())));
        assert_eq!(uninstall(taken).unwrap(), taken);
        assert!(install("mcp_servers = 7", &server("/a/mem")).is_err());
        assert!(install("a = ", &server("/a/mem")).is_err());
    }
}
