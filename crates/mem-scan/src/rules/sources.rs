//! Where the rules of a scan come from: found from the repository of what is scanned.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mem_core::project::Project;
use mem_core::{Dirs, regular_file, trust};
use mem_secrets::{Config, FingerprintKey, Ignore, RulesConfigError, Scanner};

use super::error::RulesError;
use super::remote_state::{self, RemoteState, RemoteTrees};
use super::{Ruleset, key, personal};

/// Configurations, ignore files and baselines that are larger are refused.
pub(super) const SOURCE_BYTES_MAX: u64 = 16 << 20;
/// How often a configuration may extend another.
const EXTENDS_MAX: usize = 4;
/// What betterleaks and gitleaks look for, and its other name in the wild; the first that is there counts.
const CONFIGS: [&str; 3] = [".betterleaks.toml", ".gitleaks.toml", "gitleaks.toml"];
/// Our own allows and rules, from the root of a repository.
pub(super) const OWN: &str = ".mem/secrets.toml";
const IGNORE: &str = ".gitleaksignore";

/// Whose rules a scan goes by.
#[derive(Clone, Debug, Default)]
pub struct RuleSources {
    /// The root that configurations are found at; `None` for the rules that ship with `mem` alone.
    pub root: Option<PathBuf>,
    /// A configuration in place of the root's `.betterleaks.toml` or `gitleaks.toml`.
    pub config: Option<PathBuf>,
    /// The user's directories.
    pub dirs: Option<Dirs>,
    /// Whose fingerprints are told where the root has no key: the repository that an allow would be made in.
    pub beside: Option<PathBuf>,
    /// For a push: what counts is what the remote has of the root's files, and what the person allowed.
    pub pushed: Option<RemoteState>,
}

impl RuleSources {
    /// For what goes to the team: a repository's own allowlists count only where a person trusts
    /// the repository.
    pub fn of_trusted(project: &Project, dirs: &Dirs) -> Self {
        Self {
            root: trust::is_trusted(dirs, &project.root).then(|| project.workdir.clone()),
            config: None,
            dirs: Some(dirs.clone()),
            beside: Some(project.workdir.clone()),
            pushed: None,
        }
    }

    /// Reads and compiles them. The second value says what was passed over.
    ///
    /// # Errors
    /// A file is unreadable or invalid; the error has line and rule.
    pub fn load(&self) -> Result<(Ruleset, Vec<String>), RulesError> {
        let mut loader = Loader::default();
        if let Some(state) = &self.pushed {
            loader.remote = Some(state.open().map_err(RulesError::Remote)?);
        }
        let root = self.root.as_deref();
        let config = self.load_config(&mut loader)?;
        // Whoever is not asked for a repository's rules does not obey its comments either.
        let obeys_comments = (root.is_some() || self.config.is_some()) && self.pushed.is_none();
        let mut ruleset = Ruleset {
            root: self.root.clone(),
            keyed: self.beside.clone().or_else(|| self.root.clone()),
            dirs: self.dirs.clone(),
            scanner: Scanner::new().with_comments(obeys_comments),
            ..Ruleset::default()
        };
        let mut allow_key = None;
        if let Some(root) = root {
            if let Some(text) = loader.read(&root.join(IGNORE), Some(root))? {
                let (ignore, errors) = Ignore::parse(&text);
                ruleset.ignore = ignore;
                let warn = |error| format!("`{IGNORE}`: {error}");
                loader.warnings.extend(errors.into_iter().map(warn));
            }
            let path = key::key_path(root);
            if let Some(text) = loader.read(&path, Some(root))? {
                allow_key = Some(key::parse_key(&text, &path)?);
            }
        }
        self.set_keys(&mut ruleset, allow_key)?;
        if let Some(config) = config {
            // Without its key a fingerprint says nothing.
            if allow_key.is_some() {
                ruleset.allows = config.allows().to_vec();
            }
            ruleset.scanner = ruleset.scanner.with_config(config);
        }
        if let (Some(state), Some(dirs)) = (&self.pushed, &self.dirs) {
            ruleset.personal = personal::read_allows(dirs, &state.root);
        }
        let texts: Vec<&[u8]> = loader.texts.iter().map(String::as_bytes).collect();
        ruleset.digest = super::digest_texts(&texts);
        ruleset.remote = loader.remote;
        Ok((ruleset, loader.warnings))
    }

    /// The configuration of the root, or the one that is named in its place, with our own on top.
    fn load_config(&self, loader: &mut Loader) -> Result<Option<Config>, RulesError> {
        let root = self.root.as_deref();
        let config = match (&self.config, root) {
            (Some(path), _) => Some(loader.require_config(path, None)?),
            (None, Some(root)) => loader.first_config(&CONFIGS, root)?,
            (None, None) => None,
        };
        let Some(root) = root else { return Ok(config) };
        let Some(own) = loader.first_config(&[OWN], root)? else {
            return Ok(config);
        };
        let own = match config {
            Some(config) => own.on(config),
            None => own,
        };
        own.check().map_err(invalid_config(&root.join(OWN)))?;
        Ok(Some(own))
    }

