//! The global flags, understood before and after every command.
//!
//! clap's own global arguments are copied into each of the many subcommands at every start, and
//! the later of two `-C` would hide the earlier. So each level gets its own flags when it is
//! built, and [`Globals::collect_flags`] reads them in the order of the levels.

use std::ffi::OsString;

use anstream::ColorChoice;
use clap::{ArgAction, ArgMatches, ValueEnum};

// Not a doc comment: clap would take it for the help text of whatever command this is added to.
// The ids are such that no command's own arguments collide with them.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Globals {
    /// Run as if started in DIR; may be repeated, each relative to the one before
    #[arg(id = "global_directory", short = 'C', value_name = "DIR")]
    pub directory: Vec<OsString>,
    /// Print data, and errors, as JSON
    #[arg(id = "global_json", long = "json")]
    pub json: bool,
    /// Say nothing but data and errors
    #[arg(id = "global_quiet", short = 'q', long = "quiet")]
    pub quiet: bool,
    /// Say more about what is done and why
    #[arg(id = "global_verbose", short = 'v', long = "verbose", action = ArgAction::Count)]
    pub verbose: u8,
    /// When to use colour
    #[arg(id = "global_color", long = "color", value_name = "WHEN")]
    pub color: Option<Color>,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// The fixed choice, `None` where it depends on the stream and the environment.
    pub(crate) fn fixed_choice(self) -> Option<ColorChoice> {
        match self {
            Self::Auto => None,
            Self::Always => Some(ColorChoice::Always),
            Self::Never => Some(ColorChoice::Never),
        }
    }
}

impl Globals {
    /// Reads the flags of every level of a parsed command line, where they are: clap's own reading copies all else too.
    pub(crate) fn collect_flags(matches: &ArgMatches) -> Self {
        let directories = matches.get_many::<OsString>("global_directory");
        let mut globals = Self {
            directory: directories.into_iter().flatten().cloned().collect(),
            json: matches.get_flag("global_json"),
            quiet: matches.get_flag("global_quiet"),
            verbose: matches.get_count("global_verbose"),
            color: matches.get_one("global_color").copied(),
        };
        if let Some((_, inner)) = matches.subcommand()
            && inner.try_contains_id("global_json").is_ok()
        {
            globals.merge_inner(Self::collect_flags(inner));
        }
        globals
    }

    /// Adds the flags of a deeper level.
    fn merge_inner(&mut self, inner: Self) {
        self.directory.extend(inner.directory);
        self.json |= inner.json;
        self.quiet |= inner.quiet;
        self.verbose = self.verbose.saturating_add(inner.verbose);
        self.color = inner.color.or(self.color);
    }

    /// A guess from a command line that clap could not parse: how its error is to be shown.
    pub(crate) fn peek_flags(args: &[OsString]) -> Self {
        let mut globals = Self::default();
        let mut words = args.iter().filter_map(|word| word.to_str()).peekable();
        while let Some(word) = words.next()
            && word != "--"
        {
            let value = match word.split_once('=') {
                Some(("--color", value)) => Some(value),
                None if word == "--color" => words.peek().copied(),
                _ => None,
            };
            globals.json |= word == "--json";
            globals.color = value
                .and_then(|value| Color::from_str(value, false).ok())
                .or(globals.color);
        }
        globals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_add_up_in_order() {
        let matches = crate::cli::root_command()
            .try_get_matches_from(["mem", "-C", "a", "-C", "b", "help", "-C", "c", "--json"])
            .unwrap();
        let globals = Globals::collect_flags(&matches);
        assert_eq!(globals.directory, ["a", "b", "c"].map(OsString::from));
        assert!(globals.json && !globals.quiet);
    }

    #[test]
    fn a_broken_command_line_still_says_how_to_answer() {
        let args = ["mem", "--color", "never", "nonsense", "--json"].map(OsString::from);
        let globals = Globals::peek_flags(&args);
        assert!(globals.json);
        assert_eq!(globals.color, Some(Color::Never));
        assert!(!Globals::peek_flags(&["mem", "--", "--json"].map(OsString::from)).json);
    }
}
