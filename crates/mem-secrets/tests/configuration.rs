//! Configurations as they are found in the wild.

use mem_secrets::template::assemble;
use mem_secrets::{Confidence, Config, InputOrigin, RuleProblem, ScanReport, Scanner, Suppressor};

fn report(config: &str, path: &str, template: &str) -> ScanReport {
    let scanner = Scanner::new()
        .with_comments(true)
        .with_config(Config::parse(config).unwrap());
    scanner.report(assemble(template, 3).as_bytes(), &InputOrigin::path(path))
}

const TOKEN: &str = "token = {github:ghp_}";

#[test]
fn the_old_and_the_new_allowlist() {
    for config in [
        "[allowlist]\npaths = ['''^vendor/''']",
        "[[allowlists]]\ndescription = 'x'\npaths = ['''^vendor/''']",
        "[[allowlists]]\ncondition = 'AND'\npaths = ['^vendor/']\nregexes = ['^ghp_']",
        "[[allowlists]]\nregexTarget = 'line'\nregexes = ['^token =']",
        "[[allowlists]]\ntargetRules = ['github-pat']\nstopwords = ['GHP']",
        "[[rules]]\nid = 'github-pat'\n[[rules.allowlists]]\nregexes = ['ghp_']",
        "[[rules]]\nid = 'github-pat'\n[rules.allowlist]\npaths = ['vendor']",
    ] {
        let report = report(config, "vendor/a.txt", TOKEN);
        assert!(report.findings.is_empty(), "{config}: {report:?}");
        assert_eq!(report.suppressed[0].by, Suppressor::Allowlist, "{config}");
    }
}

#[test]
fn an_allowlist_for_something_else_hides_nothing() {
    for config in [
        "[[allowlists]]\ncondition = 'AND'\npaths = ['^src/']\nregexes = ['^ghp_']",
        "[[allowlists]]\ntargetRules = ['jwt']\nstopwords = ['ghp']",
        "[[allowlists]]\nregexes = ['^token =']",
    ] {
        assert_eq!(
            report(config, "vendor/a.txt", TOKEN).findings.len(),
            1,
            "{config}"
        );
    }
}

#[test]
fn disabled_rules_are_hidden_and_counted() {
    let config = "[extend]\nuseDefault = true\ndisabledRules = ['github-pat', 'generic-api-key']";
    let report = report(config, "a.txt", TOKEN);
    assert_eq!(report.suppressed[0].by, Suppressor::Disabled);
    assert!(report.findings.is_empty());
}

#[test]
fn comments_hide_a_line() {
    assert!(
        report("", "a.txt", "token = {github:ghp_} # gitleaks:allow")
            .findings
            .is_empty()
    );
    assert_eq!(
        report("", "a.txt", "# gitleaks:allow\ntoken = {github:ghp_}")
            .findings
            .len(),
        1
    );
}

#[test]
fn own_rules_add_to_the_built_in_ones() {
    let config = "[[rules]]\nid = 'acme'\nregex = '''acme-([0-9]{6})'''\nsecretGroup = 1\nentropy = 0.5\nkeywords = ['ACME']";
    let report = report(
        config,
        "a.txt",
        "acme-482913 and {github:ghp_}, acme-111111",
    );
    let rules: Vec<&str> = report
        .findings
        .iter()
        .map(|finding| finding.rule.as_str())
        .collect();
    assert_eq!(rules, ["acme", "github-pat"]);
    assert_eq!(report.findings[0].secret.expose(), b"482913");
}

#[test]
fn required_rules_must_be_near() {
    let config = "[[rules]]\nid = 'host'\nregex = 'host-[0-9]+'\nskipReport = true\n\
        [[rules]]\nid = 'pair'\nregex = 'user-[0-9]+'\n[[rules.required]]\nid = 'host'\nwithinLines = 1";
    let near = report(config, "a", "user-1\nhost-2");
    assert_eq!(near.findings.len(), 1);
    assert_eq!(near.findings[0].rule, "pair");
    assert!(
        report(config, "a", "user-1\n\n\nhost-2")
            .findings
            .is_empty()
    );
}

#[test]
fn errors_say_line_and_rule() {
    for (config, expected) in [
        (
            "[[rules]]\nid = 'a'\nregex = '('",
            "line 3: rule `a`: `regex` does not compile",
        ),
        (
            "title = 1\n[[rules]]\nregex = 'x'",
            "line 2: a rule has no `id`",
        ),
        (
            "[[rules]]\nid = 'a'\nregex = 'x'\nkeywords = 'k'",
            "line 4: rule `a`: `keywords` is not a list",
        ),
        (
            "[[rules]]\nid = 'a'\nregex = 'x'\nsecretGroup = 2",
            "line 1: rule `a`: `secretGroup` is 2",
        ),
        (
            "[[rules]]\nid = 'a'",
            "line 1: rule `a`: a rule needs `regex` or `path`",
        ),
        (
            "[allowlist]\ndescription = 'x'",
            "line 1: an allowlist has none of",
        ),
        (
            "[[allowlists]]\npaths = ['x']\ncondition = 'XOR'",
            "line 3: `condition` is `XOR`",
        ),
        (
            "[[rules]]\nid = 'a'\nregex = 'x'\n[[rules.required]]\nid = 'gone'",
            "line 4: rule `a`: `required` names the rule `gone`",
        ),
        ("a = [", "line 1: "),
    ] {
        let checked = Config::parse(config).and_then(|config| config.check());
        let error = checked.unwrap_err().to_string();
        assert!(error.starts_with(expected), "{config}: {error}");
    }
}

