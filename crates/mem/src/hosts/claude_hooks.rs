//! The hooks of Claude Code that run `mem`: put into the text of a settings file, and taken out.
//!
//! The format is documented under "Hooks" in Claude Code's documentation: events, each with groups,
//! each with a matcher and hooks. An entry with `args` is run without a shell, every argument as it is.

use std::collections::BTreeSet;
use std::path::Path;

use jsonc_parser::cst::{CstInputValue, CstNode, CstObject};

use super::jsonc::{self, JsonFault};

/// An event that is hooked.
pub(super) struct HookedEvent {
    /// As the host calls it.
    pub host: &'static str,
    /// As `mem hook claude` calls it.
    pub name: &'static str,
    /// The tools that it is about.
    pub matcher: Option<&'static str>,
    /// After so many seconds the host goes on without it.
    pub timeout_s: u32,
}

/// The tools with which the host writes files.
const WRITING_TOOLS: &str = "Write|Edit|MultiEdit|NotebookEdit";

/// The events, as a session has them. The host gives all hooks of a session's end 1.5 s together, up to
/// what the longest of them asks for in a settings file.
pub(super) const EVENTS: [HookedEvent; 7] = [
    event("SessionStart", "session-start", None, 10),
    event("UserPromptSubmit", "user-prompt-submit", None, 10),
    event("PreToolUse", "pre-tool-use", Some(WRITING_TOOLS), 10),
    event("PostToolUse", "post-tool-use", Some(WRITING_TOOLS), 10),
    event("PreCompact", "pre-compact", None, 10),
    event("Stop", "stop", None, 10),
    event("SessionEnd", "session-end", None, 2),
];

const fn event(
    host: &'static str,
    name: &'static str,
    matcher: Option<&'static str>,
    timeout_s: u32,
) -> HookedEvent {
    HookedEvent {
        host,
        name,
        matcher,
        timeout_s,
    }
}

/// The text with every event hooked once by this program. What is there of ours is kept where it
/// stands, and told where the program is now.
///
/// # Errors
/// The text is broken, or of another shape than the host's documentation says.
pub(super) fn install(text: &str, program: &Path) -> Result<String, JsonFault> {
    let (root, top) = jsonc::parse(text)?;
    // The host skips such a file whole, so that no hook in it ever runs.
    jsonc::require_strict(text)?;
    check(&top)?;
    let program = program.to_string_lossy();
    let hooks = jsonc::object_or_new(&top, "hooks")?;
    for event in &EVENTS {
        let mut ours = ours(&hooks, event).into_iter();
        match ours.next() {
            Some(first) => update(&first.hook, event, &program),
            None => append(&hooks, event, &program)?,
        }
        ours.for_each(HookEntry::remove);
    }
    Ok(root.to_string())
}

/// The text without our hooks, and without what stood there for them alone.
///
/// # Errors
/// As [`install`].
pub(super) fn uninstall(text: &str) -> Result<String, JsonFault> {
    let (root, top) = jsonc::parse(text)?;
    check(&top)?;
    let Some(hooks) = jsonc::object(&top, "hooks")? else {
        return Ok(text.to_owned());
    };
    let mut is_any = false;
    for event in &EVENTS {
        for place in ours(&hooks, event) {
            is_any = true;
            place.remove();
        }
        let is_empty = |list: &jsonc_parser::cst::CstArray| list.elements().is_empty();
        if is_any && jsonc::list(&hooks, event.host)?.is_some_and(|list| is_empty(&list)) {
            jsonc::remove(&hooks, event.host);
        }
    }
    if !is_any {
        return Ok(text.to_owned());
    }
    if hooks.properties().is_empty() {
        jsonc::remove(&top, "hooks");
    }
    Ok(root.to_string())
}

/// The programs that our hooks in a text run, each once; none where there are no hooks of ours.
pub(super) fn programs(text: &str) -> BTreeSet<String> {
    let parsed = jsonc::parse(text);
    let hooks = parsed.and_then(|(_, top)| jsonc::object(&top, "hooks"));
    let Some(hooks) = hooks.ok().flatten() else {
        return BTreeSet::new();
    };
    let ours = EVENTS.iter().flat_map(|event| ours(&hooks, event));
    ours.filter_map(|place| jsonc::text(&place.hook, "command"))
        .collect()
}

