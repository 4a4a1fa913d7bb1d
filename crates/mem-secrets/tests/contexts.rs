//! What the kind of a file and the text around a value make of it.

use mem_secrets::template::assemble;
use mem_secrets::{Confidence, InputOrigin, Scanner};

/// Rule and confidence of each finding, at every confidence.
fn found(path: &str, template: &str) -> Vec<(String, Confidence)> {
    let scanner = Scanner::new().with_confidence(Confidence::Low);
    let text = assemble(template, 11);
    let findings = scanner.scan(text.as_bytes(), &InputOrigin::path(path));
    let named = findings.into_iter();
    named
        .map(|finding| (finding.rule, finding.confidence))
        .collect()
}

fn assert_found(path: &str, template: &str, rule: &str, confidence: Confidence) {
    let expected = [(rule.to_owned(), confidence)];
    assert_eq!(found(path, template), expected, "{path}: {template}");
}

#[test]
fn a_key_is_certain_only_where_its_structure_is_right() {
    for label in ["PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY"] {
        let whole = format!("{{pem:{label}}}\n");
        assert_found("a.pem", &whole, "private-key", Confidence::Certain);
    }
    let key = assemble("{pem:PRIVATE KEY}", 3);
    let quoted: Vec<String> = key.lines().map(|line| format!("  \"{line}\\n\"")).collect();
    let concatenated = format!("KEY = {};\n", quoted.join(" +\n"));
    let lines =
        |mark: &str| -> String { key.lines().map(|line| format!("{mark}{line}\n")).collect() };
    for text in [
        concatenated,
        lines("+"),
        lines("# "),
        key.replace('\n', "\\n"),
    ] {
        assert_found("A.java", &text, "private-key", Confidence::Certain);
    }
    // A sequence of 191 bytes with a version, and noise instead of a key.
    let begun = "-----BEGIN {P:1}RIVATE KEY-----\nMIG/AgEA{[A-Za-z0-9]:248}\n-----END {P:1}RIVATE KEY-----\n";
    assert_found("a.pem", begun, "private-key", Confidence::Medium);
}

#[test]
fn an_argument_of_a_command_ends_with_its_word() {
    for (path, line) in [
        (
            "run.sh",
            "docker run -e MYSQL_PASSWORD={p:1}orkchop mysql\n",
        ),
        (
            "ci.yml",
            "  run: docker run -d -e MYSQL_PASSWORD={p:1}orkchop mysql:8\n",
        ),
        (
            "run.sh",
            "docker build --build-arg DB_PASSWORD={p:1}orkchop .\n",
        ),
        ("run.sh", "PGPASSWORD={p:1}orkchop psql app\n"),
    ] {
        assert_found(path, line, "weak-password", Confidence::Low);
    }
    let sentence = "# the old PASSWORD={p:1}orkchop is gone\n";
    assert!(found("a.yml", sentence).is_empty());
}

#[test]
fn a_login_is_one_with_a_literal_or_a_named_user() {
    let literal = "conn.login(\"admin\",\"{t:1}elevision\");\n";
    assert_found("a.js", literal, "login-call", Confidence::Low);
    let named = "conn.login(user,'{t:1}elevision')\n";
    assert_found("a.py", named, "login-call", Confidence::Low);
    assert!(found("a.py", "form.login(page, 'overview')\n").is_empty());
}

#[test]
fn a_statement_in_a_string_of_another_language_has_its_password() {
    for (path, line) in [
        (
            "a.sh",
            "mysql -e \"CREATE USER app IDENTIFIED BY '{t:1}elevision'\"\n",
        ),
        (
            "a.py",
            "cur.execute(\"CREATE USER 'app'@'%' IDENTIFIED BY '{t:1}elevision'\")\n",
        ),
        (
            "a.php",
            "$db->query('ALTER USER app IDENTIFIED BY \\'{t:1}elevision\\'');\n",
        ),
        (
            "a.go",
            "db.Exec(\"GRANT ALL ON a.* TO 'app'@'%' IDENTIFIED BY \\\"{t:1}elevision\\\"\")\n",
        ),
    ] {
        assert_found(path, line, "sql-identified-by", Confidence::Low);
    }
}

#[test]
fn salts_headers_and_obfuscated_samples_stop_no_push() {
    let salt = "salt = \"{[a-f0-9]:40}\"\n";
    assert_found("a.py", salt, "generic-api-key", Confidence::Low);
    let header = "token: \"{b64:{{\"alg\":\"HS256\",\"typ\":\"JWT\"}}}\"\n";
    assert_found("api.md", header, "generic-api-key", Confidence::Low);
    let sample = "jetty.sslContext.keyStorePassword=OBF:1{[a-z0-9]:27}\n";
    assert_found("ssl.md", sample, "generic-api-key", Confidence::Low);
    assert_found("ssl.ini", sample, "generic-api-key", Confidence::Medium);
}

#[test]
fn texts_of_a_program_are_no_passwords() {
    for (path, line) in [
        ("ui/de.json", "{\"password\": \"{K:1}ennung\"}\n"),
        (
            "res/values-de/strings.xml",
            "<string name=\"password\">{K:1}ennung</string>\n",
        ),
        ("ci.yml", "GIT_ASKPASS: 'echo'\n"),
        ("a.ps1", "$login.Password = Read-Host -AsSecureString\n"),
    ] {
        assert!(found(path, line).is_empty(), "{path}: {line}");
    }
}

#[test]
fn the_word_itself_in_a_netrc_of_a_test_stops_no_push() {
    let line = "file.puts(\"machine api.internal login user {p:1}assword pass\\n\")\n";
    assert_found("auth_spec.rb", line, "netrc-password", Confidence::Low);
}

#[test]
fn what_joins_two_strings_of_a_long_row_is_no_secret() {
    let long = "a b ".repeat(150);
    for joined in [
        "+N2x9Kq7Zt4w+",
        "+N2x9Kq7Zt4w(a1)+",
        "+N2x9Kq7Zt4w,{text:a,line:",
    ] {
        let row = format!("throw \"{long}\"+y+\", token: \"{joined}\" in row\";\n");
        let scanner = Scanner::new().with_confidence(Confidence::Low);
        let findings = scanner.scan(row.as_bytes(), &InputOrigin::path("parser.min.js"));
        assert!(findings.is_empty(), "{joined}: {findings:?}");
    }
}
