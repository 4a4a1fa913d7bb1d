//! People: a real server in this process, over real sockets, with a real provider and with a hostile one.

mod fixture;
mod flows;
mod forge;
mod hostile;
mod hostile_provider;
mod scim;
mod tokens;
