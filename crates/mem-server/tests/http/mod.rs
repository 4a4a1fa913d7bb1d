//! The real server over real sockets, with the client that `mem team` has.

mod client_machine;
mod conformance;
mod connections;
mod faults;
mod faulty_proxy;
mod quota;
mod replicas;
mod upgrade;

use mem_sync::Repository;
use mem_sync::remote::http::{Http, HttpOptions, Timeouts};
use secrecy::SecretString;

/// The store of a repository behind an address.
fn remote(base: &str, repository: &str, actor: &str, token: Option<&str>) -> Http {
    Http::open(HttpOptions {
        base: base.to_owned(),
        repository: Repository::of_name(repository).unwrap(),
        token: token.map(SecretString::from),
        actor: actor.to_owned(),
        user_agent: "mem-tests".to_owned(),
        limits: Timeouts::default(),
    })
    .unwrap()
}
