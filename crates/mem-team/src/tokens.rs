//! The tokens that servers know this user by: one file for each server, readable by its owner alone.
//!
//! A token goes to the origin that it was given for, and to nobody else. `MEM_TOKEN` is given for the
//! server of the settings.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mem_core::atomic::{self, ReplaceError};
/// The variable that goes before any file.
pub use mem_core::environment::TOKEN_VARIABLE as VARIABLE;
use mem_core::history::Sha256;
use mem_core::regular_file::{self, if_there};
use mem_core::{Diagnose, Dirs, Environment};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};

use super::address::{Address, ServerAddress};
use super::keyring;

/// The folder of the files, in the state.
const FOLDER: &str = "tokens";
/// A token is shorter, and a file of one.
const TOKEN_BYTES_MAX: usize = 4 * 1024;

/// A token cannot be used.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum TokenError {
    /// Others may have read it.
    #[error("`{}` may be read by others than its owner: the token in it is not used", .0.display())]
    #[diagnose(
        Refused,
        hint = format!("have the token revoked if others use this machine; `chmod 600 {}` and `mem team login` again", _0.display())
    )]
    Open(PathBuf),
    /// The file cannot be read, or is none of ours.
    #[error("cannot read `{}`: {why}", path.display())]
    #[diagnose(Corrupt, hint = "`mem team login` writes it anew")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The file cannot be removed.
    #[error("cannot remove `{}`: {source}", path.display())]
    #[diagnose(Io)]
    Removing {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Replace(#[from] ReplaceError),
    /// What the file is to hold cannot be put into words of JSON.
    #[error("cannot write the token: {0}")]
    #[diagnose(Io)]
    Encoding(#[from] serde_json::Error),
    /// The system's keyring does not do it, or this build has none.
    #[error("cannot use the keyring: {0}")]
    #[diagnose(Io, hint = "`mem team login` without --keyring keeps it in a file")]
    Keyring(String),
    /// Empty, too long, or with characters that no header takes.
    #[error("that is no token: one line of letters, digits and signs is expected")]
    #[diagnose(Invalid, hint = "paste the token alone, as the server printed it")]
    Form,
    /// The same of the environment's.
    #[error("`{VARIABLE}` holds no token: one line of letters, digits and signs is expected")]
    #[diagnose(
        Invalid,
        hint = "set {VARIABLE} to the token alone, or unset it: `mem team login` keeps one in a \
                file"
    )]
    OfVariable,
    /// 401 or 403.
    #[error("the server `{0}` does not know this token; nothing was stored")]
    #[diagnose(
        Refused,
        hint = "ask who runs it for a token; `mem server token create` makes one"
    )]
    Unknown(String),
    /// No answer, or one that says nothing about the token.
    #[error("cannot ask `{origin}` about the token: {why}; nothing was stored")]
    #[diagnose(
        Unreachable,
        hint = "`mem team login --no-check` stores the token without asking the server"
    )]
    Unasked {
        /// The server.
        origin: String,
        /// The error of the request.
        why: String,
    },
    /// Everybody on the way could read it.
    #[error("a token would travel to `{0}` in the clear")]
    #[diagnose(Refused, hint = "use the server's https:// address")]
    Unprotected(String),
}

/// What a token's file holds.
#[derive(Serialize, Deserialize)]
struct TokenFile {
    origin: String,
    #[serde(default)]
    token: String,
    /// Whether the token stands in the system's keyring instead.
    #[serde(default)]
    in_keyring: bool,
}

/// The token for a server: of the environment, else of its file; `None` where there is none.
///
/// # Errors
/// The file may be read by others, or is damaged; the token would travel in the clear.
pub fn token_for(
    server: &ServerAddress,
    dirs: &Dirs,
    env: &Environment,
) -> Result<Option<SecretString>, TokenError> {
    let token = match env.get(VARIABLE) {
        Some(token) => Some(check_token(token).map_err(|_| TokenError::OfVariable)?),
        None => stored_token(server, dirs)?,
    };
    match token {
        Some(_) if server.is_open_to_listeners() => {
            Err(TokenError::Unprotected(server.origin.clone()))
        }
        token => Ok(token),
    }
}

/// The token that was kept for a server, whatever the environment says.
///
/// # Errors
/// The file may be read by others, or is damaged.
pub fn kept_for(server: &ServerAddress, dirs: &Dirs) -> Result<Option<SecretString>, TokenError> {
    stored_token(server, dirs)
}

/// Keeps a token for a server.
///
/// # Errors
/// It is none, would travel in the clear, or cannot be written.
pub fn store_token(
    server: &ServerAddress,
    dirs: &Dirs,
    token: &SecretString,
) -> Result<PathBuf, TokenError> {
    let token = sendable_token(server, token)?;
    let stored = TokenFile {
        origin: server.origin.clone(),
        token: token.expose_secret().to_owned(),
        in_keyring: false,
    };
    write(server, dirs, &stored)
}

/// Keeps a token for a server in the system's keyring; the file only says so.
///
/// # Errors
/// As for [`store_token`]; the keyring does not take it.
#[cfg(feature = "keyring")]
pub fn keep_in_keyring(
    server: &ServerAddress,
    dirs: &Dirs,
    token: &SecretString,
) -> Result<PathBuf, TokenError> {
    let token = sendable_token(server, token)?;
    keyring::store_token(&server.origin, &token)?;
    let stored = TokenFile {
        origin: server.origin.clone(),
        token: String::new(),
        in_keyring: true,
    };
    write(server, dirs, &stored)
}

