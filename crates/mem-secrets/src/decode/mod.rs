//! Looks inside encodings: a secret is not safe because it is in base64.

pub(crate) mod base64;
