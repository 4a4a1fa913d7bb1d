//! [`ScriptedModel`]: a server that plays a model by a script, for the real SDKs to talk to.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

/// A server on a free port of this machine. It answers each `POST` with the next turn of the script,
/// and with an error when there is none left; it ends with the process.
#[derive(Debug)]
pub struct ScriptedModel {
    url: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

/// What a client sent.
#[derive(Clone, Debug)]
pub struct Request {
    /// The path with its query.
    pub path: String,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Value,
}

impl Request {
    /// The header of this name.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The tool results in the last message: text and whether it was an error.
    pub fn tool_results(&self) -> Vec<(String, bool)> {
        let last = self.body["messages"].as_array().and_then(|all| all.last());
        let blocks = last.and_then(|message| message["content"].as_array());
        let results = blocks.into_iter().flatten();
        let results = results.filter(|block| block["type"] == "tool_result");
        let text = |content: &Value| match content {
            Value::String(text) => text.clone(),
            content => content[0]["text"].as_str().unwrap_or_default().to_owned(),
        };
        let told = |block: &Value| (text(&block["content"]), block["is_error"] == true);
        results.map(told).collect()
    }
}

impl ScriptedModel {
    /// Starts with a script: each turn is the inputs of the memory tool that the model asks for at once.
    /// After them it says `done`.
    pub fn start(turns: &[Vec<Value>]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (seen, script) = (Arc::clone(&requests), script(turns));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (seen, script) = (Arc::clone(&seen), script.clone());
                thread::spawn(move || serve(stream, &seen, &script));
            }
        });
        let url = format!("http://{address}");
        Self { url, requests }
    }

    /// Where it listens.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What clients sent so far.
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("nobody panicked").clone()
    }
}

/// The messages that the model answers with.
fn script(turns: &[Vec<Value>]) -> Vec<Value> {
    let turn = |(number, inputs): (usize, &Vec<Value>)| {
        let block = |(at, input): (usize, &Value)| {
            let id = format!("toolu_{number}_{at}");
            json!({ "type": "tool_use", "id": id, "name": "memory", "input": input })
        };
        let blocks = inputs.iter().enumerate().map(block);
        message("tool_use", &blocks.collect::<Vec<_>>())
    };
    let mut messages: Vec<Value> = turns.iter().enumerate().map(turn).collect();
    messages.push(message(
        "end_turn",
        &[json!({ "type": "text", "text": "done" })],
    ));
    messages
}

fn message(stop_reason: &str, content: &[Value]) -> Value {
    json!({
        "id": "msg_scripted", "type": "message", "role": "assistant", "model": "scripted",
        "content": content, "stop_reason": stop_reason, "stop_sequence": null,
        "usage": { "input_tokens": 1, "output_tokens": 1 },
    })
}

/// Answers the requests of one connection.
fn serve(stream: TcpStream, seen: &Mutex<Vec<Request>>, script: &[Value]) {
    let Ok(mut writer) = stream.try_clone() else {
        return;
    };
    let mut reader = BufReader::new(stream);
    while let Some(request) = read(&mut reader) {
        let turn = {
            let mut seen = seen.lock().expect("nobody panicked");
            seen.push(request);
            seen.len() - 1
        };
        let (status, body) = match script.get(turn) {
            Some(message) => ("200 OK", message.to_string()),
            None => ("400 Bad Request", json!({ "type": "error" }).to_string()),
        };
        let length = body.len();
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
        );
        if writer.write_all((head + &body).as_bytes()).is_err() {
            return;
        }
    }
}

/// Reads one request; `None` at the end of the connection.
fn read(reader: &mut impl BufRead) -> Option<Request> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut request = Request {
        path,
        headers,
        body: Value::Null,
    };
    let length = request.header("content-length")?.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    request.body = serde_json::from_slice(&body).ok()?;
    Some(request)
}
