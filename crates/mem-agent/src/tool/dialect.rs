//! Whose texts are spoken: [`ToolDialect`].

use std::cmp::Ordering;

use mem_core::plain::Links;

/// The texts and habits of one of the implementations that hosts are built on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToolDialect {
    /// The published page of the tool; where it is silent, as TypeScript.
    #[default]
    Docs,
    /// The Python SDK.
    Python,
    /// The TypeScript SDK.
    TypeScript,
}

impl ToolDialect {
    /// What a directory view says it leaves out.
    pub(super) fn left_out(self) -> &'static str {
        match self {
            Self::Python => "hidden items",
            Self::Docs | Self::TypeScript => "hidden items and node_modules",
        }
    }

    /// Whether a name is left out of directory views.
    pub(super) fn skips_name(self, name: &str) -> bool {
        name.starts_with('.') || (name == "node_modules" && self != Self::Python)
    }

    /// The order of names in a folder: code points, or UTF-16 code units as JavaScript has it.
    pub(super) fn name_order(self) -> fn(&str, &str) -> Ordering {
        match self {
            Self::Python => |one, other| one.cmp(other),
            Self::Docs | Self::TypeScript => {
                |one, other| one.encode_utf16().cmp(other.encode_utf16())
            }
        }
    }

    /// What commands that change a link change: Python what it names, the others the link.
    pub(super) fn link_handling(self) -> Links {
        match self {
            Self::Python => Links::Follow,
            Self::Docs | Self::TypeScript => Links::Keep,
        }
    }
}
