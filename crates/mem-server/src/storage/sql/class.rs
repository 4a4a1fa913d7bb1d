//! What follows from an error of the driver.

/// What to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// The connection is gone; another one may do.
    Lost,
    /// Somebody else was in the way, and nothing was done: the transaction can run again.
    Conflict,
    /// Too many wait, or it takes too long.
    Busy,
    /// There is no room for more: somebody has to make some.
    Full,
    /// Nothing, but to say so.
    Other,
}

/// Tells errors apart. The codes are PostgreSQL's (appendix A of its manual) and SQLite's.
pub(crate) fn class(error: &sqlx::Error) -> Class {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::WorkerCrashed => Class::Lost,
        sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => Class::Lost,
        // A server that ends in the middle of a message.
        sqlx::Error::Protocol(_) | sqlx::Error::BeginFailed => Class::Lost,
        sqlx::Error::Database(error) => error.code().map_or(Class::Other, |code| of_code(&code)),
        _ => Class::Other,
    }
}

fn of_code(code: &str) -> Class {
    match code {
        // Serialisation failure, deadlock, a transaction that a distributed database aborts.
        "40001" | "40P01" | "40003" => Class::Conflict,
        // A statement or a lock that took too long.
        "57014" | "55P03" => Class::Busy,
        // Shutting down, crashed, starting up; too many connections.
        "57P01" | "57P02" | "57P03" | "53300" => Class::Lost,
        _ if code.len() == 5 && code.starts_with("08") => Class::Lost,
        // SQLITE_FULL, SQLITE_IOERR_WRITE (a quota); disk_full, and what comes of that.
        "13" | "778" | "53100" => Class::Full,
        // SQLITE_BUSY, SQLITE_LOCKED, SQLITE_BUSY_RECOVERY, SQLITE_BUSY_SNAPSHOT.
        "5" | "6" | "261" | "517" => Class::Busy,
        _ => Class::Other,
    }
}
