//! Sessions of opencode: rows of its database, read as a transcript of Claude Code's lines that begins with a head of its
//! own. Seen in what 1.18.33 writes; the database is opened for reading only.
//!
//! ```text
//! ~/.local/share/opencode/opencode.db
//!   session   id, parent_id, directory, title, time_updated (milliseconds)
//!   message   session_id, time_created, data: role, time {completed}, path {cwd}, summary, error
//!   part      message_id, data: type text | tool {tool, callID, state {input, output, error}} | compaction | ..
//! ```
//!
//! A session has no file, but a path like one, which everything else passes on: `DATABASE/ID.jsonl`. A cursor into it
//! holds as long as what stands before it does: a message counts once it is whole, and a title, which changes, takes the
//! same room whatever it is.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags, OptionalExtension as _};
use serde_json::{Map, Value, json};

/// The folder of programs' data, in the home directory; `XDG_DATA_HOME` names another.
pub(crate) const DATA_FOLDER: &str = ".local/share";
/// The database, in the folder of programs' data.
pub(crate) const DATABASE: &str = "opencode/opencode.db";
/// Its name.
const DATABASE_NAME: &str = "opencode.db";
/// What the head's `type` says.
const HEAD: &str = "opencode";
/// The program writes while it is read.
const PATIENCE: Duration = Duration::from_secs(1);
/// A longer session is read up to here.
const BYTES_MAX: usize = 256 << 20;
/// The room of a title's line.
const TITLE_BYTES: usize = 512;
/// Its own tools; others are of MCP servers, whose names it does not mark.
const OWN_TOOLS: [&str; 24] = [
    "apply_patch",
    "bash",
    "batch",
    "codesearch",
    "edit",
    "glob",
    "grep",
    "invalid",
    "list",
    "lsp",
    "multiedit",
    "patch",
    "plan_enter",
    "plan_exit",
    "question",
    "read",
    "skill",
    "task",
    "todoread",
    "todowrite",
    "webfetch",
    "websearch",
    "write",
    "StructuredOutput",
];
/// What Claude Code calls some of them, and their arguments.
const TOOL_NAMES: [(&str, &str); 4] = [
    ("read", "Read"),
    ("write", "Write"),
    ("edit", "Edit"),
    ("bash", "Bash"),
];
const ARGUMENT_NAMES: [(&str, &str); 3] = [
    ("filePath", "file_path"),
    ("oldString", "old_string"),
    ("newString", "new_string"),
];

/// The database of a home directory, where it is there.
pub(crate) fn database(home: &Path) -> Option<PathBuf> {
    let path = home.join(DATA_FOLDER).join(DATABASE);
    path.is_file().then_some(path)
}

/// The sessions of a database with the times of their last change, without those of subagents.
///
/// # Errors
/// It is none of opencode's, or another version's.
pub(crate) fn list_sessions(database: &Path) -> io::Result<Vec<(SystemTime, PathBuf)>> {
    let list = || {
        let db = open_database(database)?;
        let mut rows =
            db.prepare("SELECT id, time_updated FROM session WHERE parent_id IS NULL")?;
        let rows = rows.query_map([], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?))
        })?;
        rows.collect::<Result<Vec<_>, rusqlite::Error>>()
    };
    let place = |(id, updated): (String, i64)| {
        let since = Duration::from_millis(u64::try_from(updated).unwrap_or_default());
        (UNIX_EPOCH + since, database.join(format!("{id}.jsonl")))
    };
    let rows = list().map_err(|error| other_form(database, &error))?;
    Ok(rows.into_iter().map(place).collect())
}

/// The sessions whose rows are hits, those of subagents and what plugins put there among them, and how many rows each.
///
/// # Errors
/// As [`list_sessions`].
pub(crate) fn find_in_rows(
    database: &Path,
    is_hit: &dyn Fn(&[u8]) -> bool,
) -> io::Result<BTreeMap<String, usize>> {
    let find = || {
        let db = open_database(database)?;
        let mut rows = db.prepare(
            "SELECT session_id, data FROM part UNION ALL SELECT session_id, data FROM message
             UNION ALL SELECT id, title FROM session",
        )?;
        let mut rows = rows.query([])?;
        let mut found = BTreeMap::new();
        while let Some(row) = rows.next()? {
            if is_hit(row.get_ref(1)?.as_bytes()?) {
                *found.entry(row.get(0)?).or_default() += 1;
            }
        }
        Ok(found)
    };
    find().map_err(|error: rusqlite::Error| other_form(database, &error))
}

