//! The stores that are attached, in lines.

use mem_admin::status::{AttachedStatus, AttachedStoreStatus};
use mem_core::plural::format_count;

use crate::sanitize::one_line;
use crate::style::{HINT, WARNING};

/// A line for each, and one for each thing that is to be done.
pub(super) fn status_lines(attached: &AttachedStatus) -> Vec<String> {
    attached.0.iter().flat_map(store_lines).collect()
}

fn store_lines(store: &AttachedStoreStatus) -> Vec<String> {
    let mount = store.attachment.mount_path();
    let memories = format_count(store.memories, "memory", "memories");
    let mut lines = vec![format!("  store {mount}: {memories}")];
    let mut warn = |text: String| {
        lines.push(format!("    {WARNING}{text}{WARNING:#}"));
    };
    if let Some(trouble) = &store.status.trouble {
        warn(format!("not in step: {}", one_line(trouble)));
    }
    match store.waiting {
        0 => {}
        1 => warn("1 change waits to be sent".to_owned()),
        waiting => warn(format!("{waiting} changes wait to be sent")),
    }
    let aside = store.status.aside.len();
    if aside > 0 {
        let texts = format_count(aside, "text", "texts");
        warn(format!("{texts} gave way to the server's"));
        lines.push(format!(
            "    {HINT}hint{HINT:#}: `mem attachments` has them"
        ));
    }
    lines
}
