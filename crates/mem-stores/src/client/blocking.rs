//! A client for callers that are not asynchronous: [`Blocking`].

use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use super::{ClientError, ClientOptions, StoresClient};

/// A client with a runtime of its own, which runs only while somebody waits.
#[derive(Debug)]
pub struct Blocking {
    runtime: Runtime,
    client: StoresClient,
}

impl Blocking {
    /// A client; no connection is opened yet. Not to be called, used or dropped by asynchronous code.
    ///
    /// # Errors
    /// An address or a key that cannot be used.
    pub fn open(options: &ClientOptions) -> Result<Self, ClientError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        Ok(Self {
            runtime: runtime.map_err(|error| ClientError::Setup(error.to_string()))?,
            client: StoresClient::open(options)?,
        })
    }

    /// Waits for what is asked of the client.
    pub fn run<'c, T, F>(&'c self, ask: impl FnOnce(&'c StoresClient) -> F) -> T
    where
        F: Future<Output = T> + 'c,
    {
        self.runtime.block_on(ask(&self.client))
    }

    /// The same, but not for longer: `None` where it took too long.
    pub fn run_within<'c, T, F>(
        &'c self,
        deadline: Duration,
        ask: impl FnOnce(&'c StoresClient) -> F,
    ) -> Option<T>
    where
        F: Future<Output = T> + 'c,
    {
        let within = async { tokio::time::timeout(deadline, ask(&self.client)).await };
        self.runtime.block_on(within).ok()
    }
}
