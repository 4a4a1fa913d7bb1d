//! The hooks of a host that run `mem`: put into the text of its settings file, and taken out.
//!
//! Most hosts have the shape that Claude Code's documentation gives: events, each with groups, each with a matcher and
//! hooks; in others the hooks of an event stand in its list. What differs is the host's profile.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use jsonc_parser::cst::{CstInputValue, CstNode, CstObject};

use super::hook_hosts::{CommandForm, HookLayout, HookedEvent, HostProfile};
use super::jsonc::{self, JsonFault};

/// The event whose hook refuses what holds a secret.
const GUARD: &str = "pre-tool-use";
/// The key of a hook that says what becomes of the tool when it cannot run.
const ON_FAILURE: &str = "onFailure";
/// The key beside `hooks` in a file of [`HookLayout::Flat`], and its value.
const VERSION: (&str, &str) = ("version", "1");

/// What becomes of a tool when the hook before it cannot run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnFailure {
    /// It runs.
    Continue,
    /// It is refused.
    Block,
}

/// How a command ends that fails at nothing: in a POSIX shell, and in PowerShell, which is told by a sign to run a quoted path.
const UNFAILING: [&str; 2] = [" || exit 0", "; exit 0"];
const POWERSHELL_CALL: &str = "& ";

/// The text with every event hooked once by this program. What is there of ours is kept where it
/// stands, and told where the program is now.
///
/// # Errors
/// The text is broken, or of another shape than the host's documentation says.
pub(super) fn install(text: &str, host: &HostProfile, program: &Path) -> Result<String, JsonFault> {
    let (root, top) = jsonc::parse(text)?;
    // A host that skips such a file whole would run no hook in it.
    require_read(text, host)?;
    check(&top, host)?;
    let program = program.to_string_lossy();
    if host.layout == HookLayout::Flat && jsonc::value(&top, VERSION.0)?.is_none() {
        top.append(VERSION.0, CstInputValue::Number(VERSION.1.to_owned()));
    }
    let hooks = jsonc::object_or_new(&top, "hooks")?;
    for event in host.events {
        let mut ours = ours(&hooks, host, event).into_iter();
        match ours.next() {
            Some(first) => update(&first.hook, host, event, &program),
            None => append(&hooks, host, event, &program)?,
        }
        ours.for_each(HookEntry::remove);
    }
    Ok(root.to_string())
}

/// The text with what becomes of a tool when the hook before it cannot run. Without an entry the host goes on.
///
/// # Errors
/// As [`install`].
pub(super) fn choose_on_failure(
    text: &str,
    host: &HostProfile,
    choice: OnFailure,
) -> Result<String, JsonFault> {
    let (root, top) = jsonc::parse(text)?;
    let hooks = jsonc::object_or_new(&top, "hooks")?;
    // Only before a tool is there something to refuse.
    let guards = host.events.iter().filter(|event| event.name == GUARD);
    for guard in guards.flat_map(|event| ours(&hooks, host, event)) {
        match choice {
            OnFailure::Continue => jsonc::remove(&guard.hook, ON_FAILURE),
            OnFailure::Block => jsonc::set(&guard.hook, ON_FAILURE, "block".into()),
        }
    }
    Ok(root.to_string())
}

/// Whether the host runs the hooks of a text, as far as its form goes.
///
/// # Errors
/// It skips such a file whole.
pub(super) fn require_read(text: &str, host: &HostProfile) -> Result<(), JsonFault> {
    match host.is_strict {
        true => jsonc::require_strict(text),
        false => Ok(()),
    }
}