#[test]
fn extending_adds_up() {
    let base =
        Config::parse("[[rules]]\nid = 'a'\nregex = 'aaa1'\n[[rules]]\nid = 'b'\nregex = 'bbb1'")
            .unwrap();
    let top =
        Config::parse("[extend]\npath = 'base.toml'\n[[rules]]\nid = 'a'\nregex = 'aaa2'").unwrap();
    assert_eq!(top.extends(), Some("base.toml"));
    let scanner = Scanner::new().with_config(top.on(base));
    let findings = scanner.scan(b"aaa1 aaa2 bbb1", &InputOrigin::unknown());
    let secrets: Vec<&[u8]> = findings
        .iter()
        .map(|finding| finding.secret.expose())
        .collect();
    assert_eq!(secrets, [b"aaa2", b"bbb1"]);
}

#[test]
fn an_entry_without_an_expression_adjusts_the_rule_that_it_extends() {
    let base = "[[rules]]\nid = 'a'\nregex = 'acme-[0-9]+'\nkeywords = ['acme']";
    let top = "[extend]\npath = 'base.toml'\n[[rules]]\nid = 'a'\n[[rules.allowlists]]\nstopwords = ['acme-0']";
    let top = Config::parse(top).unwrap();
    assert!(top.check().is_err(), "alone it finds nothing");
    let config = top.on(Config::parse(base).unwrap());
    config.check().unwrap();
    let report = Scanner::new()
        .with_config(config)
        .report(b"acme-01 acme-77", &InputOrigin::unknown());
    let secrets: Vec<&[u8]> = report
        .findings
        .iter()
        .map(|one| one.secret.expose())
        .collect();
    assert_eq!(secrets, [b"acme-77"]);
}

#[test]
fn betterleaks_says_how_sure_a_rule_is_and_validates_nothing_here() {
    let rule = |confidence: &str| {
        format!(
            "[[rules]]\nid = 'mine'\nregex = 'MINE-[a-z]{{6}}'\n{confidence}\n\
             validate = \"http.get('https://x.test', {{}})\"\nfilter = 'false'\n"
        )
    };
    for (confidence, least) in [
        ("confidence = 'low'", Confidence::Low),
        ("confidence = 'medium'", Confidence::Medium),
        ("confidence = \"high\"", Confidence::High),
        ("", Confidence::High),
    ] {
        let config = Config::parse(&rule(confidence)).unwrap();
        assert!(config.has_expressions());
        let scanner = Scanner::new().with_config(config);
        let scan = |scanner: &Scanner| scanner.scan(b"x MINE-abcdef y", &InputOrigin::unknown());
        let stopped = scan(&scanner).len();
        assert_eq!(
            stopped,
            usize::from(least > Confidence::Low),
            "{confidence}"
        );
        let all = scan(&scanner.with_confidence(Confidence::Low));
        assert_eq!(all[0].confidence, least, "{confidence}");
    }
    let wrong = Config::parse(&rule("confidence = 'sure'")).unwrap_err();
    assert!(matches!(wrong.problem, RuleProblem::Word { .. }), "{wrong}");
}

#[test]
fn components_of_betterleaks_must_be_near_unless_they_are_optional() {
    let config = |components: &str| {
        format!(
            "[[rules]]\nid = 'id'\nregex = 'ID-[0-9]{{4}}'\nskipReport = true\n\
             [[rules]]\nid = 'key'\nregex = 'KEY-[a-z]{{6}}'\ncomponents = [{components}]\n"
        )
    };
    let far = "ID-1234\n\n\nKEY-abcdef\n";
    for (components, count) in [
        ("{ id = 'id' }", 1),
        ("{ id = 'id', within = '4L' }", 1),
        ("{ id = 'id', within = '3L' }", 0),
        ("{ id = 'id', within = '-4L,+1L' }", 1),
        ("{ id = 'id', within = '3L', optional = true }", 1),
    ] {
        let found = report(&config(components), "a.txt", far).findings;
        assert_eq!(found.len(), count, "{components}");
    }
    for wrong in ["{ id = 'id', within = '3X' }", "{ within = '3L' }"] {
        assert!(Config::parse(&config(wrong)).is_err(), "{wrong}");
    }
}
