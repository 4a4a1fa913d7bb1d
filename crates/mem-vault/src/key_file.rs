//! Master keys in a file that its owner alone may read.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use mem_core::{atomic, regular_file};
use zeroize::Zeroizing;

use crate::{MasterKey, MasterKeys, VaultError};

/// A file of keys is smaller.
const BYTES_MAX: u64 = 64 * 1024;

/// Reads the keys; `None` where there is no such file, or an empty one.
///
/// # Errors
/// Others may read it; it cannot be read, or is no file of keys.
pub fn read(path: &Path) -> Result<Option<MasterKeys>, VaultError> {
    Ok(match text(path)? {
        Some(text) => Some(MasterKeys::parse(&text)?),
        None => None,
    })
}

/// Makes the file, with one new key, for its owner alone.
///
/// # Errors
/// [`VaultError::Exists`]: what is there is not touched. It cannot be written.
pub fn create(path: &Path) -> Result<MasterKeys, VaultError> {
    if let Some(folder) = path.parent() {
        atomic::create_dirs(folder).map_err(at("make the folder of", path))?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // An empty file is the lock of those who make the first key at the same time: it is replaced once, by a whole one.
    let file = options.open(path).map_err(at("make", path))?;
    file.lock().map_err(at("lock", path))?;
    if fs::metadata(path).map_err(at("read", path))?.len() > 0 {
        return Err(VaultError::Exists(path.to_owned()));
    }
    let line = MasterKey::generate()?.to_line();
    #[cfg(unix)]
    {
        let own = <fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o600);
        file.set_permissions(own).map_err(at("make", path))?;
    }
    put(path, line.as_bytes())?;
    MasterKeys::parse(&line)
}

/// Puts a new key before those that are there: it wraps from now on, the others still unwrap.
///
/// # Errors
/// There is no such file; as for [`read`]; it cannot be written, and is then as it was.
pub fn renew(path: &Path) -> Result<MasterKeys, VaultError> {
    let before = text(path)?.ok_or(VaultError::NoMaster(None))?;
    MasterKeys::parse(&before)?;
    let line = MasterKey::generate()?.to_line();
    let all = Zeroizing::new(format!("{}{}", *line, *before));
    put(path, all.as_bytes())?;
    MasterKeys::parse(&all)
}

fn put(path: &Path, keys: &[u8]) -> Result<(), VaultError> {
    let replaced = atomic::replace(path, keys);
    replaced.map_err(|error| at("write", path)(io::Error::other(error.to_string())))
}

/// Ends a file of keys: whatever they wrapped cannot be read any more, wherever it is. Its bytes are overwritten
/// first, as far as the file system writes in place.
///
/// # Errors
/// It cannot be read as one, overwritten or removed.
pub fn destroy(path: &Path) -> Result<(), VaultError> {
    let Some(keys) = text(path)? else {
        return Ok(());
    };
    // What is no file of keys is somebody's else.
    MasterKeys::parse(&keys)?;
    let file = OpenOptions::new().write(true).open(path);
    let overwritten = file.and_then(|mut file| {
        file.write_all(&vec![0; keys.len()])?;
        file.sync_all()
    });
    overwritten.map_err(at("overwrite", path))?;
    fs::remove_file(path).map_err(at("remove", path))
}

fn text(path: &Path) -> Result<Option<Zeroizing<String>>, VaultError> {
    let bytes = match regular_file::read(path, BYTES_MAX) {
        // Somebody is making it, or what made it was interrupted.
        Ok(bytes) if bytes.is_empty() => return Ok(None),
        Ok(bytes) => Zeroizing::new(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(at("read", path)(error)),
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

fn at(step: &'static str, path: &Path) -> impl FnOnce(io::Error) -> VaultError {
    let path = path.to_owned();
    move |source| VaultError::File { step, path, source }
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
        let made = create(&path).unwrap();
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(matches!(create(&path), Err(VaultError::Exists(_))));
        assert_eq!(read(&path).unwrap().unwrap().ids(), made.ids());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(matches!(read(&path), Err(VaultError::Open(_))));
    }

    #[test]
    fn those_who_make_the_first_key_at_once_agree_on_it_and_an_empty_file_is_none() {
        let folder = tempfile::tempdir().unwrap();
        for round in 0..20 {
            let path = folder.path().join(format!("{round}.key"));
            if round % 2 == 0 {
                atomic::replace(&path, b"").unwrap();
                assert!(read(&path).unwrap().is_none());
            }
            let make = || match create(&path) {
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
                        assert_eq!(read(&path).unwrap().unwrap().ids().len(), 1);
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
        assert!(matches!(renew(&path), Err(VaultError::NoMaster(_))));
        let old = create(&path).unwrap().ids();
        let ids = renew(&path).unwrap().ids();
        assert_eq!((ids.len(), &ids[1..]), (2, &old[..]));
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_destroyed_key_is_in_the_file_no_more_not_even_under_another_name() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("master.key"), folder.path().join("link"));
        create(&path).unwrap();
        fs::hard_link(&path, &other).unwrap();
        destroy(&path).unwrap();
        assert!(!path.exists());
        assert!(fs::read(&other).unwrap().iter().all(|byte| *byte == 0));
        destroy(&path).unwrap();
    }

    #[test]
    fn a_file_that_is_no_key_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        atomic::replace(&path, b"not a key\n").unwrap();
        assert!(matches!(read(&path), Err(VaultError::KeyForm)));
        assert!(matches!(renew(&path), Err(VaultError::KeyForm)));
        assert!(matches!(destroy(&path), Err(VaultError::KeyForm)));
        assert_eq!(fs::read(&path).unwrap(), b"not a key\n");
    }
}
