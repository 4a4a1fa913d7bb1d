//! Full text over the past sessions of every host: what persons and models said, not what tools answered.
//!
//! ```text
//! <cache>/sessions/index.db     a SQLite database that can be made again at any time
//!   transcripts   one row a file: size and time of then, how far it was read, whose session it is
//!   messages      one row a message: its text without secrets, cut to MESSAGE_CHARS_MAX
//!   words         FTS5 over the texts (stems, no accents), kept in step by triggers
//! ```
//!
//! A search first reads on in every transcript that has grown, newest first. Transcripts are files of the hosts and may
//! be gone, cut or replaced at any time: one whose end is not where it was is read again. Where state is sealed no
//! database is kept: the index is made in memory for each search.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use mem_core::{Diagnose, Dirs, atomic};
use mem_secrets::redacted;
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};

use super::place::{TranscriptFile, TranscriptHost};
use crate::transcript::{
    Cursor, MessagePart, RecordBody, SessionIdentity, Transcript, TranscriptRecord,
};

/// A longer message is cut; the rest is most often pasted.
const MESSAGE_CHARS_MAX: usize = 8_000;
/// Texts of more bytes in all are not kept: those of the oldest sessions go.
const TEXT_BYTES_MAX: i64 = 256 * 1024 * 1024;
/// Messages that are looked at for one search.
const MATCHES_MAX: usize = 500;
/// Messages that are shown of one session.
const PASSAGES_MAX: usize = 2;
/// Words of a passage.
const PASSAGE_WORDS: u32 = 24;
/// An index of another format is made again.
const FORMAT: i64 = 1;
/// How long one search waits for another one.
const PATIENCE: Duration = Duration::from_secs(30);
/// Around a word that was searched for, in what the database answers.
const MARKS: [char; 2] = ['\u{1}', '\u{2}'];

const SCHEMA: &str = "
CREATE TABLE transcripts (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    host TEXT NOT NULL,
    size INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    cursor TEXT NOT NULL,
    session TEXT NOT NULL,
    folder TEXT,
    title TEXT,
    is_ignored INTEGER NOT NULL
);
CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    transcript INTEGER NOT NULL,
    time TEXT,
    is_person INTEGER NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX messages_of_transcript ON messages (transcript);
CREATE VIRTUAL TABLE words USING fts5(
    text, content = 'messages', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE TRIGGER message_comes AFTER INSERT ON messages BEGIN
    INSERT INTO words (rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER message_goes AFTER DELETE ON messages BEGIN
    INSERT INTO words (words, rowid, text) VALUES ('delete', old.id, old.text);
END;
";

/// The index cannot be made or read.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum SessionIndexError {
    /// The database.
    #[error("cannot use the index of sessions: {0}")]
    #[diagnose(
        Io,
        hint = "remove the folder `sessions` of mem's cache: it is made again"
    )]
    Database(#[from] rusqlite::Error),
    /// Its folder.
    #[error("cannot create `{}`: {source}", path.display())]
    #[diagnose(Io)]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
}

/// What is searched for.
#[expect(missing_debug_implementations, reason = "it holds a function")]
pub struct SessionQuery<'a> {
    /// The words, all of which count; where no message has all, any.
    pub text: &'a str,
    /// Only sessions that ran in a folder of which this holds; `None` for all.
    pub is_wanted: Option<&'a dyn Fn(&Path) -> bool>,
    /// Only messages since then.
    pub since: Option<Timestamp>,
    /// The most sessions to return.
    pub limit: usize,
}

/// A session in which something was said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionHit {
    /// Whose session it is.
    pub host: TranscriptHost,
    /// The host's id of it.
    pub id: String,
    /// Where it stood.
    pub folder: Option<PathBuf>,
    /// What the host or a person calls it.
    pub title: Option<String>,
    /// The transcript.
    pub transcript: PathBuf,
    /// The best places, at least one.
    pub passages: Vec<SessionPassage>,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionPassage {
    /// When it was said, as the transcript has it.
    pub time: Option<String>,
    /// By a person; else by the model.
    pub is_person: bool,
    /// Some words around those that were searched for.
    pub text: String,
    /// The byte ranges of these in the text.
    pub marks: Vec<Range<usize>>,
}

/// The index.
#[derive(Debug)]
pub struct SessionIndex {
    db: Connection,
}

/// A transcript as the database knows it.
struct KnownTranscript {
    id: i64,
    size: i64,
    modified: i64,
    cursor: Cursor,
    /// The same, as it is stored.
    cursor_text: String,
    folder: Option<PathBuf>,
    is_ignored: bool,
}

