//! A record as a topic file.

use mem_core::topic::NewTopic;

use crate::record::NewRecord;
use crate::title;

/// The topic file of a record.
pub(crate) fn topic_of(new: &NewRecord) -> NewTopic {
    let content = new.content();
    NewTopic {
        tags: new.tags().to_vec(),
        importance: Some(new.importance()),
        expires: new.expires_at(),
        category: Some(new.category().as_str().to_owned()),
        ..NewTopic::new(
            new.category().kind(),
            &title::name(content),
            &title::description(content),
            content,
        )
    }
}
