//! Of the same suite: nothing outside of the directory is reached, and what is made is its owner's alone.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::{fs, path::Path};

use mem_tests::TestEnv;

use super::host::{Host, create, delete, insert, rename, replace, view};
use super::python::table;

#[test]
fn paths_and_links_that_lead_out_are_refused() {
    table(
        "paths",
        &[
            (
                view("/invalid/path.txt"),
                Err("Path must start with /memories, got: /invalid/path.txt"),
            ),
            (
                create("/invalid/path.txt", "x"),
                Err("Path must start with /memories, got: /invalid/path.txt"),
            ),
            (
                view("/memories/../../../etc/passwd"),
                Err("Path /memories/../../../etc/passwd would escape /memories directory"),
            ),
            (
                create("/memories/a", "x"),
                Ok("File created successfully at: /memories/a"),
            ),
            (
                view("/memories/b/../a"),
                Ok("Here's the content of /memories/b/../a with line numbers:\n     1\tx"),
            ),
            (
                view("/memories/a/../a"),
                Ok("Here's the content of /memories/a/../a with line numbers:\n     1\tx"),
            ),
            (
                view("/memories/../memories/a"),
                Ok("Here's the content of /memories/../memories/a with line numbers:\n     1\tx"),
            ),
            (
                create("/memories/a/../b", "y"),
                Ok("File created successfully at: /memories/a/../b"),
            ),
            (
                rename("/memories/a/../b", "/memories/a/b/../../c"),
                Ok("Successfully renamed /memories/a/../b to /memories/a/b/../../c"),
            ),
            (
                view("/memories/a/../../b"),
                Err("Path /memories/a/../../b would escape /memories directory"),
            ),
            (
                view("/memories/a/b"),
                Err("The path /memories/a/b does not exist. Please provide a valid path."),
            ),
        ],
    );
    let env = TestEnv::new();
    let outside = env.work().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("file.txt"), "secret").unwrap();
    for (dialect, expected) in [
        ("python", "Path {} would escape /memories directory"),
        (
            "typescript",
            "Path would escape /memories directory via symlink",
        ),
        ("docs", "Path would escape /memories directory via symlink"),
    ] {
        let host = Host::named(&env, dialect, &["--dialect", dialect]);
        host.run(&[], "").assert_ok();
        symlink(&outside, host.at("link")).unwrap();
        for (path, input) in [
            ("/memories/link/file.txt", view("/memories/link/file.txt")),
            ("/memories/link", view("/memories/link")),
            ("/memories/link/new", create("/memories/link/new", "x")),
            ("/memories/link/n/e/w", create("/memories/link/n/e/w", "x")),
            (
                "/memories/link/file.txt",
                replace("/memories/link/file.txt", "secret", "x"),
            ),
            (
                "/memories/link/file.txt",
                insert("/memories/link/file.txt", 0, "x"),
            ),
            ("/memories/link/file.txt", delete("/memories/link/file.txt")),
            (
                "/memories/link/file.txt",
                rename("/memories/link/file.txt", "/memories/mine"),
            ),
        ] {
            let told = host.ask(input.clone());
            assert_eq!(
                (told.text, told.is_error),
                (expected.replace("{}", path), true),
                "{input}"
            );
        }
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
        assert_eq!(
            fs::read_to_string(outside.join("file.txt")).unwrap(),
            "secret"
        );
        let listed = host.ask(view("/memories")).text;
        assert!(!listed.contains("link"), "{listed}");
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn everything_is_private_under_any_umask() {
    for dialect in ["python", "typescript", "docs"] {
        let env = TestEnv::new();
        let binary = mem_tests::binary::path();
        let root = env.work().join("nested").join("base");
        let inputs = [
            create("/memories/d/e/f", "one"),
            replace("/memories/d/e/f", "one", "two"),
            create("/memories/g", "x"),
            rename("/memories/g", "/memories/h/i/g"),
        ];
        for input in inputs {
            let script = format!(
                "umask 0; exec '{}' tool --root '{}' --dialect {dialect}",
                binary.display(),
                root.display()
            );
            let mut child = env
                .command("sh")
                .args(["-c", &script])
                .stdin(std::process::Stdio::piped())
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap();
            std::io::Write::write_all(
                &mut child.stdin.take().unwrap(),
                input.to_string().as_bytes(),
            )
            .unwrap();
            assert!(child.wait().unwrap().success());
        }
        for folder in [
            "",
            "memories",
            "memories/d",
            "memories/d/e",
            "memories/h",
            "memories/h/i",
        ] {
            assert_eq!(mode(&root.join(folder)), 0o700, "{folder}");
        }
        assert_eq!(mode(&env.work().join("nested")), 0o700);
        for file in ["memories/d/e/f", "memories/h/i/g"] {
            assert_eq!(mode(&root.join(file)), 0o600, "{file}");
        }
    }
}
