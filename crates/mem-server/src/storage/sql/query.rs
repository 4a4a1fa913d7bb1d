//! A statement with its values, and the rows that it gives.

use std::fmt::Write as _;

use jiff::Timestamp;
use mem_core::history::Sha256;
use mem_vault::KeyId;
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{AssertSqlSafe, Decode, Postgres, Row as _, SqlSafeStr as _, SqlStr, Sqlite, Type};

use crate::storage::StorageError;

/// One statement for either database. Made from a text, it is prepared once for each connection.
#[derive(Debug)]
pub(crate) struct SqlQuery {
    sql: SqlStr,
    values: Vec<SqlValue>,
    persistent: bool,
}

/// A statement and the values of `$1`, `$2`, …: `sql!("SELECT … WHERE a = $1"; a)`.
macro_rules! sql {
    ($text:expr $(; $($value:expr),+ $(,)?)?) => {
        $crate::storage::sql::SqlQuery::from($text)$($(.bind($value))+)?
    };
}
pub(crate) use sql;

/// What is filled in for `$n`. An absent one still has a type: PostgreSQL asks for it.
#[derive(Clone, Debug)]
pub(crate) enum SqlValue {
    /// `BIGINT`.
    Int(Option<i64>),
    /// `TEXT`.
    Text(Option<String>),
    /// `BLOB`, `BYTEA`.
    Bytes(Option<Vec<u8>>),
    /// `BOOLEAN`.
    Bool(bool),
}

impl From<&'static str> for SqlQuery {
    fn from(sql: &'static str) -> Self {
        Self::of(sql.into_sql_str())
    }
}

/// A statement that was put together, from texts of ours and never from a user's.
impl From<String> for SqlQuery {
    fn from(sql: String) -> Self {
        Self::of(AssertSqlSafe(sql).into_sql_str())
    }
}

/// Fills values in for one driver.
macro_rules! bound {
    ($query:expr, $values:expr) => {
        $values
            .into_iter()
            .fold($query, |query, value| match value {
                SqlValue::Int(value) => query.bind(value),
                SqlValue::Text(value) => query.bind(value),
                SqlValue::Bytes(value) => query.bind(value),
                SqlValue::Bool(value) => query.bind(value),
            })
    };
}

impl SqlQuery {
    fn of(sql: SqlStr) -> Self {
        Self {
            sql,
            values: Vec::new(),
            persistent: true,
        }
    }

    /// The same, kept prepared only where that is said. One that is not has each value once, in their order.
    pub(crate) fn prepared(self, persistent: bool) -> Self {
        Self { persistent, ..self }
    }

    /// The next value.
    pub(crate) fn bind(mut self, value: impl Into<SqlValue>) -> Self {
        self.values.push(value.into());
        self
    }

    /// The next values.
    pub(crate) fn bind_all<V: Into<SqlValue>>(mut self, all: impl IntoIterator<Item = V>) -> Self {
        self.values.extend(all.into_iter().map(Into::into));
        self
    }

    pub(super) fn sqlite(self) -> sqlx::query::Query<'static, Sqlite, SqliteArguments> {
        // SQLite compares every name with all before it: thousands of values have none.
        let sql = match self.persistent {
            true => self.sql,
            false => AssertSqlSafe(without_numbers(self.sql.as_str())).into_sql_str(),
        };
        bound!(sqlx::query(sql).persistent(self.persistent), self.values)
    }

    pub(super) fn postgres(self) -> sqlx::query::Query<'static, Postgres, PgArguments> {
        bound!(
            sqlx::query(self.sql).persistent(self.persistent),
            self.values
        )
    }
}

/// `$1, $2` for so many values, counted from `first`.
pub(crate) fn names(first: usize, count: usize) -> String {
    let names = (first..first + count).map(|at| format!("${at}"));
    names.collect::<Vec<_>>().join(", ")
}

