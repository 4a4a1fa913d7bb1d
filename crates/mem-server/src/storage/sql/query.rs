//! A statement with what is to be filled in.

use sqlx::postgres::PgArguments;
use sqlx::sqlite::SqliteArguments;
use sqlx::{AssertSqlSafe, SqlSafeStr as _, SqlStr};

/// One statement for either database.
#[derive(Debug)]
pub(in crate::storage) struct SqlQuery {
    sql: SqlStr,
    values: Vec<SqlValue>,
    persistent: bool,
}

/// What is filled in for `$n`. An absent one still has a type: PostgreSQL asks for it.
#[derive(Clone, Debug)]
pub(in crate::storage) enum SqlValue {
    /// `BIGINT`.
    Int(Option<i64>),
    /// `TEXT`.
    Text(Option<String>),
    /// `BLOB`, `BYTEA`.
    Bytes(Option<Vec<u8>>),
    /// `BOOLEAN`.
    Bool(bool),
}

impl SqlQuery {
    /// A statement that is prepared once for each connection.
    pub(in crate::storage) fn new(sql: &'static str) -> Self {
        Self {
            sql: sql.into_sql_str(),
            values: Vec::new(),
            persistent: true,
        }
    }

    /// A statement that was put together, from texts of ours and never from a user's. One that is not kept
    /// prepared has each value once, in their order.
    pub(in crate::storage) fn built(sql: String, persistent: bool) -> Self {
        Self {
            sql: AssertSqlSafe(sql).into_sql_str(),
            values: Vec::new(),
            persistent,
        }
    }

    /// The next value.
    pub(in crate::storage) fn bind(mut self, value: impl Into<SqlValue>) -> Self {
        self.values.push(value.into());
        self
    }

    /// The next values.
    pub(in crate::storage) fn bind_all(
        mut self,
        values: impl IntoIterator<Item = SqlValue>,
    ) -> Self {
        self.values.extend(values);
        self
    }

    pub(super) fn sqlite(self) -> sqlx::query::Query<'static, sqlx::Sqlite, SqliteArguments> {
        // SQLite compares every name with all before it: thousands of values have none.
        let sql = match self.persistent {
            true => self.sql,
            false => AssertSqlSafe(without_numbers(self.sql.as_str())).into_sql_str(),
        };
        let query = sqlx::query(sql).persistent(self.persistent);
        self.values
            .into_iter()
            .fold(query, |query, value| match value {
                SqlValue::Int(value) => query.bind(value),
                SqlValue::Text(value) => query.bind(value),
                SqlValue::Bytes(value) => query.bind(value),
                SqlValue::Bool(value) => query.bind(value),
            })
    }

    pub(super) fn postgres(self) -> sqlx::query::Query<'static, sqlx::Postgres, PgArguments> {
        let query = sqlx::query(self.sql).persistent(self.persistent);
        self.values
            .into_iter()
            .fold(query, |query, value| match value {
                SqlValue::Int(value) => query.bind(value),
                SqlValue::Text(value) => query.bind(value),
                SqlValue::Bytes(value) => query.bind(value),
                SqlValue::Bool(value) => query.bind(value),
            })
    }
}

/// `($1, $2), ($3, $4)` for so many rows of so many columns, counted from `first`.
pub(in crate::storage) fn values(first: usize, rows: usize, columns: usize) -> String {
    let row = |row: usize| {
        let names: Vec<String> = (0..columns)
            .map(|column| format!("${}", first + row * columns + column))
            .collect();
        format!("({})", names.join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}

/// `$1` and so on as `?`.
fn without_numbers(sql: &str) -> String {
    let mut parts = sql.split('$');
    let mut bare = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        bare.push('?');
        bare.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    bare
}

/// A type whose values may be absent.
macro_rules! nullable {
    ($kind:ident, $of:ty) => {
        impl From<$of> for SqlValue {
            fn from(value: $of) -> Self {
                Self::$kind(Some(value))
            }
        }

        impl From<Option<$of>> for SqlValue {
            fn from(value: Option<$of>) -> Self {
                Self::$kind(value)
            }
        }
    };
}

nullable!(Int, i64);
nullable!(Text, String);
nullable!(Bytes, Vec<u8>);

impl From<&str> for SqlValue {
    fn from(value: &str) -> Self {
        value.to_owned().into()
    }
}

impl From<bool> for SqlValue {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

#[cfg(test)]
mod tests {
    use super::{values, without_numbers};

    #[test]
    fn placeholders_are_counted_through() {
        assert_eq!(values(2, 2, 3), "($2, $3, $4), ($5, $6, $7)");
        assert_eq!(without_numbers("a = $1 AND b > $12"), "a = ? AND b > ?");
    }
}
