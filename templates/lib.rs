//! The texts of this folder as constants, in a crate of their own so that those that use them can be published: a
//! published crate has the files of its own folder only.

macro_rules! texts {
    ($($name:ident = $path:literal,)*) => { $(
        #[doc = concat!("`", $path, "`")]
        pub const $name: &str = include_str!($path);
    )* };
}

texts! {
    CLIENT_CURL = "clients/curl.sh",
    CLIENT_PYTHON_COMPACTION = "clients/python/compaction.py",
    CLIENT_PYTHON_CONTEXT_EDITING = "clients/python/context_editing.py",
    CLIENT_PYTHON = "clients/python/mem_memory.py",
    CLIENT_TYPESCRIPT_COMPACTION = "clients/typescript/compaction.ts",
    CLIENT_TYPESCRIPT_CONTEXT_EDITING = "clients/typescript/context-editing.ts",
    CLIENT_TYPESCRIPT = "clients/typescript/mem-memory.ts",
    COMPLETIONS_ZSH = "completions/_mem",
    COMPLETIONS_BASH = "completions/mem.bash",
    COMPLETIONS_FISH = "completions/mem.fish",
    DAEMON_AGENT = "daemon/launchd.plist",
    DAEMON_UNIT = "daemon/mem@.service",
    DAEMON_DROP_IN = "daemon/repository.conf",
    DISTILL_WORDS = "distill/words.rules",
    EXTRACT_DE = "extract/de.rules",
    EXTRACT_EN = "extract/en.rules",
    EXTRACT_ES = "extract/es.rules",
    EXTRACT_FR = "extract/fr.rules",
    EXTRACT_JA = "extract/ja.rules",
    EXTRACT_KO = "extract/ko.rules",
    EXTRACT_RU = "extract/ru.rules",
    EXTRACT_ZH = "extract/zh.rules",
    HOOK_DELEGATE = "hooks/delegate.sh",
    HOOK_GIT = "hooks/git-hook.sh",
    HOOK_OPENCODE = "hooks/opencode.js",
    MCP_RECORDS = "mcp/records.json",
    MCP_STORES = "mcp/stores.json",
    MCP_TOOLS = "mcp/tools.json",
    NEW_MEMORY = "new_memory.md",
    PROMPT_DISTILL = "prompts/distill.md",
    PROMPT_EXTRACT_DESK = "prompts/extract-desk.md",
    PROMPT_EXTRACT = "prompts/extract.md",
    PROMPT_MCP = "prompts/mcp.md",
    PROMPT_MEMORY_CONFIRM = "prompts/memory-confirm.md",
    PROMPT_MEMORY_READ_ONLY = "prompts/memory-read-only.md",
    PROMPT_MEMORY_SAVING_LOG = "prompts/memory-saving-log.md",
    PROMPT_MEMORY_SAVING = "prompts/memory-saving.md",
    PROMPT_MEMORY_TOOL = "prompts/memory-tool.md",
    PROMPT_MEMORY = "prompts/memory.md",
    PROMPT_RECORDS_SERVER = "prompts/records-server.md",
    PROMPT_SELECT = "prompts/select.md",
    PROMPT_SESSION = "prompts/session.md",
    PROMPT_STORES_SERVER = "prompts/stores-server.md",
    PROMPT_STORES = "prompts/stores.md",
    SERVER_OPENAPI = "server/openapi.json",
    SESSION = "session.md",
    TYPE_FEEDBACK = "types/feedback.md",
    TYPE_LOG = "types/log.md",
    TYPE_NOT_TO_SAVE = "types/not-to-save.md",
    TYPE_PROJECT = "types/project.md",
    TYPE_REFERENCE = "types/reference.md",
    TYPE_USER = "types/user.md",
}
