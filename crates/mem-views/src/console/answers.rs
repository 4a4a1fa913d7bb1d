//! What the commands of `mem` answer with `--json`, as far as pages show it.
//!
//! Unknown fields are passed over and missing ones have a default: a page shows less where a command says less.

use serde::Deserialize;

/// `mem audit`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Audit {
    pub projects: Vec<Project>,
}

/// A memory directory of this machine; without slug and path it is that of the global memories.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Project {
    pub slug: Option<String>,
    pub path: Option<String>,
    pub memory_dir: String,
    pub memories: usize,
    pub findings: Vec<Finding>,
}

/// What an audit found.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Finding {
    pub severity: String,
    pub file: Option<String>,
    pub message: String,
    pub fix: Option<String>,
}

/// `mem status`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Status {
    pub project_root: String,
    pub slug: String,
    pub enabled: bool,
    pub agents: Option<AgentChanges>,
    pub team: Option<RemoteSummary>,
    pub own: Option<RemoteSummary>,
    pub hosts: Vec<Host>,
    pub warnings: Vec<String>,
}

/// What agents did and want.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct AgentChanges {
    pub waiting: usize,
    /// Writes of colleagues that wait; not among `waiting`.
    pub from_team: usize,
}

/// A host of agents on this machine.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Host {
    pub name: String,
    pub is_connected: bool,
}

/// How a remote is, without asking it. The lists are numbers in `mem status`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct RemoteSummary {
    pub remote: Option<String>,
    pub repository: Option<String>,
    pub waiting: usize,
    pub conflicts: usize,
    pub offline: bool,
    pub error: Option<String>,
}

/// `mem list`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct MemoryList {
    pub memories: Vec<Memory>,
}

/// A memory; `mem show` fills in the second half.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Memory {
    pub id: String,
    pub file: String,
    pub name: Option<String>,
    pub description: Option<String>,
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub scope: String,
    pub tags: Vec<String>,
    pub when: Vec<String>,
    pub importance: Option<u8>,
    pub expires: Option<String>,
    pub pinned: bool,
    pub modified: String,
    pub size_bytes: usize,
    pub warnings: Vec<String>,
    pub drift: Option<Drift>,
    pub score: Option<f64>,
    pub body: String,
    pub content: Option<String>,
    pub sha256: String,
    pub provenance: Provenance,
}

impl Memory {
    /// The name, else the file.
    pub(crate) fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.file)
    }

    /// The word of the verdict, where it is known.
    pub(crate) fn verdict(&self) -> Option<&str> {
        self.drift.as_ref().map(|drift| drift.verdict.as_str())
    }
}

/// Whether the code still says what a memory says.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Drift {
    pub verdict: String,
    pub reasons: Vec<String>,
}

/// Who wrote a memory.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Provenance {
    pub versions: usize,
    pub created: Option<Change>,
    pub modified: Option<Change>,
}

/// A change of the history, and who made it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Change {
    #[serde(alias = "change")]
    pub id: String,
    pub verb: String,
    pub actor: String,
    pub trust: Option<String>,
    pub name: Option<String>,
    pub session: Option<String>,
    pub host: Option<String>,
    pub reason: Option<String>,
    pub time: String,
    pub undone: bool,
    pub versions: Vec<Version>,
}

/// `mem history`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Changes {
    pub changes: Vec<Change>,
}

/// `mem history NAME`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Versions {
    pub file: String,
    pub versions: Vec<Version>,
}

/// A version of a memory, with the change that made it where the list is one memory's.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Version {
    pub id: String,
    pub note: String,
    pub file: String,
    pub operation: String,
    pub redacted: bool,
    pub change: Option<Box<Change>>,
}

/// `mem diff`, and what `mem team` and `mem undo --dry-run` tell of files.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Diffs {
    pub files: Vec<FileDiff>,
}

/// How one file changes.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct FileDiff {
    pub file: String,
    pub diff: Option<String>,
    pub why: Option<String>,
}

/// `mem verify`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Verified {
    pub notes: Vec<CheckedMemory>,
}

/// What a memory cites, checked.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct CheckedMemory {
    pub file: String,
    pub verdict: String,
    pub citations: Vec<Citation>,
}

