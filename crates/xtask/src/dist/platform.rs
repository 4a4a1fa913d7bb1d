//! The platforms that packages are made for, and what each kind of package calls them.

use std::env;

use anyhow::bail;

/// A system and a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Platform {
    pub(super) system: System,
    /// `x86_64` or `aarch64`.
    pub(super) arch: &'static str,
}

/// An operating system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum System {
    Linux,
    Macos,
    Windows,
}

impl Platform {
    /// Every one that the release workflow packs.
    pub(super) const ALL: [Self; 5] = [
        Self::new(System::Linux, "x86_64"),
        Self::new(System::Linux, "aarch64"),
        Self::new(System::Macos, "x86_64"),
        Self::new(System::Macos, "aarch64"),
        Self::new(System::Windows, "x86_64"),
    ];

    const fn new(system: System, arch: &'static str) -> Self {
        Self { system, arch }
    }

    /// The one that this runs on.
    ///
    /// # Errors
    /// Packages are not made for it.
    pub(super) fn current() -> anyhow::Result<Self> {
        let mut all = Self::ALL.into_iter();
        let is_current =
            |one: &Self| one.system.name() == env::consts::OS && one.arch == env::consts::ARCH;
        match all.find(is_current) {
            Some(platform) => Ok(platform),
            None => bail!(
                "no packages are made for {} on {}",
                env::consts::OS,
                env::consts::ARCH
            ),
        }
    }

    /// Rust's name for it.
    pub(super) fn triple(self) -> String {
        let rest = match self.system {
            System::Linux => "unknown-linux-gnu",
            System::Macos => "apple-darwin",
            System::Windows => "pc-windows-msvc",
        };
        format!("{}-{rest}", self.arch)
    }

    /// The tag of a wheel.
    pub(super) fn wheel_tag(self) -> String {
        let platform = match (self.system, self.arch) {
            (System::Linux, arch) => format!("manylinux_2_17_{arch}.manylinux2014_{arch}"),
            (System::Macos, "aarch64") => "macosx_11_0_arm64".to_owned(),
            (System::Macos, arch) => format!("macosx_10_12_{arch}"),
            (System::Windows, "aarch64") => "win_arm64".to_owned(),
            (System::Windows, _) => "win_amd64".to_owned(),
        };
        format!("py3-none-{platform}")
    }

    /// `process.platform` and `process.arch` of Node.
    pub(super) fn node_names(self) -> (&'static str, &'static str) {
        let system = match self.system {
            System::Linux => "linux",
            System::Macos => "darwin",
            System::Windows => "win32",
        };
        let processor = match self.arch {
            "aarch64" => "arm64",
            _ => "x64",
        };
        (system, processor)
    }

    /// The file name of the program.
    pub(super) fn program(self) -> &'static str {
        match self.system {
            System::Windows => "mem.exe",
            System::Linux | System::Macos => "mem",
        }
    }

    /// The name of the archive, without its end.
    pub(super) fn archive_name(self, version: &str) -> String {
        format!("mem-{version}-{}", self.triple())
    }
}

impl System {
    /// As Rust calls it.
    fn name(self) -> &'static str {
        match self {
            Self::Linux => "linux",
            Self::Macos => "macos",
            Self::Windows => "windows",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_one_of_them() {
        let platform = Platform::current().unwrap();
        assert!(platform.triple().starts_with(env::consts::ARCH));
        assert!(Platform::ALL.contains(&platform));
    }
}