/// The database and the id, where a path is that of a session.
pub(crate) fn parse_path(path: &Path) -> Option<(&Path, &str)> {
    let database = path.parent()?;
    let is_database = database.file_name() == Some(DATABASE_NAME.as_ref()) && database.is_file();
    let id = path.file_name()?.to_str()?.strip_suffix(".jsonl")?;
    is_database.then_some((database, id))
}

/// The folder in which a session was begun.
pub(super) fn session_folder(database: &Path, id: &str) -> Option<PathBuf> {
    let db = open_database(database).ok()?;
    let folder = "SELECT directory FROM session WHERE id = ?";
    let folder: String = db.query_row(folder, [id], |row| row.get(0)).ok()?;
    Some(PathBuf::from(folder))
}

/// The lines of a session. The message that is being written is among them only for `with_unfinished`.
///
/// # Errors
/// There is no such session, or the database is of another form.
pub(super) fn read_session(
    database: &Path,
    id: &str,
    with_unfinished: bool,
) -> io::Result<Vec<u8>> {
    let read = || {
        let db = open_database(database)?;
        let session = "SELECT directory, title, time_created FROM session WHERE id = ?";
        let found = db.query_row(session, [id], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        });
        let Some((folder, title, created)): Option<(String, String, i64)> = found.optional()?
        else {
            return Ok(None);
        };
        let mut lines = SessionLines {
            title,
            bytes: Vec::new(),
        };
        lines.push(
            &json!({"type": HEAD, "sessionId": id, "cwd": folder, "timestamp": time_text(created)}),
        );
        let mut messages = read_messages(&db, id)?;
        if !with_unfinished {
            messages.pop_if(|last| !last.is_whole());
        }
        messages
            .iter()
            .for_each(|message| lines.push_message(message));
        Ok(Some(lines.bytes))
    };
    let lines = read().map_err(|error: rusqlite::Error| other_form(database, &error))?;
    lines.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "opencode has no such session"))
}

fn other_form(database: &Path, error: &rusqlite::Error) -> io::Error {
    io::Error::other(format!(
        "`{}` is not as opencode 1.18 writes it: {error}",
        database.display()
    ))
}

/// Opens it so that nothing is written, nor a file put beside it: without a log it is taken as it stands.
fn open_database(path: &Path) -> Result<Connection, rusqlite::Error> {
    let text = path.to_string_lossy();
    let text = text
        .replace('%', "%25")
        .replace('?', "%3f")
        .replace('#', "%23");
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let mode = match Path::new(&log).exists() {
        true => "mode=ro",
        false => "mode=ro&immutable=1",
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let db = Connection::open_with_flags(format!("file:{text}?{mode}"), flags)?;
    db.busy_timeout(PATIENCE)?;
    Ok(db)
}

/// A message with its parts.
struct SessionMessage {
    id: String,
    created: i64,
    data: Value,
    parts: Vec<Value>,
}

fn read_messages(db: &Connection, session: &str) -> Result<Vec<SessionMessage>, rusqlite::Error> {
    let mut rows = db.prepare(
        "SELECT m.id, m.time_created, m.data, p.data FROM message m LEFT JOIN part p ON p.message_id = m.id
         WHERE m.session_id = ? ORDER BY m.time_created, m.id, p.id",
    )?;
    let mut rows = rows.query([session])?;
    let (mut all, mut size): (Vec<SessionMessage>, usize) = (Vec::new(), 0);
    let parse = |text: &str| serde_json::from_str(text).unwrap_or(Value::Null);
    while let Some(row) = rows.next()?
        && size < BYTES_MAX
    {
        let id: String = row.get(0)?;
        if all.last().is_none_or(|last| last.id != id) {
            let data: String = row.get(2)?;
            all.push(SessionMessage {
                id,
                created: row.get(1)?,
                data: parse(&data),
                parts: Vec::new(),
            });
        }
        let part: Option<String> = row.get(3)?;
        size += part.as_ref().map_or(0, String::len);
        if let (Some(last), Some(part)) = (all.last_mut(), part) {
            last.parts.push(parse(&part));
        }
    }
    Ok(all)
}

impl SessionMessage {
    fn is_of_user(&self) -> bool {
        self.data["role"] == "user"
    }

    /// Whether nothing comes to it any more. Of a prompt, which gets its parts one by one, only an answer tells.
    fn is_whole(&self) -> bool {
        !self.is_of_user()
            && (self.data["time"]["completed"].is_number() || self.data["error"].is_object())
    }

    /// What was said in it, without what plugins and the program itself put there.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let own = self.parts.iter().filter(|part| {
            part["type"] == "text" && part["synthetic"] != true && part["ignored"] != true
        });
        own.filter_map(|part| part["text"].as_str())
    }
}

