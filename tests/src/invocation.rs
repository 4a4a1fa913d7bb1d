//! [`Invocation`]: one run of `mem`.

use std::ffi::OsStr;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::env::TestEnv;
use crate::output::Output;
use crate::rpc::Rpc;
use crate::screen::{self, Screen};

/// A run that is being prepared.
#[derive(Debug)]
pub struct Invocation<'e> {
    env: &'e TestEnv,
    command: Command,
    stdin: Vec<u8>,
}

impl<'e> Invocation<'e> {
    /// A run in the work folder with an empty standard input.
    pub(crate) fn new<S: AsRef<OsStr>>(
        env: &'e TestEnv,
        args: impl IntoIterator<Item = S>,
    ) -> Self {
        let mut command = env.command(crate::binary::path());
        command.args(args);
        Self {
            env,
            command,
            stdin: Vec::new(),
        }
    }

    /// Starts it in another folder.
    pub fn in_dir(mut self, folder: impl AsRef<Path>) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Sets a variable.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Adds arguments.
    pub fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.command.args(args);
        self
    }

    /// Takes a variable away.
    pub fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Has a shell start it: `exec "$0" "$@"` at the end of a script is `mem` with its arguments.
    pub fn through_shell(mut self, script: &str) -> Self {
        let mut shell = self.env.command("sh");
        shell.args(["-c", script]).arg(self.command.get_program());
        shell.args(self.command.get_args());
        for (name, value) in self.command.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        if let Some(folder) = self.command.get_current_dir() {
            shell.current_dir(folder);
        }
        self.command = shell;
        self
    }

    /// Runs it at a terminal that a person types these lines into; all that it shows comes out.
    ///
    /// `script` is part of every Linux.
    pub fn at_terminal(self, typed: &str) -> String {
        let script = r#"exec script -qec "$0 $*" /dev/null"#;
        let run = self.through_shell(script).stdin(typed).run();
        run.stdout.replace('\r', "")
    }

    /// Runs it in a terminal of this size. `None`, and a word about it, where terminals are not to be tested.
    pub fn on_screen(self, columns: u16, rows: u16) -> Option<Screen> {
        screen::is_wanted().then(|| Screen::start(&self.command, columns, rows))
    }

    /// Gives it something to read.
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Starts it without waiting; its streams are pipes, its standard input is empty.
    pub fn spawn(mut self) -> Child {
        self.command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts")
    }

    /// Starts it with pipes to write to and to read from; what it says on the side is lost.
    pub fn pipes(mut self) -> Child {
        self.command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts")
    }

    /// Starts it for a conversation.
    pub fn converse(self) -> Rpc {
        Rpc::new(self.pipes())
    }

    /// Runs it to its end.
    pub fn run(mut self) -> Output {
        let mut child = self
            .command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut pipe = child.stdin.take().expect("stdin is a pipe");
        let stdin = std::mem::take(&mut self.stdin);
        let writer = std::thread::spawn(move || match pipe.write_all(&stdin) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => panic!("stdin: {error}"),
            _ => {}
        });
        let output = child.wait_with_output().expect("the binary ends");
        writer.join().expect("stdin was written");
        Output::new(self.env, format!("{:?}", self.command), output)
    }
}