/// `($1, $2), ($3, $4)` for so many rows of so many columns, counted from `first`.
pub(crate) fn values(first: usize, rows: usize, columns: usize) -> String {
    let row = |row: usize| format!("({})", names(first + row * columns, columns));
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

/// Conditions that are added one by one, and the values of the statement so far.
pub(crate) struct Conditions {
    pub(crate) sql: String,
    pub(crate) values: Vec<SqlValue>,
}

impl Conditions {
    /// Adds a value, and says what it is called.
    pub(crate) fn value(&mut self, value: impl Into<SqlValue>) -> String {
        self.values.push(value.into());
        format!("${}", self.values.len())
    }

    /// Adds a comparison with a value, where there is one.
    pub(crate) fn and(&mut self, text: &str, value: Option<impl Into<SqlValue>>) {
        if let Some(value) = value {
            let value = self.value(value);
            let _ = write!(self.sql, " AND {text} {value}");
        }
    }
}

/// Types of values, and how each is stored.
macro_rules! stored {
    ($($of:ty, $value:ident => $stored:expr;)+) => {
        $(impl From<$of> for SqlValue {
            fn from($value: $of) -> Self {
                $stored
            }
        })+
    };
}

stored! {
    i64, value => Self::Int(Some(value));
    u64, value => Self::Int(Some(i64::try_from(value).unwrap_or(i64::MAX)));
    usize, value => (value as u64).into();
    Timestamp, value => value.as_microsecond().into();
    Option<i64>, value => Self::Int(value);
    Option<Timestamp>, value => Self::Int(value.map(Timestamp::as_microsecond));
    &str, value => value.to_owned().into();
    &String, value => value.clone().into();
    String, value => Self::Text(Some(value));
    Option<String>, value => Self::Text(value);
    Option<&str>, value => Self::Text(value.map(str::to_owned));
    KeyId, value => value.to_string().into();
    Option<KeyId>, value => value.map(|id| id.to_string()).into();
    Vec<u8>, value => Self::Bytes(Some(value));
    Option<Vec<u8>>, value => Self::Bytes(value);
    Sha256, value => value.as_bytes().to_vec().into();
    bool, value => Self::Bool(value);
}

/// A row of either database.
#[derive(Debug)]
pub(crate) struct SqlRow {
    columns: DriverRow,
    /// What takes the place of the bytes of one column.
    fetched: Option<(usize, Vec<u8>)>,
}

#[derive(Debug)]
enum DriverRow {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl From<SqliteRow> for SqlRow {
    fn from(row: SqliteRow) -> Self {
        Self {
            columns: DriverRow::Sqlite(row),
            fetched: None,
        }
    }
}

impl From<PgRow> for SqlRow {
    fn from(row: PgRow) -> Self {
        Self {
            columns: DriverRow::Postgres(row),
            fetched: None,
        }
    }
}

impl SqlRow {
    /// A column of a type that both drivers read, from 0.
    pub(super) fn decode<T>(&self, column: usize) -> Result<T, StorageError>
    where
        T: for<'r> Decode<'r, Sqlite> + Type<Sqlite>,
        T: for<'r> Decode<'r, Postgres> + Type<Postgres>,
    {
        Ok(match &self.columns {
            DriverRow::Sqlite(row) => row.try_get(column)?,
            DriverRow::Postgres(row) => row.try_get(column)?,
        })
    }

    /// A column that is `TEXT`, where it is.
    pub(crate) fn text(&self, column: usize) -> Result<&str, StorageError> {
        Ok(match &self.columns {
            DriverRow::Sqlite(row) => row.try_get(column)?,
            // To compare its type with those that are text, in each row anew, takes longer than to read it.
            DriverRow::Postgres(row) => row.try_get_unchecked(column)?,
        })
    }

    /// A column that is `BYTEA`, where it is, or what was set for it.
    pub(crate) fn bytes(&self, column: usize) -> Result<Option<&[u8]>, StorageError> {
        Ok(match (&self.fetched, &self.columns) {
            (Some((of, bytes)), _) if *of == column => Some(bytes),
            (_, DriverRow::Sqlite(row)) => row.try_get(column)?,
            (_, DriverRow::Postgres(row)) => row.try_get_unchecked(column)?,
        })
    }

    /// Sets the bytes of a column that only refers to them.
    pub(crate) fn set_bytes(&mut self, column: usize, bytes: Vec<u8>) {
        self.fetched = Some((column, bytes));
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
