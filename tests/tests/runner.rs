//! The one integration binary: every file of this folder is a module of it.
#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests fail as loudly as tests do"
)]
#![expect(
    clippy::disallowed_methods,
    reason = "tests write as foreign programs do"
)]

mod adopt;
mod attach;
mod audience;
mod browse;
mod check;
mod client;
mod clients;
mod completions;
mod concurrent_appends;
mod config;
mod consent;
mod console;
mod cost;
mod daemon;
mod daemon_input;
mod daemon_sharing;
mod delimiters;
mod doctor;
mod dream;
mod dream_nightly;
mod drift_verdicts;
mod durability;
mod encrypt;
mod encrypt_check;
mod encrypt_drop;
mod encrypt_keyring;
mod encrypt_keys;
mod encrypt_leftovers;
mod encrypt_local;
mod encrypt_lost_keys;
mod encrypt_missing_keys;
mod erase;
mod erase_concurrent;
mod erase_external_files;
mod extract;
mod first_minutes;
mod forge;
mod harness;
mod history;
mod hooks;
mod hooks_claude;
mod hostile_files;
mod hostile_names;
mod hostile_state;
mod inbox;
mod install;
mod install_mcp;
mod installer;
mod kills;
mod manifest;
mod mcp;
mod mcp_clients;
mod mcp_input;
mod mcp_permissions;
mod mcp_resources;
mod memories;
mod model;
mod model_api;
mod names;
mod path;
mod plugin;
mod prompt;
mod pruning;
mod push;
mod push_allowlist;
mod qdrant;
mod readme;
mod real_hosts;
mod recall;
mod recall_background;
mod recall_input;
mod recall_requests;
mod recall_session;
mod records;
mod redact;
mod redact_names;
mod restore;
mod scan;
mod secret_gate;
mod secrets;
mod serve;
mod session;
mod session_search;
mod session_templates;
mod session_wrote_memory;
mod shell;
mod special_files;
mod start;
mod status;
mod store_commands;
mod store_keys;
mod stores;
mod sync;
mod sync_logs;
mod sync_messages;
mod team;
mod team_allowlist;
mod team_conflicts;
mod team_deletion;
mod team_doctor;
mod team_dry_run;
mod team_folders;
mod team_inbox;
mod team_index_lines;
mod team_kills;
mod team_lists;
mod team_messages;
mod team_names;
mod team_races;
mod team_resolve;
mod team_review;
mod team_server;
mod team_setup;
mod team_share;
mod team_suggested_size;
mod team_suggestion;
mod team_timeouts;
mod team_tokens;
mod team_undo;
mod team_unreviewed;
mod text_sources;
mod tidy;
mod tool;
mod transfer;
mod trust;
mod undo;
mod verify;

#[test]
fn no_file_is_forgotten() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let listed = include_str!("runner.rs");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let module = name.trim_end_matches(".rs");
        assert!(
            module == "runner"
                || name.starts_with('.')
                || listed.contains(&format!("\nmod {module};\n")),
            "`{name}` is not listed in runner.rs"
        );
    }
}
