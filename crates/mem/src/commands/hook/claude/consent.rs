//! Whether an agent may change a memory: the setting `memory.write`.

use mem_core::Config;
use mem_core::memory::Under;

/// A change that an agent is about to make.
pub(super) struct Change<'a> {
    /// The file.
    pub(super) under: &'a Under,
    /// What stands in it now; `None` for a new one.
    pub(super) before: Option<&'a [u8]>,
    /// What it is to hold.
    pub(super) after: &'a [u8],
}

/// Why the change may not be made now; `None` where it may.
pub(super) fn consent(change: &Change<'_>, config: &Config) -> Option<String> {
    let file = change.under.label();
    let set = config.explicit("memory.write");
    match set.map(|setting| setting.value.text()) {
        Some("read-only") => Some(format!(
            "memory is read-only for agents here (memory.write): `{file}` stays as it is"
        )),
        Some("confirm") if change.before == Some(change.after) => None,
        Some("confirm") => Some(format!(
            "agents write to memory only with a person's consent here (memory.write): `{file}` \
             stays as it is until somebody accepts the change"
        )),
        _ => None,
    }
}
