//! The programs called `mem` of this machine: which of them a shell runs, and of which version each is.
//!
//! A version is asked for (`mem --version`) of programs that a person chose alone: those in absolute folders of PATH,
//! and those that the person's own settings of a host name. A program inside the repository is not run, nor one that is
//! found by a PATH which the repository's host settings name.

use std::cmp::Ordering;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use mem_core::{host_settings, project, regular_file};

use super::check::DoctorCheck;
use mem_core::RunContext;
use mem_core::timed_program::run_within;

const NAME: &str = "program";
/// Read of a program's start, to tell a Python script.
const SHEBANG_BYTES_MAX: u64 = 256;
/// So long a program may take to print its version.
const TIME_MAX: Duration = Duration::from_secs(2);
/// A version is shorter.
const VERSION_BYTES_MAX: u64 = 4096;
/// A PATH with more programs called `mem` is looked at so far.
const PROGRAMS_MAX: usize = 8;

/// A version of `mem`, as `mem --version` prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProgramVersion {
    text: String,
    numbers: [u64; 3],
    /// What follows the numbers of a version that is not released; empty where it is.
    pre_release: String,
}

/// What a program is that is called `mem`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ProgramKind {
    /// This very program.
    Own,
    /// A `mem` of this version.
    Mem(ProgramVersion),
    /// A Python script: another program of the same name.
    Python,
    /// Another program of the same name.
    Other,
    /// Not run, and why.
    NotRun(&'static str),
}

/// The programs called `mem` on the PATH, and what is needed to ask others.
pub(crate) struct MemPrograms {
    own: PathBuf,
    /// In the order of the PATH, with what each is.
    on_path: Vec<(PathBuf, ProgramKind)>,
    /// The folders of the repository.
    repository: Vec<PathBuf>,
    /// The PATH that programs are given which are asked.
    path: std::ffi::OsString,
    home: PathBuf,
}

impl ProgramVersion {
    /// The version of the program that runs this.
    fn own() -> Self {
        let text = env!("CARGO_PKG_VERSION");
        Self::from_text(text).unwrap_or(Self {
            text: text.to_owned(),
            numbers: [0; 3],
            pre_release: String::new(),
        })
    }

    /// `1.2.3` or `1.2.3-rc.1`.
    fn from_text(text: &str) -> Option<Self> {
        let (numbers, pre_release) = text.split_once('-').unwrap_or((text, ""));
        let numbers: Vec<u64> = numbers
            .split('.')
            .map(|number| number.parse().ok())
            .collect::<Option<_>>()?;
        Some(Self {
            text: text.to_owned(),
            numbers: numbers.try_into().ok()?,
            pre_release: pre_release.to_owned(),
        })
    }

    /// What `mem --version` prints: `mem 1.2.3 (x86_64-linux)`.
    fn from_answer(answer: &str) -> Option<Self> {
        let rest = answer.strip_prefix("mem ")?;
        let (version, target) = rest.trim_end().split_once(' ')?;
        let is_target = target.starts_with('(') && target.ends_with(')');
        Self::from_text(version).filter(|_| is_target)
    }

    /// How it compares with this program's version.
    fn compared_with_own(&self) -> Ordering {
        let own = Self::own();
        let is_release = |version: &Self| version.pre_release.is_empty();
        self.numbers
            .cmp(&own.numbers)
            .then_with(|| is_release(self).cmp(&is_release(&own)))
            .then_with(|| self.pre_release.cmp(&own.pre_release))
    }

    /// `mem 1.2.3, newer than this mem 1.2.0`; `None` where both are the same.
    pub(crate) fn difference_text(&self) -> Option<String> {
        let relation = match self.compared_with_own() {
            Ordering::Equal => return None,
            Ordering::Greater => "newer",
            Ordering::Less => "older",
        };
        let own = Self::own().text;
        Some(format!("mem {}, {relation} than this mem {own}", self.text))
    }

    fn is_newer(&self) -> bool {
        self.compared_with_own() == Ordering::Greater
    }
}

