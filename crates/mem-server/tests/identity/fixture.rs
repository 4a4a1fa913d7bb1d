//! A server in this process with settings and a clock that moves only when told.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc;
use std::thread;

use jiff::{SignedDuration, Timestamp};
use mem_server::access::grant;
use mem_server::storage::{
    DEFAULT_WORKSPACE, Database, DatabaseAddress, OpenOptions, VersionRetention,
};
use mem_server::tokens::FreshToken;
use mem_server::{ServeOptions, ServerAccess, ServerLimits, ServerSettings};
use mem_tests::http::{Answer, Ask};
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::storage::fixture::Fixture;

/// Where browsers are said to find the server; nobody listens there.
pub(super) const PUBLIC_URL: &str = "http://127.0.0.1:9";
/// Between two looks at a condition that another thread brings about.
const LOOKS_MAX: usize = 100_000;

/// The present: that of the system, and so many seconds.
#[derive(Clone, Default)]
pub(super) struct Ahead(Arc<AtomicI64>);

impl Ahead {
    pub(super) fn set(&self, seconds: i64) {
        self.0.store(seconds, Ordering::SeqCst);
    }

    pub(super) fn now(&self) -> Timestamp {
        Timestamp::now() + SignedDuration::from_secs(self.0.load(Ordering::SeqCst))
    }
}

/// A server that listens until the test ends.
pub(super) struct RunningServer {
    pub(super) address: SocketAddr,
    pub(super) ahead: Ahead,
    pub(super) place: DatabaseAddress,
    folder: Arc<TempDir>,
}

impl RunningServer {
    pub(super) fn start(fixture: &Fixture, settings: &str) -> Self {
        Self::start_with(fixture, settings, &[])
    }

    /// With files beside the settings, in which `FOLDER` stands for where they are.
    pub(super) fn start_with(fixture: &Fixture, settings: &str, files: &[(&str, &str)]) -> Self {
        let folder = Arc::new(TempDir::new().unwrap());
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        Self::start_in(folder, Ahead::default(), &fixture.place, settings)
    }

    /// Another replica, where the database can have two.
    pub(super) fn replica(&self) -> Option<Self> {
        if matches!(self.place, DatabaseAddress::Directory(_)) {
            return None;
        }
        let settings = std::fs::read_to_string(self.folder.path().join("settings.toml")).unwrap();
        let folder = Arc::clone(&self.folder);
        Some(Self::start_in(
            folder,
            self.ahead.clone(),
            &self.place,
            &settings,
        ))
    }

    fn start_in(
        folder: Arc<TempDir>,
        ahead: Ahead,
        place: &DatabaseAddress,
        settings: &str,
    ) -> Self {
        let file = folder.path().join("settings.toml");
        let settings = settings.replace("FOLDER", folder.path().to_str().unwrap());
        std::fs::write(&file, settings).unwrap();
        let settings = ServerSettings::read(&file).unwrap();
        let (listening, address) = mpsc::channel();
        let clock = ahead.clone();
        let options = ServeOptions {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            place: place.clone(),
            storage: OpenOptions::default(),
            access: ServerAccess::Tokens,
            limits: ServerLimits {
                rate: None,
                ..ServerLimits::default()
            },
            retention: VersionRetention::default(),
            settings,
            now: Arc::new(move || clock.now()),
            pages: None,
            on_listening: Box::new(move |bound| listening.send(bound.address).unwrap()),
        };
        thread::spawn(move || mem_server::serve(options).unwrap());
        Self {
            address: address.recv().unwrap(),
            ahead,
            place: place.clone(),
            folder,
        }
    }

    /// What a file beside the settings holds.
    pub(super) fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    pub(super) fn ask(&self, method: &str, target: &str) -> Ask {
        Ask::new(self.address, method, target)
    }

    pub(super) fn post(&self, target: &str, body: &Value) -> Answer {
        self.ask("POST", target).json(body.to_string()).send()
    }

    /// What the holder of a token gets of a repository's memory: the status.
    pub(super) fn reads(&self, token: &str, repository: &str) -> u16 {
        self.team("GET", token, repository).send().status
    }

    pub(super) fn writes(&self, token: &str, repository: &str) -> u16 {
        let body = json!({ "entries": { "a.md": "a" } }).to_string();
        self.team("PUT", token, repository).json(body).send().status
    }

    fn team(&self, method: &str, token: &str, repository: &str) -> Ask {
        let path = format!("/api/claude_code/team_memory?repo={repository}");
        self.ask(method, &path).token(token)
    }

    /// Who the holder of a token is.
    #[track_caller]
    pub(super) fn session(&self, token: &str) -> Value {
        let answer = self.ask("GET", "/api/identity/session").token(token).send();
        answer.assert(200);
        answer.json()
    }

    pub(super) fn session_status(&self, token: &str) -> u16 {
        self.ask("GET", "/api/identity/session")
            .token(token)
            .send()
            .status
    }
}

/// Makes a token with these grants, as an administrator does; its id and its secret.
pub(super) fn machine_token(fixture: &Fixture, name: &str, grants: &[&str]) -> (String, String) {
    let grants = grants.iter().map(|text| grant::parse(text).unwrap());
    let workspace = DEFAULT_WORKSPACE.to_owned();
    let FreshToken { secret, token } =
        FreshToken::generate(workspace, name.to_owned(), grants.collect(), None).unwrap();
    with_database(fixture, async |database| {
        database
            .create_token(&token, Timestamp::now())
            .await
            .unwrap();
    });
    (token.id, secret.expose_secret().to_owned())
}

/// Does something with the database beside a server.
pub(super) fn with_database<T>(fixture: &Fixture, work: impl AsyncFnOnce(&Database) -> T) -> T {
    let options = OpenOptions {
        purpose: mem_server::storage::Purpose::Administer,
        ..OpenOptions::default()
    };
    fixture.runtime.block_on(async {
        let database = Database::open(&fixture.place, &options).await.unwrap();
        let done = work(&database).await;
        database.close().await;
        done
    })
}

/// Waits until another thread has brought something about.
#[track_caller]
pub(super) fn wait_until(mut is_so: impl FnMut() -> bool) {
    for _ in 0..LOOKS_MAX {
        if is_so() {
            return;
        }
        thread::yield_now();
    }
    panic!("it does not come about");
}
