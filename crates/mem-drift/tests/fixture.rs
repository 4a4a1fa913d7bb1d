//! A throw-away repository made by the real `git`, with a clock of its own.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::Command;

use jiff::Timestamp;
use mem_core::Now;
use mem_drift::{
    CheckoutPaths, CitationReport, CitationStatus, DriftInput, DriftRequest, NoteReport,
    Verification, verify_notes,
};

/// The first second of every test.
pub(crate) const START: i64 = 1_700_000_000;
/// Between two commits: a day.
pub(crate) const DAY: i64 = 86_400;

/// A repository. Each commit is a day later than the one before.
pub(crate) struct Fixture {
    root: PathBuf,
    seconds: Cell<i64>,
    _guard: tempfile::TempDir,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let guard = tempfile::tempdir().unwrap();
        let root = guard.path().canonicalize().unwrap().join("shop");
        std::fs::create_dir_all(&root).unwrap();
        let fixture = Self {
            root,
            seconds: Cell::new(START),
            _guard: guard,
        };
        fixture.git(&["init", "-q"]);
        fixture
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A path beside the repository.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.root.parent().unwrap().join(name)
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        self.git_in(&self.root, arguments)
    }

    pub(crate) fn git_in(&self, dir: &Path, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("GIT_") {
                command.env_remove(name);
            }
        }
        let date = format!("{} +0000", self.seconds.get());
        let settings = [
            "user.name=t",
            "user.email=t@example.org",
            "init.defaultBranch=main",
            "protocol.file.allow=always",
            "gc.auto=0",
            "core.autocrlf=false",
        ];
        command.arg("-C").arg(dir).envs([
            ("GIT_AUTHOR_DATE", date.as_str()),
            ("GIT_COMMITTER_DATE", date.as_str()),
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
        ]);
        for setting in settings {
            command.args(["-c", setting]);
        }
        let output = command.args(arguments).output().unwrap();
        let talk = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}\n{talk}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Writes a file, with its parents.
    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.root.join(path)).unwrap()
    }

    /// Replaces a text in a file.
    pub(crate) fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "`{from}` is not in {path}");
        self.write(path, text.replace(from, to));
    }

    /// Moves a tracked file or folder.
    pub(crate) fn mv(&self, from: &str, to: &str) {
        let parent = self.root.join(to);
        std::fs::create_dir_all(parent.parent().unwrap()).unwrap();
        self.git(&["mv", from, to]);
    }

    pub(crate) fn rm(&self, path: &str) {
        self.git(&["rm", "-rq", path]);
    }

    /// Commits everything, a day later.
    pub(crate) fn commit(&self, message: &str) -> String {
        self.seconds.set(self.seconds.get() + DAY);
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// The second of the last commit.
    pub(crate) fn second(&self) -> i64 {
        self.seconds.get()
    }

    pub(crate) fn place(&self) -> CheckoutPaths {
        CheckoutPaths {
            git_dir: Some(self.root.join(".git")),
            workdir: Some(self.root.clone()),
        }
    }

    /// A note as of the last commit.
    pub(crate) fn note(&self, text: &str) -> DriftInput {
        DriftInput {
            file: "note.md".to_owned(),
            text: text.to_owned(),
            written: Timestamp::from_second(self.seconds.get()).ok(),
            ..DriftInput::default()
        }
    }

    pub(crate) fn check(&self, note: &DriftInput) -> NoteReport {
        check_at(&self.place(), note)
    }

    /// The status and the detail of the only citation of a text, written just now.
    pub(crate) fn status(&self, text: &str) -> (CitationStatus, String) {
        only(&self.check(&self.note(text)))
    }
}

/// The only citation of a report.
#[track_caller]
pub(crate) fn only(report: &NoteReport) -> (CitationStatus, String) {
    let [CitationReport { status, detail, .. }] = &report.citations[..] else {
        panic!("not one citation: {report:?}");
    };
    (*status, detail.clone().unwrap_or_default())
}

pub(crate) fn check_at(place: &CheckoutPaths, note: &DriftInput) -> NoteReport {
    run(place, std::slice::from_ref(note), None)
        .report
        .notes
        .remove(0)
}

pub(crate) fn run(
    place: &CheckoutPaths,
    notes: &[DriftInput],
    cache: Option<&[u8]>,
) -> Verification {
    let request = DriftRequest {
        place,
        notes,
        remotes: &["git@example.org:acme/shop.git".to_owned()],
        known_notes: None,
        earlier_notes: None,
        now: Now(Timestamp::from_second(START + 400 * DAY).unwrap()),
    };
    verify_notes(&request, cache).unwrap()
}
