//! What an ID token says, checked as OpenID Connect Core 3.1.3.7 has it, against the clock of the server.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use subtle::ConstantTimeEq as _;

/// Two clocks may differ by so much.
const SKEW_SECONDS: i64 = 60;
/// A token is used as soon as it is made; the time for which used ones are remembered depends on it.
const AGE_SECONDS_MAX: i64 = 600;
/// Of a subject (OpenID Connect Core, 2).
const SUBJECT_CHARS_MAX: usize = 255;

/// Why an ID token is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum IdTokenFault {
    #[error("it is not a signed JSON Web Token")]
    Form,
    #[error("it is signed with `{0}`, which is not accepted")]
    Algorithm(String),
    #[error("it is signed with a key that the provider does not publish")]
    UnknownKey,
    #[error("its signature is wrong")]
    Signature,
    #[error("`iss` names another issuer")]
    Issuer,
    #[error("`aud` does not name this server")]
    Audience,
    #[error("`azp` names another client")]
    AuthorizedParty,
    #[error("it has expired (`exp`)")]
    Expired,
    #[error("it is not valid yet (`nbf`, `iat`)")]
    Early,
    #[error("it was issued too long ago (`iat`)")]
    Old,
    #[error("`nonce` is not that of this sign-in")]
    Nonce,
    #[error("`sub` is missing or invalid")]
    Subject,
    #[error("`{0}` is missing or invalid")]
    Claim(&'static str),
    #[error("it was used before")]
    Replayed,
}

/// What a token has to say.
pub(super) struct ExpectedToken<'e> {
    pub(super) issuer: &'e str,
    pub(super) client_id: &'e str,
    /// Where the sign-in had one.
    pub(super) nonce: Option<&'e str>,
    pub(super) now: Timestamp,
}

/// What a verified token, or the provider's answer about a user, says.
#[derive(Clone, Debug)]
pub(super) struct VerifiedClaims {
    pub(super) subject: String,
    pub(super) claims: Value,
}

impl VerifiedClaims {
    /// Checks the claims of a token whose signature is right.
    pub(super) fn check(claims: Value, expected: &ExpectedToken<'_>) -> Result<Self, IdTokenFault> {
        if claims["iss"] != expected.issuer {
            return Err(IdTokenFault::Issuer);
        }
        check_audience(&claims, expected.client_id)?;
        check_times(&claims, expected.now)?;
        if let Some(nonce) = expected.nonce {
            let said = claims["nonce"].as_str().unwrap_or_default();
            if !bool::from(said.as_bytes().ct_eq(nonce.as_bytes())) {
                return Err(IdTokenFault::Nonce);
            }
        }
        let subject = subject_of(&claims)?;
        Ok(Self { subject, claims })
    }

    /// A claim: by its name, or by a JSON pointer.
    pub(super) fn claim(&self, name: &str) -> Option<&Value> {
        let named = self.claims.get(name);
        named.or_else(|| self.claims.pointer(name))
    }

    /// The texts of a claim: one, or a list.
    pub(super) fn texts(&self, name: &str) -> Vec<&str> {
        match self.claim(name) {
            Some(Value::String(text)) => vec![text],
            Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        }
    }

    /// The one text of a claim, without blanks around it.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        let text = self.claim(name)?.as_str()?.trim();
        (!text.is_empty()).then_some(text)
    }
}

/// The subject of claims.
pub(super) fn subject_of(claims: &Value) -> Result<String, IdTokenFault> {
    let subject = claims["sub"].as_str().unwrap_or_default();
    let is_subject = !subject.is_empty()
        && subject.chars().count() <= SUBJECT_CHARS_MAX
        && !subject.chars().any(char::is_control);
    match is_subject {
        true => Ok(subject.to_owned()),
        false => Err(IdTokenFault::Subject),
    }
}

fn check_audience(claims: &Value, client_id: &str) -> Result<(), IdTokenFault> {
    let (is_for_us, is_for_others) = match &claims["aud"] {
        Value::String(one) => (one == client_id, false),
        Value::Array(all) if all.iter().all(Value::is_string) => {
            (all.iter().any(|one| one == client_id), all.len() > 1)
        }
        _ => (false, false),
    };
    if !is_for_us {
        return Err(IdTokenFault::Audience);
    }
    match claims.get("azp") {
        None if !is_for_others => Ok(()),
        Some(party) if party == client_id => Ok(()),
        _ => Err(IdTokenFault::AuthorizedParty),
    }
}

