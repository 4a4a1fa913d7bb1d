//! Questions of one kind that come at once are asked together: one statement answers all that wait.
//!
//! What a statement looks up by a key costs little beside the statement itself: a connection, a round trip, threads
//! that hand over to each other. So one is under way at a time, and the next one takes along all who came meanwhile;
//! only where many wait, or where a statement takes long, there are a few. Nobody is answered by a statement that began
//! before they asked.

use std::collections::VecDeque;
use std::fmt::Debug;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::StorageError;

/// Keys of one statement.
pub(super) const KEYS_MAX: usize = 32;

/// So many questions are worth another statement while one is under way.
const MANY: usize = 16;
/// Nobody waits for a statement that takes longer: the next one begins beside it.
const PATIENCE: Duration = Duration::from_millis(1);

/// What one statement can look up for many.
pub(super) trait LookUp: Debug + Send + Sync + 'static {
    /// What all questions of one statement share.
    type Kind: Debug + Eq + Send + Sync + 'static;
    /// What is looked up.
    type Key: Debug + Eq + Send + Sync + 'static;
    /// What is found of a key.
    type Found: Clone + Debug + Send + 'static;

    /// Asks for different keys, [`KEYS_MAX`] at most; what is found is in their order.
    fn look_up(
        &self,
        kind: &Self::Kind,
        keys: &[Self::Key],
    ) -> impl Future<Output = Result<Vec<Self::Found>, StorageError>> + Send;
}

/// Questions that wait, and those that are being answered. Clones share them.
#[derive(Debug)]
pub(super) struct Together<L: LookUp>(Arc<Desk<L>>);

#[derive(Debug)]
struct Desk<L: LookUp> {
    look_up: L,
    /// Statements at a time.
    at_once: usize,
    deadline: Duration,
    state: Mutex<State<L>>,
}

#[derive(Debug)]
struct State<L: LookUp> {
    under_way: usize,
    /// Those of them that take long.
    slow: usize,
    waiting: VecDeque<Batch<L>>,
    /// Questions in it.
    questions: usize,
}

type Reply<L> = oneshot::Sender<Result<<L as LookUp>::Found, StorageError>>;

/// Questions of one statement.
#[derive(Debug)]
struct Batch<L: LookUp> {
    kind: L::Kind,
    keys: Vec<L::Key>,
    /// Of each key.
    replies: Vec<Vec<Reply<L>>>,
}

impl<L: LookUp> Together<L> {
    /// Asks with so many statements at a time, each of which may take so long.
    pub(super) fn new(look_up: L, at_once: usize, deadline: Duration) -> Self {
        let state = State {
            under_way: 0,
            slow: 0,
            waiting: VecDeque::new(),
            questions: 0,
        };
        Self(Arc::new(Desk {
            look_up,
            at_once,
            deadline,
            state: Mutex::new(state),
        }))
    }

    /// What is found of a key. To be asked within a runtime.
    ///
    /// # Errors
    /// Those of the statement.
    pub(super) async fn ask(&self, kind: L::Kind, key: L::Key) -> Result<L::Found, StorageError> {
        let (reply, answer) = oneshot::channel();
        if self.0.state().wait(kind, key, reply, self.0.at_once) {
            // Whoever asked may go away; those who wait with them are answered all the same.
            tokio::spawn(work(Arc::clone(&self.0)));
        }
        let failed = |_| StorageError::of(sqlx::Error::PoolClosed);
        answer.await.map_err(failed)?
    }
}

impl<L: LookUp> Desk<L> {
    fn state(&self) -> MutexGuard<'_, State<L>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<L: LookUp> State<L> {
    /// Takes a question in, and says whether somebody else has to begin to work.
    fn wait(&mut self, kind: L::Kind, key: L::Key, reply: Reply<L>, at_once: usize) -> bool {
        let mut of_kind = self.waiting.iter_mut().filter(|batch| batch.kind == kind);
        match of_kind.find_map(|batch| Some((batch.place(&key)?, batch))) {
            Some((place, batch)) => batch.add(place, key, reply),
            None => self.waiting.push_back(Batch {
                kind,
                keys: vec![key],
                replies: vec![vec![reply]],
            }),
        }
        self.questions += 1;
        let is_worth_it = self.under_way == self.slow || self.questions >= MANY;
        is_worth_it && self.begin(at_once)
    }

    /// Whether somebody else is to begin to work.
    fn begin(&mut self, at_once: usize) -> bool {
        let begins = self.under_way < at_once;
        self.under_way += usize::from(begins);
        begins
    }

