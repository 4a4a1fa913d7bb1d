//! Stores that are attached to the project, below `/memories/<slug>`: the same tool over their copies.

use crate::CallError;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::fs::File;

use mem_agent::tool::{
    Change, DirWriter, MemoryTool, ToolAnswer, ToolDialect, ToolFailure, ToolLimits, ToolWriter,
    first_name,
};
use mem_core::error::message_with_causes;
use mem_core::plain::{DirListing, PathEnd, PlainRoot, SpotKind};
use mem_core::state_file;
use mem_stores::StorePath;
use mem_stores::attached::{
    ALTERED, AttachedStore, AttachedStores, CopyError, LockedCopy, OfflineCopy, RoundOutcome,
    SkippedDeletion, StoreAccess,
};
use mem_stores::client::ClientError;
use mem_stores::limits::CONTENT_BYTES_MAX;
use serde_json::Value;

use super::{OpenMemory, error_answer};

/// Deeper than any path.
const LEVELS: usize = 64;
/// Before the lines of a folder's view: what it is, and the folder itself.
const VIEW_HEAD_LINES: usize = 2;

/// Answers an input that is about an attached store; `None` for all others.
pub(super) fn answer(served: &OpenMemory<'_>, input: &Value) -> Option<ToolAnswer> {
    let stores = attached_stores(served)?;
    let at = |field: &str| {
        let path = input.get(field)?.as_str()?;
        let first = first_name(path, served.dialect)?;
        stores.by_slug(&first)
    };
    let found = match input.get("command").and_then(Value::as_str) {
        Some("rename") => match (at("old_path"), at("new_path")) {
            (None, None) => return None,
            (Some(from), Some(to)) if from.slug == to.slug => from,
            _ => return Some(said(CROSSING, served)),
        },
        _ => at("path")?,
    };
    let store = stores.open_store(found);
    let call = StoreCall { served, store };
    Some(call.answer(input))
}

/// What a model is told that moves something from one memory to another.
const CROSSING: &str = "Nothing can be moved into an attached store or out of one: create it there and \
                        delete it here.";

/// Adds the attached stores to a view of the root.
pub(super) fn mention(served: &OpenMemory<'_>, input: &Value, answer: &mut ToolAnswer) {
    let is_view = input.get("command").and_then(Value::as_str) == Some("view");
    if answer.is_error || answer.seen.is_some() || !is_view {
        return;
    }
    let Some(path) = input.get("path").and_then(Value::as_str) else {
        return;
    };
    let Some(stores) =
        attached_stores(served).filter(|_| first_name(path, served.dialect).is_none())
    else {
        return;
    };
    let tool = MemoryTool {
        dialect: served.dialect,
        limits: served.limits.clone(),
        root: stores.list.view_folder(),
        writer: &DirWriter {
            now: served.run().now,
        },
        objection: &|_, _, _| None,
    };
    let view = tool.answer_input(input).content;
    let is_ours = |line: &&str| {
        let name = line.split('\t').nth(1).unwrap_or_default();
        let first = first_name(name, ToolDialect::TypeScript);
        first.is_some_and(|first| stores.by_slug(&first).is_some())
    };
    for line in view.lines().skip(VIEW_HEAD_LINES).filter(is_ours) {
        answer.content.push('\n');
        answer.content.push_str(line);
    }
}

/// The stores of the project; a host's own directory has none.
fn attached_stores<'s>(served: &'s OpenMemory<'_>) -> Option<AttachedStores<'s>> {
    let (place, _) = served.kept.as_ref()?.project.as_ref()?;
    match AttachedStores::open_for(place, served.environment) {
        Ok(stores) => stores,
        Err(error) => {
            served.run().print_warning(format_args!("{error}"));
            None
        }
    }
}

fn said(text: &str, served: &OpenMemory<'_>) -> ToolAnswer {
    ToolAnswer::from_error_text(ToolFailure::Said(text.to_owned()).message_text(served.dialect))
}

/// Whether the server may take later what it did not take now.
fn is_away(error: &CopyError) -> bool {
    let error = error.as_client_error();
    error.is_some_and(ClientError::is_away)
}

/// A path of the tool as one in its store: what follows the folder of all memories and that of the store.
fn in_store(path: &str) -> String {
    let mut names = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    names
        .iter()
        .skip(2)
        .map(|name| format!("/{name}"))
        .collect()
}

/// One input about one store.
struct StoreCall<'c> {
    served: &'c OpenMemory<'c>,
    store: AttachedStore<'c>,
}