/// The text without our hooks, and without what stood there for them alone: an empty object or list that `before`, the
/// text before the install, has stays.
///
/// # Errors
/// As [`install`].
pub(super) fn uninstall(
    text: &str,
    host: &HostProfile,
    before: Option<&str>,
) -> Result<String, JsonFault> {
    let (root, top) = jsonc::parse(text)?;
    check(&top, host)?;
    let Some(hooks) = jsonc::object(&top, "hooks")? else {
        return Ok(text.to_owned());
    };
    let hooks_before = jsonc::object_before(before, "hooks");
    let had_event = |event: &HookedEvent| {
        let hooks = hooks_before.as_ref();
        hooks.is_some_and(|hooks| hooks.get(event.host).is_some())
    };
    let mut is_any = false;
    for event in host.events {
        let places = ours(&hooks, host, event);
        if places.is_empty() {
            continue;
        }
        is_any = true;
        places.into_iter().for_each(HookEntry::remove);
        let is_empty = |list: &jsonc_parser::cst::CstArray| list.elements().is_empty();
        let list = jsonc::list(&hooks, event.host)?;
        if list.is_some_and(|list| is_empty(&list)) && !had_event(event) {
            jsonc::remove(&hooks, event.host);
        }
    }
    if !is_any {
        return Ok(text.to_owned());
    }
    if hooks.properties().is_empty() && hooks_before.is_none() {
        jsonc::remove(&top, "hooks");
    }
    Ok(root.to_string())
}

/// Whether a text holds no more than what a file is made with before there is a hook in it. A comment is somebody's.
pub(super) fn is_blank(text: &str, host: &HostProfile) -> bool {
    let is_version = |name: &String| host.layout == HookLayout::Flat && name == VERSION.0;
    let keys = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text);
    keys.is_ok_and(|keys| keys.keys().all(is_version))
}

/// The programs that our hooks in a text run, each once; none where there are no hooks of ours.
pub(super) fn programs(text: &str, host: &HostProfile) -> BTreeSet<String> {
    let parsed = jsonc::parse(text);
    let hooks = parsed.and_then(|(_, top)| jsonc::object(&top, "hooks"));
    let Some(hooks) = hooks.ok().flatten() else {
        return BTreeSet::new();
    };
    let events = host.events.iter();
    let ours = events.flat_map(|event| {
        ours(&hooks, host, event)
            .into_iter()
            .map(move |one| (one, event))
    });
    ours.filter_map(|(place, event)| program_of(&place.hook, host, event))
        .collect()
}

/// Looks at all that will be touched before anything is.
fn check(top: &CstObject, host: &HostProfile) -> Result<(), JsonFault> {
    let Some(hooks) = jsonc::object(top, "hooks")? else {
        return Ok(());
    };
    for event in host.events {
        jsonc::list(&hooks, event.host)?;
    }
    Ok(())
}

/// A hook of ours.
struct HookEntry {
    /// The whole group, where it holds nothing else.
    group: CstNode,
    is_alone: bool,
    hook: CstObject,
}

impl HookEntry {
    fn remove(self) {
        match self.is_alone {
            true => self.group.remove(),
            false => self.hook.remove(),
        }
    }
}

/// Our hooks of an event, wherever they stand.
fn ours(hooks: &CstObject, host: &HostProfile, event: &HookedEvent) -> Vec<HookEntry> {
    let groups = jsonc::list(hooks, event.host).ok().flatten();
    let groups = groups.map(|list| list.elements()).unwrap_or_default();
    if host.layout == HookLayout::Flat {
        let hook = |group: CstNode| {
            let hook = group.as_object()?;
            program_of(&hook, host, event)?;
            Some(HookEntry {
                group,
                is_alone: true,
                hook,
            })
        };
        return groups.into_iter().filter_map(hook).collect();
    }
    let mut found = Vec::new();
    for group in groups {
        let list = group.as_object();
        let list = list.and_then(|group| jsonc::list(&group, "hooks").ok().flatten());
        let all = list.map(|list| list.elements()).unwrap_or_default();
        let mine = all.iter().filter_map(CstNode::as_object);
        let mine: Vec<CstObject> = mine
            .filter(|hook| program_of(hook, host, event).is_some())
            .collect();
        let is_alone = mine.len() == all.len();
        found.extend(mine.into_iter().map(|hook| HookEntry {
            group: group.clone(),
            is_alone,
            hook,
        }));
    }
    found
}

