//! The sections of the settings file about people: `[identity]`, `[[access]]`, `[scim]`, `[forge]`.

use std::io;
use std::path::{Path, PathBuf};

use mem_core::{Diagnose, regular_file};
use mem_http::{LineFault, PlainHttp};
use reqwest::Url;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;

use crate::settings::number_up_to;
use crate::storage::{Grant, is_of_records};

/// A file of a secret holds one line.
const SECRET_BYTES_MAX: usize = 16 * 1024;
/// A token that others could guess is none.
const SCIM_TOKEN_CHARS_MIN: usize = 32;
/// Of a session, in minutes: a week.
const SESSION_MINUTES_MAX: u32 = 7 * 24 * 60;
/// Until somebody has to sign in again, in days.
const SIGN_IN_DAYS_MAX: u32 = 365;
/// For an answer of the forge, in minutes.
const KEEP_MINUTES_MAX: u32 = 60;

/// `[identity]`: the provider of OpenID Connect that people sign in with.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdentitySettings {
    /// What people call it.
    pub name: Option<String>,
    /// Its issuer, exactly as its discovery document has it.
    pub issuer: String,
    /// What the provider calls this server.
    pub client_id: String,
    /// The file of the client's secret; a public client has none.
    pub client_secret_file: Option<PathBuf>,
    /// Where browsers find this server.
    pub public_url: String,
    /// What is asked for. `offline_access` is what many providers want for a refresh token.
    #[serde(default = "default_scopes")]
    pub scopes: Vec<String>,
    /// The claim that lists groups: a name, or a JSON pointer such as `/realm_access/roles`.
    #[serde(default = "default_groups_claim")]
    pub groups_claim: String,
    /// The claim that names the user. Users must not be able to choose its value.
    #[serde(default = "default_name_claim")]
    pub name_claim: String,
    /// How long a session lasts until it is renewed.
    #[serde(
        default = "default_number::<60>",
        deserialize_with = "number_up_to::<_, SESSION_MINUTES_MAX>"
    )]
    pub session_minutes: u32,
    /// How long it is renewed.
    #[serde(
        default = "default_number::<30>",
        deserialize_with = "number_up_to::<_, SIGN_IN_DAYS_MAX>"
    )]
    pub sign_in_days: u32,
}

/// `[[access]]`: what people may do, by what the provider says of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccessSettings {
    /// For the members of this group.
    pub group: Option<String>,
    /// For those of whom this claim says `value`.
    pub claim: Option<String>,
    /// See `claim`.
    pub value: Option<String>,
    /// For all who can sign in.
    #[serde(default)]
    pub everybody: bool,
    /// The workspace, by its name; it is made where there is none.
    #[serde(default = "default_workspace")]
    pub workspace: String,
    /// What they may do there.
    pub grants: Vec<Grant>,
}

/// `[scim]`: who may tell this server of users.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScimSettings {
    /// The file of the bearer token.
    pub token_file: PathBuf,
    /// Whether only users that SCIM made may sign in.
    #[serde(default)]
    pub required: bool,
}

/// `[forge]`: the judge of who may read the memory of a repository.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForgeSettings {
    /// Whose API it has.
    pub kind: ForgeKind,
    /// Where its API is.
    pub api: String,
    /// The file of a token that may see who is a member.
    pub token_file: PathBuf,
    /// The claim that has the user's name at the forge. Users must not be able to choose its value.
    pub login_claim: String,
    /// For how many minutes an answer holds.
    #[serde(
        default = "default_number::<5>",
        deserialize_with = "number_up_to::<_, KEEP_MINUTES_MAX>"
    )]
    pub keep_minutes: u32,
}

/// Whose API a forge has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ForgeKind {
    /// GitHub, and GitHub Enterprise Server below `/api/v3`.
    Github,
    /// GitLab, below `/api/v4`.
    Gitlab,
}

fn default_scopes() -> Vec<String> {
    ["openid", "profile", "email", "offline_access"]
        .map(str::to_owned)
        .to_vec()
}

fn default_groups_claim() -> String {
    "groups".to_owned()
}

fn default_name_claim() -> String {
    "preferred_username".to_owned()
}

fn default_workspace() -> String {
    "default".to_owned()
}

const fn default_number<const NUMBER: u32>() -> u32 {
    NUMBER
}

