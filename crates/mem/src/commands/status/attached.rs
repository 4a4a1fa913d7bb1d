//! The stores that are attached, as far as that is known without asking anybody.

use mem_core::location::ProjectContext;
use mem_stores::attached::AttachedStores;
use mem_stores::attached::{Attachment, CopyStatus};
use serde_json::{Value, json};

use crate::context::Context;
use crate::sanitize::one_line;
use crate::style::{HINT, WARNING};
use mem_core::counted::format_count;

/// What a status tells of them.
#[derive(Debug, Default)]
pub(super) struct AttachedStatus(Vec<Store>);

#[derive(Debug)]
struct Store {
    attachment: Attachment,
    memories: usize,
    waiting: usize,
    status: CopyStatus,
}

impl AttachedStatus {
    /// Looks at what is remembered.
    pub(super) fn for_project(place: &ProjectContext, context: &Context) -> anyhow::Result<Self> {
        let Some(attached) = AttachedStores::open_for(place, &context.tools)? else {
            return Ok(Self::default());
        };
        let stores = attached.attachments.iter().map(|attachment| {
            let copy = attached.open_store(attachment).copy;
            Store {
                memories: copy.sync_base().memories.len(),
                waiting: copy.unsent_changes().paths.len(),
                status: copy.read_status(),
                attachment: attachment.clone(),
            }
        });
        Ok(Self(stores.collect()))
    }

    /// A line for each, and one for each thing that is to be done.
    pub(super) fn status_lines(&self) -> Vec<String> {
        self.0.iter().flat_map(Store::store_lines).collect()
    }

    /// The stable shape.
    pub(super) fn to_json(&self) -> Value {
        let all = self.0.iter().map(|one| {
            json!({
                "mount_path": one.attachment.mount_path(), "access": one.attachment.access,
                "memories": one.memories, "waiting": one.waiting,
                "held": one.status.held.len(), "aside": one.status.aside.len(),
                "trouble": one.status.trouble,
            })
        });
        Value::Array(all.collect())
    }
}

impl Store {
    fn store_lines(&self) -> Vec<String> {
        let mount = self.attachment.mount_path();
        let memories = format_count(self.memories, "memory", "memories");
        let mut lines = vec![format!("  store {mount}: {memories}")];
        let mut warn = |text: String| {
            lines.push(format!("    {WARNING}{text}{WARNING:#}"));
        };
        if let Some(trouble) = &self.status.trouble {
            warn(format!("not in step: {}", one_line(trouble)));
        }
        match self.waiting {
            0 => {}
            1 => warn("1 change waits to be sent".to_owned()),
            waiting => warn(format!("{waiting} changes wait to be sent")),
        }
        let aside = self.status.aside.len();
        if aside > 0 {
            let texts = format_count(aside, "text", "texts");
            warn(format!("{texts} gave way to the server's"));
            lines.push(format!(
                "    {HINT}hint{HINT:#}: `mem attachments` has them"
            ));
        }
        lines
    }
}
