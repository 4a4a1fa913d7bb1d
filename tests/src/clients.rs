//! The real client packages that tests speak to `mem` with, installed on first use.
//!
//! They stand in `<target>/clients/<language>-<digest of what is asked for>`, so that a change of the
//! pins makes a new set, and what is there is used without a look at the network. Set-up runs with the
//! environment of whoever runs the tests: their registries, proxies and certificates hold.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, process};

/// What every test speaks with that needs no other generation.
const NEWEST: &str = "requirements";

/// The Python interpreter that imports what `tests/clients/python/requirements.txt` names.
///
/// # Panics
/// There is no `python3` with `venv`, or its packages cannot be installed.
pub fn python() -> PathBuf {
    static READY: OnceLock<PathBuf> = OnceLock::new();
    READY.get_or_init(|| python_with(NEWEST)).clone()
}

/// The Python interpreter that imports what `tests/clients/python/<pins>.txt` names.
///
/// # Panics
/// As [`python`].
pub fn python_with(pins: &str) -> PathBuf {
    let file = format!("python/{pins}.txt");
    let wanted = self::pins().join(&file);
    let install = |made: &Path| {
        let need = "python3 (3.10 or newer) with its venv module";
        run(need, "python3", ["-m", "venv"].map(OsStr::new), Some(made));
        let interpreter = made.join("bin/python");
        let args = ["-m", "pip", "install", "--quiet", "--requirement"].map(OsStr::new);
        let need = "pip and a way to the package index, as pip is configured here";
        run(need, interpreter, args, Some(&wanted));
    };
    ready("python", &[&file], install).join("bin/python")
}

/// The `node_modules` with what `tests/clients/node/package.json` names.
///
/// # Panics
/// There is no `npm`, or its packages cannot be installed.
pub fn node_modules() -> PathBuf {
    static READY: OnceLock<PathBuf> = OnceLock::new();
    READY.get_or_init(|| node_modules_with("node")).clone()
}

/// The `node_modules` with what `tests/clients/<pins>/package.json` names.
///
/// # Panics
/// As [`node_modules`].
pub fn node_modules_with(pins: &str) -> PathBuf {
    let names = ["package.json", "package-lock.json"].map(|file| format!("{pins}/{file}"));
    // Hosts name optional packages that the registry does not have, so that no lock of theirs is ever complete.
    let (files, verb) = match self::pins().join(&names[1]).exists() {
        true => (&names[..], "ci"),
        false => (&names[..1], "install"),
    };
    let install = |made: &Path| {
        fs::create_dir(made).expect("a folder beside the others");
        for file in files {
            let name = Path::new(file).file_name().expect("a file has a name");
            fs::copy(self::pins().join(file), made.join(name)).expect("the pins can be copied");
        }
        let need =
            "node (20 or newer) with npm and a way to the registry, as npm is configured here";
        let args = [verb, "--ignore-scripts", "--silent", "--prefix"].map(OsStr::new);
        run(need, "npm", args, Some(made));
    };
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    ready(pins, &files, install).join("node_modules")
}

/// Chromium, which tests of pages drive; says so where it is not installed.
#[expect(clippy::print_stderr, reason = "what is not tested is said aloud")]
pub fn browser() -> Option<PathBuf> {
    let found = installed_browser();
    if found.is_none() {
        eprintln!("NOT TESTED: pages in a browser, because there is no chromium");
    }
    found
}

/// The first Chromium on the path.
pub fn installed_browser() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let mut files = env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    files.find(|file| file.is_file())
}

/// Where the pins stand.
fn pins() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("clients")
}

/// The folder with an installed set; made beside its place under a lock and renamed when whole.
fn ready(language: &str, files: &[&str], install: impl FnOnce(&Path)) -> PathBuf {
    let program = env::current_exe().expect("a program has an executable");
    // `<target>/<profile>/deps/TEST`, and `<target>/<profile>/xtask`.
    let mut folders = program.ancestors().skip(1);
    let is_profile = |folder: &&Path| !folder.ends_with("deps");
    let profile = folders.find(is_profile).expect("it lies in a profile");
    let target = profile.parent().expect("a profile lies in the target");
    let folder = target.join("clients");
    fs::create_dir_all(&folder).expect("a folder in the target");
    let mut hasher = DefaultHasher::new();
    for file in files {
        let text = fs::read(pins().join(file)).expect("the pins are there");
        text.hash(&mut hasher);
    }
    let place = folder.join(format!("{language}-{:016x}", hasher.finish()));
    let lock = File::create(folder.join(format!("{language}.lock"))).expect("a lock file");
    lock.lock().expect("the lock can be taken");
    if !place.exists() {
        let made = folder.join(format!("{language}-making-{}", process::id()));
        // A process of this number may have been killed here before.
        let _ = fs::remove_dir_all(&made);
        install(&made);
        fs::rename(&made, &place).expect("a new name in the same folder");
    }
    place
}

/// Runs a step of the set-up; `need` says what must be there for it.
fn run<const N: usize>(
    need: &str,
    program: impl AsRef<OsStr>,
    args: [&OsStr; N],
    last: Option<&Path>,
) {
    let program = program.as_ref();
    let output = Command::new(program).args(args).args(last).output();
    let said = match output {
        Ok(output) if output.status.success() => return,
        Ok(output) => [output.stderr, output.stdout]
            .map(|it| String::from_utf8_lossy(&it).into_owned())
            .concat(),
        Err(error) => error.to_string(),
    };
    panic!("tests with real client packages need {need}; {program:?} failed:\n{said}");
}
