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
fn a_value_is_joined_with_its_name_in_every_form() {
    let value = assemble("{[a-zA-Z0-9]:38}7q", 11);
    for (path, form) in [
        ("app/build.gradle", "    storePassword '<>'\n"),
        ("app/build.gradle", "    keyPassword \"<>\"\n"),
        (
            "v.tf",
            "variable \"db_password\" {\n  description = \"Master password\"\n  default     = \"<>\"\n}\n",
        ),
        ("a.h", "#define WIFI_PASSWORD \"<>\"\n"),
        ("a.json", "{\"Env\": [\"DB_PASSWORD=<>\", \"A=b\"]}\n"),
        ("a.ipynb", "[\n  \"DB_PASSWORD=<>\\n\",\n  \"A=b\"\n]\n"),
        ("Info.plist", "<key>ApiSecret</key>\n<string><></string>\n"),
        (
            "a.json",
            "{\"adminPassword\": {\"type\": \"securestring\", \"defaultValue\": \"<>\"}}\n",
        ),
        (
            "t.yaml",
            "  DBPassword:\n    Type: String\n    Default: <>\n",
        ),
        ("d.yaml", "- value: <>\n  name: DB_PASSWORD"),
        (
            "a.json",
            "[{\"value\": \"<>\", \"name\": \"DB_PASSWORD\"}]\n",
        ),
        (".env", "GITLAB_PAT=<>\n"),
        (
            ".bash_history",
            "aws configure set aws_secret_access_key <>\n",
        ),
        (".bash_history", "gh secret set API_TOKEN -b <>\n"),
        ("config.fish", "set -gx DB_PASSWORD <>\n"),
        ("a.sh", "git clone https://<>@git.acme.io/a\n"),
        ("a.md", "mot de passe : <>\n"),
        ("a.md", "contraseña: <>\n"),
        ("a.md", "CONTRASEÑA: <>\n"),
        ("a.md", "密码：<>\n"),
        ("a.md", "パスワード: <>\n"),
        ("a.yml", "password: ${DB_PASSWORD:<>}\n"),
        ("a.yml", "a: \"${DB_PASSWORD:-<>}\"\n"),
        ("a.sh", "PGPASSWORD=${PGPASSWORD:-<>}\n"),
        ("a.yml", "JWT_SECRET: ${A:-<>}\n"),
        ("a.yml", "password: >-\n  <>\n"),
        ("a.yml", "password: |\n  <>\nother: a\n"),
        ("a.yml", "password:\n  <>\n"),
        ("a.yml", "passwords:\n- <>\n- a\n"),
        ("a.py", "password = (\n    \"<>\"\n)\n"),
        ("a.json", "{\"api_keys\": [\"<>\"]}\n"),
        (
            "a.xml",
            "<property name=\"password\"><value><></value></property>\n",
        ),
        (
            "a.resx",
            "<data name=\"SmtpPassword\" xml:space=\"preserve\">\n  <value><></value>\n</data>\n",
        ),
        ("a.xml", "<Password>\n  <Value><></Value>\n</Password>\n"),
        (
            "web.xml",
            "<param-name>db.password</param-name>\n<param-value><></param-value>\n",
        ),
        ("a.py", "api_token: str = Field(default=\"<>\")\n"),
        (
            "a.py",
            "p.add_argument('--password', type=str, default='<>')\n",
        ),
        ("a.py", "pw = config('DB_PASSWORD', default='<>')\n"),
        ("a.ts", "DB_PASSWORD: z.string().default('<>'),\n"),
        ("a.rb", "pw = ENV.fetch('DB_PASSWORD') { '<>' }\n"),
        ("a.ts", "await page.fill('#password', '<>')\n"),
        ("a.vb", "Dim apiToken As String = \"<>\"\n"),
        ("a.csh", "setenv API_TOKEN <>\n"),
        ("a.clj", "{:api-token \"<>\"}\n"),
        ("a.jsonnet", "{ token:: \"<>\" }\n"),
        ("a.log", "\x1b[36mAPI_TOKEN\x1b[0m=\x1b[1;33m<>\x1b[0m\n"),
        ("a.html", "{&quot;api_key&quot;:&quot;<>&quot;}\n"),
        (
            "a.json",
            "{\"a\": \"{\\\"b\\\": \\\"{\\\\\\\"password\\\\\\\": \\\\\\\"<>\\\\\\\"}\\\"}\"}\n",
        ),
        ("a.yml", "token: &anchor <>\n"),
        ("a.yml", "token: !!str <>\n"),
        ("a.yml", "Headers: [X-Api-Key: <>]\n"),
        ("a.env", "SENHA_BANCO=<>\n"),
        ("a.md", "wachtwoord: <>\n"),
        ("a.md", "Пароль: <>\n"),
        ("a.md", "hasło: <>\n"),
        ("a.md", "비밀번호: <>\n"),
    ] {
        let finds = |value: &str| {
            let text = form.replace("<>", value);
            let findings = Scanner::new().scan(text.as_bytes(), &InputOrigin::path(path));
            findings
                .iter()
                .any(|one| one.secret.expose() == value.as_bytes())
        };
        assert!(finds(&value), "{path}: {form}");
        for other in ["${DB_VALUE}", "your_password_here", "description"] {
            assert!(!finds(other), "{path}: {form}: {other}");
        }
    }
}

