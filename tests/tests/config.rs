//! `mem config`: values, their origins, and a file that keeps what people wrote.
#![expect(
    clippy::disallowed_methods,
    reason = "tests write files as other programs do"
)]

use std::path::PathBuf;

use mem_tests::TestEnv;

fn file(env: &TestEnv) -> PathBuf {
    env.home().join(".config/mem/config.toml")
}

#[test]
fn every_value_says_where_it_comes_from() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(["config", "set", "history.keep", "90d"])
        .assert_ok();
    repo.mem(["config", "set", "memory.mode", "log", "--repository"])
        .assert_ok();
    let list = repo
        .invoke(["config", "list"])
        .env("MEM_COLOR", "never")
        .run();
    insta::assert_snapshot!(list.assert_ok().stdout, @r#"
    editor = ""                           # default
    color = "never"                       # MEM_COLOR
    notify = true                         # default
    # memory.enabled =                    # not set
    memory.mode = "log"                   # [ENV]/home/.config/mem/config.toml:5
    memory.write = "auto"                 # default
    memory.review = "outside"             # default
    history.keep = "90d"                  # [ENV]/home/.config/mem/config.toml:2
    model.command = ""                    # default
    model.api = ""                        # default
    model.name = "claude-sonnet-4-6"      # default
    model.key_file = ""                   # default
    model.max_tokens = 200000             # default
    model.timeout = 60                    # default
    extract.enabled = true                # default
    dream.nightly = false                 # default
    dream.max_share = 0.25                # default
    team.remote = ""                      # default
    team.repo = ""                        # default
    team.pull = "auto"                    # default
    team.push = "review"                  # default
    team.glance = true                    # default
    team.report_refused = false           # default
    sync.remote = ""                      # default
    sync.name = ""                        # default
    stores.base_url = ""                  # default
    encryption.key = ""                   # default
    daemon.autostart = false              # MEM_DAEMON_AUTOSTART
    daemon.idle_minutes = 30              # default
    recall.limit = 5                      # default
    recall.budget_chars = 2500            # default
    recall.file_chars = 1600              # default
    recall.subagent_chars = 1600          # default
    recall.session_chars = 12000          # default
    recall.min_score = 0.5                # default
    recall.background = false             # MEM_RECALL_BACKGROUND
    recall.weights.lexical = 0.3          # default
    recall.weights.coverage = 1.2         # default
    recall.weights.soft = 0.6             # default
    recall.weights.name = 3.0             # default
    recall.weights.description = 2.0      # default
    recall.weights.body = 1.0             # default
    recall.weights.k1 = 1.2               # default
    recall.weights.b = 0.75               # default
    recall.weights.statics = 1.0          # default
    recall.weights.sentence = 6.0         # default
    recall.weights.length = 0.8           # default
    recall.weights.latin = 2.0            # default
    recall.weights.freshness = 0.04       # default
    recall.weights.half_life_days = 30.0  # default
    recall.weights.importance = 0.06      # default
    recall.weights.pinned = 0.1           # default
    recall.weights.used = 0.06            # default
    recall.weights.unused = 0.06          # default
    recall.weights.drift = 0.2            # default
    records.backend = "files"             # default
    records.qdrant_url = ""               # default
    records.half_life_days = 30.0         # default
    prune.max_entries = 0                 # default
    prune.below = 0.0                     # default
    prune.expired = false                 # default
    cost.context_tokens = 200000          # default
    cost.index_share = 0.02               # default
    "#);
    let other = env.repo("other");
    let get = other.mem(["config", "get", "memory.mode"]).assert_ok();
    assert_eq!(
        (get.line().as_str(), get.stderr.as_str()),
        ("index", "from default\n")
    );
    let json = repo.mem(["config", "get", "memory.mode", "--json"]).json();
    insta::assert_snapshot!(json, @r#"{"key":"memory.mode","value":"log","layer":"repository table","origin":"[ENV]/home/.config/mem/config.toml:5","takes":"one of \"index\", \"log\"","description":"How memory is kept. \"index\": a file for each topic, and MEMORY.md points to them. \"log\": notes go to a daily log, and MEMORY.md is left to a later distillation. \"log\" and team memory exclude each other."}"#);
    let unset = repo.mem(["config", "get", "memory.enabled", "--json"]);
    let unset = unset.assert_code(1).json();
    assert!(
        unset["value"].is_null() && unset["origin"].is_null() && unset["takes"] == "true or false",
        "{unset}"
    );
    repo.mem(["config", "unset", "memory.mode", "--repository"])
        .assert_ok();
    assert_eq!(repo.mem(["config", "get", "memory.mode"]).line(), "index");
}

#[test]
fn a_change_leaves_the_rest_of_the_file_alone() {
    let env = TestEnv::new();
    let text = "# mine\nfuture = 1\n[history] # why\nkeep = \"5\" # five\n";
    std::fs::create_dir_all(file(&env).parent().unwrap()).unwrap();
    std::fs::write(file(&env), text).unwrap();
    env.mem(["config", "set", "history.keep", "6"]).assert_ok();
    let now = std::fs::read_to_string(file(&env)).unwrap();
    assert_eq!(now, text.replace("\"5\"", "\"6\""));
    let output = env.mem(["config", "set", "history.keep", "soon"]);
    insta::assert_snapshot!(output.assert_code(2).stderr, @r#"error: the command line: `history.keep` takes "0", a number such as "500", or days such as "90d", not soon"#);
    let output = env.mem(["config", "get", "history.kep"]);
    insta::assert_snapshot!(output.assert_code(2).stderr, @r"
    error: `history.kep` is not a setting
    hint: did you mean `history.keep`?
    ");
    for args in [
        &["get", "nope"][..],
        &["set", "nope", "1"],
        &["unset", "nope"],
    ] {
        let output = env.mem(["config"].iter().chain(args)).assert_code(2);
        assert!(
            output.stderr.contains("hint: `mem config list`"),
            "{}",
            output.shown()
        );
    }
    assert_eq!(std::fs::read_to_string(file(&env)).unwrap(), now);
}

#[test]
fn the_environment_that_hides_a_new_value_is_named() {
    let env = TestEnv::new();
    let run = env.invoke(["config", "set", "memory.mode", "log"]);
    let output = run.env("MEM_MEMORY_MODE", "index").run().assert_ok();
    insta::assert_snapshot!(output.stderr, @r"
    set `memory.mode` in `[ENV]/home/.config/mem/config.toml`
    warning: MEM_MEMORY_MODE is set and goes before it
    ");
}

#[test]
fn the_editor_gets_a_file_that_explains_itself_and_the_result_is_checked() {
    let env = TestEnv::new();
    let edit = |editor: &str| env.invoke(["config", "edit"]).env("EDITOR", editor).run();
    edit("cat").assert_ok();
    let text = std::fs::read_to_string(file(&env)).unwrap();
    assert!(text.contains("\n# keep = \"0\"\n") && text.contains("\n[history]\n"));
    edit("sed -i -e 's/^# keep.*/keep = \"7\"/'").assert_ok();
    assert_eq!(env.mem(["config", "get", "history.keep"]).line(), "7");
    let output = edit("sed -i -e 's/^keep.*/keep = 7/'").assert_code(1);
    insta::assert_snapshot!(output.stderr, @r#"
    error: `[ENV]/home/.config/mem/config.toml` line 42: `history.keep` takes "0", a number such as "500", or days such as "90d", not the number 7
    hint: give it such a value, or take it out
    "#);
    edit("sed -i -e 's/^keep.*/keep = \"7\"/'").assert_ok();
    let output = edit("false").assert_code(1);
    insta::assert_snapshot!(output.stderr, @r"
    error: the editor `false` ended with exit status: 1
    hint: set $VISUAL or $EDITOR, or `mem config set editor COMMAND`
    ");
    let output = env.mem(["config", "edit"]).assert_code(1);
    insta::assert_snapshot!(output.stderr, @r"
    error: there is no editor to open `[ENV]/home/.config/mem/config.toml` with
    hint: set $VISUAL or $EDITOR, or `mem config set editor COMMAND`
    ");
}

#[test]
fn a_secret_that_somebody_wrote_into_a_setting_is_shown_nowhere() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let key = [
        "sk-",
        "ant-",
        "api03-",
        "x7Qm2Kd9Lf4Rt6Yw8Zp1Vb3Nc5Hj0Sg2Aq4E",
    ]
    .concat();
    let (hex, password) = ("5a".repeat(32), ["h4rb0ur", "-tide-77"].concat());
    std::fs::create_dir_all(file(&env).parent().unwrap()).unwrap();
    let write = |text: &str| std::fs::write(file(&env), text).unwrap();
    let shown = |args: &str| {
        let run = repo.mem(args.split(' ')).shown();
        for secret in [&key, &hex, &password] {
            assert!(!run.contains(secret.as_str()), "{args}: {run}");
        }
        run
    };
    write(&format!(
        "[model]\napi = \"{key}\"\nkey_file = \"{key}\"\nname = \"{key}\"\nkey = \"{key}\"\n\
         command = \"env KEY={key} ask\"\n[encryption]\nkey = \"{hex}\"\n\
         [team]\nremote = \"https://ben:{password}@example.org/x\"\n"
    ));
    for args in [
        "config list",
        "config list --json",
        "config get model.api",
        "config get model.key_file --json",
        "config get encryption.key",
        "config get team.remote --json",
        "doctor",
        "doctor --json",
        "status",
        "team status",
        "session update",
        "encrypt status --local",
        "encrypt on --local",
    ] {
        shown(args);
    }
    assert!(shown("config list").contains("model.key_file = \"[redacted]\""));
    // In what is said of a value that is none, too.
    write(&format!("[model]\nmax_tokens = \"{key}\"\n"));
    for args in ["config list", "config list --json", "doctor", "status"] {
        assert!(shown(args).contains("model.max_tokens"), "{args}");
    }
    write("");
    shown(&format!("config set model.max_tokens {key}"));
    shown(&format!("config set model.name {key} --json"));
}

#[test]
fn what_no_run_could_use_is_refused_where_it_is_set() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for (key, bad, good) in [
        ("records.half_life_days", "-3", "0"),
        ("prune.below", "99", "2.5"),
        ("prune.below", "-1", "0"),
        ("records.qdrant_url", "ftp://x", "http://localhost:6333"),
        ("team.remote", "nope", "git:origin"),
        ("team.repo", "app", "acme/app"),
        (
            "sync.remote",
            "git:origin",
            "git:git@h.example:me/memory.git",
        ),
        ("stores.base_url", "nope", "https://h.example/v1"),
        ("stores.base_url", "git:origin", ""),
    ] {
        let refused = repo.mem(["config", "set", key, bad]).assert_code(2);
        assert!(refused.stderr.contains("hint:"), "{key}: {refused:?}");
        let value = repo.mem(["config", "get", key]).assert_ok().stdout;
        assert_ne!(value.trim(), bad, "{key}");
        repo.mem(["config", "set", key, good]).assert_ok();
    }
}

#[test]
fn a_secret_in_a_setting_or_in_the_place_of_a_name_is_refused_and_not_repeated() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let token = mem_tests::github_token(1);
    let (user, plain) = ["bot-7", "harbour"]
        .map(|word| [word, "x2"].concat())
        .into();
    let addresses = [
        format!("https://u:{token}@h.example"),
        format!("https://{user}@h.example/a"),
        format!("git:https://{user}:{plain}@h.example/a"),
        format!("https://h.example/?key={plain}"),
    ];
    let secrets = [&token, &user, &plain];
    let check = |args: &[&str], output: &mem_tests::Output| {
        let shown = output.shown();
        let leaks = secrets.iter().any(|secret| shown.contains(secret.as_str()));
        assert!(!leaks, "{args:?}: {shown}");
    };
    for key in [
        "team.remote",
        "sync.remote",
        "stores.base_url",
        "model.api",
        "records.qdrant_url",
    ] {
        for address in &addresses {
            for json in [&[][..], &["--json"]] {
                let args = ["config", "set", key, address];
                let args: Vec<&str> = args.into_iter().chain(json.iter().copied()).collect();
                let refused = repo.mem(&args);
                assert_ne!(refused.code, 0, "{args:?}");
                check(&args, &refused);
            }
        }
    }
    // In the path of an address a key is one, whether a rule knows it or not.
    let path = ["A1b2C3d4E5", "f6G7h8I9j0K1l2M3n4O5p6"].concat();
    for (key, address) in [
        ("team.remote", format!("git:git@h.example:{path}/x")),
        ("team.remote", format!("git@h.example:{path}/x")),
        ("sync.remote", format!("git:ssh://git@h.example/{path}")),
        ("stores.base_url", format!("https://h.example/{path}")),
    ] {
        let refused = repo.mem(["config", "set", key, &address]);
        assert_ne!(refused.code, 0, "{key}");
        assert!(!refused.shown().contains(&path), "{}", refused.shown());
    }
    let command = format!("curl https://u:{token}@h.example");
    for (key, value) in [
        ("model.command", &command),
        ("editor", &command),
        ("sync.name", &token),
    ] {
        let args = ["config", "set", key, value];
        check(&args, &repo.mem(args).assert_code(1));
    }
    assert!(!file(&env).exists(), "nothing was kept");
    // Where it stands already it is told of, and not shown.
    std::fs::create_dir_all(file(&env).parent().unwrap()).unwrap();
    std::fs::write(
        file(&env),
        format!("[sync]\nremote = \"git:https://{user}@h/a\"\n"),
    )
    .unwrap();
    for args in [
        &["config", "list"][..],
        &["config", "get", "sync.remote"],
        &["config", "list", "--json"],
    ] {
        let output = repo.mem(args).assert_ok();
        check(args, &output);
        assert!(
            output.stderr.contains("`sync.remote` holds a secret"),
            "{args:?}: {output:?}"
        );
    }
    std::fs::write(file(&env), "").unwrap();
    // Somebody pasted a token in the place of a name.
    let address = format!("https://u:{token}@h.example/a");
    for asked in [&token, &address] {
        for verb in [
            "show", "history", "diff", "restore", "remove", "edit", "redact", "pin",
        ] {
            for json in [&[][..], &["--json"]] {
                let args: Vec<&str> = [verb, asked.as_str()]
                    .into_iter()
                    .chain(json.iter().copied())
                    .collect();
                let output = repo.mem(&args);
                assert_ne!(output.code, 0, "{args:?}");
                check(&args, &output);
            }
        }
    }
    let folder = env.root().join(&token);
    let exported = repo.mem(["export", folder.to_str().unwrap()]).assert_ok();
    check(&["export"], &exported);
}
