//! `mem console`, and the console of a server: over plain HTTP, and in a real browser.

mod access;
mod browser;
mod pages;
mod stores;

use mem_tests::console::{save, shop};
use mem_tests::http::Answer;
use mem_tests::{Console, Repo};

/// The address of the project's pages, and the token of its forms.
#[track_caller]
fn project(console: &Console, cookie: &str) -> (String, String) {
    let base = console.project(cookie);
    let page = console.ask("GET", &base).header("cookie", cookie).send();
    let page = expect(&page, 200);
    let csrf = page.split_once("data-csrf=\"").unwrap().1;
    (base, csrf.split('"').next().unwrap().to_owned())
}

/// The page of an answer with this status.
#[track_caller]
fn expect(answer: &Answer, status: u16) -> String {
    let page = text(answer);
    assert_eq!(answer.status, status, "{page}");
    page
}

/// The text of an answer.
fn text(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.body).into_owned()
}
