//! The line between a machine and the remote, which breaks, and what may not go over it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use mem_sync::key::EntryKey;
use mem_sync::outbound_scan::{Leak, OutboundScan, OutboundScanError};
use mem_sync::remote::{Fetched, InMemory, PutOutcome, Remote, RemoteError, StateQuery};
use mem_sync::wire::{ETag, PutBody};

use super::machine::{Disk, Fault};
use super::simulation::{FORBIDDEN, key};

/// The remote over a line that breaks, and what it acknowledged.
pub(super) struct Line {
    /// The remote; where there is another, a record of what that took.
    pub(super) store: InMemory,
    pub(super) elsewhere: Option<Box<dyn Remote>>,
    pub(super) disk: Rc<RefCell<Disk>>,
    pub(super) acknowledged: Rc<RefCell<BTreeSet<(EntryKey, String)>>>,
}

impl Line {
    /// Counts a call; a race is run here.
    pub(super) fn fault(&mut self) -> Option<Fault> {
        let fault = self.disk.borrow_mut().fault();
        if let Some(Fault::Race(at)) = fault {
            let mut store = self.store.for_actor("somebody else");
            let Ok(Fetched::Found { answer, .. }) = store.get_state(&StateQuery::default(), None)
            else {
                panic!("the store does not answer");
            };
            let old = answer
                .entries
                .get(&key(at))
                .and_then(|entry| entry.content.clone());
            let line = format!("line other-{}", store.all_versions().len());
            let text = format!("{}{line}\n", old.unwrap_or_default());
            let body = PutBody {
                entries: BTreeMap::from([(key(at), text)]),
                ..PutBody::default()
            };
            self.write(&body, None).unwrap();
            self.acknowledged.borrow_mut().insert((key(at), line));
        }
        fault
    }

    fn write(&mut self, body: &PutBody, tag: Option<&ETag>) -> Result<PutOutcome, RemoteError> {
        let Some(elsewhere) = &mut self.elsewhere else {
            return self.store.put_entries(body, tag);
        };
        let put = elsewhere.put_entries(body, tag)?;
        let record = self.store.put_entries(body, None)?;
        assert_eq!(put.answer, record.answer, "the remotes differ");
        Ok(put)
    }
}

impl Remote for Line {
    fn get_state(
        &mut self,
        query: &StateQuery,
        tag: Option<&ETag>,
    ) -> Result<Fetched, RemoteError> {
        let fault = self.fault();
        let answer = match &mut self.elsewhere {
            Some(elsewhere) => elsewhere.get_state(query, tag),
            None => self.store.get_state(query, tag),
        };
        match fault {
            Some(Fault::Before | Fault::After) => Err(RemoteError::Unreachable("lost".to_owned())),
            _ => answer,
        }
    }

    fn put_entries(
        &mut self,
        body: &PutBody,
        tag: Option<&ETag>,
    ) -> Result<PutOutcome, RemoteError> {
        let lost = RemoteError::Unreachable("lost".to_owned());
        let fault = self.fault();
        if fault == Some(Fault::Before) {
            return Err(lost);
        }
        let put = self.write(body, tag)?;
        if fault == Some(Fault::After) {
            return Err(lost);
        }
        for (key, text) in body
            .entries
            .iter()
            .filter(|(key, _)| put.answer.written.contains_key(*key))
        {
            let lines = text.lines().map(|line| (key.clone(), line.to_owned()));
            self.acknowledged.borrow_mut().extend(lines);
        }
        Ok(put)
    }
}

pub(super) struct NoForbiddenWord;

impl OutboundScan for NoForbiddenWord {
    fn find_leaks(&self, _: &EntryKey, text: &str) -> Result<Vec<Leak>, OutboundScanError> {
        let lines = text
            .lines()
            .zip(1..)
            .filter(|(line, _)| line.starts_with(FORBIDDEN));
        let leak = |(_, line)| Leak {
            rule: "word".to_owned(),
            line: Some(line),
        };
        Ok(lines.map(leak).collect())
    }
}
