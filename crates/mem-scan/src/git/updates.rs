//! What git tells a pre-push hook on its standard input.

use super::id::ObjectId;

/// A line that is no update of a reference, and what is left of the input is not read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("line {0} of what git said is no `<ref> <object> <ref> <object>`")]
pub struct RefUpdateError(usize);

/// One reference that a push changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// Its name on the remote.
    pub name: String,
    /// What it will name; `None` where it is deleted.
    pub new: Option<ObjectId>,
    /// What it names on the remote; `None` where it is new.
    pub old: Option<ObjectId>,
}

/// Reads what git gives a pre-push hook.
///
/// # Errors
/// A line is not what githooks(5) says.
pub fn parse_updates(input: &[u8]) -> Result<Vec<Update>, RefUpdateError> {
    let lines = input.split(|byte| *byte == b'\n').enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty());
    lines
        .map(|(index, line)| parse_update(line).ok_or(RefUpdateError(index + 1)))
        .collect()
}

fn parse_update(line: &[u8]) -> Option<Update> {
    let line = String::from_utf8_lossy(line);
    // Names of references have no spaces, but `HEAD@{1 day ago}` is a source one can push.
    let mut words = line.trim_end_matches('\r').rsplitn(4, ' ');
    let (old, remote, new, local) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let oid = |text: &str| {
        let id = ObjectId::parse(text)?;
        Some(Some(id).filter(|id| !id.is_zero()))
    };
    (!local.is_empty()).then_some(Update {
        name: remote.to_owned(),
        new: oid(new)?,
        old: oid(old)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_git_writes() {
        let (a, zero) = ("a".repeat(40), "0".repeat(40));
        let input =
            format!("refs/heads/x {a} refs/heads/x {zero}\n(delete) {zero} refs/heads/y {a}\n");
        let updates = parse_updates(input.as_bytes()).unwrap();
        let oid = ObjectId::parse(&a);
        assert_eq!(
            updates[0],
            Update {
                name: "refs/heads/x".to_owned(),
                new: oid,
                old: None
            }
        );
        assert_eq!(
            updates[1],
            Update {
                name: "refs/heads/y".to_owned(),
                new: None,
                old: oid
            }
        );
        assert_eq!(parse_updates(b""), Ok(Vec::new()));
        assert_eq!(parse_updates(b"one two\n"), Err(RefUpdateError(1)));
    }

    proptest::proptest! {
        #[test]
        fn whatever_is_said_is_an_update_or_an_error(
            lines in proptest::collection::vec("[a-f0-9 /@{}()\\x00-\\x1f]{0,99}", 0..9),
        ) {
            let _ = parse_updates(lines.join("\n").as_bytes());
        }
    }
}
