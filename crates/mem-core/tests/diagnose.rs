//! The derive of `Diagnose`.

use std::io;

use mem_core::error::{Diagnose, ErrorKind};

#[derive(Debug, thiserror::Error, Diagnose)]
#[error("inner")]
#[diagnose(Corrupt, hint = "look inside")]
struct Inner;

#[derive(Debug, thiserror::Error, Diagnose)]
#[diagnose(Invalid, hint = "of the whole")]
enum Outer {
    #[error("no such file")]
    #[diagnose(NotFound, hint = "`mem show {0}`, {{or}} {1}")]
    Missing(String, u8),
    #[error("cannot {step}")]
    #[diagnose(kind = of_system(source), hint = source.raw_os_error().map(|code| format!("{step}: {code}")))]
    System { step: String, source: io::Error },
    #[error(transparent)]
    #[diagnose(transparent)]
    Inner(#[from] Inner),
    #[error("quiet")]
    #[diagnose(Io)]
    Quiet,
    #[error("the rest")]
    Rest,
}

#[derive(Debug, thiserror::Error, Diagnose)]
enum Wrapper {
    #[error(transparent)]
    Inner(#[from] Inner),
}

fn of_system(error: &io::Error) -> ErrorKind {
    match error.kind() {
        io::ErrorKind::NotFound => ErrorKind::NotFound,
        _ => ErrorKind::Io,
    }
}

#[test]
fn a_variant_says_its_kind_and_what_to_do() {
    let system = |source| Outer::System {
        step: "read".to_owned(),
        source,
    };
    for (error, kind, hint) in [
        (
            Outer::Missing("a.md".to_owned(), 7),
            ErrorKind::NotFound,
            Some("`mem show a.md`, {or} 7"),
        ),
        (
            system(io::Error::from_raw_os_error(2)),
            ErrorKind::NotFound,
            Some("read: 2"),
        ),
        (system(io::Error::other("x")), ErrorKind::Io, None),
        (Inner.into(), ErrorKind::Corrupt, Some("look inside")),
        (Outer::Quiet, ErrorKind::Io, None),
        (Outer::Rest, ErrorKind::Invalid, Some("of the whole")),
    ] {
        assert_eq!(error.kind(), kind, "{error:?}");
        assert_eq!(error.hint().as_deref(), hint, "{error:?}");
    }
}

#[test]
fn a_transparent_message_makes_a_variant_transparent() {
    let wrapped = Wrapper::from(Inner);
    assert_eq!(wrapped.kind(), ErrorKind::Corrupt);
    assert_eq!(wrapped.hint().as_deref(), Some("look inside"));
}
