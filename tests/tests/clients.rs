//! The client packages that other tests need: installed once, and the versions that are pinned.

use std::process::Command;

use mem_tests::clients;

fn said(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn python_imports_the_pinned_packages() {
    let program = "from importlib.metadata import version as v; import anthropic, mcp; \
                   print(v('anthropic'), v('mcp'))";
    let versions = said(Command::new(clients::python()).args(["-c", program]));
    assert_eq!(versions, "2.12.0 2.3.0");
}

#[test]
fn node_finds_the_pinned_packages() {
    let modules = clients::node_modules();
    let program = "const v = (name) => JSON.parse(require('fs').readFileSync(\
                   `${process.argv[1]}/${name}/package.json`)).version; \
                   console.log(v('@anthropic-ai/sdk'), v('@modelcontextprotocol/inspector'))";
    let versions = said(Command::new("node").args(["-e", program]).arg(&modules));
    assert_eq!(versions, "1.12.0 0.22.0");
}

#[test]
fn the_pins_name_no_registry() {
    for file in [
        "python/requirements.txt",
        "python/anthropic-0.121.0.txt",
        "python/anthropic-1.17.0.txt",
        "python/schemathesis.txt",
        "node-older/package-lock.json",
        "node-older/package.json",
        "node/package-lock.json",
        "node/package.json",
        "oidc/package-lock.json",
        "oidc/package.json",
    ] {
        let path = format!("{}/clients/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        assert!(
            !text.contains("\"resolved\"") && !text.contains("index-url"),
            "{file}"
        );
    }
}
