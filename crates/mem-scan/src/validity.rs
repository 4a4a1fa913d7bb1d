//! Whether found tokens still give access, as their providers say: what `mem scan --validate` asks, and nothing else.
//!
//! The addresses are those of [`mem_secrets::TOKEN_ISSUERS`]; no setting, no variable and no file changes them. A token
//! is sent to its own provider, encrypted, once, however often it was found; no redirect is followed, and neither the
//! token nor an address that holds it is in what is told of an answer.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use futures_util::future::join_all;
use mem_core::Diagnose;
use mem_http::{
    BodyReader, LineFault, PlainHttp, client_builder, credential_header, is_loopback,
    parse_address, sanitize_reply,
};
use mem_secrets::{TokenIssuer, TokenPlacement, TokenValidity};
use reqwest::header::{HeaderMap, HeaderName};
use reqwest::{Client, RequestBuilder};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::time::{Instant, sleep_until};

use super::LocatedFinding;

/// Of an answer whose body counts; a longer one is none of those that mean something.
const ANSWER_BYTES_MAX: usize = 64 * 1024;
/// The answer to a credential that is not accepted.
const UNAUTHORIZED: u16 = 401;
/// The answer to too many requests.
const TOO_MANY: u16 = 429;

/// How providers are asked.
#[derive(Clone, Copy, Debug)]
pub struct ValidityLimits {
    /// For an answer, with the connection.
    pub timeout: Duration,
    /// From one request to the next at the same host, at least.
    pub pause: Duration,
    /// Tokens of one run; what is found beyond is not asked about.
    pub tokens_max: usize,
}

/// What `mem scan --validate` keeps to.
pub const VALIDITY_LIMITS: ValidityLimits = ValidityLimits {
    timeout: Duration::from_secs(10),
    pause: Duration::from_secs(1),
    tokens_max: 100,
};

/// What a provider said about a finding's token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingValidity {
    /// Whether it gives access.
    pub validity: TokenValidity,
    /// Who said so, or why nobody did.
    pub reason: String,
}

impl FindingValidity {
    fn unknown(reason: impl Into<String>) -> Self {
        Self {
            validity: TokenValidity::Unknown,
            reason: reason.into(),
        }
    }

    /// The stable word for it.
    pub const fn word(&self) -> &'static str {
        match self.validity {
            TokenValidity::Active => "active",
            TokenValidity::Revoked => "revoked",
            TokenValidity::Unknown => "unknown",
        }
    }
}

/// A token to ask about, and the findings that it is the secret of.
struct ValidityQuery<'a> {
    issuer: &'a TokenIssuer,
    token: SecretString,
    findings: Vec<usize>,
}

/// No provider can be asked on this machine.
#[derive(Debug, thiserror::Error, Diagnose)]
#[error("cannot ask providers")]
#[diagnose(Io)]
pub struct ValidityError(#[source] io::Error);

/// How many tokens each host would be sent.
pub type ValidityRecipients<'a> = BTreeMap<&'a str, usize>;

/// Asks the providers about the tokens of findings and notes in each finding what they said, where `may_send` agrees
/// to who is asked. Returns how many tokens were left out by the limit.
///
/// # Errors
/// Nobody can agree, or nothing can be asked on this machine.
pub fn check_validity<E: From<ValidityError>>(
    findings: &mut [LocatedFinding],
    issuers: &[TokenIssuer],
    limits: &ValidityLimits,
    may_send: impl FnOnce(&ValidityRecipients<'_>) -> Result<bool, E>,
) -> Result<usize, E> {
    let mut queries = queries_for(findings, issuers);
    let skipped = queries.split_off(queries.len().min(limits.tokens_max));
    let most = limits.tokens_max;
    let reason = format!("not asked: a run asks about {most} tokens at most");
    note_unknown(findings, &skipped, &reason);
    let mut hosts: BTreeMap<&str, Vec<&ValidityQuery<'_>>> = BTreeMap::new();
    for query in &queries {
        let host = host_of(query.issuer.origin);
        hosts.entry(host).or_default().push(query);
    }
    if hosts.is_empty() {
        return Ok(0);
    }
    let counts = hosts.iter().map(|(host, queries)| (*host, queries.len()));
    if !may_send(&counts.collect())? {
        note_unknown(findings, &queries, "not asked: sending was declined");
        return Ok(skipped.len());
    }
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build().map_err(ValidityError)?;
    let asked = hosts
        .into_iter()
        .map(|(host, queries)| ask_host(host, queries, limits));
    for (indices, validity) in runtime.block_on(join_all(asked)).into_iter().flatten() {
        for index in indices {
            findings[*index].validity = Some(validity.clone());
        }
    }
    Ok(skipped.len())
}

/// Notes why nobody was asked.
fn note_unknown(findings: &mut [LocatedFinding], queries: &[ValidityQuery<'_>], reason: &str) {
    for index in queries.iter().flat_map(|query| &query.findings) {
        findings[*index].validity = Some(FindingValidity::unknown(reason));
    }
}

/// The host of an origin.
fn host_of(origin: &str) -> &str {
    origin.split_once("//").map_or(origin, |(_, host)| host)
}

/// One query for each token, in the order of the findings. What is asked nowhere is noted at once.
fn queries_for<'a>(
    findings: &mut [LocatedFinding],
    issuers: &'a [TokenIssuer],
) -> Vec<ValidityQuery<'a>> {
    let mut queries: Vec<ValidityQuery<'a>> = Vec::new();
    let mut known: BTreeMap<(&str, Vec<u8>), usize> = BTreeMap::new();
    for (index, located) in findings.iter_mut().enumerate() {
        let finding = &located.finding;
        let issuer = issuers.iter().find(|issuer| issuer.has_issued(finding));
        let token = String::from_utf8(finding.secret.expose().to_vec());
        let (Some(issuer), Ok(token)) = (issuer, token) else {
            let reason = match finding.is_builtin {
                true => "no provider can be asked about this kind",
                false => "a rule of this repository found it",
            };
            located.validity = Some(FindingValidity::unknown(reason));
            continue;
        };
        let key = (issuer.origin, finding.secret.expose().to_vec());
        let place = *known.entry(key).or_insert_with(|| {
            queries.push(ValidityQuery {
                issuer,
                token: SecretString::from(token),
                findings: Vec::new(),
            });
            queries.len() - 1
        });
        queries[place].findings.push(index);
    }
    queries
}

/// Asks one host about its tokens, one after the other, until it says that these are too many.
async fn ask_host<'q>(
    host: &str,
    queries: Vec<&'q ValidityQuery<'_>>,
    limits: &ValidityLimits,
) -> Vec<(&'q [usize], FindingValidity)> {
    let client = queries
        .first()
        .and_then(|query| client_for(query.issuer.origin, limits));
    let (mut answers, mut next) = (Vec::new(), Instant::now());
    let mut is_limited = false;
    for query in queries {
        let validity = match &client {
            None => FindingValidity::unknown(format!("{host} cannot be asked from here")),
            Some(_) if is_limited => {
                FindingValidity::unknown(format!("not asked: {host} limits requests"))
            }
            Some(client) => {
                sleep_until(next).await;
                next = Instant::now() + limits.pause;
                let (status, validity) = ask_issuer(client, host, query, limits).await;
                is_limited = status == Some(TOO_MANY);
                validity
            }
        };
        answers.push((query.findings.as_slice(), validity));
    }
    answers
}

