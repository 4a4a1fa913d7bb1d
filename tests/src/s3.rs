//! [`S3Server`]: a bucket behind S3's protocol (`s3rver` of npm; it takes any secret key) on a loopback port.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::clients;

/// A running server with the bucket `mem`. It ends when it is dropped.
#[derive(Debug)]
pub struct S3Server {
    child: Child,
    port: u16,
}

impl S3Server {
    /// A server whose objects are files of a folder.
    ///
    /// # Panics
    /// It does not start.
    pub fn start(folder: &Path) -> Self {
        let modules = clients::node_modules_with("s3");
        let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("clients/s3/server.mjs");
        let mut node = Command::new("node");
        node.arg(script).arg(modules).arg(folder);
        node.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = node.spawn().expect("node starts");
        let mut port = String::new();
        let stdout = child.stdout.take().expect("stdout is a pipe");
        let read = BufReader::new(stdout).read_line(&mut port).expect("a line");
        assert!(read > 0, "the server does not listen");
        let port = port.trim().parse().expect("a port");
        Self { child, port }
    }

    /// The variables that lead to it, beside the address of the bucket: those of Amazon's own tools.
    pub fn variables(&self) -> [(&'static str, String); 5] {
        // The one user that it has.
        let user = "S3RVER".to_owned();
        [
            (
                "AWS_ENDPOINT_URL",
                format!("http://127.0.0.1:{}", self.port),
            ),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", user.clone()),
            ("AWS_SECRET_ACCESS_KEY", user),
        ]
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
