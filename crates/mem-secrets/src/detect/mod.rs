//! Matchers written by hand, for what a row of byte classes cannot express.

mod assignment;
mod below;
mod der;
mod fallback;
mod header;
mod kube;
mod line;
mod lines;
pub(crate) mod name;
mod nkey;
mod pem;
mod prose;
mod record;
mod seed_phrase;
mod sibling;
pub(crate) mod url;
mod value;

pub(crate) use assignment::name_around;
pub(crate) use der::run as der_keys;
pub(crate) use lines::{LineRecord, run as records};

use crate::decode;
use crate::finding::SecretEncoding;
use crate::pass::{KeywordHit, Pass};
use crate::rule::Rule;

/// Which matcher a rule asks for, by the name that rule files use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detector {
    /// A secret assigned to a name that says so.
    Assignment,
    /// A word under the name of a password.
    WeakPassword,
    /// A private key block.
    Pem,
    /// A password in a URL.
    Url,
    /// A credential after an HTTP authentication scheme.
    Scheme,
    /// A header of a curl command.
    CurlHeader,
    /// The login of a curl command.
    CurlUser,
    /// The values of a Kubernetes secret.
    Kube,
    /// A NATS nkey seed.
    Nkey,
    /// A BIP-39 seed phrase.
    SeedPhrase,
    /// A secret told in a sentence.
    Prose,
    /// A netrc file's password.
    Netrc,
    /// A password hash.
    Hash,
    /// Percent-encoded text, which is decoded and scanned again.
    Percent,
}

/// Runs a matcher at a keyword. `done` is where this rule stopped before;
/// the answer is where it stops now.
pub(crate) fn run(
    detector: Detector,
    pass: &mut Pass<'_>,
    rule: &'static Rule,
    hit: KeywordHit,
    done: usize,
) -> usize {
    match detector {
        Detector::Assignment => assignment::run(pass, rule, hit, done),
        Detector::WeakPassword => assignment::run_weak(pass, rule, hit, done),
        Detector::Pem => pem::run(pass, rule, hit, done),
        Detector::Url => url::run(pass, rule, hit, done),
        Detector::Scheme => header::scheme(pass, rule, hit, done),
        Detector::CurlHeader => header::curl_header(pass, rule, hit, done),
        Detector::Kube => kube::run(pass, rule, hit, done),
        Detector::Nkey => nkey::run(pass, rule, hit, done),
        Detector::SeedPhrase => seed_phrase::run(pass, rule, hit, done),
        Detector::Prose => prose::run(pass, rule, hit, done),
        Detector::Netrc => record::netrc(pass, rule, hit, done),
        Detector::Percent => percent(pass, hit, done),
        Detector::Hash => record::hash(pass, rule, hit, done),
        Detector::CurlUser => header::curl_user(pass, rule, hit, done),
    }
}

/// Decodes the word around a `%XX` once.
fn percent(pass: &mut Pass<'_>, hit: KeywordHit, done: usize) -> usize {
    if hit.start < done {
        return done;
    }
    let Some((span, text)) = decode::percent::word(pass.bytes, hit.start) else {
        return hit.end;
    };
    let end = span.end;
    pass.nested(SecretEncoding::Percent, &text, &span);
    end
}