/// The program of a hook that runs `mem hook HOST EVENT`, without a shell or by one; `None` for any other hook.
fn program_of(hook: &CstObject, host: &HostProfile, event: &HookedEvent) -> Option<String> {
    let command = jsonc::text(hook, "command")?;
    let wanted = ["hook", host.word, event.name];
    let program = match jsonc::texts(hook, "args") {
        Some(args) => (args == wanted).then_some(command)?,
        None => {
            let tail = format!(" {}", wanted.join(" "));
            let command = command.trim();
            let unended = UNFAILING.iter().find_map(|end| command.strip_suffix(end));
            let program = unended.unwrap_or(command).strip_suffix(&tail)?;
            let program = program.strip_prefix(POWERSHELL_CALL).unwrap_or(program);
            program.trim_matches(['"', '\'']).to_owned()
        }
    };
    is_hooked_mem(&program).then_some(program)
}

/// Whether a program is `mem` by its name, wherever it stands: `mem`, `mem.exe` or that of the running program.
pub(super) fn is_mem(program: &str) -> bool {
    let name = program_name(program);
    let is_own = |own: PathBuf| own.file_name() == Some(OsStr::new(name));
    matches!(name, "mem" | "mem.exe") || std::env::current_exe().is_ok_and(is_own)
}

/// The same of a program that has the arguments of our hooks: there `mem` is the first word of its name (`mem-nightly`).
fn is_hooked_mem(program: &str) -> bool {
    let first = program_name(program).split(['-', '_', '.']).next();
    first == Some("mem") || is_mem(program)
}

fn program_name(program: &str) -> &str {
    program.rsplit(['/', '\\']).next().unwrap_or(program)
}

/// Tells a hook of ours where the program is; its other settings are its owner's.
fn update(hook: &CstObject, host: &HostProfile, event: &HookedEvent, program: &str) {
    for (key, value) in command_fields(host, event, program) {
        let is_same = match &value {
            CstInputValue::String(text) => jsonc::text(hook, key).as_deref() == Some(&**text),
            _ => jsonc::texts(hook, key).is_some(),
        };
        if !is_same {
            jsonc::set(hook, key, value);
        }
    }
}

/// The fields that say what is run.
fn command_fields(
    host: &HostProfile,
    event: &HookedEvent,
    program: &str,
) -> Vec<(&'static str, CstInputValue)> {
    let args = ["hook", host.word, event.name];
    match host.form {
        CommandForm::Arguments => vec![
            ("command", program.into()),
            ("args", jsonc::texts_value(&args)),
        ],
        // A plugin has the program in a file of its own (`plugin_file`).
        CommandForm::Plugin(_) => Vec::new(),
        CommandForm::Shell => {
            let command = format!("{} {}", quoted(program), args.join(" "));
            vec![("command", command.as_str().into())]
        }
        CommandForm::Unfailing => {
            let (call, end) = match cfg!(windows) {
                true => (POWERSHELL_CALL, UNFAILING[1]),
                false => ("", UNFAILING[0]),
            };
            let command = format!("{call}{} {}{end}", quoted(program), args.join(" "));
            vec![("command", command.as_str().into())]
        }
    }
}

/// A path as one word of a shell.
fn quoted(program: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._+-:".contains(c);
    match program.chars().all(is_plain) {
        true => program.to_owned(),
        false => format!("'{}'", program.replace('\'', r"'\''")),
    }
}

