//! Where the rules of a scan come from: found from the repository of what is scanned.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mem_core::project::Project;
use mem_core::{Dirs, trust};
use mem_secrets::{Config, ConfigError, Ignore, Key, Scanner};

use super::error::RulesError;
use super::{Ruleset, key};

/// Configurations, ignore files and baselines that are larger are refused.
pub(super) const SOURCE_BYTES_MAX: u64 = 16 << 20;
/// How often a configuration may extend another.
const EXTENDS_MAX: usize = 4;
/// What gitleaks looks for, and its other name in the wild.
const GITLEAKS: [&str; 2] = [".gitleaks.toml", "gitleaks.toml"];
/// Our own allows and rules, from the root of a repository.
pub(super) const OWN: &str = ".mem/secrets.toml";
const IGNORE: &str = ".gitleaksignore";

/// Whose rules a scan goes by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources {
    /// The root that configurations are found at; `None` for the rules that ship with `mem` alone.
    pub root: Option<PathBuf>,
    /// A configuration in place of the root's `gitleaks.toml`.
    pub config: Option<PathBuf>,
    /// The user's directories.
    pub dirs: Option<Dirs>,
    /// Whose fingerprints are told where the root has no key: the repository that an allow would be made in.
    pub beside: Option<PathBuf>,
}

impl Sources {
    /// For what goes to the team: a repository's own allowlists count only where a person trusts
    /// the repository.
    pub(crate) fn of_trusted(project: &Project, dirs: &Dirs) -> Self {
        Self {
            root: trust::is_trusted(dirs, &project.root).then(|| project.workdir.clone()),
            config: None,
            dirs: Some(dirs.clone()),
            beside: Some(project.workdir.clone()),
        }
    }

    /// Reads and compiles them. The second value says what was passed over.
    ///
    /// # Errors
    /// A file is unreadable or invalid; the error has line and rule.
    pub(crate) fn load(&self) -> Result<(Ruleset, Vec<String>), RulesError> {
        let mut loader = Loader::default();
        let root = self.root.as_deref();
        let mut config = match (&self.config, root) {
            (Some(path), _) => Some(loader.require(path, None)?),
            (None, Some(root)) => loader.first(&GITLEAKS, root)?,
            (None, None) => None,
        };
        if let Some(own) = root
            .map(|root| loader.first(&[OWN], root))
            .transpose()?
            .flatten()
        {
            let own = match config {
                Some(config) => own.on(config),
                None => own,
            };
            own.check()
                .map_err(invalid(&root.unwrap_or(Path::new("")).join(OWN)))?;
            config = Some(own);
        }
        let mut ruleset = Ruleset {
            root: self.root.clone(),
            keyed: self.beside.clone().or_else(|| self.root.clone()),
            dirs: self.dirs.clone(),
            // Whoever is not asked for a repository's rules does not obey its comments either.
            scanner: Scanner::new().with_comments(root.is_some() || self.config.is_some()),
            ..Ruleset::default()
        };
        if let Some(root) = root {
            if let Some(text) = loader.read(&root.join(IGNORE))? {
                let (ignore, errors) = Ignore::parse(&text);
                ruleset.ignore = ignore;
                let warn = |error| format!("`{IGNORE}`: {error}");
                loader.warnings.extend(errors.into_iter().map(warn));
            }
            if let Some(bytes) = key::of(root)? {
                ruleset.key = OnceLock::from(Key::new(bytes));
            }
        }
        let has_key = ruleset.key.get().is_some();
        if ruleset.key.get().is_none()
            && let Some(Ok(Some(bytes))) = self.beside.as_deref().map(key::of)
        {
            ruleset.key = OnceLock::from(Key::new(bytes));
        }
        if let Some(config) = config {
            // Without its key a fingerprint says nothing.
            if has_key {
                ruleset.allows = config.allows().to_vec();
            }
            ruleset.scanner = ruleset.scanner.with_config(config);
        }
        let texts: Vec<&[u8]> = loader.texts.iter().map(String::as_bytes).collect();
        ruleset.digest = super::digest(&texts);
        Ok((ruleset, loader.warnings))
    }
}

