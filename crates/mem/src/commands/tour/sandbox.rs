//! The throw-away home that the tour is played in.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead as _, BufReader, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use anyhow::{Context as _, Result, ensure};
use tempfile::TempDir;

use crate::context::Context;
use crate::sanitize::clean;
use crate::style;

/// What child processes see of the real environment.
const KEPT: [&str; 3] = ["PATH", "SYSTEMROOT", "TERM"];

/// The folder of somebody else, who has a home of their own.
pub(super) const COLLEAGUE: &str = "colleague";

/// A home with a git identity, and the program that is shown.
pub(super) struct Stage<'c> {
    context: &'c Context,
    program: PathBuf,
    root: TempDir,
}

impl<'c> Stage<'c> {
    /// Makes the home.
    pub(super) fn set_up(context: &'c Context) -> Result<Self> {
        let root = tempfile::Builder::new().prefix("mem-tour-").tempdir()?;
        let stage = Self {
            context,
            program: std::env::current_exe()?,
            root,
        };
        for folder in ["home", "home-of-colleague", "run", "work"] {
            fs::create_dir(stage.stage_path(folder))?;
        }
        stage.set_identity("home", "You", "you")?;
        stage.set_identity("home-of-colleague", "Colleague", COLLEAGUE)?;
        Ok(stage)
    }

    /// Gives a home its identity for git.
    fn set_identity(&self, home: &str, name: &str, mail: &str) -> Result<()> {
        let identity = format!(
            "[user]\n\tname = {name}\n\temail = {mail}@example.org\n\
             [init]\n\tdefaultBranch = main\n[commit]\n\tgpgsign = false\n"
        );
        let path = self.stage_path(home).join(".gitconfig");
        Ok(mem_core::atomic::replace_file(&path, identity.as_bytes())?)
    }

    /// Starts `mem serve`, and shows the command.
    pub(super) fn start_server(&self) -> Result<TourServer> {
        let words = ["serve", "--listen", "127.0.0.1:0", "--insecure-no-auth"];
        let (strong, words_shown) = (style::STRONG, words.join(" "));
        let printer = &self.context.printer;
        printer.line(format_args!("{strong}server $ mem {words_shown}{strong:#}"))?;
        let mut command = Command::new(&self.program);
        command.args(words).current_dir(self.stage_path("work"));
        self.seal_environment(&mut command, "home");
        let server = TourServer::start_server(command)?;
        printer.line(format_args!("listening on {}", server.url()))?;
        Ok(server)
    }

    /// A path in the throw-away place.
    pub(super) fn stage_path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Says something between two commands.
    pub(super) fn print_text(&self, text: &str) -> Result<()> {
        let heading = style::HINT;
        Ok(self
            .context
            .line(format_args!("\n{heading}# {text}{heading:#}"))?)
    }

    /// Runs `mem` in a folder and shows command and output.
    pub(super) fn run_mem(&self, folder: &str, args: &[&str]) -> Result<()> {
        self.run_shown(folder, "mem", args)
    }

    /// Runs a program that must refuse, and shows what it says.
    pub(super) fn run_refused(&self, folder: &str, program: &str, args: &[&str]) -> Result<()> {
        let output = self.run_captured(folder, program, args)?;
        let words = args.join(" ");
        ensure!(
            !output.status.success(),
            "`{program} {words}` was not refused"
        );
        Ok(())
    }

    /// Runs `mem` as an agent would, where it must be refused, and shows what it says.
    pub(super) fn refused_agent(&self, folder: &str, args: &[&str]) -> Result<()> {
        let args = [&["MEM_ACTOR=agent", "mem"], args].concat();
        self.run_refused(folder, "env", &args)
    }

    /// Runs git in a folder and shows the command.
    pub(super) fn run_git(&self, folder: &str, args: &[&str]) -> Result<()> {
        self.run_shown(folder, "git", args)
    }

    /// Runs git in a folder behind the scenes.
    pub(super) fn git_quietly(&self, folder: &str, args: &[&str]) -> Result<()> {
        let output = self.run(folder, "git", args)?;
        let talk = String::from_utf8_lossy(&output.stderr);
        ensure!(
            output.status.success(),
            "git {} failed: {talk}",
            args.join(" ")
        );
        Ok(())
    }

    /// Moves a folder of the work place, as `mv` does, and shows it.
    #[expect(clippy::disallowed_methods, reason = "a throw-away folder")]
    pub(super) fn move_folder(&self, from: &str, to: &str) -> Result<()> {
        let strong = style::STRONG;
        self.context
            .line(format_args!("{strong}$ mv {from} {to}{strong:#}"))?;
        let work = self.stage_path("work");
        Ok(fs::rename(work.join(from), work.join(to))?)
    }

    /// Writes a file of a memory directory as an editor does: a daemon may remove temporary files that look like those
    /// of `mem`.
    #[expect(clippy::disallowed_methods, reason = "a throw-away folder")]
    pub(super) fn write_as_editor(&self, path: &Path, text: &str) -> Result<()> {
        Ok(fs::write(path, text)?)
    }

