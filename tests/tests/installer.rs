//! `templates/packages`: the shell installer against a release in a folder and at a server, and the container file.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use mem_tests::{Server, TestEnv};

const INSTALLER: &str = include_str!("../../templates/packages/install.sh");
const CONTAINER: &str = include_str!("../../templates/packages/Containerfile");
const VERSION: &str = "9.8.7";

/// A release of this platform whose program prints its version.
fn release(env: &TestEnv) -> PathBuf {
    let folder = env.root().join("release");
    let system = match std::env::consts::OS {
        "macos" => "apple-darwin",
        _ => "unknown-linux-gnu",
    };
    let name = format!("mem-{VERSION}-{}-{system}", std::env::consts::ARCH);
    let program = folder.join(&name).join("mem");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::write(&program, format!("#!/bin/sh\necho 'mem {VERSION} (x)'\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let archive = format!("{name}.tar.gz");
    run(env, &folder, "tar", &["-czf", &archive, &name]);
    let sums = run(env, &folder, "sha256sum", &[&archive]).stdout;
    fs::write(folder.join("SHA256SUMS"), sums).unwrap();
    fs::write(folder.join("archive"), archive).unwrap();
    folder
}

fn run(env: &TestEnv, folder: &Path, program: &str, args: &[&str]) -> Output {
    let mut command = env.command(program);
    let output = command.args(args).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    output
}

/// Runs the installer of a release, which names no address itself; its output, and whether it succeeded.
fn install(env: &TestEnv, url: &str) -> (bool, String) {
    let script = env.root().join("install.sh");
    fs::write(&script, INSTALLER.replace("@VERSION@", VERSION)).unwrap();
    let mut command: Command = env.command("sh");
    let output = command.arg(&script).env("MEM_RELEASE_URL", url).output();
    let output = output.unwrap();
    let text = [&output.stdout[..], &output.stderr].concat();
    let text = env.normalise(&String::from_utf8_lossy(&text));
    (output.status.success(), text)
}

fn installed(env: &TestEnv) -> PathBuf {
    env.home().join(".local/bin/mem")
}

/// Serves the files of a folder to whoever asks, as long as the test runs.
fn serve(folder: PathBuf) -> String {
    answer("127.0.0.1:0", move |name| {
        match fs::read(folder.join(name)) {
            Ok(body) => ("200 OK".to_owned(), body),
            Err(_) => ("404 Not Found".to_owned(), Vec::new()),
        }
    })
}

/// Listens, and answers each name with a status (and further lines of a head) and a body.
fn answer(listen: &str, reply: impl Fn(&str) -> (String, Vec<u8>) + Send + 'static) -> String {
    let listener = TcpListener::bind(listen).unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let first = lines.next().unwrap().unwrap();
            let _head = lines
                .map_while(Result::ok)
                .take_while(|line| !line.is_empty())
                .count();
            let name = first.split(' ').nth(1).unwrap().trim_start_matches('/');
            let (status, body) = reply(name);
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            stream.write_all(head.as_bytes()).unwrap();
            stream.write_all(&body).unwrap();
        }
    });
    format!("http://{address}")
}

