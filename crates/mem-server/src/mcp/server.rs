//! [`StoreMcpServer`]: what the protocol asks of a server, answered for one caller.

use std::sync::Arc;

use mem_core::delimiters::escape_json;
use mem_stores::tools::{self, DEFINITIONS, ToolError};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, Implementation, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;

use super::caller_stores::CallerStores;
use super::records;
use crate::access::Caller;
use crate::app::Shared;
use crate::http::request_log::note_resource;
use crate::storage::Verb;

/// What a model reads about all of the tools.
const INSTRUCTIONS: &str = mem_templates::PROMPT_STORES_SERVER;
/// What it reads besides where records were granted.
const OF_RECORDS: &str = mem_templates::PROMPT_RECORDS_SERVER;
/// Methods of the protocol whose parameters a client may get wrong.
const METHODS: [&str; 5] = [
    "initialize",
    "tools/call",
    "tools/list",
    "ping",
    "server/discover",
];

type Call = RequestContext<RoleServer>;

/// Serves one message of one caller.
#[derive(Clone)]
pub(super) struct StoreMcpServer {
    stores: Arc<CallerStores>,
}

impl StoreMcpServer {
    /// For somebody.
    pub(super) fn new(app: &Shared, caller: Caller) -> Self {
        let app = Arc::clone(app);
        Self {
            stores: Arc::new(CallerStores { app, caller }),
        }
    }

    /// The tools that this caller has.
    fn tools(&self) -> serde_json::Result<Vec<Tool>> {
        let stores = serde_json::from_str(DEFINITIONS)?;
        records::offered(stores, &self.stores.caller)
    }
}

impl ServerHandler for StoreMcpServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let me = Implementation::new("mem-server", env!("CARGO_PKG_VERSION"))
            .with_title("mem: memory stores");
        let caller = &self.stores.caller;
        let instructions = match (caller.has_records_alone(), caller.has_records(Verb::Read)) {
            (true, _) => OF_RECORDS.to_owned(),
            (false, true) => format!("{INSTRUCTIONS}\n{OF_RECORDS}"),
            (false, false) => INSTRUCTIONS.to_owned(),
        };
        ServerConfig::new(capabilities)
            .with_server_info(me)
            .with_instructions(instructions)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools()
            .ok()?
            .into_iter()
            .find(|tool| tool.name == name)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Call,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.tools();
        let tools = tools.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: Call,
    ) -> Result<CallToolResponse, ErrorData> {
        if let Some(tool) = self.get_tool(&request.name) {
            note_resource(&format!("tool:{}", tool.name));
        }
        let given = request.arguments.unwrap_or_default();
        if let Some(done) = records::call(&request.name, &given, &self.stores).await {
            return Ok(done.into());
        }
        let Some(tool) = tools::ToolDefinition::from_name(&request.name) else {
            let message = ToolError::NoTool(request.name.into_owned()).to_string();
            return Err(ErrorData::invalid_params(message, None));
        };
        let done = tools::call(tool, given, self.stores.as_ref()).await;
        Ok(result(done).into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: Call,
    ) -> Result<CustomResult, ErrorData> {
        // The SDK takes a known method with parameters of another shape for an unknown one.
        if METHODS.contains(&request.method.as_str()) {
            let message = "the parameters of this method are not of their shape";
            return Err(ErrorData::invalid_params(message, None));
        }
        let message = "there is no such method";
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None))
    }
}

/// A value, whose text shows no delimiter in any string of it.
pub(super) fn structured(value: Value) -> CallToolResult {
    let text = escape_json(&value.to_string()).into_owned();
    let mut result = CallToolResult::structured(value);
    result.content = vec![ContentBlock::text(text)];
    result
}

/// What the client is told: the value, or what went wrong and what to do about it.
fn result(done: Result<Value, ToolError>) -> CallToolResult {
    match done {
        Ok(value) => structured(value),
        Err(error) => CallToolResult::error(vec![ContentBlock::text(error.told())]),
    }
}