/// Looks at all that will be touched before anything is.
fn check(top: &CstObject) -> Result<(), JsonFault> {
    let Some(hooks) = jsonc::object(top, "hooks")? else {
        return Ok(());
    };
    for event in &EVENTS {
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
fn ours(hooks: &CstObject, event: &HookedEvent) -> Vec<HookEntry> {
    let groups = jsonc::list(hooks, event.host).ok().flatten();
    let groups = groups.map(|list| list.elements()).unwrap_or_default();
    let mut found = Vec::new();
    for group in groups {
        let list = group.as_object();
        let list = list.and_then(|group| jsonc::list(&group, "hooks").ok().flatten());
        let all = list.map(|list| list.elements()).unwrap_or_default();
        let mine = all.iter().filter_map(CstNode::as_object);
        let mine: Vec<CstObject> = mine.filter(|hook| is_ours(hook, event)).collect();
        let is_alone = mine.len() == all.len();
        found.extend(mine.into_iter().map(|hook| HookEntry {
            group: group.clone(),
            is_alone,
            hook,
        }));
    }
    found
}

/// Whether a hook runs `mem hook claude EVENT`, without a shell or by one.
fn is_ours(hook: &CstObject, event: &HookedEvent) -> bool {
    let Some(command) = jsonc::text(hook, "command") else {
        return false;
    };
    let wanted = ["hook", "claude", event.name];
    match jsonc::texts(hook, "args") {
        Some(args) => is_mem(&command) && args == wanted,
        None => {
            let tail = format!(" {}", wanted.join(" "));
            let program = command.trim().strip_suffix(&tail);
            program.is_some_and(|program| is_mem(program.trim_matches(['"', '\''])))
        }
    }
}

/// Whether a program is called `mem`, wherever it stands.
pub(super) fn is_mem(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    matches!(name, "mem" | "mem.exe")
}

/// Tells a hook of ours where the program is; its other settings are its owner's.
fn update(hook: &CstObject, event: &HookedEvent, program: &str) {
    if jsonc::text(hook, "command").as_deref() != Some(program) {
        jsonc::set(hook, "command", program.into());
    }
    if jsonc::texts(hook, "args").is_none() {
        let args = ["hook", "claude", event.name];
        jsonc::set(hook, "args", jsonc::texts_value(&args));
    }
}

fn append(hooks: &CstObject, event: &HookedEvent, program: &str) -> Result<(), JsonFault> {
    let hook = [
        ("type", CstInputValue::from("command")),
        ("command", program.into()),
        ("args", jsonc::texts_value(&["hook", "claude", event.name])),
        (
            "timeout",
            CstInputValue::Number(event.timeout_s.to_string()),
        ),
    ];
    let hook = hook.map(|(key, value)| (key.to_owned(), value));
    let list = CstInputValue::Array(vec![CstInputValue::Object(hook.into())]);
    let matcher = event
        .matcher
        .map(|matcher| ("matcher".to_owned(), matcher.into()));
    let fields = matcher.into_iter().chain([("hooks".to_owned(), list)]);
    let group = CstInputValue::Object(fields.collect());
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

    const MEM: &str = "/opt/mem/bin/mem";

    fn put(text: &str) -> String {
        install(text, Path::new(MEM)).unwrap()
    }

    fn value(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn every_event_is_hooked_once_and_a_second_time_changes_nothing() {
        let text = put("");
        let hooks = &value(&text)["hooks"];
        for event in &EVENTS {
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
        assert_eq!(value(&uninstall(&text).unwrap()), serde_json::json!({}));
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
        let without = uninstall(&with).unwrap();
        assert!(without.contains("\"command\": \"true\""));
        assert!(!without.contains("claude") && programs(&without).is_empty());
    }

    #[test]
    fn a_program_that_moved_is_followed_and_doubles_go() {
        let old = install("{}", Path::new("/old/mem")).unwrap();
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
    fn a_hook_that_stands_among_others_goes_alone() {
        let text = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/a/mem hook claude stop"},
            {"type":"command","command":"/a/other hook claude stop"}]}]}}"#;
        assert!(!programs(text).is_empty());
        let without = value(&uninstall(text).unwrap());
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

    proptest! {
        #[test]
        fn nothing_else_changes_whatever_the_settings_say(before in settings(), is_pretty: bool) {
            let text = match is_pretty {
                true => serde_json::to_string_pretty(&before).unwrap(),
                false => before.to_string(),
            };
            let with = put(&text);
            prop_assert!(!programs(&with).is_empty());
            prop_assert_eq!(put(&with), with.clone());
            for key in before.as_object().unwrap().keys().filter(|key| *key != "hooks") {
                prop_assert_eq!(&value(&with)[key], &before[key]);
            }
            prop_assert_eq!(value(&uninstall(&with).unwrap()), before);
        }
    }

    #[test]
    fn what_is_broken_or_of_another_shape_is_refused() {
        for text in ["{", "[]", "{\"a\" 1}", "{'a': 1}", "7"] {
            assert!(install(text, Path::new(MEM)).is_err(), "{text}");
        }
        let shape = |text: &str| match install(text, Path::new(MEM)) {
            Err(JsonFault::Shape(key, _)) => key,
            other => format!("{other:?}"),
        };
        assert_eq!(shape(r#"{"hooks": []}"#), "hooks");
        assert_eq!(shape(r#"{"hooks": {"Stop": {}}}"#), "Stop");
        assert_eq!(shape(r#"{"hooks": {}, "hooks": {}}"#), "hooks");
    }
}
