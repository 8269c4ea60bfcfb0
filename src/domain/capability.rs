//! The closed catalogue of capabilities (§8.1). What a harness claims to support is no evidence; the evaluator looks at
//! what was observed.

use super::word::words;

words! {
    /// Something a harness can do.
    Capability, "a capability" {
        /// Takes in the run's context.
        ContextConsume = "context.consume",
        /// Looks at the repository's history.
        GitInspect = "git.inspect",
        /// Changes the repository's history.
        GitModify = "git.modify",
        /// Calls tools over the Model Context Protocol.
        McpInvoke = "mcp.invoke",
        /// Reads files.
        RepositoryRead = "repository.read",
        /// Changes files.
        RepositoryWrite = "repository.write",
        /// Runs commands.
        ShellExecute = "shell.execute",
        /// Hands work to other agents.
        SubagentsDelegate = "subagents.delegate",
        /// Runs tests.
        TestsExecute = "tests.execute",
        /// Works in the current working copy.
        WorkspaceCurrent = "workspace.current",
        /// Works in its own worktree.
        WorkspaceIsolated = "workspace.isolated",
    }
}