    /// A statement takes long: who waits does not wait for it. Says whether somebody else has to begin to work.
    fn slow_down(&mut self, at_once: usize) -> bool {
        self.slow += 1;
        !self.waiting.is_empty() && self.begin(at_once)
    }

    /// The next statement; without one its worker has ended.
    fn next(&mut self) -> Option<Batch<L>> {
        let next = self.waiting.pop_front();
        self.under_way -= usize::from(next.is_none());
        self.questions -= next.as_ref().map_or(0, Batch::questions);
        next
    }
}

impl<L: LookUp> Batch<L> {
    /// Where a key is or has room.
    fn place(&self, key: &L::Key) -> Option<usize> {
        let place = self.keys.iter().position(|one| one == key);
        place.or((self.keys.len() < KEYS_MAX).then_some(self.keys.len()))
    }

    fn questions(&self) -> usize {
        self.replies.iter().map(Vec::len).sum()
    }

    fn add(&mut self, place: usize, key: L::Key, reply: Reply<L>) {
        match self.replies.get_mut(place) {
            Some(replies) => replies.push(reply),
            None => {
                self.keys.push(key);
                self.replies.push(vec![reply]);
            }
        }
    }
}

/// Answers what waits, until nothing does.
async fn work<L: LookUp>(desk: Arc<Desk<L>>) {
    loop {
        let Some(batch) = desk.state().next() else {
            return;
        };
        // A bug in one statement leaves its questions without an answer, and goes on with the others.
        let mut answering = pin!(AssertUnwindSafe(answer(&desk, batch)).catch_unwind());
        if timeout(PATIENCE, &mut answering).await.is_err() {
            if desk.state().slow_down(desk.at_once) {
                help(&desk);
            }
            let _ = answering.await;
            desk.state().slow -= 1;
        }
    }
}

/// Has somebody else work too. Boxed, because they may have somebody work in their turn.
fn help<L: LookUp>(desk: &Arc<Desk<L>>) {
    let working: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(work(Arc::clone(desk)));
    tokio::spawn(working);
}

async fn answer<L: LookUp>(desk: &Desk<L>, batch: Batch<L>) {
    match asked(desk, &batch.kind, &batch.keys).await {
        Ok(found) => {
            for (found, replies) in std::iter::zip(found, batch.replies) {
                tell(&Ok(found), replies);
            }
        }
        // What fails for one must not fail for all: one after the other.
        Err(error) if batch.keys.len() > 1 && !error.is_transient() => {
            for (key, replies) in std::iter::zip(batch.keys, batch.replies) {
                let found = asked(desk, &batch.kind, &[key]).await;
                tell(&found.and_then(only), replies);
            }
        }
        Err(error) => tell(&Err(error), batch.replies.into_iter().flatten()),
    }
}

async fn asked<L: LookUp>(
    desk: &Desk<L>,
    kind: &L::Kind,
    keys: &[L::Key],
) -> Result<Vec<L::Found>, StorageError> {
    let asked = timeout(desk.deadline, desk.look_up.look_up(kind, keys)).await;
    asked.unwrap_or_else(|_| Err(StorageError::silent()))
}

fn only<T>(found: Vec<T>) -> Result<T, StorageError> {
    let only = found.into_iter().next();
    only.ok_or(StorageError::Corrupt("no outcome"))
}

