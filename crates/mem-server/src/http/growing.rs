//! An answer that is sent while it is made.
//!
//! It is made as fast as it can be and kept until its reader has it, or is too slow for it, as every large answer is.
//! One that cannot be made to its end breaks off: it must not look whole.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures_util::{StreamExt as _, stream};
use tokio::sync::{Notify, oneshot};

use super::large;
use crate::storage::StorageError;

/// What there is of an answer, with the turn that goes back when it has been sent, or given up.
#[derive(Debug)]
struct Made<T> {
    pieces: VecDeque<Bytes>,
    /// Whether it is whole, once it grows no more.
    is_whole: Option<bool>,
    _turn: T,
}

#[derive(Debug)]
struct Growing<T> {
    /// `None` once it is given up.
    made: Mutex<Option<Made<T>>>,
    news: Notify,
}

/// The end that makes it.
#[derive(Debug)]
pub(crate) struct Teller<T> {
    stage: Stage<T>,
    bytes: usize,
}

#[derive(Debug)]
enum Stage<T> {
    /// Somebody waits to hear what comes: with the first piece, which may be all.
    Waited(
        oneshot::Sender<Result<Body, StorageError>>,
        T,
        Option<Vec<u8>>,
    ),
    /// It is being sent.
    Sent(Weak<Growing<T>>),
    /// Nobody is there any more.
    Gone,
}

/// An answer to be made, and the body of it: of a known size where there is little of it, or why it is none.
pub(crate) fn growing<T>(turn: T) -> (Teller<T>, oneshot::Receiver<Result<Body, StorageError>>) {
    let (waited, waiting) = oneshot::channel();
    let teller = Teller {
        stage: Stage::Waited(waited, turn, None),
        bytes: 0,
    };
    (teller, waiting)
}

impl<T: Send + 'static> Teller<T> {
    /// Adds a piece; `false` where nobody listens any more.
    pub(crate) fn hear(&mut self, piece: Vec<u8>) -> bool {
        self.bytes += piece.len();
        self.stage = match std::mem::replace(&mut self.stage, Stage::Gone) {
            Stage::Waited(waited, turn, None) if !waited.is_closed() => {
                Stage::Waited(waited, turn, Some(piece))
            }
            Stage::Waited(waited, turn, Some(first)) => begin(waited, turn, [first, piece]),
            Stage::Sent(growing) => match growing.upgrade() {
                Some(grown) => grown.add(piece, growing),
                None => Stage::Gone,
            },
            Stage::Waited(..) | Stage::Gone => Stage::Gone,
        };
        !matches!(self.stage, Stage::Gone)
    }

    /// Says that this was all of it, or why it will not be. It is kept no longer than `patience` and what a large
    /// answer may take.
    pub(crate) async fn end(mut self, made: Result<(), StorageError>, patience: Duration) {
        let pace = large::time_for(self.bytes);
        let growing = match std::mem::replace(&mut self.stage, Stage::Gone) {
            Stage::Waited(waited, _, first) => {
                let all = made.map(|()| Body::from(first.unwrap_or_default()));
                // Nobody may be there to take it.
                let _ = waited.send(all);
                return;
            }
            Stage::Sent(growing) => growing,
            Stage::Gone => return,
        };
        settle(&growing, made.is_ok());
        tokio::time::sleep(patience + pace).await;
        if let Some(growing) = growing.upgrade() {
            growing.lock().take();
            growing.news.notify_one();
        }
    }
}

impl<T> Drop for Teller<T> {
    fn drop(&mut self) {
        if let Stage::Sent(growing) = &self.stage {
            settle(growing, false);
        }
    }
}

/// Whoever reads it learns that nothing more comes.
fn settle<T>(growing: &Weak<Growing<T>>, is_whole: bool) {
    let Some(growing) = growing.upgrade() else {
        return;
    };
    if let Some(made) = &mut *growing.lock() {
        made.is_whole = Some(is_whole);
    }
    growing.news.notify_one();
}

/// Hands over the body of an answer that is not whole yet.
fn begin<T: Send + 'static>(
    waited: oneshot::Sender<Result<Body, StorageError>>,
    turn: T,
    pieces: [Vec<u8>; 2],
) -> Stage<T> {
    let made = Made {
        pieces: pieces.map(Bytes::from).into(),
        is_whole: None,
        _turn: turn,
    };
    let growing = Arc::new(Growing {
        made: Mutex::new(Some(made)),
        news: Notify::new(),
    });
    let weak = Arc::downgrade(&growing);
    let pieces = stream::unfold(growing, async |growing| {
        let piece = growing.next().await?;
        Some((piece, growing))
    });
    // What packs an answer asks once more after its end.
    match waited.send(Ok(Body::from_stream(pieces.fuse()))) {
        Ok(()) => Stage::Sent(weak),
        Err(_) => Stage::Gone,
    }
}

