//! The entry of `mem mcp` in a client's list of servers: put into a JSON text, and taken out.

use jsonc_parser::cst::{CstInputValue, CstObject};

use super::hook_settings::is_mem;
use super::jsonc::{self, JsonFault};

/// The name of the entry.
pub(super) const NAME: &str = "mem";
/// The flag that lets a client only read.
pub(super) const READ_ONLY: &str = "--read-only";

/// What the entry says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ServerEntry {
    /// The program.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables that the client would not hand on.
    pub env: Vec<(String, String)>,
    /// Whether the client wants to be told that it speaks over standard input and output.
    pub is_typed: bool,
}

impl ServerEntry {
    fn args(&self) -> CstInputValue {
        let args: Vec<&str> = self.args.iter().map(String::as_str).collect();
        jsonc::texts_value(&args)
    }

    fn env(&self) -> Option<CstInputValue> {
        let env = self.env.iter();
        let env = env.map(|(name, value)| (name.clone(), CstInputValue::String(value.clone())));
        (!self.env.is_empty()).then(|| CstInputValue::Object(env.collect()))
    }
}

/// The text with the entry under `list`, once.
///
/// # Errors
/// The text is broken or of another shape; the name is another program's.
pub(super) fn install(text: &str, list: &str, server: &ServerEntry) -> Result<String, JsonFault> {
    let (root, top) = jsonc::parse(text)?;
    let found = jsonc::object(&top, list)?;
    let entry = found.map(|servers| jsonc::object(&servers, NAME));
    match entry.transpose()?.flatten() {
        Some(entry) => {
            require_ours(&entry)?;
            if jsonc::text(&entry, "command").as_deref() != Some(&server.command) {
                jsonc::set(&entry, "command", server.command.as_str().into());
            }
            if let Some(args) = missing(server, jsonc::texts(&entry, "args")) {
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                jsonc::set(&entry, "args", jsonc::texts_value(&args));
            }
        }
        None => {
            let kind = server
                .is_typed
                .then(|| ("type", CstInputValue::from("stdio")));
            let command = ("command", server.command.as_str().into());
            let fields = kind.into_iter().chain([command, ("args", server.args())]);
            let fields = fields.chain(server.env().map(|env| ("env", env)));
            let fields = fields.map(|(key, value)| (key.to_owned(), value)).collect();
            let servers = jsonc::object_or_new(&top, list)?;
            servers.append(NAME, CstInputValue::Object(fields));
        }
    }
    Ok(root.to_string())
}

/// The arguments of an entry with what it lacks; `None` where it lacks nothing. What its owner has
/// added stays.
pub(super) fn missing(server: &ServerEntry, args: Option<Vec<String>>) -> Option<Vec<String>> {
    let mut args = args.unwrap_or_default();
    let is_wanted = server.args.iter().any(|arg| arg == READ_ONLY);
    if !is_wanted || args.iter().any(|arg| arg == READ_ONLY) {
        return None;
    }
    args.push(READ_ONLY.to_owned());
    Some(args)
}

/// The text without the entry, and without the list that it alone was in, unless `before`, the text before the install,
/// has that list.
///
/// # Errors
/// As [`install`].
pub(super) fn uninstall(text: &str, list: &str, before: Option<&str>) -> Result<String, JsonFault> {
    let (root, top) = jsonc::parse(text)?;
    let Some(servers) = jsonc::object(&top, list)? else {
        return Ok(text.to_owned());
    };
    let Some(entry) = jsonc::object(&servers, NAME)? else {
        return Ok(text.to_owned());
    };
    if require_ours(&entry).is_err() {
        return Ok(text.to_owned());
    }
    jsonc::remove(&servers, NAME);
    if servers.properties().is_empty() && jsonc::object_before(before, list).is_none() {
        jsonc::remove(&top, list);
    }
    Ok(root.to_string())
}

/// The program that our entry in a text runs; nothing where there is none of ours.
pub(super) fn program(text: &str, list: &str) -> Option<String> {
    let (_, top) = jsonc::parse(text).ok()?;
    let servers = jsonc::object(&top, list).ok()??;
    let entry = jsonc::object(&servers, NAME).ok()??;
    require_ours(&entry).ok()?;
    jsonc::text(&entry, "command")
}

/// Ours is what runs `mem`, with `mcp` among its arguments.
fn require_ours(entry: &CstObject) -> Result<(), JsonFault> {
    let command = jsonc::text(entry, "command").unwrap_or_default();
    let args = jsonc::texts(entry, "args").unwrap_or_default();
    match is_mem(&command) && args.iter().any(|arg| arg == "mcp") {
        true => Ok(()),
        false => Err(JsonFault::Taken(command)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn uninstall(text: &str, list: &str) -> Result<String, JsonFault> {
        super::uninstall(text, list, None)
    }

    fn server(command: &str) -> ServerEntry {
        ServerEntry {
            command: command.to_owned(),
            args: vec!["mcp".to_owned()],
            env: Vec::new(),
            is_typed: true,
        }
    }

    #[test]
    fn an_entry_is_put_in_once_follows_the_program_and_goes() {
        let with = install("", "mcpServers", &server("/a/mem")).unwrap();
        let wanted =
            json!({"mcpServers": {"mem": {"type": "stdio", "command": "/a/mem", "args": ["mcp"]}}});
        assert_eq!(serde_json::from_str::<Value>(&with).unwrap(), wanted);
        assert_eq!(
            install(&with, "mcpServers", &server("/a/mem")).unwrap(),
            with
        );
        let moved = install(&with, "mcpServers", &server("/b/mem")).unwrap();
        assert_eq!(moved, with.replace("/a/mem", "/b/mem"));
        assert_eq!(program(&moved, "mcpServers").as_deref(), Some("/b/mem"));
        assert_eq!(program(&moved, "servers"), None);
        assert_eq!(uninstall(&moved, "mcpServers").unwrap().trim(), "{}");
    }

    #[test]
    fn other_servers_and_another_program_of_the_name_stay() {
        let text =
            "{\n  \"mcpServers\": {\n    // theirs\n    \"x\": {\"command\": \"x\"}\n  }\n}\n";
        let with = install(text, "mcpServers", &server("/a/mem")).unwrap();
        assert!(with.contains("// theirs") && with.contains("\"x\": {\"command\": \"x\"}"));
        assert_eq!(uninstall(&with, "mcpServers").unwrap(), text);
        let taken = r#"{"mcpServers": {"mem": {"command": "npx", "args": ["mem"]}}}"#;
        let fault = install(taken, "mcpServers", &server("/a/mem"));
        assert_eq!(fault, Err(JsonFault::Taken("npx".to_owned())));
        assert_eq!(uninstall(taken, "mcpServers").unwrap(), taken);
        let taken = taken
            .replace("npx", "mem-graph")
            .replace("[\"mem\"]", "[\"mcp\"]");
        let fault = install(&taken, "mcpServers", &server("/a/mem"));
        assert_eq!(fault, Err(JsonFault::Taken("mem-graph".to_owned())));
        assert_eq!(uninstall(&taken, "mcpServers").unwrap(), taken);
    }
}
