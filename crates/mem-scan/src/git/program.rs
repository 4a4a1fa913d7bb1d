//! Objects of SHA-256 repositories, which libgit2 does not read: git itself hands them out, from one process that is
//! asked again and again. It fetches nothing, replaces nothing and runs nothing of the repository.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use super::id::ObjectId;
use super::object::{Object, ObjectError, ObjectKind};
use super::open::{GitObjectError, GitObjects};
use super::source::{IndexDelta, ObjectSource, RemoteUrl};

/// A repository that git reads.
pub(super) struct GitProgram {
    git: GitObjects,
    batch: RefCell<CatFileBatch>,
}

/// `git cat-file --batch`.
struct CatFileBatch {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl GitProgram {
    /// Starts git.
    ///
    /// # Errors
    /// There is no git.
    pub(super) fn new(git: GitObjects) -> io::Result<Self> {
        let mut command = git.command();
        let mut child = command
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let gone = || io::Error::other("git has no input or output");
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let batch = RefCell::new(CatFileBatch {
            child,
            input: Some(input.ok_or_else(gone)?),
            output: BufReader::new(output.ok_or_else(gone)?),
        });
        Ok(Self { git, batch })
    }

    /// What git answers.
    fn ask_git(&self, args: &[&str]) -> io::Result<Vec<u8>> {
        self.tell_git(args, String::new())
    }

    /// What git answers to lines on its standard input.
    fn tell_git(&self, args: &[&str], lines: String) -> io::Result<Vec<u8>> {
        let mut command = self.git.command();
        let mut child = command
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take();
        // git may print while there is still something to read for it.
        let writer = std::thread::spawn(move || match input {
            Some(mut input) => input.write_all(lines.as_bytes()),
            None => Ok(()),
        });
        let output = child.wait_with_output()?;
        let written = writer.join().unwrap_or(Ok(()));
        match output.status.success() {
            true => written.map(|()| output.stdout),
            false => Err(io::Error::other(output.status.to_string())),
        }
    }

    /// The names of objects that git answers with, a line each.
    fn object_names(&self, args: &[&str]) -> Vec<ObjectId> {
        let answer = self.ask_git(args).unwrap_or_default();
        parse_names(&answer).collect()
    }

    /// What differs between two trees, or a tree and the index.
    fn read_deltas(&self, args: &[&str]) -> io::Result<Vec<RawDelta>> {
        let answer = self.ask_git(args)?;
        Ok(raw_deltas(&answer))
    }

    fn is_there(&self, id: ObjectId) -> bool {
        let read = self.batch.borrow_mut().read(id, 0);
        matches!(read, Ok(_) | Err(ObjectError::TooLarge(_)))
    }
}

impl CatFileBatch {
    fn read(&mut self, id: ObjectId, bytes_max: usize) -> Result<Object, ObjectError> {
        let ended = || io::Error::other("it ended early");
        let input = self.input.as_mut().ok_or_else(ended)?;
        writeln!(input, "{id}")?;
        input.flush()?;
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            return Err(ended().into());
        }
        // `<name> <kind> <bytes>`, or `<name> missing`.
        let mut words = line.trim_end().split(' ').skip(1);
        let (Some(kind), Some(size)) = (words.next(), words.next()) else {
            return Err(ObjectError::Missing);
        };
        let size: u64 = size.parse().map_err(|_| ended())?;
        // A newline follows.
        let mut content = self.output.by_ref().take(size + 1);
        if size > bytes_max as u64 {
            io::copy(&mut content, &mut io::sink())?;
            return Err(ObjectError::TooLarge(bytes_max));
        }
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes)?;
        if bytes.len() as u64 != size + 1 {
            return Err(ended().into());
        }
        bytes.pop();
        let kind = ObjectKind::parse_kind(kind).ok_or(ObjectError::Malformed("object"))?;
        Ok(Object { kind, bytes })
    }
}

impl Drop for CatFileBatch {
    fn drop(&mut self) {
        // It ends where its input does.
        self.input = None;
        let _ = self.child.wait();
    }
}

impl ObjectSource for GitProgram {
    fn read(&self, id: ObjectId, bytes_max: usize) -> Result<Object, ObjectError> {
        self.batch.borrow_mut().read(id, bytes_max)
    }

    fn references(&self, _: &mut Vec<String>) -> Result<Vec<ObjectId>, GitObjectError> {
        let all = self.ask_git(&["for-each-ref", "--format=%(objectname)"]);
        let all = all.map_err(GitObjectError::Program)?;
        let head = self.object_names(&["rev-parse", "--verify", "--quiet", "HEAD"]);
        Ok(parse_names(&all).chain(head).collect())
    }

    fn tracked(&self, remote: &str) -> Vec<ObjectId> {
        let folder = format!("refs/remotes/{remote}/");
        self.object_names(&["for-each-ref", "--format=%(objectname)", &folder])
    }

    fn remotes(&self) -> Vec<RemoteUrl> {
        let all = [r"config", "-z", "--get-regexp", r"^remote\..*\.(push)?url$"];
        let answer = self.ask_git(&all).unwrap_or_default();
        let mut remotes: Vec<RemoteUrl> = Vec::new();
        for row in answer.split(|byte| *byte == 0) {
            let row = String::from_utf8_lossy(row);
            let Some((key, url)) = row.split_once('\n') else {
                continue;
            };
            let key = key.strip_prefix("remote.").unwrap_or(key);
            let Some((name, what)) = key.rsplit_once('.') else {
                continue;
            };
            let (name, url) = (name.to_owned(), url.to_owned());
            match remotes.iter_mut().find(|one| one.name == name) {
                Some(known) if what == "pushurl" => known.url = url,
                Some(_) => {}
                None => remotes.push(RemoteUrl { name, url }),
            }
        }
        remotes
    }

