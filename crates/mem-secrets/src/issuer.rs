//! Where a found token can be checked: for each provider the one address that is asked, how the token is shown to it,
//! and which answers mean what. Data only: nothing here sends anything, and nothing that a repository says changes it.
//!
//! A provider is in the table where its public documentation names an endpoint that changes nothing, costs nothing and
//! asks for no permission. Tokens whose address depends on an account, a region or the token are left out.

use crate::finding::SecretFinding;

/// Whether a token still gives access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenValidity {
    /// Its provider accepts it.
    Active,
    /// Its provider says that it is revoked, expired or unknown.
    Revoked,
    /// Its provider was not asked, or its answer means neither.
    Unknown,
}

/// Where in a request the token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenPlacement {
    /// In a header, behind a scheme such as `Bearer ` or behind nothing.
    Header {
        /// The header's name, in lower case.
        name: &'static str,
        /// What is before the token.
        scheme: &'static str,
    },
    /// As the password of HTTP basic authentication.
    Password {
        /// The user.
        user: &'static str,
    },
    /// In the path, in place of `{}`. What the path has right before may be at the token's beginning as well.
    Path,
}

/// An answer that means something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerPattern {
    /// The status.
    pub status: u16,
    /// A JSON pointer (RFC 6901) and the text or boolean that it leads to. `None`: the status says enough.
    pub field: Option<(&'static str, &'static str)>,
}

/// A provider, and how it is asked about a token.
#[derive(Debug, Clone, Copy)]
pub struct TokenIssuer {
    /// The rules whose findings it issued.
    pub rules: &'static [&'static str],
    /// Scheme and host.
    pub origin: &'static str,
    /// The path below it.
    pub path: &'static str,
    /// The body of a POST; `None` for a GET.
    pub post: Option<&'static str>,
    /// Where the token is.
    pub placement: TokenPlacement,
    /// What else the provider wants to see.
    pub headers: &'static [(&'static str, &'static str)],
    /// Answers about a token that gives access.
    pub active: &'static [AnswerPattern],
    /// Answers about a token that gives none.
    pub revoked: &'static [AnswerPattern],
    /// Why a token that is not accepted here may be good all the same.
    pub elsewhere: Option<&'static str>,
}

const fn status(status: u16) -> AnswerPattern {
    AnswerPattern {
        status,
        field: None,
    }
}

const fn field(status: u16, pointer: &'static str, value: &'static str) -> AnswerPattern {
    AnswerPattern {
        status,
        field: Some((pointer, value)),
    }
}

const BEARER: TokenPlacement = TokenPlacement::Header {
    name: "authorization",
    scheme: "Bearer ",
};

const fn header(name: &'static str) -> TokenPlacement {
    TokenPlacement::Header { name, scheme: "" }
}

/// What most do: a GET with a bearer token, 200 or 401.
const PLAIN: TokenIssuer = TokenIssuer {
    rules: &[],
    origin: "",
    path: "",
    post: None,
    placement: BEARER,
    headers: &[],
    active: &[status(200)],
    revoked: &[status(401)],
    elsewhere: None,
};

