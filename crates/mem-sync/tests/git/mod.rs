//! The git remote over the real git: two copies of one bare repository.

mod census;
mod fixture;
#[cfg(unix)]
mod forge;
mod hostile;
mod network;
mod rules;
mod size;

pub(crate) use fixture::Fixture;
