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

/// Embeds a file of `assets`.
macro_rules! asset {
    ($name:literal, $media_type:expr) => {
        Asset {
            name: $name,
            media_type: $media_type,
            bytes: include_bytes!(concat!("assets/", $name)),
        }
    };
}

/// All of them; `assets/README.md` says where they come from.
static ASSETS: [Asset; 6] = [
    asset!("console.css", STYLE),
    asset!("console.js", SCRIPT),
    asset!("htmx.min.js", SCRIPT),
    asset!("icon.svg", "image/svg+xml"),
    asset!("uPlot.iife.min.js", SCRIPT),
    asset!("uPlot.min.css", STYLE),
];

/// The file of this name.
pub(crate) fn find(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}