/// Tells all who asked for one key, who may be gone.
fn tell<T: Clone>(
    found: &Result<T, StorageError>,
    replies: impl IntoIterator<Item = oneshot::Sender<Result<T, StorageError>>>,
) {
    for reply in replies {
        let alike = match found {
            Ok(found) => Ok(found.clone()),
            Err(error) => Err(error.alike()),
        };
        let _ = reply.send(alike);
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::Semaphore;

    use super::*;

    /// The kind and the keys of each.
    type Statements = Arc<Mutex<Vec<(u8, Vec<u32>)>>>;

    /// Counts its statements, each of which waits for a turn.
    #[derive(Debug)]
    struct Counted {
        turns: Arc<Semaphore>,
        statements: Statements,
    }

    impl LookUp for Counted {
        type Kind = u8;
        type Key = u32;
        type Found = u32;

        async fn look_up(&self, kind: &u8, keys: &[u32]) -> Result<Vec<u32>, StorageError> {
            self.statements.lock().unwrap().push((*kind, keys.to_vec()));
            self.turns.acquire().await.unwrap().forget();
            match keys {
                _ if keys.contains(&13) => Err(StorageError::Corrupt("thirteen")),
                [7] => panic!("a bug"),
                keys => Ok(keys.iter().map(|key| key * 10).collect()),
            }
        }
    }

    struct Bed {
        together: Arc<Together<Counted>>,
        turns: Arc<Semaphore>,
        statements: Statements,
    }

    fn bed(at_once: usize) -> Bed {
        let (turns, statements) = (Arc::new(Semaphore::new(0)), Arc::default());
        let counted = Counted {
            turns: Arc::clone(&turns),
            statements: Arc::clone(&statements),
        };
        let together = Together::new(counted, at_once, Duration::from_secs(60));
        Bed {
            together: Arc::new(together),
            turns,
            statements,
        }
    }

    impl Bed {
        fn ask(&self, kind: u8, key: u32) -> tokio::task::JoinHandle<Result<u32, StorageError>> {
            let together = Arc::clone(&self.together);
            tokio::spawn(async move { together.ask(kind, key).await })
        }

        /// Lets every other task come as far as it can.
        async fn settle(&self) {
            for _ in 0..200 {
                tokio::task::yield_now().await;
            }
        }
    }

    #[tokio::test]
    async fn who_comes_while_a_statement_is_under_way_is_answered_by_the_next_one() {
        let bed = bed(1);
        let first = bed.ask(1, 1);
        bed.settle().await;
        let same = bed.ask(1, 1);
        let others = [2, 3, 3].map(|key| bed.ask(1, key));
        let other_kind = bed.ask(2, 1);
        bed.settle().await;
        assert_eq!(*bed.statements.lock().unwrap(), [(1, vec![1])]);
        bed.turns.add_permits(3);
        assert_eq!(first.await.unwrap().unwrap(), 10);
        assert_eq!(same.await.unwrap().unwrap(), 10);
        for (answer, is) in std::iter::zip(others, [20, 30, 30]) {
            assert_eq!(answer.await.unwrap().unwrap(), is);
        }
        assert_eq!(other_kind.await.unwrap().unwrap(), 10);
        // The one that was under way told nobody who came after it had begun.
        let asked = bed.statements.lock().unwrap().clone();
        assert_eq!(asked, [(1, vec![1]), (1, vec![1, 2, 3]), (2, vec![1])]);
    }

    #[tokio::test]
    async fn who_comes_while_a_statement_hangs_does_not_wait_for_it() {
        let bed = bed(2);
        let first = bed.ask(1, 1);
        bed.settle().await;
        let waits = bed.ask(1, 2);
        // Time goes by until the second has begun beside the first, which goes on hanging.
        while bed.statements.lock().unwrap().len() < 2 {
            tokio::task::yield_now().await;
        }
        bed.turns.add_permits(2);
        assert_eq!(first.await.unwrap().unwrap(), 10);
        assert_eq!(waits.await.unwrap().unwrap(), 20);
        bed.settle().await;
        let state = bed.together.0.state();
        assert_eq!((state.under_way, state.slow, state.questions), (0, 0, 0));
    }

    #[tokio::test]
    async fn no_statement_has_more_keys_than_it_may_and_nobody_is_left_out() {
        let bed = bed(2);
        bed.turns.add_permits(1000);
        let all: Vec<_> = (100..400).map(|key| bed.ask(1, key)).collect();
        for (key, answer) in std::iter::zip(100.., all) {
            assert_eq!(answer.await.unwrap().unwrap(), key * 10);
        }
        let statements = bed.statements.lock().unwrap();
        assert!(statements.iter().all(|(_, keys)| keys.len() <= KEYS_MAX));
        assert!(statements.len() < 100, "{}", statements.len());
    }

    #[tokio::test]
    async fn what_fails_for_one_fails_for_no_other() {
        let bed = bed(1);
        let first = bed.ask(1, 1);
        bed.settle().await;
        let [two, thirteen] = [2, 13].map(|key| bed.ask(1, key));
        // Who went away is no reason to leave the others without an answer.
        let gone = bed.ask(1, 3);
        bed.settle().await;
        gone.abort();
        bed.turns.add_permits(100);
        assert_eq!(first.await.unwrap().unwrap(), 10);
        assert_eq!(two.await.unwrap().unwrap(), 20);
        let refused = thirteen.await.unwrap().unwrap_err();
        assert!(matches!(refused, StorageError::Corrupt("thirteen")));
        let bug = bed.ask(1, 7).await.unwrap().unwrap_err();
        assert!(matches!(bug, StorageError::Unavailable(_)));
        assert_eq!(bed.ask(1, 5).await.unwrap().unwrap(), 50);
    }
}
