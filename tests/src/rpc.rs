//! [`Rpc`]: a raw client of JSON-RPC over the standard streams of one run of `mem`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ExitStatus};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// A server that says nothing for so long hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// A conversation with a server.
#[derive(Debug)]
pub struct Rpc {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    next_id: u64,
}

impl Rpc {
    /// Takes the streams of a run whose standard input is a pipe.
    ///
    /// # Panics
    /// It is none.
    pub fn new(mut child: Child) -> Self {
        let stdin = child.stdin.take().expect("stdin is a pipe");
        let stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut lines = stdout.lines().map_while(Result::ok);
            lines.all(|line| sender.send(line).is_ok())
        });
        Self {
            child,
            stdin: Some(stdin),
            lines,
            next_id: 0,
        }
    }

    /// Sends bytes as they are. That nobody reads them any more is no failure of the test.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin.write_all(bytes).and_then(|()| stdin.flush());
        }
    }

    /// Sends one message.
    pub fn send(&mut self, message: &Value) {
        self.send_raw(format!("{message}\n").as_bytes());
    }

    /// Sends a request and returns its id.
    pub fn request(&mut self, method: &str, params: Value) -> u64 {
        self.next_id += 1;
        let id = self.next_id;
        let mut message = json!({ "jsonrpc": "2.0", "id": id, "method": method });
        message["params"] = params;
        self.send(&message);
        id
    }

    /// The next message.
    ///
    /// # Panics
    /// There is none.
    #[track_caller]
    pub fn read(&mut self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE);
        let line = line.unwrap_or_else(|_| panic!("no answer"));
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Asks, and returns the whole answer.
    ///
    /// # Panics
    /// There is none.
    #[track_caller]
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        loop {
            let message = self.read();
            if message["id"] == id {
                return message;
            }
        }
    }

    /// Asks, and returns the result.
    ///
    /// # Panics
    /// The answer is an error.
    #[track_caller]
    pub fn result(&mut self, method: &str, params: Value) -> Value {
        let mut answer = self.ask(method, params);
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].take()
    }

    /// Shakes hands in a version of MCP and returns what the server says of itself.
    ///
    /// # Panics
    /// The server refuses.
    #[track_caller]
    pub fn initialize(&mut self, version: &str) -> Value {
        let client = json!({ "name": "tester", "version": "1" });
        let params =
            json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client });
        let result = self.result("initialize", params);
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        result
    }

    /// Calls a tool and returns its result.
    ///
    /// # Panics
    /// The answer is an error of the protocol.
    #[track_caller]
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let mut params = json!({ "name": tool });
        params["arguments"] = arguments;
        self.result("tools/call", params)
    }

    /// Calls a tool and returns what it says in its declared shape.
    ///
    /// # Panics
    /// It failed.
    #[track_caller]
    pub fn tool(&mut self, tool: &str, arguments: Value) -> Value {
        let mut result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        result["structuredContent"].take()
    }

    /// Calls a tool that has to fail, and returns what a model is told.
    ///
    /// # Panics
    /// It did not.
    #[track_caller]
    pub fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        result["content"][0]["text"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Says no more.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Says no more and waits for the end; returns it with the lines that were not read.
    ///
    /// # Panics
    /// The process cannot be waited for.
    pub fn finish(mut self) -> (ExitStatus, Vec<String>) {
        self.close_input();
        let status = self.child.wait().expect("a process that ends");
        (status, self.lines.iter().collect())
    }
}

impl Drop for Rpc {
    fn drop(&mut self) {
        self.stdin = None;
        // A test that failed in the middle leaves no process behind.
        if thread::panicking() {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}