/// Reads files and remembers what it read.
#[derive(Default)]
struct Loader {
    texts: Vec<String>,
    warnings: Vec<String>,
}

impl Loader {
    /// The first of several configurations that is there.
    fn first(&mut self, names: &[&str], root: &Path) -> Result<Option<Config>, RulesError> {
        for name in names {
            let path = root.join(name);
            if let Some(text) = self.read(&path)? {
                return self.parse(&path, &text, Some(root), 0).map(Some);
            }
        }
        Ok(None)
    }

    /// A configuration that must be there.
    fn require(&mut self, path: &Path, root: Option<&Path>) -> Result<Config, RulesError> {
        let missing = || RulesError::missing(path);
        let text = self.read(path)?.ok_or_else(missing)?;
        self.parse(path, &text, root, 0)
    }

    fn parse(
        &mut self,
        path: &Path,
        text: &str,
        root: Option<&Path>,
        depth: usize,
    ) -> Result<Config, RulesError> {
        let config = Config::parse(text).map_err(invalid(path))?;
        let Some(base) = config.extends().map(str::to_owned) else {
            // Ours may adjust what gitleaks' own has.
            if !path.ends_with(OWN) {
                config.check().map_err(invalid(path))?;
            }
            return Ok(config);
        };
        let refused = || RulesError::Extends {
            path: path.to_owned(),
            base: base.clone(),
        };
        let folder = root.or_else(|| path.parent()).unwrap_or(Path::new("."));
        let target = folder.join(&base);
        let missing = || RulesError::missing(&target);
        if !target.exists() {
            return Err(missing());
        }
        // A repository must not have other files of this machine quoted in errors.
        let inside = root.is_none_or(|root| is_inside(&target, root));
        if !inside || depth == EXTENDS_MAX {
            return Err(refused());
        }
        let text = self.read(&target)?.ok_or_else(missing)?;
        let base = self.parse(&target, &text, root, depth + 1)?;
        let config = config.on(base);
        config.check().map_err(invalid(path))?;
        Ok(config)
    }

    /// The text of a file; `None` where it is not there.
    fn read(&mut self, path: &Path) -> Result<Option<String>, RulesError> {
        let text = read(path)?;
        self.texts.extend(text.clone());
        Ok(text)
    }
}

fn invalid(path: &Path) -> impl Fn(ConfigError) -> RulesError + '_ {
    |cause| RulesError::Config {
        path: path.to_owned(),
        cause,
    }
}

fn is_inside(path: &Path, root: &Path) -> bool {
    let real = (path.canonicalize(), root.canonicalize());
    matches!(real, (Ok(path), Ok(root)) if path.starts_with(&root))
}

/// The text of a file, within the limit; `None` where it is not there.
pub(super) fn read(path: &Path) -> Result<Option<String>, RulesError> {
    let fail = |cause| RulesError::Read {
        path: path.to_owned(),
        cause,
    };
    // Opening a pipe would wait for somebody to write into it.
    let file = path.metadata().and_then(|metadata| {
        match super::super::files::unreadable_kind(&metadata) {
            Some(kind) => Err(io::Error::other(kind)),
            None => File::open(path),
        }
    });
    let file = match file {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(None),
        Err(error) => return Err(fail(error)),
    };
    let mut bytes = Vec::new();
    file.take(SOURCE_BYTES_MAX + 1)
        .read_to_end(&mut bytes)
        .map_err(fail)?;
    if bytes.len() as u64 > SOURCE_BYTES_MAX {
        return Err(RulesError::TooLarge {
            path: path.to_owned(),
            limit: SOURCE_BYTES_MAX,
        });
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// The root whose configuration applies to a path: of its repository, else the folder itself.
pub(crate) fn root_of(path: &Path) -> Option<PathBuf> {
    let real = path.canonicalize().ok()?;
    let folder = if real.is_dir() {
        real
    } else {
        real.parent()?.to_owned()
    };
    let found = folder
        .ancestors()
        .find(|folder| folder.join(".git").exists());
    Some(found.unwrap_or(&folder).to_owned())
}
