//! From what the provider says of somebody to a workspace and grants: the rules of `[[access]]`.

use super::claims::VerifiedClaims;
use super::settings::{AccessSettings, IdentityError};
use crate::storage::Grant;

/// What somebody may do, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GrantedAccess {
    /// The name of the workspace.
    pub(super) workspace: String,
    pub(super) grants: Vec<Grant>,
}

/// The rules of a server, in the order of its settings.
#[derive(Clone, Debug)]
pub(super) struct AccessRules {
    rules: Vec<AccessSettings>,
    groups_claim: String,
}

impl AccessRules {
    pub(super) fn new(rules: &[AccessSettings], groups_claim: &str) -> Result<Self, IdentityError> {
        rules.iter().try_for_each(AccessSettings::check)?;
        Ok(Self {
            rules: rules.to_vec(),
            groups_claim: groups_claim.to_owned(),
        })
    }

    /// Whether a rule is for somebody.
    fn holds(&self, rule: &AccessSettings, claims: &VerifiedClaims) -> bool {
        let says = |claim: &str, value: &str| {
            let texts = claims.texts(claim);
            // `true` and `false` are no texts.
            let flag = claims.claim(claim).and_then(serde_json::Value::as_bool);
            texts.contains(&value) || flag.is_some_and(|flag| flag.to_string() == value)
        };
        match (&rule.group, &rule.claim, &rule.value) {
            (Some(group), ..) => claims.texts(&self.groups_claim).contains(&group.as_str()),
            (None, Some(claim), Some(value)) => says(claim, value),
            _ => rule.everybody,
        }
    }

    /// The workspace that is named, else that of the first rule that holds, with the grants of all rules for it that
    /// hold. `None` where none does.
    pub(super) fn granted(
        &self,
        claims: &VerifiedClaims,
        workspace: Option<&str>,
    ) -> Option<GrantedAccess> {
        let holding = || {
            let rules = self.rules.iter();
            rules.filter(|rule| self.holds(rule, claims))
        };
        let workspace = match workspace {
            Some(wanted) => wanted,
            None => &holding().next()?.workspace,
        };
        let there = holding().filter(|rule| rule.workspace == workspace);
        let there: Vec<&AccessSettings> = there.collect();
        let mut grants: Vec<Grant> = there.iter().flat_map(|rule| rule.grants.clone()).collect();
        grants.sort_unstable();
        grants.dedup();
        (!there.is_empty()).then(|| GrantedAccess {
            workspace: workspace.to_owned(),
            grants,
        })
    }

    /// Whether a rule needs a claim that was not said.
    pub(super) fn needs_more(&self, claims: &VerifiedClaims) -> bool {
        self.rules.iter().any(|rule| {
            let group = rule.group.as_ref().map(|_| &self.groups_claim);
            let claim = group.or(rule.claim.as_ref());
            claim.is_some_and(|claim| claims.claim(claim).is_none())
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn granted(
        claims: &serde_json::Value,
        workspace: Option<&str>,
    ) -> Option<(String, Vec<String>)> {
        let rule = |text: &str| toml_edit::de::from_str(text).unwrap();
        let rules = AccessRules::new(
            &[
                rule("group = \"dev\"\ngrants = [\"team:acme/*:write\"]"),
                rule("group = \"lead\"\nworkspace = \"leads\"\ngrants = [\"*:write\"]"),
                rule(
                    "claim = \"staff\"\nvalue = \"true\"\ngrants = [\"records:write\", \"team:acme/*:write\"]",
                ),
            ],
            "groups",
        );
        let rules = rules.unwrap();
        let claims = VerifiedClaims {
            subject: "1".to_owned(),
            claims: claims.clone(),
        };
        let granted = rules.granted(&claims, workspace)?;
        Some((
            granted.workspace,
            granted.grants.iter().map(Grant::to_string).collect(),
        ))
    }

    #[test]
    fn all_rules_of_one_workspace_add_up_and_those_of_others_do_not() {
        let some = |workspace: &str, grants: &[&str]| {
            let grants = grants.iter().map(|grant| (*grant).to_owned()).collect();
            Some((workspace.to_owned(), grants))
        };
        let both = json!({ "groups": ["dev", "lead"], "staff": true });
        let default = some("default", &["records:write", "team:acme/*:write"]);
        assert_eq!(granted(&both, None), default);
        assert_eq!(granted(&both, Some("leads")), some("leads", &["*:write"]));
        assert_eq!(
            granted(&json!({ "groups": "lead" }), None),
            some("leads", &["*:write"])
        );
        let staff = json!({ "staff": "true" });
        assert_eq!(granted(&staff, None), default);
        for nobody in [
            json!({}),
            json!({ "groups": "Dev" }),
            json!({ "groups": { "dev": true } }),
            json!({ "staff": false }),
        ] {
            assert_eq!(granted(&nobody, None), None, "{nobody}");
        }
        assert_eq!(granted(&staff, Some("leads")), None);
        assert_eq!(granted(&both, Some("other")), None);
    }
}
