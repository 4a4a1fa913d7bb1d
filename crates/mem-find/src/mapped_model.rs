//! Has `unsafe` code: maps a model file. A prompt reads all of its layers once; copying fifty megabytes into fresh
//! memory first would take longer than finding its notes does.

use std::fs::File;
use std::io;

/// The bytes of a file for as long as the process lives.
///
/// The file has to be one that is replaced by rename only, and never written or cut short in place.
///
/// # Errors
/// It cannot be read.
#[cfg(unix)]
pub(super) fn map_file(file: &File) -> io::Result<&'static [u8]> {
    use rustix::mm::{MapFlags, ProtFlags, mmap};

    let bytes = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
    if bytes == 0 {
        return Ok(&[]);
    }
    #[expect(
        unsafe_code,
        reason = "the mapping is private, read only and never unmapped, and its file is never written in place"
    )]
    // SAFETY: the system chooses a place that nothing else has; as long as the file is not cut short, which is what the
    // caller vouches for, all of it can be read for ever.
    unsafe {
        let start = mmap(
            std::ptr::null_mut(),
            bytes,
            ProtFlags::READ,
            MapFlags::PRIVATE,
            file,
            0,
        )?;
        Ok(std::slice::from_raw_parts(start.cast::<u8>(), bytes))
    }
}

/// The same where files are not mapped: they are read.
#[cfg(not(unix))]
pub(super) fn map_file(mut file: &File) -> io::Result<&'static [u8]> {
    use std::io::Read as _;

    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes.leak())
}