/// Every provider that can be asked.
pub const TOKEN_ISSUERS: &[TokenIssuer] = &[
    TokenIssuer {
        rules: &[
            "github-pat",
            "github-oauth",
            "github-app-token",
            "github-fine-grained-pat",
        ],
        origin: "https://api.github.com",
        path: "/user",
        headers: &[("accept", "application/vnd.github+json")],
        ..PLAIN
    },
    TokenIssuer {
        rules: &["gitlab-pat", "gitlab-pat-routable"],
        origin: "https://gitlab.com",
        path: "/api/v4/user",
        placement: header("private-token"),
        revoked: &[],
        elsewhere: Some("another GitLab may have issued it"),
        ..PLAIN
    },
    TokenIssuer {
        rules: &[
            "slack-bot-token",
            "slack-legacy-bot-token",
            "slack-legacy-token",
            "slack-user-token",
        ],
        origin: "https://slack.com",
        path: "/api/auth.test",
        post: Some(""),
        active: &[field(200, "/ok", "true")],
        revoked: &[
            field(200, "/error", "account_inactive"),
            field(200, "/error", "invalid_auth"),
            field(200, "/error", "token_expired"),
            field(200, "/error", "token_revoked"),
        ],
        ..PLAIN
    },
    TokenIssuer {
        rules: &["npm-access-token"],
        origin: "https://registry.npmjs.org",
        path: "/-/whoami",
        ..PLAIN
    },
    // A restricted key may not read the balance, and is answered 403.
    TokenIssuer {
        rules: &["stripe-access-token"],
        origin: "https://api.stripe.com",
        path: "/v1/balance",
        active: &[status(200), status(403)],
        ..PLAIN
    },
    // A key without the permission to list models is answered 401 as well, with another code.
    TokenIssuer {
        rules: &["openai-api-key"],
        origin: "https://api.openai.com",
        path: "/v1/models",
        revoked: &[field(401, "/error/code", "invalid_api_key")],
        ..PLAIN
    },
    TokenIssuer {
        rules: &["anthropic-api-key"],
        origin: "https://api.anthropic.com",
        path: "/v1/models",
        placement: header("x-api-key"),
        headers: &[("anthropic-version", "2023-06-01")],
        ..PLAIN
    },
    TokenIssuer {
        rules: &["huggingface-access-token"],
        origin: "https://huggingface.co",
        path: "/api/whoami-v2",
        ..PLAIN
    },
    TokenIssuer {
        rules: &["groq-api-key"],
        origin: "https://api.groq.com",
        path: "/openai/v1/models",
        ..PLAIN
    },
    TokenIssuer {
        rules: &["openrouter-api-key"],
        origin: "https://openrouter.ai",
        path: "/api/v1/key",
        ..PLAIN
    },
    TokenIssuer {
        rules: &["replicate-api-token"],
        origin: "https://api.replicate.com",
        path: "/v1/account",
        ..PLAIN
    },
    TokenIssuer {
        rules: &["digitalocean-pat", "digitalocean-access-token"],
        origin: "https://api.digitalocean.com",
        path: "/v2/account",
        ..PLAIN
    },
    TokenIssuer {
        rules: &["sendgrid-api-token"],
        origin: "https://api.sendgrid.com",
        path: "/v3/scopes",
        revoked: &[],
        elsewhere: Some("SendGrid's region EU may have issued it"),
        ..PLAIN
    },
    TokenIssuer {
        rules: &["mailgun-private-api-token"],
        origin: "https://api.mailgun.net",
        path: "/v3/domains",
        placement: TokenPlacement::Password { user: "api" },
        revoked: &[],
        elsewhere: Some("Mailgun's region EU may have issued it"),
        ..PLAIN
    },
    TokenIssuer {
        rules: &["telegram-bot-api-token", "telegram-bot-token-bare"],
        origin: "https://api.telegram.org",
        path: "/bot{}/getMe",
        placement: TokenPlacement::Path,
        ..PLAIN
    },
    TokenIssuer {
        rules: &["discord-bot-token"],
        origin: "https://discord.com",
        path: "/api/v10/users/@me",
        placement: TokenPlacement::Header {
            name: "authorization",
            scheme: "Bot ",
        },
        revoked: &[],
        elsewhere: Some("it may be the token of a person"),
        ..PLAIN
    },
    TokenIssuer {
        rules: &["notion-api-token", "notion-integration-secret"],
        origin: "https://api.notion.com",
        path: "/v1/users/me",
        headers: &[("notion-version", "2022-06-28")],
        ..PLAIN
    },
    // 403 is the answer to a token that is none, and to one without this permission.
    TokenIssuer {
        rules: &["figma-pat"],
        origin: "https://api.figma.com",
        path: "/v1/me",
        placement: header("x-figma-token"),
        revoked: &[],
        ..PLAIN
    },
    TokenIssuer {
        rules: &["postman-api-token"],
        origin: "https://api.getpostman.com",
        path: "/me",
        placement: header("x-api-key"),
        revoked: &[],
        elsewhere: Some("Postman's region EU may have issued it"),
        ..PLAIN
    },
    TokenIssuer {
        rules: &["cloudflare-api-key"],
        origin: "https://api.cloudflare.com",
        path: "/client/v4/user/tokens/verify",
        active: &[field(200, "/result/status", "active")],
        revoked: &[
            field(200, "/result/status", "disabled"),
            field(200, "/result/status", "expired"),
        ],
        elsewhere: Some("it may be the token of an account"),
        ..PLAIN
    },
    TokenIssuer {
        rules: &["heroku-api-key", "heroku-api-key-v2"],
        origin: "https://api.heroku.com",
        path: "/account",
        headers: &[("accept", "application/vnd.heroku+json; version=3")],
        ..PLAIN
    },
    TokenIssuer {
        rules: &[
            "dropbox-short-lived-api-token",
            "dropbox-long-lived-api-token",
        ],
        origin: "https://api.dropboxapi.com",
        path: "/2/users/get_current_account",
        post: Some(""),
        revoked: &[
            field(401, "/error/.tag", "invalid_access_token"),
            field(401, "/error/.tag", "expired_access_token"),
        ],
        ..PLAIN
    },
    TokenIssuer {
        rules: &["square-access-token"],
        origin: "https://connect.squareup.com",
        path: "/v2/locations",
        revoked: &[
            field(401, "/errors/0/code", "ACCESS_TOKEN_EXPIRED"),
            field(401, "/errors/0/code", "ACCESS_TOKEN_REVOKED"),
        ],
        elsewhere: Some("Square's sandbox may have issued it"),
        ..PLAIN
    },
    TokenIssuer {
        rules: &["buildkite-api-token"],
        origin: "https://api.buildkite.com",
        path: "/v2/access-token",
        ..PLAIN
    },
    TokenIssuer {
        rules: &["netlify-personal-token"],
        origin: "https://api.netlify.com",
        path: "/api/v1/user",
        ..PLAIN
    },
    TokenIssuer {
        rules: &["linode-api-token"],
        origin: "https://api.linode.com",
        path: "/v4/profile",
        ..PLAIN
    },
    TokenIssuer {
        rules: &["asana-personal-access-token"],
        origin: "https://app.asana.com",
        path: "/api/1.0/users/me",
        ..PLAIN
    },
    TokenIssuer {
        rules: &["clickup-api-token"],
        origin: "https://api.clickup.com",
        path: "/api/v2/user",
        placement: header("authorization"),
        ..PLAIN
    },
    TokenIssuer {
        rules: &["airtable-personnal-access-token"],
        origin: "https://api.airtable.com",
        path: "/v0/meta/whoami",
        ..PLAIN
    },
];