impl MemPrograms {
    /// Looks along the PATH, and asks what it finds there.
    pub(crate) fn along_path(run: &RunContext) -> Option<Self> {
        let own = std::env::current_exe().ok()?;
        let own = own.canonicalize().unwrap_or(own);
        let home = run.dirs().ok().and_then(|dirs| dirs.home.clone());
        let repository = repository_folders(run, home.as_deref());
        let path = run.env.get("PATH").unwrap_or_default();
        let folders: Vec<PathBuf> = std::env::split_paths(path)
            .filter(|folder| folder.is_absolute())
            .collect();
        let outside = folders.iter().filter(|folder| {
            let real = folder.canonicalize();
            !is_within(folder, &repository) && !real.is_ok_and(|real| is_within(&real, &repository))
        });
        let mut programs = Self {
            path: std::env::join_paths(outside).unwrap_or_default(),
            home: home.unwrap_or_else(|| PathBuf::from("/")),
            own,
            repository,
            on_path: Vec::new(),
        };
        let named = host_settings::variables_of_repositories(
            std::slice::from_ref(&run.cwd),
            &["PATH"],
            &run.env,
        );
        let name = format!("mem{}", std::env::consts::EXE_SUFFIX);
        let found = folders.iter().map(|folder| folder.join(&name));
        for path in found.filter(|path| is_program(path)).take(PROGRAMS_MAX) {
            let kind = match named.is_empty() || programs.is_own(&path) {
                true => programs.ask_program(&path),
                false => ProgramKind::NotRun("the repository's host settings name the PATH"),
            };
            programs.on_path.push((path, kind));
        }
        Some(programs)
    }

    /// What a program is; one on the PATH was asked before. Call it for what a person chose alone.
    pub(crate) fn ask_program(&self, path: &Path) -> ProgramKind {
        if let Some(kind) = self.known_kind(path) {
            return kind;
        }
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if is_within(path, &self.repository) || is_within(&real, &self.repository) {
            return ProgramKind::NotRun("it stands in this repository");
        }
        if is_python(path) {
            return ProgramKind::Python;
        }
        let mut command = Command::new(path);
        command
            .arg("--version")
            .env_clear()
            .env("PATH", &self.path)
            .env("HOME", &self.home)
            .current_dir(if self.home.is_dir() {
                self.home.as_path()
            } else {
                Path::new("/")
            });
        let answer = run_within(&mut command, TIME_MAX, VERSION_BYTES_MAX, true);
        let version = answer.ok().flatten().and_then(|(status, text)| {
            let text = std::str::from_utf8(&text).ok()?;
            ProgramVersion::from_answer(text).filter(|_| status.success())
        });
        version.map_or(ProgramKind::Other, ProgramKind::Mem)
    }

    /// What a program is, without running it: this one, or one on the PATH.
    pub(crate) fn known_kind(&self, path: &Path) -> Option<ProgramKind> {
        if self.is_own(path) {
            return Some(ProgramKind::Own);
        }
        let real = path.canonicalize().ok();
        let is_same = |other: &Path| other == path || other.canonicalize().ok() == real;
        let mut known = self.on_path.iter();
        known
            .find(|(other, _)| is_same(other))
            .map(|(_, kind)| kind.clone())
    }

    /// The first on the PATH, which a shell and the plugin of Claude Code run.
    pub(crate) fn first_on_path(&self) -> Option<&Path> {
        self.on_path.first().map(|(path, _)| path.as_path())
    }

