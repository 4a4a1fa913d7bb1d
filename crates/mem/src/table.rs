//! The table of commands: one line each.

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command};

use crate::context::Context;
use crate::exit::Exit;
use crate::globals::Globals;

/// A command of one level. What it takes and does are function pointers: with a branch for each name, all commands
/// became one function with a stack of 92 KB, whose pages every start touched.
#[derive(Debug)]
pub(crate) struct CommandEntry {
    /// What people type.
    pub name: &'static str,
    /// A second name that no listing has.
    pub alias: Option<&'static str>,
    /// One line of help.
    pub about: &'static str,
    /// Adds its arguments.
    pub augment: fn(Command) -> Command,
    /// Reads its arguments and runs it.
    pub run: fn(&mut ArgMatches, &Context) -> anyhow::Result<Exit>,
}

/// A heading, and the commands under it.
pub(crate) type Group = (&'static str, &'static [CommandEntry]);

impl CommandEntry {
    /// The command, deferred: clap learns its arguments only when it is the chosen one. With all of them built at each
    /// start, `mem path` would take half a millisecond longer.
    fn to_command(&self) -> Command {
        let command = Command::new(self.name)
            .about(self.about)
            .defer(self.augment);
        match self.alias {
            Some(alias) => command.alias(alias),
            None => command,
        }
    }
}

/// Adds the commands of a level whose names are wanted.
pub(crate) fn augment_level(
    level: &[Group],
    mut parent: Command,
    is_wanted: impl Fn(&str) -> bool,
) -> Command {
    let entries = level.iter().flat_map(|(_, entries)| entries.iter());
    for entry in entries.filter(|entry| is_wanted(entry.name)) {
        parent = parent.subcommand(entry.to_command());
    }
    parent
}

/// Adds the arguments of one command, and those that every command has.
pub(crate) fn augment_command<A: Args>(command: Command) -> Command {
    Globals::augment_args(A::augment_args(command)).mut_args(with_negatives)
}

/// Takes the command that was chosen out of what clap read, with its arguments.
///
/// # Errors
/// None was chosen.
pub(crate) fn take_chosen(
    level: &[Group],
    matches: &mut ArgMatches,
) -> Result<(&'static CommandEntry, ArgMatches), clap::Error> {
    let (name, inner) = matches
        .remove_subcommand()
        .ok_or_else(|| clap::Error::new(ErrorKind::MissingSubcommand))?;
    let mut entries = level.iter().flat_map(|(_, entries)| entries.iter());
    let entry = entries.find(|entry| entry.name == name);
    let entry = entry.ok_or_else(|| clap::Error::new(ErrorKind::InvalidSubcommand))?;
    Ok((entry, inner))
}

