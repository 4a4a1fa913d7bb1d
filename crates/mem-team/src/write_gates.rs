//! Every gate that a write of this run has to pass: the rules of the tiers, no secrets, and for agents
//! what a person allows them. It also says what a memory rests on, because it sees every one that is
//! written.

use std::sync::OnceLock;

use mem_core::history::CitationSnapshot;
use mem_core::host_user::HostUser;
use mem_core::inbox::ConsentGate;
use mem_core::location::ProjectContext;
use mem_core::memory::TierGate;
use mem_core::store::{GateRefusal, GatedFile, ProposedChange, WriteGate};
use mem_core::{RunContext, Scope};
use mem_find::verdicts::CitedRepository;
use mem_scan::{RuleSources, Ruleset};
use mem_secrets::{InputOrigin, Scanner, SecretFinding, rule_description};

use crate::shared::SharedFiles;

/// Every gate of a project: the rules of its tiers, no secrets, and the consent to agents' writes. The rules of the
/// tiers come first: they are cheaper.
#[derive(Debug)]
pub struct ProjectGate {
    secrets: SecretGate,
    repository: CitedRepository,
}

impl ProjectGate {
    /// The gates of a project.
    pub fn for_place(place: &ProjectContext, run: &RunContext) -> Self {
        Self {
            secrets: SecretGate::for_place(place, run),
            repository: CitedRepository::for_project(place),
        }
    }

    /// The gates for what a person has accepted: consent is given.
    pub fn with_consent(place: &ProjectContext, run: &RunContext) -> Self {
        let mut gate = Self::for_place(place, run);
        gate.secrets.consent = ConsentGate::open();
        // What a person accepts is deleted for everybody ([`crate::deletion`]).
        gate.secrets.shared = SharedFiles::without_share();
        gate
    }

    /// The same for the records of a user, whom errors and warnings name.
    #[must_use]
    pub fn of_user(mut self, user: Option<&HostUser>) -> Self {
        self.secrets = self.secrets.of_user(user);
        self
    }
}

impl SecretGate {
    /// The gate for what comes back from history or from another memory: it stands where it
    /// stood, but a secret is no more welcome to the team than before, and an agent still needs
    /// consent.
    pub fn for_place(place: &ProjectContext, run: &RunContext) -> Self {
        let sources = match run.dirs() {
            Ok(dirs) => RuleSources::of_trusted(&place.project, dirs),
            Err(_) => RuleSources::default(),
        };
        Self {
            sources,
            rules: OnceLock::new(),
            consent: ConsentGate::for_config(&place.config),
            shared: SharedFiles::for_project(place, run),
            user: None,
        }
    }

    /// As [`ProjectGate::of_user`].
    #[must_use]
    pub fn of_user(mut self, user: Option<&HostUser>) -> Self {
        self.user = user.cloned();
        self
    }
}

impl WriteGate for ProjectGate {
    fn check(&self, proposal: &GatedFile<'_>) -> Result<Vec<String>, GateRefusal> {
        let mut warnings = TierGate.check(proposal)?;
        warnings.extend(self.secrets.check(proposal)?);
        Ok(warnings)
    }

    fn consent(&self, change: &ProposedChange<'_>) -> Result<(), GateRefusal> {
        self.secrets.consent(change)
    }

    fn cited(&self, proposal: &GatedFile<'_>) -> CitationSnapshot {
        self.repository.cite_content(proposal)
    }
}

/// Keeps secrets out of the team tier, and warns of them in the others; holds agents to what they
/// may write; keeps what the team has from being removed here alone.
#[derive(Debug)]
pub struct SecretGate {
    sources: RuleSources,
    /// What the repository allows; read when something was found.
    rules: OnceLock<Ruleset>,
    consent: ConsentGate,
    shared: SharedFiles,
    /// Whose records are written, where they are a user's.
    user: Option<HostUser>,
}

