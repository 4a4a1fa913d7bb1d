//! [`Screen`]: a run of `mem` in a real terminal, and what stands on it. The terminal is tmux.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// Set to 1 by whoever wants to test without tmux.
pub const OPT_OUT: &str = "MEM_TESTS_NO_TMUX";

/// How long something may take to stand on the screen.
const PATIENCE: Duration = Duration::from_secs(20);

/// A terminal with one program in it. It ends when it is dropped.
#[derive(Debug)]
pub struct Screen {
    environment: Vec<(OsString, OsString)>,
    socket: PathBuf,
}

/// Whether tmux is installed.
pub fn is_installed() -> bool {
    let version = Command::new("tmux").arg("-V").output();
    version.is_ok_and(|output| output.status.success())
}

/// Whether terminals are to be tested; says so where they are not.
#[expect(clippy::print_stderr, reason = "what is not tested is said aloud")]
pub fn is_wanted() -> bool {
    let is_out = env::var_os(OPT_OUT).is_some_and(|set| set == "1");
    if is_out {
        eprintln!("NOT TESTED: the screen in a terminal, because {OPT_OUT} is set");
    }
    !is_out
}

impl Screen {
    /// Starts a command in a terminal of this size.
    ///
    /// # Panics
    /// There is no tmux, or it does not start.
    pub(crate) fn start(program: &Command, columns: u16, rows: u16) -> Self {
        assert!(
            is_installed(),
            "tmux is not installed: `cargo xtask test` installs it where it can, {OPT_OUT}=1 \
             leaves its tests out"
        );
        let environment: Vec<_> = program
            .get_envs()
            .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
            .collect();
        let run = environment
            .iter()
            .find(|(name, _)| name == "XDG_RUNTIME_DIR")
            .map(|(_, value)| PathBuf::from(value))
            .expect("the environment of a test has one");
        // A socket's path has 108 bytes at most: one terminal a name.
        let taken = |number: &u32| run.join(format!("t{number}.conf")).exists();
        let number = (0..).find(|number| !taken(number)).expect("a free number");
        let settings = run.join(format!("t{number}.conf"));
        let text = "set -g remain-on-exit on\nset -g escape-time 0\nset -g status off\n";
        fs::write(&settings, text).expect("settings of tmux");
        let screen = Self {
            environment,
            socket: run.join(format!("t{number}")),
        };
        let mut tmux = screen.tmux();
        tmux.arg("-f").arg(&settings);
        let (columns, rows) = (columns.to_string(), rows.to_string());
        tmux.args(["new-session", "-d", "-x", &columns, "-y", &rows]);
        if let Some(folder) = program.get_current_dir() {
            tmux.arg("-c").arg(folder).current_dir(folder);
        }
        tmux.arg(program.get_program()).args(program.get_args());
        let output = tmux.output().expect("tmux starts");
        assert!(output.status.success(), "tmux: {output:?}");
        screen
    }

    /// A command of tmux for this terminal.
    fn tmux(&self) -> Command {
        let mut tmux = Command::new("tmux");
        tmux.env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .arg("-u")
            .arg("-S")
            .arg(&self.socket);
        tmux
    }

    fn ask(&self, args: &[&str]) -> String {
        let output = self.tmux().args(args).output().expect("tmux answers");
        assert!(output.status.success(), "tmux {args:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// What stands on the screen.
    pub fn shown(&self) -> String {
        self.ask(&["capture-pane", "-p"])
    }

    /// The same with what was scrolled out of it.
    pub fn scrolled(&self) -> String {
        self.ask(&["capture-pane", "-p", "-S", "-"])
    }

    /// What stands on the screen, with the sequences that set colours and weight.
    pub fn styled(&self) -> String {
        self.ask(&["capture-pane", "-p", "-e"])
    }

    /// The title that the program gave the terminal.
    pub fn title(&self) -> String {
        self.ask(&["display-message", "-p", "#{pane_title}"])
    }

    /// The process in the terminal.
    pub fn process(&self) -> String {
        self.ask(&["display-message", "-p", "#{pane_pid}"])
            .trim()
            .to_owned()
    }

    /// Presses keys by the names of tmux, such as `j` or `Enter`.
    pub fn press(&self, keys: &[&str]) {
        self.ask(&[&["send-keys"], keys].concat());
    }

    /// Types a text.
    pub fn type_text(&self, text: &str) {
        self.ask(&["send-keys", "-l", text]);
    }

    /// Gives the terminal another size.
    pub fn resize(&self, columns: u16, rows: u16) {
        let (columns, rows) = (columns.to_string(), rows.to_string());
        self.ask(&["resize-window", "-x", &columns, "-y", &rows]);
    }

    /// Waits until the screen is as it should be.
    ///
    /// # Panics
    /// It does not become so.
    #[track_caller]
    pub fn wait_until(&self, what: &str, is_so: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let shown = self.shown();
            if is_so(&shown) {
                return shown;
            }
            assert!(begun.elapsed() < PATIENCE, "not in time: {what}\n{shown}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until a text stands on the screen.
    ///
    /// # Panics
    /// It does not come.
    #[track_caller]
    pub fn wait_for(&self, text: &str) -> String {
        self.wait_until(text, |shown| shown.contains(text))
    }

    /// Waits until a text is gone.
    ///
    /// # Panics
    /// It stays.
    #[track_caller]
    pub fn wait_gone(&self, text: &str) -> String {
        self.wait_until(&format!("gone: {text}"), |shown| !shown.contains(text))
    }

    /// Waits for the end of the program; returns its exit code, or 128 and the signal that ended it.
    ///
    /// # Panics
    /// It does not end.
    #[track_caller]
    pub fn exit_code(&self) -> i32 {
        let end = || {
            self.ask(&[
                "display-message",
                "-p",
                "#{pane_dead_status} #{pane_dead_signal}",
            ])
        };
        self.wait_until("the end", |_| {
            let is_known = end().contains(|c: char| c.is_ascii_digit());
            if !is_known {
                // tmux 3.3 misses the end of some programs until another one ends.
                self.ask(&["run-shell", "true"]);
            }
            is_known
        });
        let status = end();
        let mut numbers = status.split(' ').map(|word| word.trim().parse::<i32>());
        match (numbers.next(), numbers.next()) {
            (Some(Ok(code)), _) => code,
            (_, Some(Ok(signal))) => 128 + signal,
            _ => panic!("no status: {status}"),
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.tmux().arg("kill-server").output();
    }
}
