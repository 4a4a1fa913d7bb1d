//! Where the notes of a session are kept, and how a session is found.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;
use mem_core::compact_sort::CompactSort as _;
use mem_core::regular_file::{self, if_there};
use mem_core::sealing::StateCipher;
use mem_core::{Diagnose, Dirs, slug};

use super::notes::SessionNotes;
use crate::transcript::{SessionIdentity, opencode};

/// At most this many transcripts of other hosts are opened to find one, the newest first.
const OTHERS_MAX: usize = 200;
/// The longest id of a session.
pub const ID_CHARS_MAX: usize = 128;

/// The files of one session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFiles {
    /// The session's id.
    pub id: String,
    /// The directory's name under which the host keeps the transcript.
    pub slug: String,
    /// The notes: `<base>/session-memory/<slug>/<id>.md`.
    pub notes: PathBuf,
    /// What is remembered between two readings.
    pub state: PathBuf,
    /// How that is sealed: it quotes what was said.
    pub seal: StateCipher,
}

/// An id that cannot be the name of a file.
#[derive(Debug, thiserror::Error, Diagnose)]
#[diagnose(Invalid, hint = "it is the name of the transcript, without `.jsonl`")]
#[error("`{0}` is no session's id")]
pub struct InvalidId(String);

impl SessionFiles {
    /// The place of a session whose transcript is kept under `slug`.
    ///
    /// # Errors
    /// The id is more than letters, digits, `-`, `_` and `.`, or too long.
    pub fn new(dirs: &Dirs, slug: &str, id: &str) -> Result<Self, InvalidId> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let fits =
            |name: &str| !name.is_empty() && !name.starts_with('.') && name.chars().all(is_plain);
        if !fits(id) || !fits(slug) || id.len() > ID_CHARS_MAX {
            let bad = if fits(slug) { id } else { slug };
            return Err(InvalidId(bad.chars().take(ID_CHARS_MAX).collect()));
        }
        Ok(Self {
            id: id.to_owned(),
            slug: slug.to_owned(),
            notes: sessions_root(dirs).join(slug).join(format!("{id}.md")),
            state: dirs.state.join("sessions").join(format!("{id}.json")),
            seal: dirs.seal(),
        })
    }

    /// The place of the session that a transcript tells of; `id` where the host has said it.
    ///
    /// # Errors
    /// The id is none.
    pub fn of_transcript(
        dirs: &Dirs,
        transcript: &Path,
        id: Option<&str>,
    ) -> Result<Self, InvalidId> {
        if let Some(identity) = SessionIdentity::of_transcript(transcript) {
            let folder = identity.folder.as_deref().unwrap_or(transcript);
            let slug = slug::existing(folder, &dirs.projects());
            return Self::new(dirs, &slug, id.unwrap_or(&identity.id));
        }
        let text = |part: Option<&std::ffi::OsStr>| {
            part.map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default()
        };
        let parent = transcript.parent().unwrap_or(transcript);
        let stem = text(transcript.file_stem());
        let id = id.unwrap_or(&stem);
        // Outside a host's folders anything may stand there.
        Self::new(dirs, &text(parent.file_name()), id)
            .or_else(|_| Self::new(dirs, &slug::slug(parent), id))
    }
}

/// `<base>/session-memory`.
pub fn sessions_root(dirs: &Dirs) -> PathBuf {
    dirs.base.join("session-memory")
}

/// A file of the user's that replaces a default text: `template.md` or `prompt.md`. Nothing where
/// there is none; one that is empty or no text counts as none.
pub fn own_text(dirs: &Dirs, name: &str) -> Option<String> {
    let path = sessions_root(dirs).join("config").join(name);
    let bytes = regular_file::read(&path, OWN_TEXT_BYTES_MAX).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    (!text.trim().is_empty()).then_some(text)
}

const OWN_TEXT_BYTES_MAX: u64 = 1024 * 1024;

/// The transcript of a session, wherever its host keeps it.
pub fn transcript_of(dirs: &Dirs, id: &str) -> Option<PathBuf> {
    let name = format!("{id}.jsonl");
    let folders = entries_in(&dirs.projects());
    let own = folders
        .map(|folder| folder.path().join(&name))
        .find(|path| path.is_file());
    own.or_else(|| {
        let others = other_transcripts(dirs).into_iter().map(|(_, path)| path);
        others.take(OTHERS_MAX).find(|path| {
            SessionIdentity::of_transcript(path).is_some_and(|identity| identity.id == id)
        })
    })
}

/// The transcript that was written to last, of the sessions that began in one of `folders`.
pub fn newest_transcript(dirs: &Dirs, folders: &[PathBuf]) -> Option<PathBuf> {
    let projects = dirs.projects();
    let mut slugs: Vec<String> = folders
        .iter()
        .map(|folder| slug::existing(folder, &projects))
        .collect();
    slugs.sort_unstable();
    slugs.dedup();
    let all = slugs
        .iter()
        .flat_map(|slug| list_transcripts(&projects.join(slug)));
    let newest = all.max_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
    let others = other_transcripts(dirs).into_iter().take(OTHERS_MAX);
    let mut others = others.take_while(|other| newest.as_ref().is_none_or(|one| other.0 > one.0));
    let other = others.find(|(_, path)| {
        let folder = SessionIdentity::of_transcript(path).and_then(|identity| identity.folder);
        folder.is_some_and(|folder| folders.contains(&folder))
    });
    other.or(newest).map(|(_, path)| path)
}

