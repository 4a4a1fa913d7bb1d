//! Master keys in a file that its owner alone may read.
//!
//! **Invariant:** at no moment is a key that something is wrapped by in no file. A new key is written in front of the old
//! ones before anything is wrapped by it; an old one is ended only by name, and never the first. Of two processes that
//! change the file at once each works on what the other left (`KeyFileLock`).
//! Tests: `key_file::tests::those_who_put_new_keys_at_once_lose_none`,
//! `key_file::tests::keys_that_end_are_in_no_file_and_the_first_one_stays`.

use std::fs::{self};
use std::io::{self, Write as _};
use std::path::Path;

use mem_core::{atomic, leftovers, regular_file};
use zeroize::Zeroizing;

use crate::key_file_lock::KeyFileLock;
use crate::{KeyId, MasterKey, MasterKeys, VaultError};

/// A file of keys is smaller.
const BYTES_MAX: u64 = 64 * 1024;

/// Reads the keys; `None` where there is no such file, or an empty one.
///
/// # Errors
/// Others may read it; it cannot be read, or is no file of keys.
pub fn read(path: &Path) -> Result<Option<MasterKeys>, VaultError> {
    Ok(match read_key_text(path)? {
        Some(text) => Some(MasterKeys::parse_keys(&text)?),
        None => None,
    })
}

