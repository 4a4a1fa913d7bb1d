//! Lists, page by page.

use std::collections::BTreeSet;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use super::StoresClient;
use super::error::ClientError;
use super::request::Ask;
use crate::wire::ApiPage;

/// More pages than any list has: 10,000 memories are 500 pages of 20.
const PAGES_MAX: usize = 20_000;

/// A list that is read page by page.
#[derive(Debug)]
pub struct PageReader<T> {
    ask: Ask,
    /// The next one; `None` at the end.
    next: Option<Option<String>>,
    /// The names of the pages that were there. A server that goes in a circle does not keep us.
    seen: BTreeSet<String>,
    of: PhantomData<T>,
}

impl<T: DeserializeOwned> PageReader<T> {
    /// A list that is asked for like this, from its first page.
    pub(super) fn starting_at(ask: Ask) -> Self {
        Self {
            ask,
            next: Some(None),
            seen: BTreeSet::new(),
            of: PhantomData,
        }
    }

    /// The next page; `None` behind the last one.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn next(&mut self, client: &StoresClient) -> Result<Option<Vec<T>>, ClientError> {
        let Some(page) = self.next.take() else {
            return Ok(None);
        };
        let ask = self.ask.clone().with("page", page.as_ref());
        let answer: ApiPage<T> = client.send(ask).await?;
        if let Some(next) = answer.next() {
            if !self.seen.insert(next.to_owned()) || self.seen.len() > PAGES_MAX {
                let why = "its pages lead in a circle".to_owned();
                return Err(ClientError::Nonsense(why));
            }
            self.next = Some(Some(next.to_owned()));
        }
        Ok(Some(answer.data))
    }

    /// All objects, up to a number of them.
    pub(super) async fn collect(
        mut self,
        client: &StoresClient,
        max: usize,
    ) -> Result<Vec<T>, ClientError> {
        let mut all = Vec::new();
        while all.len() < max
            && let Some(page) = self.next(client).await?
        {
            all.extend(page);
        }
        all.truncate(max);
        Ok(all)
    }
}
