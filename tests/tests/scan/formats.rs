//! Reports for other programs: SARIF, and baselines.

use mem_tests::{TestEnv, github_token};
use serde_json::Value;

#[track_caller]
fn has(value: &Value, keys: &[&str]) {
    let object = value
        .as_object()
        .unwrap_or_else(|| panic!("no object: {value}"));
    for key in keys {
        assert!(object.contains_key(*key), "`{key}` is missing in {value}");
    }
}

/// What the schema of SARIF 2.1.0 requires of the objects that are used, and its enumerations.
#[test]
fn sarif_is_what_the_standard_requires() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.write("a b.txt", format!("\n{}\n", github_token(1)));
    let log = repo
        .mem(["scan", "--format", "sarif"])
        .assert_code(3)
        .json();
    has(&log, &["version", "runs"]);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    has(run, &["tool"]);
    has(&run["tool"]["driver"], &["name"]);
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    rules.iter().for_each(|rule| has(rule, &["id"]));
    has(&run["invocations"][0], &["executionSuccessful"]);
    assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
    let result = &run["results"][0];
    has(result, &["message"]);
    has(&result["message"], &["text"]);
    let levels = ["none", "note", "warning", "error"];
    assert!(levels.contains(&result["level"].as_str().unwrap()));
    let index = result["ruleIndex"].as_u64().unwrap() as usize;
    assert_eq!(rules[index]["id"], result["ruleId"]);
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a%20b.txt");
    assert_eq!(place["region"]["startLine"], 2);
    assert!(place["region"]["endColumn"].as_u64() > place["region"]["startColumn"].as_u64());
    let prints = result["partialFingerprints"].as_object().unwrap();
    assert!(prints.values().all(Value::is_string));
}

#[test]
fn sarif_counts_columns_in_code_points() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.write("a.txt", format!("\u{1f511}\u{1f511} {}\n", github_token(1)));
    let log = repo
        .mem(["scan", "--format", "sarif"])
        .assert_code(3)
        .json();
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let region = &run["results"][0]["locations"][0]["physicalLocation"]["region"];
    let expected =
        serde_json::json!({ "startLine": 1, "startColumn": 4, "endLine": 1, "endColumn": 44 });
    assert_eq!(region, &expected);
}

/// The properties of each object of the schema of SARIF 2.1.0 that we use; the schema allows no others. `properties`
/// takes any.
const SCHEMA: &[(&str, &[&str])] = &[
    ("", &["$schema", "version", "runs"]),
    (
        "runs",
        &[
            "tool",
            "invocations",
            "results",
            "versionControlProvenance",
            "columnKind",
        ],
    ),
    ("tool", &["driver"]),
    (
        "driver",
        &[
            "name",
            "version",
            "semanticVersion",
            "informationUri",
            "rules",
        ],
    ),
    (
        "rules",
        &[
            "id",
            "name",
            "shortDescription",
            "fullDescription",
            "help",
            "helpUri",
            "properties",
        ],
    ),
    (
        "invocations",
        &["executionSuccessful", "toolExecutionNotifications"],
    ),
    (
        "toolExecutionNotifications",
        &["message", "level", "descriptor", "locations"],
    ),
    (
        "results",
        &[
            "ruleId",
            "ruleIndex",
            "level",
            "message",
            "locations",
            "relatedLocations",
            "partialFingerprints",
            "fingerprints",
            "baselineState",
            "suppressions",
            "properties",
        ],
    ),
    (
        "locations",
        &[
            "id",
            "physicalLocation",
            "logicalLocations",
            "message",
            "properties",
        ],
    ),
    (
        "relatedLocations",
        &[
            "id",
            "physicalLocation",
            "logicalLocations",
            "message",
            "properties",
        ],
    ),
    ("logicalLocations", &["name", "fullyQualifiedName", "kind"]),
    (
        "physicalLocation",
        &["artifactLocation", "region", "contextRegion"],
    ),
    ("artifactLocation", &["uri", "uriBaseId"]),
    (
        "region",
        &[
            "startLine",
            "startColumn",
            "endLine",
            "endColumn",
            "byteOffset",
            "byteLength",
            "snippet",
        ],
    ),
    ("message", &["text", "markdown", "id", "arguments"]),
    ("shortDescription", &["text", "markdown"]),
    ("fullDescription", &["text", "markdown"]),
    ("help", &["text", "markdown"]),
];

/// Names of properties that an object of the schema does not have, each with the object's.
fn unknown<'v>(value: &'v Value, name: &'v str, found: &mut Vec<String>) {
    match value {
        Value::Array(all) => all.iter().for_each(|one| unknown(one, name, found)),
        Value::Object(object) if !matches!(name, "properties" | "partialFingerprints") => {
            let known = SCHEMA.iter().find(|(object, _)| *object == name);
            let known = known.map_or(&[][..], |(_, properties)| *properties);
            for (property, inner) in object {
                if !known.contains(&property.as_str()) {
                    found.push(format!("{name}.{property}"));
                }
                unknown(inner, property, found);
            }
        }
        _ => {}
    }
}

