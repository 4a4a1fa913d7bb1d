//! Room, shared out fairly: who wants little gets it all, the others share what is left.

/// What a part of a text wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpaceRequest {
    /// How much it would fill.
    pub size: usize,
    /// How much it counts beside the others, from 1.
    pub weight: usize,
}

/// How much each part gets of `room`: never more than it wants, all together never more than there
/// is.
pub fn share_space(wishes: &[SpaceRequest], room: usize) -> Vec<usize> {
    let mut given = vec![0; wishes.len()];
    let mut open: Vec<usize> = (0..wishes.len()).collect();
    let mut left = room;
    while !open.is_empty() {
        let weights: usize = open.iter().map(|at| wishes[*at].weight.max(1)).sum();
        let share = |at: usize| left * wishes[at].weight.max(1) / weights;
        let (content, others): (Vec<usize>, Vec<usize>) =
            open.iter().partition(|at| wishes[**at].size <= share(**at));
        if content.is_empty() {
            for at in others {
                given[at] = share(at);
            }
            break;
        }
        for at in content {
            given[at] = wishes[at].size;
            left -= wishes[at].size;
        }
        open = others;
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(sizes: &[(usize, usize)], room: usize) -> Vec<usize> {
        let wish = |(size, weight): &(usize, usize)| SpaceRequest {
            size: *size,
            weight: *weight,
        };
        share_space(&sizes.iter().map(wish).collect::<Vec<_>>(), room)
    }

    #[test]
    fn who_wants_little_gets_it_and_the_rest_is_shared_by_weight() {
        assert_eq!(shared(&[(10, 1), (20, 1)], 100), [10, 20]);
        assert_eq!(shared(&[(10, 1), (500, 1), (500, 1)], 100), [10, 45, 45]);
        assert_eq!(shared(&[(500, 3), (500, 1)], 100), [75, 25]);
        assert_eq!(shared(&[(30, 3), (500, 1), (20, 1)], 100), [30, 50, 20]);
        assert_eq!(shared(&[(5, 1)], 0), [0]);
        assert!(shared(&[], 9).is_empty());
    }
}