    /// Fingerprints are told as the checkout's key makes them, and allowed by the key that stands beside the allows.
    fn set_keys(
        &self,
        ruleset: &mut Ruleset,
        allow_key: Option<[u8; 32]>,
    ) -> Result<(), RulesError> {
        let here = match (&self.pushed, self.root.as_deref()) {
            (Some(_), Some(root)) => key::read_key(root)?,
            _ => allow_key,
        };
        // Another repository's key that cannot be read is that repository's trouble.
        let beside = || {
            self.beside
                .as_deref()
                .and_then(|root| key::read_key(root).ok().flatten())
        };
        if let Some(bytes) = here.or_else(beside) {
            ruleset.key = OnceLock::from(FingerprintKey::new(bytes));
        }
        if here != allow_key {
            ruleset.allow_key = allow_key.map(FingerprintKey::new);
        }
        Ok(())
    }
}

/// Reads files and remembers what it read.
#[derive(Default)]
struct Loader {
    texts: Vec<String>,
    warnings: Vec<String>,
    /// Read in place of the disk.
    remote: Option<RemoteTrees>,
}

impl Loader {
    /// The first of several configurations that is there.
    fn first_config(&mut self, names: &[&str], root: &Path) -> Result<Option<Config>, RulesError> {
        for name in names {
            let path = root.join(name);
            if let Some(text) = self.read(&path, Some(root))? {
                return self.parse_config(&path, &text, Some(root), 0).map(Some);
            }
        }
        Ok(None)
    }

    /// A configuration that must be there.
    fn require_config(&mut self, path: &Path, root: Option<&Path>) -> Result<Config, RulesError> {
        let missing = || RulesError::missing_file(path);
        let text = self.read(path, root)?.ok_or_else(missing)?;
        self.parse_config(path, &text, root, 0)
    }

    fn parse_config(
        &mut self,
        path: &Path,
        text: &str,
        root: Option<&Path>,
        depth: usize,
    ) -> Result<Config, RulesError> {
        let config = Config::parse(text).map_err(invalid_config(path))?;
        if config.has_expressions() {
            self.warnings.push(format!(
                "`{}`: `filter` and `prefilter` are not evaluated; what they would drop is reported",
                path.display()
            ));
        }
        let Some(base) = config.extends().map(str::to_owned) else {
            // Ours may adjust what gitleaks' own has.
            if !path.ends_with(OWN) {
                config.check().map_err(invalid_config(path))?;
            }
            return Ok(config);
        };
        let refused = || RulesError::Extends {
            path: path.to_owned(),
            base: base.clone(),
        };
        let folder = root.or_else(|| path.parent()).unwrap_or(Path::new("."));
        let target = folder.join(&base);
        let missing = || RulesError::missing_file(&target);
        // A repository must not have other files of this machine quoted in errors.
        let inside = match &self.remote {
            Some(_) => root.is_none_or(|root| remote_state::git_name(root, &target).is_some()),
            None if !target.exists() => return Err(missing()),
            None => root.is_none_or(|root| is_inside(&target, root)),
        };
        if !inside || depth == EXTENDS_MAX {
            return Err(refused());
        }
        let text = self.read(&target, root)?.ok_or_else(missing)?;
        let base = self.parse_config(&target, &text, root, depth + 1)?;
        let config = config.on(base);
        config.check().map_err(invalid_config(path))?;
        Ok(config)
    }

    /// The text of a file; `None` where it is not there.
    fn read(&mut self, path: &Path, root: Option<&Path>) -> Result<Option<String>, RulesError> {
        let text = match (root, &self.remote) {
            (Some(root), Some(trees)) => trees.config_text(root, path)?,
            (Some(root), None) => read_of(root, path)?,
            (None, _) => read(path)?,
        };
        self.texts.extend(text.clone());
        Ok(text)
    }
}

fn invalid_config(path: &Path) -> impl Fn(RulesConfigError) -> RulesError + '_ {
    |cause| RulesError::Config {
        path: path.to_owned(),
        cause,
    }
}

fn is_inside(path: &Path, root: &Path) -> bool {
    let real = (path.canonicalize(), root.canonicalize());
    matches!(real, (Ok(path), Ok(root)) if path.starts_with(&root))
}

/// The text of a file that a person named, within the limit; `None` where it is not there.
pub(super) fn read(path: &Path) -> Result<Option<String>, RulesError> {
    config_text(path, regular_file::read(path, SOURCE_BYTES_MAX))
}

/// The same of a file of a repository. A link out of that is an error: a repository must not have other files of this
/// machine quoted in errors.
fn read_of(root: &Path, path: &Path) -> Result<Option<String>, RulesError> {
    let below = path.strip_prefix(root).unwrap_or(path);
    config_text(
        path,
        regular_file::read_inside(root, below, SOURCE_BYTES_MAX),
    )
}

fn config_text(path: &Path, read: io::Result<Vec<u8>>) -> Result<Option<String>, RulesError> {
    match read {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(None),
        Err(cause) => {
            // The kind of thing says more than that it is no file.
            let kind = path.metadata().ok();
            let kind = kind.and_then(|meta| super::super::files::unreadable_kind(&meta));
            Err(RulesError::Read {
                path: path.to_owned(),
                cause: kind.map_or(cause, io::Error::other),
            })
        }
    }
}

/// The root whose configuration applies to a path: of its repository, else the folder itself.
pub fn root_of(path: &Path) -> Option<PathBuf> {
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
