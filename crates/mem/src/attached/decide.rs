//! What happens to one memory of an offline copy: pure functions of what it is here, what it was when here
//! and there were the same, and what it is there.

use mem_core::history::Sha256;

/// What to do with what the server has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    /// Nothing new came.
    Nothing,
    /// Both have the same: remember that.
    Agree,
    /// Take over what the server has, or that it has nothing.
    Take,
    /// The same, after what is here was put aside.
    PutAsideAndTake,
}

/// Decides about what comes from the server. `None` stands for nothing at all.
pub(super) fn arrival(
    here: Option<Sha256>,
    base: Option<Sha256>,
    there: Option<Sha256>,
) -> Arrival {
    if here == there {
        return match base == there {
            true => Arrival::Nothing,
            false => Arrival::Agree,
        };
    }
    if base == there {
        return Arrival::Nothing;
    }
    match here == base || here.is_none() {
        true => Arrival::Take,
        false => Arrival::PutAsideAndTake,
    }
}

/// What to do with what is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Departure {
    /// The server has it.
    Nothing,
    /// It is new.
    Create,
    /// It changed; only on what the base was.
    Update,
    /// It is gone; only on what the base was.
    Delete,
}

/// Decides about what goes to the server.
pub(super) fn departure(here: Option<Sha256>, base: Option<Sha256>) -> Departure {
    match (here, base) {
        (here, base) if here == base => Departure::Nothing,
        (Some(_), None) => Departure::Create,
        (Some(_), Some(_)) => Departure::Update,
        (None, _) => Departure::Delete,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every case there is: nothing, and three texts.
    fn all() -> Vec<Option<Sha256>> {
        let texts = [&b"a"[..], b"b", b"c"].map(|text| Some(Sha256::of(text)));
        [None].into_iter().chain(texts).collect()
    }

    #[test]
    fn no_text_that_only_stands_here_is_lost() {
        for here in all() {
            for base in all() {
                for there in all() {
                    let is_only_here = here.is_some() && here != base && here != there;
                    let decided = arrival(here, base, there);
                    if is_only_here {
                        assert_ne!(decided, Arrival::Take, "{here:?} {base:?} {there:?}");
                    }
                    if there != base && there != here {
                        assert_ne!(decided, Arrival::Nothing, "{here:?} {base:?} {there:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn after_an_arrival_what_is_left_goes_out_once() {
        for here in all() {
            for base in all() {
                for there in all() {
                    let (here, base) = match arrival(here, base, there) {
                        Arrival::Nothing => (here, base),
                        Arrival::Agree => (here, there),
                        Arrival::Take | Arrival::PutAsideAndTake => (there, there),
                    };
                    match departure(here, base) {
                        Departure::Nothing => assert_eq!(here, there),
                        Departure::Create => assert_eq!(there, None),
                        // On what the server has now: the precondition holds.
                        Departure::Update | Departure::Delete => assert_eq!(base, there),
                    }
                }
            }
        }
    }
}
