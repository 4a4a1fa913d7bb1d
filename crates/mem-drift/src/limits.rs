//! Every limit of this crate in one place, units last in the name. Beyond one, an answer becomes
//! "unknown" or is taken from what was seen; nothing grows without end.

/// A note longer than this is read up to here: as much as recall reads of one, for which a prompt waits.
pub const NOTE_BYTES_MAX: usize = 1024 * 1024;
/// Different citations of one note that are checked.
pub const CITATIONS_MAX: usize = 2_000;
/// Places of one note where something is cited that are read: each costs microseconds, for which a prompt waits.
pub const CITED_PLACES_MAX: usize = 4_000;
/// A code span longer than this is prose or code, not a citation.
pub const SPAN_BYTES_MAX: usize = 240;
/// Of a sentence, as much on either side of a citation is read.
pub const SENTENCE_BYTES_MAX: usize = 600;
/// A line longer than this is searched for citations up to here.
pub const LINE_BYTES_MAX: usize = 64 * 1024;
/// Of each file, as much is searched for symbols.
pub const SCAN_FILE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// A file whose first bytes hold a zero is not text; git looks at as many.
pub const BINARY_PROBE_BYTES: usize = 8_000;
/// The index of a repository.
pub const INDEX_BYTES_MAX: u64 = 1024 * 1024 * 1024;
/// Threads that search files.
pub const THREADS_MAX: usize = 8;
/// Commits that are walked for what is missing or changed.
pub const WALK_COMMITS_MAX: usize = 20_000;
/// Contents of old versions that are searched for missing symbols, in all.
pub const WALK_BYTES_MAX: usize = 48 * 1024 * 1024;
/// Old versions of files that are searched for missing symbols, in all: about a second's work.
pub const WALK_BLOBS_MAX: usize = 6_000;
/// Files of a commit that are asked whether they declare what it removed.
pub const DECLARATION_FILES_MAX: usize = 256;
/// Files that a walk finds changed, in all.
pub const WALK_DELTAS_MAX: usize = 2_000_000;
/// An old version larger than this is not searched, nor compared with others.
pub const BLOB_BYTES_MAX: usize = 1024 * 1024;
/// Commits older than every note that are still looked at: clocks are skewed.
pub const SKEWED_COMMITS_MAX: usize = 64;
/// Files added by a commit that a missing file is compared with.
pub const RENAME_CANDIDATES_MAX: usize = 1_000;
/// Lines two files must share to be one that was moved: percent, as git has it.
pub const RENAME_SIMILARITY_PERCENT_MIN: usize = 50;
/// The same of two files of one folder whose names differ in their endings alone.
pub const RENAME_SAME_STEM_PERCENT_MIN: usize = 40;
/// Moves of one file that are followed.
pub const RENAME_HOPS_MAX: usize = 32;
/// Files of a moved folder that are asked where they went.
pub const FOLDER_VOTES_MAX: usize = 64;
/// Files that are not tracked, and are looked at all the same.
pub const UNTRACKED_FILES_MAX: usize = 10_000;
/// Depth of a tree of a hostile repository.
pub const TREE_DEPTH_MAX: usize = 128;
/// Changes of one file that are counted.
pub const TOUCHES_MAX: usize = 10_000;
/// Lines of a file that may change before the note about it is aging: percent.
pub const AGING_PERCENT_MIN: u32 = 10;
/// Lines of a file that may change before the note about it has drifted: percent.
pub const DRIFTED_PERCENT_MIN: u32 = 40;
/// A note that cites nothing is taken at its word for so long: days.
pub const UNCITED_DAYS_MAX: u64 = 1;
/// Reasons of a verdict that are told.
pub const REASONS_MAX: usize = 5;
/// Notes whose answers are kept: more than there are, because each form of a note counts.
pub const CACHE_NOTES_MAX: usize = 50_000;
/// Files and folders that are not tracked, and by whose changes a cache is known to be out of date.
pub const CACHE_UNTRACKED_MAX: usize = 1_000;
/// A cache larger than this is not kept.
pub const CACHE_BYTES_MAX: usize = 64 * 1024 * 1024;
