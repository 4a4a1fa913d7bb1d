//! Whether everything that the history holds can be read, and showing all of it.

use rusqlite::OptionalExtension as _;

use super::database::{ChangeSequence, History};
use super::digest::Sha256;
use super::error::HistoryError;
use super::write::LOST;

/// What a look at everything found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Integrity {
    /// Changes and contents that were read; contents were hashed.
    pub objects: usize,
    /// Changes that were read, those that an adoption brought along included.
    pub changes: usize,
    /// What is missing or damaged, for a person to read.
    pub broken: Vec<String>,
}

/// A part of what the history holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HistoryPart {
    /// The bytes of a file.
    Content,
    /// The record of a change, as JSON.
    Change,
    /// The path of a file.
    Path,
}

/// What to do with a part that cannot be read: the name of it, and why.
type Fail<'f> = &'f mut dyn FnMut(String, HistoryError) -> Result<(), HistoryError>;

impl History {
    /// Has the database check itself, reads and hashes every content and follows every change to its files.
    ///
    /// # Errors
    /// The changes cannot be listed, or are sealed by a key that cannot be had.
    pub fn verify(&self) -> Result<Integrity, HistoryError> {
        // Said once, and not of every content: without its key nobody knows whether it is whole.
        self.require_key()?;
        let mut broken = self
            .broken_pages()
            .unwrap_or_else(|error| vec![error.to_string()]);
        let (mut objects, mut changes) = (0, 0);
        let shown = self.parts(
            &mut |part, _| {
                objects += usize::from(part != HistoryPart::Path);
                changes += usize::from(part == HistoryPart::Change);
            },
            &mut |name, error| {
                broken.push(format!("{name}: {error}"));
                Ok(())
            },
        );
        if let Err(error) = shown {
            broken.push(error.to_string());
        }
        match self.changes_without_files() {
            Ok(parted) => broken.extend(parted),
            Err(error) => broken.push(error.to_string()),
        }
        Ok(Integrity {
            objects,
            changes,
            broken,
        })
    }

    /// What the database finds wrong with itself.
    fn broken_pages(&self) -> Result<Vec<String>, HistoryError> {
        let mut query = self.db.prepare("PRAGMA integrity_check(20)")?;
        let rows = query.query_map((), |row| row.get::<_, String>(0))?;
        let told: Vec<String> = rows.collect::<Result<_, _>>()?;
        Ok(told.into_iter().filter(|line| line != "ok").collect())
    }

    /// Changes whose files or notes are not what their records say.
    fn changes_without_files(&self) -> Result<Vec<String>, HistoryError> {
        let is_sealed = self.is_sealed()?;
        let mut broken = Vec::new();
        let mut file = self.db.prepare(
            "SELECT content, digest FROM files LEFT JOIN contents ON contents.id = content
             WHERE path = ? AND sequence = ?",
        )?;
        let mut note = self
            .db
            .prepare("SELECT 1 FROM notes WHERE note = ? AND sequence = ?")?;
        let mut sequences = self.db.prepare("SELECT sequence FROM changes")?;
        let sequences = sequences.query_map((), |row| row.get::<_, i64>(0))?;
        for sequence in sequences.collect::<Result<Vec<_>, _>>()? {
            // One that cannot be read is told already.
            let Ok(change) = self.change(ChangeSequence(sequence)) else {
                continue;
            };
            for version in &change.versions {
                let row = file.query_row((version.path.as_str(), sequence), |row| {
                    Ok((
                        row.get::<_, Option<i64>>(0)?,
                        row.get::<_, Option<Vec<u8>>>(1)?,
                    ))
                });
                let is_there = match (row.optional()?, version.sha256) {
                    (None, _) => false,
                    (Some((content, _)), None) => version.redacted || content.is_none(),
                    (Some((_, digest)), Some(sha256)) => digest
                        .as_deref()
                        .is_some_and(|digest| is_sealed || digest == sha256.as_bytes()),
                };
                if !is_there || !note.exists((version.note.as_str(), sequence))? {
                    broken.push(format!(
                        "`{}` of change {} is missing",
                        version.path, change.id
                    ));
                }
            }
        }
        Ok(broken)
    }

    /// Opens every change and content. Says how many open, and which do not and why.
    ///
    /// # Errors
    /// They cannot be listed.
    pub(crate) fn opened(&self) -> Result<(usize, Vec<(String, String)>), HistoryError> {
        let (mut open, mut closed) = (0, Vec::new());
        self.parts(
            &mut |part, _| open += usize::from(part != HistoryPart::Path),
            &mut |name, error| {
                closed.push((name, error.to_string()));
                Ok(())
            },
        )?;
        Ok((open, closed))
    }