#[test]
fn the_installer_puts_one_program_into_the_home_directory() {
    let env = TestEnv::new();
    let folder = release(&env);
    for url in [format!("file://{}", folder.display()), serve(folder)] {
        let (is_done, text) = install(&env, &url);
        assert!(is_done, "{text}");
        assert_eq!(
            text,
            "installed [ENV]/home/.local/bin/mem\n\
             next: add [ENV]/home/.local/bin to PATH, then mem init in a repository\n"
        );
        let names: Vec<String> = env
            .files_under(&env.home())
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, [".local/bin/mem"]);
        let mode = fs::metadata(installed(&env)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755);
        fs::remove_file(installed(&env)).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_redirect_to_plain_http_is_not_followed() {
    let env = TestEnv::new();
    let folder = release(&env);
    let other = answer("127.0.0.2:0", move |name| {
        ("200 OK".to_owned(), fs::read(folder.join(name)).unwrap())
    });
    let url = answer("127.0.0.1:0", move |name| {
        (format!("302 Found\r\nLocation: {other}/{name}"), Vec::new())
    });
    let (is_done, text) = install(&env, &url);
    assert!(!is_done && text.contains("nothing was installed"), "{text}");
    // The same by wget, where no curl is found.
    let tools = env.root().join("tools");
    fs::create_dir(&tools).unwrap();
    for tool in ["sh", "uname", "mktemp", "rm", "wget"] {
        let path = run(
            &env,
            env.root(),
            "sh",
            &["-c", &format!("command -v {tool} || :")],
        )
        .stdout;
        let path = String::from_utf8(path).unwrap();
        if path.is_empty() {
            return;
        }
        std::os::unix::fs::symlink(path.trim_end(), tools.join(tool)).unwrap();
    }
    let script = env.root().join("install.sh");
    let mut by_wget = env.command("sh");
    let output = by_wget
        .arg(&script)
        .env("MEM_RELEASE_URL", url)
        .env("PATH", tools)
        .output();
    let text = String::from_utf8(output.unwrap().stderr).unwrap();
    assert!(text.contains("nothing was installed"), "{text}");
}

#[test]
fn what_is_not_the_release_is_not_installed() {
    let env = TestEnv::new();
    let folder = release(&env);
    let at_folder = format!("file://{}", folder.display());
    let refused = |url: &str, told: &str| {
        let (is_done, text) = install(&env, url);
        assert!(!is_done && text.contains(told), "{told}: {text}");
        assert!(!installed(&env).exists());
    };
    refused("", "no release is named");
    refused(
        "http://example.org/release",
        "anybody on the way can change",
    );
    refused(&serve(env.root().join("nowhere")), "nothing was installed");
    let archive = folder.join(fs::read_to_string(folder.join("archive")).unwrap());
    let bytes = fs::read(&archive).unwrap();
    fs::write(&archive, [&bytes[..], b"x"].concat()).unwrap();
    refused(&at_folder, "expected");
    refused(&serve(folder.clone()), "expected");
    fs::write(folder.join("SHA256SUMS"), "").unwrap();
    refused(&at_folder, "the release has no `mem-9.8.7-");
    // A download that was cut off runs nothing.
    let script = env.root().join("half.sh");
    fs::write(&script, &INSTALLER[..INSTALLER.len() - 10]).unwrap();
    let half = env.command("sh").arg(&script).output().unwrap();
    assert!(half.stdout.is_empty() && !installed(&env).exists());
}

#[test]
fn a_mem_that_is_there_is_replaced_and_one_that_does_not_run_is_not_installed() {
    let env = TestEnv::new();
    let folder = release(&env);
    let url = format!("file://{}", folder.display());
    assert!(install(&env, &url).0);
    let before = fs::read(installed(&env)).unwrap();
    let archive = fs::read_to_string(folder.join("archive")).unwrap();
    let name = archive.trim_end_matches(".tar.gz").to_owned();
    fs::write(folder.join(&name).join("mem"), "#!/bin/sh\nexit 1\n").unwrap();
    run(&env, &folder, "tar", &["-czf", &archive, &name]);
    let sums = run(&env, &folder, "sha256sum", &[&archive]).stdout;
    fs::write(folder.join("SHA256SUMS"), sums).unwrap();
    let (is_done, text) = install(&env, &url);
    assert!(!is_done && text.contains("does not run here"), "{text}");
    assert_eq!(fs::read(installed(&env)).unwrap(), before);
}

#[test]
fn the_container_runs_a_server_as_nobody_special_and_asks_how_it_is() {
    let env = TestEnv::new();
    assert!(CONTAINER.contains("\nUSER mem\n"));
    let mut lines = CONTAINER.lines();
    let check = lines.find(|line| line.starts_with("HEALTHCHECK "));
    let (_, check) = check.unwrap().split_once(" CMD ").unwrap();
    let check: Vec<String> = serde_json::from_str(check).unwrap();
    let last = CONTAINER.lines().last().unwrap();
    let command = last.strip_prefix("CMD ").unwrap();
    let command: Vec<String> = serde_json::from_str(command).unwrap();
    let folder = env.root().join("data");
    let words = command[1..].iter().map(|word| match word.as_str() {
        "0.0.0.0:8787" => "127.0.0.1:0".to_owned(),
        "/data" => folder.display().to_string(),
        word => word.to_owned(),
    });
    let server = Server::of(env.invoke(words));
    let url = server.url();
    let port = url.rsplit_once(':').unwrap().1.to_owned();
    let healthy = |port: &str| {
        let script = check[2].replace("8787", port);
        let mut bash = env.command(&check[0]);
        bash.args([&check[1], &script])
            .output()
            .unwrap()
            .status
            .success()
    };
    assert!(healthy(&port));
    drop(server);
    assert!(!healthy(&port));
}