impl TokenIssuer {
    /// Whether it issued what a finding is about. What a rule of a user found is asked about nowhere, whatever its id:
    /// a repository could have any text sent as a token.
    #[must_use]
    pub fn has_issued(&self, finding: &SecretFinding) -> bool {
        finding.is_builtin && self.rules.contains(&finding.rule.as_str())
    }

    /// Whether the body of an answer counts.
    #[must_use]
    pub fn needs_body(&self, status: u16) -> bool {
        let mut patterns = self.active.iter().chain(self.revoked);
        patterns.any(|pattern| pattern.status == status && pattern.field.is_some())
    }

    /// What an answer says about the token.
    #[must_use]
    pub fn judge_answer(&self, status: u16, body: &[u8]) -> TokenValidity {
        let is_met = |patterns: &[AnswerPattern]| patterns.iter().any(|one| one.fits(status, body));
        if is_met(self.active) {
            TokenValidity::Active
        } else if is_met(self.revoked) {
            TokenValidity::Revoked
        } else {
            TokenValidity::Unknown
        }
    }

    /// The path with the token in it, where it belongs there; `None` where the token has characters that none has.
    #[must_use]
    pub fn path_for(&self, token: &str) -> Option<String> {
        if !matches!(self.placement, TokenPlacement::Path) {
            return Some(self.path.to_owned());
        }
        let (before, after) = self.path.split_once("{}")?;
        let doubled = before.rsplit('/').next().unwrap_or_default();
        let token = token.strip_prefix(doubled).unwrap_or(token);
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b":_-".contains(&byte);
        let is_token = !token.is_empty() && token.bytes().all(is_plain);
        is_token.then(|| format!("{before}{token}{after}"))
    }
}

