//! Whose session a transcript of another host than Claude Code tells of: Claude Code names the file and its folder
//! after them, the others write them into its head.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use mem_core::regular_file;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::copilot;
use super::lenient_json::LooseText;
use super::lines::LineReader;
use super::opencode;

/// The head of Gemini CLI's transcript does not say where the session stands; this file two folders above does.
const ROOT_FILE: &str = ".project_root";
const ROOT_BYTES_MAX: u64 = 64 * 1024;

/// A session of another host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionIdentity {
    /// Its id.
    pub id: String,
    /// Where it was begun.
    pub folder: Option<PathBuf>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase", bound(deserialize = "'de: 'a"))]
struct Head<'a> {
    #[serde(rename = "type")]
    kind: LooseText<'a>,
    session_id: LooseText<'a>,
    cwd: LooseText<'a>,
    provenance: LooseText<'a>,
    project_hash: LooseText<'a>,
    payload: Option<Meta<'a>>,
    /// Of Copilot CLI.
    data: Option<SessionStart<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase", bound(deserialize = "'de: 'a"))]
struct SessionStart<'a> {
    session_id: LooseText<'a>,
    context: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Meta<'a> {
    id: LooseText<'a>,
    cwd: LooseText<'a>,
}

impl SessionIdentity {
    /// Reads the head of a transcript; `None` for Claude Code's, and for what is none.
    pub fn of_transcript(transcript: &Path) -> Option<Self> {
        if let Some((database, id)) = opencode::parse_path(transcript) {
            return Some(Self {
                id: id.to_owned(),
                folder: opencode::session_folder(database, id),
            });
        }
        let file = regular_file::open(transcript).ok()?;
        let line = LineReader::new(file).first_line().ok().flatten()?;
        let head: Head<'_> = serde_json::from_slice(&line).ok()?;
        let folder = |cwd: Cow<'_, str>| {
            let folder = PathBuf::from(cwd.into_owned());
            folder.is_absolute().then_some(folder)
        };
        if let ("session.start", Some(start)) = (&*head.kind.0, &head.data) {
            let id = start.session_id.0.to_string();
            let folder = folder(copilot::session_folder(start.context).0);
            return (!id.is_empty()).then_some(Self { id, folder });
        }
        let (id, folder) = match (&*head.kind.0, head.payload) {
            // Codex
            ("session_meta", Some(meta)) => (meta.id, folder(meta.cwd.0)),
            // Qwen Code
            _ if !head.provenance.0.is_empty() => (head.session_id, folder(head.cwd.0)),
            // Gemini CLI
            ("", _) if !head.project_hash.0.is_empty() => {
                let root = transcript.ancestors().nth(2)?.join(ROOT_FILE);
                let text = regular_file::read(&root, ROOT_BYTES_MAX).ok();
                let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
                let root = text.and_then(|text| folder(text.trim_end().into()));
                (head.session_id, root)
            }
            _ => return None,
        };
        let id = id.into_nonempty()?.into_owned();
        Some(Self { id, folder })
    }
}
