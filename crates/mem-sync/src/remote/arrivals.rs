//! Contents on their way: whoever takes them can do something with each while the others are still to come.

use super::Fetched;

/// Who takes the contents of an answer.
pub trait Arrivals {
    /// An answer begins: nothing that was told before is part of it.
    fn begin_answer(&mut self);

    /// A name and its content, whose checksum is this one. Whether it stands in the store is told by the answer
    /// alone, once it is whole.
    fn receive_content(&mut self, name: &str, content: String);
}

impl Fetched {
    /// Hands over the contents.
    pub(super) fn unload_contents(&mut self, arrivals: &mut dyn Arrivals) {
        arrivals.begin_answer();
        let Self::Found { answer, .. } = self else {
            return;
        };
        for (key, entry) in answer.entries.iter_mut().chain(&mut answer.clashing) {
            if let Some(content) = entry.content.take() {
                arrivals.receive_content(key.as_str(), content);
            }
        }
    }
}