/// The folder of the database.
fn index_folder(dirs: &Dirs) -> PathBuf {
    dirs.cache.join("sessions")
}

/// Removes the index; the next search makes it again. Nothing is done where there is none.
///
/// # Errors
/// The system refuses.
pub fn remove_session_index(dirs: &Dirs) -> std::io::Result<()> {
    mem_core::regular_file::if_there(std::fs::remove_dir_all(index_folder(dirs))).map(drop)
}

impl SessionIndex {
    /// Opens the index, or begins one. What cannot be opened is made again.
    ///
    /// # Errors
    /// The system refuses.
    pub fn open(dirs: &Dirs) -> Result<Self, SessionIndexError> {
        // Where the key is missing nobody can tell what may lie open.
        if !matches!(dirs.seal().key_name(), Ok(None)) {
            return Self::prepare(Connection::open_in_memory()?);
        }
        let folder = index_folder(dirs);
        let failed = |source| SessionIndexError::Folder {
            path: folder.clone(),
            source,
        };
        atomic::create_dirs(&folder).map_err(failed)?;
        let path = folder.join("index.db");
        // A pipe in its place would be waited for.
        if path.symlink_metadata().is_ok_and(|meta| !meta.is_file()) {
            remove_session_index(dirs).map_err(failed)?;
            atomic::create_dirs(&folder).map_err(failed)?;
        }
        let opened = Connection::open(&path)
            .map_err(SessionIndexError::from)
            .and_then(Self::prepare);
        match opened {
            Err(SessionIndexError::Database(error)) if !is_busy(&error) => {
                remove_session_index(dirs).map_err(failed)?;
                atomic::create_dirs(&folder).map_err(failed)?;
                Self::prepare(Connection::open(&path)?)
            }
            opened => opened,
        }
    }

    fn prepare(mut db: Connection) -> Result<Self, SessionIndexError> {
        db.busy_timeout(PATIENCE)?;
        // A cache: what a crash of the machine loses is read again.
        db.execute_batch("PRAGMA synchronous = OFF; PRAGMA secure_delete = ON;")?;
        if format_of(&db)? != FORMAT {
            let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let count_tables = "SELECT count(*) FROM sqlite_schema";
            let tables: i64 = transaction.query_row(count_tables, [], |row| row.get(0))?;
            // Another search may have made it since.
            match format_of(&transaction)? {
                FORMAT => {}
                _ if tables > 0 => return Err(rusqlite::Error::InvalidQuery.into()),
                _ => transaction
                    .execute_batch(&format!("{SCHEMA} PRAGMA user_version = {FORMAT};"))?,
            }
            transaction.commit()?;
        }
        // A damaged file shows itself here and not in the middle of a search.
        db.query_row("SELECT count(*) FROM transcripts", [], |row| {
            row.get::<_, i64>(0)
        })?;
        Ok(Self { db })
    }

    /// Reads on in all transcripts. `is_wanted` says of the folder of a session whether it is indexed; `progress` is
    /// called with the bytes of each transcript that was read.
    ///
    /// # Errors
    /// The database fails. A transcript that cannot be read is left for the next time.
    pub fn update(
        &mut self,
        transcripts: &[TranscriptFile],
        is_wanted: &dyn Fn(&Path) -> bool,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), SessionIndexError> {
        let mut known = self.known_transcripts()?;
        let mut wanted_folders: HashMap<PathBuf, bool> = HashMap::new();
        let mut is_wanted = |folder: &Path| {
            let known = wanted_folders.entry(folder.to_owned());
            *known.or_insert_with(|| is_wanted(folder))
        };
        for file in transcripts {
            let before = known.remove(&*file.path.to_string_lossy());
            let is_same = before.as_ref().is_some_and(|one| {
                let is_wanted = one.folder.as_deref().is_none_or(&mut is_wanted);
                one.size == size_of(file)
                    && one.modified == nanoseconds(file.modified)
                    && one.is_ignored != is_wanted
            });
            if !is_same {
                self.read_transcript(file, before.as_ref(), &mut is_wanted)?;
                progress(file.size);
            }
        }
        for (_, gone) in known {
            self.remove_messages(gone.id)?;
            self.db
                .execute("DELETE FROM transcripts WHERE id = ?", [gone.id])?;
        }
        self.bound_texts()
    }

