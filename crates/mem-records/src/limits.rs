//! Every limit of records, units last in the name. Going over one is a clear error.

/// A record's content; with its frontmatter it still fits into a memory store and a team's tier.
pub const CONTENT_BYTES_MAX: usize = 64 * 1024;
/// Tags of one record.
pub const TAGS_MAX: usize = 32;
/// One tag.
pub const TAG_CHARS_MAX: usize = 100;
/// The least and the greatest importance.
pub const IMPORTANCE: std::ops::RangeInclusive<u8> = 1..=5;
/// A query; longer ones are cut to the sentences that matter only where whole prompts are recalled.
pub const QUERY_BYTES_MAX: usize = 16 * 1024;
/// Records that a retrieval brings unless told.
pub const LIMIT_DEFAULT: usize = 10;
/// Records that a retrieval brings at most.
pub const LIMIT_MAX: usize = 100;
/// A reason.
pub const REASON_CHARS_MAX: usize = 1_000;
/// An id, whatever back end made it.
pub const ID_BYTES_MAX: usize = 128;