impl StoreCall<'_> {
    fn answer(&self, input: &Value) -> ToolAnswer {
        self.try_answer(input)
            .unwrap_or_else(|error| error_answer(&error))
    }

    fn try_answer(&self, input: &Value) -> Result<ToolAnswer, CallError> {
        let copy = &self.store.copy;
        let writes = input.get("command").and_then(Value::as_str) != Some("view");
        if writes && let Some(why) = self.refusal() {
            return Ok(said(&why, self.served));
        }
        let before = self.store.refresh_copy()?;
        // The folder of the store is there, also while nothing is in it.
        self.store.lock_copy()?.finish_changes()?;
        let writer = CopyWriter {
            plain: DirWriter {
                now: self.served.run().current_time(),
            },
            copy,
            mount: self.mount(),
            touched: RefCell::default(),
        };
        let served = self.served;
        let limit = CONTENT_BYTES_MAX as u64;
        let max = served
            .limits
            .file_bytes_max
            .map_or(limit, |max| max.min(limit));
        let tool = MemoryTool {
            dialect: served.dialect,
            limits: ToolLimits {
                is_read_only: false,
                file_bytes_max: Some(max),
                total_bytes_max: None,
                ..served.limits.clone()
            },
            root: self.store.list.view_folder(),
            writer: &writer,
            objection: &|path, new, old| served.secrets.as_ref()?.objection(path, new, old),
        };
        let mut answer = tool.answer_input(input);
        let touched = writer.touched.take();
        if !touched.is_empty() && !answer.is_error {
            let after = self.store.send_changes()?;
            if let Some(why) = self.lost(&touched, &after)? {
                return Ok(said(&why, self.served));
            }
            if let Some(error) = after.error.filter(|error| !is_away(error)) {
                let text = format!(
                    "\n[it is kept here and was not sent: {}]",
                    message_with_causes(&error)
                );
                answer.content.push_str(&text);
            } else if let Some(why) = copy.unsent_reason(&touched) {
                // Writing into a string cannot fail.
                let _ = write!(answer.content, "\n[{why}]");
            }
        }
        if !writes
            && !answer.is_error
            && let Some(why) = self.altered(input, &mut answer)?
        {
            return Ok(said(&why, self.served));
        }
        self.remark(&before, &mut answer)?;
        Ok(answer)
    }

    /// Why nothing may be written.
    fn refusal(&self) -> Option<String> {
        if self.served.limits.is_read_only {
            return Some("Memory is read-only here.".to_owned());
        }
        self.store.write_obstacle()
    }

    fn mount(&self) -> String {
        self.store.attachment.mount_path()
    }

    /// Why what was just written does not stand, if so.
    fn lost(
        &self,
        touched: &[StorePath],
        after: &RoundOutcome,
    ) -> Result<Option<String>, CallError> {
        let (copy, mount) = (&self.store.copy, self.mount());
        let is_touched =
            |one: &SkippedDeletion| touched.iter().any(|path| path.as_str() == one.path);
        let skipped = copy.take_skipped_deletions(self.served.run().current_time(), is_touched)?;
        if let Some(one) = skipped.last() {
            return Ok(Some(format!(
                "{}. It stands there.",
                one.describe_for_mount(&mount)
            )));
        }
        let gave_way = after
            .aside
            .iter()
            .find(|one| touched.iter().any(|path| path.as_str() == one.path));
        if let Some(one) = gave_way {
            return Ok(Some(format!(
                "{mount}{} was changed by somebody else meanwhile, and their text stands. Yours was kept \
                 as a copy for a person to look at. View the file and make your change again.",
                one.path
            )));
        }
        let held = copy.read_status().held;
        let held = touched
            .iter()
            .find_map(|path| Some((path, held.get(path.as_str())?)));
        Ok(held.map(|(path, held)| {
            format!(
                "{mount}{path} was written here, and the server does not take it: {}",
                held.why
            )
        }))
    }

    /// Why a view would show what is not the server's, if so; what is not shown whole is told in the answer.
    fn altered(&self, input: &Value, answer: &mut ToolAnswer) -> Result<Option<String>, CallError> {
        let mount = self.mount();
        let viewed = input.get("path").and_then(Value::as_str).map(in_store);
        let (StoreAccess::ReadOnly, Some(viewed)) = (self.store.attachment.access, viewed) else {
            return Ok(None);
        };
        let locked = self.store.lock_copy()?;
        if let Ok(path) = StorePath::parse(&viewed)
            && locked.read(&path)?.is_some()
        {
            let is_altered = locked.is_altered(&path)?;
            return Ok(is_altered.then(|| format!("{mount}{path} {ALTERED}.")));
        }
        let below = format!("{viewed}/");
        for path in locked.memory_paths()? {
            if path.as_str().starts_with(&below) && locked.is_altered(&path)? {
                // Writing into a string cannot fail.
                let _ = write!(answer.content, "\n[{mount}{path} {ALTERED}]");
            }
        }
        Ok(None)
    }

    /// Tells of earlier changes that gave way only now, and of deletions that were not made.
    fn remark(&self, before: &RoundOutcome, answer: &mut ToolAnswer) -> Result<(), CallError> {
        let (copy, mount) = (&self.store.copy, self.mount());
        for one in copy.take_skipped_deletions(self.served.run().current_time(), |_| true)? {
            let _ = write!(answer.content, "\n[{}]", one.describe_for_mount(&mount));
        }
        for one in &before.aside {
            // Writing into a string cannot fail.
            let _ = write!(
                answer.content,
                "\n[{mount}{}: an earlier change gave way to what somebody else wrote; `mem attachments` has it]",
                one.path
            );
        }
        Ok(())
    }
}

