//! Translates the simple patterns (rows of byte classes with counts) out of
//! regular expression syntax, so that rules are written in the notation that
//! everybody knows and still need no regular expression engine.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};

/// A pattern may stand for so many sequences.
const SEQUENCES_MAX: usize = 64;
/// What `+` and `*` mean here: a token longer than this is none.
const OPEN_REPEATS_MAX: u16 = 4096;
/// How far before its keyword a token may begin.
const LEAD_SPREAD_MAX: u32 = 96;

/// Between `min` and `max` bytes of one set, as four words of bits.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ByteRunBits {
    pub(crate) set: [u64; 4],
    pub(crate) min: u16,
    pub(crate) max: u16,
}

pub(crate) struct PatternSequence {
    pub(crate) steps: Vec<ByteRunBits>,
    pub(crate) lead: (u32, u32),
}

/// The sequences of `pattern`; with keywords, each must contain one of them.
pub(crate) fn sequences(
    pattern: &str,
    keywords: &[String],
) -> Result<Vec<PatternSequence>, String> {
    let mut parser = ParserBuilder::new().unicode(false).utf8(false).build();
    let hir = parser.parse(pattern).map_err(|e| e.to_string())?;
    let rows = expand(&hir)?;
    let place = |steps: Vec<ByteRunBits>| {
        let lead = lead(&steps, keywords)?;
        Ok(PatternSequence { steps, lead })
    };
    rows.into_iter().map(place).collect()
}

fn expand(hir: &Hir) -> Result<Vec<Vec<ByteRunBits>>, String> {
    let rows = match hir.kind() {
        HirKind::Empty => vec![Vec::new()],
        HirKind::Literal(literal) => {
            vec![
                literal
                    .0
                    .iter()
                    .map(|&byte| one(&[(byte, byte)], 1, 1))
                    .collect(),
            ]
        }
        HirKind::Class(class) => vec![vec![one(&ranges(class)?, 1, 1)]],
        HirKind::Capture(capture) => expand(&capture.sub)?,
        HirKind::Concat(parts) => product(parts)?,
        HirKind::Alternation(parts) => {
            let rows: Result<Vec<_>, String> = parts.iter().map(expand).collect();
            rows?.into_iter().flatten().collect()
        }
        HirKind::Repetition(repetition) => {
            let min = u16::try_from(repetition.min).map_err(|e| e.to_string())?;
            let max = repetition.max.map_or(Ok(OPEN_REPEATS_MAX), u16::try_from);
            repeat(&repetition.sub, min, max.map_err(|e| e.to_string())?)?
        }
        HirKind::Look(_) => return Err("assertions are implied".to_owned()),
    };
    if rows.len() > SEQUENCES_MAX {
        return Err("too many alternatives".to_owned());
    }
    Ok(rows)
}

fn product(parts: &[Hir]) -> Result<Vec<Vec<ByteRunBits>>, String> {
    let mut rows = vec![Vec::new()];
    for part in parts {
        let tails = expand(part)?;
        let join =
            |row: &Vec<ByteRunBits>, tail: &Vec<ByteRunBits>| [row.as_slice(), tail].concat();
        rows = rows
            .iter()
            .flat_map(|row| tails.iter().map(move |tail| join(row, tail)))
            .collect();
        if rows.len() > SEQUENCES_MAX {
            return Err("too many alternatives".to_owned());
        }
    }
    Ok(rows)
}

fn repeat(sub: &Hir, min: u16, max: u16) -> Result<Vec<Vec<ByteRunBits>>, String> {
    let rows = expand(sub)?;
    if let [row] = rows.as_slice()
        && let [step] = row.as_slice()
    {
        // A repeated letter is a literal, in which a keyword may stand.
        let letter = step.set.iter().map(|word| word.count_ones()).sum::<u32>() == 1;
        if step.min == 1 && step.max == 1 && !(letter && min == max) {
            return Ok(vec![vec![ByteRunBits {
                set: step.set,
                min,
                max,
            }]]);
        }
    }
    if max > 32 {
        return Err("a long repetition of more than one class".to_owned());
    }
    let times = |count: u16| product(&vec![sub.clone(); usize::from(count)]);
    // Longest first, as a greedy repetition would try them.
    let all: Result<Vec<_>, String> = (min..=max).rev().map(times).collect();
    Ok(all?.into_iter().flatten().collect())
}

fn one(ranges: &[(u8, u8)], min: u16, max: u16) -> ByteRunBits {
    let mut set = [0_u64; 4];
    for byte in ranges.iter().flat_map(|&(first, last)| first..=last) {
        set[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }
    ByteRunBits { set, min, max }
}

fn ranges(class: &Class) -> Result<Vec<(u8, u8)>, String> {
    match class {
        Class::Bytes(bytes) => Ok(bytes
            .iter()
            .map(|range| (range.start(), range.end()))
            .collect()),
        Class::Unicode(class) => {
            let range = |r: &regex_syntax::hir::ClassUnicodeRange| {
                Some((u8::try_from(r.start()).ok()?, u8::try_from(r.end()).ok()?))
            };
            let all: Option<Vec<_>> = class.iter().map(range).collect();
            all.filter(|all| all.iter().all(|r| r.1 < 128))
                .ok_or("not ASCII".to_owned())
        }
    }
}

/// How many bytes may stand before the keyword: fewest and most.
fn lead(steps: &[ByteRunBits], keywords: &[String]) -> Result<(u32, u32), String> {
    if keywords.is_empty() {
        return Ok((0, 0));
    }
    for index in 0..steps.len() {
        let here = |word: &String| {
            let tail = steps.get(index..index + word.len());
            tail.is_some_and(|tail| tail.iter().zip(word.bytes()).all(|(s, b)| is(s, b)))
        };
        if keywords.iter().any(here) {
            let before = &steps[..index];
            let min = before.iter().map(|step| u32::from(step.min)).sum();
            let max = before.iter().map(|step| u32::from(step.max)).sum();
            if max - min > LEAD_SPREAD_MAX {
                return Err("too much may stand before the keyword".to_owned());
            }
            return Ok((min, max));
        }
    }
    Err("no keyword stands literally in this alternative".to_owned())
}

/// Whether a step is one byte that may be this letter, in whatever case.
fn is(step: &ByteRunBits, byte: u8) -> bool {
    let has = |byte: u8| step.set[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1;
    let letter = has(byte.to_ascii_lowercase()) || has(byte.to_ascii_uppercase());
    step.min == 1 && step.max == 1 && letter
}
