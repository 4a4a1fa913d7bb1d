//! Which addresses a webhook may lead to.
//!
//! A person who may make webhooks could otherwise have the server ask machines that only the server reaches: its own ports,
//! a private network, a cloud's metadata. Names are resolved here, every address is checked, and the connection is
//! made to a checked address and no other: a name that resolves to something else the next moment changes nothing.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use mem_core::Diagnose;
use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use serde::Deserialize;

/// Longer addresses are refused.
const URL_BYTES_MAX: usize = 2048;

/// A network of IPv4: an address and the length of its prefix.
const fn network_v4(a: u8, b: u8, c: u8, prefix: u8) -> IpNet {
    IpNet::new_assert(IpAddr::V4(Ipv4Addr::new(a, b, c, 0)), prefix)
}

/// A network of IPv6, by the first two parts of its address.
const fn network_v6(a: u16, b: u16, prefix: u8) -> IpNet {
    IpNet::new_assert(IpAddr::V6(Ipv6Addr::new(a, b, 0, 0, 0, 0, 0, 0)), prefix)
}

/// The one network of IPv6 that is the public internet.
const GLOBAL_V6: IpNet = network_v6(0x2000, 0, 3);
/// Networks that are not the public internet (the special-purpose registries of IANA). Of IPv6 those within
/// [`GLOBAL_V6`]: protocol assignments with Teredo, documentation, 6to4, documentation again.
const SPECIAL: [IpNet; 19] = [
    network_v4(0, 0, 0, 8),
    network_v4(10, 0, 0, 8),
    network_v4(100, 64, 0, 10),
    network_v4(127, 0, 0, 8),
    network_v4(169, 254, 0, 16),
    network_v4(172, 16, 0, 12),
    network_v4(192, 0, 0, 24),
    network_v4(192, 0, 2, 24),
    network_v4(192, 88, 99, 24),
    network_v4(192, 168, 0, 16),
    network_v4(198, 18, 0, 15),
    network_v4(198, 51, 100, 24),
    network_v4(203, 0, 113, 24),
    network_v4(224, 0, 0, 4),
    network_v4(240, 0, 0, 4),
    network_v6(0x2001, 0, 23),
    network_v6(0x2001, 0xdb8, 32),
    network_v6(0x2002, 0, 16),
    network_v6(0x3fff, 0, 20),
];

/// The address of a webhook cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Diagnose)]
pub enum WebhookUrlError {
    /// It is none.
    #[error("the address of the webhook is no URL")]
    #[diagnose(Invalid, hint = "write `https://HOST/PATH`, of at most 2,048 bytes")]
    Form,
    /// It has a user or a password.
    #[error("the address of the webhook holds a user name or a password")]
    #[diagnose(
        Invalid,
        hint = "deliveries are signed: let the receiver check `webhook-signature`"
    )]
    Credential,
    /// What is sent there could be read on the way.
    #[error("the address of the webhook is not an `https://` address")]
    #[diagnose(
        Invalid,
        hint = "use `https://`; plain `http://` is for private addresses that `[events] allow_private` of the \
                server's settings names"
    )]
    Plain,
    /// Only the server reaches it.
    #[error("the address of the webhook is not on the public internet")]
    #[diagnose(
        Invalid,
        hint = "`[events] allow_private` of the server's settings names the networks that may be asked; at the \
                terminal give them with `--settings FILE`"
    )]
    Private,
}

/// Which addresses that are not on the public internet may be asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "AllowPrivate")]
pub struct AddressPolicy {
    /// Networks. All of them where both families have prefixes of length 0.
    allowed: Vec<IpNet>,
}

/// As the settings say it: all or none, or these networks.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "`allow_private` is `true`, `false` or a list of networks such as `[\"10.1.0.0/16\"]`"
)]
enum AllowPrivate {
    All(bool),
    Networks(Vec<IpNet>),
}

impl From<AllowPrivate> for AddressPolicy {
    fn from(said: AllowPrivate) -> Self {
        let allowed = match said {
            AllowPrivate::All(false) => Vec::new(),
            AllowPrivate::All(true) => vec![Ipv4Net::default().into(), Ipv6Net::default().into()],
            AllowPrivate::Networks(networks) => networks,
        };
        Self { allowed }
    }
}

impl AddressPolicy {
    /// Whether a connection may be made. Without TLS only to an address that was allowed by the administrator.
    fn admits(&self, address: IpAddr, has_tls: bool) -> bool {
        let address = address.to_canonical();
        match is_public(address) {
            true => has_tls,
            false => self
                .allowed
                .iter()
                .any(|network| network.contains(&address)),
        }
    }

    /// Reads the address of a webhook. A name is checked when it is resolved, before each connection.
    ///
    /// # Errors
    /// See [`WebhookUrlError`].
    pub fn parse(&self, text: &str) -> Result<Url, WebhookUrlError> {
        let url = parse_url(text)?;
        let has_tls = url.scheme() == "https";
        match literal_address(&url) {
            Some(address) if self.admits(address, has_tls) => Ok(url),
            Some(address) if is_public(address.to_canonical()) => Err(WebhookUrlError::Plain),
            Some(_) => Err(WebhookUrlError::Private),
            None if has_tls || !self.allowed.is_empty() => Ok(url),
            None => Err(WebhookUrlError::Plain),
        }
    }