impl<T> Growing<T> {
    fn lock(&self) -> MutexGuard<'_, Option<Made<T>>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, piece: Vec<u8>, weak: Weak<Self>) -> Stage<T> {
        match &mut *self.lock() {
            Some(made) => made.pieces.push_back(piece.into()),
            None => return Stage::Gone,
        }
        self.news.notify_one();
        Stage::Sent(weak)
    }

    /// What is sent next; `None` at the end of a whole answer.
    async fn next(&self) -> Option<io::Result<Bytes>> {
        loop {
            match &mut *self.lock() {
                None => return Some(Err(io::ErrorKind::TimedOut.into())),
                Some(made) => match (made.pieces.pop_front(), made.is_whole) {
                    (Some(piece), _) => return Some(Ok(piece)),
                    (None, Some(true)) => return None,
                    (None, Some(false)) => {
                        return Some(Err(io::Error::other("it cannot be made to its end")));
                    }
                    (None, None) => {}
                },
            }
            self.news.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;
    use tokio::sync::Semaphore;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(30);

    fn silent() -> StorageError {
        StorageError::silent()
    }

    #[tokio::test]
    async fn it_is_sent_while_it_is_made_and_the_turn_goes_back_at_its_end() {
        let turns = Arc::new(Semaphore::new(1));
        let turn = Arc::clone(&turns).acquire_owned().await.unwrap();
        let (mut teller, waiting) = growing(turn);
        assert!(teller.hear(b"one".to_vec()) && teller.hear(b"two".to_vec()));
        let mut body = waiting.await.unwrap().unwrap();
        for piece in ["one", "two"] {
            assert_eq!(
                body.frame().await.unwrap().unwrap().into_data().unwrap(),
                piece
            );
        }
        let rest = tokio::spawn(body.collect());
        assert!(teller.hear(b"three".to_vec()));
        let ending = tokio::spawn(teller.end(Ok(()), PATIENCE));
        assert_eq!(rest.await.unwrap().unwrap().to_bytes(), "three");
        assert_eq!(turns.available_permits(), 1);
        ending.abort();
    }

    #[tokio::test]
    async fn a_small_one_has_its_size_and_one_that_fails_at_once_says_why() {
        let (mut teller, waiting) = growing(());
        assert!(teller.hear(b"all".to_vec()));
        teller.end(Ok(()), PATIENCE).await;
        let body = waiting.await.unwrap().unwrap();
        assert_eq!(axum::body::HttpBody::size_hint(&body).exact(), Some(3));
        let (mut teller, waiting) = growing(());
        assert!(teller.hear(b"not all".to_vec()));
        teller.end(Err(silent()), PATIENCE).await;
        assert!(waiting.await.unwrap().is_err());
    }

    #[tokio::test]
    async fn one_that_fails_later_or_is_left_breaks_off() {
        for is_left in [false, true] {
            let (mut teller, waiting) = growing(());
            assert!(teller.hear(b"one".to_vec()) && teller.hear(b"two".to_vec()));
            let body = waiting.await.unwrap().unwrap();
            let rest = tokio::spawn(body.collect());
            match is_left {
                true => drop(teller),
                false => drop(tokio::spawn(teller.end(Err(silent()), PATIENCE))),
            }
            assert!(rest.await.unwrap().is_err(), "{is_left}");
        }
    }

    #[tokio::test]
    async fn a_reader_who_is_too_slow_or_gone_ends_it() {
        let turns = Arc::new(Semaphore::new(1));
        let turn = || Arc::clone(&turns).acquire_owned();
        let (mut teller, waiting) = growing(turn().await.unwrap());
        assert!(teller.hear(b"one".to_vec()) && teller.hear(b"two".to_vec()));
        let mut slow = waiting.await.unwrap().unwrap();
        teller.end(Ok(()), Duration::ZERO).await;
        drop(turn().await.unwrap());
        assert!(slow.frame().await.unwrap().is_err());
        let (mut teller, waiting) = growing(turn().await.unwrap());
        assert!(teller.hear(b"one".to_vec()) && teller.hear(b"two".to_vec()));
        drop(waiting);
        assert!(!teller.hear(b"three".to_vec()));
        assert_eq!(turns.available_permits(), 1);
    }
}
