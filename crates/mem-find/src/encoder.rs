//! The encoder by which memories are ranked: the embedded one, or a larger one that a person has installed beside the
//! state (`mem model`). Nothing in a repository has a say in it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use mem_core::history::Sha256;
use mem_core::{Dirs, regular_file};
use mem_recall::encoder::{Encoder, ModelError, ModelFile};

use crate::mapped_model;

/// A larger file is no model.
pub const MODEL_BYTES_MAX: u64 = 1 << 30;

/// Why a model cannot be used.
#[derive(Debug, thiserror::Error, mem_core::Diagnose)]
pub enum ModelFault {
    /// It is no file, or cannot be read.
    #[error("`{}` cannot be read: {source}", path.display())]
    #[diagnose(Io)]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is no model.
    #[error("`{}`: {source}", path.display())]
    #[diagnose(
        Invalid,
        hint = "`mem model install FILE` takes what `models/distil.py --large` of mem-recall made"
    )]
    Wrong {
        /// The file.
        path: PathBuf,
        /// Why.
        source: ModelError,
    },
    /// Its contents are not those that it was made with.
    #[error("`{}` is damaged: its SHA-256 is {found}, expected {expected}", path.display())]
    #[diagnose(Corrupt, hint = "get the file again, then `mem model install FILE`")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What its bytes have.
        found: String,
        /// What was wanted.
        expected: String,
    },
}

/// The encoder, and why it is not the installed one.
#[derive(Debug)]
pub struct ChosenEncoder {
    /// `None` in a build without an encoder.
    pub encoder: Option<&'static Encoder>,
    /// What is wrong with the installed model.
    pub fault: Option<ModelFault>,
}

/// What tells one installed file from the next, and its encoder.
type LoadedEncoder = (PathBuf, SystemTime, u64, &'static Encoder);

/// Of the models that a long process has used the last one; those before it stay mapped, whose files are gone.
static LOADED: Mutex<Option<LoadedEncoder>> = Mutex::new(None);

impl ChosenEncoder {
    /// The installed encoder, else the embedded one. Only the head of a model is checked: `mem doctor` reads all of it.
    pub fn choose(dirs: &Dirs) -> Self {
        let (encoder, fault) = match load_encoder(&dirs.recall_model()) {
            Ok(encoder) => (encoder.or_else(Encoder::embedded), None),
            Err(fault) => (Encoder::embedded(), Some(fault)),
        };
        Self { encoder, fault }
    }

    /// What to tell about a model that is not used.
    pub fn warning(&self) -> Option<String> {
        let fault = self.fault.as_ref()?;
        Some(format!("the embedded encoder is used: {fault}"))
    }
}

/// `None` where no model is installed.
fn load_encoder(path: &Path) -> Result<Option<&'static Encoder>, ModelFault> {
    let unreadable = |source| ModelFault::Unreadable {
        path: path.to_owned(),
        source,
    };
    let Some(file) = regular_file::if_there(regular_file::open(path)).map_err(unreadable)? else {
        return Ok(None);
    };
    let meta = file.metadata().map_err(unreadable)?;
    let modified = meta.modified().map_err(unreadable)?;
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((before, time, bytes, encoder)) = &*loaded
        && before == path
        && (*time, *bytes) == (modified, meta.len())
    {
        return Ok(Some(encoder));
    }
    let bytes = mapped_model::map_file(&file).map_err(unreadable)?;
    let model = read_model(bytes, path)?;
    let encoder: &'static Encoder = Box::leak(Box::new(Encoder::from_model(&model)));
    *loaded = Some((path.to_owned(), modified, meta.len(), encoder));
    Ok(Some(encoder))
}

fn read_model<'a>(bytes: &'a [u8], path: &Path) -> Result<ModelFile<'a>, ModelFault> {
    ModelFile::read(bytes).map_err(|source| ModelFault::Wrong {
        path: path.to_owned(),
        source,
    })
}

/// Checks all of a model file; its checksum is that of the file, of which the head has one of the rest.
///
/// # Errors
/// It is no model, is damaged, or another one than `wanted`, the SHA-256 of the file.
pub fn check_model(bytes: &[u8], path: &Path, wanted: Option<&str>) -> Result<String, ModelFault> {
    let model = read_model(bytes, path)?;
    let damaged = |found, expected| ModelFault::Damaged {
        path: path.to_owned(),
        found,
        expected,
    };
    let named: String = model
        .checksum()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let found = Sha256::digest(model.summed_bytes()).to_string();
    if found != named {
        return Err(damaged(found, named));
    }
    let whole = Sha256::digest(bytes).to_string();
    match wanted {
        Some(wanted) if !wanted.eq_ignore_ascii_case(&whole) => {
            Err(damaged(whole, wanted.to_owned()))
        }
        _ => Ok(whole),
    }
}

/// The installed model with its checksum; `None` where there is none.
///
/// # Errors
/// As [`check_model`], or it cannot be read.
pub fn installed_model(dirs: &Dirs) -> Result<Option<(u64, String)>, ModelFault> {
    let path = dirs.recall_model();
    let read = regular_file::if_there(regular_file::read(&path, MODEL_BYTES_MAX));
    let bytes = read.map_err(|source| ModelFault::Unreadable {
        path: path.clone(),
        source,
    })?;
    let Some(bytes) = bytes else { return Ok(None) };
    let checksum = check_model(&bytes, &path, None)?;
    Ok(Some((bytes.len() as u64, checksum)))
}
