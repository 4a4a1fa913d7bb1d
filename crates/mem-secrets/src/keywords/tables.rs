//! Builds the tables of the keyword automaton. Used twice: by the build
//! script for the rules that ship with the crate, so that start-up costs
//! nothing, and at run time for the keywords of a user's own rules.

use std::collections::VecDeque;

/// Bytes that the automaton tells apart; everything else is class 0. A power
/// of two, so that a row is found by a shift.
pub(crate) const STRIDE_BITS: u32 = 6;
const STRIDE: usize = 1 << STRIDE_BITS;

/// The dense transition table of an Aho-Corasick automaton over lower-cased
/// bytes.
///
/// States from `first_match` on have outputs: the keywords that end there are
/// `outputs[starts[state - first_match]..starts[state - first_match + 1]]`.
pub(crate) struct Tables {
    /// Class of each byte; upper case letters share the class of lower case.
    pub(crate) classes: [u8; 256],
    /// `transitions[state << STRIDE_BITS | class]` is the next state.
    pub(crate) transitions: Vec<u16>,
    /// The first state that ends a keyword.
    pub(crate) first_match: u16,
    /// Where each matching state's outputs begin.
    pub(crate) starts: Vec<u32>,
    /// Keyword indices, grouped by state.
    pub(crate) outputs: Vec<u16>,
}

struct Trie {
    next: Vec<[u32; STRIDE]>,
    ends: Vec<Vec<u16>>,
}

/// Builds the automaton for `keywords`, matched without regard to ASCII case.
///
/// # Errors
/// When there are more different bytes than classes, an empty keyword, or
/// more states than 16 bits can number.
pub(crate) fn build(keywords: &[&[u8]]) -> Result<Tables, String> {
    let classes = classes(keywords)?;
    let mut trie = plant(keywords, &classes)?;
    close(&mut trie);
    number(&trie, classes)
}

fn classes(keywords: &[&[u8]]) -> Result<[u8; 256], String> {
    let mut classes = [0_u8; 256];
    let mut used = 0_usize;
    for &byte in keywords.iter().flat_map(|word| word.iter()) {
        let byte = byte.to_ascii_lowercase();
        if classes[usize::from(byte)] == 0 {
            used += 1;
            let class = u8::try_from(used).ok().filter(|_| used < STRIDE);
            classes[usize::from(byte)] = class.ok_or("too many different bytes in keywords")?;
            classes[usize::from(byte.to_ascii_uppercase())] = classes[usize::from(byte)];
        }
    }
    Ok(classes)
}

fn plant(keywords: &[&[u8]], classes: &[u8; 256]) -> Result<Trie, String> {
    let mut trie = Trie { next: vec![[0; STRIDE]], ends: vec![Vec::new()] };
    for (index, word) in keywords.iter().enumerate() {
        if word.is_empty() {
            return Err("empty keyword".to_owned());
        }
        let mut state = 0_usize;
        for &byte in *word {
            let class = usize::from(classes[usize::from(byte)]);
            if trie.next[state][class] == 0 {
                trie.next[state][class] = u32::try_from(trie.next.len()).map_err(|e| e.to_string())?;
                trie.next.push([0; STRIDE]);
                trie.ends.push(Vec::new());
            }
            state = trie.next[state][class] as usize;
        }
        trie.ends[state].push(u16::try_from(index).map_err(|e| e.to_string())?);
    }
    Ok(trie)
}

/// Follows failure links breadth first, until every state has a transition
/// for every class.
fn close(trie: &mut Trie) {
    let mut fail = vec![0_usize; trie.next.len()];
    let mut queue: VecDeque<usize> =
        trie.next[0].iter().filter(|&&next| next != 0).map(|&next| next as usize).collect();
    while let Some(state) = queue.pop_front() {
        let inherited = trie.ends[fail[state]].clone();
        trie.ends[state].extend(inherited);
        for class in 0..STRIDE {
            let next = trie.next[state][class] as usize;
            let other = trie.next[fail[state]][class];
            if next == 0 {
                trie.next[state][class] = other;
            } else {
                fail[next] = other as usize;
                queue.push_back(next);
            }
        }
    }
}

/// Renumbers the states so that one comparison tells whether a state matches.
fn number(trie: &Trie, classes: [u8; 256]) -> Result<Tables, String> {
    let count = trie.next.len();
    if count > usize::from(u16::MAX) {
        return Err(format!("{count} states are too many"));
    }
    let (quiet, loud): (Vec<usize>, Vec<usize>) =
        (0..count).partition(|&state| trie.ends[state].is_empty());
    let order: Vec<usize> = quiet.iter().chain(&loud).copied().collect();
    let mut renamed = vec![0_u16; count];
    for (new, &old) in order.iter().enumerate() {
        renamed[old] = u16::try_from(new).map_err(|e| e.to_string())?;
    }
    let mut tables = Tables {
        classes,
        transitions: Vec::with_capacity(count * STRIDE),
        first_match: u16::try_from(quiet.len()).map_err(|e| e.to_string())?,
        starts: vec![0],
        outputs: Vec::new(),
    };
    for &old in &order {
        tables.transitions.extend(trie.next[old].iter().map(|&next| renamed[next as usize]));
    }
    for &old in &loud {
        tables.outputs.extend(&trie.ends[old]);
        tables.starts.push(u32::try_from(tables.outputs.len()).map_err(|e| e.to_string())?);
    }
    Ok(tables)
}
