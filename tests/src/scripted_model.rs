//! [`ScriptedModel`]: a server that plays a model by a script of [`Turn`]s, for the real SDKs and for `mem` to
//! talk to.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
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

/// What it answers one request with.
#[derive(Clone, Debug)]
pub struct Turn {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    /// Bytes that are promised and never come.
    missing: usize,
    hangs: bool,
}

impl Turn {
    /// The inputs of the memory tool that the model asks for at once.
    pub fn calls(inputs: &[Value]) -> Self {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        let block = |input: &Value| {
            let id = format!("toolu_{}", CALLS.fetch_add(1, Ordering::Relaxed));
            json!({ "type": "tool_use", "id": id, "name": "memory", "input": input })
        };
        let blocks: Vec<Value> = inputs.iter().map(block).collect();
        Self::message("tool_use", &blocks)
    }

    /// Words, and the end.
    pub fn says(text: &str) -> Self {
        Self::message("end_turn", &[json!({ "type": "text", "text": text })])
    }

    /// A message of any blocks that ends for any reason.
    pub fn message(stop_reason: &str, content: &[Value]) -> Self {
        Self::body(message(stop_reason, content).to_string())
    }

    /// Success, with a stream of events: of each its name, where it has one, and its data.
    pub fn events(events: &[(&str, Value)]) -> Self {
        let event = |(name, data): &(&str, Value)| match *name {
            "" => format!("data: {data}\r\n\r\n"),
            name => format!("event: {name}\ndata: {data}\n\n"),
        };
        let text: String = events.iter().map(event).collect();
        Self::body(text).with("content-type", "text/event-stream")
    }

    /// Success, with any body.
    pub fn body(body: impl Into<Vec<u8>>) -> Self {
        Self {
            status: 200,
            headers: Vec::new(),
            body: body.into(),
            missing: 0,
            hangs: false,
        }
    }

    /// No success, with a message in the API's envelope.
    pub fn fails(status: u16, message: &str) -> Self {
        let error = json!({ "type": "overloaded_error", "message": message });
        Self {
            status,
            ..Self::body(json!({ "type": "error", "error": error }).to_string())
        }
    }

    /// No answer at all, for as long as the server runs.
    pub fn hangs() -> Self {
        Self {
            hangs: true,
            ..Self::body("")
        }
    }

    /// The same, with a header.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same, cut off before its end.
    pub fn cut(mut self) -> Self {
        self.missing = self.body.len() / 2;
        self.body.truncate(self.body.len() - self.missing);
        self
    }

    /// The same message at another price.
    pub fn costing(mut self, input_tokens: u64, output_tokens: u64) -> Self {
        let mut message: Value = serde_json::from_slice(&self.body).expect("a message");
        message["usage"] = json!({ "input_tokens": input_tokens, "output_tokens": output_tokens });
        self.body = message.to_string().into_bytes();
        self
    }
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

    /// The body as it was sent, near enough to look for words in.
    pub fn text(&self) -> String {
        self.body.to_string()
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
        Self::play(script(turns))
    }

    /// Starts with a script of any turns.
    pub fn play(script: impl Into<Vec<Turn>>) -> Self {
        let script = script.into();
        let none = Turn::fails(400, "the script is at its end");
        Self::answer(move |place, _| script.get(place).unwrap_or(&none).clone())
    }

    /// Starts with an answer to each request, by its place among all and by what it says.
    pub fn answer(turn: impl Fn(usize, &Request) -> Turn + Send + Sync + 'static) -> Self {
        let turn = Arc::new(turn);
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (seen, turn) = (Arc::clone(&seen), Arc::clone(&turn));
                thread::spawn(move || serve(stream, &seen, &*turn));
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

/// The turns of a model that says `done` at its end.
fn script(turns: &[Vec<Value>]) -> Vec<Turn> {
    let turn = |(number, inputs): (usize, &Vec<Value>)| {
        let block = |(at, input): (usize, &Value)| {
            let id = format!("toolu_{number}_{at}");
            json!({ "type": "tool_use", "id": id, "name": "memory", "input": input })
        };
        let blocks = inputs.iter().enumerate().map(block);
        Turn::message("tool_use", &blocks.collect::<Vec<_>>())
    };
    let mut messages: Vec<Turn> = turns.iter().enumerate().map(turn).collect();
    messages.push(Turn::says("done"));
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
fn serve(stream: TcpStream, seen: &Mutex<Vec<Request>>, turn: &dyn Fn(usize, &Request) -> Turn) {
    let Ok(mut writer) = stream.try_clone() else {
        return;
    };
    let mut reader = BufReader::new(stream);
    while let Some(request) = read(&mut reader) {
        let turn = {
            let mut seen = seen.lock().expect("nobody panicked");
            let turn = turn(seen.len(), &request);
            seen.push(request);
            turn
        };
        if turn.hangs {
            loop {
                thread::park();
            }
        }
        let (status, length) = (turn.status, turn.body.len() + turn.missing);
        let mut head = format!("HTTP/1.1 {status} Scripted\r\ncontent-length: {length}\r\n");
        if !turn.headers.iter().any(|(name, _)| name == "content-type") {
            head.push_str("content-type: application/json\r\n");
        }
        for (name, value) in &turn.headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        head.push_str("\r\n");
        let sent = writer.write_all(&[head.as_bytes(), &turn.body].concat());
        if sent.is_err() || turn.missing > 0 {
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
    let Some(length) = request.header("content-length") else {
        // One without a body; other lengths are not read here.
        let is_bare = request.header("transfer-encoding").is_none();
        return is_bare.then_some(request);
    };
    let length = length.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    request.body = serde_json::from_slice(&body).ok()?;
    Some(request)
}
