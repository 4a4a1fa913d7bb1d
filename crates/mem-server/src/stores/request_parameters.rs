//! Parameters and bodies of requests, held to the contract.

use std::borrow::Cow;

use axum::body::{Body, Bytes};
use axum::http::HeaderMap;
use axum::http::StatusCode;
use jiff::Timestamp;
use jiff::fmt::temporal::Pieces;
use mem_core::history::Sha256;
use mem_stores::limits::{BODY_BYTES_MAX, PAGE_DEFAULT, PAGE_FULL_MAX, PAGE_MAX};
use mem_stores::wire::ContentView;
use mem_stores::{Invalid, rules};

use super::refusal_response::invalid;
use super::request_context::is_id;
use crate::app::App;
use crate::http::body;
use crate::http::problem::HttpProblem;
use crate::http::query::Parameters;

/// Both spellings of a bound of time: that of today, and that of the research preview.
const FROM: [&str; 2] = ["created_at[gte]", "created_at_gte"];
const TO: [&str; 2] = ["created_at[lte]", "created_at_lte"];

/// A body of JSON.
pub(super) async fn body(app: &App, headers: &HeaderMap, body: Body) -> Result<Bytes, HttpProblem> {
    let read = body::read_optional(headers, body, BODY_BYTES_MAX, app.limits.body);
    // The API has no status for a type that it does not take.
    read.await.map_err(
        |problem| match problem.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
            true => problem.into_invalid(),
            false => problem,
        },
    )
}

/// A parameter in its form, where it is there.
pub(super) fn parsed<T>(
    parameters: &Parameters,
    name: &'static str,
    wants: &'static str,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, HttpProblem> {
    let text = parameters.get(name);
    text.map(|text| parse(text).ok_or_else(|| wrong(name, wants)))
        .transpose()
}

/// Whether contents are to come along.
pub(super) fn view(
    parameters: &Parameters,
    default: ContentView,
) -> Result<ContentView, HttpProblem> {
    let view = parsed(
        parameters,
        "view",
        "has to be `basic` or `full`",
        ContentView::parse,
    )?;
    Ok(view.unwrap_or(default))
}

/// How many objects a page has at most. Those with contents are fewer.
pub(super) fn limit(parameters: &Parameters, view: ContentView) -> Result<u32, HttpProblem> {
    let limit = parsed(
        parameters,
        "limit",
        "has to be a number from 1 to 100",
        |text| {
            let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse()
                .ok()
                .filter(|limit| is_plain && (1..=PAGE_MAX).contains(limit))
        },
    )?;
    let most = match view {
        ContentView::Basic => PAGE_MAX,
        ContentView::Full => PAGE_FULL_MAX,
    };
    Ok(u32::try_from(limit.unwrap_or(PAGE_DEFAULT).min(most)).unwrap_or(u32::MAX))
}

/// `true` or `false`.
pub(super) fn flag(parameters: &Parameters, name: &'static str) -> Result<bool, HttpProblem> {
    let flag = parsed(parameters, name, "has to be `true` or `false`", |text| {
        text.parse().ok()
    })?;
    Ok(flag.unwrap_or(false))
}

/// The first and the last moment that are wanted.
pub(super) fn times(
    parameters: &Parameters,
) -> Result<(Option<Timestamp>, Option<Timestamp>), HttpProblem> {
    Ok((time(parameters, FROM)?, time(parameters, TO)?))
}

fn time(
    parameters: &Parameters,
    names: [&'static str; 2],
) -> Result<Option<Timestamp>, HttpProblem> {
    let [name, _] = names;
    let mut said = names.iter().filter_map(|name| parameters.get(name));
    let Some(text) = said.next() else {
        return Ok(None);
    };
    if said.next().is_some() {
        return Err(wrong(name, "is there in two spellings"));
    }
    let time = moment(text).ok_or_else(|| wrong(name, "has to be a time in RFC 3339"))?;
    Ok(Some(time))
}

/// A time in RFC 3339. What is beyond the last moment that can be told, as the end of the year 9999 is in most
/// of the world, is that moment: nothing was made after it.
fn moment(text: &str) -> Option<Timestamp> {
    let text = &*with_its_sign(text);
    if let Ok(time) = text.parse() {
        return Some(time);
    }
    let pieces = Pieces::parse(text).ok()?;
    let offset = pieces.offset()?;
    let at = pieces.date().to_datetime(pieces.time()?);
    // Written with an offset, and yet no moment: beyond one end or the other.
    match offset.to_numeric_offset().to_timestamp(at) {
        Ok(time) => Some(time),
        Err(_) if at.year() > 0 => Some(Timestamp::MAX),
        Err(_) => Some(Timestamp::MIN),
    }
}

/// A `+` in front of an offset that nobody encoded is a space by now, and no time has one there.
fn with_its_sign(text: &str) -> Cow<'_, str> {
    match text.rsplit_once(' ') {
        Some((time, offset)) if time.contains('T') && offset.contains(':') => {
            Cow::Owned(format!("{time}+{offset}"))
        }
        _ => Cow::Borrowed(text),
    }
}

/// An id to narrow a list to.
pub(super) fn id(
    parameters: &Parameters,
    name: &'static str,
    prefix: &str,
) -> Result<Option<String>, HttpProblem> {
    let id = |text: &str| is_id(prefix, text).then(|| text.to_owned());
    parsed(parameters, name, "is an id of another kind", id)
}

/// A hash.
pub(super) fn sha256(
    parameters: &Parameters,
    name: &'static str,
) -> Result<Option<Sha256>, HttpProblem> {
    parameters
        .get(name)
        .map(|text| hash(name, text))
        .transpose()
}

/// A hash that a field has.
pub(super) fn hash(name: &'static str, text: &str) -> Result<Sha256, HttpProblem> {
    let bytes = rules::sha256(name, text).map_err(|error| invalid(&error))?;
    Ok(Sha256::from_bytes(bytes))
}

/// 400.
pub(super) fn wrong(name: &'static str, wants: &'static str) -> HttpProblem {
    invalid(&Invalid::field(name, wants))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_at_the_end_of_all_times_is_a_time() {
        for late in [
            "9999-12-31T23:59:59Z",
            "9999-12-31T23:59:59.999999999Z",
            "9999-12-31T23:59:59-12:00",
        ] {
            assert_eq!(moment(late), Some(Timestamp::MAX), "{late}");
        }
        let early = "-009999-01-01T00:00:00Z";
        assert_eq!(moment(early), Some(Timestamp::MIN));
        let usual = "2026-11-20T10:00:00+01:00";
        assert_eq!(moment(usual), usual.parse().ok());
        assert_eq!(moment("2026-11-20T10:00:00 01:00"), usual.parse().ok());
        for none in [
            "",
            "soon",
            "2026-13-01T00:00:00Z",
            "9999-12-31",
            "9999-12-31T23:59:59",
            "10000-01-01T00:00:00Z",
            "2026-11-20 10:00",
            "2026-11-20T10:00:00 ",
        ] {
            assert_eq!(moment(none), None, "{none}");
        }
    }
}