impl AnswerPattern {
    fn fits(&self, status: u16, body: &[u8]) -> bool {
        let Some((pointer, wanted)) = self.field else {
            return self.status == status;
        };
        let is_wanted = |value: &serde_json::Value| match value {
            serde_json::Value::String(text) => text == wanted,
            serde_json::Value::Bool(flag) => flag.to_string() == wanted,
            _ => false,
        };
        let body = || serde_json::from_slice::<serde_json::Value>(body).ok();
        self.status == status
            && body().is_some_and(|body| body.pointer(pointer).is_some_and(is_wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template::assemble;
    use crate::{Config, InputOrigin, Scanner};

    #[test]
    fn every_address_is_fixed_and_encrypted() {
        for issuer in TOKEN_ISSUERS {
            let host = issuer.origin.strip_prefix("https://");
            let host = host.unwrap_or_else(|| panic!("{} is not https", issuer.origin));
            let is_host = |byte: u8| byte.is_ascii_lowercase() || byte == b'.';
            assert!(host.bytes().all(is_host), "{host}");
            assert!(issuer.path.starts_with('/'), "{host}");
            let has_place = issuer.path.contains("{}");
            let is_in_path = matches!(issuer.placement, TokenPlacement::Path);
            assert_eq!(has_place, is_in_path, "{host}");
            assert!(!issuer.active.is_empty(), "{host}");
        }
    }

    #[test]
    fn each_rule_is_one_of_the_crate_and_has_one_issuer() {
        let mut seen = std::collections::BTreeSet::new();
        for rule in TOKEN_ISSUERS.iter().flat_map(|issuer| issuer.rules) {
            assert!(
                crate::rules().iter().any(|known| known.id() == *rule),
                "{rule}"
            );
            assert!(seen.insert(rule), "{rule} is there twice");
        }
    }

    fn issuer(rule: &str) -> &'static TokenIssuer {
        let mut issuers = TOKEN_ISSUERS.iter();
        issuers.find(|issuer| issuer.rules.contains(&rule)).unwrap()
    }

    #[test]
    fn an_answer_is_judged_by_its_status_and_where_need_be_by_its_body() {
        use TokenValidity::{Active, Revoked, Unknown};
        let refused = br#"{"ok":false,"error":"token_revoked"}"#.as_slice();
        for (rule, status, body, wanted) in [
            ("github-pat", 200, b"{}".as_slice(), Active),
            ("github-pat", 401, b"", Revoked),
            ("github-pat", 403, b"", Unknown),
            ("github-pat", 500, b"", Unknown),
            ("gitlab-pat", 401, b"", Unknown),
            ("stripe-access-token", 403, b"", Active),
            ("slack-bot-token", 200, br#"{"ok":true}"#, Active),
            ("slack-bot-token", 200, refused, Revoked),
            (
                "slack-bot-token",
                200,
                br#"{"ok":false,"error":"ratelimited"}"#,
                Unknown,
            ),
            ("slack-bot-token", 200, b"<html>", Unknown),
            ("slack-bot-token", 429, refused, Unknown),
            (
                "openai-api-key",
                401,
                br#"{"error":{"code":"invalid_api_key"}}"#,
                Revoked,
            ),
            (
                "openai-api-key",
                401,
                br#"{"error":{"code":null}}"#,
                Unknown,
            ),
            (
                "dropbox-short-lived-api-token",
                401,
                br#"{"error":{".tag":"missing_scope"}}"#,
                Unknown,
            ),
        ] {
            let judged = issuer(rule).judge_answer(status, body);
            assert_eq!(judged, wanted, "{rule} {status}");
        }
    }

    #[test]
    fn a_token_in_a_path_is_one_segment_of_it() {
        let telegram = issuer("telegram-bot-token-bare");
        let path = Some("/bot1:aB_-/getMe".to_owned());
        assert_eq!(telegram.path_for("1:aB_-"), path);
        assert_eq!(telegram.path_for("bot1:aB_-"), path);
        for bad in ["", "1/../x", "1?x", "1#x", "1%2f", "a b"] {
            assert_eq!(telegram.path_for(bad), None, "{bad}");
        }
    }

    #[test]
    fn what_a_rule_of_a_repository_finds_is_asked_about_nowhere() {
        let token = assemble("{github:ghp_}", 1);
        let text = format!(
            "token = \"{token}\"\nother = \"{}\"\n",
            ["zq", "7788990"].concat()
        );
        let origin = InputOrigin::path("a.py");
        let found = Scanner::new().scan(text.as_bytes(), &origin);
        assert!(found.iter().any(|one| issuer("github-pat").has_issued(one)));
        let config = "[[rules]]\nid = \"github-pat\"\nregex = '''zq[0-9]+'''\n";
        let scanner = Scanner::new().with_config(Config::parse(config).unwrap());
        let found = scanner.scan(text.as_bytes(), &origin);
        let found = found.iter().filter(|one| one.rule == "github-pat");
        let asked: Vec<bool> = found
            .map(|one| issuer("github-pat").has_issued(one))
            .collect();
        assert_eq!(asked, [true, false]);
    }
}