    fn known_transcripts(&self) -> Result<BTreeMap<String, KnownTranscript>, rusqlite::Error> {
        let mut all = self.db.prepare(
            "SELECT path, id, size, modified, cursor, folder, is_ignored FROM transcripts",
        )?;
        let rows = all.query_map([], |row| {
            let cursor: String = row.get(4)?;
            let one = KnownTranscript {
                id: row.get(1)?,
                size: row.get(2)?,
                modified: row.get(3)?,
                cursor: serde_json::from_str(&cursor).unwrap_or_default(),
                cursor_text: cursor,
                folder: row.get::<_, Option<String>>(5)?.map(PathBuf::from),
                is_ignored: row.get(6)?,
            };
            Ok((row.get(0)?, one))
        })?;
        rows.collect()
    }

    /// Reads on in one transcript, in one transaction: a kill leaves it as it was.
    fn read_transcript(
        &mut self,
        file: &TranscriptFile,
        before: Option<&KnownTranscript>,
        is_wanted: &mut dyn FnMut(&Path) -> bool,
    ) -> Result<(), SessionIndexError> {
        // What was ignored and is wanted by now is read from its beginning.
        let cursor = match before {
            Some(one) if !one.is_ignored => one.cursor.clone(),
            _ => Cursor::default(),
        };
        let Ok(transcript) = Transcript::open_at(&file.path, &cursor) else {
            return Ok(());
        };
        let is_fresh = transcript.is_fresh();
        let mut said = SaidInSession::default();
        let Ok(cursor) = transcript.read(|record| said.take_record(record)) else {
            return Ok(());
        };
        let identity = SessionIdentity::of_transcript(&file.path);
        let id = identity.as_ref().map(|one| one.id.clone());
        let id = id.unwrap_or_else(|| {
            let stem = file.path.file_stem().unwrap_or_default();
            stem.to_string_lossy().into_owned()
        });
        let folder = identity.and_then(|one| one.folder).or(said.folder.take());
        let folder = folder.or(before.and_then(|one| one.folder.clone()));
        let is_ignored = folder.as_deref().is_some_and(|folder| !is_wanted(folder));
        let behavior = TransactionBehavior::Immediate;
        let transaction = self.db.transaction_with_behavior(behavior)?;
        // Another search may have read the same lines meanwhile: they would be there twice.
        let read_by_now = transaction
            .query_row(
                "SELECT cursor FROM transcripts WHERE path = ?",
                [&*file.path.to_string_lossy()],
                |row| row.get::<_, String>(0),
            )
            .optional()?;
        if read_by_now != before.map(|one| one.cursor_text.clone()) {
            return Ok(());
        }
        let row: i64 = transaction.query_row(
            "INSERT INTO transcripts (path, host, size, modified, cursor, session, folder, title, is_ignored)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT (path) DO UPDATE SET size = ?3, modified = ?4, cursor = ?5, folder = ?7,
                 title = coalesce(?8, title), is_ignored = ?9
             RETURNING id",
            params![
                &*file.path.to_string_lossy(),
                file.host.as_str(),
                size_of(file),
                nanoseconds(file.modified),
                serde_json::to_string(&cursor).unwrap_or_default(),
                id,
                folder.as_deref().map(Path::to_string_lossy),
                said.title.as_deref().map(redacted),
                is_ignored,
            ],
            |row| row.get(0),
        )?;
        if is_fresh || is_ignored {
            transaction.execute("DELETE FROM messages WHERE transcript = ?", [row])?;
        }
        if !is_ignored {
            let mut insert = transaction.prepare_cached(
                "INSERT INTO messages (transcript, time, is_person, text) VALUES (?, ?, ?, ?)",
            )?;
            for one in said.messages {
                // Cut afterwards: half of a secret is not recognised.
                let text = redacted(&one.text);
                let text = cut_text(&text);
                insert.execute(params![row, one.time, one.is_person, text])?;
            }
        }
        Ok(transaction.commit()?)
    }

    fn remove_messages(&self, transcript: i64) -> Result<(), rusqlite::Error> {
        let delete = "DELETE FROM messages WHERE transcript = ?";
        self.db.execute(delete, [transcript]).map(drop)
    }

    /// Lets go of the texts of the oldest sessions where they are too many.
    fn bound_texts(&self) -> Result<(), SessionIndexError> {
        let sizes = "SELECT t.id, sum(length(m.text)) FROM transcripts t JOIN messages m ON m.transcript = t.id
            GROUP BY t.id ORDER BY t.modified DESC";
        let mut sizes = self.db.prepare(sizes)?;
        let rows = sizes.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut total = 0;
        let mut old = Vec::new();
        for row in rows {
            let (id, size): (i64, i64) = row?;
            total += size;
            if total > TEXT_BYTES_MAX {
                old.push(id);
            }
        }
        for id in old {
            self.remove_messages(id)?;
        }
        Ok(())
    }

