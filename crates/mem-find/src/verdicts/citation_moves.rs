//! `mem verify --fix`: citations of files that moved are rewritten to where the files are now.
//!
//! Only what is certain: the history followed the file to a place where it is committed and lies, and a name without a
//! folder is that of a file in the root and of no other one. A line number is left alone, for the file may have changed
//! on its way, and so is a citation whose line has another text by now.

use mem_core::Scope;
use mem_core::memory::{MemoryError, Note, ProjectMemory, RewriteTarget};
use mem_core::store::{ChangeMetadata, WriteGate, WriteOutcome};
use mem_drift::{CitationKind, CitationReport, CitationStatus, NoteReport};

/// What is rewritten, by memory, and what stays as it is though it moved.
#[derive(Debug)]
pub struct MovePlan {
    rewritten: Vec<(Note, Vec<MovedCitation>)>,
    kept: Vec<KeptCitation>,
}

impl MovePlan {
    /// What can be rewritten in the memories of these reports, which are in the same order.
    pub fn for_reports(reports: &[NoteReport], notes: Vec<Note>) -> Self {
        let pairs = notes.into_iter().zip(reports);
        // One's own notes across repositories speak of no repository.
        let pairs = pairs.filter(|(note, _)| note.scope != Scope::Global);
        let mut plan = Self {
            rewritten: Vec::new(),
            kept: Vec::new(),
        };
        for (note, report) in pairs {
            plan.kept.extend(kept_citations(report, &note));
            let moved = moved_citations(report, &note.bytes);
            if !moved.is_empty() {
                plan.rewritten.push((note, moved));
            }
        }
        plan
    }

    /// Every citation of a file that moved and is not rewritten.
    pub fn kept(&self) -> &[KeptCitation] {
        &self.kept
    }

    /// Whether nothing is rewritten.
    pub fn is_empty(&self) -> bool {
        self.rewritten.is_empty()
    }

    /// Every citation that is rewritten, with its memory.
    pub fn entries(&self) -> impl Iterator<Item = (&Note, &MovedCitation)> {
        self.rewritten
            .iter()
            .flat_map(|(note, moved)| moved.iter().map(move |one| (note, one)))
    }

    /// Rewrites all of it as one change. A memory that somebody has written since stays as it is where a citation does
    /// not stand in its line any more.
    ///
    /// # Errors
    /// A gate refuses, or the system does.
    pub fn carry_out(
        &self,
        memory: &ProjectMemory,
        with_index: bool,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
    ) -> Result<WriteOutcome<()>, MemoryError> {
        let notes = self.rewritten.iter().map(|(note, _)| note);
        let targets: Vec<RewriteTarget<'_>> = notes
            .map(|note| RewriteTarget {
                scope: note.scope,
                file: &note.file,
                with_index,
            })
            .collect();
        memory.rewrite_each(&targets, order, gate, |target, bytes| {
            let of_target = |(note, _): &&(Note, Vec<MovedCitation>)| {
                note.scope == target.scope && note.file == target.file
            };
            let (_, moved) = self.rewritten.iter().find(of_target)?;
            rewrite_citations(bytes, moved)
        })
    }
}

/// A citation of a file that moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedCitation {
    /// Its text in the memory.
    pub text: String,
    /// The line of the memory's file, from 1.
    pub line: usize,
    /// What is to stand there.
    pub replacement: String,
}

/// A citation of a file that moved, which stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptCitation {
    /// The memory, as lists name it.
    pub note: String,
    /// Its text in the memory.
    pub text: String,
    /// The line of the memory's file, from 1.
    pub line: usize,
    /// Why it stays.
    pub reason: &'static str,
}

/// The citations of a memory that moved and cannot be rewritten.
fn kept_citations(report: &NoteReport, note: &Note) -> Vec<KeptCitation> {
    let moved = report.citations.iter();
    let moved = moved.filter(|one| one.status == CitationStatus::Moved || one.moved_to.is_some());
    let kept = moved.filter_map(|one| {
        Some(KeptCitation {
            note: note.label(),
            text: one.text.clone(),
            line: one.line,
            reason: keep_reason(one)?,
        })
    });
    kept.collect()
}

/// Why a citation of a file that moved stays as it is; `None` where it is rewritten, or is none of a file.
fn keep_reason(citation: &CitationReport) -> Option<&'static str> {
    match (citation.kind, &citation.moved_to) {
        (CitationKind::Line | CitationKind::Range, _) => Some("its lines may have changed"),
        (CitationKind::Path, None) if has_folder(&citation.text) => {
            Some("the history does not follow it to a committed file")
        }
        (CitationKind::Path, None) => {
            Some("a name without a folder may mean another file or folder")
        }
        _ => None,
    }
}

