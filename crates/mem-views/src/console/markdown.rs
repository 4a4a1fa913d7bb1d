//! A memory's text as HTML that can do nothing.
//!
//! HTML in a memory is text. Links go to web and mail addresses alone and tell the other end nothing; an image is a link
//! to it, so that reading a memory asks nobody for anything.

use maud::{Markup, PreEscaped};
use pulldown_cmark::{Alignment, CowStr, Event, Options, Parser, Tag, TagEnd, html};

/// What a link may begin with.
const SCHEMES: [&str; 3] = ["http://", "https://", "mailto:"];

/// Renders Markdown: CommonMark with tables, strikethrough and task lists.
pub(crate) fn render(text: &str) -> Markup {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    // What is open now, and was written as a link. An image in a link is a link in a link, which HTML does not have.
    let mut open: Vec<bool> = Vec::new();
    let events = Parser::new_ext(text, options).map(move |event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            let is_link = !open.contains(&true) && is_allowed(&dest_url);
            open.push(is_link);
            match is_link {
                true => Event::InlineHtml(CowStr::from(link_start(&dest_url))),
                false => nothing(),
            }
        }
        Event::End(TagEnd::Link | TagEnd::Image) => match open.pop() {
            Some(true) => Event::InlineHtml(CowStr::Borrowed("</a>")),
            _ => nothing(),
        },
        // A heading of a page has one level above these.
        Event::Start(Tag::Heading { level, .. }) => {
            Event::Html(CowStr::from(format!("<{}>", lower_heading(level))))
        }
        Event::End(TagEnd::Heading(level)) => {
            Event::Html(CowStr::from(format!("</{}>\n", lower_heading(level))))
        }
        // Alignment would be a style beside the element, which the page's policy refuses.
        Event::Start(Tag::Table(columns)) => {
            Event::Start(Tag::Table(vec![Alignment::None; columns.len()]))
        }
        Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => nothing(),
        // A language is an attribute that nobody reads here.
        Event::Start(Tag::CodeBlock(_)) => {
            Event::Html(CowStr::Borrowed("<pre tabindex=\"0\"><code>"))
        }
        Event::End(TagEnd::CodeBlock) => Event::Html(CowStr::Borrowed("</code></pre>\n")),
        Event::TaskListMarker(is_done) => {
            Event::Text(CowStr::Borrowed(if is_done { "☑ " } else { "☐ " }))
        }
        other => other,
    });
    let mut rendered = String::with_capacity(text.len() * 3 / 2);
    html::push_html(&mut rendered, events);
    PreEscaped(rendered)
}

fn nothing<'e>() -> Event<'e> {
    Event::Text(CowStr::Borrowed(""))
}

