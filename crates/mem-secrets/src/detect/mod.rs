//! Matchers written by hand, for what a row of byte classes cannot express.

mod assignment;
mod header;
pub(crate) mod name;
mod pem;
mod url;
mod value;

use crate::pass::{Hit, Pass};
use crate::rule::Rule;

/// Which matcher a rule asks for, by the name that rule files use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detector {
    /// A secret assigned to a name that says so.
    Assignment,
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
}

/// Runs a matcher at a keyword. `done` is where this rule stopped before;
/// the answer is where it stops now.
pub(crate) fn run(
    detector: Detector,
    pass: &mut Pass<'_>,
    rule: &'static Rule,
    hit: Hit,
    done: usize,
) -> usize {
    match detector {
        Detector::Assignment => assignment::run(pass, rule, hit, done),
        Detector::Pem => pem::run(pass, rule, hit, done),
        Detector::Url => url::run(pass, rule, hit, done),
        Detector::Scheme => header::scheme(pass, rule, hit, done),
        Detector::CurlHeader => header::curl_header(pass, rule, hit, done),
        Detector::CurlUser => header::curl_user(pass, rule, hit, done),
    }
}
