//! Objects of SHA-1 repositories, read by libgit2 in this process.

use std::collections::HashMap;

use git2::{DiffFindOptions, DiffOptions, Repository, Sort};

use super::id::ObjectId;
use super::object::{Object, ObjectError, ObjectKind};
use super::open::{GitObjectError, GitObjects};
use super::source::{IndexDelta, ObjectSource, RemoteUrl};

/// A repository that libgit2 reads.
pub(super) struct Library {
    repo: Repository,
    git: GitObjects,
}

impl Library {
    pub(super) fn new(repo: Repository, git: GitObjects) -> Self {
        Self { repo, git }
    }
}

impl ObjectSource for Library {
    fn read(&self, id: ObjectId, bytes_max: usize) -> Result<Object, ObjectError> {
        let missing = |error: git2::Error| match error.code() {
            git2::ErrorCode::NotFound => ObjectError::Missing,
            _ => ObjectError::Library(error),
        };
        let oid = id.oid().map_err(missing)?;
        let store = self.repo.odb()?;
        let (size, _) = store.read_header(oid).map_err(missing)?;
        if size > bytes_max {
            return Err(ObjectError::TooLarge(bytes_max));
        }
        let object = store.read(oid).map_err(missing)?;
        let kind = object.kind().str();
        Ok(Object {
            kind: ObjectKind::parse_kind(kind).ok_or(ObjectError::Malformed("object"))?,
            bytes: object.data().to_vec(),
        })
    }

    fn references(&self, problems: &mut Vec<String>) -> Result<Vec<ObjectId>, GitObjectError> {
        let mut ids = Vec::new();
        for reference in self.repo.references()? {
            match reference {
                Ok(reference) => ids.extend(reference.target().map(ObjectId::from)),
                Err(error) => problems.push(error.message().to_owned()),
            }
        }
        ids.extend(self.repo.refname_to_id("HEAD").ok().map(ObjectId::from));
        Ok(ids)
    }

    fn tracked(&self, remote: &str) -> Vec<ObjectId> {
        let found = self
            .repo
            .references_glob(&format!("refs/remotes/{remote}/*"));
        let found = found.into_iter().flatten().flatten();
        found
            .filter_map(|reference| reference.target())
            .map(ObjectId::from)
            .collect()
    }

    fn remotes(&self) -> Vec<RemoteUrl> {
        let names = self.repo.remotes();
        let names = names.iter().flat_map(|names| names.iter());
        let names = names.filter_map(|name| name.ok().flatten().map(str::to_owned));
        let remote = |name: String| {
            let one = self.repo.find_remote(&name).ok()?;
            let push = one.pushurl().ok().flatten().map(str::to_owned);
            let fetch = one.url().ok().map(str::to_owned);
            let url = push.or(fetch).unwrap_or_default();
            Some(RemoteUrl { name, url })
        };
        names.filter_map(remote).collect()
    }

    fn commit_named(&self, revision: &str) -> Option<ObjectId> {
        let object = self.repo.revparse_single(revision).ok()?;
        Some(object.peel_to_commit().ok()?.id().into())
    }

    fn merge_bases(&self, one: ObjectId, others: &[ObjectId]) -> Vec<ObjectId> {
        let ids = std::iter::once(&one).chain(others).map(ObjectId::oid);
        let Ok(ids) = ids.collect::<Result<Vec<_>, _>>() else {
            return Vec::new();
        };
        let bases = match *ids {
            [_] => return Vec::new(),
            [one, other] => self.repo.merge_bases(one, other),
            _ => self.repo.merge_bases_many(&ids),
        };
        let bases = bases.map(|bases| bases.iter().copied().map(ObjectId::from).collect());
        bases.unwrap_or_default()
    }

    fn between(
        &self,
        wanted: &[ObjectId],
        hidden: &[ObjectId],
    ) -> Result<Vec<ObjectId>, ObjectError> {
        let mut walk = self.repo.revwalk()?;
        for id in wanted {
            walk.push(id.oid()?)?;
        }
        for id in hidden {
            // What is not here cannot be subtracted; the scan is then larger, never smaller.
            let _ = walk.hide(id.oid()?);
        }
        walk.set_sorting(Sort::TOPOLOGICAL | Sort::REVERSE)?;
        walk.map(|oid| Ok(oid?.into())).collect()
    }

    fn renames(
        &self,
        parent: ObjectId,
        commit: ObjectId,
    ) -> Result<HashMap<String, ObjectId>, ObjectError> {
        let tree = |id: ObjectId| self.repo.find_commit(id.oid()?)?.tree();
        let Ok(parent) = tree(parent) else {
            return Ok(HashMap::new());
        };
        let mut diff = self
            .repo
            .diff_tree_to_tree(Some(&parent), Some(&tree(commit)?), None)?;
        diff.find_similar(Some(DiffFindOptions::new().renames(true)))?;
        let renamed = diff
            .deltas()
            .filter(|delta| delta.status() == git2::Delta::Renamed);
        let rename = |delta: git2::DiffDelta<'_>| {
            let name = String::from_utf8_lossy(delta.new_file().path_bytes()?).into_owned();
            Some((name, delta.old_file().id().into()))
        };
        Ok(renamed.filter_map(rename).collect())
    }

    fn staged(&self) -> Result<Vec<IndexDelta>, GitObjectError> {
        let index = match self.git.index() {
            Some(path) => git2::Index::open(path),
            None => self.repo.index(),
        };
        let index = index.map_err(|error| GitObjectError::Index(ObjectError::Library(error)))?;
        let head = self.repo.head().ok();
        let head = head.and_then(|head| head.peel_to_tree().ok());
        let mut options = DiffOptions::new();
        options
            .include_typechange(true)
            .ignore_submodules(true)
            .skip_binary_check(true);
        let mut diff =
            self.repo
                .diff_tree_to_index(head.as_ref(), Some(&index), Some(&mut options))?;
        diff.find_similar(None)?;
        let delta = |delta: git2::DiffDelta<'_>| {
            let (new, old) = (delta.new_file(), delta.old_file());
            let is_file = matches!(
                new.mode(),
                git2::FileMode::Blob | git2::FileMode::BlobExecutable | git2::FileMode::Link
            );
            let is_new = !new.id().is_zero() && new.id() != old.id() && is_file;
            let path = String::from_utf8_lossy(new.path_bytes().unwrap_or_default()).into_owned();
            is_new.then(|| IndexDelta {
                path,
                new: new.id().into(),
                old: (!old.id().is_zero()).then(|| old.id().into()),
                is_new_name: old.path_bytes() != new.path_bytes() || old.id().is_zero(),
            })
        };
        Ok(diff.deltas().filter_map(delta).collect())
    }

    fn is_partial(&self) -> bool {
        let Ok(config) = self.repo.config() else {
            return false;
        };
        let mut promised = config.get_string("extensions.partialclone").is_ok();
        if let Ok(mut entries) = config.entries(Some(r"^remote\..*\.promisor$")) {
            promised |= entries.next().is_some();
        }
        promised
    }

    fn is_shallow(&self) -> bool {
        self.repo.is_shallow()
    }
}