    /// Reads everything that a rewrite of the history has to read.
    ///
    /// # Errors
    /// The first part that is damaged, or cannot be opened.
    pub(crate) fn require_readable(&self) -> Result<(), HistoryError> {
        self.require_key()?;
        self.parts(&mut |_, _| {}, &mut |part, error| {
            Err(match error.is_damage() {
                true => HistoryError::Damaged {
                    part,
                    source: Box::new(error),
                },
                false => error,
            })
        })?;
        let mut absent = self.db.prepare(
            "SELECT path FROM files LEFT JOIN contents ON contents.id = content
             WHERE content <> ? AND contents.id IS NULL LIMIT 1",
        )?;
        match absent.query_row([LOST], |row| row.get(0)).optional()? {
            Some(path) => Err(HistoryError::Missing(path)),
            None => Ok(()),
        }
    }

    /// Shows every part, opened.
    ///
    /// # Errors
    /// One cannot be read or opened.
    pub(crate) fn each_part(
        &self,
        show: &mut dyn FnMut(HistoryPart, &[u8]),
    ) -> Result<(), HistoryError> {
        self.parts(show, &mut |_, error| Err(error))
    }

    /// The same for those that can be read and opened. Says how many cannot.
    ///
    /// # Errors
    /// They cannot be listed.
    pub(crate) fn each_readable(
        &self,
        show: &mut dyn FnMut(HistoryPart, &[u8]),
    ) -> Result<usize, HistoryError> {
        let mut closed = 0;
        self.parts(show, &mut |_, _| {
            closed += 1;
            Ok(())
        })?;
        Ok(closed)
    }

    fn parts(
        &self,
        show: &mut dyn FnMut(HistoryPart, &[u8]),
        fail: Fail<'_>,
    ) -> Result<(), HistoryError> {
        self.records(show, fail)?;
        self.contents(show, fail)?;
        let mut query = self.db.prepare("SELECT DISTINCT path FROM files")?;
        let mut rows = query.query(())?;
        while let Some(row) = rows.next()? {
            show(
                HistoryPart::Path,
                row.get_ref(0)?.as_bytes().map_err(rusqlite::Error::from)?,
            );
        }
        Ok(())
    }

    fn records(
        &self,
        show: &mut dyn FnMut(HistoryPart, &[u8]),
        fail: Fail<'_>,
    ) -> Result<(), HistoryError> {
        let mut query = self.db.prepare("SELECT sequence, id FROM changes")?;
        let rows = query.query_map((), |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
        for row in rows.collect::<Result<Vec<_>, _>>()? {
            match self.change(ChangeSequence(row.0)) {
                Ok(change) => show(HistoryPart::Change, &serde_json::to_vec(&change)?),
                Err(error) => fail(format!("change {}", row.1), error)?,
            }
        }
        Ok(())
    }

    fn contents(
        &self,
        show: &mut dyn FnMut(HistoryPart, &[u8]),
        fail: Fail<'_>,
    ) -> Result<(), HistoryError> {
        let is_sealed = self.is_sealed()?;
        let ids = self
            .db
            .prepare("SELECT id FROM contents")?
            .query_map((), |row| row.get(0))?
            .collect::<Result<Vec<i64>, _>>()?;
        let mut query = self
            .db
            .prepare("SELECT digest, bytes FROM contents WHERE id = ?")?;
        for id in ids {
            let read = query.query_row([id], |row| Ok((row.get(0)?, row.get(1)?)));
            let opened = read.map_err(HistoryError::from).and_then(
                |(digest, stored): (Vec<u8>, Vec<u8>)| match Sha256::digest(&stored).as_bytes()[..]
                    == digest[..]
                {
                    true => Ok(self.opened_content(stored, is_sealed)?),
                    false => Err(HistoryError::Changed),
                },
            );
            match opened {
                Ok(bytes) => show(HistoryPart::Content, &bytes),
                Err(error) => fail(self.name_of_content(id), error)?,
            }
        }
        Ok(())
    }

    /// A content for people: its path, and the newest change that put it there.
    fn name_of_content(&self, id: i64) -> String {
        let query = "SELECT path, changes.id FROM files JOIN changes USING (sequence)
                     WHERE content = ? ORDER BY sequence DESC LIMIT 1";
        let named = self.db.query_row(query, [id], |row| {
            let (path, change): (String, String) = (row.get(0)?, row.get(1)?);
            Ok(format!("`{path}` of change {change}"))
        });
        named.unwrap_or_else(|_| format!("content {id}"))
    }

    /// How many of these contents are there, by the digests of what is stored.
    pub(crate) fn count_contents(
        &self,
        digests: impl IntoIterator<Item = Sha256>,
    ) -> Result<usize, HistoryError> {
        let mut query = self.db.prepare("SELECT 1 FROM contents WHERE digest = ?")?;
        let mut found = 0;
        for digest in digests {
            found += usize::from(query.exists([digest.as_bytes()])?);
        }
        Ok(found)
    }
}