    fn commit_named(&self, revision: &str) -> Option<ObjectId> {
        let commit = format!("{revision}^{{commit}}");
        let args = [
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &commit,
        ];
        self.object_names(&args).first().copied()
    }

    fn merge_bases(&self, one: ObjectId, others: &[ObjectId]) -> Vec<ObjectId> {
        if others.is_empty() {
            return Vec::new();
        }
        let ids: Vec<String> = std::iter::once(&one)
            .chain(others)
            .map(ObjectId::to_string)
            .collect();
        let args = ["merge-base", "--all"].into_iter();
        let args: Vec<&str> = args.chain(ids.iter().map(String::as_str)).collect();
        self.object_names(&args)
    }

    fn between(
        &self,
        wanted: &[ObjectId],
        hidden: &[ObjectId],
    ) -> Result<Vec<ObjectId>, ObjectError> {
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        // What is not here cannot be subtracted; the scan is then larger, never smaller.
        let hidden = hidden.iter().filter(|id| self.is_there(**id));
        let wanted = wanted.iter().map(|id| format!("{id}\n"));
        let lines = wanted.chain(hidden.map(|id| format!("^{id}\n")));
        let args = ["rev-list", "--topo-order", "--reverse", "--stdin"];
        let answer = self.tell_git(&args, lines.collect())?;
        Ok(parse_names(&answer).collect())
    }

    fn renames(
        &self,
        parent: ObjectId,
        commit: ObjectId,
    ) -> Result<HashMap<String, ObjectId>, ObjectError> {
        let (parent, commit) = (parent.to_string(), commit.to_string());
        let args = ["diff-tree", "-r", "-M", "--raw", "-z", "--no-abbrev"];
        let args: Vec<&str> = args.into_iter().chain([&*parent, &*commit]).collect();
        // The parents of a shallow clone's oldest commits are not there.
        let deltas = self.read_deltas(&args).unwrap_or_default();
        let renames = deltas.into_iter().filter(|one| one.status == 'R');
        Ok(renames.map(|one| (one.path, one.old)).collect())
    }

    fn staged(&self) -> Result<Vec<IndexDelta>, GitObjectError> {
        let head = self.object_names(&["rev-parse", "--verify", "--quiet", "HEAD^{tree}"]);
        let base = match head.first() {
            Some(tree) => tree.to_string(),
            None => {
                let empty = self.tell_git(&["hash-object", "-t", "tree", "--stdin"], String::new());
                let empty = empty.map_err(GitObjectError::Program)?;
                String::from_utf8_lossy(&empty).trim().to_owned()
            }
        };
        let args = ["diff-index", "--cached", "-M", "--raw", "-z", "--no-abbrev"];
        let args = args.into_iter().chain(["--ignore-submodules", &base]);
        let deltas = self.read_deltas(&args.collect::<Vec<_>>());
        let deltas = deltas.map_err(|error| GitObjectError::Index(error.into()))?;
        let files = deltas
            .into_iter()
            .filter(|one| matches!(one.mode.as_str(), "100644" | "100755" | "120000"));
        let new = files.filter(|one| !one.new.is_zero() && one.new != one.old);
        Ok(new
            .map(|one| IndexDelta {
                is_new_name: matches!(one.status, 'A' | 'R' | 'C'),
                path: one.path,
                new: one.new,
                old: (!one.old.is_zero()).then_some(one.old),
            })
            .collect())
    }

    fn is_partial(&self) -> bool {
        let keys = r"^(extensions\.partialclone|remote\..*\.promisor)$";
        self.ask_git(&["config", "--get-regexp", keys]).is_ok()
    }

    fn is_shallow(&self) -> bool {
        let answer = self.ask_git(&["rev-parse", "--is-shallow-repository"]);
        answer.is_ok_and(|answer| answer == b"true\n")
    }
}

/// Names of objects, a line each.
fn parse_names(answer: &[u8]) -> impl Iterator<Item = ObjectId> {
    let lines = answer.split(|byte| *byte == b'\n');
    lines.filter_map(|line| ObjectId::parse(std::str::from_utf8(line).ok()?))
}

/// A row of git's raw format of differences.
struct RawDelta {
    mode: String,
    old: ObjectId,
    new: ObjectId,
    status: char,
    path: String,
}

/// `:<mode> <mode> <object> <object> <status>\0<path>\0`, with one more path for a rename.
fn raw_deltas(answer: &[u8]) -> Vec<RawDelta> {
    let mut deltas = Vec::new();
    let mut parts = answer
        .split(|byte| *byte == 0)
        .map(|part| String::from_utf8_lossy(part).into_owned());
    while let Some(head) = parts.next() {
        let words: Vec<&str> = head.trim_start_matches(':').split(' ').collect();
        let &[_, mode, old, new, status] = words.as_slice() else {
            continue;
        };
        let status = status.chars().next().unwrap_or_default();
        let named = parts.next();
        let path = match status {
            'R' | 'C' => parts.next(),
            _ => named,
        };
        let (Some(old), Some(new)) = (ObjectId::parse(old), ObjectId::parse(new)) else {
            continue;
        };
        deltas.push(RawDelta {
            mode: mode.to_owned(),
            old,
            new,
            status,
            path: path.unwrap_or_default(),
        });
    }
    deltas
}