/// Writes files of a copy, each noted before it changes.
struct CopyWriter<'w> {
    plain: DirWriter,
    copy: &'w OfflineCopy,
    mount: String,
    touched: RefCell<Vec<StorePath>>,
}

impl CopyWriter<'_> {
    /// The path in the store.
    fn path(&self, names: &[String]) -> Result<StorePath, ToolFailure> {
        let Some((_, names)) = names.split_first().filter(|(_, names)| !names.is_empty()) else {
            let text = format!("{} is an attached store: its folder stays.", self.mount);
            return Err(ToolFailure::Said(text));
        };
        let path = format!("/{}", names.join("/"));
        let refused = |why: &str| {
            let text = format!("{}{path} is not allowed: {why}", self.mount);
            ToolFailure::Said(text)
        };
        let parsed = StorePath::parse(&path).map_err(|error| refused(error.reason))?;
        match LockedCopy::path_obstacle(&parsed) {
            None => Ok(parsed),
            Some(why) => Err(refused(why)),
        }
    }

    /// Every memory at a spot: itself, or all below it.
    fn paths(&self, root: &PlainRoot, spot: &PathEnd) -> Result<Vec<Vec<String>>, ToolFailure> {
        self.path(&spot.names)?;
        if spot.kind != SpotKind::Folder {
            return Ok(vec![spot.names.clone()]);
        }
        let listing = DirListing {
            levels: LEVELS,
            skips: &|_| false,
            order: |one, other| one.cmp(other),
        };
        let items = root.list(spot, &listing);
        let items = items.map_err(|error| ToolFailure::from_error(&error))?;
        let files = items.into_iter().filter(|item| !item.is_folder);
        let below = files.map(|item| {
            let below = item.path.split('/').map(str::to_owned);
            spot.names.iter().cloned().chain(below).collect()
        });
        Ok(below.collect())
    }

    fn note(&self, paths: Vec<StorePath>) -> Result<(), ToolFailure> {
        let noted = self.copy.mark_unsent(&paths);
        noted.map_err(|error| ToolFailure::Said(message_with_causes(&error)))?;
        self.touched.borrow_mut().extend(paths);
        Ok(())
    }
}

impl ToolWriter for CopyWriter<'_> {
    fn lock_root(&self, _: &PlainRoot) -> Option<File> {
        state_file::lock(&self.copy.state.files_lock()).ok()
    }

    fn put_file(
        &self,
        root: &PlainRoot,
        source: &PathEnd,
        target: &PathEnd,
        change: Change<'_>,
    ) -> Result<(), ToolFailure> {
        let path = self.path(&target.names)?;
        self.plain.put_file(root, source, target, &mut |old| {
            let new = change(old)?;
            self.note(vec![path.clone()])?;
            Ok(new)
        })
    }

    fn remove_path(&self, root: &PlainRoot, spot: &PathEnd) -> Result<(), ToolFailure> {
        let paths = self.paths(root, spot)?;
        let paths: Result<_, _> = paths.iter().map(|names| self.path(names)).collect();
        self.note(paths?)?;
        self.plain.remove_path(root, spot)
    }

    fn rename_path(
        &self,
        root: &PlainRoot,
        from: &PathEnd,
        to: &PathEnd,
    ) -> Result<(), ToolFailure> {
        self.path(&to.names)?;
        let mut paths = Vec::new();
        for names in self.paths(root, from)? {
            let rest = names.iter().skip(from.names.len()).cloned();
            let moved: Vec<String> = to.names.iter().cloned().chain(rest).collect();
            paths.push(self.path(&names)?);
            paths.push(self.path(&moved)?);
        }
        self.note(paths)?;
        self.plain.rename_path(root, from, to)
    }

    fn expire_file(&self, _: &PlainRoot, _: &PathEnd) -> Result<String, ToolFailure> {
        Err(ToolFailure::Said("Nothing expires in a store.".to_owned()))
    }

    fn is_kept(&self, _: &PlainRoot, _: &PathEnd) -> bool {
        true
    }
}
