//! [`Stdio`]: messages of JSON-RPC over standard input and output, one a line.
//!
//! The SDK has a transport for this. It drops lines that are no JSON or too long without a word, so
//! that a client waits for ever; this one answers them. Its reader is a thread of its own, which the
//! end of the process does not wait for.

use std::io::{self, Read as _, Write as _};

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ErrorCode, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::lines::{InputLine, LineRest, next_line};
use super::message::{self, MESSAGE_BYTES_MAX, Unfit};

/// Messages that wait to be worked on; further ones wait in the pipe.
const WAITING_MESSAGES_MAX: usize = 64;

/// What the reader has to tell.
enum Incoming {
    Message(Box<ClientJsonRpcMessage>),
    Unfit(Box<Unfit>),
    End,
}

/// Standard input and output.
pub(super) struct Stdio {
    incoming: Receiver<Incoming>,
    /// Tells ourselves that nobody reads what we write.
    end: Sender<Incoming>,
    /// Whether a request was seen. What comes before it can be about nothing.
    has_begun: bool,
}

impl Stdio {
    /// Begins to read.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub(super) fn open_stdio() -> io::Result<Self> {
        let (end, incoming) = channel(WAITING_MESSAGES_MAX);
        let reader = end.clone();
        std::thread::Builder::new()
            .name("stdin".to_owned())
            .spawn(move || read(&reader))?;
        Ok(Self {
            incoming,
            end,
            has_begun: false,
        })
    }
}

/// Reads until the end of the input, or until nobody wants more of it.
fn read(messages: &Sender<Incoming>) {
    let mut stdin = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        let read = next_line(&mut stdin, &mut line, MESSAGE_BYTES_MAX);
        let message = match read {
            Ok(InputLine::Whole) => match message::parse_message(&line) {
                Ok(None) => continue,
                Ok(Some(message)) => Incoming::Message(Box::new(message)),
                Err(unfit) => Incoming::Unfit(unfit),
            },
            Ok(InputLine::TooLong) => {
                let start = std::mem::take(&mut line);
                let whole = start.as_slice().chain(LineRest::new(&mut stdin));
                Incoming::Unfit(Box::new(Unfit::too_long(whole)))
            }
            Ok(InputLine::End) | Err(_) => Incoming::End,
        };
        let is_last = matches!(message, Incoming::End);
        if messages.blocking_send(message).is_err() || is_last {
            return;
        }
    }
}

impl Transport<RoleServer> for Stdio {
    type Error = io::Error;

    fn send(
        &mut self,
        mut message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let end = self.end.clone();
        word_unknown_method(&mut message);
        async move {
            let write = tokio::task::spawn_blocking(move || write(&message));
            let written = write.await.map_err(io::Error::other).flatten();
            if written.is_err() {
                // Full of messages that will fail in the same way, if this one does not fit.
                let _ = end.try_send(Incoming::End);
            }
            written
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            match self.incoming.recv().await {
                None | Some(Incoming::End) => return None,
                Some(Incoming::Unfit(unfit)) => {
                    let answer = JsonRpcMessage::error(unfit.error, unfit.id);
                    self.send(answer).await.ok()?;
                }
                Some(Incoming::Message(message)) => {
                    self.has_begun |= matches!(*message, JsonRpcMessage::Request(_));
                    if self.has_begun {
                        return Some(*message);
                    }
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.incoming.close();
        Ok(())
    }
}

/// Words the error for a method that is not served: its message is no more than the method's name.
fn word_unknown_method(message: &mut ServerJsonRpcMessage) {
    if let JsonRpcMessage::Error(answer) = message
        && answer.error.code == ErrorCode::METHOD_NOT_FOUND
    {
        let method = &answer.error.message;
        answer.error.message = format!("unknown method `{method}`").into();
    }
}

/// One message, one line, whole.
fn write(message: &ServerJsonRpcMessage) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut stdout = io::stdout().lock();
    stdout.write_all(&line)?;
    stdout.flush()
}
