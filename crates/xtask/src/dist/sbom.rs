//! What the binary is made of: a CycloneDX list of the packages that cargo links into it
//! (<https://cyclonedx.org/docs/1.6/json/>).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use anyhow::Context as _;
use serde_json::{Value, json};

use super::{PACKAGE, Package, Release};
use crate::run::output_of;
use crate::workspace::cargo;

pub(super) fn sbom(release: &Release) -> anyhow::Result<Package> {
    let triple = release.platform.triple();
    let mut metadata = cargo(["metadata", "--format-version=1", "--locked"]);
    let metadata = output_of(metadata.args(["--filter-platform", &triple]))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let packages = by_id(&metadata["packages"]);
    let nodes = by_id(&metadata["resolve"]["nodes"]);
    let own = |package: &Value| package["name"] == "mem";
    let root = packages.iter().find(|(_, package)| own(package));
    let (root, _) = root.context("there is no package `mem`")?;
    let linked = linked(root, &nodes);
    let components: BTreeMap<(String, String), Value> = linked
        .iter()
        .filter_map(|id| packages.get(id))
        .filter(|package| !own(package))
        .map(|package| {
            let (name, version) = (text(package, "name"), text(package, "version"));
            let component = json!({
                "type": "library",
                "bom-ref": format!("{name}@{version}"),
                "name": name,
                "version": version,
                "licenses": [{ "expression": text(package, "license") }],
                "purl": format!("pkg:cargo/{name}@{version}"),
            });
            ((name, version), component)
        })
        .collect();
    let list = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": { "component": {
            "type": "application",
            "bom-ref": format!("mem@{}", release.version),
            "name": "mem",
            "version": release.version,
        } },
        "components": components.into_values().collect::<Vec<_>>(),
    });
    Ok(Package {
        bytes: serde_json::to_vec_pretty(&list)?,
        file_name: format!("{PACKAGE}-{}-{triple}.cdx.json", release.version),
    })
}

fn by_id(list: &Value) -> HashMap<&str, &Value> {
    let list = list.as_array().map_or(&[][..], Vec::as_slice);
    list.iter()
        .filter_map(|one| Some((one["id"].as_str()?, one)))
        .collect()
}

fn text(package: &Value, key: &str) -> String {
    package[key].as_str().unwrap_or_default().to_owned()
}

/// The packages below one, by what is linked: not by what builds or tests them.
fn linked<'a>(root: &'a str, nodes: &HashMap<&'a str, &'a Value>) -> BTreeSet<&'a str> {
    let (mut found, mut open) = (BTreeSet::new(), vec![root]);
    while let Some(id) = open.pop() {
        if !found.insert(id) {
            continue;
        }
        let deps = nodes.get(id).and_then(|node| node["deps"].as_array());
        for dep in deps.into_iter().flatten() {
            let kinds = dep["dep_kinds"].as_array();
            let is_linked = kinds
                .into_iter()
                .flatten()
                .any(|kind| kind["kind"].is_null());
            if let (true, Some(id)) = (is_linked, dep["pkg"].as_str()) {
                open.push(id);
            }
        }
    }
    found
}