/// Whether a browser may be sent there.
fn is_allowed(address: &str) -> bool {
    let is_plain = !address.chars().any(|c| c.is_control() || c.is_whitespace());
    is_plain
        && SCHEMES.iter().any(|scheme| {
            address
                .get(..scheme.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        })
}

fn link_start(address: &str) -> String {
    let address = maud::html! { (address) }.into_string();
    format!("<a rel=\"noreferrer noopener nofollow\" target=\"_blank\" href=\"{address}\">")
}

/// Two levels below, for the title of the page and that of the card are above.
fn lower_heading(level: pulldown_cmark::HeadingLevel) -> &'static str {
    match level as usize {
        1 => "h3",
        2 => "h4",
        3 => "h5",
        _ => "h6",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Elements that Markdown makes, and the attributes that each may have.
    const ELEMENTS: [(&str, &[&str]); 24] = [
        ("p", &[]),
        ("a", &["rel", "target", "href"]),
        ("em", &[]),
        ("strong", &[]),
        ("del", &[]),
        ("code", &[]),
        ("pre", &["tabindex"]),
        ("ul", &[]),
        ("ol", &["start"]),
        ("li", &[]),
        ("blockquote", &[]),
        ("hr", &[]),
        ("br", &[]),
        ("h3", &[]),
        ("h4", &[]),
        ("h5", &[]),
        ("h6", &[]),
        ("table", &[]),
        ("thead", &[]),
        ("tbody", &[]),
        ("tr", &[]),
        ("th", &[]),
        ("td", &[]),
        ("div", &[]),
    ];

    /// What people try.
    const INJECTIONS: [&str; 26] = [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>",
        "<style>*{display:none}</style>",
        "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>",
        "<form action=/erase method=post><button>read more</button></form>",
        "text <b onmouseover=alert(1)>bold</b>",
        "<!-- --><script>alert(1)</script>",
        "</div></main><script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](java\tscript:alert(1))",
        "[x](&#106;avascript:alert(1))",
        "[x](<javascript:alert(1)>)",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x](vbscript:msgbox)",
        "[x](//evil.example)",
        "[x](/p/a/erase)",
        "<javascript:alert(1)>",
        "![x](https://evil.example/pixel.png)",
        "![x\" onerror=\"alert(1)](https://evil.example/\"onerror=\"alert(1))",
        "[x](https://e.example/\"><script>alert(1)</script>)",
        "[x]: javascript:alert(1)\n[x]",
        "[![a](https://a.example)](https://b.example)",
        "```\"><script>alert(1)</script>\ncode\n```",
        "| <img src=x> | b |\n|:--|--:|\n| <a href=javascript:x>y</a> | c |",
    ];

    /// Every tag of the HTML is one that Markdown makes, with attributes that do nothing.
    fn assert_harmless(text: &str) {
        let html = render(text).into_string();
        for piece in html.split('<').skip(1) {
            let (tag, _) = piece
                .split_once('>')
                .unwrap_or_else(|| panic!("an open tag in {html:?}"));
            let (name, attributes) = tag
                .trim_start_matches('/')
                .split_once(' ')
                .unwrap_or((tag.trim_start_matches('/'), ""));
            let allowed = ELEMENTS
                .iter()
                .find(|(known, _)| *known == name.trim_end_matches('/').trim());
            let Some((_, allowed)) = allowed else {
                panic!("<{tag}> from {text:?}")
            };
            let mut rest = attributes.trim_end_matches('/').trim();
            while let Some((key, value)) = rest.split_once("=\"") {
                assert!(allowed.contains(&key.trim()), "{key} from {text:?}");
                let (value, after) = value.split_once('"').unwrap();
                assert!(
                    key.trim() != "href" || is_allowed(value),
                    "{value} from {text:?}"
                );
                rest = after;
            }
            assert_eq!(rest.trim(), "", "from {text:?}");
        }
    }

    #[test]
    fn a_corpus_of_injections_becomes_text() {
        for text in INJECTIONS {
            assert_harmless(text);
            assert_harmless(&format!("> - a {text}\n\n# {text}\n\n**{text}**"));
        }
    }

    #[test]
    fn memories_look_as_they_were_meant() {
        let html = render("# A\n\n`b` **c** <https://d.example>\n\n- [ ] e\n").into_string();
        assert!(html.contains("<h3>A</h3>"), "{html}");
        assert!(
            html.contains("<code>b</code> <strong>c</strong> <a rel"),
            "{html}"
        );
        assert!(html.contains("☐ e"), "{html}");
        let escaped = render("<script>x</script>").into_string();
        assert!(
            escaped.contains("&lt;script&gt;x&lt;/script&gt;"),
            "{escaped}"
        );
        let image = render("![what](https://a.example/b.png)").into_string();
        assert!(
            image.contains(">what</a>") && !image.contains("<img"),
            "{image}"
        );
    }

    proptest! {
        #[test]
        fn no_text_becomes_markup(pieces in prop::collection::vec(prop_oneof![
            prop::sample::select(INJECTIONS.to_vec()).prop_map(str::to_owned),
            prop::sample::select(vec!["[", "](", ")", "<", ">", "\"", "'", "`", "\n", "    ", "!", "|", "&lt;", "\\", "*", "~~", "# "])
                .prop_map(str::to_owned),
            "\\PC{0,8}",
        ], 0..12)) {
            assert_harmless(&pieces.concat());
        }
    }
}