/// Declares the table of one level, `GROUPS`: its commands, under their headings.
///
/// Each line names a module that has `Args` (clap's derive) and
/// `run(&Args, &Context) -> anyhow::Result<Exit>`; `kinds as "types"` gives a command another
/// name than its module, `kinds or "sorts"` a second name that no listing has; an attribute such as `#[cfg(..)]` may stand
/// before it.
macro_rules! groups {
    ($($heading:literal {
        $($(#[$attribute:meta])* $module:ident $(as $name:literal)? $(or $alias:literal)? => $about:literal,)*
    })+) => {
        /// The commands of this level, by heading.
        pub(crate) static GROUPS: &[$crate::table::Group] = &[
            $(($heading, &[$($(#[$attribute])* $crate::table::CommandEntry {
                name: $crate::table::name!($module $($name)?),
                alias: $crate::table::alias!($($alias)?),
                about: $about,
                augment: |command| {
                    $crate::table::augment_command::<$module::Args>(command).about($about)
                },
                run: |matches, context| {
                    let args = <$module::Args as clap::FromArgMatches>::from_arg_matches_mut(matches)?;
                    $module::run(&args, context)
                },
            }),*])),+
        ];
    };
}

/// Declares a level below the first: [`groups!`], and `Commands`, a `clap::Subcommand` that remembers which of them was
/// chosen, and whose `run` calls it.
macro_rules! commands {
    ($($table:tt)+) => {
        $crate::table::groups! { $($table)+ }

        /// The command that was chosen, with its arguments.
        #[derive(Debug)]
        pub(crate) struct Commands {
            entry: &'static $crate::table::CommandEntry,
            matches: clap::ArgMatches,
        }

        impl Commands {
            /// Runs the chosen command.
            pub(crate) fn run(
                &self,
                context: &$crate::context::Context,
            ) -> anyhow::Result<$crate::exit::Exit> {
                (self.entry.run)(&mut self.matches.clone(), context)
            }
        }

        impl clap::FromArgMatches for Commands {
            fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
                Self::from_arg_matches_mut(&mut matches.clone())
            }

            fn from_arg_matches_mut(matches: &mut clap::ArgMatches) -> Result<Self, clap::Error> {
                let (entry, matches) = $crate::table::take_chosen(GROUPS, matches)?;
                Ok(Self { entry, matches })
            }

            fn update_from_arg_matches(
                &mut self,
                matches: &clap::ArgMatches,
            ) -> Result<(), clap::Error> {
                *self = Self::from_arg_matches(matches)?;
                Ok(())
            }
        }

        impl clap::Subcommand for Commands {
            fn augment_subcommands(parent: clap::Command) -> clap::Command {
                $crate::table::augment_level(GROUPS, parent, |_| true)
            }

            fn augment_subcommands_for_update(parent: clap::Command) -> clap::Command {
                Self::augment_subcommands(parent)
            }

            fn has_subcommand(name: &str) -> bool {
                GROUPS.iter().any(|(_, entries)| entries.iter().any(|entry| entry.name == name))
            }
        }
    };
}

/// Declares a noun with verbs: [`commands!`], with the `Args` and the `run` of the level above, whose help texts stand first.
macro_rules! noun {
    ($(#[$about:meta])+ struct Args; $($table:tt)+) => {
        $crate::table::commands! { $($table)+ }

        $(#[$about])+
        #[derive(clap::Args, Debug)]
        pub(crate) struct Args {
            #[command(subcommand)]
            verb: Commands,
        }

        /// Runs the verb.
        pub(crate) fn run(
            args: &Args,
            context: &$crate::context::Context,
        ) -> anyhow::Result<$crate::exit::Exit> {
            args.verb.run(context)
        }
    };
}

/// A number below 0 is the value of its option, which says what is wrong with it, and no option that nobody knows.
pub(crate) fn with_negatives(arg: clap::Arg) -> clap::Arg {
    match arg.get_action().takes_values() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    }
}

/// A command's name: that of its module, unless another is given.
macro_rules! name {
    ($module:ident) => {
        stringify!($module)
    };
    ($module:ident $name:literal) => {
        $name
    };
}

/// A command's second name, where it has one.
macro_rules! alias {
    () => {
        None
    };
    ($alias:literal) => {
        Some($alias)
    };
}

/// Declares the commands of a level that have a host as their name: a module each, for [`commands!`] to name, whose `run`
/// hands the host to a function of the module around it, with that one's `Args`.
macro_rules! host_commands {
    ($run:ident; $($module:ident => $host:ident,)+) => {
        $(pub(crate) mod $module {
            pub(crate) use super::Args;

            pub(crate) fn run(
                args: &Args,
                context: &$crate::context::Context,
            ) -> anyhow::Result<$crate::exit::Exit> {
                super::$run(mem_hosts::HookHost::$host, args, context)
            }
        })+
    };
}
pub(crate) use host_commands;
pub(crate) use {alias, commands, groups, name, noun};

#[cfg(test)]
mod tests {
    use clap::{FromArgMatches, Subcommand};

    use super::*;

    mod show {
        use crate::context::Context;
        use crate::exit::Exit;

        #[derive(clap::Args, Debug)]
        pub(crate) struct Args {
            /// Which
            name: String,
        }

        pub(crate) fn run(args: &Args, _: &Context) -> anyhow::Result<Exit> {
            anyhow::bail!("shown: {}", args.name)
        }
    }

    mod noun {
        use super::show;
        use crate::context::Context;
        use crate::exit::Exit;

        commands! { "Verbs" { show as "display" => "Show one", show => "Show it", } }

        #[derive(clap::Args, Debug)]
        pub(crate) struct Args {
            #[command(subcommand)]
            verb: Commands,
        }

        pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
            args.verb.run(context)
        }
    }

    commands! { "Nouns" { noun => "A noun with verbs", } }

    #[test]
    fn a_noun_has_verbs_and_every_level_has_the_global_flags() {
        let root = Commands::augment_subcommands(Command::new("root"));
        root.clone().debug_assert();
        let matches = root
            .clone()
            .try_get_matches_from(["root", "noun", "--json", "display", "it", "-q"])
            .unwrap();
        let globals = Globals::collect_flags(matches.subcommand().unwrap().1);
        assert!(globals.json && globals.quiet);
        let command = Commands::from_arg_matches(&matches).unwrap();
        let printer = crate::printer::Printer::new(&Default::default());
        let context = Context::new(&Default::default(), printer).unwrap();
        let answer = command.run(&context).unwrap_err();
        assert_eq!(answer.to_string(), "shown: it");
        let missing = root.try_get_matches_from(["root", "noun"]).unwrap_err();
        assert_eq!(
            crate::usage::usage_shape(&missing).message,
            "a command is missing"
        );
    }
}
