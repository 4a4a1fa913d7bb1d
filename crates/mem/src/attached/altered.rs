//! Files of a copy that may only be read, and that somebody wrote into: what stands there is not what the server has,
//! and is not shown as if it were. The next talk with the server puts it back ([`super::heal`]); while the server is
//! away nobody has its text.

use anyhow::Result;
use mem_stores::StorePath;

use super::copy::Locked;

/// What an agent is told of such a file.
pub(crate) const ALTERED: &str = "was changed here by other means, in a store that may only be read: what the server \
                                  has is shown when it answers again";

impl Locked<'_> {
    /// Whether a file of a copy that may only be read is not what the server had: somebody wrote into it, and it has
    /// not been put back yet.
    ///
    /// # Errors
    /// The system refuses.
    pub(crate) fn is_altered(&self, path: &StorePath) -> Result<bool> {
        if !self.is_read_only() {
            return Ok(false);
        }
        let known = self.known(path).map(|known| known.sha256);
        Ok(self.digest(path)? != known)
    }
}