/// The lines that were made so far.
struct SessionLines {
    title: String,
    bytes: Vec<u8>,
}

impl SessionLines {
    fn push(&mut self, line: &Value) {
        self.bytes.extend_from_slice(line.to_string().as_bytes());
        self.bytes.push(b'\n');
    }

    fn push_message(&mut self, message: &SessionMessage) {
        let line = |kind: &str, content: Vec<Value>| {
            json!({
                "type": kind, "uuid": message.id, "timestamp": time_text(message.created),
                "cwd": message.data["path"]["cwd"], "message": {"id": message.id, "content": content},
            })
        };
        let text = |text: &str| json!({"type": "text", "text": text});
        if message.is_of_user() {
            if message
                .parts
                .iter()
                .any(|part| part["type"] == "compaction")
            {
                self.push(&json!({"type": "system", "subtype": "compact_boundary"}));
                return;
            }
            self.push_title();
            let texts = message.texts().map(|own| text(unquoted(own)));
            self.push(&line("user", texts.collect()));
            return;
        }
        if message.data["summary"] == true {
            let mut summary = line("user", message.texts().map(text).collect());
            summary["isCompactSummary"] = true.into();
            self.push(&summary);
            return;
        }
        let tools = message.parts.iter().filter(|part| part["type"] == "tool");
        let calls = tools.clone().map(tool_use);
        self.push(&line(
            "assistant",
            message.texts().map(text).chain(calls).collect(),
        ));
        let results: Vec<Value> = tools.filter_map(tool_result).collect();
        if !results.is_empty() {
            self.push(&line("user", results));
        }
    }

    /// The title, before each prompt: it may have changed since the one before.
    fn push_title(&mut self) {
        let mut title = self.title.as_str();
        let line = |title: &str| json!({"type": "ai-title", "title": title}).to_string();
        while line(title).len() > TITLE_BYTES {
            title = &title[..title.floor_char_boundary(title.len() * 3 / 4)];
        }
        let line = line(title);
        self.bytes.extend_from_slice(line.as_bytes());
        self.bytes
            .resize(self.bytes.len() + TITLE_BYTES - line.len(), b' ');
        self.bytes.push(b'\n');
    }
}

/// `opencode run` quotes a prompt of several words.
fn unquoted(prompt: &str) -> &str {
    let inner = prompt
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    inner.filter(|inner| !inner.contains('"')).unwrap_or(prompt)
}

fn tool_use(part: &Value) -> Value {
    let tool = part["tool"].as_str().unwrap_or_default();
    let known = TOOL_NAMES.iter().find(|(own, _)| *own == tool);
    let name = match known {
        Some((_, name)) => (*name).to_owned(),
        None if OWN_TOOLS.contains(&tool) => tool.to_owned(),
        None => format!("mcp__{tool}"),
    };
    let input: Map<String, Value> = match &part["state"]["input"] {
        Value::Object(input) => input.clone(),
        _ => Map::new(),
    };
    let renamed = input.into_iter().map(|(name, value)| {
        let known = ARGUMENT_NAMES.iter().find(|(own, _)| *own == name);
        (known.map_or(name, |(_, known)| (*known).to_owned()), value)
    });
    let input: Map<String, Value> = renamed.collect();
    json!({"type": "tool_use", "id": part["callID"], "name": name, "input": input})
}

/// What a tool has answered; nothing while it runs.
fn tool_result(part: &Value) -> Option<Value> {
    let state = &part["state"];
    let is_error = state["status"] == "error";
    let text = if is_error {
        &state["error"]
    } else {
        &state["output"]
    };
    text.as_str().map(|text| {
        json!({"type": "tool_result", "tool_use_id": part["callID"], "content": text, "is_error": is_error})
    })
}

fn time_text(milliseconds: i64) -> Option<String> {
    let time = Timestamp::from_millisecond(milliseconds).ok()?;
    Some(time.to_string())
}
