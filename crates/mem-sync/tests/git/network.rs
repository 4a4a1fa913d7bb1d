//! Ways to a remote, and remotes that do not want.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mem_sync::remote::git::{GitRemote, Visibility};
use mem_sync::remote::{Remote, RemoteError, StateQuery};

use super::fixture::{Fixture, all, body};

#[cfg(unix)]
fn script(path: &std::path::Path, text: &str) {
    mem_core::atomic::replace_file(path, text.as_bytes()).unwrap();
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
}

#[test]
fn a_file_address_and_a_relative_path() {
    let fixture = Fixture::new();
    let url = format!("file://{}", fixture.bare().display());
    let mut a = GitRemote::open(fixture.options("a", &url)).unwrap();
    a.put_entries(&body(&[("a.md", "x")]), None).unwrap();
    let mut b = GitRemote::open(fixture.options("b", "../o.git")).unwrap();
    assert_eq!(all(&mut b).1.entries.len(), 1);
}

#[cfg(unix)]
#[test]
fn ssh_as_the_user_has_set_it_up() {
    let fixture = Fixture::new();
    let ssh = fixture.path().join("ssh");
    script(
        &ssh,
        "#!/bin/sh\necho \"$@\" >>\"$HOME/asked\"\nfor last; do :; done\nexec sh -c \"$last\"\n",
    );
    let mut options = fixture.options("a", "team:app");
    let place = format!("host.example:{}", fixture.bare().display());
    fixture.git(
        &options.work,
        &["config", "core.sshCommand", ssh.to_str().unwrap()],
    );
    fixture.git(
        &options.work,
        &["config", &format!("url.{place}.insteadOf"), "team:app"],
    );
    options.allow_public = true;
    let mut a = GitRemote::open(options).unwrap();
    a.put_entries(&body(&[("a.md", "x")]), None).unwrap();
    assert_eq!(all(&mut fixture.person("b")).1.entries.len(), 1);
    let asked = fs::read_to_string(fixture.path().join("asked")).unwrap();
    assert!(asked.contains("git-receive-pack"), "{asked}");
    let mut options = fixture.options("c", &place);
    options
        .environment
        .push(("GIT_SSH_COMMAND".into(), ssh.into()));
    options
        .environment
        .push(("GIT_DIR".into(), "/nowhere".into()));
    assert_eq!(
        all(&mut GitRemote::open(options).unwrap()).1.entries.len(),
        1
    );
}

#[test]
fn settings_of_the_person_apply_as_they_do_in_the_repository() {
    let fixture = Fixture::new();
    let options = fixture.options("a", "team:app");
    let place = fixture.path().join("by-place");
    let rewritten = format!(
        "[url \"{}\"]\n\tinsteadOf = team:app\n",
        fixture.bare().display()
    );
    mem_core::atomic::replace_file(&place, rewritten.as_bytes()).unwrap();
    let settings = format!(
        "[safe]\n\tbareRepository = explicit\n[includeIf \"gitdir:{}/\"]\n\tpath = {}\n",
        options.work.display(),
        place.display()
    );
    mem_core::atomic::replace_file(&fixture.path().join(".gitconfig"), settings.as_bytes())
        .unwrap();
    let mut a = GitRemote::open(options).unwrap();
    a.put_entries(&body(&[("a.md", "x")]), None).unwrap();
    assert_eq!(all(&mut a).1.entries.len(), 1);
    let mut elsewhere = GitRemote::open(fixture.options("b", "team:app")).unwrap();
    assert!(
        elsewhere
            .put_entries(&body(&[("b.md", "x")]), None)
            .is_err()
    );
}

#[cfg(unix)]
#[test]
fn a_line_that_hangs_is_given_up_with_all_that_was_started() {
    let fixture = Fixture::new();
    let ssh = fixture.path().join("ssh");
    script(
        &ssh,
        "#!/bin/sh\nexec 3>\"$HOME/pipe\"\nsleep 600 &\nwait\n",
    );
    let pipe = fixture.path().join("pipe");
    let made = std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .unwrap();
    assert!(made.success());
    // Ends when the last of them has.
    let end = std::thread::spawn(move || fs::read(pipe));
    let mut options = fixture.options("a", "host.example:x");
    options
        .environment
        .push(("GIT_SSH_COMMAND".into(), ssh.into()));
    options.deadline = Duration::from_secs(2);
    let error = GitRemote::open(options)
        .unwrap()
        .put_entries(&body(&[("a", "x")]), None)
        .unwrap_err();
    assert!(matches!(error, RemoteError::Unreachable(_)), "{error:?}");
    assert_eq!(end.join().unwrap().unwrap(), b"");
}

#[cfg(unix)]
#[test]
fn a_git_that_somebody_waits_for_is_left_alone() {
    let fixture = Fixture::new();
    let (ssh, pipe) = (fixture.path().join("ssh"), fixture.path().join("pipe"));
    script(
        &ssh,
        "#!/bin/sh\nexec 3>\"$HOME/pipe\"\necho hangs >&3\nsleep 600\n",
    );
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let mut options = fixture.options("a", "host.example:x");
    options
        .environment
        .push(("GIT_SSH_COMMAND".into(), ssh.into()));
    options.deadline = Duration::from_secs(4);
    let mut first = GitRemote::open(options.clone()).unwrap();
    let first = std::thread::spawn(move || first.get_state(&StateQuery::default(), None));
    let mut line = String::new();
    let mut pipe = BufReader::new(fs::File::open(pipe).unwrap());
    pipe.read_line(&mut line).unwrap();
    options.deadline = Duration::from_secs(1);
    let second = GitRemote::open(options)
        .unwrap()
        .get_state(&StateQuery::default(), None);
    let second = second.unwrap_err().to_string();
    assert!(second.contains("in use by another process"), "{second}");
    // It had its whole time.
    let first = first.join().unwrap().unwrap_err().to_string();
    assert!(first.contains("took longer than 4 seconds"), "{first}");
}

