//! Files that nobody looked at for long: [`Views`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::SignedDuration;
use mem_core::Now;
use mem_core::plain::{DirListing, Links, PlainRoot};
use mem_core::state_file::{self, StateError};

use super::{ToolFailure, ToolWriter};

const SECONDS_PER_DAY: i64 = 86_400;
/// Deeper folders than a memory path may have are not looked into.
const LEVELS_MAX: usize = 20;

/// When files were last viewed or written, by path; kept in a file of state.
#[derive(Clone, Debug)]
pub struct Views {
    file: PathBuf,
    days: u32,
}

/// A file that was taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expired {
    /// Its path from the root.
    pub path: String,
    /// How to get it back, or why it is still there.
    pub remark: String,
}

/// Seconds since 1970, by path.
type Times = BTreeMap<String, i64>;

impl Views {
    /// Files expire so many days after they were last seen; `file` remembers when.
    pub fn new(file: &Path, days: u32) -> Self {
        let file = file.to_owned();
        Self { file, days }
    }

    /// Notes that a file was looked at or written.
    ///
    /// # Errors
    /// The state cannot be written.
    pub fn note_view(&self, path: &str, now: Now) -> Result<(), StateError> {
        let seen = now.0.as_second();
        let change = |times: &mut Times| times.insert(path.to_owned(), seen);
        state_file::update(&self.file, change).map(drop)
    }

    /// Takes out what was not seen for so long. A file that was never seen counts as seen now: its
    /// days begin with the first run that asks.
    ///
    /// # Errors
    /// The root cannot be listed, the state not be written.
    pub fn sweep_expired(
        &self,
        root: &PlainRoot,
        writer: &dyn ToolWriter,
        now: Now,
    ) -> Result<Vec<Expired>, ToolFailure> {
        let fail = |error: StateError| ToolFailure::Said(error.to_string());
        let files = list_files(root)?;
        let limit = SignedDuration::from_secs(i64::from(self.days) * SECONDS_PER_DAY);
        let oldest = now
            .0
            .checked_sub(limit)
            .map_or(i64::MIN, jiff::Timestamp::as_second);
        let begin = |times: &mut Times| {
            times.retain(|path, _| files.contains(path));
            for path in &files {
                times.entry(path.clone()).or_insert(now.0.as_second());
            }
            let old = times.iter().filter(|(_, seen)| **seen < oldest);
            old.map(|(path, _)| path.clone()).collect::<Vec<_>>()
        };
        let (old, _) = state_file::update(&self.file, begin).map_err(fail)?;
        let expired: Vec<Expired> = old
            .into_iter()
            .filter_map(|path| expire_file(root, writer, path))
            .collect();
        if !expired.is_empty() {
            let forget = |times: &mut Times| {
                times.retain(|path, _| !expired.iter().any(|one| one.path == *path));
            };
            state_file::update(&self.file, forget).map_err(fail)?;
        }
        Ok(expired)
    }
}

fn list_files(root: &PlainRoot) -> Result<Vec<String>, ToolFailure> {
    let fail = ToolFailure::for_path("/memories");
    let top = root.reach(&[], Links::Keep).map_err(&fail)?;
    let listing = DirListing {
        levels: LEVELS_MAX,
        skips: &|name| name.starts_with('.'),
        order: str::cmp,
    };
    let items = root.list(&top, &listing).map_err(&fail)?;
    let files = items.into_iter().filter(|item| !item.is_folder);
    Ok(files.map(|item| item.path).collect())
}

/// Takes one file out; `None` where it stays for good reason.
fn expire_file(root: &PlainRoot, writer: &dyn ToolWriter, path: String) -> Option<Expired> {
    let names: Vec<String> = path.split('/').map(str::to_owned).collect();
    let spot = root.reach(&names, Links::Keep).ok()?;
    if writer.is_kept(root, &spot) {
        return None;
    }
    let remark = match writer.expire_file(root, &spot) {
        Ok(remark) => remark,
        Err(failure) => failure.message_text(Default::default()),
    };
    Some(Expired { path, remark })
}
