//! The git remote over the real git: two copies of one bare repository.

mod bed;
mod census;
#[cfg(unix)]
mod forge;
mod hostile;
mod network;
mod rules;
mod size;

pub(crate) use bed::Bed;