/// A client for one origin. A loopback address is none of the table's, and tests have no other.
fn client_for(origin: &str, limits: &ValidityLimits) -> Option<Client> {
    let base = parse_address(origin, PlainHttp::OnThisMachine).ok()?;
    let client = client_builder(&base, HeaderMap::new(), limits.timeout)
        .timeout(limits.timeout)
        .https_only(!is_loopback(&base))
        .user_agent(concat!("mem/", env!("CARGO_PKG_VERSION")));
    client.build().ok()
}

/// Asks about one token. Returns the status of the answer as well, where there is one.
async fn ask_issuer(
    client: &Client,
    host: &str,
    query: &ValidityQuery<'_>,
    limits: &ValidityLimits,
) -> (Option<u16>, FindingValidity) {
    let Some(request) = request_for(client, query) else {
        let reason = "it has characters that no such token has";
        return (None, FindingValidity::unknown(reason));
    };
    let (status, body) = match send_request(request, query, limits).await {
        Ok(answer) => answer,
        Err(fault) => {
            let cause = sanitize_reply(&fault.to_string(), Some(&query.token));
            let reason = format!("asking {host} failed: {cause}");
            return (None, FindingValidity::unknown(reason));
        }
    };
    let validity = query.issuer.judge_answer(status, &body);
    let reason = match (validity, query.issuer.elsewhere) {
        (TokenValidity::Active, _) => format!("{host} accepts it"),
        (TokenValidity::Revoked, _) => format!("{host} does not accept it"),
        (TokenValidity::Unknown, Some(why)) if status == UNAUTHORIZED => {
            format!("{host} does not accept it, but {why}")
        }
        (TokenValidity::Unknown, _) if (300..400).contains(&status) => {
            format!("{host} redirects, which is not followed")
        }
        (TokenValidity::Unknown, _) if status == TOO_MANY => format!("{host} limits requests"),
        (TokenValidity::Unknown, _) => format!("{host} answered {status}"),
    };
    (Some(status), FindingValidity { validity, reason })
}

async fn send_request(
    request: RequestBuilder,
    query: &ValidityQuery<'_>,
    limits: &ValidityLimits,
) -> Result<(u16, Vec<u8>), LineFault> {
    let response = request.send().await?;
    let status = response.status().as_u16();
    if !query.issuer.needs_body(status) {
        return Ok((status, Vec::new()));
    }
    let reader = BodyReader {
        bytes_max: ANSWER_BYTES_MAX,
        stall: limits.timeout,
        secret: Some(query.token.clone()),
    };
    Ok((status, reader.read(response).await?.body))
}

/// The request about a token; `None` where it cannot be a token.
fn request_for(client: &Client, query: &ValidityQuery<'_>) -> Option<RequestBuilder> {
    let (issuer, token) = (query.issuer, &query.token);
    let address = format!(
        "{}{}",
        issuer.origin,
        issuer.path_for(token.expose_secret())?
    );
    let mut request = match issuer.post {
        Some(body) => client.post(address).body(body),
        None => client.get(address),
    };
    for (name, value) in issuer.headers {
        request = request.header(*name, *value);
    }
    Some(match issuer.placement {
        TokenPlacement::Header { name, scheme } => request.header(
            HeaderName::from_static(name),
            credential_header(scheme, token)?,
        ),
        TokenPlacement::Password { user } => request.basic_auth(user, Some(token.expose_secret())),
        TokenPlacement::Path => request,
    })
}

#[cfg(test)]
mod tests;
