//! The HTTP remote over real sockets: a server that behaves, and ones that do not.

mod bridge;
mod conduct;
mod server;