    fn is_own(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|path| path == self.own)
    }

    /// Which program a shell runs as `mem`, whether it is this one, and what others there are.
    pub(crate) fn path_checks(&self) -> Vec<DoctorCheck> {
        let own = self.own.display();
        let at = |wanted: fn(&ProgramKind) -> bool| {
            let mut kinds = self.on_path.iter();
            kinds.position(|(_, kind)| wanted(kind))
        };
        let own_at = at(|kind| *kind == ProgramKind::Own);
        let mut checks = Vec::new();
        if self.on_path.is_empty() {
            checks.push(DoctorCheck::with_warning(
                NAME,
                format!("{own} is not on the PATH"),
                "add its folder to PATH, or link it from a folder that is in it",
            ));
        } else if own_at == Some(0) && self.on_path.len() == 1 {
            checks.push(DoctorCheck::with_ok(NAME, format!("{own}")));
        }
        for (place, (path, kind)) in self.on_path.iter().enumerate() {
            let is_before = own_at.is_none_or(|own_at| place < own_at);
            checks.extend(self.other_check(path, kind, is_before));
        }
        checks
    }

    /// A program on the PATH that is not this one.
    fn other_check(&self, path: &Path, kind: &ProgramKind, is_before: bool) -> Option<DoctorCheck> {
        let (own, shown) = (self.own.display(), path.display());
        let what = match kind {
            ProgramKind::Own => return None,
            ProgramKind::Mem(version) => match version.difference_text() {
                Some(text) => format!("{text},"),
                None => "a second copy of this version".to_owned(),
            },
            ProgramKind::Python => "a Python program called mem".to_owned(),
            ProgramKind::Other => "another program called mem".to_owned(),
            ProgramKind::NotRun(why) => format!("a program called mem, which was not run ({why}),"),
        };
        let is_newer = matches!(kind, ProgramKind::Mem(version) if version.is_newer());
        // A launcher of the same version, such as npm's, does no harm before this one.
        let is_same =
            matches!(kind, ProgramKind::Mem(version) if version.difference_text().is_none());
        let place = if is_before { "before" } else { "behind" };
        let text = format!("{what} is on the PATH: {shown}, {place} {own}");
        Some(if is_newer {
            let hint = format!(
                "remove {own}, then `{shown} install` for each host: hooks call a program by its whole path"
            );
            DoctorCheck::with_warning(NAME, text, &hint)
        } else if is_before && !is_same {
            let hint =
                "give this one's folder an earlier place in PATH; hooks call it by its whole path";
            DoctorCheck::with_warning(NAME, text, hint)
        } else {
            DoctorCheck::with_ok(NAME, text)
        })
    }
}

/// The folders that the repository around controls: its checkout and its main checkout. A plain folder that holds the
/// home directory is none.
fn repository_folders(run: &RunContext, home: Option<&Path>) -> Vec<PathBuf> {
    let Ok(project) = project::find(&run.cwd, &run.env) else {
        return vec![run.cwd.clone()];
    };
    let is_plain = project.git_dir.is_none() && !project.is_refused();
    let folders = [project.root, project.workdir];
    let holds_home = |folder: &PathBuf| home.is_some_and(|home| home.starts_with(folder));
    folders
        .into_iter()
        .filter(|folder| !is_plain || !holds_home(folder))
        .collect()
}

fn is_within(path: &Path, folders: &[PathBuf]) -> bool {
    folders.iter().any(|folder| path.starts_with(folder))
}

fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::metadata(path)
            .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    {
        fs::metadata(path).is_ok_and(|meta| meta.is_file())
    }
}

/// Whether a program is a Python script, such as packages of PyPI install.
fn is_python(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = regular_file::open(path)
        .and_then(|file| file.take(SHEBANG_BYTES_MAX).read_to_end(&mut head));
    let text = String::from_utf8_lossy(&head);
    let first = text.lines().next().unwrap_or_default();
    read.is_ok() && first.starts_with("#!") && first.contains("python")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_from_the_answer_of_mem_alone() {
        let read = |text: &str| ProgramVersion::from_answer(text).map(|version| version.text);
        assert_eq!(read("mem 1.2.3 (x86_64-linux)\n").as_deref(), Some("1.2.3"));
        assert_eq!(
            read("mem 1.2.3-rc.1 (aarch64-macos)\n").as_deref(),
            Some("1.2.3-rc.1")
        );
        for other in [
            "",
            "mem",
            "mem 1.2.3",
            "mem 1.2 (x)",
            "memo 1.2.3 (x)",
            "mem x.y.z (x)",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn versions_are_compared_by_their_numbers() {
        let own = ProgramVersion::own();
        let [major, minor, patch] = own.numbers;
        let compared = |text: String| {
            let version = ProgramVersion::from_text(&text);
            version.map(|version| version.compared_with_own())
        };
        assert_eq!(compared(own.text.clone()), Some(Ordering::Equal));
        assert_eq!(
            compared(format!("{major}.{minor}.{}", patch + 10)),
            Some(Ordering::Greater)
        );
        assert_eq!(
            compared(format!("{major}.{minor}.{patch}-rc.1")),
            Some(Ordering::Less)
        );
        assert_eq!(own.difference_text(), None);
    }
}
