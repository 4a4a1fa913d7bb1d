//! What came instead of an answer: nothing, too little, too much, or a line that broke.

use std::error::Error;
use std::io::{self, ErrorKind};

use crate::mask::sanitize_reply;

/// No answer, or no end of it that anybody waits for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// Nothing came.
    #[error("it did not answer in time")]
    Silent,
    /// Something came, and not enough to go on waiting.
    #[error("it sent {bytes} bytes of its answer in {seconds} seconds")]
    Slow {
        /// So much, since enough came last.
        bytes: usize,
        /// In such a time.
        seconds: u64,
    },
    /// The connection was not made, or broke. What was asked may have been done.
    #[error("{0}")]
    Broken(String),
    /// The line held, and what came over it is no packed answer.
    #[error("its answer cannot be unpacked: {0}")]
    Garbled(String),
    /// It is over its limit, and was not read to its end.
    #[error("its answer is longer than {bytes_max} bytes")]
    TooLong {
        /// The limit.
        bytes_max: usize,
    },
}

impl From<reqwest::Error> for LineFault {
    /// Without the address, and with what the system says.
    fn from(error: reqwest::Error) -> Self {
        if error.is_timeout() {
            return Self::Silent;
        }
        let error = error.without_url();
        let mut cause: &(dyn Error + 'static) = &error;
        while let Some(source) = cause.source() {
            cause = source;
        }
        let is_garbled = error.is_decode() && is_of_packing(cause);
        let cause = sanitize_reply(&cause.to_string(), None);
        match is_garbled {
            true => Self::Garbled(cause),
            false => Self::Broken(cause),
        }
    }
}

/// Whether it is about the bytes themselves: a line that breaks while they come is told as an error of unpacking, too,
/// and its end brings an error of its own along.
fn is_of_packing(cause: &(dyn Error + 'static)) -> bool {
    let Some(cause) = cause.downcast_ref::<io::Error>() else {
        return false;
    };
    match cause.kind() {
        ErrorKind::InvalidData | ErrorKind::InvalidInput => true,
        ErrorKind::UnexpectedEof => cause.get_ref().is_none(),
        _ => false,
    }
}
