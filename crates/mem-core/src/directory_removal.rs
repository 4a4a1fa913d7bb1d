//! Removing a folder that somebody may still be writing into: what comes in between is removed with the rest.

use std::fs;
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// So often it is tried; whoever still writes after that is no latecomer.
const TRIES_MAX: u32 = 50;
/// Between two tries.
const PAUSE: Duration = Duration::from_millis(10);

/// Removes a folder with all that is in it. One that is not there is no error.
pub(crate) fn remove(folder: &Path) -> io::Result<()> {
    let mut tries = 0;
    loop {
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && !folder.exists() => {
                return Ok(());
            }
            Err(error) if is_of_latecomer(&error) && tries < TRIES_MAX => {
                tries += 1;
                thread::sleep(PAUSE);
            }
            removed => return removed,
        }
    }
}

fn is_of_latecomer(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::NotFound
    )
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn a_folder_goes_while_somebody_writes_into_it() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("state");
        for number in 0..200 {
            fs::create_dir_all(folder.join(format!("d{number}"))).unwrap();
        }
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                for number in 0..2_000 {
                    let _ = fs::File::create(folder.join(format!("late{number}")));
                }
                is_over.store(true, Ordering::SeqCst);
            });
            let removed = remove(&folder);
            assert!(removed.is_ok(), "{removed:?}");
        });
        assert!(is_over.load(Ordering::SeqCst) && !folder.exists());
        remove(&folder).unwrap();
    }
}
