//! The list of all projects under the base.

use mem_core::projects;

use crate::fixture::Fixture;

#[test]
fn paths_come_from_transcripts_that_fit_the_name() {
    let fixture = Fixture::new();
    let dir = fixture.dir("some_project");
    let slug = dir
        .to_str()
        .unwrap()
        .replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let base = "home/.claude/projects";
    let record = |cwd: &std::path::Path| serde_json::json!({ "cwd": cwd }).to_string();
    let lines = format!(
        "{}\nnot json \"cwd\"\n{}\n",
        r#"{"type":"summary","text":"\"cwd\":\"/wrong\""}"#,
        record(&dir.join("sub"))
    );
    fixture.file(&format!("{base}/{slug}/b.jsonl"), &lines);
    fixture.file(
        &format!("{base}/{slug}/a.jsonl"),
        &record(std::path::Path::new("/elsewhere")),
    );
    fixture.file(&format!("{base}/{slug}/memory/team/x.md"), "x");
    fixture.file(&format!("{base}/-gone/s.jsonl"), r#"{"cwd":"/gone"}"#);
    fixture.file(&format!("{base}/-gone/memory/MEMORY.md"), "");
    fixture.dir(&format!("{base}/unknown"));
    fixture.file(&format!("{base}/file"), "");
    let found = projects::list(&fixture.dirs());
    let seen: Vec<_> = found
        .iter()
        .map(|p| {
            (
                p.slug.as_str(),
                p.real_path.clone(),
                p.path_exists,
                p.has_notes,
            )
        })
        .collect();
    let mut want = vec![
        ("-gone", Some("/gone".into()), false, false),
        (slug.as_str(), Some(dir), true, true),
        ("unknown", None, false, false),
    ];
    want.sort();
    assert_eq!(seen, want);
}

#[test]
fn no_base_is_no_projects() {
    let fixture = Fixture::new();
    std::fs::remove_dir_all(fixture.path("home")).unwrap();
    assert_eq!(projects::list(&fixture.dirs()), []);
}

#[test]
fn without_transcripts_a_folder_that_fits_is_a_guess() {
    let fixture = Fixture::new();
    let slug = |path: &std::path::Path, kept: &[char]| {
        let text = path.to_str().unwrap();
        text.replace(
            |c: char| !c.is_ascii_alphanumeric() && !kept.contains(&c),
            "-",
        )
    };
    let (plain, twin) = (fixture.dir("app/sub"), fixture.dir("my_app"));
    let (one, _other) = (fixture.dir("x/y"), fixture.dir("x-y"));
    let names = [slug(&plain, &[]), slug(&twin, &['_']), slug(&one, &[])];
    for name in &names {
        let note = format!("home/.claude/projects/{name}/memory/n.md");
        fixture.file(&note, "text");
    }
    let found = projects::list(&fixture.dirs());
    for (name, want) in names.iter().zip([Some(plain), Some(twin), None]) {
        let dir = found.iter().find(|dir| dir.slug == *name).unwrap();
        assert_eq!(dir.is_guess, want.is_some(), "{name}");
        assert_eq!(dir.real_path, want, "{name}");
    }
}
