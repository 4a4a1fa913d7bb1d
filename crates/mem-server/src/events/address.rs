//! Which addresses a webhook may lead to.
//!
//! A person who may make webhooks could otherwise have the server ask machines that only the server reaches: its own ports,
//! a private network, a cloud's metadata. Names are resolved here, every address is checked, and the connection is
//! made to a checked address and no other: a name that resolves to something else the next moment changes nothing.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use ipnet::IpNet;
use mem_core::Diagnose;
use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// Longer addresses are refused.
const URL_BYTES_MAX: usize = 2048;

/// Networks of IPv4 that are not the public internet (the special-purpose registry of IANA).
const SPECIAL_V4: [(Ipv4Addr, u8); 15] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

/// The one network of IPv6 that is the public internet.
const GLOBAL_V6: (Ipv6Addr, u8) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);
/// Parts of it that are not: protocol assignments with Teredo, documentation, 6to4, documentation again.
const SPECIAL_V6: [(Ipv6Addr, u8); 4] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddressPolicy {
    /// Networks. All of them where both families have prefixes of length 0.
    allowed: Vec<IpNet>,
}

impl AddressPolicy {
    /// These networks may be asked.
    pub(crate) fn allowing(allowed: Vec<IpNet>) -> Self {
        Self { allowed }
    }

    /// Whether a connection may be made. Without TLS only to an address that was allowed by the administrator.
    fn admits(&self, address: IpAddr, has_tls: bool) -> bool {
        let address = address.to_canonical();
        let is_allowed = self
            .allowed
            .iter()
            .any(|network| network.contains(&address));
        match is_public(address) {
            true => has_tls,
            false => is_allowed,
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
    let is_http = is_http && is_plain && has_port;
    if !is_http || text.len() > URL_BYTES_MAX || url.fragment().is_some() {
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
    let host = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .unwrap_or(host);
    host.parse().ok()
}

/// Whether an address is on the public internet. What is no known part of it is not.
fn is_public(address: IpAddr) -> bool {
    let within_v4 = |address: Ipv4Addr, (network, bits): (Ipv4Addr, u8)| {
        let shift = 32 - u32::from(bits);
        address.to_bits() >> shift == network.to_bits() >> shift
    };
    let within_v6 = |address: Ipv6Addr, (network, bits): (Ipv6Addr, u8)| {
        let shift = 128 - u32::from(bits);
        address.to_bits() >> shift == network.to_bits() >> shift
    };
    match address {
        IpAddr::V4(address) => !SPECIAL_V4.into_iter().any(|one| within_v4(address, one)),
        IpAddr::V6(address) => {
            within_v6(address, GLOBAL_V6)
                && !SPECIAL_V6.into_iter().any(|one| within_v6(address, one))
        }
    }
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
            let admitted: Vec<SocketAddr> = found
                .filter(|address| policy.admits(address.ip(), has_tls))
                .collect();
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
        let lax = AddressPolicy::allowing(vec!["127.0.0.0/8".parse().unwrap()]);
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
