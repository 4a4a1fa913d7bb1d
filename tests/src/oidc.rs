//! [`OidcProvider`]: a certified provider of OpenID Connect (`oidc-provider` of npm) on a loopback port, and a
//! [`FormBrowser`] that signs people in there.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::clients;
use crate::http::{Answer, Ask};

/// Pages and redirects of one sign-in.
const STEPS_MAX: usize = 20;

/// A running provider. It ends when it is dropped.
#[derive(Debug)]
pub struct OidcProvider {
    child: Child,
    /// It goes on printing warnings.
    _stdout: BufReader<ChildStdout>,
    /// Its issuer.
    pub issuer: String,
    /// The secret of the client `mem`.
    pub secret: String,
}

impl OidcProvider {
    /// A provider that sends browsers back to a server at this address. `more` are further options of the script.
    ///
    /// # Panics
    /// It does not start.
    pub fn start(public_url: &str, more: &Value) -> Self {
        let modules = clients::node_modules_with("oidc");
        let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("clients/oidc/provider.mjs");
        // What a form has to encode.
        let secret = ["of-this-test+", "/&=%"].concat();
        let mut options = json!({
            "redirect": format!("{public_url}/console/callback"),
            "signed_out": format!("{public_url}/console/enter"),
            "secret": secret,
        });
        for (name, value) in more.as_object().into_iter().flatten() {
            options[name] = value.clone();
        }
        let mut node = Command::new("node");
        node.arg(script).arg(modules).arg(options.to_string());
        node.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = node.spawn().expect("node starts");
        let mut issuer = String::new();
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        // It warns of what is not for production before it says where it is.
        while !issuer.starts_with("http") {
            issuer.clear();
            let read = stdout.read_line(&mut issuer).expect("a line");
            assert!(read > 0, "the provider does not listen");
        }
        Self {
            child,
            _stdout: stdout,
            issuer: issuer.trim().to_owned(),
            secret,
        }
    }

    /// Where it listens.
    ///
    /// # Panics
    /// Its issuer is no address.
    pub fn address(&self) -> SocketAddr {
        let host = self
            .issuer
            .strip_prefix("http://")
            .expect("a loopback address");
        host.parse().expect("an address")
    }

    /// Changes something while it runs; see the script.
    ///
    /// # Panics
    /// It does not answer.
    pub fn control(&self, change: &Value) {
        let ask = Ask::new(self.address(), "POST", "/control").json(change.to_string());
        assert_eq!(ask.send().status, 200);
    }

    /// Makes or changes somebody who can sign in.
    pub fn account(&self, name: &str, groups: &[&str]) {
        self.control(&json!({ "account": {
            "sub": format!("sub-of-{name}"), "preferred_username": name, "name": name, "groups": groups,
            "email": format!("{name}@acme.example"), "email_verified": true, "forge_login": format!("{name}-at-forge"),
        } }));
    }
}

impl Drop for OidcProvider {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// As much of a browser as a sign-in takes: cookies, redirects, the first form of a page.
#[derive(Debug, Default)]
pub struct FormBrowser {
    cookies: BTreeMap<(SocketAddr, String), String>,
}

impl FormBrowser {
    /// Goes to an address and signs in as `login`, until it is sent to an address that begins with `until`, or until
    /// there is no form any more. Returns that address, or the last page.
    ///
    /// # Panics
    /// It goes on for ever, or somewhere else than to a loopback address.
    pub fn sign_in(&mut self, start: &str, login: &str, until: &str) -> Result<String, Answer> {
        let (mut method, mut url, mut body) = ("GET", start.to_owned(), String::new());
        for _ in 0..STEPS_MAX {
            if url.starts_with(until) {
                return Ok(url);
            }
            let answer = self.ask(method, &url, &body);
            if let Some(to) = answer.header("location") {
                url = absolute(&url, to);
                (method, body) = ("GET", String::new());
                continue;
            }
            let page = String::from_utf8_lossy(&answer.body).into_owned();
            let Some((action, fields)) = first_form(&page) else {
                return Err(answer);
            };
            url = absolute(&url, &action);
            method = "POST";
            let fields = fields.into_iter().map(|(name, value)| {
                let value = match name.as_str() {
                    "login" => login.to_owned(),
                    "password" => "any".to_owned(),
                    _ => value,
                };
                format!("{}={}", encoded(&name), encoded(&value))
            });
            body = fields.collect::<Vec<_>>().join("&");
        }
        panic!("the sign-in comes to no end: {url}");
    }

