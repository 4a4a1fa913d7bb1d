//! Blobs, trees and commits: how a change becomes objects.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use git2::{ObjectType, Oid, Repository, Signature, Time, Tree};

use super::change::Change;
use super::error::HistoryError;
use super::folders;
use super::form::Form;
use super::pack::{Packer, Packs};
use super::parcel::Parcel;
use crate::MemoryPath;
use crate::on_cores::on_shares;

/// The new bytes of a path, `None` where it is gone.
pub(crate) type Contents<'a> = (&'a MemoryPath, Option<&'a [u8]>);

/// The same, with the parcel that was made of the bytes, if one was.
pub(crate) type Sent<'a> = (Contents<'a>, Option<&'a Parcel>);

/// Writes all objects of a change and returns its commit. No reference moves.
pub(super) fn write_change(
    repo: &Repository,
    form: &Form,
    change: &Change,
    contents: &[Contents<'_>],
    parents: &[Oid],
) -> Result<Oid, HistoryError> {
    let base = tree_of(repo, parents.first().copied())?;
    let tree = write_tree(repo, form, base.as_ref(), contents)?;
    write_commit(repo, form, change, tree, parents)
}

/// The same as one pack in the folder `packs`, made on all cores: for changes of many files. The objects
/// are those that [`write_change`] makes.
pub(super) fn pack_change(
    repo: &Repository,
    form: &Form,
    packs: &Path,
    change: &Change,
    contents: &[Sent<'_>],
    parents: &[Oid],
) -> Result<Oid, HistoryError> {
    let packs = Mutex::new(Packs::new(packs));
    let blobs = pack_blobs(form, contents, &packs)?;
    let mut packs = packs.into_inner().unwrap_or_else(PoisonError::into_inner);
    let paths = contents.iter().map(|((path, _), _)| path.as_str());
    let files = paths.zip(blobs).collect();
    let base = tree_of(repo, parents.first().copied())?;
    let mut packer = Packer::new();
    let tree = folders::updated(repo, base.as_ref(), files, &mut |tree| {
        let tree = packer.pack(ObjectType::Tree, tree)?;
        let id = tree.id;
        packs.add([tree])?;
        Ok(id)
    })?;
    let commit = commit_bytes(form, change, tree, parents)?;
    let commit = packer.pack(ObjectType::Commit, &commit)?;
    let id = commit.id;
    packs.add([commit])?;
    packs.finish()?;
    Ok(id)
}

/// Compresses and writes the new contents; the ids of their blobs, `None` for those that go.
fn pack_blobs(
    form: &Form,
    contents: &[Sent<'_>],
    packs: &Mutex<Packs<'_>>,
) -> Result<Vec<Option<Oid>>, HistoryError> {
    let shares = on_shares(contents, |share| {
        let mut packer = Packer::new();
        let mut objects = Vec::with_capacity(share.len());
        let mut pack = |bytes: &[u8], parcel: Option<&Parcel>| {
            let blob = match parcel.filter(|_| form.is_plain()) {
                Some(parcel) => parcel.packed().clone(),
                None => packer.pack(ObjectType::Blob, &form.file(bytes)?)?,
            };
            let id = blob.id;
            objects.push(blob);
            Ok::<_, HistoryError>(id)
        };
        let ids = share
            .iter()
            .map(|((_, bytes), parcel)| bytes.map(|bytes| pack(bytes, *parcel)).transpose());
        let ids = ids.collect::<Result<Vec<_>, _>>()?;
        let mut packs = packs.lock().unwrap_or_else(PoisonError::into_inner);
        packs.add(objects)?;
        Ok::<_, HistoryError>(ids)
    });
    let mut blobs = Vec::with_capacity(contents.len());
    for share in shares {
        blobs.append(&mut share?);
    }
    Ok(blobs)
}

/// A commit as git stores it.
fn commit_bytes(
    form: &Form,
    change: &Change,
    tree: Oid,
    parents: &[Oid],
) -> Result<Vec<u8>, HistoryError> {
    let signature = signature_of(form, change)?;
    let mut bytes = format!("tree {tree}\n").into_bytes();
    for parent in parents {
        bytes.extend_from_slice(format!("parent {parent}\n").as_bytes());
    }
    for role in ["author ", "committer "] {
        bytes.extend_from_slice(role.as_bytes());
        bytes.extend_from_slice(signature.name_bytes());
        bytes.extend_from_slice(b" <");
        bytes.extend_from_slice(signature.email_bytes());
        let seconds = signature.when().seconds();
        bytes.extend_from_slice(format!("> {seconds} +0000\n").as_bytes());
    }
    bytes.push(b'\n');
    bytes.extend_from_slice(form.message(change, tree, parents)?.as_bytes());
    Ok(bytes)
}

/// The tree of a commit, if there is one.
fn tree_of(repo: &Repository, commit: Option<Oid>) -> Result<Option<Tree<'_>>, HistoryError> {
    Ok(match commit {
        Some(commit) => Some(repo.find_commit(commit)?.tree()?),
        None => None,
    })
}

/// Writes the tree that new contents make of `base`.
fn write_tree(
    repo: &Repository,
    form: &Form,
    base: Option<&Tree<'_>>,
    contents: &[Contents<'_>],
) -> Result<Oid, HistoryError> {
    let mut files = Vec::with_capacity(contents.len());
    for (path, bytes) in contents {
        let blob = bytes
            .map(|bytes| write_file(repo, form, bytes))
            .transpose()?;
        files.push((path.as_str(), blob));
    }
    let odb = repo.odb()?;
    folders::updated(repo, base, files, &mut |tree| {
        Ok(odb.write(ObjectType::Tree, tree)?)
    })
}

/// Writes the blob of a file.
pub(super) fn write_file(
    repo: &Repository,
    form: &Form,
    bytes: &[u8],
) -> Result<Oid, HistoryError> {
    Ok(repo.blob(&form.file(bytes)?)?)
}

/// Writes a commit object; moves no reference.
pub(super) fn write_commit(
    repo: &Repository,
    form: &Form,
    change: &Change,
    tree: Oid,
    parents: &[Oid],
) -> Result<Oid, HistoryError> {
    let signature = signature_of(form, change)?;
    let message = form.message(change, tree, parents)?;
    let tree = repo.find_tree(tree)?;
    let parents: Vec<_> = parents
        .iter()
        .map(|&oid| repo.find_commit(oid))
        .collect::<Result<_, _>>()?;
    let parents: Vec<_> = parents.iter().collect();
    Ok(repo.commit(None, &signature, &signature, &message, &tree, &parents)?)
}

/// Who made a change, and when, as git has it. Of a sealed change only the time is shown.
fn signature_of(form: &Form, change: &Change) -> Result<Signature<'static>, HistoryError> {
    let time = Time::new(change.time.as_second(), 0);
    let name = change.author.name.as_deref();
    let name = name.filter(|name| is_signable(name));
    let name = match form.is_plain() {
        true => name.unwrap_or(change.author.actor.as_str()),
        false => "mem",
    };
    Ok(Signature::new(name, "mem@localhost", &time)?)
}

/// Whether git accepts this as the name in a signature.
fn is_signable(name: &str) -> bool {
    name.chars().any(char::is_alphanumeric) && !name.contains(['<', '>', '\n', '\0'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Actor, Author, ChangeId, History};
    use crate::sealing::Seal;

    fn change(number: u8, name: &str) -> Change {
        let mut author = Author::of(Actor::Team);
        author.name = Some(name.to_owned());
        Change {
            id: ChangeId::derive(&[&[number]]),
            verb: "pull".to_owned(),
            author,
            reason: None,
            time: "2026-11-21T10:00:00Z".parse().unwrap(),
            undoes: Vec::new(),
            is_base: false,
            versions: Vec::new(),
        }
    }

    #[test]
    fn a_pack_holds_what_single_objects_would_and_git_reads_it() {
        let dir = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| {
            let path = dir.path().join(name);
            History::open_or_init(&path, &Seal::default()).unwrap()
        });
        let path = |text: &str| MemoryPath::parse(text).unwrap();
        let names = ["a.md", "a/b.md", "a-c.md", "a/d/e.md", "z.md"].map(path);
        let large = vec![b'x'; 300_000];
        let texts: [&[u8]; 5] = [b"", b"two\n", b"two\n", &large, b"\xff\0"];
        let all: Vec<Contents<'_>> = names.iter().zip(texts.map(Some)).collect();
        let moved = [path("a"), path("z.md/y.md")];
        let second = [
            (&names[0], None),
            (&names[1], None),
            (&names[3], None),
            (&names[4], None),
            (&moved[0], Some(&b"a file where a folder was"[..])),
            (&moved[1], Some(&b"a folder where a file was"[..])),
        ];
        let none = [(&names[2], None), (&moved[0], None), (&moved[1], None)];
        let (mut parents, mut number) = (Vec::new(), 0);
        for contents in [&all[..], &second, &none] {
            number += 1;
            let change = change(number, " Ann, of the \u{e9}quipe. ");
            let loose = one.prepare(&change, contents, &parents, false).unwrap();
            let packed = other.prepare(&change, contents, &parents, true).unwrap();
            assert_eq!(loose, packed, "change {number}");
            parents = vec![packed];
        }
        other.set_head(parents.first().copied()).unwrap();
        let git = |args: &[&str]| {
            let mut git = std::process::Command::new("git");
            git.args(args).current_dir(other.path());
            git.env("GIT_DIR", other.path()).output().unwrap()
        };
        let checked = git(&["fsck", "--full", "--strict"]);
        assert!(checked.status.success(), "{checked:?}");
        assert!(!String::from_utf8_lossy(&checked.stderr).contains("error"));
        let packs = std::fs::read_dir(other.path().join("objects/pack")).unwrap();
        for file in packs.flatten().map(|file| file.path()) {
            let name = file.display().to_string();
            assert!(!name.contains("tmp_"), "{name}");
            if name.ends_with(".idx") {
                let verified = git(&["verify-pack", &name]);
                assert!(verified.status.success(), "{verified:?}");
            }
        }
    }
}
