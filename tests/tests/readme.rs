//! What the README shows is what happens.

use mem_tests::TestEnv;

const README: &str = include_str!("../../README.md");

/// The lines of every `console` block.
fn console() -> Vec<&'static str> {
    let blocks = README.split("```console\n").skip(1);
    blocks
        .flat_map(|block| block.split("```").next().unwrap().lines())
        .collect()
}

#[test]
fn every_command_prints_what_the_readme_says() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut played = String::new();
    for line in console() {
        let Some(script) = line.strip_prefix("$ ") else {
            continue;
        };
        let mut shell = env.command("sh");
        let binary = mem_tests::binary::path().parent().unwrap();
        let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
        shell
            .args(["-c", script])
            .env("PATH", path)
            .current_dir(repo.path());
        let output = shell.output().unwrap();
        played += "$ ";
        played += script;
        played += "\n";
        played += &String::from_utf8_lossy(&output.stdout);
        played += &String::from_utf8_lossy(&output.stderr);
    }
    let shown: String = console()
        .into_iter()
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(played, shown);
}

#[test]
fn the_two_commands_are_real() {
    assert!(README.contains("cargo run --release -- tour\ncargo xtask test\n"));
    TestEnv::new().mem(["help", "tour"]).assert_ok();
    let alias = include_str!("../../.cargo/config.toml");
    assert!(alias.contains("xtask ="), "{alias}");
}
