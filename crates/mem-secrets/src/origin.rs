//! What is known about where bytes come from, and what kind of file that is.

/// Where the scanned bytes come from: at most a path. It helps to tell code
/// (where an unquoted value is an expression) from configuration (where it is
/// a value), and lets rules about files apply.
#[derive(Debug, Clone, Default)]
pub struct InputOrigin {
    path: Option<String>,
    commit: Option<String>,
    kind: FileKind,
}

/// What the bytes are likely to be, from the path alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum FileKind {
    /// Nothing is known; also documents.
    #[default]
    Text,
    /// A programming language: unquoted values are expressions.
    Code,
    /// Shell scripts, Dockerfiles, Makefiles.
    Shell,
    /// Key and value files: env, INI, properties, YAML, TOML.
    Config,
    /// JSON, where every value is quoted.
    Json,
    /// XML and HTML.
    Markup,
    /// Lock files and checksum lists: hashes, no secrets.
    Lock,
}

#[rustfmt::skip]
const CODE: &[&str] = &[
    "c", "cc", "cpp", "cs", "clj", "coffee", "cxx", "dart", "erl", "ex", "exs", "fs", "go",
    "gradle", "groovy", "h", "hpp", "hs", "java", "jl", "js", "jsx", "kt", "kts", "lua", "m",
    "ml", "mjs", "cjs", "mm", "php", "pl", "pm", "py", "r", "rb", "rs", "scala", "sol", "swift",
    "ts", "tsx", "vb", "vue", "zig", "tf", "hcl", "ipynb", "erb", "jsp", "cshtml", "phtml",
    "svelte", "pyx", "nim", "cr", "d", "pas", "v", "sv", "proto", "graphql",
];
const SHELL: &[&str] = &[
    "sh",
    "bash",
    "zsh",
    "fish",
    "csh",
    "tcsh",
    "ksh",
    "ps1",
    "psm1",
    "bat",
    "cmd",
    "mk",
    "dockerfile",
];
#[rustfmt::skip]
const CONFIG: &[&str] = &[
    "env", "ini", "cfg", "conf", "config", "properties", "yaml", "yml", "toml", "tfvars", "cnf",
    "rc", "settings", "ldif", "prefs", "desktop", "service", "plist", "credentials", "netrc", "npmrc",
];
const MARKUP: &[&str] = &[
    "xml", "html", "htm", "xhtml", "svg", "xsd", "wsdl", "csproj", "xaml",
];
#[rustfmt::skip]
const LOCK_NAMES: &[&str] = &[
    "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "cargo.lock",
    "gemfile.lock", "poetry.lock", "pipfile.lock", "composer.lock", "go.sum", "flake.lock",
    "podfile.lock", "packages.lock.json", "mix.lock", "gradle.lockfile", "uv.lock", "bun.lock",
    "deno.lock", "pubspec.lock", "go.work.sum", "sha256sums", "checksums.txt", "bun.lockb",
];

/// Files that programs keep logins in, by the names those programs give them.
#[rustfmt::skip]
const CREDENTIAL_NAMES: &[&str] = &[
    ".env", ".git-credentials", ".env.production", ".env.prod", ".env.local", ".netrc", "_netrc", ".esmtprc",
    ".msmtprc", ".muttrc", ".fetchmailrc", ".mbsyncrc", ".offlineimaprc", ".pypirc", ".my.cnf",
    ".ftpconfig", ".remote-sync.json", "sftp-config.json", "sftp.json", ".sftpconfig",
    "recentservers.xml", "sitemanager.xml", "filezilla.xml", "webservers.xml", "winscp.ini",
    "ventrilo_srv.ini", "robomongo.json", "robo3t.json", "deployment-config.json",
    ".smbcredentials", "smb.cred", "credentials", ".credentials", "credentials.xml", "settings.xml",
    "credentials.json", "credentials.yml", "secrets.yml", "secrets.json", "tomcat-users.xml",
    "wp-config.php", "config.inc.php", "localsettings.php", "configuration.php", "database.yml",
    "mongoid.yml", "dbeaver-data-sources.xml", ".dbeaver-data-sources.xml", "passwords.txt",
    "wpa_supplicant.conf", "pppd.conf", "teamviewer.ini", "server.cfg",
];

