//! Words on the command line that stand for something of a library, which knows no command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// One of some words, as what it stands for.
pub(crate) fn parse_word<T: Copy + Send + Sync + 'static, const N: usize>(
    choices: [(PossibleValue, T); N],
) -> impl TypedValueParser<Value = T> {
    let words = PossibleValuesParser::new(choices.clone().map(|(value, _)| value));
    words.try_map(move |word| {
        let mut all = choices.iter();
        let found = all.find(|(value, _)| value.matches(&word, false));
        found.map(|(_, choice)| *choice).ok_or("no such choice")
    })
}