#[test]
fn sarif_has_no_property_that_the_schema_has_not() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let fits = |args: &[&str], code: i32| {
        let output = repo.mem(args).assert_code(code).json();
        let mut found = Vec::new();
        unknown(&output, "", &mut found);
        assert!(found.is_empty(), "{found:?}: {output}");
    };
    fits(&["scan", "--format", "sarif"], 0);
    repo.write("a b.txt", format!("\n{}\n", github_token(1)));
    repo.write("c.txt", github_token(2));
    fits(&["scan", "--format", "sarif"], 3);
    fits(&["scan", "--format", "sarif", "--explain"], 3);
    repo.git(["add", "-A"]);
    repo.git(["commit", "-qm", "leak"]);
    fits(&["scan", "--format", "sarif", "--history"], 3);
}

#[test]
fn a_baseline_of_ours_or_of_gitleaks_hides_what_it_lists() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.write("a.txt", github_token(1));
    let ours = repo
        .mem(["scan", "--format", "json"])
        .assert_code(3)
        .stdout_bytes;
    std::fs::write(env.work().join("ours.json"), ours).unwrap();
    repo.mem(["scan", "--baseline", "../ours.json"]).assert_ok();
    let theirs = r#"[{"RuleID":"github-pat","File":"a.txt","StartLine":1,"Secret":"REDACTED"}]"#;
    std::fs::write(env.work().join("theirs.json"), theirs).unwrap();
    repo.mem(["scan", "--baseline", "../theirs.json"])
        .assert_ok();
    for format in ["sarif", "jsonl"] {
        let report = repo.mem(["scan", "--format", format]).assert_code(3);
        std::fs::write(env.work().join(format), report.stdout_bytes).unwrap();
        let known = format!("../{format}");
        repo.mem(["scan", "--baseline", &known]).assert_ok();
    }
    let other = r#"{"version":"2.1.0","runs":[{"results":[{"ruleId":"x"}]}]}"#;
    std::fs::write(env.work().join("other.sarif"), other).unwrap();
    repo.mem(["scan", "--baseline", "../other.sarif"])
        .assert_code(1);
    repo.write("b.txt", github_token(2));
    repo.mem(["scan", "--baseline", "../ours.json"])
        .assert_code(3);
    repo.mem(["scan", "--baseline", "a.txt"]).assert_code(1);
}

#[test]
fn an_explanation_names_what_hides_a_finding() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.write("a.txt", format!("{} # mem:allow\n", github_token(1)));
    repo.write("b.txt", format!("\n{}\n", github_token(2)));
    repo.write(".gitleaksignore", "b.txt:github-pat:2\n");
    repo.write("c.txt", github_token(3));
    repo.write(".gitleaks.toml", "[[allowlists]]\npaths = ['^c']\n");
    let talk = repo.mem(["scan", "--explain"]).assert_ok().stdout;
    for line in [
        "hidden: a.txt:1: github-pat (by a comment on its line)",
        "hidden: b.txt:2: github-pat (by .gitleaksignore)",
        "hidden: c.txt:1: github-pat (by an allowlist of the configuration)",
    ] {
        assert!(talk.contains(line), "{talk}");
    }
    let json = repo
        .mem(["scan", "--explain", "--format", "json"])
        .assert_ok()
        .json();
    assert_eq!(json["hidden"].as_array().unwrap().len(), 3);
    assert_eq!(json["suppressed"], 3);
}

#[test]
fn a_configuration_that_is_a_pipe_or_extends_nothing_is_an_error() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let path = repo.path().join(".gitleaks.toml");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.unwrap().success());
    let ran = repo.mem(["scan"]).assert_code(1);
    assert!(ran.stderr.contains("it is a pipe"), "{}", ran.stderr);
    std::fs::remove_file(&path).unwrap();
    repo.write(".gitleaks.toml", "[extend]\npath = \"gone.toml\"\n");
    let ran = repo.mem(["scan"]).assert_code(1);
    assert!(
        ran.stderr.contains("gone.toml`: there is no such file"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_name_with_a_line_end_does_not_forge_a_line() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.write("a\nno secrets.txt", github_token(1));
    std::os::unix::fs::symlink("x\ny", repo.path().join("x\ny")).unwrap();
    let ran = repo.mem(["scan"]).assert_code(3);
    assert!(
        ran.stdout.starts_with("a?no secrets.txt:1:1: "),
        "{}",
        ran.stdout
    );
    assert!(ran.stderr.contains("cannot follow `x?y`"), "{}", ran.stderr);
}
