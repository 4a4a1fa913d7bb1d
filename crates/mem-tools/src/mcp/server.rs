//! [`McpServer`]: what the protocol asks of a server, answered.

use crate::error_text::ErrorText;
use crate::{CallError, ToolEnvironment};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ErrorCode,
    Implementation, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    ResourceContents, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};

use super::mcp_call::McpCall;
use super::{ClientPermissions, Fault, attached, attached_resources, resources, tools};

/// Methods of the protocol whose parameters a client may get wrong.
const METHODS: [&str; 8] = [
    "initialize",
    "tools/call",
    "tools/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "ping",
    "completion/complete",
];

/// Serves one client.
pub(super) struct McpServer {
    environment: ToolEnvironment,
    terms: ClientPermissions,
}

type Call = RequestContext<RoleServer>;

impl McpServer {
    /// A server for the project of the run. Nothing is opened yet.
    pub(super) fn new(environment: ToolEnvironment, terms: ClientPermissions) -> Self {
        Self { environment, terms }
    }

    /// Does work that waits for files on another thread, unless the client has taken its call back.
    async fn at_desk<T: Send + 'static>(
        &self,
        call: Call,
        work: impl FnOnce(&McpCall) -> Result<T, CallError> + Send + 'static,
    ) -> Result<Result<T, CallError>, ErrorData> {
        let (environment, terms) = (self.environment.clone(), self.terms.clone());
        let client = call.client_info().map(|client| client.name);
        let cancelled = call.ct.clone();
        let job = tokio::task::spawn_blocking(move || {
            let desk = McpCall::open_memory(&environment, &terms, client.as_deref())?;
            if cancelled.is_cancelled() {
                return Err(Fault::Cancelled.into());
            }
            work(&desk)
        });
        // A write that has begun goes to its end; only nobody waits for it.
        match call.ct.run_until_cancelled(job).await {
            Some(Ok(done)) => Ok(done),
            Some(Err(panic)) => Err(ErrorData::internal_error(panic.to_string(), None)),
            None => Ok(Err(Fault::Cancelled.into())),
        }
    }

    /// An error where a call has no result to put it into.
    fn error_data(error: &CallError) -> ErrorData {
        let ErrorText { message, hint } = ErrorText::from_call(error);
        let data = hint.map(|hint| serde_json::json!({ "hint": hint }));
        ErrorData::internal_error(message, data)
    }
}

/// A server with neither tools nor resources.
pub(super) struct EmptyServer;

impl ServerHandler for EmptyServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::default()).with_server_info(implementation())
    }
}

fn implementation() -> Implementation {
    Implementation::new("mem", env!("CARGO_PKG_VERSION"))
        .with_title("mem: the memory of coding agents")
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .build();
        // They name no tool that the client does not have.
        let instructions = match (self.terms.user.is_some(), self.terms.is_read_only) {
            (false, false) => mem_templates::PROMPT_MCP,
            (false, true) => mem_templates::PROMPT_MCP_READ_ONLY,
            (true, false) => mem_templates::PROMPT_MCP_RECORDS,
            (true, true) => mem_templates::PROMPT_MCP_RECORDS_READ_ONLY,
        };
        ServerConfig::new(capabilities)
            .with_server_info(implementation())
            .with_instructions(instructions)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        call: Call,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = tools::list_tools(&self.terms);
        let tools = tools.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        // Where no memory can be opened nothing is attached either; a call says why.
        let stores = self.at_desk(call, attached::attachment_names).await?;
        let tools = attached::offer_tools(tools, &stores.unwrap_or_default());
        let tools = tools.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        call: Call,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(work) = tools::find_tool(&request.name) else {
            let message = format!("there is no tool `{}`", request.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        let run = move |desk: &McpCall| tools::run(&request.name, work, request.arguments, desk);
        Ok(tools::call_result(self.at_desk(call, run).await?).into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        call: Call,
    ) -> Result<ListResourcesResult, ErrorData> {
        let after = request.and_then(|request| request.cursor);
        if after
            .as_deref()
            .is_some_and(|after| !resources::is_cursor(after))
        {
            return Err(ErrorData::invalid_params(
                "the cursor is not one of ours",
                None,
            ));
        }
        let page = self.at_desk(call, move |desk| {
            resources::list_page(after.as_deref(), desk)
        });
        let page = page.await?.map_err(|error| Self::error_data(&error))?;
        let mut result = ListResourcesResult::with_all_items(page.resources);
        result.next_cursor = page.next;
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        call: Call,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut templates = vec![resources::note_template()];
        // As for the tools: where no memory can be opened nothing is attached.
        let attached = self
            .at_desk(call, attached_resources::memory_template)
            .await?;
        templates.extend(attached.unwrap_or_default());
        Ok(ListResourceTemplatesResult::with_all_items(templates))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        call: Call,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri.clone();
        let found = self.at_desk(call, move |desk| resources::read(&uri, desk));
        let Some((text, kind)) = found.await?.map_err(|error| Self::error_data(&error))? else {
            let data = serde_json::json!({ "uri": request.uri });
            let message = "there is no such note";
            return Err(ErrorData::resource_not_found(message, Some(data)));
        };
        let contents = ResourceContents::text(text, request.uri).with_mime_type(kind);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: Call,
    ) -> Result<CustomResult, ErrorData> {
        // The SDK takes a known method with parameters of another shape for an unknown one.
        let method = request.method;
        if METHODS.contains(&method.as_str()) {
            let message = format!("the parameters of `{method}` are not of their shape");
            return Err(ErrorData::invalid_params(message, None));
        }
        // The bare name, as the SDK has it for methods that it knows; the transport words both.
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None))
    }
}
