//! Finds a token whatever lies before and behind it.

use mem_secrets::template::assemble;
use mem_secrets::{InputOrigin, Scanner};

use crate::examples::{origin, rules, texts};

/// The name of a surrounding, what lies before the token, and what behind it.
const SURROUNDINGS: [(&str, &str, &str); 104] = [
    ("bare", "", ""),
    ("sentence", "the key is ", ", use it"),
    ("full stop", "It is ", ".\n"),
    ("parentheses", "(", ")"),
    ("double quotes", "x = \"", "\""),
    ("single quotes", "x='", "';"),
    ("backticks", "run with `", "`!"),
    ("escaped quotes", "{\"a\":\"{\\\"b\\\":\\\"", "\\\"}\"}"),
    ("escaped newline", "a\\n", "\\nb"),
    ("escaped tab", "a\\t", "\\tb"),
    ("escaped unicode quote", "\\u0022", "\\u0022"),
    ("colour", "\u{1b}[32m", "\u{1b}[0m"),
    ("html attribute", "<a data-x=\"", "\">"),
    ("html text", "<code>", "</code>"),
    ("html entity", "&quot;", "&quot;"),
    ("apostrophe entity", "&#39;", "&#39;"),
    ("xml", "<key><![CDATA[", "]]></key>"),
    ("csv", "1,2,", ",3"),
    ("semicolons", "a;", ";b"),
    ("tsv", "a\t", "\tb"),
    ("pipe table", "| a |", "| b |"),
    ("markdown emphasis", "**", "**"),
    ("markdown underline", "_", "_"),
    ("markdown link", "[a](https://x.y/?k=", ")"),
    ("url path", "https://x.y/v1/", "/send"),
    ("url query", "https://x.y/?a=1&key=", "&b=2"),
    ("url fragment", "https://x.y/#", ""),
    ("url password", "https://user:", "@x.y/z"),
    ("url user", "https://", "@x.y/z"),
    ("percent encoded", "a%3D", "%26b"),
    ("percent quotes", "%22", "%22"),
    ("flag", "--token=", " --x"),
    ("short flag", "-p", " x"),
    ("equals", "k=", "\n"),
    ("colon", "k:", "\n"),
    ("arrow", "k=>", ",\n"),
    ("shell default", "${K:-", "}"),
    ("angle brackets", "<", ">"),
    ("square brackets", "[", "]"),
    ("braces", "{", "}"),
    ("dollar and hash", "#", "#"),
    ("at", "@", "@"),
    ("slash", "/", "/"),
    ("dots", "...", "..."),
    ("escaped slash", "\\/", "\\/"),
    ("curly quotes", "“", "”"),
    ("no-break space", "k\u{a0}", "\u{a0}"),
    ("chinese", "密钥", "是"),
    ("full-width colon", "密钥：", "。"),
    ("guillemets", "«", "»"),
    ("emoji", "🔑", "🔑"),
    ("zero width", "\u{200b}", "\u{200b}"),
    ("byte order mark", "\u{feff}", "\r\n"),
    ("backslash", "\\", "\\"),
    ("nul", "\0", "\0"),
    ("diff added", "+", "\n"),
    ("diff in a file", " a\n+", "\n b"),
    ("colon behind", "", "\u{3a}x"),
    ("cookie", "sid=", "; Path=/"),
    ("percent newline", "%0A", "%0A"),
    ("escaped code", "\\x1b[0m", "\\x1b[0m"),
    ("escaped code u", "\\u001b[31m", "\\u001b[0m"),
    ("octal code", "\\033[1m", "\\033[0m"),
    ("struck out", "~~", "~~"),
    ("caret", "^", "^"),
    ("ellipsis", "…", "…"),
    ("exclamation", "!", "!"),
    ("question", "?", "?"),
    ("asterisk", "*", "*"),
    ("percent", "%", "%"),
    ("plus", "+", "+"),
    ("form", "q=the+", "+key"),
    ("ampersand entity", "&amp;key=", "&amp;x"),
    ("less-than entity", "&lt;", "&gt;"),
    ("javascript template", "${", "}"),
    ("concatenation", "\"a\" + \"", "\" + \"b\""),
    ("rust raw", "r#\"", "\"#"),
    ("python bytes", "b'", "'"),
    ("perl", "q{", "}"),
    ("log", "12:00:01Z ", " 200"),
    ("prefix word", "Bearer ", ""),
    ("prefix lower", "bearer=", ""),
    ("escaped backslash", "\\\\", "\\\\"),
    ("carriage", "a\r", "\r"),
    ("form feed", "\u{c}", "\u{c}"),
    ("vertical", "|", "|"),
    ("comment end", "/*", "*/"),
    ("html comment", "<!--", "-->"),
    ("html comment spaced", "<!-- ", " -->"),
    ("latex", "\\texttt{", "}"),
    ("latex escaped", "\\_", "\\_"),
    ("yaml key", "? ", " :"),
    ("uri scheme", "token:", ""),
    ("data", "data:text/plain,", ""),
    ("ssh", "git@x.y:", "/z"),
    ("env export", "export K=", "\n"),
    ("fish", "set -gx K ", "\n"),
    ("powershell", "$env:K=\"", "\""),
    ("batch", "set K=", "\r\n"),
    ("json key", "{\"", "\":1}"),
    ("http header", "Authorization: token ", "\r\n"),
    ("multiplication", "2*", "*2"),
    ("quoted-printable", "v=3D", "=20"),
    ("named value", "", "=1"),
];

/// What rules of formed tokens find in their own examples, with the rule.
fn tokens(scanner: &Scanner) -> Vec<(String, String)> {
    let mut tokens = Vec::new();
    let rules = rules()
        .into_iter()
        .filter(|(_, table)| !table.contains_key("kind"));
    for (id, table) in rules {
        for template in texts(&table, "true") {
            let text = assemble(&template, 3);
            let findings = scanner.scan(text.as_bytes(), &origin(&table));
            if let Some(finding) = findings.iter().find(|finding| finding.is_by(&id)) {
                let [start, end] = [finding.span.start, finding.span.end].map(|at| at as usize);
                tokens.push((id.clone(), text[start..end].to_owned()));
            }
        }
    }
    tokens
}

#[test]
fn a_token_is_found_in_every_surrounding() {
    let scanner = Scanner::new();
    let tokens = tokens(&scanner);
    assert!(tokens.len() > 300, "{}", tokens.len());
    let mut missed = Vec::new();
    for (rule, token) in &tokens {
        for (name, before, after) in SURROUNDINGS {
            // A slash behind letters of which it is one goes on with them.
            if after.starts_with(['/', '+']) && token.contains(['/', '+']) {
                continue;
            }
            let text = format!("{before}{token}{after}");
            let findings = scanner.scan(text.as_bytes(), &InputOrigin::unknown());
            if findings.is_empty() {
                missed.push(format!("{rule} in {name}"));
            }
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}
