//! Many requests over one pair of streams: `{"id":..., "input":{...}}` a line, answered in order by
//! `{"id":..., "content":"...", "is_error":bool}`. Whatever a line is, the next one is read.

use std::io::{self, BufRead, Read as _};

use serde_json::{Value, json};

use super::ToolAnswer;

/// The longest request. A longer one is read to its end and answered with an error.
pub const REQUEST_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// The beginning of a request that is too long, in which its id is looked for.
const ID_BYTES_MAX: usize = 1024;

/// Reads requests to the end of the stream and answers each; empty lines are passed over.
///
/// # Errors
/// Reading fails, or whatever `say` does: then nobody reads answers any more.
pub fn serve_requests<E: From<io::Error>>(
    input: &mut dyn BufRead,
    mut answer: impl FnMut(&Value) -> ToolAnswer,
    mut say: impl FnMut(&Value) -> Result<(), E>,
) -> Result<(), E> {
    while let Some(line) = next_line(input)? {
        if line.bytes.trim_ascii().is_empty() {
            continue;
        }
        let (id, answered) = match line.is_cut {
            true => (id_at_the_beginning(&line.bytes), too_long()),
            false => answer_to(&line.bytes, &mut answer),
        };
        let ToolAnswer {
            content, is_error, ..
        } = answered;
        say(&json!({ "id": id, "content": content, "is_error": is_error }))?;
    }
    Ok(())
}

struct ToolRequestLine {
    bytes: Vec<u8>,
    is_cut: bool,
}

/// The next line without its end; of one that is too long only the beginning is kept.
fn next_line(input: &mut dyn BufRead) -> io::Result<Option<ToolRequestLine>> {
    let mut bytes = Vec::new();
    let mut head = (&mut *input).take(REQUEST_BYTES_MAX + 1);
    if head.read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let is_cut = bytes.len() as u64 > REQUEST_BYTES_MAX && !bytes.ends_with(b"\n");
    if is_cut {
        bytes.truncate(ID_BYTES_MAX);
        bytes.shrink_to_fit();
        skip_line(input)?;
    }
    Ok(Some(ToolRequestLine { bytes, is_cut }))
}

/// Reads to the end of a line and keeps nothing.
fn skip_line(input: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = memchr::memchr(b'\n', buffer);
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() || used == 0 {
            return Ok(());
        }
    }
}

fn too_long() -> ToolAnswer {
    ToolAnswer::from_error_text(format!(
        "The request is longer than {REQUEST_BYTES_MAX} bytes."
    ))
}

fn answer_to(line: &[u8], answer: &mut impl FnMut(&Value) -> ToolAnswer) -> (Value, ToolAnswer) {
    let request: Value = match serde_json::from_slice(line) {
        Ok(request) => request,
        Err(error) => {
            let text = format!("The request is not JSON: {error}.");
            return (id_at_the_beginning(line), ToolAnswer::from_error_text(text));
        }
    };
    let id = request.get("id").cloned().unwrap_or_default();
    match request.get("input") {
        Some(input) => (id, answer(input)),
        None => (
            id,
            ToolAnswer::from_error_text("The request has no `input`."),
        ),
    }
}

/// The id of a request that cannot be read whole, where it stands first.
fn id_at_the_beginning(line: &[u8]) -> Value {
    let find = || {
        let line = &line[..line.len().min(ID_BYTES_MAX)];
        let rest = line.trim_ascii_start().strip_prefix(b"{")?;
        let rest = rest.trim_ascii_start().strip_prefix(b"\"id\"")?;
        let rest = rest.trim_ascii_start().strip_prefix(b":")?;
        let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<Value>();
        values.next()?.ok()
    };
    find().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn served(input: &[u8]) -> Vec<Value> {
        let mut said = Vec::new();
        let answer = |input: &Value| ToolAnswer {
            content: input.to_string(),
            is_error: false,
            seen: None,
        };
        let mut input = input;
        let say = |value: &Value| {
            said.push(value.clone());
            Ok::<(), io::Error>(())
        };
        serve_requests(&mut input, answer, say).unwrap();
        said
    }

    #[test]
    fn every_line_is_answered_in_order_whatever_it_is() {
        let said = served(
            b"{\"id\":1,\"input\":7}\n\nnonsense\n{\"id\":\"b\"}\n{\"id\":[3],\"input\":{\"a\":\n\
              [1]\n\xff\xfe\n{\"input\":8}\r\n{\"id\":9,\"input\":null}",
        );
        let ids: Vec<&Value> = said.iter().map(|one| &one["id"]).collect();
        let none = Value::Null;
        let (one, b, three, nine) = (json!(1), json!("b"), json!([3]), json!(9));
        assert_eq!(ids, [&one, &none, &b, &three, &none, &none, &none, &nine]);
        let errors: Vec<bool> = said.iter().map(|one| one["is_error"] == true).collect();
        assert_eq!(errors, [false, true, true, true, true, true, false, false]);
        assert_eq!(said[2]["content"], "The request has no `input`.");
    }

    #[test]
    fn a_line_that_is_too_long_is_read_to_its_end() {
        let filler = "x".repeat(usize::try_from(REQUEST_BYTES_MAX).unwrap());
        let lines =
            format!("{{\"id\": \"big\", \"input\": \"{filler}\"}}\n{{\"id\":2,\"input\":1}}\n");
        let said = served(lines.as_bytes());
        assert_eq!(said[0]["id"], "big");
        assert_eq!(
            said[0]["content"],
            "The request is longer than 33554432 bytes."
        );
        assert_eq!(said[1], json!({"id": 2, "content": "1", "is_error": false}));
        assert_eq!(said.len(), 2);
    }
}
