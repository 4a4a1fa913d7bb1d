//! What of this machine is sealed and what is not, and whether the key is there.

use anyhow::Result;
use mem_agent::session::kept as sessions;
use mem_core::store::{self, Store};
use mem_core::{Dirs, leftovers};
use mem_vault::KeyId;
use serde_json::json;

use super::local;
use super::plain::{Here, PLAIN};
use crate::context::Context;
use crate::exit::Exit;
use crate::master_key::Origin;
use crate::printer::OutputError;

/// What a look finds.
#[derive(Default)]
struct Found {
    is_on: bool,
    stores: usize,
    /// Of these, how many are sealed as they are to be.
    sealed: usize,
    sessions: usize,
    /// What is not as it is to be, in words.
    amiss: Vec<String>,
}

/// Looks and tells.
pub(super) fn status(context: &Context) -> Result<Exit> {
    let (dirs, origin) = (context.dirs()?, Origin::required(context)?);
    let masters = local::masters(dirs)?;
    let trouble = dirs.seal().key().err().map(|error| error.to_string());
    let key = match (&trouble, masters.is_empty()) {
        (Some(trouble), _) => trouble.as_str(),
        (None, true) => "none",
        (None, false) => "ok",
    };
    let found = Found::of(dirs)?;
    let here = Here::of(dirs);
    match context.printer.json {
        true => {
            let masters: Vec<String> = masters.iter().map(KeyId::to_string).collect();
            context.printer.json(&json!({
                "on": found.is_on, "stores": found.stores, "sealed": found.sealed, "sessions": found.sessions,
                "masters": masters, "amiss": found.amiss, "source": origin.to_string(), "key": key, "plain": PLAIN,
                "plain_files": here.shape(),
            }))?;
        }
        false => found.tell(context, &masters, key, &origin, &here)?,
    }
    Ok(match trouble.is_none() && found.amiss.is_empty() {
        true => Exit::Ok,
        false => Exit::Failure,
    })
}

impl Found {
    fn of(dirs: &Dirs) -> Result<Self> {
        let (stores, unknown) = store::kept(dirs);
        let (whole, other) = sessions::count(dirs);
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
            found.look(store);
        }
        let left = leftovers::of(dirs).len();
        if found.is_on && left > 0 {
            let text = format!("killed runs left {}", crate::leftovers::files(left));
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

    fn look(&mut self, store: &Store) {
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
                store.places().state.join("history.git.damaged-…").display()
            ));
        }
    }

    fn tell(
        &self,
        context: &Context,
        masters: &[KeyId],
        key: &str,
        origin: &Origin,
        here: &Here,
    ) -> Result<(), OutputError> {
        let printer = &context.printer;
        let word = if self.is_on { "on" } else { "off" };
        let (sealed, all) = (self.sealed, self.stores);
        printer.line(format_args!(
            "encryption of what this machine keeps is {word}: {sealed} of {all} histories sealed, with their journals \
             and inboxes"
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
            if let Some(line) = here.line() {
                printer.line(line)?;
            }
        }
        for what in &self.amiss {
            printer.warn(what);
        }
        if !self.amiss.is_empty() {
            let verb = if self.is_on { "on" } else { "off" };
            printer.warn(format_args!(
                "`mem encrypt {verb} --local` finishes what can be finished"
            ));
        }
        Ok(())
    }
}
