//! Every limit of the protocol, units last in the name. Limits of keys and entries are those of the
//! memory stores API.

/// Entries of one store.
pub const ENTRIES_MAX: usize = 10_000;
/// The content of an entry, UTF-8.
pub const ENTRY_BYTES_MAX: usize = mem_core::limits::TEAM_ENTRY_BYTES_MAX;
/// The JSON of one PUT, as sent.
pub const PUT_BYTES_MAX: usize = 200_000;
/// The JSON of one write to a git remote, which is a commit and a push and no request: far more than a
/// PUT, so that a large memory is not a hundred pushes, and bounded, as all of it is in memory.
pub const GIT_WRITE_BYTES_MAX: usize = 32 * 1024 * 1024;
/// The body of an answer, unpacked; a store that is larger is asked for in parts.
pub const ANSWER_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Keys of one object in a body, good and bad ones: twice what a store holds, so that tombstones and
/// a few bad ones do not make the rest unreadable.
pub const BODY_KEYS_MAX: usize = 2 * ENTRIES_MAX;
/// Keys that one GET asks for by name.
pub const ASKED_KEYS_MAX: usize = 100;
/// The bytes of the keys that one GET asks for by name; addresses beyond 8 KiB are refused by proxies.
pub const ASKED_KEYS_BYTES_MAX: usize = 4 * 1024;
/// An ETag with its quotes.
pub const ETAG_BYTES_MAX: usize = 128;
/// A name, a time, a code or a message of the other end; the rest is cut.
pub const LABEL_CHARS_MAX: usize = 256;
/// Why somebody deletes something; the rest is cut.
pub const REASON_CHARS_MAX: usize = 500;
/// A repository's name on the wire.
pub const REPOSITORY_BYTES_MAX: usize = 512;
/// Changes of one page of the log.
pub const LOG_PAGE_MAX: u32 = 100;
/// The name of a page of the log.
pub const PAGE_BYTES_MAX: usize = 256;
