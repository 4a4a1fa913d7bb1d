//! The files that pages load: scripts and styles, embedded.

/// A file, and what it is.
#[derive(Debug)]
pub(crate) struct Asset {
    name: &'static str,
    pub media_type: &'static str,
    pub bytes: &'static [u8],
}

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

/// All of them; `assets/README.md` says where they come from.
static ASSETS: [Asset; 6] = [
    Asset {
        name: "console.css",
        media_type: STYLE,
        bytes: include_bytes!("assets/console.css"),
    },
    Asset {
        name: "console.js",
        media_type: SCRIPT,
        bytes: include_bytes!("assets/console.js"),
    },
    Asset {
        name: "htmx.min.js",
        media_type: SCRIPT,
        bytes: include_bytes!("assets/htmx.min.js"),
    },
    Asset {
        name: "icon.svg",
        media_type: "image/svg+xml",
        bytes: include_bytes!("assets/icon.svg"),
    },
    Asset {
        name: "uPlot.iife.min.js",
        media_type: SCRIPT,
        bytes: include_bytes!("assets/uPlot.iife.min.js"),
    },
    Asset {
        name: "uPlot.min.css",
        media_type: STYLE,
        bytes: include_bytes!("assets/uPlot.min.css"),
    },
];

/// The file of this name.
pub(crate) fn find(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}
