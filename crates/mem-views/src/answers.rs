//! What the commands of `mem` answer with `--json`, as far as the views show it.
//!
//! Unknown fields are passed over and missing ones have a default: a view shows less where a command says less.

use std::path::PathBuf;

use jiff::Timestamp;
use serde::Deserialize;

/// Declares answers: all of them can be read with any field missing.
macro_rules! answers {
    ($($(#[$about:meta])* $name:ident { $($(#[$field_about:meta])* $field:ident: $kind:ty,)* })*) => {
        $(
            $(#[$about])*
            #[derive(Clone, Debug, Default, Deserialize)]
            #[serde(default)]
            pub(crate) struct $name { $($(#[$field_about])* pub $field: $kind,)* }
        )*
    };
}

answers! {
    /// `mem list`.
    MemoryList {
        memories: Vec<Memory>,
        /// How many fit, where the list was limited.
        total: usize,
    }

    /// A memory; `mem list --text` fills in the text, `mem show` what is below it.
    Memory {
        id: String,
        file: String,
        path: PathBuf,
        name: Option<String>,
        description: Option<String>,
        #[serde(rename = "type")]
        kind: Option<String>,
        scope: String,
        tags: Vec<String>,
        when: Vec<String>,
        importance: Option<u8>,
        expires: Option<String>,
        pinned: bool,
        modified: String,
        warnings: Vec<String>,
        drift: Option<Drift>,
        text: String,
        body: String,
        content: Option<String>,
        sha256: String,
        provenance: Provenance,
    }

    /// Whether the code still says what a memory says.
    Drift {
        verdict: String,
        reasons: Vec<String>,
    }

    /// Who wrote a memory.
    Provenance {
        modified: Option<Change>,
    }

    /// A change of the history, and who made it.
    Change {
        #[serde(alias = "change")]
        id: String,
        verb: String,
        actor: String,
        trust: Option<String>,
        name: Option<String>,
        session: Option<String>,
        host: Option<String>,
        reason: Option<String>,
        time: String,
        undone: bool,
        versions: Vec<Version>,
    }

    /// `mem history NAME`.
    Versions {
        file: String,
        versions: Vec<Version>,
    }

    /// A version of a memory, with the change that made it where the list is one memory's, else with an empty one.
    Version {
        id: String,
        note: String,
        file: String,
        operation: String,
        redacted: bool,
        change: Box<Change>,
    }

    /// `mem diff`, and what `mem team` and `mem undo --dry-run` tell of files.
    Diffs {
        files: Vec<FileDiff>,
        /// The changes that an undo takes back.
        undone: Vec<Change>,
    }

    /// How one file changes, or why it stays where it is.
    FileDiff {
        file: String,
        diff: Option<String>,
        why: Option<String>,
    }

    /// `mem verify`.
    Verified {
        notes: Vec<CheckedMemory>,
    }

    /// What a memory cites, checked.
    CheckedMemory {
        file: String,
        verdict: String,
        citations: Vec<Citation>,
    }

    /// One citation.
    Citation {
        text: String,
        kind: String,
        line: usize,
        status: String,
        detail: Option<String>,
        moved_to: Option<String>,
        code: Option<CodeExcerpt>,
    }

    /// The lines of code that a citation means.
    CodeExcerpt {
        path: String,
        /// The number of the first of `lines`, from 1.
        first: usize,
        /// The line that is meant; nothing where the citation means the file.
        line: Option<usize>,
        lines: Vec<String>,
    }

    /// `mem inbox list`.
    Inbox {
        entries: Vec<InboxEntry>,
    }

    /// A write that waits for a person.
    InboxEntry {
        #[serde(flatten)]
        change: Change,
        files: Vec<ChangedFile>,
        diff: String,
        /// What can be edited; `mem inbox show` has it.
        texts: Vec<OfferedText>,
    }

    /// What an editor is given of a memory that waits.
    OfferedText {
        content: Option<String>,
        sha256: String,
    }

    /// A file that a change touches.
    ChangedFile {
        file: String,
        operation: String,
    }

    /// `mem team resolve` and `mem sync resolve`.
    Conflicts {
        conflicts: Vec<Conflict>,
    }

    /// Two edits of the same lines.
    Conflict {
        file: String,
        mine: String,
        theirs: Option<String>,
        diff: Option<String>,
        both: String,
        /// `team` or `sync`, whose `resolve` decides; no command says it.
        command: String,
    }
}

// What the console alone asks for.
#[cfg(feature = "console")]
answers! {
    /// `mem status`.
    Status {
        project_root: String,
        slug: String,
        enabled: bool,
        agents: Option<AgentChanges>,
        team: Option<RemoteSummary>,
        own: Option<RemoteSummary>,
        hosts: Vec<Host>,
        secrets_stopped: Vec<DayFigures>,
    }

    /// What agents did and want.
    AgentChanges {
        waiting: usize,
        /// Writes of colleagues that wait; not among `waiting`.
        from_team: usize,
    }

    /// A host of agents on this machine.
    Host {
        name: String,
        is_connected: bool,
    }

    /// How a remote is, without asking it. The lists are numbers in `mem status`.
    RemoteSummary {
        waiting: usize,
        conflicts: usize,
        offline: bool,
        error: Option<String>,
    }

    /// `mem audit`.
    Audit {
        projects: Vec<Project>,
    }

    /// A memory directory of this machine; without slug and path it is that of the global memories.
    Project {
        slug: Option<String>,
        path: Option<String>,
        memory_dir: String,
        memories: usize,
        findings: Vec<Finding>,
    }

    /// What an audit found.
    Finding {
        severity: String,
        file: Option<String>,
        message: String,
        fix: Option<String>,
    }

    /// `mem history`.
    Changes {
        changes: Vec<Change>,
    }

    /// `mem preview`.
    Preview {
        context: String,
        bytes: usize,
        tokens: usize,
        budget_chars: usize,
        memories: Vec<RecalledMemory>,
        filtered: Vec<FilteredMemory>,
    }

    /// `mem session prompts`.
    PastPrompts {
        prompts: Vec<PastPrompt>,
    }

    /// A prompt, and what it would be given now.
    PastPrompt {
        time: Option<String>,
        text: String,
        memories: Vec<RecalledMemory>,
    }

    /// A memory that an agent would be given.
    RecalledMemory {
        id: String,
        file: String,
        scope: String,
        name: Option<String>,
        description: Option<String>,
        score: f64,
        age_days: i64,
        drift: Option<Drift>,
        why: Vec<String>,
    }

    /// A memory that an agent would not be given, and what kept it back.
    FilteredMemory {
        file: String,
        by: String,
        score: Option<f64>,
    }

    /// `mem team status`.
    TeamStatus {
        remote: String,
        repository: Option<String>,
        shared: usize,
        waiting: Vec<FileDiff>,
        to_take: Vec<serde_json::Value>,
        not_taken: Vec<FileDiff>,
        not_shared: Vec<FileDiff>,
        synced_at: Option<String>,
        error: Option<String>,
        offline: bool,
    }

    /// `mem team review`.
    Review {
        waiting: Vec<FileDiff>,
    }

    /// `mem team log`.
    TeamLog {
        changes: Vec<TeamChange>,
    }

    /// A change of the team's memory; from the remote, or from the history here.
    TeamChange {
        key: Option<String>,
        operation: Option<String>,
        verb: Option<String>,
        actor: Option<String>,
        at: Option<String>,
        time: Option<String>,
        reason: Option<String>,
        versions: Vec<Version>,
    }

    /// `mem cost`.
    Cost {
        entries: Vec<CostEntry>,
        days: Vec<DayFigures>,
        used_later: UsedLater,
    }

    /// What one memory cost.
    CostEntry {
        label: String,
        times: usize,
    }

    /// What one day came to, or all of them.
    DayFigures {
        day: String,
        tokens: usize,
        /// Memories that sessions were given, and how many of them were used.
        memories: usize,
        used: usize,
        /// Secrets that hooks of git stopped.
        secrets: usize,
    }

    /// How often a model used what it was given.
    UsedLater {
        prompt: DayFigures,
    }

    /// `mem edit`.
    EditOutcome {
        change: Option<String>,
    }

    /// `mem verify --fix`.
    Fixes {
        fixed: Vec<Fix>,
    }

    /// A path that is rewritten.
    Fix {
        line: usize,
        text: String,
        replacement: String,
    }

    /// What a redaction would take, or took.
    Redaction {
        files: usize,
        inbox: usize,
        sessions: usize,
        paths: Vec<String>,
        left: Vec<serde_json::Value>,
    }

    /// What an erasure would take.
    Erasure {
        directories: Vec<ErasedDirectory>,
        paths: Vec<serde_json::Value>,
    }

    /// One directory of it.
    ErasedDirectory {
        dir: String,
        files: usize,
        bytes: u64,
        kept: Vec<serde_json::Value>,
    }
}

impl Memory {
    /// The name, else the file.
    pub(crate) fn title(&self) -> &str {
        let name = self.name.as_deref();
        name.filter(|name| !name.trim().is_empty())
            .unwrap_or(&self.file)
    }

    /// The name that commands take: the file, with its scope before it where that is not private.
    pub(crate) fn label(&self) -> String {
        match self.scope.as_str() {
            "private" => self.file.clone(),
            scope => format!("{scope}:{}", self.file),
        }
    }

    /// The word of the verdict, where it is known.
    pub(crate) fn verdict(&self) -> Option<&str> {
        self.drift.as_ref().map(|drift| drift.verdict.as_str())
    }
}

impl Change {
    /// When it was made.
    pub(crate) fn time(&self) -> Timestamp {
        self.time.parse().unwrap_or_default()
    }
}
