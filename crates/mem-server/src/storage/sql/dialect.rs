//! Where the two databases differ.

use super::SqlQuery;

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::storage) enum SqlDialect {
    /// SQLite.
    Sqlite,
    /// PostgreSQL, and what speaks its protocol.
    Postgres,
}

impl SqlDialect {
    /// What a reading statement ends with whose row nobody else may change meanwhile. A writing
    /// transaction of SQLite is the only one anyway.
    pub(in crate::storage) fn for_update(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => " FOR UPDATE",
        }
    }

    /// The database's clock, in microseconds since 1970.
    pub(in crate::storage) fn now_us(self) -> &'static str {
        match self {
            Self::Sqlite => "CAST(unixepoch('subsec') * 1000000 AS BIGINT)",
            Self::Postgres => "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)",
        }
    }

    /// A text of the migrations. Paths are compared byte by byte.
    pub(in crate::storage) fn fill(self, text: &str) -> String {
        let (bytes, path) = match self {
            Self::Sqlite => ("BLOB", "TEXT"),
            Self::Postgres => ("BYTEA", "TEXT COLLATE \"C\""),
        };
        text.replace("{bytes}", bytes)
            .replace("{path}", path)
            .replace("{now_us}", self.now_us())
    }

    /// Whether there is a table of this name.
    pub(in crate::storage) fn has_table(self, name: &str) -> SqlQuery {
        let sql = match self {
            Self::Sqlite => "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = $1",
            Self::Postgres => {
                "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = $1"
            }
        };
        SqlQuery::new(sql).bind(name)
    }
}
