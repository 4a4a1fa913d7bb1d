//! What is written once for all platforms of a release: the Homebrew formula and the shell installer.
//!
//! Both name the folder that the release is published in. Its address is given to the run (`--url`); without
//! one a placeholder stands in its place, and the installer wants to be told (`MEM_RELEASE_URL`).

use std::fmt::Write as _;

use super::platform::{Platform, System};
use super::{PACKAGE, Package, sha256};

const FORMULA: &str = include_str!("../../../../templates/packages/formula.rb");
const INSTALLER: &str = include_str!("../../../../templates/packages/install.sh");
/// What stands in place of an address that is not known.
const NO_ADDRESS: &str = "@RELEASE_URL@";

/// The formula of the archives that are there, and the installer.
pub(super) fn fronts(packages: &[Package], version: &str, url: Option<&str>) -> [Package; 2] {
    let url = url.unwrap_or(NO_ADDRESS).trim_end_matches('/');
    // A forge has releases below the page of the repository.
    let homepage = url.split("/releases/").next().unwrap_or(url);
    let formula = FORMULA
        .replace("@VERSION@", version)
        .replace("@HOMEPAGE@", homepage)
        .replace("@ARCHIVES@\n", &archives(packages, version, url));
    let installer = INSTALLER
        .replace("@VERSION@", version)
        .replace(NO_ADDRESS, url);
    [
        Package {
            file_name: format!("{PACKAGE}.rb"),
            bytes: formula.into_bytes(),
        },
        Package {
            file_name: "install.sh".to_owned(),
            bytes: installer.into_bytes(),
        },
    ]
}

/// A block for each system that Homebrew runs on, with one for each processor.
fn archives(packages: &[Package], version: &str, url: &str) -> String {
    let mut text = String::new();
    for (system, block) in [(System::Macos, "on_macos"), (System::Linux, "on_linux")] {
        let mut inner = String::new();
        for platform in Platform::ALL.iter().filter(|one| one.system == system) {
            let file = format!("{}.tar.gz", platform.archive_name(version));
            let Some(package) = packages.iter().find(|one| one.file_name == file) else {
                continue;
            };
            let processor = match platform.arch {
                "aarch64" => "on_arm",
                _ => "on_intel",
            };
            let sum = sha256(&package.bytes);
            // Writing to a String cannot fail.
            let _ = write!(
                inner,
                "    {processor} do\n      url \"{url}/{file}\"\n      sha256 \"{sum}\"\n    end\n"
            );
        }
        if !inner.is_empty() {
            let _ = write!(text, "  {block} do\n{inner}  end\n\n");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(triple: &str) -> Package {
        Package {
            file_name: format!("mem-1.2.3-{triple}.tar.gz"),
            bytes: triple.as_bytes().to_vec(),
        }
    }

    #[test]
    fn a_formula_has_the_archives_that_are_there_with_their_sums() {
        let packages = [
            "x86_64-unknown-linux-gnu",
            "aarch64-apple-darwin",
            "x86_64-pc-windows-msvc",
        ];
        let [formula, installer] = fronts(
            &packages.map(archive),
            "1.2.3",
            Some("https://example.org/v1/"),
        );
        let formula = String::from_utf8(formula.bytes).unwrap();
        let sum = sha256(b"aarch64-apple-darwin");
        assert!(formula.contains(&format!(
            "  on_macos do\n    on_arm do\n      url \"https://example.org/v1/mem-1.2.3-aarch64-apple-darwin.tar.gz\"\n      sha256 \"{sum}\"\n    end\n  end\n\n  on_linux do\n    on_intel do\n"
        )), "{formula}");
        assert!(!formula.contains("windows") && !formula.contains('@'));
        let installer = String::from_utf8(installer.bytes).unwrap();
        assert!(installer.contains("url=${MEM_RELEASE_URL:-'https://example.org/v1'}"));
        let [_, installer] = fronts(&[], "1.2.3", None);
        let installer = String::from_utf8(installer.bytes).unwrap();
        assert!(installer.contains("version='1.2.3'") && installer.contains(NO_ADDRESS));
    }
}
