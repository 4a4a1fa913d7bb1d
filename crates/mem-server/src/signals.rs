//! What asks a server to end.

use std::io;

#[cfg(unix)]
use tokio::signal::unix::{Signal as Interrupt, Signal as Terminate, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{CtrlBreak as Terminate, CtrlC as Interrupt, ctrl_break, ctrl_c};

/// SIGTERM and SIGINT, one after the other; on Windows Ctrl-Break and Ctrl-C.
#[derive(Debug)]
pub(crate) struct Signals {
    terminate: Terminate,
    interrupt: Interrupt,
}

impl Signals {
    /// From here on they do not kill.
    pub(crate) fn new() -> io::Result<Self> {
        #[cfg(unix)]
        let (terminate, interrupt) = (
            signal(SignalKind::terminate())?,
            signal(SignalKind::interrupt())?,
        );
        #[cfg(windows)]
        let (terminate, interrupt) = (ctrl_break()?, ctrl_c()?);
        Ok(Self {
            terminate,
            interrupt,
        })
    }

    /// Waits for the next one.
    pub(crate) async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