    /// The sessions in which it was spoken of, the best first.
    ///
    /// # Errors
    /// The database fails.
    pub fn search(&self, query: &SessionQuery<'_>) -> Result<Vec<SessionHit>, SessionIndexError> {
        let words: Vec<&str> = query.text.split_whitespace().collect();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let quoted = |word: &&str| format!("\"{}\"", word.replace('"', "\"\""));
        let quoted: Vec<String> = words.iter().map(quoted).collect();
        let mut hits = self.matching(&quoted.join(" AND "), query)?;
        if hits.is_empty() && words.len() > 1 {
            hits = self.matching(&quoted.join(" OR "), query)?;
        }
        // Scripts without spaces have words that the tokenizer does not find.
        if hits.is_empty() {
            hits = self.containing(&words, query)?;
        }
        Ok(hits)
    }

    /// What persons said last in sessions whose folder is wanted, the newest first: when, and the text.
    ///
    /// # Errors
    /// The database fails.
    pub fn last_prompts(
        &self,
        is_wanted: &dyn Fn(&Path) -> bool,
        limit: usize,
    ) -> Result<Vec<(Option<String>, String)>, SessionIndexError> {
        let mut found = self.db.prepare(
            "SELECT t.folder, m.time, m.text FROM messages m JOIN transcripts t ON t.id = m.transcript
             WHERE m.is_person AND t.folder IS NOT NULL ORDER BY m.time DESC, m.id DESC",
        )?;
        let mut rows = found.query(())?;
        let (mut folders, mut prompts) = (HashMap::new(), Vec::new());
        while prompts.len() < limit
            && let Some(row) = rows.next()?
        {
            let folder: String = row.get(0)?;
            let is_wanted = || is_wanted(Path::new(&folder));
            if *folders.entry(folder.clone()).or_insert_with(is_wanted) {
                prompts.push((row.get(1)?, row.get(2)?));
            }
        }
        Ok(prompts)
    }

    fn matching(
        &self,
        expression: &str,
        query: &SessionQuery<'_>,
    ) -> Result<Vec<SessionHit>, SessionIndexError> {
        let [open, close] = MARKS;
        let sql = format!(
            "SELECT m.transcript, m.time, m.is_person,
                 snippet(words, 0, char({}), char({}), '…', {PASSAGE_WORDS})
             FROM words JOIN messages m ON m.id = words.rowid
             WHERE words MATCH ?1 AND (?2 IS NULL OR m.time >= ?2)
             ORDER BY rank LIMIT {MATCHES_MAX}",
            open as u32, close as u32
        );
        self.group_by_session(self.read_matches(&sql, expression, query)?, query)
    }

    fn read_matches(
        &self,
        sql: &str,
        wanted: &str,
        query: &SessionQuery<'_>,
    ) -> Result<Vec<(i64, SessionPassage)>, rusqlite::Error> {
        let mut found = self.db.prepare(sql)?;
        let since = query.since.map(|since| since.to_string());
        let rows = found.query_map(params![wanted, since], read_match)?;
        rows.collect()
    }

    /// By the letters alone.
    fn containing(
        &self,
        words: &[&str],
        query: &SessionQuery<'_>,
    ) -> Result<Vec<SessionHit>, SessionIndexError> {
        let Some(first) = words.first() else {
            return Ok(Vec::new());
        };
        let sql = format!(
            "SELECT m.transcript, m.time, m.is_person, m.text FROM messages m
             WHERE instr(lower(m.text), lower(?1)) AND (?2 IS NULL OR m.time >= ?2)
             ORDER BY m.id DESC LIMIT {MATCHES_MAX}"
        );
        let has_all = |(_, passage): &(i64, SessionPassage)| {
            let text = passage.text.to_lowercase();
            words.iter().all(|word| text.contains(&word.to_lowercase()))
        };
        let mut rows = self.read_matches(&sql, first, query)?;
        rows.retain(has_all);
        for (_, passage) in &mut rows {
            passage.cut_around(first);
        }
        self.group_by_session(rows, query)
    }

    fn group_by_session(
        &self,
        rows: Vec<(i64, SessionPassage)>,
        query: &SessionQuery<'_>,
    ) -> Result<Vec<SessionHit>, SessionIndexError> {
        let mut hits: Vec<(i64, SessionHit)> = Vec::new();
        let mut others = Vec::new();
        for (transcript, passage) in rows {
            if let Some((_, hit)) = hits.iter_mut().find(|(id, _)| *id == transcript) {
                if hit.passages.len() < PASSAGES_MAX {
                    hit.passages.push(passage);
                }
                continue;
            }
            if hits.len() >= query.limit || others.contains(&transcript) {
                continue;
            }
            match self.session_of(transcript, query)? {
                Some(mut hit) => {
                    hit.passages.push(passage);
                    hits.push((transcript, hit));
                }
                None => others.push(transcript),
            }
        }
        Ok(hits.into_iter().map(|(_, hit)| hit).collect())
    }