fn append(
    hooks: &CstObject,
    host: &HostProfile,
    event: &HookedEvent,
    program: &str,
) -> Result<(), JsonFault> {
    let timeout = event.timeout_s * host.second;
    let mut hook = vec![("type", CstInputValue::from("command"))];
    hook.extend(command_fields(host, event, program));
    hook.push(("timeout", CstInputValue::Number(timeout.to_string())));
    let hook = hook.into_iter().map(|(key, value)| (key.to_owned(), value));
    let matcher = event
        .matcher
        .map(|matcher| ("matcher".to_owned(), matcher.into()));
    let matcher = matcher.into_iter();
    let group = match host.layout {
        HookLayout::Flat => CstInputValue::Object(matcher.chain(hook).collect()),
        HookLayout::Groups => {
            let list = CstInputValue::Array(vec![CstInputValue::Object(hook.collect())]);
            let fields = matcher.chain([("hooks".to_owned(), list)]);
            CstInputValue::Object(fields.collect())
        }
    };
    match jsonc::list(hooks, event.host)? {
        Some(groups) => drop(groups.append(group)),
        None => drop(hooks.append(event.host, CstInputValue::Array(vec![group]))),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::HookHost;

    const MEM: &str = "/opt/mem/bin/mem";

    fn uninstall(text: &str, host: &HostProfile) -> Result<String, JsonFault> {
        super::uninstall(text, host, None)
    }

    fn claude() -> &'static HostProfile {
        HookHost::Claude.profile()
    }

    fn put(text: &str) -> String {
        install(text, claude(), Path::new(MEM)).unwrap()
    }

    fn value(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn every_event_is_hooked_once_and_a_second_time_changes_nothing() {
        let text = put("");
        let hooks = &value(&text)["hooks"];
        for event in claude().events {
            let groups = hooks[event.host].as_array().unwrap();
            assert_eq!(groups.len(), 1);
            let hook = &groups[0]["hooks"][0];
            assert_eq!(hook["command"], MEM);
            assert_eq!(
                hook["args"],
                serde_json::json!(["hook", "claude", event.name])
            );
            assert_eq!(
                groups[0].get("matcher").and_then(Value::as_str),
                event.matcher
            );
        }
        assert_eq!(put(&text), text);
        assert_eq!(
            value(&uninstall(&text, claude()).unwrap()),
            serde_json::json!({})
        );
    }

    #[test]
    fn the_guard_alone_refuses_where_it_cannot_run_and_the_choice_stays() {
        let choose = |text: &str, choice| choose_on_failure(text, claude(), choice).unwrap();
        let text = choose(&put(""), OnFailure::Block);
        let hooks = &value(&text)["hooks"];
        for event in claude().events {
            let entry = &hooks[event.host][0]["hooks"][0]["onFailure"];
            let is_guard = event.host == "PreToolUse";
            assert_eq!(
                entry.as_str(),
                is_guard.then_some("block"),
                "{}",
                event.host
            );
        }
        assert_eq!(put(&text), text);
        assert_eq!(choose(&text, OnFailure::Continue), put(""));
    }

    #[test]
    fn order_indentation_and_line_ends_stay() {
        let text = "{\r\n\t\"model\": \"x\",\r\n\t\"hooks\": {\r\n\t\t\"Stop\": [\r\n\t\t\t\
                    {\"hooks\": [{\"type\": \"command\", \"command\": \"true\"}]}\r\n\t\t]\
                    \r\n\t},\r\n\t\"env\": {}\r\n}\r\n";
        let with = put(text);
        assert!(with.starts_with("{\r\n\t\"model\": \"x\",\r\n\t\"hooks\": {\r\n"));
        assert!(with.ends_with("\t\"env\": {}\r\n}\r\n"), "{with}");
        assert!(with.contains("\"command\": \"true\""));
        assert!(!with.replace("\r\n", "").contains('\n'), "{with:?}");
        assert!(!with.contains("\n  "), "{with}");
        assert_eq!(put(&with), with);
        let without = uninstall(&with, claude()).unwrap();
        assert!(without.contains("\"command\": \"true\""));
        assert!(!without.contains("claude") && programs(&without, claude()).is_empty());
    }

    #[test]
    fn a_program_that_moved_is_followed_and_doubles_go() {
        let old = install("{}", claude(), Path::new("/old/mem")).unwrap();
        let mut doubled = value(&old);
        let group = doubled["hooks"]["Stop"][0].clone();
        doubled["hooks"]["Stop"].as_array_mut().unwrap().push(group);
        doubled["hooks"]["Stop"][0]["hooks"][0]["timeout"] = 3.into();
        let new = value(&put(&doubled.to_string()));
        assert_eq!(new["hooks"]["Stop"].as_array().unwrap().len(), 1);
        assert_eq!(new["hooks"]["Stop"][0]["hooks"][0]["timeout"], 3);
        assert!(!new.to_string().contains("/old/mem"));
    }

    #[test]
    fn hooks_of_a_program_with_another_name_are_found_and_go() {
        for name in ["mem-nightly", "mem-0.2.0.exe", "mem_dev"] {
            let program = format!("/opt/{name}");
            let text = install("", claude(), Path::new(&program)).unwrap();
            assert_eq!(programs(&text, claude()), BTreeSet::from([program]));
            let moved = install(&text, claude(), Path::new(MEM)).unwrap();
            assert_eq!(value(&moved), value(&put("")));
            let without = uninstall(&text, claude()).unwrap();
            assert_eq!(value(&without), serde_json::json!({}));
        }
        assert!(!is_hooked_mem("/opt/memo") && !is_hooked_mem("/opt/remem"));
        assert!(is_hooked_mem(
            &std::env::current_exe().unwrap().to_string_lossy()
        ));
    }

    #[test]
    fn a_hook_that_stands_among_others_goes_alone() {
        let text = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/a/mem hook claude stop"},
            {"type":"command","command":"/a/other hook claude stop"}]}]}}"#;
        assert!(!programs(text, claude()).is_empty());
        let without = value(&uninstall(text, claude()).unwrap());
        let left = without["hooks"]["Stop"][0]["hooks"].as_array().unwrap();
        assert_eq!(
            (left.len(), &left[0]["command"]),
            (1, &"/a/other hook claude stop".into())
        );
        let with = value(&put(text));
        assert_eq!(with["hooks"]["Stop"][0]["hooks"][0]["command"], MEM);
        assert_eq!(with["hooks"]["Stop"].as_array().unwrap().len(), 1);
    }

    /// Settings of any shape, with hooks of others in them.
    fn settings() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[a-z \"\\\\/*{}\\[\\],:é\\n]{0,8}".prop_map(Value::from),
        ];
        let tree = leaf.prop_recursive(3, 24, 4, |inner| {
            let list = proptest::collection::vec(inner.clone(), 0..4);
            let object = proptest::collection::vec(("[a-z]{1,6}", inner), 0..4);
            let object = object.prop_map(|fields| Value::Object(fields.into_iter().collect()));
            prop_oneof![list.prop_map(Value::from), object]
        });
        let rest = proptest::collection::vec(("[a-z]{1,6}", tree), 0..4);
        let events = ["Stop", "SessionStart", "PreToolUse", "Notification"]
            .map(String::from)
            .to_vec();
        let theirs = serde_json::json!([{"hooks": [{"type": "command", "command": "true"}]}]);
        let hooks = proptest::sample::subsequence(events, 0..=4);
        (rest, hooks).prop_map(move |(rest, events)| {
            let mut all: serde_json::Map<String, Value> = rest.into_iter().collect();
            if !events.is_empty() {
                let hooks = events.into_iter().map(|event| (event, theirs.clone()));
                all.insert("hooks".to_owned(), Value::Object(hooks.collect()));
            }
            Value::Object(all)
        })
    }

    /// The hosts whose hooks are in settings.
    fn with_settings() -> Vec<HookHost> {
        let hosts = HookHost::ALL.into_iter();
        hosts
            .filter(|host| host.profile().plugin().is_none())
            .collect()
    }

    proptest! {
        #[test]
        fn nothing_else_changes_whatever_the_settings_say(
            before in settings(),
            is_pretty: bool,
            host in proptest::sample::select(with_settings()),
        ) {
            let host = host.profile();
            let put = |text: &str| install(text, host, Path::new(MEM)).unwrap();
            let text = match is_pretty {
                true => serde_json::to_string_pretty(&before).unwrap(),
                false => before.to_string(),
            };
            let with = put(&text);
            prop_assert!(!programs(&with, host).is_empty());
            prop_assert_eq!(put(&with), with.clone());
            for key in before.as_object().unwrap().keys().filter(|key| *key != "hooks") {
                prop_assert_eq!(&value(&with)[key], &before[key]);
            }
            let mut without = value(&uninstall(&with, host).unwrap());
            // A file that had hooks of others without it would not have been read.
            if host.layout == HookLayout::Flat && before.get(VERSION.0).is_none() {
                prop_assert_eq!(without.as_object_mut().unwrap().remove(VERSION.0), Some(1.into()));
            }
            prop_assert_eq!(without, before);
        }
    }

    #[test]
    fn hooks_stand_in_the_list_of_an_event_where_the_host_has_no_groups() {
        for host in [HookHost::Copilot, HookHost::Cursor].map(HookHost::profile) {
            let text = install("", host, Path::new(MEM)).unwrap();
            assert_eq!(value(&text)["version"], 1);
            for event in host.events {
                let hooks = value(&text)["hooks"][event.host].clone();
                let end = match host.form {
                    CommandForm::Unfailing => " || exit 0",
                    _ => "",
                };
                let command = format!("{MEM} hook {} {}{end}", host.word, event.name);
                assert_eq!(hooks[0]["command"], command);
                assert_eq!(
                    hooks[0].get("matcher").and_then(Value::as_str),
                    event.matcher
                );
                assert_eq!(hooks.as_array().unwrap().len(), 1);
            }
            let moved = install(&text, host, Path::new("/b/mem")).unwrap();
            assert_eq!(moved, text.replace(MEM, "/b/mem"));
            let without = uninstall(&moved, host).unwrap();
            assert!(
                is_blank(&without, host) && !is_blank(&moved, host),
                "{without}"
            );
            assert!(!is_blank("{\"version\": 1, \"x\": 1}", host) && !is_blank("{", host));
        }
        assert!(!is_blank("{\"version\": 1}", claude()) && is_blank("{}", claude()));
    }

    #[test]
    fn a_hook_is_known_with_and_without_what_keeps_it_from_failing() {
        let host = HookHost::Copilot.profile();
        for command in [
            "/a/mem hook copilot stop",
            "'/a b/mem' hook copilot stop || exit 0",
            "& 'C:\\a b\\mem.exe' hook copilot stop; exit 0",
        ] {
            let text = serde_json::json!({"version": 1, "hooks": {"Stop": [{"command": command}]}});
            assert_eq!(programs(&text.to_string(), host).len(), 1, "{command}");
            let new = value(&install(&text.to_string(), host, Path::new(MEM)).unwrap());
            assert_eq!(
                new["hooks"]["Stop"].as_array().unwrap().len(),
                1,
                "{command}"
            );
        }
        let other = r#"{"hooks": {"Stop": [{"command": "/a/mem hook copilot stop || rm -r /"}]}}"#;
        assert!(programs(other, host).is_empty());
    }

    #[test]
    fn a_shell_gets_a_path_as_one_word() {
        let host = HookHost::Codex.profile();
        let text = install("", host, Path::new("/opt/my tools/it's/mem")).unwrap();
        let command = value(&text)["hooks"]["SessionStart"][0]["hooks"][0]["command"].clone();
        assert_eq!(
            command,
            r"'/opt/my tools/it'\''s/mem' hook codex session-start"
        );
        assert_eq!(programs(&text, host).len(), 1);
        assert_eq!(
            value(&uninstall(&text, host).unwrap()),
            serde_json::json!({})
        );
    }

    #[test]
    fn what_is_broken_or_of_another_shape_is_refused() {
        for text in ["{", "[]", "{\"a\" 1}", "{'a': 1}", "7"] {
            assert!(install(text, claude(), Path::new(MEM)).is_err(), "{text}");
        }
        let shape = |text: &str| match install(text, claude(), Path::new(MEM)) {
            Err(JsonFault::Shape(key, _)) => key,
            other => format!("{other:?}"),
        };
        assert_eq!(shape(r#"{"hooks": []}"#), "hooks");
        assert_eq!(shape(r#"{"hooks": {"Stop": {}}}"#), "Stop");
        assert_eq!(shape(r#"{"hooks": {}, "hooks": {}}"#), "hooks");
    }
}
