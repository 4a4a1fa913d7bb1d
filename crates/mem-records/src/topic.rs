//! A record as a topic file.

use mem_core::topic::NewTopic;

use crate::record::NewRecord;
use crate::title;

/// The topic file of a record. Its name and description, which stand in indexes, names of files and warnings, are
/// made from what of the content may be shown.
pub(crate) fn topic_of(new: &NewRecord, shown: &str) -> NewTopic {
    NewTopic {
        tags: new.tags().to_vec(),
        importance: Some(new.importance()),
        expires: new.expires_at(),
        category: Some(new.category().as_str().to_owned()),
        ..NewTopic::new(
            new.category().memory_type(),
            &title::name(shown),
            &title::description(shown),
            new.content(),
        )
    }
}
