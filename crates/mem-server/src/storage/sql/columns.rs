//! From the columns of a row to values: each type takes one column after the other.

use std::collections::BTreeMap;

use jiff::Timestamp;
use mem_core::history::Sha256;
use mem_stores::wire::VersionOperation;
use mem_vault::{KeyId, VaultError};

use super::{Engine, SqlQuery, SqlRow, Transaction};
use crate::storage::StorageError;

/// The columns of a row that were not read yet.
pub(crate) struct RowColumns<'r> {
    row: &'r SqlRow,
    next: usize,
}

impl RowColumns<'_> {
    /// What the next columns hold.
    pub(crate) fn read_next<T: FromColumns>(&mut self) -> Result<T, StorageError> {
        T::from_columns(self)
    }

    fn take_column(&mut self) -> (&SqlRow, usize) {
        self.next += 1;
        (self.row, self.next - 1)
    }
}

/// What is read from one column, or from several that follow each other.
pub(crate) trait FromColumns: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// The columns hold something else, or the row has fewer.
    fn from_columns(columns: &mut RowColumns<'_>) -> Result<Self, StorageError>;
}

/// Types that both drivers read.
macro_rules! one_column {
    ($($of:ty),+) => {
        $(impl FromColumns for $of {
            fn from_columns(columns: &mut RowColumns<'_>) -> Result<Self, StorageError> {
                let (row, column) = columns.take_column();
                row.decode(column)
            }
        })+
    };
}

one_column!(
    bool,
    i64,
    Option<i64>,
    String,
    Option<String>,
    Vec<u8>,
    Option<Vec<u8>>
);

/// Types that are stored as another one, and may be absent: how the column is read, and what a wrong one is called.
macro_rules! converted {
    ($($of:ty, |$row:ident, $column:ident| $read:expr, $wrong:literal;)+) => {
        $(impl FromColumns for Option<$of> {
            fn from_columns(columns: &mut RowColumns<'_>) -> Result<Self, StorageError> {
                let ($row, $column) = columns.take_column();
                $read.transpose().map_err(|_| StorageError::Corrupt($wrong))
            }
        }

        impl FromColumns for $of {
            fn from_columns(columns: &mut RowColumns<'_>) -> Result<Self, StorageError> {
                let value: Option<Self> = columns.read_next()?;
                value.ok_or(StorageError::Corrupt($wrong))
            }
        })+
    };
}

converted! {
    u64, |row, column| row.decode::<Option<i64>>(column)?.map(u64::try_from), "a count that is none";
    Sha256, |row, column| row.bytes(column)?.map(|bytes| bytes.try_into().map(Sha256::from_bytes)),
        "a checksum of another length";
    Timestamp, |row, column| row.decode::<Option<i64>>(column)?.map(Timestamp::from_microsecond),
        "a time that is none";
}

/// The name of a data key.
impl FromColumns for Option<KeyId> {
    fn from_columns(columns: &mut RowColumns<'_>) -> Result<Self, StorageError> {
        let name: Option<String> = columns.read_next()?;
        let wrong = VaultError::Form("the name of a data key");
        let id = name.map(|name| KeyId::parse(&name).ok_or(wrong));
        Ok(id.transpose()?)
    }
}

impl FromColumns for VersionOperation {
    fn from_columns(columns: &mut RowColumns<'_>) -> Result<Self, StorageError> {
        let word: String = columns.read_next()?;
        Self::parse(&word).ok_or(StorageError::Corrupt("an operation that is none"))
    }
}

/// Pairs, as JSON.
impl FromColumns for BTreeMap<String, String> {
    fn from_columns(columns: &mut RowColumns<'_>) -> Result<Self, StorageError> {
        let json: String = columns.read_next()?;
        serde_json::from_str(&json).map_err(|_| StorageError::Corrupt("metadata that are none"))
    }
}

