//! What is said of records that cannot be opened: their ids, never why; the log has the reason.

use mem_records::RecordId;

/// What is said of records that stay unread in an answer.
pub(super) const LEFT_OUT: &str = "left out";
/// Records that are named.
const NAMED_MAX: usize = 10;

/// What is said of records that cannot be opened: how many, which, and that others are served without them.
pub(super) fn unread(closed: &[RecordId], done: &str) -> Vec<String> {
    if closed.is_empty() {
        return Vec::new();
    }
    let named = closed.iter().take(NAMED_MAX).map(|id| format!("`{id}`"));
    let named = named.collect::<Vec<_>>().join(", ");
    let others = match closed.len().saturating_sub(NAMED_MAX) {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    let count = match closed.len() {
        1 => "1 memory".to_owned(),
        count => format!("{count} memories"),
    };
    vec![format!(
        "{count} cannot be opened ({done}): {named}{others}; the server's log says why"
    )]
}
