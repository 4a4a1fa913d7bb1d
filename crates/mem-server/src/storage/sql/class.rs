//! What follows from an error of the driver.

/// What to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SqlErrorClass {
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
pub(crate) fn class(error: &sqlx::Error) -> SqlErrorClass {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::WorkerCrashed => {
            SqlErrorClass::Lost
        }
        sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => SqlErrorClass::Lost,
        // A server that ends in the middle of a message.
        sqlx::Error::Protocol(_) | sqlx::Error::BeginFailed => SqlErrorClass::Lost,
        sqlx::Error::Database(error) => error
            .code()
            .map_or(SqlErrorClass::Other, |code| of_code(&code)),
        _ => SqlErrorClass::Other,
    }
}

fn of_code(code: &str) -> SqlErrorClass {
    match code {
        // Serialisation failure, deadlock, a transaction that a distributed database aborts.
        "40001" | "40P01" | "40003" => SqlErrorClass::Conflict,
        // A statement or a lock that took too long.
        "57014" | "55P03" => SqlErrorClass::Busy,
        // Shutting down, crashed, starting up; too many connections.
        "57P01" | "57P02" | "57P03" | "53300" => SqlErrorClass::Lost,
        _ if code.len() == 5 && code.starts_with("08") => SqlErrorClass::Lost,
        // SQLITE_FULL, SQLITE_IOERR_WRITE (a quota); disk_full, and what comes of that.
        "13" | "778" | "53100" => SqlErrorClass::Full,
        // SQLITE_BUSY, SQLITE_LOCKED, SQLITE_BUSY_RECOVERY, SQLITE_BUSY_SNAPSHOT.
        "5" | "6" | "261" | "517" => SqlErrorClass::Busy,
        _ => SqlErrorClass::Other,
    }
}
