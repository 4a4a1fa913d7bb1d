//! `mem config`: the settings, and where each comes from.

mod edit;
mod get;
mod list;
mod secret;
mod set;
mod setting_json;
mod unset;

use std::path::PathBuf;

use mem_core::project;

use crate::context::Context;

pub(crate) use secret::SecretSetting;

crate::table::noun! {
    /// Read and change settings
    ///
    /// A value is looked for in the environment (`MEM_` and the key in capitals, dots as
    /// underscores), in the repository's table of `config.toml`, in the rest of it, and in the
    /// defaults. Nothing inside a repository can change a setting.
    struct Args;
    "Commands" {
        get => "Print a setting",
        set => "Change a setting",
        unset => "Take a setting out of config.toml",
        list => "List every setting and where its value comes from",
        edit => "Open config.toml in your editor",
    }
}

/// The root of this repository where `--repository` was given. The settings themselves are not
/// looked at: they may be what is to be mended.
fn repository_root(context: &Context, wanted: bool) -> anyhow::Result<Option<PathBuf>> {
    if !wanted {
        return Ok(None);
    }
    Ok(Some(project::find(&context.cwd, &context.env)?.root))
}