    /// The session of a transcript, if it ran in a wanted folder.
    fn session_of(
        &self,
        transcript: i64,
        query: &SessionQuery<'_>,
    ) -> Result<Option<SessionHit>, rusqlite::Error> {
        let found = self.db.query_row(
            "SELECT host, session, folder, title, path FROM transcripts WHERE id = ?",
            [transcript],
            |row| {
                let host: String = row.get(0)?;
                Ok(SessionHit {
                    host: TranscriptHost::from_word(&host),
                    id: row.get(1)?,
                    folder: row.get::<_, Option<String>>(2)?.map(PathBuf::from),
                    title: row.get(3)?,
                    transcript: PathBuf::from(row.get::<_, String>(4)?),
                    passages: Vec::new(),
                })
            },
        );
        let found = found.optional()?;
        Ok(found.filter(|hit| match (query.is_wanted, &hit.folder) {
            (None, _) => true,
            (Some(is_wanted), Some(folder)) => is_wanted(folder),
            (Some(_), None) => false,
        }))
    }
}

impl SessionPassage {
    /// A passage with its marks taken out of the text.
    fn from_marked(marked: &str, time: Option<String>, is_person: bool) -> Self {
        let mut passage = Self {
            time,
            is_person,
            text: String::with_capacity(marked.len()),
            marks: Vec::new(),
        };
        let mut start = None;
        for c in marked.chars() {
            match c {
                c if c == MARKS[0] => start = Some(passage.text.len()),
                c if c == MARKS[1] => passage
                    .marks
                    .extend(start.take().map(|start| start..passage.text.len())),
                c if c.is_whitespace() => passage.text.push(' '),
                c => passage.text.push(c),
            }
        }
        passage
    }

    /// Leaves some letters around the first place of a word.
    fn cut_around(&mut self, word: &str) {
        let at = self.text.to_lowercase().find(&word.to_lowercase());
        // Lower case may be of another length; then the mark is left out.
        let at = at.filter(|at| self.text.is_char_boundary(*at)).unwrap_or(0);
        let start = self.text.floor_char_boundary(at.saturating_sub(80));
        let end = self
            .text
            .ceil_char_boundary((at + word.len() + 160).min(self.text.len()));
        let marked = at - start..at - start + word.len();
        self.text = self.text[start..end].to_owned();
        if self.text.get(marked.clone()).is_some() {
            self.marks = vec![marked];
        }
    }
}

fn read_match(row: &rusqlite::Row<'_>) -> Result<(i64, SessionPassage), rusqlite::Error> {
    let marked: String = row.get(3)?;
    let passage = SessionPassage::from_marked(&marked, row.get(1)?, row.get(2)?);
    Ok((row.get(0)?, passage))
}

fn format_of(db: &Connection) -> Result<i64, rusqlite::Error> {
    db.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn cut_text(text: &str) -> &str {
    let end = text.char_indices().nth(MESSAGE_CHARS_MAX);
    &text[..end.map_or(text.len(), |(at, _)| at)]
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
}

fn size_of(file: &TranscriptFile) -> i64 {
    i64::try_from(file.size).unwrap_or(i64::MAX)
}

fn nanoseconds(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

/// What a part of a transcript says.
#[derive(Default)]
struct SaidInSession {
    folder: Option<PathBuf>,
    title: Option<String>,
    messages: Vec<SaidMessage>,
}

struct SaidMessage {
    time: Option<String>,
    is_person: bool,
    text: String,
}

impl SaidInSession {
    fn take_record(&mut self, record: &TranscriptRecord<'_>) {
        if self.folder.is_none() {
            let folder = record.cwd.as_deref().map(PathBuf::from);
            self.folder = folder.filter(|folder| folder.is_absolute());
        }
        if let RecordBody::Title { text, .. } = &record.said {
            self.title = Some(text.clone().into_owned());
        }
        let (is_person, parts) = record.spoken_parts().unwrap_or_default();
        let texts = parts.iter().filter_map(MessagePart::as_text);
        let text = texts.map(str::trim).filter(|text| !text.is_empty());
        let text: String = text.collect::<Vec<_>>().join("\n");
        if text.is_empty() {
            return;
        }
        self.messages.push(SaidMessage {
            time: record.time.as_deref().map(str::to_owned),
            is_person,
            text,
        });
    }
}
