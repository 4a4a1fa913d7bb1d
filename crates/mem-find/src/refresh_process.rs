//! The process that a recall or an import leaves behind where notes are not yet encoded: one at a time, with
//! nobody waiting for it, and gone when it is done.

use std::path::Path;
use std::time::Duration;

use mem_core::Dirs;
use mem_daemon::background;

use crate::index_refresh::RefreshTurn;

/// The flag by which the child knows that it is one.
pub const FLAG: &str = "--background";
/// How long a child goes on; the next recall sends another.
pub const TIME_MAX: Duration = Duration::from_secs(600);
/// A child keeps still for so long: prompts often come close together.
const GRACE: Duration = Duration::from_secs(3);

/// Sends a child that warms the memory of a folder, unless one is under way.
/// Whatever keeps it from starting only costs time later.
pub fn send_refresh(dirs: &Dirs, folder: &Path) {
    // Given back at once: the child takes it again.
    if RefreshTurn::take_turn(dirs).is_none() {
        return;
    }
    // A child that does not start costs time later, and no more.
    let _ = background::send_detached(["warm", "--quiet", FLAG], folder);
}

/// Makes the child give way to everybody else, and wait until the prompt that sent it is answered
/// and others have been. It has its turn already, so that nobody sends another one meanwhile.
pub fn lower_priority() {
    background::lower_priority();
    std::thread::sleep(GRACE);
}