/// Makes the file, with one new key, for its owner alone.
///
/// # Errors
/// [`VaultError::Exists`]: what is there is not touched. It cannot be written.
pub fn create_key_file(path: &Path) -> Result<MasterKeys, VaultError> {
    let _held = KeyFileLock::acquire(path)?;
    match fs::symlink_metadata(path) {
        // One that is empty may be open to others, and a replaced file keeps its mode.
        Ok(meta) if meta.is_file() && meta.len() == 0 => {
            fs::remove_file(path).map_err(io_error_at("remove", path))?;
        }
        Ok(_) => return Err(VaultError::Exists(path.to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(io_error_at("read", path)(error)),
    }
    let line = MasterKey::generate()?.to_line();
    write_keys(path, line.as_bytes())?;
    MasterKeys::parse_keys(&line)
}

/// Puts a new key before those that are there: it wraps from now on, the others still unwrap. Of several at the same
/// time each puts its own.
///
/// # Errors
/// There is no such file; as for [`read`]; there are too many; it cannot be written, and is then as it was.
pub fn renew_key_file(path: &Path) -> Result<MasterKeys, VaultError> {
    if read_key_text(path)?.is_none() {
        return Err(VaultError::NoMaster(None));
    }
    let _held = KeyFileLock::acquire(path)?;
    let before = read_key_text(path)?.ok_or(VaultError::NoMaster(None))?;
    let all = MasterKeys::prepend_new_key(&before)?;
    write_keys(path, all.as_bytes())?;
    MasterKeys::parse_keys(&all)
}

/// Ends some of the keys, but never the first one: what they wrapped cannot be read any more, wherever it is. The bytes
/// of the file of before are overwritten, as far as the file system writes in place.
///
/// # Errors
/// As for [`renew_key_file`].
pub fn end_keys(path: &Path, dropped: &[KeyId]) -> Result<MasterKeys, VaultError> {
    if read_key_text(path)?.is_none() {
        return Err(VaultError::NoMaster(None));
    }
    let _held = KeyFileLock::acquire(path)?;
    let before = read_key_text(path)?.ok_or(VaultError::NoMaster(None))?;
    let kept = MasterKeys::remove_keys(&before, dropped)?;
    // Opened before it is replaced: the handle still reaches the old bytes, which no name leads to afterwards. They are
    // overwritten last, when the kept keys are safe; a crash in between costs the overwriting and no key.
    let old = regular_file::overwrite(path);
    let mut old = old.map_err(io_error_at("open", path))?;
    write_keys(path, kept.as_bytes())?;
    let overwritten = old.write_all(&vec![0; before.len()]);
    let overwritten = overwritten.and_then(|()| old.sync_all());
    overwritten.map_err(io_error_at("overwrite", path))?;
    MasterKeys::parse_keys(&kept)
}

/// Ends copies of the keys that somebody was writing here when they were killed, and tells how many those were.
/// Those of a process that lives are not touched.
///
/// # Errors
/// One cannot be overwritten or removed.
pub fn end_copies(path: &Path) -> Result<usize, VaultError> {
    let mut count = 0;
    for copy in leftovers::beside(path.parent().unwrap_or(Path::new("."))) {
        // What is none is another file's.
        let Ok(bytes) = regular_file::read(&copy, BYTES_MAX).map(Zeroizing::new) else {
            continue;
        };
        if is_cut_keys(&bytes) {
            overwrite_and_remove(&copy, bytes.len())?;
            count += 1;
        }
    }
    Ok(count)
}

/// Whether this is the beginning of a file of keys.
fn is_cut_keys(bytes: &[u8]) -> bool {
    let is_digits = |line: &[u8]| line.len() <= 64 && line.iter().all(u8::is_ascii_hexdigit);
    let is_note = |line: &[u8]| line.starts_with(b"#");
    let mut lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.all(|line| is_digits(line) || is_note(line))
}

fn write_keys(path: &Path, keys: &[u8]) -> Result<(), VaultError> {
    let replaced = atomic::replace_file(path, keys);
    replaced.map_err(|error| io_error_at("write", path)(io::Error::other(error.to_string())))
}

/// Ends a file of keys: whatever they wrapped cannot be read any more, wherever it is. Its bytes are overwritten
/// first, as far as the file system writes in place; copies that were left beside it go too.
///
/// # Errors
/// It cannot be read as one, overwritten or removed.
pub fn destroy_key_file(path: &Path) -> Result<(), VaultError> {
    if path.parent().is_some_and(|folder| !folder.exists()) {
        return Ok(());
    }
    let _held = KeyFileLock::acquire(path)?;
    if let Some(keys) = read_key_text(path)? {
        // What is no file of keys is somebody's else.
        MasterKeys::parse_keys(&keys)?;
        overwrite_and_remove(path, keys.len())?;
    }
    end_copies(path).map(|_| ())
}

fn overwrite_and_remove(path: &Path, length: usize) -> Result<(), VaultError> {
    let file = regular_file::overwrite(path);
    let overwritten = file.and_then(|mut file| {
        file.write_all(&vec![0; length])?;
        file.sync_all()
    });
    overwritten.map_err(io_error_at("overwrite", path))?;
    fs::remove_file(path).map_err(io_error_at("remove", path))
}

fn read_key_text(path: &Path) -> Result<Option<Zeroizing<String>>, VaultError> {
    let bytes = match regular_file::read(path, BYTES_MAX) {
        // Somebody is making it, or what made it was interrupted.
        Ok(bytes) if bytes.is_empty() => return Ok(None),
        Ok(bytes) => Zeroizing::new(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io_error_at("read", path)(error)),
    };
    if is_open(path) {
        return Err(VaultError::Open(path.to_owned()));
    }
    let text = std::str::from_utf8(&bytes).map_err(|_| VaultError::KeyForm)?;
    Ok(Some(Zeroizing::new(text.to_owned())))
}

/// Whether others than the owner may read a file.
fn is_open(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        fs::metadata(path).is_ok_and(|meta| meta.mode() & 0o077 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

pub(crate) fn io_error_at(step: &'static str, path: &Path) -> impl FnOnce(io::Error) -> VaultError {
    let path = path.to_owned();
    move |source| VaultError::File {
        step,
        path,
        source: source.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_key_is_its_owners_alone_and_is_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys/master.key");
        assert!(read(&path).unwrap().is_none());
        let made = create_key_file(&path).unwrap();
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(matches!(create_key_file(&path), Err(VaultError::Exists(_))));
        assert_eq!(read(&path).unwrap().unwrap().key_ids(), made.key_ids());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(matches!(read(&path), Err(VaultError::Open(_))));
    }

    #[test]
    fn those_who_make_the_first_key_at_once_agree_on_it_and_an_empty_file_is_none() {
        let folder = tempfile::tempdir().unwrap();
        for round in 0..20 {
            let path = folder.path().join(format!("{round}.key"));
            if round % 2 == 0 {
                atomic::replace_file(&path, b"").unwrap();
                assert!(read(&path).unwrap().is_none());
            }
            let make = || match create_key_file(&path) {
                Ok(_) => 1,
                Err(VaultError::Exists(_)) => 0,
                Err(error) => panic!("{error}"),
            };
            let made: i32 = std::thread::scope(|scope| {
                let makers = [(); 4].map(|()| {
                    scope.spawn(|| {
                        // Whoever reads meanwhile has a whole key or none.
                        read(&path).unwrap();
                        let made = make();
                        assert_eq!(read(&path).unwrap().unwrap().key_ids().len(), 1);
                        made
                    })
                });
                makers.map(|maker| maker.join().unwrap()).iter().sum()
            });
            assert_eq!(made, 1);
            let mode = fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn a_new_key_goes_before_the_old_ones() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("master.key");
        assert!(matches!(
            renew_key_file(&path),
            Err(VaultError::NoMaster(_))
        ));
        let old = create_key_file(&path).unwrap().key_ids();
        let ids = renew_key_file(&path).unwrap().key_ids();
        assert_eq!((ids.len(), &ids[1..]), (2, &old[..]));
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn keys_that_end_are_in_no_file_and_the_first_one_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("master.key"), folder.path().join("link"));
        assert!(matches!(end_keys(&path, &[]), Err(VaultError::NoMaster(_))));
        create_key_file(&path).unwrap();
        renew_key_file(&path).unwrap();
        let noted = format!("# of the office\n{}", fs::read_to_string(&path).unwrap());
        atomic::replace_file(&path, noted.as_bytes()).unwrap();
        let ids = renew_key_file(&path).unwrap().key_ids();
        fs::hard_link(&path, &other).unwrap();
        let left = end_keys(&path, &[ids[0], ids[2]]).unwrap().key_ids();
        assert_eq!(left, ids[..2]);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("# of the office\n"));
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let old = fs::read(&other).unwrap();
        assert!(old.iter().all(|byte| *byte == 0));
    }

    #[test]
    fn those_who_put_new_keys_at_once_lose_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("master.key");
        let mut all = create_key_file(&path).unwrap().key_ids();
        let new: Vec<_> = std::thread::scope(|scope| {
            let renewers = [(); 8].map(|()| {
                scope.spawn(|| {
                    [(); 5].map(|()| *renew_key_file(&path).unwrap().key_ids().first().unwrap())
                })
            });
            let new = renewers.map(|renewer| renewer.join().unwrap());
            new.into_iter().flatten().collect()
        });
        all.extend(new);
        let mut kept = read(&path).unwrap().unwrap().key_ids();
        kept.sort();
        all.sort();
        assert_eq!(kept, all);
        let names = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(names, 1, "no lock stays beside it");
    }

    #[test]
    fn too_many_keys_are_refused_before_anything_is_written_and_are_read_still() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("master.key");
        let many = |count: usize| -> String {
            let keys = (0..count).map(|_| MasterKey::generate().unwrap().to_line());
            keys.map(|line| line.to_string()).collect()
        };
        atomic::replace_file(&path, many(499).as_bytes()).unwrap();
        assert_eq!(renew_key_file(&path).unwrap().key_ids().len(), 500);
        let before = fs::read(&path).unwrap();
        let refused = renew_key_file(&path).unwrap_err();
        assert!(matches!(refused, VaultError::Full(500)), "{refused}");
        assert!(mem_core::Diagnose::hint(&refused).is_some());
        assert_eq!(fs::read(&path).unwrap(), before);
        atomic::replace_file(&path, many(700).as_bytes()).unwrap();
        assert_eq!(read(&path).unwrap().unwrap().key_ids().len(), 700);
        destroy_key_file(&path).unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn copies_that_a_killed_process_left_end_with_the_keys_and_nothing_else_does() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("master.key");
        create_key_file(&path).unwrap();
        let mut dead = std::process::Command::new("true").spawn().unwrap();
        dead.wait().unwrap();
        let left = |number: usize, bytes: &[u8]| {
            let name = format!("{}{}-{number}", atomic::TEMP_PREFIX, dead.id());
            atomic::replace_file(&folder.path().join(&name), bytes).unwrap();
            folder.path().join(name)
        };
        let whole = fs::read(&path).unwrap();
        let (copy, cut) = (left(0, &whole), left(1, &whole[..40]));
        let other = left(2, b"[memory]\nwrite = \"auto\"\n");
        assert_eq!(end_copies(&path).unwrap(), 2);
        assert!(!copy.exists() && !cut.exists() && other.exists() && path.exists());
        let copy = left(3, &whole);
        destroy_key_file(&path).unwrap();
        assert!(!copy.exists() && !path.exists() && other.exists());
        // Nor does it take a key to find those that are left.
        let copy = left(4, &whole);
        destroy_key_file(&path).unwrap();
        assert!(!copy.exists());
    }

    #[test]
    fn a_destroyed_key_is_in_the_file_no_more_not_even_under_another_name() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("master.key"), folder.path().join("link"));
        create_key_file(&path).unwrap();
        fs::hard_link(&path, &other).unwrap();
        destroy_key_file(&path).unwrap();
        assert!(!path.exists());
        assert!(fs::read(&other).unwrap().iter().all(|byte| *byte == 0));
        destroy_key_file(&path).unwrap();
    }

    #[test]
    fn a_file_that_is_no_key_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        atomic::replace_file(&path, b"not a key\n").unwrap();
        assert!(matches!(read(&path), Err(VaultError::KeyForm)));
        assert!(matches!(renew_key_file(&path), Err(VaultError::KeyForm)));
        assert!(matches!(destroy_key_file(&path), Err(VaultError::KeyForm)));
        assert_eq!(fs::read(&path).unwrap(), b"not a key\n");
    }
}