fn check_times(claims: &Value, now: Timestamp) -> Result<(), IdTokenFault> {
    let now = now.as_second();
    let expires = read_seconds(claims, "exp")?.ok_or(IdTokenFault::Claim("exp"))?;
    let issued = read_seconds(claims, "iat")?.ok_or(IdTokenFault::Claim("iat"))?;
    let begins = read_seconds(claims, "nbf")?.unwrap_or(issued);
    if now >= expires.saturating_add(SKEW_SECONDS) {
        return Err(IdTokenFault::Expired);
    }
    if issued.max(begins) > now.saturating_add(SKEW_SECONDS) {
        return Err(IdTokenFault::Early);
    }
    if issued < now.saturating_sub(AGE_SECONDS_MAX + SKEW_SECONDS) {
        return Err(IdTokenFault::Old);
    }
    Ok(())
}

/// A time in seconds. One of another type is an error, and not the same as none.
fn read_seconds(claims: &Value, name: &'static str) -> Result<Option<i64>, IdTokenFault> {
    let Some(value) = claims.get(name) else {
        return Ok(None);
    };
    #[expect(
        clippy::cast_possible_truncation,
        reason = "it is within the bounds of years"
    )]
    let part = || {
        let at = value.as_f64().filter(|at| (0.0..1e12).contains(at));
        at.map(|at| at as i64)
    };
    let seconds = value.as_i64().or_else(part);
    seconds.map(Some).ok_or(IdTokenFault::Claim(name))
}

/// Until when a used token has to be remembered: it is refused for its age from then on.
pub(super) fn remembered_until(now: Timestamp) -> Timestamp {
    now + SignedDuration::from_secs(AGE_SECONDS_MAX + 4 * SKEW_SECONDS)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const NOW: i64 = 1_800_000_000;

    fn checked(changes: &Value) -> Result<VerifiedClaims, IdTokenFault> {
        let mut claims = json!({
            "iss": "https://id.example.org", "aud": "mem", "sub": "1", "iat": NOW, "exp": NOW + 60, "nonce": "n",
        });
        for (name, value) in changes.as_object().unwrap() {
            claims[name] = value.clone();
        }
        let claims = claims.as_object().unwrap().iter();
        let claims = claims.filter(|(_, value)| !value.is_null());
        let claims = claims
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let expected = ExpectedToken {
            issuer: "https://id.example.org",
            client_id: "mem",
            nonce: Some("n"),
            now: Timestamp::from_second(NOW).unwrap(),
        };
        VerifiedClaims::check(claims, &expected)
    }

    #[test]
    fn each_claim_is_held_to_its_rule() {
        use IdTokenFault::*;
        for good in [
            json!({}),
            json!({ "aud": ["mem"] }),
            json!({ "aud": ["mem", "other"], "azp": "mem" }),
            json!({ "exp": NOW - 59 }),
            json!({ "iat": NOW + 60, "nbf": NOW + 60, "exp": NOW + 90 }),
            json!({ "iat": NOW - 600 }),
            json!({ "iat": 1_799_999_999.5 }),
        ] {
            assert!(checked(&good).is_ok(), "{good}");
        }
        for (bad, fault) in [
            (json!({ "iss": "https://id.example.org/" }), Issuer),
            (json!({ "iss": null }), Issuer),
            (json!({ "aud": "other" }), Audience),
            (json!({ "aud": null }), Audience),
            (json!({ "aud": ["other", 1, "mem"] }), Audience),
            (json!({ "aud": ["mem", "other"] }), AuthorizedParty),
            (json!({ "azp": "other" }), AuthorizedParty),
            (json!({ "azp": 1 }), AuthorizedParty),
            (json!({ "exp": NOW - 60 }), Expired),
            (json!({ "exp": null }), Claim("exp")),
            (json!({ "exp": "never" }), Claim("exp")),
            (json!({ "iat": null }), Claim("iat")),
            (json!({ "iat": NOW + 61 }), Early),
            (json!({ "nbf": NOW + 61 }), Early),
            (json!({ "nbf": "now" }), Claim("nbf")),
            (json!({ "iat": NOW - 700 }), Old),
            (json!({ "nonce": "m" }), Nonce),
            (json!({ "nonce": null }), Nonce),
            (json!({ "nonce": ["n"] }), Nonce),
            (json!({ "sub": "" }), Subject),
            (json!({ "sub": 1 }), Subject),
            (json!({ "sub": "x".repeat(256) }), Subject),
        ] {
            assert_eq!(checked(&bad).unwrap_err(), fault, "{bad}");
        }
    }

    #[test]
    fn a_claim_is_found_by_name_or_by_pointer() {
        let claims = checked(&json!({
            "groups": "a", "https://acme.example/groups": ["b", 1], "realm_access": { "roles": ["c"] },
        }));
        let claims = claims.unwrap();
        assert_eq!(claims.texts("groups"), ["a"]);
        assert_eq!(claims.texts("https://acme.example/groups"), ["b"]);
        assert_eq!(claims.texts("/realm_access/roles"), ["c"]);
        assert!(claims.texts("/realm_access").is_empty() && claims.texts("none").is_empty());
    }
}