#[test]
fn a_value_of_another_entry_is_not_joined() {
    let value = assemble("{[a-zA-Z0-9]:38}7q", 11);
    for (path, form) in [
        (
            "d.yaml",
            "- name: LABEL\n  value: <>\n- name: DB_PASSWORD\n  valueFrom: x\n",
        ),
        (
            "a.json",
            "[{\"name\": \"LABEL\", \"value\": \"<>\"}, {\"name\": \"DB_PASSWORD\"}]\n",
        ),
        (
            "t.yaml",
            "  DBPassword:\n    Type: String\n  Other:\n    Default: <>\n",
        ),
        (
            "t.yaml",
            "DBPassword:\n  Note:\n    Default: <>\n  Type: String\n",
        ),
        ("t.yaml", "- DBPassword:\n  Default: <>\n"),
        ("a.py", "if not token:\n    value = \"<>\"\n"),
        (
            "a.json",
            "{\"adminPassword\": {\"type\": {}}, \"x\": {\"value\": \"<>\"}}\n",
        ),
        ("a.yml", "password: ${vault:<>}\n"),
        ("a.yml", "token: ${secretsManager:<>}\n"),
        ("a.yml", "token:\n- name: <>\n"),
        ("a.yml", "password: |\n  <>\n  more\n"),
        ("a.yml", "passwords:\n  user: <>\n"),
        ("a.txt", "A name, a password, and\n<>, <>, <>\n"),
        (
            "a.ts",
            "const o = [{ value: a, name: \"DB_PASSWORD\" }, \"<>\"];\n",
        ),
        ("a.md", "| token | name |\n|---|---|\n| a | <> |\n"),
        ("a.md", "| password | b |\n| <> | c |\n"),
        (
            "a.md",
            "| case | Pass | b |\n|---|---|---|\n| a | <> | c |\n",
        ),
        (
            "a.sql",
            "INSERT INTO users (email, password) VALUES ('<>', ?);\n",
        ),
        (
            "a.xml",
            "<label for=\"password\"><value><></value></label>\n",
        ),
        ("a.py", "f(token=get(a), default=\"<>\")\n"),
        ("a.py", "f(default=\"<>\", password=a)\n"),
        ("a.yml", "token: &anchor\n"),
        ("a.js", "log('a password', '<>')\n"),
        ("a.ts", "const t: Array<Token> = [\"<>\"];\n"),
        ("a.rs", "let password = [\"<>\", \"<>\"].concat();\n"),
    ] {
        let text = form.replace("<>", &value);
        let findings = Scanner::new().scan(text.as_bytes(), &InputOrigin::path(path));
        assert!(findings.is_empty(), "{text}: {findings:?}");
    }
}

#[test]
fn a_value_far_below_its_name_hides_no_name_between() {
    let (first, second) = ("{[a-z]:4}{[0-9]:4}{[a-z]:4}", "{[a-zA-Z0-9]:40}");
    let text = format!("auth:\n  password: {first}\n  apiToken: {second}\n  default: true\n");
    let findings = found("values.yaml", &text);
    let rules: Vec<&str> = findings.iter().map(|(rule, _)| rule.as_str()).collect();
    assert_eq!(rules, ["generic-api-key"; 2]);
}

