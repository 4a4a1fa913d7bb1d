//! A bug must not look like a crash report: one line, exit code 1, locks and temporary files freed.

use std::panic::{PanicHookInfo, catch_unwind};

use crate::exit::Exit;
use crate::globals::Globals;
use crate::printer::Printer;

/// Replaces the default report by a short one, unless a backtrace is asked for.
pub(crate) fn install_hook() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if std::env::vars_os().any(|(name, value)| name == "RUST_BACKTRACE" && value != "0") {
            default(info);
        } else {
            report_panic(info);
        }
    }));
}

/// Runs the program; a panic, having unwound, ends it with exit code 1.
pub(crate) fn contain_panic(program: impl FnOnce() -> Exit + std::panic::UnwindSafe) -> Exit {
    catch_unwind(program).unwrap_or(Exit::Failure)
}

/// Tells where and what, and that it is a bug.
fn report_panic(info: &PanicHookInfo<'_>) {
    let what = info.payload_as_str().unwrap_or("no message");
    let place = info
        .location()
        .map_or_else(String::new, |place| format!(" at {place}"));
    Printer::new(&Globals::default()).print_error(
        &format!("internal error{place}: {what}"),
        Some("this is a bug in mem; RUST_BACKTRACE=1 shows where it comes from"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_unwinds_and_ends_as_a_failure() {
        struct Lock<'a>(&'a std::sync::atomic::AtomicBool);
        impl Drop for Lock<'_> {
            fn drop(&mut self) {
                self.0.store(true, std::sync::atomic::Ordering::SeqCst);
            }
        }
        let released = std::sync::atomic::AtomicBool::new(false);
        let exit = contain_panic(|| {
            let _lock = Lock(&released);
            panic!("on purpose")
        });
        assert_eq!(exit, Exit::Failure);
        assert!(released.into_inner());
    }
}
