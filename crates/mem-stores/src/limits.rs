//! Every limit of the contract, units last in the name.

/// The content of a memory, UTF-8.
pub const CONTENT_BYTES_MAX: usize = 102_400;
/// A memory's path with its first slash.
pub const PATH_BYTES_MAX: usize = 1024;
/// Segments of a path.
pub const PATH_SEGMENTS_MAX: usize = 20;
/// Memories of one store that are alive.
pub const MEMORIES_MAX: usize = 10_000;
/// The name of a store.
pub const NAME_CHARS_MAX: usize = 255;
/// The description of a store.
pub const DESCRIPTION_CHARS_MAX: usize = 1024;
/// Metadata of a store.
pub const METADATA_PAIRS_MAX: usize = 16;
/// A key of metadata; it has at least one character.
pub const METADATA_KEY_CHARS_MAX: usize = 64;
/// A value of metadata.
pub const METADATA_VALUE_CHARS_MAX: usize = 512;
/// Objects of one page, at most.
pub const PAGE_MAX: usize = 100;
/// Objects of one page that nobody gave a size.
pub const PAGE_DEFAULT: usize = 20;
/// Objects of one page that come with their content.
pub const PAGE_FULL_MAX: usize = 20;
/// The name of a page.
pub const CURSOR_BYTES_MAX: usize = 4096;
/// The JSON of one request: the longest content with every character escaped, and some.
pub const BODY_BYTES_MAX: usize = 1024 * 1024;
/// Levels of a JSON value; those of the contract have three.
pub const JSON_DEPTH_MAX: usize = 32;
/// Stores that are attached at a time.
pub const ATTACHMENTS_MAX: usize = 8;
/// What an agent is told about an attached store.
pub const INSTRUCTIONS_CHARS_MAX: usize = 4096;
/// An id of any kind.
pub const ID_BYTES_MAX: usize = 128;