/// The settings about people cannot be used.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum IdentityError {
    /// The value of a setting is none: what is wrong with it.
    #[error("`{0}` of the server's settings {1}")]
    #[diagnose(Invalid, hint = "docs/identity.md lists the settings")]
    Setting(&'static str, String),
    /// The file of a secret that a setting names cannot be read.
    #[error("cannot read `{}` (`{}` of the server's settings): {}", .1.display(), .0, .2)]
    #[diagnose(Io)]
    SecretFile(&'static str, PathBuf, #[source] io::Error),
    /// There is no HTTP client.
    #[error("cannot set up HTTP: {0}")]
    #[diagnose(Io)]
    Http(#[from] LineFault),
}

/// What is wrong with a setting.
pub(super) fn invalid(key: &'static str, why: impl Into<String>) -> IdentityError {
    IdentityError::Setting(key, why.into())
}

/// The secret in a file: its one line.
pub(super) fn read_secret(key: &'static str, path: &Path) -> Result<SecretString, IdentityError> {
    if !path.is_absolute() {
        return Err(invalid(key, "is no absolute path"));
    }
    let failed = |source| IdentityError::SecretFile(key, path.to_owned(), source);
    let bytes = regular_file::read(path, SECRET_BYTES_MAX as u64).map_err(failed)?;
    let no_text = || invalid(key, "names a file that holds no secret on one line");
    let text = String::from_utf8(bytes).map_err(|_| no_text())?;
    let text = SecretString::from(text.trim());
    let mut bytes = text.expose_secret().bytes();
    match bytes.len() > 0 && bytes.all(|byte| byte.is_ascii_graphic()) {
        true => Ok(text),
        false => Err(no_text()),
    }
}

/// The address of a server, without a slash at its end: `https`, and `http` on this machine.
pub(super) fn address(key: &'static str, text: &str) -> Result<Url, IdentityError> {
    mem_http::parse_address(text, PlainHttp::OnThisMachine).map_err(|fault| {
        let shown = mem_core::memory_path::printable(text);
        let why = format!("is `{shown}`: {fault}; an `https://` address is needed");
        invalid(key, why)
    })
}

impl IdentitySettings {
    /// Checks what types do not say, and returns the address of the issuer.
    pub(super) fn check(&self) -> Result<Url, IdentityError> {
        let is_word = |text: &str| !text.is_empty() && !text.chars().any(char::is_control);
        let issuer = address("identity.issuer", &self.issuer)?;
        address("identity.public_url", &self.public_url)?;
        for (key, text) in [
            ("identity.client_id", &self.client_id),
            ("identity.groups_claim", &self.groups_claim),
            ("identity.name_claim", &self.name_claim),
        ] {
            if !is_word(text) {
                return Err(invalid(key, "is empty, or not on one line"));
            }
        }
        if !self.scopes.iter().any(|scope| scope == "openid") {
            return Err(invalid("identity.scopes", "has no `openid`"));
        }
        let has_blank = |scope: &String| scope.contains(char::is_whitespace);
        match self.scopes.iter().any(has_blank) {
            true => Err(invalid("identity.scopes", "has a scope with a blank")),
            false => Ok(issuer),
        }
    }
}

impl ScimSettings {
    /// The token.
    pub(super) fn token(&self) -> Result<SecretString, IdentityError> {
        let key = "scim.token_file";
        let token = read_secret(key, &self.token_file)?;
        if token.expose_secret().len() < SCIM_TOKEN_CHARS_MIN {
            let why = format!("has a token of fewer than {SCIM_TOKEN_CHARS_MIN} characters");
            return Err(invalid(key, why));
        }
        Ok(token)
    }
}

impl AccessSettings {
    /// Checks what types do not say.
    pub(super) fn check(&self) -> Result<(), IdentityError> {
        let conditions = [self.group.is_some(), self.claim.is_some(), self.everybody];
        let is_one = conditions.into_iter().filter(|is_set| *is_set).count() == 1;
        if !is_one || self.claim.is_some() != self.value.is_some() {
            let why = "needs one of `group`, `claim` with `value`, `everybody = true`";
            return Err(invalid("access", why));
        }
        let workspace = self.workspace.as_str();
        if workspace.trim() != workspace || workspace.is_empty() || is_of_records(workspace) {
            return Err(invalid("access.workspace", "is no name of a workspace"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> Result<(), String> {
        let read: Result<AccessSettings, _> = toml_edit::de::from_str(text);
        let rule = read.map_err(|error| error.to_string())?;
        rule.check().map_err(|error| error.to_string())
    }

    #[test]
    fn a_rule_says_for_whom_it_is() {
        let grants = "grants = [\"team:acme/*:write\"]";
        for good in [
            "group = \"dev\"",
            "everybody = true",
            "claim = \"department\"\nvalue = \"R&D\"",
        ] {
            assert!(rule(&format!("{good}\n{grants}")).is_ok(), "{good}");
        }
        for bad in [
            "",
            "everybody = false",
            "claim = \"department\"",
            "group = \"dev\"\neverybody = true",
            "group = \"dev\"\nworkspace = \"records of wrkspc_default\"",
        ] {
            assert!(rule(&format!("{bad}\n{grants}")).is_err(), "{bad}");
        }
        let error = rule("group = \"dev\"\ngrants = [\"team:acme:write\"]").unwrap_err();
        assert!(
            error.contains("`team:acme:write` is not a grant"),
            "{error}"
        );
    }

    #[test]
    fn a_provider_is_asked_over_tls() {
        let settings = |issuer: &str| -> IdentitySettings {
            let text = format!(
                "issuer = \"{issuer}\"\nclient_id = \"mem\"\npublic_url = \"https://mem.example.org\""
            );
            toml_edit::de::from_str(&text).unwrap()
        };
        for good in [
            "https://id.example.org/realms/acme",
            "http://127.0.0.1:5556/dex",
        ] {
            settings(good).check().unwrap();
        }
        for bad in [
            "http://id.example.org",
            "id.example.org",
            "https://u:p@id.example.org",
            "https://id.example.org?x",
        ] {
            assert!(settings(bad).check().is_err(), "{bad}");
        }
        let short = "issuer = \"\"\nclient_id = \"\"\npublic_url = \"\"\nsession_minutes = 0";
        let error = toml_edit::de::from_str::<IdentitySettings>(short).unwrap_err();
        assert!(
            error.message().contains("is 0, expected 1 to 10080"),
            "{error}"
        );
    }
}