/// One citation.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Citation {
    pub text: String,
    pub kind: String,
    pub line: usize,
    pub status: String,
    pub detail: Option<String>,
    pub moved_to: Option<String>,
    pub code: Option<CodeExcerpt>,
}

/// The lines of code that a citation means.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct CodeExcerpt {
    pub path: String,
    /// The number of the first of `lines`, from 1.
    pub first: usize,
    /// The line that is meant; nothing where the citation means the file.
    pub line: Option<usize>,
    pub lines: Vec<String>,
}

/// `mem preview`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Preview {
    pub context: String,
    pub bytes: usize,
    pub tokens: usize,
    pub budget_chars: usize,
    pub min_score: f64,
    pub memories: Vec<RecalledMemory>,
    pub abstained: bool,
    pub filtered: Vec<FilteredMemory>,
}

/// A memory that an agent would be given.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct RecalledMemory {
    pub id: String,
    pub file: String,
    pub scope: String,
    pub name: Option<String>,
    pub description: Option<String>,
    pub score: f64,
    pub age_days: i64,
    pub drift: Option<Drift>,
    pub why: Vec<String>,
}

/// A memory that an agent would not be given, and what kept it back.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct FilteredMemory {
    pub file: String,
    pub by: String,
    pub score: Option<f64>,
}

/// `mem inbox list`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Inbox {
    pub entries: Vec<InboxEntry>,
}

/// A write that waits for a person.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct InboxEntry {
    #[serde(flatten)]
    pub change: Change,
    pub files: Vec<ChangedFile>,
    pub diff: String,
}

/// A file that a change touches.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ChangedFile {
    pub file: String,
    pub operation: String,
}

/// `mem team status`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TeamStatus {
    pub remote: String,
    pub repository: Option<String>,
    pub shared: usize,
    pub waiting: Vec<FileReason>,
    pub to_take: Vec<serde_json::Value>,
    pub not_taken: Vec<FileReason>,
    pub not_shared: Vec<FileReason>,
    pub synced_at: Option<String>,
    pub error: Option<String>,
    pub offline: bool,
}

/// A file, and why it stays where it is.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct FileReason {
    pub file: String,
    pub why: Option<String>,
}

/// `mem team review`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Review {
    pub waiting: Vec<FileDiff>,
}

/// `mem team resolve` and `mem sync resolve`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Conflicts {
    pub conflicts: Vec<Conflict>,
}

/// Two edits of the same lines.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Conflict {
    pub file: String,
    pub mine: Option<String>,
    pub theirs: Option<String>,
    pub diff: Option<String>,
}

/// `mem team log`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TeamLog {
    pub changes: Vec<TeamChange>,
}

/// A change of the team's memory; from the remote, or from the history here.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TeamChange {
    pub key: Option<String>,
    pub operation: Option<String>,
    pub verb: Option<String>,
    pub actor: Option<String>,
    pub at: Option<String>,
    pub time: Option<String>,
    pub reason: Option<String>,
    pub versions: Vec<Version>,
}

/// `mem cost`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Cost {
    pub prompts: usize,
    pub prompts_with_memory: usize,
    pub tokens_per_session: usize,
    pub entries: Vec<CostEntry>,
    pub days: Vec<CostDay>,
    pub used_later: UsedLater,
}

/// What one memory cost.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct CostEntry {
    pub label: String,
    pub times: usize,
}

/// What one day cost.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct CostDay {
    pub day: String,
    pub tokens: usize,
}

/// How often a model used what it was given.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct UsedLater {
    pub prompt: UseFigures,
}

/// Memories given, and used.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct UseFigures {
    pub memories: usize,
    pub used: usize,
    pub share: f64,
}

/// What a redaction would take, or took.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Redaction {
    pub files: usize,
    pub inbox: usize,
    pub versions: usize,
    pub names: usize,
    pub sessions: usize,
    pub left: Vec<serde_json::Value>,
}

/// What an erasure would take.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Erasure {
    pub directories: Vec<ErasedDirectory>,
    pub paths: Vec<serde_json::Value>,
}

/// One directory of it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ErasedDirectory {
    pub dir: String,
    pub files: usize,
    pub bytes: u64,
    pub kept: Vec<serde_json::Value>,
}
