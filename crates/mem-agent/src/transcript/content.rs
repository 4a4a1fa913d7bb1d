//! The content of a message: a text, or a list of parts.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess};
use serde_json::value::RawValue;

use super::gemini;
use super::lenient_json::{Flag, LenientValue, LooseText, read_lenient};

/// A part of a message.
#[derive(Debug)]
pub enum MessagePart<'a> {
    /// What was said.
    Text(Cow<'a, str>),
    /// A tool that the model asks for.
    ToolUse {
        /// Pairs it with its result.
        id: Cow<'a, str>,
        /// The tool.
        name: Cow<'a, str>,
        /// Its arguments, as JSON text.
        input: Cow<'a, str>,
    },
    /// What a tool answered.
    ToolResult {
        /// Pairs it with its use.
        id: Cow<'a, str>,
        /// The texts of the answer.
        text: Cow<'a, str>,
        /// Whether it failed.
        is_error: bool,
    },
}

impl MessagePart<'_> {
    /// What was said.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::ToolUse { .. } | Self::ToolResult { .. } => None,
        }
    }
}

/// All parts of a message.
#[derive(Debug, Default)]
pub(super) struct MessageContent<'a>(pub(super) Vec<MessagePart<'a>>);

/// A part as it stands in the file.
#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct RawBlock<'a> {
    #[serde(rename = "type")]
    kind: LooseText<'a>,
    text: LooseText<'a>,
    id: LooseText<'a>,
    name: LooseText<'a>,
    input: Option<&'a RawValue>,
    tool_use_id: LooseText<'a>,
    content: MessageContent<'a>,
    is_error: Flag,
    #[serde(rename = "functionCall")]
    function_call: Option<FunctionCall<'a>>,
    #[serde(rename = "functionResponse")]
    function_response: Option<FunctionResponse<'a>>,
}

/// A call in the form of Gemini's API.
#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct FunctionCall<'a> {
    pub(super) id: LooseText<'a>,
    pub(super) name: LooseText<'a>,
    pub(super) args: Option<&'a RawValue>,
}

/// What a tool answered in the form of Gemini's API.
#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct FunctionResponse<'a> {
    id: LooseText<'a>,
    response: FunctionOutput<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct FunctionOutput<'a> {
    output: LooseText<'a>,
    error: LooseText<'a>,
}

impl<'a> RawBlock<'a> {
    fn into_part(self) -> Option<MessagePart<'a>> {
        match &*self.kind.0 {
            "text" | "input_text" | "output_text" => Some(MessagePart::Text(self.text.0)),
            "tool_use" | "server_tool_use" | "mcp_tool_use" => Some(MessagePart::ToolUse {
                id: self.id.0,
                name: self.name.0,
                input: self.input.map_or("", RawValue::get).into(),
            }),
            // Parts of Gemini's API have no type.
            "" => match (self.function_call, self.function_response) {
                (Some(call), _) => Some(gemini::tool_use(call)),
                (None, Some(answer)) => Some(answer.into_part()),
                (None, None) => self.text.into_nonempty().map(MessagePart::Text),
            },
            kind if kind.ends_with("tool_result") => Some(MessagePart::ToolResult {
                id: self.tool_use_id.0,
                text: self.content.into_text(),
                is_error: self.is_error.0,
            }),
            _ => None,
        }
    }
}

impl<'a> FunctionResponse<'a> {
    fn into_part(self) -> MessagePart<'a> {
        let FunctionOutput { output, error } = self.response;
        let is_failure = |line: &str| {
            let code = line.strip_prefix("Exit Code: ");
            code.is_some_and(|code| !matches!(code.trim(), "0" | "(none)"))
        };
        let is_error = !error.0.is_empty() || output.0.lines().any(is_failure);
        MessagePart::ToolResult {
            id: self.id.0,
            text: error.into_nonempty().unwrap_or(output.0),
            is_error,
        }
    }
}

impl<'a> MessageContent<'a> {
    /// Its texts, joined by line breaks.
    fn into_text(self) -> Cow<'a, str> {
        let mut texts = self.0.into_iter().filter_map(|part| match part {
            MessagePart::Text(text) => Some(text),
            MessagePart::ToolUse { .. } | MessagePart::ToolResult { .. } => None,
        });
        let first = texts.next().unwrap_or_default();
        texts.fold(first, |mut all, text| {
            all.to_mut().push('\n');
            all.to_mut().push_str(&text);
            all
        })
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for MessageContent<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        read_lenient(from)
    }
}

impl<'de: 'a, 'a> LenientValue<'de> for MessageContent<'a> {
    fn from_text(text: Cow<'de, str>) -> Self {
        Self(vec![MessagePart::Text(text)])
    }

    fn from_list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        let mut parts = Vec::new();
        while let Some(block) = list.next_element::<RawBlock<'a>>()? {
            parts.extend(block.into_part());
        }
        Ok(Self(parts))
    }
}