/// Says the word of each variant of an enum that is stored, and told, as words:
/// `stored_words!(Verb { Read => "read", Write => "write" })`. One that may be absent is `None` also for the word of
/// another version.
macro_rules! stored_words {
    ($type:ident { $($variant:ident => $word:literal),+ $(,)? }) => {
        impl $type {
            /// As it is stored and told.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }

            /// From what is stored.
            pub(crate) fn from_stored(text: &str) -> Option<Self> {
                match text {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }

        impl $crate::storage::sql::FromColumns for Option<$type> {
            fn from_columns(
                columns: &mut $crate::storage::sql::RowColumns<'_>,
            ) -> Result<Self, $crate::storage::StorageError> {
                let word: Option<String> = columns.read_next()?;
                Ok(word.and_then(|word| $type::from_stored(&word)))
            }
        }

        impl $crate::storage::sql::FromColumns for $type {
            fn from_columns(
                columns: &mut $crate::storage::sql::RowColumns<'_>,
            ) -> Result<Self, $crate::storage::StorageError> {
                let word: Option<Self> = columns.read_next()?;
                word.ok_or($crate::storage::StorageError::Corrupt("a word that is none"))
            }
        }
    };
}
pub(crate) use stored_words;

impl FromColumns for [u8; 32] {
    fn from_columns(columns: &mut RowColumns<'_>) -> Result<Self, StorageError> {
        let checksum: Sha256 = columns.read_next()?;
        Ok(*checksum.as_bytes())
    }
}

/// Words with a blank between them.
impl FromColumns for Vec<String> {
    fn from_columns(columns: &mut RowColumns<'_>) -> Result<Self, StorageError> {
        let words: String = columns.read_next()?;
        Ok(words.split(' ').map(str::to_owned).collect())
    }
}

/// Several values, in their order.
macro_rules! several_values {
    ($($of:ident),+) => {
        impl<$($of: FromColumns),+> FromColumns for ($($of,)+) {
            fn from_columns(columns: &mut RowColumns<'_>) -> Result<Self, StorageError> {
                Ok(($(columns.read_next::<$of>()?,)+))
            }
        }
    };
}

several_values!(A, B);
several_values!(A, B, C);
several_values!(A, B, C, D);

/// Reads a struct from columns in this order of its fields: `from_columns!(Workspace: id, name, created_at)`. Fields
/// after a semicolon have no column, and their default.
macro_rules! from_columns {
    ($type:ident: $($field:ident),+ $(; $default:ident)?) => {
        impl $crate::storage::sql::FromColumns for $type {
            fn from_columns(
                columns: &mut $crate::storage::sql::RowColumns<'_>,
            ) -> Result<Self, $crate::storage::StorageError> {
                Ok(Self { $($field: columns.read_next()?,)+ $($default: Default::default())? })
            }
        }
    };
}
pub(crate) use from_columns;

impl SqlRow {
    /// What the columns from `first` on hold.
    pub(crate) fn get<T: FromColumns>(&self, first: usize) -> Result<T, StorageError> {
        let (row, next) = (self, first);
        RowColumns { row, next }.read_next()
    }
}

fn read_rows<T: FromColumns>(rows: &[SqlRow]) -> Result<Vec<T>, StorageError> {
    rows.iter().map(|row| row.get(0)).collect()
}

impl Engine {
    /// What the rows hold that one reading statement gives.
    pub(crate) async fn read_all<T: FromColumns>(
        &self,
        query: SqlQuery,
    ) -> Result<Vec<T>, StorageError> {
        read_rows(&self.all(query).await?)
    }

    /// What the first of them holds, if there is one.
    pub(crate) async fn read_one<T: FromColumns>(
        &self,
        query: SqlQuery,
    ) -> Result<Option<T>, StorageError> {
        let row = self.one(query).await?;
        row.map(|row| row.get(0)).transpose()
    }
}

impl Transaction {
    /// What the rows hold that a statement gives.
    pub(crate) async fn read_all<T: FromColumns>(
        &mut self,
        query: SqlQuery,
    ) -> Result<Vec<T>, StorageError> {
        read_rows(&self.all(query).await?)
    }

    /// What the first of them holds, if there is one.
    pub(crate) async fn read_one<T: FromColumns>(
        &mut self,
        query: SqlQuery,
    ) -> Result<Option<T>, StorageError> {
        let row = self.one(query).await?;
        row.map(|row| row.get(0)).transpose()
    }
}
