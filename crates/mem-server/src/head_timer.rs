//! How long a connection may take for the head of a request, as hyper asks for it: one alarm of the runtime for all
//! the requests of a connection.
//!
//! hyper asks for a sleep with each request, and drops it when the head is there. To set and remove an alarm each time
//! takes a lock that all connections have in common. One that is kept is only ever moved to a later moment, which
//! takes none.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::rt::Timer;
use tokio::time::{Sleep, sleep_until};

/// The timer of one connection.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeadTimer(Arc<Mutex<Option<Alarm>>>);

type Alarm = Pin<Box<Sleep>>;

/// An alarm that goes back when it is not needed any more.
struct Lent {
    alarm: Option<Alarm>,
    timer: HeadTimer,
}

impl HeadTimer {
    fn kept(&self) -> MutexGuard<'_, Option<Alarm>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Timer for HeadTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn hyper::rt::Sleep>> {
        self.sleep_until(Instant::now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn hyper::rt::Sleep>> {
        let deadline = deadline.into();
        let kept = self.kept().take();
        let alarm = match kept {
            Some(mut alarm) => {
                alarm.as_mut().reset(deadline);
                alarm
            }
            None => Box::pin(sleep_until(deadline)),
        };
        Box::pin(Lent {
            alarm: Some(alarm),
            timer: self.clone(),
        })
    }
}

impl Future for Lent {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        match &mut self.alarm {
            Some(alarm) => alarm.as_mut().poll(context),
            None => Poll::Ready(()),
        }
    }
}

impl hyper::rt::Sleep for Lent {}

impl Drop for Lent {
    fn drop(&mut self) {
        let alarm = self.alarm.take();
        *self.timer.kept() = alarm;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn each_sleep_lasts_as_long_as_it_is_to_be() {
        let timer = HeadTimer::default();
        for millis in [20, 5, 40] {
            let (wanted, began) = (Duration::from_millis(millis), Instant::now());
            // hyper drops most of them long before.
            drop(timer.sleep(Duration::from_secs(3_600)));
            let mut sleep = timer.sleep(wanted);
            let at_once = std::future::poll_fn(|context| Poll::Ready(sleep.as_mut().poll(context)));
            assert!(at_once.await.is_pending() || began.elapsed() >= wanted);
            let ended = tokio::time::timeout(Duration::from_secs(60), sleep).await;
            assert!(ended.is_ok(), "it was to last {wanted:?}");
            assert!(began.elapsed() >= wanted);
        }
    }
}
