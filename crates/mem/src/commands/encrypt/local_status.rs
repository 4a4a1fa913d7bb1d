//! What of this machine is sealed and what is not, and whether the key is there.

use std::path::PathBuf;

use anyhow::Result;
use mem_agent::session::kept as sessions;
use mem_core::store::{self, LocalStore};
use mem_core::{Dirs, leftovers};
use mem_team::erase;
use mem_vault::KeyId;
use serde_json::{Value, json};

use super::checked::SealCheck;
use super::local;
use super::plain::{Here, PLAIN};
use crate::context::Context;
use crate::exit::Exit;
use crate::master_key::KeySource;
use crate::printer::OutputError;

/// What a look finds.
#[derive(Default)]
struct EncryptionSurvey {
    is_on: bool,
    stores: usize,
    /// Of these, how many are sealed as they are to be.
    sealed: usize,
    sessions: usize,
    /// What is not as it is to be, in words.
    amiss: Vec<String>,
}

/// Looks and tells.
pub(super) fn print_status(context: &Context, is_checked: bool) -> Result<Exit> {
    let (dirs, origin) = (context.dirs()?, KeySource::require_source(context)?);
    let masters = local::master_keys(dirs)?;
    let trouble = dirs.seal().key().err().map(|error| error.to_string());
    let key = match (&trouble, masters.is_empty()) {
        (Some(trouble), _) => trouble.as_str(),
        (None, true) => "none",
        (None, false) => "ok",
    };
    let found = EncryptionSurvey::for_dirs(dirs)?;
    let here = Here::for_dirs(dirs);
    // Without the key everything would be named.
    let look = (is_checked && trouble.is_none()).then(|| check_local(dirs));
    match context.printer.json {
        true => {
            let masters: Vec<String> = masters.iter().map(KeyId::to_string).collect();
            let mut value = json!({
                "on": found.is_on, "stores": found.stores, "sealed": found.sealed, "sessions": found.sessions,
                "masters": masters, "amiss": found.amiss, "source": origin.to_string(), "key": key, "plain": PLAIN,
                "plain_files": here.counts_json(),
            });
            if let Some(look) = &look {
                value["checked"] = look.to_json();
            }
            context.printer.print_json(&value)?;
        }
        false => {
            found.print_survey(context, &masters, key, &origin, &here)?;
            match &look {
                Some(look) => look.print_check(context)?,
                None if found.is_on => context.printer.say(NOT_OPENED),
                None => {}
            }
        }
    }
    let is_open = look.is_none_or(|look| look.is_well());
    Ok(
        match trouble.is_none() && found.amiss.is_empty() && is_open {
            true => Exit::Ok,
            false => Exit::Failure,
        },
    )
}

/// What is said where nothing was opened.
const NOT_OPENED: &str =
    "nothing was opened: `mem encrypt status --local --check` opens everything";

/// Opens everything that is kept, and tells what does not open. Nothing is locked or written.
fn check_local(dirs: &Dirs) -> SealCheck {
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
    fn for_dirs(dirs: &Dirs) -> Result<Self> {
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
            found.amiss.push(text);
        }
        for store in &stores {
            found.add_store(store);
        }
        let left = leftovers::of(dirs).len();
        if found.is_on && left > 0 {
            let text = format!("killed runs left {}", crate::leftovers::files_text(left));
            found.amiss.push(text);
        }
        if other > 0 {
            let text = format!(
                "{other} of {} sessions are not as they are to be",
                whole + other
            );
            found.amiss.push(text);
        }
        Ok(found)
    }

    fn add_store(&mut self, store: &LocalStore) {
        let name = store.places().root.display();
        let state = match store.seal_state() {
            Ok(state) => state,
            Err(error) => return self.amiss.push(format!("`{name}`: {error}")),
        };
        self.sealed += usize::from(state.key.is_some() && state.is_whole);
        if !state.is_empty && (!state.is_whole || state.key.is_some() != self.is_on) {
            let text = format!("what is kept of `{name}` is not as it is to be");
            self.amiss.push(text);
        }
        if self.is_on && state.set_aside > 0 {
            self.amiss.push(format!(
                "damaged histories of `{name}` were set aside (`{}`) and stay as they are",
                store.places().state.join("history.damaged-…").display()
            ));
        }
    }

    fn print_survey(
        &self,
        context: &Context,
        masters: &[KeyId],
        key: &str,
        origin: &KeySource,
        here: &Here,
    ) -> Result<(), OutputError> {
        let printer = &context.printer;
        let word = if self.is_on { "on" } else { "off" };
        let (sealed, all) = (self.sealed, self.stores);
        printer.line(format_args!(
            "encryption of what this machine keeps is {word}: {sealed} of {all} histories sealed, with their \
             inboxes"
        ))?;
        for master in masters {
            printer.line(format_args!("master key {master}: {key} ({origin})"))?;
        }
        if self.is_on {
            printer.line(
                "sealed too: what is remembered of sessions, texts that gave way to the team's, recall's indexes, verdicts",
            )?;
            printer.line("plain, as ever:")?;
            for what in PLAIN {
                printer.line(format_args!("  {what}"))?;
            }
            if let Some(line) = here.summary_line() {
                printer.line(line)?;
            }
        }
        for what in &self.amiss {
            printer.print_warning(what);
        }
        if !self.amiss.is_empty() {
            let verb = if self.is_on { "on" } else { "off" };
            printer.print_warning(format_args!(
                "`mem encrypt {verb} --local` finishes what can be finished"
            ));
        }
        Ok(())
    }
}
