//! A forge: git's own HTTP end behind a socket, open to anybody or to one user.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::Arc;

use mem_sync::remote::git::{GitRemote, Visibility};
use mem_sync::remote::{Remote, RemoteError, conformance};

use super::fixture::{Fixture, all, body};

/// Begins to serve the bed's bare repository and returns its address. With `user`, a `name:password` in
/// base64, nobody else is let in.
fn serve(fixture: &Fixture, user: Option<&'static str>) -> String {
    fixture.git(&fixture.bare(), &["config", "http.receivepack", "true"]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/o.git", listener.local_addr().unwrap());
    let environment = Arc::new((fixture.environment(), fixture.path().to_owned()));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let environment = Arc::clone(&environment);
            std::thread::spawn(move || {
                let mut git = Command::new("git");
                git.env_clear().envs(environment.0.iter().cloned());
                git.env("GIT_PROJECT_ROOT", &environment.1);
                converse(&stream.unwrap(), user, git);
            });
        }
    });
    url
}

/// One request and its answer.
fn converse(mut stream: &TcpStream, user: Option<&str>, mut git: Command) {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let header = |name: &str| headers.get(name).cloned().unwrap_or_default();
    let mut body = vec![0; header("content-length").parse().unwrap_or_default()];
    reader.read_exact(&mut body).unwrap();
    if user.is_some_and(|user| header("authorization") != format!("Basic {user}")) {
        let refused = "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\
                       Connection: close\r\n\r\n";
        return stream.write_all(refused.as_bytes()).unwrap();
    }
    let mut words = line.split(' ');
    let (method, target) = (words.next().unwrap(), words.next().unwrap());
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    git.arg("http-backend")
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("REQUEST_METHOD", method)
        .env("PATH_INFO", path)
        .env("QUERY_STRING", query)
        .env("CONTENT_TYPE", header("content-type"))
        .env("CONTENT_LENGTH", header("content-length"))
        .env("HTTP_CONTENT_ENCODING", header("content-encoding"))
        .env("GIT_PROTOCOL", header("git-protocol"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = git.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::spawn(move || drop(stdin.write_all(&body)));
    let output = child.wait_with_output().unwrap().stdout;
    let text = String::from_utf8_lossy(&output);
    let status = text
        .strip_prefix("Status: ")
        .and_then(|rest| rest.lines().next())
        .unwrap_or("200 OK");
    let head = format!("HTTP/1.1 {}\r\nConnection: close\r\n", status.trim_end());
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(&output).unwrap();
}

/// `me:` and the password, as the header says it.
const ME: &str = "bWU6c2VzYW1l";

#[test]
fn it_conforms_over_http_with_the_users_credential_helper() {
    let fixture = Fixture::new();
    let url = serve(&fixture, Some(ME));
    let mut people = ["a", "b"].map(|name| {
        let options = fixture.options(name, &url);
        let helper = "!f() { echo username=me; echo password=sesame; }; f";
        fixture.git(&options.work, &["config", "credential.helper", helper]);
        GitRemote::open(options).unwrap()
    });
    let [a, b] = &mut people;
    conformance::check_remote(a, b).unwrap();
    assert_eq!(
        GitRemote::probe_public(&fixture.options("a", &url)).unwrap(),
        Visibility::Private
    );
}

#[test]
fn without_credentials_nobody_is_asked_for_them() {
    let fixture = Fixture::new();
    let url = serve(&fixture, Some(ME));
    let mut a = GitRemote::open(fixture.options("a", &url)).unwrap();
    let error = a.put_entries(&body(&[("a.md", "x")]), None).unwrap_err();
    assert!(matches!(error, RemoteError::Access(_)), "{error:?}");
}

#[test]
fn what_anybody_can_read_is_not_written_to_unless_that_is_wanted() {
    let fixture = Fixture::new();
    let url = serve(&fixture, None);
    let mut options = fixture.options("a", &url);
    let refused = GitRemote::open(options.clone())
        .unwrap()
        .put_entries(&body(&[("a.md", "x")]), None);
    assert_eq!(refused, Err(RemoteError::Public));
    options.allow_public = true;
    let mut a = GitRemote::open(options).unwrap();
    a.put_entries(&body(&[("a.md", "x")]), None).unwrap();
    assert_eq!(all(&mut a).1.entries.len(), 1);
}