    /// What resolves names for a client, to admitted addresses only.
    pub(crate) fn resolver(&self, has_tls: bool) -> Arc<impl Resolve + 'static> {
        let policy = self.clone();
        Arc::new(CheckedResolver { policy, has_tls })
    }
}

/// Reads the address of a webhook as far as it can be judged without the server's settings.
///
/// # Errors
/// [`WebhookUrlError::Form`], [`WebhookUrlError::Credential`].
pub fn parse_url(text: &str) -> Result<Url, WebhookUrlError> {
    let url = Url::parse(text).map_err(|_| WebhookUrlError::Form)?;
    // The parser drops line breaks and tabs, and what is stored would be another address than was written.
    let is_plain = !text.chars().any(|c| c.is_control() || c.is_whitespace());
    let has_port = url.port() != Some(0);
    let is_http = ["http", "https"].contains(&url.scheme()) && url.has_host();
    let is_short = text.len() <= URL_BYTES_MAX && url.fragment().is_none();
    if !(is_http && is_plain && has_port && is_short) {
        return Err(WebhookUrlError::Form);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(WebhookUrlError::Credential);
    }
    Ok(url)
}

/// The address that a URL has in place of a name, which no resolver gets to see.
fn literal_address(url: &Url) -> Option<IpAddr> {
    // Whatever the notation was, the parser has written it in the usual one.
    let host = url.host_str()?;
    host.trim_matches(['[', ']']).parse().ok()
}

/// Whether an address is on the public internet. What is no known part of it is not.
fn is_public(address: IpAddr) -> bool {
    let is_special = SPECIAL.iter().any(|network| network.contains(&address));
    !is_special && (address.is_ipv4() || GLOBAL_V6.contains(&address))
}

/// Resolves as the system does, and hands on what may be asked.
#[derive(Debug)]
struct CheckedResolver {
    policy: AddressPolicy,
    has_tls: bool,
}

impl Resolve for CheckedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (policy, has_tls) = (self.policy.clone(), self.has_tls);
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let admitted = found.filter(|address| policy.admits(address.ip(), has_tls));
            let admitted: Vec<SocketAddr> = admitted.collect();
            if admitted.is_empty() {
                let why = "the name leads to no address that may be asked";
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, why).into());
            }
            let admitted: Addrs = Box::new(admitted.into_iter());
            Ok(admitted)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_public_internet_is_public() {
        for text in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "169.254.169.254",
            "172.31.0.1",
            "192.168.1.1",
            "224.0.0.1",
            "255.255.255.255",
            "198.18.0.1",
            "::",
            "::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "ff02::1",
            "::ffff:10.0.0.1",
            "::ffff:127.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "2001::1",
            "2001:db8::1",
            "::127.0.0.1",
        ] {
            let address: IpAddr = text.parse().unwrap();
            assert!(!is_public(address.to_canonical()), "{text}");
        }
        for text in [
            "1.1.1.1",
            "100.128.0.1",
            "172.32.0.1",
            "2606:4700::1111",
            "::ffff:1.1.1.1",
        ] {
            let address: IpAddr = text.parse().unwrap();
            assert!(is_public(address.to_canonical()), "{text}");
        }
    }

    #[test]
    fn addresses_are_refused_before_they_are_asked() {
        let strict = AddressPolicy::default();
        let lax = AllowPrivate::Networks(vec!["127.0.0.0/8".parse().unwrap()]).into();
        let refused = |policy: &AddressPolicy, text: &str| policy.parse(text).err();
        assert_eq!(refused(&strict, "https://hooks.example/mem"), None);
        for (text, why) in [
            ("hooks.example", WebhookUrlError::Form),
            ("file:///etc/passwd", WebhookUrlError::Form),
            ("https://u:p@hooks.example/", WebhookUrlError::Credential),
            ("http://hooks.example/", WebhookUrlError::Plain),
            ("http://1.1.1.1/", WebhookUrlError::Plain),
            ("https://127.0.0.1/", WebhookUrlError::Private),
            ("https://2130706433/", WebhookUrlError::Private),
            ("https://0x7f.1/", WebhookUrlError::Private),
            ("https://[::ffff:127.0.0.1]/", WebhookUrlError::Private),
            ("https://[::1]/", WebhookUrlError::Private),
            ("https://169.254.169.254/latest/", WebhookUrlError::Private),
        ] {
            assert_eq!(refused(&strict, text), Some(why), "{text}");
        }
        assert_eq!(refused(&lax, "http://127.0.0.1:8080/"), None);
        assert_eq!(
            refused(&lax, "https://10.0.0.1/"),
            Some(WebhookUrlError::Private)
        );
        assert_eq!(
            refused(&lax, "http://1.1.1.1/"),
            Some(WebhookUrlError::Plain)
        );
    }
}