/// Refuses a server that a token would travel to in the clear.
///
/// # Errors
/// It is one.
pub fn refuse_listeners(server: &ServerAddress) -> Result<(), TokenError> {
    match server.is_open_to_listeners() {
        true => Err(TokenError::Unprotected(server.origin.clone())),
        false => Ok(()),
    }
}

/// Whether something is kept for a server, whatever that is.
pub fn is_kept(server: &ServerAddress, dirs: &Dirs) -> bool {
    token_path(server, dirs).symlink_metadata().is_ok()
}

/// A token as it may be sent to a server.
///
/// # Errors
/// It is none, or would travel in the clear.
pub fn sendable_token(
    server: &ServerAddress,
    token: &SecretString,
) -> Result<SecretString, TokenError> {
    refuse_listeners(server)?;
    check_token(token.expose_secret())
}

fn write(server: &ServerAddress, dirs: &Dirs, stored: &TokenFile) -> Result<PathBuf, TokenError> {
    let path = token_path(server, dirs);
    // An old file keeps its mode when it is replaced.
    remove_token(&path)?;
    atomic::replace_file(&path, &serde_json::to_vec(stored)?)?;
    Ok(path)
}

/// Forgets the token for a server. Returns whether there was one.
///
/// # Errors
/// It cannot be removed.
pub fn forget_token(server: &ServerAddress, dirs: &Dirs) -> Result<bool, TokenError> {
    let path = token_path(server, dirs);
    if read_file(&path).is_some_and(|stored| stored.in_keyring) {
        keyring::forget_token(&server.origin)?;
    }
    remove_token(&path)
}

/// The servers that a token is kept for. What is no file of ours names none.
pub fn servers(dirs: &Dirs) -> Vec<ServerAddress> {
    let stored = files(dirs).filter_map(|path| read_file(&path));
    let mut servers: Vec<ServerAddress> = stored
        .filter_map(|stored| match Address::parse_address(&stored.origin) {
            Ok(Address::Server(server)) => Some(server),
            _ => None,
        })
        .collect();
    servers.sort_unstable_by(|a, b| a.origin.cmp(&b.origin));
    servers
}

/// The files of tokens.
fn files(dirs: &Dirs) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(dirs.state.join(FOLDER));
    let entries = entries.into_iter().flatten().flatten();
    entries.map(|entry| entry.path())
}

fn read_file(path: &Path) -> Option<TokenFile> {
    let bytes = regular_file::read(path, 2 * TOKEN_BYTES_MAX as u64).ok()?;
    serde_json::from_slice(&bytes).ok()
}

fn remove_token(path: &Path) -> Result<bool, TokenError> {
    let removed = if_there(fs::remove_file(path));
    let removed = removed.map_err(|source| TokenError::Removing {
        path: path.to_owned(),
        source,
    })?;
    Ok(removed.is_some())
}

fn stored_token(server: &ServerAddress, dirs: &Dirs) -> Result<Option<SecretString>, TokenError> {
    let path = token_path(server, dirs);
    let unreadable = |why: String| TokenError::Unreadable {
        path: path.clone(),
        why,
    };
    let read = if_there(regular_file::read(&path, 2 * TOKEN_BYTES_MAX as u64));
    let Some(bytes) = read.map_err(|error| unreadable(error.to_string()))? else {
        return Ok(None);
    };
    if is_open(&path) {
        return Err(TokenError::Open(path));
    }
    // Serde's own message would quote the token.
    let stored: TokenFile =
        serde_json::from_slice(&bytes).map_err(|_| unreadable("it is damaged".to_owned()))?;
    if stored.origin != server.origin {
        return Err(unreadable("it is of another server".to_owned()));
    }
    match stored.in_keyring {
        true => keyring::stored_token(&server.origin),
        false => check_token(&stored.token).map(Some),
    }
}

/// Files of tokens that others may read; with `fix`, those that could not be made private.
pub fn open_files(dirs: &Dirs, fix: bool) -> Vec<PathBuf> {
    let open = files(dirs).filter(|path| is_open(path));
    open.filter(|path| !(fix && close_file(path))).collect()
}

/// Makes a file its owner's alone. Returns whether it is now.
fn close_file(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // Told by what is asked next where it did not help.
        let _ = fs::set_permissions(path, fs::Permissions::from_mode(0o600));
    }
    !is_open(path)
}

/// Whether others than the owner may read a file.
fn is_open(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        fs::metadata(path).is_ok_and(|meta| meta.mode() & 0o077 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

fn token_path(server: &ServerAddress, dirs: &Dirs) -> PathBuf {
    let name = Sha256::digest(server.origin.as_bytes()).to_string();
    dirs.state
        .join(FOLDER)
        .join(format!("{}.json", &name[..32]))
}

/// A token as a header takes it.
///
/// # Errors
/// It is none.
pub fn check_token(text: &str) -> Result<SecretString, TokenError> {
    let text = text.trim();
    let fits = !text.is_empty() && text.len() <= TOKEN_BYTES_MAX;
    match fits && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        true => Ok(SecretString::from(text)),
        false => Err(TokenError::Form),
    }
}