impl WriteGate for SecretGate {
    fn check(&self, proposal: &GatedFile<'_>) -> Result<Vec<String>, GateRefusal> {
        let scanner = Scanner::new();
        let origin = InputOrigin::path(proposal.path.as_str());
        let named = self.check_name(proposal, &scanner)?;
        let mut found = scanner.scan(proposal.bytes, &origin);
        if found.is_empty() {
            return Ok(named);
        }
        found.retain(|finding| !self.is_allowed(finding));
        if proposal.scope == Scope::Team {
            return found.first().map_or(Ok(named), |first| {
                Err(secret_refusal(proposal, first, found.len()))
            });
        }
        let mut old = proposal
            .old
            .map(|old| scanner.scan(old, &origin))
            .unwrap_or_default();
        // Counted: a secret that is there once more than before is warned of.
        found.retain(|one| {
            let before = old.iter().position(|old| old.secret == one.secret);
            before.map(|at| old.swap_remove(at)).is_none()
        });
        let warnings = found.iter().map(|one| self.warning_text(proposal, one));
        Ok(named.into_iter().chain(warnings).collect())
    }

    fn consent(&self, change: &ProposedChange<'_>) -> Result<(), GateRefusal> {
        // First what holds an agent back: what then waits for a person is not removed here alone.
        self.consent.consent(change)?;
        self.shared.check_change(change)
    }
}

impl SecretGate {
    /// By the rules alone, for what belongs to no project.
    pub fn without_project() -> Self {
        Self {
            sources: RuleSources::default(),
            rules: OnceLock::new(),
            consent: ConsentGate::open(),
            shared: SharedFiles::without_share(),
            user: None,
        }
    }

    /// The name of a new file leaves the machine as its content does. It is not quoted.
    fn check_name(
        &self,
        proposal: &GatedFile<'_>,
        scanner: &Scanner,
    ) -> Result<Vec<String>, GateRefusal> {
        if proposal.old.is_some() {
            return Ok(Vec::new());
        }
        // With and without what is behind the dots: rules want to see where a token ends.
        let path = proposal.path.as_str();
        let text = format!("{path}\n{}", path.replace(['/', '.'], "\n"));
        let mut found = scanner.scan(text.as_bytes(), &InputOrigin::path("name"));
        found.retain(|finding| !self.is_allowed(finding));
        let Some(first) = found.first() else {
            return Ok(Vec::new());
        };
        let what = finding_text(first);
        match proposal.scope {
            Scope::Team => Err(GateRefusal {
                code: GateRefusal::SECRET,
                message: format!("the name of the file holds a secret, {what}"),
                hint: Some("give it another name".to_owned()),
            }),
            _ => Ok(vec![format!(
                "the name of the file looks like a secret, {what}: give it another one"
            )]),
        }
    }

    fn warning_text(&self, proposal: &GatedFile<'_>, finding: &SecretFinding) -> String {
        format!(
            "{} looks like a secret, {}: write where it is kept instead; revoke it, then `mem redact{} --text -` \
             removes it from the notes and their history",
            finding_place(proposal, finding),
            finding_text(finding),
            self.user.as_ref().map(HostUser::flag).unwrap_or_default()
        )
    }

    /// Whether a trusted repository allows a finding. Rules that cannot be read allow nothing.
    fn is_allowed(&self, finding: &SecretFinding) -> bool {
        let load = || {
            self.sources
                .load()
                .map(|(rules, _)| rules)
                .unwrap_or_default()
        };
        self.sources.root.is_some() && self.rules.get_or_init(load).allows_finding(finding)
    }
}

fn secret_refusal(proposal: &GatedFile<'_>, first: &SecretFinding, count: usize) -> GateRefusal {
    let more = match count {
        1 => String::new(),
        count => format!(", and {} more", count - 1),
    };
    GateRefusal {
        code: GateRefusal::SECRET,
        message: format!(
            "{} holds a secret, {}{more}",
            finding_place(proposal, first),
            finding_text(first)
        ),
        hint: Some("write where the secret is kept instead of the secret itself".to_owned()),
    }
}

fn finding_place(proposal: &GatedFile<'_>, finding: &SecretFinding) -> String {
    format!("`{}` line {}", proposal.path, finding.line)
}

/// The rule and what it finds; never the value.
fn finding_text(finding: &SecretFinding) -> String {
    format!("{} ({})", finding.rule, rule_description(&finding.rule))
}