/// Whether a path of a file or folder names the folder that it is in.
fn has_folder(path: &str) -> bool {
    let path = path.trim_start_matches("./");
    path.trim_end_matches('/').contains('/')
}

/// The citations of a memory that can be rewritten, at every line where one stands: a report names the first.
fn moved_citations(report: &NoteReport, bytes: &[u8]) -> Vec<MovedCitation> {
    let mut moved = Vec::new();
    for citation in &report.citations {
        let Some(to) = &citation.moved_to else {
            continue;
        };
        let (start, rest) = match citation.text.strip_prefix("./") {
            Some(rest) => ("./", rest),
            None => ("", &*citation.text),
        };
        // A name alone that is there still names the file where it went; of lines nobody knows whether they went along.
        let is_named = has_folder(rest) || citation.status == CitationStatus::Moved;
        if citation.kind != CitationKind::Path || !is_named {
            continue;
        }
        let end = if rest.ends_with('/') { "/" } else { "" };
        let replacement = format!("{start}{}{end}", to.trim_end_matches('/'));
        let lines = bytes.split(|byte| *byte == b'\n').zip(1..);
        let lines = lines.filter(|(line, _)| replace_path(line, &citation.text, "").is_some());
        moved.extend(lines.map(|(_, line)| MovedCitation {
            text: citation.text.clone(),
            line,
            replacement: replacement.clone(),
        }));
    }
    moved
}

/// The text of a memory with its citations rewritten; `None` where none stands where it was read.
fn rewrite_citations(bytes: &[u8], moved: &[MovedCitation]) -> Option<Vec<u8>> {
    let mut lines: Vec<Vec<u8>> = bytes
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    let mut is_rewritten = false;
    for citation in moved {
        let line = citation
            .line
            .checked_sub(1)
            .and_then(|at| lines.get_mut(at));
        if let Some(line) = line
            && let Some(new) = replace_path(line, &citation.text, &citation.replacement)
        {
            *line = new;
            is_rewritten = true;
        }
    }
    is_rewritten.then(|| lines.concat())
}

/// A line with each place rewritten at which a path stands by itself, not as a part of a longer one.
fn replace_path(line: &[u8], path: &str, replacement: &str) -> Option<Vec<u8>> {
    let is_of_path =
        |byte: u8| byte.is_ascii_alphanumeric() || b"_-/".contains(&byte) || byte >= 0x80;
    let mut new = Vec::with_capacity(line.len() + replacement.len());
    let mut rest = 0;
    for at in memchr::memmem::find_iter(line, path.as_bytes()) {
        let end = at + path.len();
        let before = at.checked_sub(1).and_then(|at| line.get(at));
        let starts = before.is_none_or(|byte| !is_of_path(*byte) && *byte != b'.');
        let after = line.get(end).copied().unwrap_or(b' ');
        // An ending more, or the number of a line.
        let goes_on =
            b".:#".contains(&after) && line.get(end + 1).is_some_and(u8::is_ascii_alphanumeric);
        if starts && at >= rest && !is_of_path(after) && !goes_on {
            new.extend_from_slice(&line[rest..at]);
            new.extend_from_slice(replacement.as_bytes());
            rest = end;
        }
    }
    new.extend_from_slice(&line[rest..]);
    (rest > 0).then_some(new)
}

#[cfg(test)]
mod tests {
    use super::replace_path;

    fn replaced(line: &str) -> Option<String> {
        let new = replace_path(line.as_bytes(), "src/a.ts", "packages/x/a.ts");
        new.map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn a_path_is_replaced_where_it_stands_by_itself() {
        assert_eq!(
            replaced("See `src/a.ts`, (src/a.ts) and src/a.ts.\r\n").as_deref(),
            Some("See `packages/x/a.ts`, (packages/x/a.ts) and packages/x/a.ts.\r\n")
        );
        for longer in [
            "lib/src/a.ts",
            "src/a.tsx",
            "src/a.ts/b",
            "./src/a.ts",
            "src/a.ts.map",
            "src/a.ts-old",
            "src/a.ts:12",
            "src/a.ts#L12",
        ] {
            assert_eq!(replaced(longer), None, "{longer}");
        }
        assert_eq!(
            replaced("lib/src/a.ts or src/a.ts").as_deref(),
            Some("lib/src/a.ts or packages/x/a.ts")
        );
    }
}