/// Looked at to tell binary input from text, as git does.
const BINARY_HEAD_BYTES: usize = 8_000;

/// Whether the input that begins with `bytes` is no text, by git's own rule.
#[must_use]
pub fn is_binary(bytes: &[u8]) -> bool {
    memchr::memchr(0, &bytes[..bytes.len().min(BINARY_HEAD_BYTES)]).is_some()
}

impl InputOrigin {
    /// Bytes of which nothing is known.
    #[must_use]
    pub fn unknown() -> Self {
        Self::default()
    }

    /// Bytes of the file at `path`, relative to what is scanned, with `/`
    /// between its parts.
    #[must_use]
    pub fn path(path: &str) -> Self {
        Self {
            path: Some(path.to_owned()),
            commit: None,
            kind: kind_of(path),
        }
    }

    /// The same bytes as they were added by a commit.
    #[must_use]
    pub fn in_commit(mut self, id: &str) -> Self {
        self.commit = Some(id.to_owned());
        self
    }

    /// The commit, if there is one.
    #[must_use]
    pub fn commit(&self) -> Option<&str> {
        self.commit.as_deref()
    }

    /// The path, if there is one.
    #[must_use]
    pub fn as_path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    pub(crate) fn kind(&self) -> FileKind {
        self.kind
    }

    /// Whether the file is one that programs keep logins in.
    pub(crate) fn holds_credentials(&self) -> bool {
        self.path.as_deref().is_some_and(is_credential_file)
    }

    /// Whether the file is one that Java's `Properties` writes.
    pub(crate) fn is_properties(&self) -> bool {
        let name = self.name();
        name.ends_with(".properties") || name.ends_with(".prefs")
    }

    /// The last part of the path in lower case, or nothing.
    pub(crate) fn name(&self) -> String {
        self.path.as_deref().map(file_name).unwrap_or_default()
    }
}

fn file_name(path: &str) -> String {
    path.rsplit(['/', '\\'])
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase()
}

fn is_credential_file(path: &str) -> bool {
    CREDENTIAL_NAMES.contains(&file_name(path).as_str())
}

fn kind_of(path: &str) -> FileKind {
    let name = file_name(path);
    if LOCK_NAMES.contains(&name.as_str()) {
        return FileKind::Lock;
    }
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is = |list: &[&str]| list.contains(&extension);
    match name.as_str() {
        "dockerfile" | "makefile" | "jenkinsfile" | ".bashrc" | ".bash_profile" | ".profile"
        | ".zshrc" | ".bash_history" | ".zsh_history" | "procfile" => FileKind::Shell,
        _ if name.starts_with("dockerfile") => FileKind::Shell,
        _ if name.starts_with(".env") => FileKind::Config,
        _ if is(CODE) => FileKind::Code,
        _ if is(SHELL) => FileKind::Shell,
        _ if is(CONFIG) || (name.starts_with('.') && name.ends_with("rc")) => FileKind::Config,
        _ if matches!(
            extension,
            "json" | "json5" | "jsonc" | "tfstate" | "dockercfg"
        ) =>
        {
            FileKind::Json
        }
        _ if is(MARKUP) => FileKind::Markup,
        _ => FileKind::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_files() {
        for (path, kind) in [
            ("src/main.rs", FileKind::Code),
            ("a/.env.production", FileKind::Config),
            ("web/package-lock.json", FileKind::Lock),
            ("Dockerfile.dev", FileKind::Shell),
            (".npmrc", FileKind::Config),
            ("notes/today.md", FileKind::Text),
        ] {
            assert_eq!(InputOrigin::path(path).kind(), kind, "{path}");
        }
    }
}