    /// One request, with the cookies of that server.
    ///
    /// # Panics
    /// It is for somewhere else than a loopback address, or there is no answer.
    pub fn ask(&mut self, method: &str, url: &str, body: &str) -> Answer {
        let rest = url.strip_prefix("http://").expect("a loopback address");
        let at = rest.find('/').unwrap_or(rest.len());
        let address: SocketAddr = rest[..at].parse().expect("an address");
        let target = match &rest[at..] {
            "" => "/",
            target => target,
        };
        let mut ask = Ask::new(address, method, target);
        let ours = self.cookies.iter().filter(|((of, _), _)| *of == address);
        let cookies: Vec<String> = ours
            .map(|((_, name), value)| format!("{name}={value}"))
            .collect();
        if !cookies.is_empty() {
            ask = ask.header("cookie", cookies.join("; "));
        }
        if method == "POST" {
            ask = ask
                .header("content-type", "application/x-www-form-urlencoded")
                .header("origin", format!("http://{address}"))
                .body(body);
        }
        let answer = ask.send();
        for (name, value) in &answer.headers {
            if name != "set-cookie" {
                continue;
            }
            let pair = value.split(';').next().unwrap_or_default();
            let (name, kept) = pair.split_once('=').unwrap_or((pair, ""));
            let name = (address, name.to_owned());
            match kept.is_empty()
                || value.contains("Max-Age=0")
                || value.contains("expires=Thu, 01 Jan 1970")
            {
                true => drop(self.cookies.remove(&name)),
                false => drop(self.cookies.insert(name, kept.to_owned())),
            }
        }
        answer
    }

    /// The cookie of a server.
    pub fn cookie(&self, address: SocketAddr, name: &str) -> Option<&str> {
        self.cookies
            .get(&(address, name.to_owned()))
            .map(String::as_str)
    }
}

/// The value of a parameter of an address.
pub fn parameter(url: &str, name: &str) -> Option<String> {
    let (_, query) = url.split_once('?')?;
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(known, _)| *known == name)?;
    Some(decoded(value))
}

fn absolute(base: &str, to: &str) -> String {
    if to.starts_with("http") {
        return to.to_owned();
    }
    let host = base.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
    format!("{host}{to}")
}

/// The action of the first form that is sent with POST, and its fields.
fn first_form(page: &str) -> Option<(String, Vec<(String, String)>)> {
    let form = page
        .split("<form")
        .skip(1)
        .find(|form| form.contains("method=\"post\""))?;
    let form = form.split("</form>").next()?;
    let action = attribute(form, "action")?;
    let fields = form.split("<input").skip(1).filter_map(|input| {
        let input = input.split('>').next()?;
        Some((
            attribute(input, "name")?,
            attribute(input, "value").unwrap_or_default(),
        ))
    });
    Some((action, fields.collect()))
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!("{name}=\""))?;
    let text = rest.split('"').next()?;
    Some(
        text.replace("&amp;", "&")
            .replace("&#x3D;", "=")
            .replace("&quot;", "\""),
    )
}

/// A text as a form and an address have it.
pub fn encoded(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
            char::from(byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut digits = || -> Option<u8> {
            let pair = [rest.next()?, rest.next()?];
            u8::from_str_radix(std::str::from_utf8(&pair).ok()?, 16).ok()
        };
        bytes.push(match byte {
            b'%' => digits().unwrap_or(b'%'),
            b'+' => b' ',
            byte => byte,
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
