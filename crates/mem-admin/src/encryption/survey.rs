//! What of this machine is sealed and what is not, and whether it opens.

use std::path::PathBuf;

use mem_agent::session::state_storage as sessions;
use mem_core::plural::format_count;
use mem_core::sealing::SealError;
use mem_core::store::{self, LocalStore};
use mem_core::{Dirs, leftovers};
use mem_team::erase;
use serde_json::{Value, json};

/// What opens and what does not.
#[derive(Debug, Default)]
pub struct SealCheck {
    /// The contents that open.
    pub open: u64,
    /// Those that do not, in words and as JSON.
    pub closed: Vec<(String, Value)>,
}

impl SealCheck {
    /// Whether everything opens.
    pub fn is_well(&self) -> bool {
        self.closed.is_empty()
    }

    /// The object of `--json`.
    pub fn to_json(&self) -> Value {
        let closed = self.closed.iter().map(|(_, value)| value);
        json!({ "open": self.open, "closed": closed.collect::<Vec<_>>() })
    }
}

/// What a look finds.
#[derive(Debug, Default)]
pub struct EncryptionSurvey {
    /// Whether what begins now is sealed.
    pub is_on: bool,
    /// The histories that are known.
    pub stores: usize,
    /// Of these, how many are sealed as they are to be.
    pub sealed: usize,
    /// The sessions that something is remembered of.
    pub sessions: usize,
    /// What is not as it is to be, in words.
    pub problems: Vec<String>,
}

/// Opens everything that is kept, and tells what does not open. Nothing is locked or written.
pub fn check_local(dirs: &Dirs) -> SealCheck {
    let mut look = SealCheck::default();
    let (open, closed) = sessions::check_openable(dirs);
    look.add_opened(open, closed);
    for store in store::kept(dirs).0 {
        let place = store.places().root.display().to_string();
        match store.opened() {
            Ok(opened) => {
                look.open += opened.open as u64;
                let named = opened.closed.into_iter();
                named.for_each(|(what, why)| look.add_closed(&place, &what, &why));
            }
            Err(error) => look.add_closed(&place, "what is kept of it", &error.to_string()),
        }
        match erase::check_states(&store) {
            Ok((open, closed)) => look.add_opened(open, closed),
            Err(error) => {
                look.add_closed(&place, "what is remembered of remotes", &error.to_string());
            }
        }
    }
    look
}

impl SealCheck {
    fn add_opened(&mut self, open: usize, closed: Vec<(PathBuf, String)>) {
        self.open += open as u64;
        for (path, why) in closed {
            let value = json!({ "place": Value::Null, "what": path, "why": why });
            let text = format!("`{}`: {why}", path.display());
            self.closed.push((text, value));
        }
    }

    fn add_closed(&mut self, place: &str, what: &str, why: &str) {
        let value = json!({ "place": place, "what": what, "why": why });
        self.closed
            .push((format!("of `{place}` {what}: {why}"), value));
    }
}

impl EncryptionSurvey {
    /// Looks at what is kept; nothing is opened.
    ///
    /// # Errors
    /// The name of the person's key cannot be read.
    pub fn for_dirs(dirs: &Dirs) -> Result<Self, SealError> {
        let (stores, unknown) = store::kept(dirs);
        let (whole, other) = sessions::count_sealed(dirs);
        let mut found = Self {
            is_on: dirs.seal().key_name()?.is_some(),
            stores: stores.len(),
            sessions: whole + other,
            ..Self::default()
        };
        for folder in unknown {
            let folder = folder.display();
            let text = format!("`{folder}` belongs to no directory that is known");
            found.problems.push(text);
        }
        for store in &stores {
            found.add_store(store);
        }
        let left = leftovers::of(dirs).len();
        if found.is_on && left > 0 {
            let files = format_count(left, "temporary file", "temporary files");
            found.problems.push(format!("killed runs left {files}"));
        }
        if other > 0 {
            let text = format!(
                "{other} of {} sessions are not as they are to be",
                whole + other
            );
            found.problems.push(text);
        }
        Ok(found)
    }

    fn add_store(&mut self, store: &LocalStore) {
        let name = store.places().root.display();
        let state = match store.seal_state() {
            Ok(state) => state,
            Err(error) => return self.problems.push(format!("`{name}`: {error}")),
        };
        self.sealed += usize::from(state.key.is_some() && state.is_whole);
        if !state.is_empty && (!state.is_whole || state.key.is_some() != self.is_on) {
            let text = format!("what is kept of `{name}` is not as it is to be");
            self.problems.push(text);
        }
        if self.is_on && state.set_aside > 0 {
            self.problems.push(format!(
                "damaged histories of `{name}` were set aside (`{}`) and stay as they are",
                store.places().state.join("history.damaged-…").display()
            ));
        }
    }
}
