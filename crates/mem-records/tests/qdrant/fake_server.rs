//! A server that plays the endpoints of Qdrant's REST API that records use, and records what it is asked.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Map, Value, json};

#[derive(Default)]
struct State {
    collections: BTreeMap<String, Vec<Value>>,
    requests: Vec<(String, Value)>,
    keys: Vec<String>,
}

/// The server; its threads end with the process.
pub(crate) struct FakeServer {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl FakeServer {
    pub(crate) fn begin() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                std::thread::spawn(move || serve(&stream, &state));
            }
        });
        Self { address, state }
    }

    pub(crate) fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn requests(&self) -> Vec<(String, Value)> {
        self.state.lock().unwrap().requests.clone()
    }

    pub(crate) fn keys(&self) -> Vec<String> {
        self.state.lock().unwrap().keys.clone()
    }

    pub(crate) fn collections(&self) -> Vec<String> {
        self.state
            .lock()
            .unwrap()
            .collections
            .keys()
            .cloned()
            .collect()
    }
}

fn serve(stream: &TcpStream, state: &Mutex<State>) {
    let mut reader = BufReader::new(stream);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        let mut length = 0;
        let mut key = None;
        loop {
            let mut header = String::new();
            reader.read_line(&mut header).unwrap();
            let Some((name, value)) = header.trim().split_once(": ") else {
                break;
            };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().unwrap(),
                "api-key" => key = Some(value.to_owned()),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
        let line = line.trim_end().trim_end_matches(" HTTP/1.1").to_owned();
        let (status, answer) = {
            let mut state = state.lock().unwrap();
            state.keys.extend(key);
            state.requests.push((line.clone(), body.clone()));
            answered(&mut state, &line, &body)
        };
        let text = answer.to_string();
        let head = format!(
            "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            text.len()
        );
        let mut out = stream;
        out.write_all(format!("{head}{text}").as_bytes()).unwrap();
    }
}

fn answered(state: &mut State, line: &str, body: &Value) -> (u16, Value) {
    let (method, target) = line.split_once(' ').unwrap();
    let path = target
        .split('?')
        .next()
        .unwrap()
        .trim_start_matches("/collections/");
    let (name, rest) = path.split_once('/').unwrap_or((path, ""));
    if name == "broken" {
        return (500, json!({ "status": { "error": "disk is full" } }));
    }
    if (method, rest) == ("PUT", "") {
        state.collections.insert(name.to_owned(), Vec::new());
        return ok(&json!(true));
    }
    let Some(points) = state.collections.get_mut(name) else {
        return (404, json!({ "status": { "error": "Not found" } }));
    };
    match (method, rest) {
        ("GET", "") => ok(&json!({ "status": "green" })),
        ("POST", "points/query") => ok(&json!({ "points": nearest(points, body) })),
        ("POST", "points/scroll") => {
            let all = points
                .iter()
                .filter(|point| admits(&body["filter"], &point["payload"]));
            ok(&json!({ "points": all.map(bare).collect::<Vec<_>>(), "next_page_offset": null }))
        }
        ("POST", "points") => {
            let ids = body["ids"].as_array().unwrap();
            let known = points.iter().filter(|point| ids.contains(&point["id"]));
            ok(&known.map(bare).collect())
        }
        ("POST", "points/batch") => {
            for operation in body["operations"].as_array().unwrap() {
                points.extend(
                    operation["upsert"]["points"]
                        .as_array()
                        .into_iter()
                        .flatten()
                        .cloned(),
                );
                change(points, &operation["overwrite_payload"], true);
            }
            ok(&json!([]))
        }
        ("POST", "points/payload") => {
            change(points, body, false);
            ok(&json!({}))
        }
        ("PUT", "points/payload") => {
            change(points, body, true);
            ok(&json!({}))
        }
        _ => (404, json!({ "status": { "error": "Not found" } })),
    }
}

fn ok(result: &Value) -> (u16, Value) {
    (
        200,
        json!({ "result": result, "status": "ok", "time": 0.0 }),
    )
}

fn bare(point: &Value) -> Value {
    json!({ "id": point["id"], "payload": point["payload"] })
}

/// Sets or overwrites payloads; `null` is empty.
fn change(points: &mut [Value], asked: &Value, overwrite: bool) {
    let Some(ids) = asked["points"].as_array() else {
        return;
    };
    for point in points.iter_mut().filter(|point| ids.contains(&point["id"])) {
        if overwrite {
            point["payload"] = Value::Object(Map::new());
        }
        for (name, value) in asked["payload"].as_object().unwrap() {
            point["payload"][name] = value.clone();
        }
    }
}

fn nearest(points: &[Value], asked: &Value) -> Vec<Value> {
    let numbers = |value: &Value| -> Vec<f64> {
        value
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one.as_f64().unwrap())
            .collect()
    };
    let wanted = numbers(&asked["query"]);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut found: Vec<(f64, Value)> = points
        .iter()
        .filter(|point| admits(&asked["filter"], &point["payload"]))
        .map(|point| {
            let vector = numbers(&point["vector"]);
            let cosine =
                dot(&wanted, &vector) / (dot(&wanted, &wanted) * dot(&vector, &vector)).sqrt();
            (cosine, bare(point))
        })
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.truncate(asked["limit"].as_u64().unwrap() as usize);
    let scored = found.into_iter().map(|(score, mut point)| {
        point["score"] = json!(score);
        point
    });
    scored.collect()
}

fn admits(condition: &Value, payload: &Value) -> bool {
    let any = |list: &Value| {
        list.as_array()
            .unwrap()
            .iter()
            .any(|one| admits(one, payload))
    };
    if let Some(must) = condition["must"].as_array() {
        return must.iter().all(|one| admits(one, payload));
    }
    if condition["should"].is_array() {
        return any(&condition["should"]);
    }
    if let Some(key) = condition["is_empty"]["key"].as_str() {
        return payload[key].is_null();
    }
    let value = &payload[condition["key"].as_str().unwrap()];
    if let Some(words) = condition["match"]["any"].as_array() {
        return words.contains(value);
    }
    let Some(number) = value.as_f64() else {
        return false;
    };
    let holds = |(name, bound): (&String, &Value)| {
        let bound = bound.as_f64().unwrap();
        match name.as_str() {
            "gt" => number > bound,
            "gte" => number >= bound,
            "lte" => number <= bound,
            _ => number < bound,
        }
    };
    condition["range"].as_object().unwrap().iter().all(holds)
}
