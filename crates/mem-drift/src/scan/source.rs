//! What kind of text a file is: prose, which may speak of what is gone; code, with its comments;
//! or nothing to search.

use crate::limits::BINARY_PROBE_BYTES;

/// Endings of prose.
const PROSE: &str =
    " md mdx markdown rst txt adoc org textile tex bib log changelog patch diff po pot ";
/// Endings of what is never searched.
const OPAQUE: &str = " png jpg jpeg gif webp ico icns bmp tiff psd pdf zip gz tgz bz2 xz zst 7z tar jar war \
     class o a so dylib dll exe wasm woff woff2 ttf otf eot mp3 mp4 mov avi mkv wav ogg flac bin dat db \
     sqlite pyc parquet arrow npy npz pt onnx safetensors pack idx min.js map snap ";
/// Endings of code whose comments start with `#`.
const HASHED: &str = " py pyi rb sh bash zsh fish yaml yml toml cfg conf ini env properties mk pl pm r jl ex exs tf \
     nix ps1 cmake dockerfile gitignore example nim cr ";
/// Endings of code whose comments start with two dashes.
const DASHED: &str = " sql lua hs elm ada adb vhd ";
/// Names of files without an ending that are prose.
const PROSE_NAMES: &str = " changelog changes news readme license licence copying authors contributors notice history todo ";

/// How comments of a file start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comments {
    /// `//`, `/*`, and `*` on the lines in between.
    Slashed,
    /// `#`.
    Hashed,
    /// `--`.
    Dashed,
}

/// What a file's name says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SourceKind {
    Code(Comments),
    Prose,
    Opaque,
}

impl SourceKind {
    pub(crate) fn from_path(path: &[u8]) -> Self {
        let start = path
            .iter()
            .rposition(|&byte| byte == b'/')
            .map_or(0, |at| at + 1);
        let name = String::from_utf8_lossy(&path[start..]).to_ascii_lowercase();
        let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
        let holds = |list: &str, word: &str| {
            !word.is_empty() && list.split_ascii_whitespace().any(|entry| entry == word)
        };
        let plain_stem = stem.split('.').next().unwrap_or(stem);
        if holds(PROSE, ending) || (ending.is_empty() && holds(PROSE_NAMES, plain_stem)) {
            Self::Prose
        } else if holds(OPAQUE, ending) || name.ends_with(".min.js") {
            Self::Opaque
        } else if holds(HASHED, ending) || (ending.is_empty() && !stem.is_empty()) {
            Self::Code(Comments::Hashed)
        } else if holds(DASHED, ending) {
            Self::Code(Comments::Dashed)
        } else {
            Self::Code(Comments::Slashed)
        }
    }
}

impl Comments {
    /// Whether what follows this start of a line stands in a comment. Guessed from the line alone.
    pub(crate) fn is_comment(self, line_start: &[u8]) -> bool {
        let trimmed = line_start.trim_ascii_start();
        let has = |mark: &[u8]| line_start.windows(mark.len()).any(|window| window == mark);
        match self {
            Self::Slashed => {
                trimmed.starts_with(b"*")
                    || trimmed.starts_with(b"<!--")
                    || has(b"/*") && !has(b"*/")
                    || comment_slashes(line_start)
            }
            Self::Hashed => trimmed.starts_with(b"#") || has(b" #"),
            Self::Dashed => trimmed.starts_with(b"--") || has(b" -- "),
        }
    }
}

/// `//` that is no part of a web address.
fn comment_slashes(line: &[u8]) -> bool {
    let pair = line.windows(2).position(|pair| pair == b"//");
    pair.is_some_and(|at| at == 0 || line[at - 1] != b':')
}

/// Whether the bytes are text, as git guesses it.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    !bytes[..bytes.len().min(BINARY_PROBE_BYTES)].contains(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_a_file_is() {
        assert_eq!(
            SourceKind::from_path(b"src/a.rs"),
            SourceKind::Code(Comments::Slashed)
        );
        assert_eq!(
            SourceKind::from_path(b"a.py"),
            SourceKind::Code(Comments::Hashed)
        );
        assert_eq!(
            SourceKind::from_path(b"Makefile"),
            SourceKind::Code(Comments::Hashed)
        );
        assert_eq!(
            SourceKind::from_path(b".env.example"),
            SourceKind::Code(Comments::Hashed)
        );
        assert_eq!(SourceKind::from_path(b"docs/a.md"), SourceKind::Prose);
        assert_eq!(SourceKind::from_path(b"CHANGELOG"), SourceKind::Prose);
        assert_eq!(SourceKind::from_path(b"a/b.png"), SourceKind::Opaque);
    }

    #[test]
    fn comments_are_guessed_from_the_line() {
        assert!(Comments::Slashed.is_comment(b"    // the "));
        assert!(Comments::Slashed.is_comment(b"let x = 1; // was "));
        assert!(Comments::Slashed.is_comment(b" * see "));
        assert!(!Comments::Slashed.is_comment(b"fetch(\"https://x/"));
        assert!(!Comments::Slashed.is_comment(b"#[cfg("));
        assert!(Comments::Hashed.is_comment(b"# "));
        assert!(!Comments::Hashed.is_comment(b"def "));
        assert!(Comments::Dashed.is_comment(b"-- "));
    }
}
