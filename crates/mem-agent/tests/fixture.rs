//! Where a memory of a test keeps what it keeps: everything below one folder.

use std::path::Path;

use mem_core::Dirs;

/// The folders below one.
pub(crate) fn dirs(top: &Path) -> Dirs {
    let folder = |name: &str| top.join(name);
    Dirs {
        home: None,
        base: folder("base"),
        config: folder("config"),
        state: folder("state"),
        cache: folder("cache"),
        managed: folder("managed"),
        seals: mem_core::sealing::StateKeys::default(),
    }
}