    /// Where `mem` keeps the memories of a folder's repository.
    pub(super) fn memory_dir(&self, folder: &str) -> Result<PathBuf> {
        let output = self.run(folder, "mem", &["path"])?;
        Ok(PathBuf::from(
            String::from_utf8(output.stdout)?.trim_end_matches('\n'),
        ))
    }

    /// Leaves the place behind.
    pub(super) fn keep_place(mut self) -> PathBuf {
        self.root.disable_cleanup(true);
        self.root.path().to_owned()
    }

    fn run_shown(&self, folder: &str, program: &str, args: &[&str]) -> Result<()> {
        let output = self.run_captured(folder, program, args)?;
        let words = args.join(" ");
        ensure!(
            output.status.success(),
            "`{program} {words}` ended with {}",
            output.status
        );
        Ok(())
    }

    fn run_captured(&self, folder: &str, program: &str, args: &[&str]) -> Result<Output> {
        let words: Vec<String> = args.iter().map(|word| quote_word(word)).collect();
        let (strong, words) = (style::STRONG, words.join(" "));
        let printer = &self.context.printer;
        printer.line(format_args!(
            "{strong}{folder} $ {program} {words}{strong:#}"
        ))?;
        let output = self.run(folder, program, args)?;
        for stream in [&output.stdout, &output.stderr] {
            let text = String::from_utf8_lossy(stream);
            // Our own colours pass; what a file holds has been cleaned by the run itself.
            let text = self.shorten_paths(text.trim_end());
            if !text.is_empty() {
                printer.line(text)?;
            }
        }
        Ok(output)
    }

    fn run(&self, folder: &str, program: &str, args: &[&str]) -> Result<Output> {
        let ours = |word: &&str| match *word {
            "mem" => self.program.as_os_str().to_owned(),
            other => OsStr::new(other).to_owned(),
        };
        let mut command = Command::new(ours(&program));
        // `env NAME=VALUE mem ..` is this program too.
        let words = args
            .iter()
            .enumerate()
            .map(|(at, word)| match (program, at) {
                ("env", 1) => ours(word),
                _ => OsStr::new(word).to_owned(),
            });
        command
            .args(words)
            .current_dir(self.stage_path("work").join(folder))
            .stdin(Stdio::null());
        let is_theirs = folder == COLLEAGUE;
        self.seal_environment(
            &mut command,
            if is_theirs {
                "home-of-colleague"
            } else {
                "home"
            },
        );
        command
            .output()
            .with_context(|| format!("the tour needs `{program}`, which cannot be run"))
    }

    /// Nothing of the reader's own environment gets in, nothing of theirs is reached.
    fn seal_environment(&self, command: &mut Command, home: &str) {
        let home = self.stage_path(home);
        let kept = KEPT
            .into_iter()
            .filter_map(|key| Some((key, self.context.env.get(key)?)));
        command
            .env_clear()
            .envs(kept)
            .env("HOME", &home)
            .env("USERPROFILE", &home)
            .env("USER", "you")
            .env("XDG_RUNTIME_DIR", self.stage_path("run"))
            // A process that stays behind would find its home gone.
            .env("MEM_RECALL_BACKGROUND", "false")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", home.join(".gitconfig"));
        if std::io::stdout().is_terminal() && self.context.env.get("NO_COLOR").is_none() {
            command.env("CLICOLOR_FORCE", "1");
        }
    }

    /// Paths of the throw-away place, written short.
    fn shorten_paths(&self, text: &str) -> String {
        let real = self
            .root
            .path()
            .canonicalize()
            .unwrap_or_else(|_| self.root.path().to_owned());
        let short = |text: String, path: &Path| {
            let (home, work) = (path.join("home"), path.join("work"));
            text.replace(&*path.join("home-of-colleague").to_string_lossy(), "~")
                .replace(&*home.to_string_lossy(), "~")
                .replace(&*work.to_string_lossy(), "/work")
        };
        short(short(text.to_owned(), &real), self.root.path())
    }
}

impl Drop for Stage<'_> {
    /// Ends the daemons that setting up a team started: they would write into a home that is gone.
    fn drop(&mut self) {
        for home in ["home", "home-of-colleague"] {
            let mut command = Command::new(&self.program);
            command.args(["daemon", "stop", "--all"]);
            command.current_dir(self.root.path());
            self.seal_environment(&mut command, home);
            // What does not start or stop is no reason for the tour to fail.
            let _ = command.output();
        }
    }
}

/// A server for the time of an act. Ends when it is dropped.
pub(super) struct TourServer {
    child: Child,
    url: String,
}

impl TourServer {
    /// Starts it, and waits for the line that says where it listens.
    fn start_server(mut command: Command) -> Result<Self> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let url = line.trim_end().strip_prefix("listening on ");
        let url = url.map(str::to_owned);
        let server = Self {
            child,
            url: url.clone().unwrap_or_default(),
        };
        url.context("the server does not say where it listens")?;
        Ok(server)
    }

    /// Where it listens.
    pub(super) fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for TourServer {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A word as one would type it.
fn quote_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        clean(word).into_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
