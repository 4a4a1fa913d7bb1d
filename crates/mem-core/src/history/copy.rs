//! The history of another directory, made part of this one: an adoption brings it along.

use git2::Oid;

use super::error::HistoryError;
use super::pack::in_one_pack;
use super::repository::History;
use super::reseal::AsItIs;
use super::rewrite::{Rewriter, commits_to_keep};

impl History {
    /// Copies every object of another history into this one, in the form that this one has, and returns its newest
    /// commit.
    pub(crate) fn copy_from(&self, other: &Self) -> Result<Option<Oid>, HistoryError> {
        let Some(head) = other.head()? else {
            return Ok(None);
        };
        let form = self.form_after(self.head()?)?;
        let head = match form.is_plain() && !other.is_sealed()? {
            true => self.copy_objects(other).map(|()| Some(head)),
            false => in_one_pack(self.path(), |repo| {
                let mut rewriter = Rewriter::new(other, repo, &AsItIs, &form);
                for commit in commits_to_keep(other, None)? {
                    rewriter.commit(commit)?;
                }
                Ok(rewriter.commits.get(&head).copied())
            }),
        }?;
        self.repo.odb()?.refresh()?;
        Ok(head)
    }

    fn copy_objects(&self, other: &Self) -> Result<(), HistoryError> {
        let theirs = other.repo.odb()?;
        let mut ids = Vec::new();
        theirs.foreach(|oid| {
            ids.push(*oid);
            true
        })?;
        in_one_pack(self.path(), |repo| {
            let ours = repo.odb()?;
            for oid in ids {
                let object = theirs.read(oid)?;
                ours.write(object.kind(), object.data())?;
            }
            Ok(())
        })
    }
}
