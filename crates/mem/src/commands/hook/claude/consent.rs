//! Whether an agent may change a memory by a tool of its host: the setting `memory.write`, as the gate
//! of every write has it.

use mem_core::MemoryPath;
use mem_core::history::{Actor, Author};
use mem_core::inbox::Consent;
use mem_core::memory::Under;
use mem_core::store::{Order, Proposal, ProposedChange, Refusal, StoreError, WriteGate};

use super::asked::Asked;
use super::edited::{self, After};
use crate::context::Context;
use crate::error::Diagnosis;

/// The name of the host in the history.
const HOST: &str = "claude-code";

/// Why the change may not be made now; `None` where it may. What is to be confirmed is put into the
/// inbox first, as the store does with a write of `mem`'s own.
pub(super) fn consent(under: &Under, after: &After, asked: &Asked<'_>) -> Option<String> {
    let file = under.label();
    match Consent::of(&asked.place.config) {
        Consent::Auto => None,
        Consent::ReadOnly => Some(format!(
            "memory is read-only for agents here (memory.write): `{file}` stays as it is; tell the \
             person what you would have saved"
        )),
        Consent::Confirm if !after.is_exact => Some(not_told(&file)),
        Consent::Confirm => match under.path() {
            Some(path) => put_aside(under, &path, asked),
            None => Some(format!("`{file}` is no name that a memory can have")),
        },
    }
}

fn not_told(file: &str) -> String {
    format!(
        "agents write to memory only with a person's consent here (memory.write), and what this \
         would make of `{file}` cannot be told beforehand: write the whole file"
    )
}

/// Asks the store, under its lock and with what stands there then; it writes nothing.
fn put_aside(under: &Under, path: &MemoryPath, asked: &Asked<'_>) -> Option<String> {
    let context = asked.context;
    let verb = match under.absolute.exists() {
        true => "edit",
        false => "save",
    };
    let order = Order::new(verb, author(asked.event.session(), context), context.now);
    let gate = context.gate(&asked.place);
    let store = asked.memory.store(under.scope);
    let written = store.write(&order, &Asking(&gate), |draft| {
        let before = draft.read(path)?;
        let after = edited::after(asked.event.tool_input(), before.as_deref());
        if after.is_exact {
            draft.put(path, after.bytes)?;
        }
        Ok::<bool, StoreError>(after.is_exact)
    });
    let error = match written {
        // It is what stands there already.
        Ok(written) if written.value => return None,
        Ok(_) => return Some(not_told(&under.label())),
        Err(error) => anyhow::Error::new(error),
    };
    let Diagnosis { message, hint, .. } = Diagnosis::of(&error);
    Some(match hint {
        Some(hint) => format!("{message}; {hint}"),
        None => message,
    })
}

/// The agent in the host's session.
pub(super) fn author(session: Option<&str>, context: &Context) -> Author {
    let own = context.author();
    Author {
        actor: Actor::Agent,
        session: session.map(str::to_owned).or(own.session),
        host: own.host.or_else(|| Some(HOST.to_owned())),
        name: own.name,
    }
}

/// A gate that is only asked: the host does the writing where it may.
struct Asking<'g>(&'g dyn WriteGate);

impl WriteGate for Asking<'_> {
    fn check(&self, proposal: &Proposal<'_>) -> Result<Vec<String>, Refusal> {
        self.0.check(proposal)
    }

    fn consent(&self, change: &ProposedChange<'_>) -> Result<(), Refusal> {
        self.0.consent(change)?;
        Err(Refusal {
            code: "asked",
            message: "a hook writes nothing itself".to_owned(),
            hint: None,
        })
    }
}
