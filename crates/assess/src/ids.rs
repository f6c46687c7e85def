//! Numbers of rows, each of its own type.

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! number {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                self.0.to_sql()
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                i64::column_result(value).map(Self)
            }
        }
    };
}

number! {
    /// An account.
    AccountNo
}
number! {
    /// A link by which an account is made.
    InvitationNo
}
number! {
    /// Items of a topic that one person judges.
    BatchNo
}
number! {
    /// What is shown on one page.
    TaskNo
}
number! {
    /// What is judged on a page.
    PartNo
}
number! {
    /// That somebody has a batch.
    AssignmentNo
}
number! {
    /// A row of the log of judgments.
    JudgmentNo
}