#[test]
fn only_what_an_encrypted_section_holds_is_encrypted() {
    let sealed = "AgB{[a-zA-Z0-9]:80}";
    for (path, text) in [
        ("a.yml", format!("note: encryptedData\n  token: {sealed}\n")),
        (
            "a.yml",
            format!("encryptedData:\n  a: b\ndata:\n  token: {sealed}\n"),
        ),
        (
            "a.yml",
            "encryptedData:\n  token: Q9{[a-zA-Z0-9]:38}7q\n".to_owned(),
        ),
        ("a.py", format!("encryptedData:\n  token: \"{sealed}\"\n")),
    ] {
        assert_found(path, &text, "generic-api-key", Confidence::Medium);
    }
    let json = format!("{{{{\n\"encryptedData\": {{{{\n  \"token\": \"{sealed}\"\n}}}}\n}}}}\n");
    assert!(found("a.json", &json).is_empty());
}

#[test]
fn a_password_after_a_colon_is_no_variable_of_psql() {
    let line = "login user admin password :{[a-z]:4}{[0-9]:4}{[a-z]:4}\n";
    assert!(!found("notes.yml", line).is_empty());
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

#[test]
fn what_is_encrypted_or_a_digest_or_filled_in_is_no_secret() {
    let entry = "password: AgB{[a-zA-Z0-9]:80}\n";
    let section = |name: &str| format!("spec:\n  {name}:\n    {entry}");
    let data = section("data");
    assert_found("a.yml", &data, "generic-api-key", Confidence::Medium);
    for (path, text) in [
        ("a.yml", &*section("encryptedData")),
        ("a.json", "{{\"token\": \"sha256:{[0-9a-f]:64}\"}}\n"),
        ("a.json", "{{\"key\": \"hash:{[0-9a-f]:64}\"}}\n"),
        ("a.sql", "ALTER ROLE app WITH PASSWORD :'pgpass';\n"),
        ("a.yml", "Password: \"!@#$%^&*()\"\n"),
        ("a.txt", "Bearer {b64:{{\"alg\":\"HS256\"}}}.test\n"),
        (
            "a.env",
            "TOKEN=sbp_{a:1}bcdef0123456789abcdef0123456789abcdef01\n",
        ),
    ] {
        assert!(found(path, text).is_empty(), "{path}: {text}");
    }
}

/// What is written directly before and after a token.
const SURROUNDINGS: [(&str, &str); 16] = [
    ("", "/x"),
    ("https://api.acme.io/", "/repos"),
    ("https://api.acme.io/v1/bot/", "/sendMessage"),
    ("_", "_ is old"),
    ("see __", "__."),
    ("\x1b[32m", "\x1b[0m"),
    ("\x1b[36mGH_TOKEN\x1b[0m=\x1b[1;33m", "\x1b[0m"),
    ("see: \x1b[01;31m\x1b[K", "\x1b[m\x1b[K"),
    ("\x1b[1;38;2;255;255;255m", "\x1b[0m"),
    ("\\033[32m", "\\033[0m"),
    ("\"\\u0022", "\\u0022\""),
    ("\"x\\u0026", "\\u0026y\""),
    ("\\u003c", "\\u003e"),
    ("'\\x22", "\\x22'"),
    ("\"a\\n", "\\nb\""),
    ("%22", "%22"),
];

#[test]
fn a_token_is_found_whatever_separates_it_from_the_text_around() {
    for (rule, token) in [
        ("github-pat", "{github:ghp_}"),
        (
            "gitlab-pat-routable",
            "glpat-{[a-zA-Z0-9]:36}.01.{[0-9a-z]:9}",
        ),
        (
            "gitlab-runner-authentication-token",
            "glrtr-{[a-zA-Z0-9]:20}",
        ),
        ("aws-access-token", "AKIA{[A-Z2-7]:16}"),
        ("gcp-api-key", "AIza{[a-zA-Z0-9]:35}"),
        ("stripe-access-token", "sk_live_{[a-zA-Z0-9]:40}"),
        ("telegram-bot-token-bare", "{[1-9]:10}:AA{[a-zA-Z0-9]:33}"),
        ("twilio-api-key", "SK{[0-9a-f]:32}"),
        ("jwt", "{jwt}"),
    ] {
        for (before, after) in SURROUNDINGS {
            let findings = found("a.log", &format!("{before}{token}{after}\n"));
            let is_found = findings.iter().any(|(id, _)| id == rule);
            assert!(is_found, "{before:?}{token}{after:?}: {findings:?}");
        }
    }
}

#[test]
fn a_piece_of_a_longer_row_is_no_token() {
    for row in [
        "data:image/png;base64,iVBORw0K/AKIA{[A-Z2-7]:16}/{[A-Za-z0-9+/]:60}==\n",
        "key: AKIA{[A-Z2-7]:16}{[A-Z2-7]:4}/x\n",
        "key: AKIA{[A-Z2-7]:16}_{[a-z]:4}\n",
        "key: x\\u00AKIA{[A-Z2-7]:16}\n",
        "secret = whsec_{[a-z0-9]:64}/{[a-z0-9]:20}\n",
    ] {
        let findings = found("a.txt", row);
        let is_token = |id: &str| id == "aws-access-token" || id == "stripe-webhook-secret";
        assert!(
            !findings.iter().any(|(id, _)| is_token(id)),
            "{row}: {findings:?}"
        );
    }
}

#[test]
fn a_word_in_an_address_or_a_netrc_stops_no_push() {
    for address in [
        "mysql://root:{w:1}halehello@db",
        "postgresql://postgres:{p:1}ostgres@db.%s.acme.io",
    ] {
        assert_found("a.env", address, "url-credentials", Confidence::Low);
    }
    for far in [
        "mysql://root:{w:1}halehello@db.acme.io",
        "mysql://gryag:{g:1}ryag@db.acme.io",
    ] {
        assert_found("a.env", far, "url-credentials", Confidence::High);
    }
    let phrase = "postgres://app:{t:1}hunder-castle-battery-river@db.acme.internal/a";
    assert_found("a.env", phrase, "url-credentials", Confidence::High);
    let chosen = "sshpass -p {a:1}bc12345 ssh root@app.acme.io\n";
    assert_found("a.sh", chosen, "sshpass-password", Confidence::High);
    let netrc = "machine api.acme.io login aaaa {p:1}assword bbbb\n";
    assert_found("a.md", netrc, "netrc-password", Confidence::Low);
    let line = "db.acme.io:5432:app:app:{1:1}23456\n";
    assert_found(".pgpass", line, "pgpass-password", Confidence::High);
}

/// The rules that find something at the confidence that stops a push.
fn stopping(path: &str, template: &str) -> Vec<String> {
    let findings = found(path, template).into_iter();
    let stops = findings.filter(|(_, confidence)| *confidence > Confidence::Low);
    stops.map(|(rule, _)| rule).collect()
}

#[test]
fn an_identifier_or_a_public_key_stops_no_push() {
    for (path, public, secret) in [
        (
            "a.env",
            "LINEAR_CLIENT_ID={[a-f0-9]:32}",
            "LINEAR_CLIENT_SECRET={[a-f0-9]:32}",
        ),
        (
            "a.js",
            "ids = {{asana: \"{[1-9]:16}\"}}",
            "ids = {{asana: \"{[a-z0-9]:32}\"}}",
        ),
        (
            "a.py",
            "adobe_client_id = \"{[a-f0-9]:32}\"",
            "adobe_client_secret = \"{[a-f0-9]:32}\"",
        ),
        (
            "a.py",
            "bitbucket_client_id = \"{[a-z0-9]:32}\"",
            "bitbucket_secret = \"{[a-z0-9]:32}\"",
        ),
        (
            "a.yml",
            "linkedin_client_id: \"{[a-z0-9]:14}\"",
            "linkedin_client_secret: \"{[a-z0-9]:16}\"",
        ),
        (
            "a.py",
            "sendbird_app_id = \"{uuid}\"",
            "sendbird_token = \"{[a-f0-9]:40}\"",
        ),
        (
            "a.js",
            "apikey: \"sb_{p:1}ublishable_{[a-zA-Z0-9]:22}_{[a-zA-Z0-9]:8}\"",
            "apikey: \"sb_{s:1}ecret_{[a-zA-Z0-9]:22}_{[a-zA-Z0-9]:8}\"",
        ),
        (
            "a.sh",
            "curl -H \"apikey: sb_{p:1}ublishable_{[a-zA-Z0-9]:22}\" https://x.acme.io",
            "curl -H \"apikey: {[a-zA-Z0-9]:22}\" https://x.acme.io",
        ),
        (
            "a.js",
            "const POSTHOG_KEY = \"phc_{[a-zA-Z0-9]:43}\"",
            "const POSTHOG_KEY = \"phx_{[a-zA-Z0-9]:43}\"",
        ),
        (
            "a.env",
            "RECAPTCHA_SITE_KEY=6L{[a-zA-Z0-9]:38}",
            "RECAPTCHA_SECRET_KEY=6L{[a-zA-Z0-9]:38}",
        ),
        (
            "a.env",
            "NEXT_PUBLIC_VAPID_KEY=B{[a-zA-Z0-9]:86}",
            "VAPID_PRIVATE_KEY={[a-zA-Z0-9]:43}",
        ),
        (
            "a.env",
            "PUBLIC_SEARCH_KEY={[a-f0-9]:32}",
            "NEXT_PUBLIC_ALGOLIA_ADMIN_KEY={[a-f0-9]:32}",
        ),
        (
            "a.js",
            "docsearch: {{ appId: \"{[A-Z0-9]:10}\", apiKey: \"{[a-f0-9]:32}\" }}",
            "search: {{ appId: \"{[A-Z0-9]:10}\", apiKey: \"{[a-f0-9]:32}\" }}",
        ),
        (
            "a.js",
            "mapboxgl.accessToken = \"pk.eyJ{[a-zA-Z0-9]:60}.{[a-zA-Z0-9]:22}\"",
            "mapboxgl.accessToken = \"sk.eyJ{[a-zA-Z0-9]:60}.{[a-zA-Z0-9]:22}\"",
        ),
        (
            "a.env",
            "MAILGUN_PUB=pubkey-{[a-f0-9]:32}",
            "MAILGUN_KEY=key-{[a-f0-9]:32}",
        ),
        (
            "a.env",
            "lob_key=\"live_pub_{[a-f0-9]:31}\"",
            "lob_key=\"live_{[a-f0-9]:35}\"",
        ),
        (
            "a.html",
            "<s data-cf-beacon='{{\"token\": \"{[a-f0-9]:32}\"}}'>",
            "<s data-x='{{\"token\": \"{[a-f0-9]:32}\"}}'>",
        ),
        (
            "a.html",
            "<input name=\"csrfmiddlewaretoken\" value=\"{[a-zA-Z0-9]:64}\">",
            "<input name=\"token\" value=\"{[a-zA-Z0-9]:64}\">",
        ),
        (
            "a.json",
            "{{\"token\": \"W/{[a-f0-9]:32}\"}}",
            "{{\"token\": \"w{[a-f0-9]:32}\"}}",
        ),
        (
            "a.md",
            "ws://localhost:5173/?token={[a-zA-Z0-9]:12}",
            "http://localhost:8888/?token={[a-f0-9]:48}",
        ),
    ] {
        assert!(stopping(path, public).is_empty(), "{public}");
        assert!(!stopping(path, secret).is_empty(), "{secret}");
    }
}

#[test]
fn code_and_placeholders_stop_no_push() {
    for (path, harmless, secret) in [
        (
            "a.md",
            "LOGIN(\"LOGIN\", \"사용자 로그인\"),",
            "LOGIN(\"admin\", \"{[a-z0-9]:9}Q7\"),",
        ),
        (
            "a.py",
            "@post(\"/change-{p:1}assword\", code=status.HTTP_204_NO_CONTENT)",
            "f(\"password\", \"{[a-z0-9]:9}Q7\")",
        ),
        (
            "a.go",
            "fmt.Sprintf(\"postgresql://auth_admin:%s@127.0.0.1:%d/a\", pw, port)",
            "\"postgresql://auth_admin:{[a-zA-Z0-9]:16}@db.acme.io/a\"",
        ),
        (
            "a.md",
            "\"relay:tokens:ultra:{[1-9]:4}\"",
            "\"relay:token:{[a-z0-9]:20}\"",
        ),
        (
            "a.env",
            "DATABASE_URL=postgresql://prod-user:{p:1}rod-pass@prod-host:5432/a",
            "DATABASE_URL=postgresql://prod-user:{p:1}rod-{[a-z0-9]:9}@prod-host:5432/a",
        ),
        (
            "a.md",
            "export SECRET_API_{K:1}EY=\"sk-prod-{a:1}bc123\"",
            "export SECRET_API_{K:1}EY=\"sk-prod-{[a-z0-9]:12}\"",
        ),
        (
            "a.min.js",
            "32===e.keyCode?o.{k:1}ey=s.C0.NUL:e.keyCode>=51&&e",
            "u=\"https://x.acme.io/?key={[a-z0-9]:32}\"",
        ),
        (
            "a.sql",
            "INSERT INTO users VALUES (1,'$2a$12${e:1}xamplehashalice');",
            "INSERT INTO users VALUES (1,'$2a$12${[a-zA-Z0-9]:53}');",
        ),
        (
            "a.json",
            "{{\"access_token\": \"{b64:{{\"alg\":\"RS256\"}}}.test.token\"}}",
            "{{\"access_token\": \"{jwt}\"}}",
        ),
        (
            "a.env",
            "WALLET_KEY={b64:fake-encryption-key-must-be-28-char}",
            "WALLET_KEY={b64:{[a-zA-Z0-9]:24}}",
        ),
    ] {
        assert!(stopping(path, harmless).is_empty(), "{harmless}");
        assert!(!stopping(path, secret).is_empty(), "{secret}");
    }
}

#[test]
fn a_comment_or_a_word_in_a_kubernetes_secret_stops_no_push() {
    let entry = |line: &str| format!("kind: Secret\nstringData:\n  {line}\n");
    for line in [
        "REDIS_PASSWORD: \"\"  # leave empty where there is none",
        "LOG_LEVEL: \"INFO\"  # DEBUG or INFO",
        "POSTGRES_DB: \"artstore\"",
        "DESCRIPTION: \"System administrator of the store\"",
    ] {
        assert!(stopping("a.yaml", &entry(line)).is_empty(), "{line}");
    }
    for line in [
        "REDIS_PASSWORD: \"{[a-z]:4} #{[a-z]:4}\"  # of the cache",
        "REDIS_PASSWORD: {p:1}orkchop",
        "replica-password-ro: {o:1}range-tiger-castle",
        "admin: '{[a-z]:5}7{[a-z]:5}' # of the store",
    ] {
        assert_eq!(
            stopping("a.yaml", &entry(line)),
            ["kubernetes-secret-yaml"],
            "{line}"
        );
    }
}

#[test]
fn a_secret_of_kubernetes_is_read_in_json_and_in_one_row() {
    let value = "{b64:{[a-z0-9]:20}}";
    let forms = |kind: &str| {
        let compact = format!(
            "{{{{\"apiVersion\":\"v1\",\"data\":{{{{\"value\":\"{value}\"}}}},\"kind\":\"{kind}\"}}}}\n"
        );
        let pretty = format!(
            "{{{{\n  \"kind\": \"{kind}\",\n  \"metadata\": {{{{\"name\": \"a\"}}}},\n  \"data\": {{{{\n    \"user\": \"YQ==\",\n    \"value\": \"{value}\"\n  }}}}\n}}}}\n"
        );
        let row =
            format!("kind: {kind}  # of the service\ndata: {{{{user: YQ==, value: {value}}}}}\n");
        [("a.json", compact), ("a.json", pretty), ("a.yml", row)]
    };
    for (path, text) in forms("Secret") {
        assert_found(path, &text, "kubernetes-secret-yaml", Confidence::High);
    }
    for (path, text) in forms("ConfigMap") {
        assert!(found(path, &text).is_empty(), "{text}");
    }
    let (mut list, mut maps) = (String::new(), forms("ConfigMap"));
    maps.rotate_left(1);
    for (_, text) in [&maps[0], &forms("Secret")[1], &maps[0]] {
        list = format!("{list}{text},\n");
    }
    let list = format!("{{{{\"items\": [{list}]}}}}\n");
    assert_found("a.json", &list, "kubernetes-secret-yaml", Confidence::High);
}
