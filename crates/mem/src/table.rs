//! The table of commands: one line each.

/// A line of a listing: name and one-line description.
pub(crate) type Line = (&'static str, &'static str);

/// A titled group of lines.
pub(crate) type Group = (&'static str, &'static [Line]);

/// Declares the commands of one level, under their headings.
///
/// Each line names a module that has `Args` (clap's derive) and
/// `run(&Args, &Context) -> anyhow::Result<Exit>`; `kinds as "types"` gives a command another
/// name than its module, `kinds or "sorts"` a second name that no listing has; an attribute such as `#[cfg(..)]` may stand
/// before it. Generates
/// - `GROUPS`, for help texts,
/// - `Commands`, a `clap::Subcommand` that remembers which command was chosen, and whose `run`
///   calls it.
///
/// Every command is deferred: clap learns its arguments only when it is the chosen one. With all
/// of them built at each start, `mem path` would take half a millisecond longer.
macro_rules! commands {
    ($($heading:literal {
        $($(#[$attribute:meta])* $module:ident $(as $name:literal)? $(or $alias:literal)? => $about:literal,)*
    })+) => {
        /// The commands of this level, by heading.
        pub(crate) const GROUPS: &[$crate::table::Group] = &[
            $(($heading, &[$($(#[$attribute])* ($crate::table::name!($module $($name)?), $about)),*])),+
        ];

        /// The command that was chosen, with its arguments.
        #[derive(Debug)]
        pub(crate) struct Commands {
            name: String,
            matches: clap::ArgMatches,
        }

        impl Commands {
            /// Runs the chosen command.
            pub(crate) fn run(
                &self,
                context: &$crate::context::Context,
            ) -> anyhow::Result<$crate::exit::Exit> {
                match self.name.as_str() {
                    $($($(#[$attribute])* name if name == $crate::table::name!($module $($name)?) => {
                        let args = <$module::Args as clap::FromArgMatches>::from_arg_matches(
                            &self.matches,
                        )?;
                        $module::run(&args, context)
                    })*)+
                    name => anyhow::bail!("`{name}` is not in the table of commands"),
                }
            }
        }

        impl clap::FromArgMatches for Commands {
            fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
                let (name, matches) = matches
                    .subcommand()
                    .ok_or_else(|| clap::Error::new(clap::error::ErrorKind::MissingSubcommand))?;
                Ok(Self { name: name.to_owned(), matches: matches.clone() })
            }

            fn update_from_arg_matches(
                &mut self,
                matches: &clap::ArgMatches,
            ) -> Result<(), clap::Error> {
                *self = Self::from_arg_matches(matches)?;
                Ok(())
            }
        }

        impl Commands {
            /// Adds the commands of this level whose names are wanted.
            pub(crate) fn augment_wanted(
                root: clap::Command,
                is_wanted: impl Fn(&str) -> bool,
            ) -> clap::Command {
                $($(
                    $(#[$attribute])*
                    let root = match is_wanted($crate::table::name!($module $($name)?)) {
                        false => root,
                        true => root.subcommand(
                            clap::Command::new($crate::table::name!($module $($name)?))
                                .about($about)
                                $(.alias($alias))?
                                .defer(|command| {
                                    let command = <$module::Args as clap::Args>::augment_args(command);
                                    <$crate::globals::Globals as clap::Args>::augment_args(command)
                                        .mut_args($crate::table::with_negatives)
                                        .about($about)
                                }),
                        ),
                    };
                )*)+
                root
            }
        }

        impl clap::Subcommand for Commands {
            fn augment_subcommands(root: clap::Command) -> clap::Command {
                Self::augment_wanted(root, |_| true)
            }

            fn augment_subcommands_for_update(root: clap::Command) -> clap::Command {
                Self::augment_subcommands(root)
            }

            fn has_subcommand(name: &str) -> bool {
                GROUPS.iter().any(|(_, lines)| lines.iter().any(|(known, _)| *known == name))
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
pub(crate) use {commands, name, noun};

#[cfg(test)]
mod tests {
    use clap::{FromArgMatches, Subcommand};

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
        let root = Commands::augment_subcommands(clap::Command::new("root"));
        root.clone().debug_assert();
        let matches = root
            .clone()
            .try_get_matches_from(["root", "noun", "--json", "display", "it", "-q"])
            .unwrap();
        let globals =
            crate::globals::Globals::collect_flags(&matches.subcommand().unwrap().1.clone());
        assert!(globals.is_ok_and(|globals| globals.json && globals.quiet));
        let command = Commands::from_arg_matches(&matches).unwrap();
        let printer = crate::printer::Printer::new(&Default::default());
        let context = crate::context::Context::new(&Default::default(), printer).unwrap();
        let answer = command.run(&context).unwrap_err();
        assert_eq!(answer.to_string(), "shown: it");
        let missing = root.try_get_matches_from(["root", "noun"]).unwrap_err();
        assert_eq!(
            crate::usage::usage_shape(&missing).message,
            "a command is missing"
        );
    }
}
