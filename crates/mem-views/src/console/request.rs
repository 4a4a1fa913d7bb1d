//! A request as pages read it, and what they give back.

use axum::http::{Method, StatusCode};
use maud::Markup;

use super::assets::Asset;
use super::texts;
use crate::program::{ProgramError, Refusal};

/// A request that was let in.
#[derive(Debug)]
pub(crate) struct Request {
    pub method: Method,
    path: String,
    /// The path with what stands behind its `?`.
    pub address: String,
    query: Vec<(String, String)>,
    form: Vec<(String, String)>,
    /// Whether a script asks for a piece of a page.
    pub is_fragment: bool,
}

impl Request {
    /// Reads an address and the body of a form.
    pub(crate) fn new(
        method: Method,
        path: &str,
        query: &str,
        body: &[u8],
        is_fragment: bool,
    ) -> Self {
        let pairs = |bytes: &[u8]| -> Vec<_> {
            form_urlencoded::parse(bytes)
                .map(|(key, value)| (key.into_owned(), value.into_owned()))
                .collect()
        };
        let query = pairs(query.as_bytes());
        let address = with_query(path, borrowed(&query));
        Self {
            method,
            path: path.to_owned(),
            address,
            query,
            form: pairs(body),
            is_fragment,
        }
    }

    /// The pieces of the path. No page has a piece that would have to be decoded.
    pub(crate) fn segments(&self) -> Vec<&str> {
        self.path
            .trim_matches('/')
            .split('/')
            .filter(|segment| !segment.is_empty())
            .collect()
    }

    /// The slug of the project that a page of it names.
    pub(crate) fn slug(&self) -> Option<&str> {
        match self.segments()[..] {
            ["p", slug, ..] => Some(slug),
            _ => None,
        }
    }

    /// Whether it changes something.
    pub(crate) fn is_post(&self) -> bool {
        self.method == Method::POST
    }

    /// A value of the address, without blanks around it; empty where there is none.
    pub(crate) fn query(&self, key: &str) -> &str {
        value_of(&self.query, key).trim()
    }

    /// A field of the form, as it was sent; empty where there is none.
    pub(crate) fn field(&self, key: &str) -> &str {
        value_of(&self.form, key)
    }

    /// Whether the form has the field.
    pub(crate) fn has_field(&self, key: &str) -> bool {
        self.form.iter().any(|(known, _)| known == key)
    }

    /// A text of many lines. Forms end lines as DOS does.
    pub(crate) fn text(&self, key: &str) -> String {
        self.field(key).replace("\r\n", "\n")
    }

    /// The items of a field that has several, by comma or line.
    pub(crate) fn items(&self, key: &str) -> Vec<&str> {
        let items = self.field(key).split([',', '\n']).map(str::trim);
        items.filter(|item| !item.is_empty()).collect()
    }

    /// The address of the same page with one value more, or another.
    pub(crate) fn with_query(&self, key: &str, value: &str) -> String {
        let kept =
            borrowed(&self.query).filter(|(known, value)| *known != key && !value.is_empty());
        with_query(&self.path, kept.chain([(key, value)]))
    }
}

fn value_of<'p>(pairs: &'p [(String, String)], key: &str) -> &'p str {
    let mut pairs = borrowed(pairs);
    pairs
        .find(|(known, _)| *known == key)
        .map_or("", |(_, value)| value)
}

fn borrowed(pairs: &[(String, String)]) -> impl Iterator<Item = (&str, &str)> {
    pairs.iter().map(|(key, value)| (&**key, &**value))
}

/// An address with a query.
pub(crate) fn with_query<'q>(
    path: &str,
    pairs: impl IntoIterator<Item = (&'q str, &'q str)>,
) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    match query.extend_pairs(pairs).finish() {
        query if query.is_empty() => path.to_owned(),
        query => format!("{path}?{query}"),
    }
}

/// What a page is answered with.
#[derive(Debug)]
pub(crate) enum Answer {
    /// A whole page.
    Page(Page),
    /// A piece of one, for a script.
    Fragment(Markup),
    /// Go there; a change was made, or was refused.
    SeeOther(String),
    /// A file.
    Asset(&'static Asset),
    /// Nothing to say.
    Nothing,
}

/// The content of a page.
#[derive(Debug)]
pub(crate) struct Page {
    pub status: StatusCode,
    pub title: String,
    /// Which item of the navigation it belongs to.
    pub section: Section,
    /// The slug of the project that it shows.
    pub project: Option<String>,
    pub content: Markup,
}

/// An item of the navigation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Overview,
    Memories,
    Recall,
    Inbox,
    Team,
    Graph,
    Changes,
}

/// A page or what there is in its place, or why there is none.
pub(crate) type PageResult = Result<Answer, PageError>;

/// Why there is no page.
#[derive(Debug)]
pub(crate) struct PageError {
    pub status: StatusCode,
    pub message: String,
    pub hint: Option<String>,
}

impl PageError {
    /// What a status means here.
    pub(crate) fn from_status(status: StatusCode, message: &str) -> Self {
        Self {
            status,
            message: message.to_owned(),
            hint: None,
        }
    }

    /// There is nothing at this address.
    pub(crate) fn not_found() -> Self {
        Self::from_status(StatusCode::NOT_FOUND, texts::NO_SUCH_PAGE)
    }

    /// Whether a command refused because something else was changed meanwhile.
    pub(crate) fn is_conflict(&self) -> bool {
        self.status == StatusCode::CONFLICT
    }
}

impl From<ProgramError> for PageError {
    fn from(error: ProgramError) -> Self {
        match error {
            ProgramError::Refused(Refusal {
                kind,
                message,
                hint,
            }) => {
                let status = match kind.as_str() {
                    "not_found" => StatusCode::NOT_FOUND,
                    "conflict" => StatusCode::CONFLICT,
                    "refused" | "secret" => StatusCode::FORBIDDEN,
                    _ => StatusCode::BAD_REQUEST,
                };
                Self {
                    status,
                    message,
                    hint,
                }
            }
            ProgramError::Start(..) | ProgramError::Unreadable { .. } => Self {
                status: StatusCode::INTERNAL_SERVER_ERROR,
                message: error.to_string(),
                hint: std::error::Error::source(&error).map(ToString::to_string),
            },
        }
    }
}
