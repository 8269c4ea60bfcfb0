//! `git rapid mcp`: the verbs that an agent may use, as a Model Context Protocol server on standard input and output.
//!
//! A tool call is the command itself, started with `--json`: the outcome is the same because it is the same. What a person
//! decides (`approve`, `abort`, `run gate`, `evidence add`) is not there.

mod tools;

use super::speak::Ui;
use crate::diagnostics::{Code, Result};
use crate::os::environment::Environment;
use crate::os::process::{Invocation, Limits, output};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData, ServerHandler, ServiceExt};
use std::path::PathBuf;
use std::sync::Arc;

/// Serve the verbs that an agent may use over the Model Context Protocol, on standard input and output
#[derive(clap::Args)]
pub struct Args {}

/// Runs it, until the client goes away.
pub fn run(_: Args, environment: &Environment, _: &mut Ui) -> Result<i32> {
    let broken = |error: &dyn std::fmt::Display| Code::Rapid1637.because(error.to_string());
    let program = std::env::current_exe().map_err(|error| broken(&error))?;
    let server = Server { program: Arc::new(program), environment: Arc::new(environment.clone()) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| broken(&error))?;
    let ended = runtime.block_on(async {
        let running = server.serve(rmcp::transport::stdio()).await.map_err(|error| broken(&error))?;
        running.waiting().await.map_err(|error| broken(&error))
    });
    // A read of standard input that nobody will answer must not hold us.
    runtime.shutdown_background();
    ended.map(|_| 0)
}

/// The server. It keeps nothing between two calls: the repository does.
struct Server {
    program: Arc<PathBuf>,
    environment: Arc<Environment>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let about = "Work under git-rapid: call `next`, do what its action says, and call `next` again. Stop when the action \
                     is await_human_approval: a person decides, with `git rapid approve` in their own terminal. No tool here \
                     can do that.";
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("git-rapid", env!("CARGO_PKG_VERSION")))
            .with_instructions(about)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::TOOLS.iter().map(tools::Tool::described).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<CallToolResponse, ErrorData> {
        let tool = tools::TOOLS.iter().find(|tool| tool.name == request.name);
        let Some(tool) = tool else {
            return Err(ErrorData::invalid_params(format!("there is no tool '{}'", request.name), None));
        };
        let call = tool.call(&request.arguments.unwrap_or_default());
        let call = call.map_err(|why| ErrorData::invalid_params(why, None))?;
        let (program, environment) = (Arc::clone(&self.program), Arc::clone(&self.environment));
        let done = tokio::task::spawn_blocking(move || start(&program, &environment, &call)).await;
        let result = match done {
            Ok(Ok(result)) => result,
            Ok(Err(error)) => CallToolResult::error(vec![ContentBlock::text(error.to_string())]),
            Err(error) => return Err(ErrorData::internal_error(error.to_string(), None)),
        };
        Ok(result.into())
    }
}

/// Runs a command of ours and hands its document over.
fn start(program: &PathBuf, environment: &Environment, call: &tools::Started) -> Result<CallToolResult> {
    let invocation = Invocation::new(program, environment.clone()).arguments(&call.words);
    let done = output(&invocation, call.input.as_deref().map(str::as_bytes), Limits::default())?;
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    let document = serde_json::from_str::<serde_json::Value>(&text).ok().filter(serde_json::Value::is_object);
    Ok(match document {
        Some(document) if document.get("error").is_some() => CallToolResult::structured_error(document),
        Some(document) => CallToolResult::structured(document),
        None => CallToolResult::error(vec![ContentBlock::text(format!("{text}{}", done.complaint()))]),
    })
}