/// The transcripts of Codex, Copilot CLI, Gemini CLI, opencode and Qwen Code where they are by default, the newest first.
fn other_transcripts(dirs: &Dirs) -> Vec<(SystemTime, PathBuf)> {
    let Some(home) = &dirs.home else {
        return Vec::new();
    };
    let within = |folders: Vec<PathBuf>| -> Vec<PathBuf> {
        let entries = folders.iter().flat_map(|folder| entries_in(folder));
        entries.map(|entry| entry.path()).collect()
    };
    let chats = |folder: &str| -> Vec<PathBuf> {
        let projects = within(vec![home.join(folder)]).into_iter();
        projects.map(|project| project.join("chats")).collect()
    };
    // By year, month and day.
    let codex = within(within(within(vec![home.join(".codex/sessions")])));
    let copilot = within(vec![home.join(".copilot/session-state")]);
    let chats = [chats(".gemini/tmp"), chats(".qwen/projects")].concat();
    let folders = [codex, copilot, chats];
    let mut all: Vec<_> = folders
        .iter()
        .flatten()
        .flat_map(|folder| list_transcripts(folder))
        .collect();
    let database = opencode::database(home);
    let sessions = database.and_then(|database| opencode::list_sessions(&database).ok());
    all.extend(sessions.into_iter().flatten());
    all.compact_sort_by(|a, b| b.cmp(a));
    all
}

/// When something came to a transcript last.
pub fn changed_time(transcript: &Path) -> Option<SystemTime> {
    match opencode::parse_path(transcript) {
        Some((database, _)) => {
            let sessions = opencode::list_sessions(database).ok()?.into_iter();
            let mut times = sessions.filter(|(_, path)| path == transcript);
            times.next().map(|(time, _)| time)
        }
        None => fs::metadata(transcript)
            .and_then(|meta| meta.modified())
            .ok(),
    }
}

/// Where a session of opencode is read: in its database in the folder of programs' data, by default that of a home
/// directory.
pub fn opencode_session(home: &Path, data_folder: Option<&Path>, id: &str) -> PathBuf {
    let data_folder = data_folder.map(Path::to_owned);
    let data_folder = data_folder.unwrap_or_else(|| home.join(opencode::DATA_FOLDER));
    data_folder
        .join(opencode::DATABASE)
        .join(format!("{id}.jsonl"))
}

/// The sessions of opencode that hold what is searched for, with the number of places in each; `None` where there is no
/// database of it.
///
/// # Errors
/// The database is in a form that is not known.
pub fn find_in_opencode(
    dirs: &Dirs,
    is_hit: &dyn Fn(&[u8]) -> bool,
) -> Option<io::Result<BTreeMap<String, usize>>> {
    let database = opencode::database(dirs.home.as_deref()?)?;
    Some(opencode::find_in_rows(&database, is_hit))
}

/// Why the sessions of a host cannot be read, where they are in a form that is not known.
pub fn unknown_form(dirs: &Dirs) -> Option<String> {
    let database = opencode::database(dirs.home.as_deref()?)?;
    let error = opencode::list_sessions(&database).err()?;
    Some(error.to_string())
}

/// The host that keeps a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TranscriptHost {
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
    /// Copilot CLI.
    Copilot,
    /// Gemini CLI.
    Gemini,
    /// opencode.
    Opencode,
    /// Qwen Code.
    Qwen,
}

impl TranscriptHost {
    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Copilot => "copilot",
            Self::Gemini => "gemini",
            Self::Opencode => "opencode",
            Self::Qwen => "qwen",
        }
    }

    /// The host of a word; Claude Code for one that is not known.
    pub(super) fn from_word(word: &str) -> Self {
        let all = [
            Self::Codex,
            Self::Copilot,
            Self::Gemini,
            Self::Opencode,
            Self::Qwen,
        ];
        let mut all = all.into_iter();
        all.find(|host| host.as_str() == word)
            .unwrap_or(Self::ClaudeCode)
    }

    /// The command that goes on with a session, in the folder where it stood.
    pub fn resume_command(self, id: &str) -> String {
        // An id is text of a file: it is one word of the shell, whatever it holds.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        let id = match id.chars().all(is_plain) {
            true => id.to_owned(),
            false => shell_word(id),
        };
        match self {
            Self::ClaudeCode => format!("claude --resume {id}"),
            Self::Codex => format!("codex resume {id}"),
            Self::Copilot => format!("copilot --resume={id}"),
            Self::Gemini => format!("gemini --resume {id}"),
            Self::Opencode => format!("opencode --session {id}"),
            Self::Qwen => format!("qwen --resume {id}"),
        }
    }
}

