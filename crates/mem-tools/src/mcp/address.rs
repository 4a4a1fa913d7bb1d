//! From the path that a client says to a note.

use crate::CallError;
use mem_core::memory::{Note, ScopeDir, split_scope};
use mem_core::{MemoryPath, Scope};

use super::Fault;
use super::mcp_call::McpCall;

impl McpCall {
    /// The tier and the file that a path means: without a tier, the private one.
    ///
    /// # Errors
    /// The tier is not open to the client.
    pub(super) fn parse_address<'p>(&self, path: &'p str) -> Result<(Scope, &'p str), Fault> {
        let (scope, file) = split_scope(path, None);
        let scope = scope.unwrap_or(Scope::Private);
        match self.terms.scopes.contains(&scope) {
            true => Ok((scope, file)),
            false => Err(Fault::NoTier(scope.as_str())),
        }
    }

    /// The note at a path. A bare name that the private tier does not have may be another tier's.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub(super) fn find_note(&self, path: &str) -> Result<Note, CallError> {
        let (said, file) = split_scope(path, None);
        let scopes: Vec<Scope> = match said {
            Some(scope) => vec![self.parse_address(path).map(|_| scope)?],
            None => self.terms.scopes.clone(),
        };
        for scope in scopes {
            if let Some(note) = self.note_of(scope, file)? {
                return Ok(note);
            }
        }
        Err(Fault::NotFound(path.to_owned()).into())
    }

    fn note_of(&self, scope: Scope, file: &str) -> Result<Option<Note>, CallError> {
        let mut names = vec![file.to_owned()];
        if !file.ends_with(".md") {
            names.push(format!("{file}.md"));
        }
        let snapshot = self.memory.store(scope).snapshot()?;
        for name in names {
            let path: MemoryPath = ScopeDir(scope).path(&name)?;
            if let Some(note) = Note::read(&snapshot, scope, &path)? {
                return Ok(Some(note));
            }
        }
        Ok(None)
    }
}
