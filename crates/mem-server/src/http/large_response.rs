//! A large answer: sent in pieces, and kept for as long as its reader keeps up.
//!
//! Who takes a little now and then would otherwise hold the memory, and the turn, for as long as they like. A limit for
//! each write alone does not end that: one byte within it is enough. So the whole has a time by its size as well.
//! Test: `http::large_response::tests::a_reader_that_keeps_up_gets_all_and_one_that_dawdles_gives_its_turn_back`.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::response::Response;
use futures_util::{StreamExt as _, stream};

use super::json;
use crate::locks::lock;

/// Pieces that it is sent in.
const PIECE_BYTES: usize = 64 * 1024;
/// What a reader has to take in a second.
const PACE_BYTES: usize = 256 * 1024;

/// Smaller answers need no turn to be held for them while they are sent.
const SMALL_BYTES_MAX: usize = 1024 * 1024;

/// JSON as an answer, whatever its size.
pub(crate) fn told(bytes: Vec<u8>, turn: impl Send + 'static, patience: Duration) -> Response {
    let mut response = json(Vec::new(), None);
    *response.body_mut() = sized(bytes, turn, patience);
    response
}

/// A body that keeps its turn for as long as it is sent, if it is large.
pub(crate) fn sized<T: Send + 'static>(bytes: Vec<u8>, turn: T, patience: Duration) -> Body {
    match bytes.len() > SMALL_BYTES_MAX {
        true => body(bytes, turn, patience),
        false => Body::from(bytes),
    }
}

/// What is to be sent, with the turn that goes back when it has been, or given up.
type Whole<T> = Mutex<Option<(Vec<u8>, T)>>;

/// A body that breaks off when its reader is slower than the pace for longer than `patience`.
fn body<T: Send + 'static>(bytes: Vec<u8>, turn: T, patience: Duration) -> Body {
    let all = patience + time_for(bytes.len());
    let whole: Arc<Whole<T>> = Arc::new(Mutex::new(Some((bytes, turn))));
    // Weak: an answer that was sent frees the memory at once, and the timer finds nothing.
    let kept = Arc::downgrade(&whole);
    tokio::spawn(async move {
        tokio::time::sleep(all).await;
        if let Some(whole) = kept.upgrade() {
            lock(&whole).take();
        }
    });
    let pieces = stream::unfold((whole, 0), async |(whole, at)| {
        let piece = piece(&whole, at)?;
        let next = at + piece.as_ref().map_or(0, Bytes::len);
        Some((piece, (whole, next)))
    });
    // What packs an answer asks once more after its end.
    Body::from_stream(pieces.fuse())
}

/// What a reader may take for so many bytes.
fn time_for(bytes: usize) -> Duration {
    Duration::from_secs((bytes / PACE_BYTES) as u64)
}

/// A copy, so that nothing holds the whole but its owner. `None` at the end.
fn piece<T>(whole: &Whole<T>, at: usize) -> Option<io::Result<Bytes>> {
    match &*lock(whole) {
        Some((bytes, _)) => {
            let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
            let piece = &rest[..rest.len().min(PIECE_BYTES)];
            Some(Ok(Bytes::copy_from_slice(piece)))
        }
        None => Some(Err(io::ErrorKind::TimedOut.into())),
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;
    use tokio::sync::Semaphore;

    use super::*;

    #[tokio::test]
    async fn a_large_answer_may_be_asked_for_more_after_its_end() {
        let turns = Arc::new(Semaphore::new(1));
        let turn = Arc::clone(&turns).acquire_owned().await.unwrap();
        let body = body(vec![7; PIECE_BYTES + 1], turn, Duration::from_secs(30));
        let mut stream = body.into_data_stream();
        let mut bytes = 0;
        while let Some(piece) = stream.next().await {
            bytes += piece.unwrap().len();
        }
        assert_eq!((bytes, turns.available_permits()), (PIECE_BYTES + 1, 1));
        assert!(stream.next().await.is_none());
    }

    #[tokio::test]
    async fn a_reader_that_keeps_up_gets_all_and_one_that_dawdles_gives_its_turn_back() {
        let turns = Arc::new(Semaphore::new(1));
        let turn = || Arc::clone(&turns).acquire_owned();
        let bytes = vec![7; 3 * PIECE_BYTES + 1];
        let patience = Duration::from_secs(30);
        let quick = body(bytes.clone(), turn().await.unwrap(), patience);
        assert_eq!(quick.collect().await.unwrap().to_bytes(), bytes);
        let mut slow = body(bytes, turn().await.unwrap(), Duration::ZERO);
        // Another gets the turn although this one is still being read.
        drop(turn().await.unwrap());
        assert!(slow.frame().await.unwrap().is_err());
    }
}