/// A transcript file and what the file system says of it.
#[derive(Clone, Debug)]
pub struct TranscriptFile {
    /// The file.
    pub path: PathBuf,
    /// Who writes it.
    pub host: TranscriptHost,
    /// In bytes.
    pub size: u64,
    /// When it was last written to.
    pub modified: SystemTime,
}

/// The transcripts of all hosts where they are by default, the newest first.
pub fn all_transcripts(dirs: &Dirs) -> Vec<TranscriptFile> {
    let projects = entries_in(&dirs.projects());
    let mut all: Vec<_> = projects
        .flat_map(|project| list_transcripts(&project.path()))
        .collect();
    all.extend(other_transcripts(dirs));
    all.compact_sort_by(|a, b| b.cmp(a));
    let home = dirs.home.clone().unwrap_or_default();
    let host_of = |path: &Path| {
        if opencode::parse_path(path).is_some() {
            return Some(TranscriptHost::Opencode);
        }
        let first = path.strip_prefix(&home).ok()?.components().next()?;
        Some(match first.as_os_str().to_str()? {
            ".codex" => TranscriptHost::Codex,
            ".copilot" => TranscriptHost::Copilot,
            ".gemini" => TranscriptHost::Gemini,
            ".qwen" => TranscriptHost::Qwen,
            _ => return None,
        })
    };
    let described = all.into_iter().map(|(modified, path)| TranscriptFile {
        host: host_of(&path).unwrap_or(TranscriptHost::ClaudeCode),
        size: fs::metadata(&path).map_or(0, |meta| meta.len()),
        modified,
        path,
    });
    described.collect()
}

/// What a folder holds, as far as it can be read.
pub(super) fn entries_in(folder: &Path) -> impl Iterator<Item = fs::DirEntry> + use<> {
    fs::read_dir(folder).into_iter().flatten().flatten()
}

/// A text as one word of the shell, whatever it holds.
pub(super) fn shell_word(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// The transcripts of whole sessions in a folder, with the times of their last change.
fn list_transcripts(folder: &Path) -> Vec<(SystemTime, PathBuf)> {
    let timed = |entry: fs::DirEntry| {
        let path = entry.path();
        let name = entry.file_name().into_string().ok()?;
        let is_session = name.ends_with(".jsonl") && !name.starts_with("agent-");
        let changed = entry
            .metadata()
            .ok()
            .filter(fs::Metadata::is_file)?
            .modified()
            .ok()?;
        is_session.then_some((changed, path))
    };
    entries_in(folder).filter_map(timed).collect()
}

/// The name of the folder in which a session has notes.
pub fn noted_slug(dirs: &Dirs, id: &str) -> Option<String> {
    let found = noted_sessions(dirs)
        .into_iter()
        .find(|one| one.place.id == id);
    found.map(|one| one.place.slug)
}

/// A session that has notes.
#[derive(Clone, Debug)]
pub struct Noted {
    /// Its files.
    pub place: SessionFiles,
    /// When the notes were last changed.
    pub changed: Timestamp,
}

impl Noted {
    /// The first line of the section `Session Title`; empty where nothing stands there.
    pub fn session_title(&self) -> String {
        let text = super::update::read_notes(&self.place).ok().flatten();
        let notes = SessionNotes::parse(&text.unwrap_or_default());
        let body = notes
            .find_section("Session Title")
            .map(|one| one.body.trim());
        let line = body.and_then(|body| body.lines().next());
        line.unwrap_or_default().to_owned()
    }
}

/// All sessions that have notes, the newest first.
pub fn noted_sessions(dirs: &Dirs) -> Vec<Noted> {
    let folders = entries_in(&sessions_root(dirs));
    let files = folders.flat_map(|folder| entries_in(&folder.path()));
    let mut all: Vec<Noted> = files
        .filter_map(|file| noted_in(dirs, &file.path()))
        .collect();
    all.compact_sort_by(|a, b| {
        b.changed
            .cmp(&a.changed)
            .then_with(|| a.place.id.cmp(&b.place.id))
    });
    all
}

fn noted_in(dirs: &Dirs, file: &Path) -> Option<Noted> {
    let slug = file.parent()?.file_name()?.to_str()?;
    let is_notes = slug != "config" && file.extension().is_some_and(|one| one == "md");
    let found = fs::symlink_metadata(file)
        .ok()
        .filter(|found| is_notes && found.is_file())?;
    let changed = Timestamp::try_from(found.modified().ok()?).ok()?;
    let place = SessionFiles::new(dirs, slug, file.file_stem()?.to_str()?).ok()?;
    Some(Noted { place, changed })
}

/// Removes the notes of a session, and what is remembered of it.
///
/// # Errors
/// The system's; what is not there is no error.
pub fn forget_session(place: &SessionFiles) -> io::Result<()> {
    for path in [
        &place.notes,
        &place.state,
        &place.state.with_extension("lock"),
        &place.state.with_extension("next"),
        &crate::extract::extraction_state::extraction_file(place),
        &place.state.with_extension("extracting"),
    ] {
        if_there(fs::remove_file(path))?;
    }
    Ok(())
}
