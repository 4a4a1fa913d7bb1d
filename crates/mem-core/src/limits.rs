//! Every limit in one place, units last in the name. Going over one is a clear error.

/// `MEMORY.md` as loaded by a host: lines.
pub const INDEX_LINES_MAX: usize = 200;
/// `MEMORY.md` as loaded by a host: characters, counted as UTF-16 code units, as hosts measure a string.
pub const INDEX_UNITS_MAX: usize = 25_000;
/// Frontmatter beyond this is read by the line reader only, never given to the YAML parser
/// (deep nesting costs the parser quadratic time).
pub const FRONTMATTER_YAML_BYTES_MAX: usize = 8 * 1024;
/// Frontmatter whose closing line is not found within this is taken for body.
pub const FRONTMATTER_BYTES_MAX: usize = 256 * 1024;
/// The largest topic file that `mem` writes.
pub const TOPIC_BYTES_MAX: usize = 10 * 1024 * 1024;
/// Files of the repository whose blobs are recorded with one version of a note.
pub const CITED_FILES_MAX: usize = 64;
/// Their paths and ids.
pub const CITED_BYTES_MAX: usize = 8 * 1024;
/// The largest file that is kept in the history.
pub const HISTORY_FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// One segment of a memory path, as most file systems have it.
pub const SEGMENT_BYTES_MAX: usize = 255;
/// A memory path, as the memory stores API has it.
pub const PATH_BYTES_MAX: usize = 1_024;
/// Segments of a memory path, as the memory stores API has it.
pub const PATH_SEGMENTS_MAX: usize = 20;
/// A topic's name.
pub const NAME_CHARS_MAX: usize = 200;
/// A topic's description: one line that a selector reads.
pub const DESCRIPTION_CHARS_MAX: usize = 1_024;
/// An entry of the team tier, as the memory stores API has it.
pub const TEAM_ENTRY_BYTES_MAX: usize = 102_400;
/// The shortest text that can be redacted; a shorter one stands in too many innocent places.
pub const REDACTED_TEXT_BYTES_MIN: usize = 4;
/// Files that one memory directory may come to hold through our own writes.
pub const FILES_MAX: usize = 100_000;
/// Files up to which a memory directory is read: other programs may put more there than [`FILES_MAX`], and
/// who did that must be able to list and remove them.
pub const FILES_READ_MAX: usize = 2 * FILES_MAX;
/// A file of our own state, as large as a history of [`FILES_MAX`] files makes it; larger ones are not ours.
pub const OWN_FILE_BYTES_MAX: u64 = 2 << 30;
/// A `.gitignore` or `info/exclude`; larger ones count as absent.
pub const IGNORE_FILE_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// A host's settings file; larger ones are not read.
pub const SETTINGS_BYTES_MAX: u64 = 1024 * 1024;
/// A host's state file, which holds something of every project; larger ones are not read.
pub const HOST_STATE_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// A one-line file of git's (`HEAD`, `.git`, `commondir`, `gitdir`).
pub const GIT_POINTER_BYTES_MAX: u64 = 64 * 1024;
/// Linked worktrees of one repository that are looked at for misplaced memories.
pub const LINKED_WORKTREES_MAX: usize = 256;
/// First parents that are followed to a repository's first commit; longer histories are known by
/// their remotes only.
pub const IDENTITY_COMMITS_MAX: usize = 50_000;
/// Read from the start of a transcript to learn its working directory.
pub const TRANSCRIPT_HEAD_BYTES_MAX: u64 = 256 * 1024;
/// Folders that are read to find the one that a project's name fits.
pub const GUESSED_FOLDERS_READ_MAX: usize = 64;
/// Transcripts that are looked into for one project's path.
pub const TRANSCRIPTS_PROBED_MAX: usize = 8;
/// Roots, first commits and remotes that are remembered for one memory directory, each.
pub const REGISTRY_FACTS_MAX: usize = 16;
/// Copies of a damaged state file that are set aside before the last is replaced.
pub const DAMAGED_COPIES_MAX: u32 = 16;
/// The newest changes that are looked through for files that something swept away.
pub const SWEEP_CHANGES_MAX: usize = 50;
/// Files that were swept away longer ago are not offered back by themselves any more.
pub const SWEEP_DAYS_MAX: u64 = 14;
/// So many files gone in one go are a sweep, whatever folder they were in.
pub const SWEEP_FILES_MIN: usize = 5;
/// A line of the index that a person can still read; longer ones are found by the check.
pub const INDEX_LINE_CHARS_MAX: usize = 200;
/// A title in the index.
pub const INDEX_TITLE_CHARS_MAX: usize = 80;
/// A hook in the index.
pub const INDEX_HOOK_CHARS_MAX: usize = 150;
/// A description that a selector takes in at a glance; longer ones are found by the check.
pub const DESCRIPTION_CHARS_GOOD: usize = 200;
/// Oddities of one frontmatter that are told; what is odder than that is broken.
pub const FRONTMATTER_WARNINGS_MAX: usize = 32;
/// A Markdown link or a wikilink in the index; longer ones are text.
pub const LINK_BYTES_MAX: usize = 4 * 1024;
/// An import: what it reads, all files together.
pub const IMPORT_BYTES_MAX: u64 = 512 * 1024 * 1024;
/// The name of a memory that is made from a part of another file.
pub const IMPORTED_NAME_CHARS_MAX: usize = 80;
/// Memories that one import makes from the parts of other files.
pub const IMPORTED_TOPICS_MAX: usize = 5_000;
/// Writes of agents that wait for a person in one inbox.
pub const INBOX_ENTRIES_MAX: usize = 500;
/// Writes of colleagues that wait for a person in one inbox: as many as a team's memory has entries.
pub const INBOX_TEAM_ENTRIES_MAX: usize = 10_000;
/// Writes that were rejected or replaced, and are kept; the oldest go. A whole inbox can be rejected, or
/// distilled, at once and be brought back.
pub const INBOX_REJECTED_MAX: usize = INBOX_ENTRIES_MAX + INBOX_TEAM_ENTRIES_MAX;
/// One write that waits, as it stands in the inbox.
pub const INBOX_ENTRY_BYTES_MAX: usize = 64 * 1024 * 1024;