#[cfg(unix)]
#[test]
fn a_remote_that_takes_branches_only_says_so() {
    let fixture = Fixture::new();
    fixture.git(&fixture.bare(), &["config", "receive.hideRefs", "refs/mem"]);
    let error = fixture
        .person("a")
        .put_entries(&body(&[("a", "x")]), None)
        .unwrap_err();
    assert!(
        matches!(error, RemoteError::RefNotTaken { .. }),
        "{error:?}"
    );
    assert!(
        mem_core::Diagnose::hint(&error)
            .unwrap()
            .contains("mem serve")
    );
    fixture.git(&fixture.bare(), &["config", "--unset", "receive.hideRefs"]);
    let hook = fixture.bare().join("hooks/pre-receive");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    script(&hook, "#!/bin/sh\nexit 1\n");
    let error = fixture
        .person("a")
        .put_entries(&body(&[("a", "x")]), None)
        .unwrap_err();
    assert!(error.to_string().contains("hook declined"), "{error}");
}

#[test]
fn a_repository_of_another_kind_of_ids_says_so() {
    let fixture = Fixture::new();
    fixture.git(
        fixture.path(),
        &["init", "-q", "--bare", "--object-format=sha256", "s.git"],
    );
    let url = fixture.path().join("s.git");
    let mut a = GitRemote::open(fixture.options("a", url.to_str().unwrap())).unwrap();
    let error = a.put_entries(&body(&[("a", "x")]), None).unwrap_err();
    assert!(error.to_string().contains("SHA-256"), "{error}");
}

#[test]
fn what_is_not_there_and_what_may_not_be_spoken_is_told_apart() {
    let fixture = Fixture::new();
    let missing = fixture.path().join("missing.git");
    let mut a = GitRemote::open(fixture.options("a", missing.to_str().unwrap())).unwrap();
    let error = a.put_entries(&body(&[("a", "x")]), None).unwrap_err();
    assert!(matches!(error, RemoteError::Unreachable(_)), "{error:?}");
    let none = fixture.path().join("none.git");
    fs::create_dir(&none).unwrap();
    let mut a = GitRemote::open(fixture.options("a", none.to_str().unwrap())).unwrap();
    let error = a.put_entries(&body(&[("a", "x")]), None).unwrap_err();
    assert!(matches!(error, RemoteError::Access(_)), "{error:?}");
    let options = fixture.options("b", "team:app");
    let ran = fixture.path().join("ran");
    let helper = format!("ext::touch {}", ran.display());
    fixture.git(
        &options.work,
        &["config", &format!("url.{helper}.insteadOf"), "team:app"],
    );
    fixture.git(&options.work, &["config", "protocol.ext.allow", "always"]);
    let error = GitRemote::open(options)
        .unwrap()
        .put_entries(&body(&[("a", "x")]), None)
        .unwrap_err();
    assert!(matches!(error, RemoteError::Local(_)), "{error:?}");
    assert!(!ran.exists());
}

/// Answers every request alike, and notes what was asked.
fn serve(answer: &'static str) -> (String, Arc<Mutex<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let asked = Arc::new(Mutex::new(String::new()));
    let notes = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut line = String::new();
            while reader.read_line(&mut line).unwrap() > 2 {
                notes.lock().unwrap().push_str(&line);
                line.clear();
            }
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    (format!("http://{address}/o/r.git"), asked)
}

#[test]
fn a_remote_that_anybody_reads_is_found_out_without_credentials() {
    let fixture = Fixture::new();
    // What `git update-server-info` leaves in a repository without refs, for plain file servers.
    let (url, asked) = serve(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    );
    let secret = ["hunter", "2"].concat();
    let mut options = fixture.options(
        "a",
        &url.replace("http://", &format!("http://me:{secret}@")),
    );
    let netrc = format!("default login me password {secret}\n");
    mem_core::atomic::replace_file(&fixture.path().join(".netrc"), netrc.as_bytes()).unwrap();
    options.deadline = Duration::from_secs(20);
    assert_eq!(
        GitRemote::probe_public(&options).unwrap(),
        Visibility::Public
    );
    let asked = asked.lock().unwrap().clone();
    assert!(
        asked.contains("GET /o/r.git/info/refs") && !asked.contains("Authorization"),
        "{asked}"
    );
}

#[test]
fn a_remote_that_asks_who_is_there_is_private() {
    let fixture = Fixture::new();
    let (url, asked) = serve(
        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\
         Connection: close\r\n\r\n",
    );
    let options = fixture.options("a", &url);
    assert_eq!(
        GitRemote::probe_public(&options).unwrap(),
        Visibility::Private
    );
    assert!(asked.lock().unwrap().contains("GET /o/r.git/info/refs"));
    let here = fixture.options("a", fixture.bare().to_str().unwrap());
    assert_eq!(GitRemote::probe_public(&here).unwrap(), Visibility::Private);
}
