//! Memories of attached stores as resources: `memory://attached/<slug>/a.md`.

use crate::CallError;
use mem_stores::StorePath;
use mem_stores::attached::Attachment;
use mem_stores::tools::store::{
    MemoryInfo, OpenStore as _, StorePage, ToolAccess, ToolStores as _,
};
use rmcp::model::{Resource, ResourceTemplate};

use super::attached::{at_once, attached_stores};
use super::mcp_call::McpCall;
use super::uri;

/// What stands in an address where a note has its tier.
pub(super) const PLACE: &str = "attached";

/// Every memory of every store, as the copies have them.
pub(super) fn all_resources(desk: &McpCall) -> Result<Vec<Resource>, CallError> {
    let Some(stores) = attached_stores(desk)? else {
        return Ok(Vec::new());
    };
    let everything = StorePage {
        folder: None,
        after: None,
        limit: usize::MAX,
    };
    let mut resources = Vec::new();
    for attachment in &stores.attachments {
        let infos = at_once(async {
            let store = (&stores)
                .open(Some(&attachment.slug), ToolAccess::Read)
                .await?;
            store.list(&everything).await
        })?;
        resources.extend(infos.iter().map(|info| memory_resource(attachment, info)));
    }
    Ok(resources)
}

fn memory_resource(attachment: &Attachment, info: &MemoryInfo) -> Resource {
    let path = format!("{}{}", attachment.slug, info.path);
    Resource::new(
        uri::resource_uri(PLACE, &path),
        format!("{}{}", attachment.mount_path(), info.path),
    )
    .with_mime_type(media_type(&info.path))
    .with_size(info.bytes)
}

/// How a memory is addressed that is not on a list; `None` where nothing is attached.
pub(super) fn memory_template(desk: &McpCall) -> Result<Option<ResourceTemplate>, CallError> {
    let template = || {
        ResourceTemplate::new(
            uri::uri_template(&format!("{PLACE}/{{store}}/{{+path}}")),
            "attached memory",
        )
        .with_title("A memory of an attached store")
        .with_description("The store by the name of its folder, the path without its first slash")
    };
    Ok(attached_stores(desk)?.map(|_| template()))
}

/// The text of a memory, brought up to date if the server answers soon, and its type; `None` where there is none.
pub(super) fn read(
    path: &str,
    desk: &McpCall,
) -> Result<Option<(String, &'static str)>, CallError> {
    let Some(stores) = attached_stores(desk)? else {
        return Ok(None);
    };
    let Some((slug, path)) = path.split_once('/') else {
        return Ok(None);
    };
    let Ok(path) = StorePath::parse(&format!("/{path}")) else {
        return Ok(None);
    };
    if stores.by_slug(slug).is_none() {
        return Ok(None);
    }
    let memory = at_once(async {
        let store = (&stores).open(Some(slug), ToolAccess::Read).await?;
        store.read(&path).await
    })?;
    Ok(memory.map(|memory| (memory.content, media_type(path.as_str()))))
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.') {
        Some((_, "md" | "markdown")) => "text/markdown",
        _ => "text/plain",
    }
}
