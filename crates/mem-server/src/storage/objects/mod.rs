//! Contents in object storage: those that are large, and those of versions that are not current any more. The database
//! alone acknowledges a write, and stays small afterwards.
//!
//! ```text
//!  write   content ------------------> memory_version.content
//!  move    1 stored_object (name, version)     committed, under the lock of the version
//!          2 PUT name                          durable
//!          3 memory_version.content = reference, where the content is still there; else the name is released
//!  read    reference -- GET name -- its checksum is compared
//!  end     the version goes, or its content -- version_id of its name is NULL -- DELETE name -- the name goes
//! ```
//!
//! **Invariant:** an object that exists has a row in `stored_object`, and each content is in the database or in an object
//! that a row with its version names: a crash between any two steps leaves a name that the next round deletes. A name
//! goes only [`MOVE_MAX`] after it came, when nobody can be writing its object any more.
//! **Cost:** nothing for a write; one request for each content that is read and was moved, 16 at a time.
//!
//! Tests: `storage::objects`.
//!
//! # Layout
//! - `reference`: what replaces a content in its row. `moving`: which contents go, and how.

mod moving;
mod reference;

use std::path::{Path as FilePath, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{fs, io};

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
pub(super) use moving::{release_redacted, release_version, remove_released};
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{ClientOptions, ObjectStore, ObjectStoreExt as _, PutPayload, RetryConfig};
use prometheus_client::metrics::counter::Counter;
pub(super) use reference::ContentReference;

use super::sql::{Engine, SqlRow, sql};
use super::{StorageError, id};
use crate::locks::lock;

/// Requests of one reader at a time.
const AT_ONCE: usize = 16;
/// How long one request may take, with all its tries.
const REQUEST_MAX: Duration = Duration::from_secs(15);
/// How long a reader waits for a content.
const ANSWER_MAX: Duration = Duration::from_secs(5);
/// A storage that did not answer a reader is not asked for contents for so long.
const REST: Duration = Duration::from_secs(10);
/// The folder with the objects, in the one that the address names.
const FOLDER: &str = "mem-objects";
/// The options that name another server than Amazon's.
const ENDPOINTS: [&str; 3] = ["aws_endpoint", "aws_endpoint_url", "aws_endpoint_url_s3"];
/// Within this time an object is written, or never.
const MOVE_MAX: Duration = Duration::from_secs(600);

/// Where object storage is.
#[derive(Clone, Debug, Default)]
pub struct ObjectSettings {
    /// `s3://bucket/prefix` or `file:///folder`.
    pub url: String,
    /// What object stores are set by, `aws_access_key_id` and so on, as in the environment of Amazon's own tools.
    pub options: Vec<(String, String)>,
}

/// The object storage of a database, if it has one. Clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct ContentObjects(Option<Arc<Storage>>);

/// How often object storage was asked. Clones count together.
#[derive(Clone, Debug, Default)]
pub struct ObjectRequests {
    /// It answered, if only that there is no such object.
    pub answered: Counter,
    /// It did not, or refused.
    pub failed: Counter,
}

#[derive(Debug)]
struct Storage {
    store: Box<dyn ObjectStore>,
    requests: ObjectRequests,
    /// When it last did not answer a reader.
    silent_since: Mutex<Option<Instant>>,
    /// Where its objects are files.
    folder: Option<PathBuf>,
}

impl Storage {
    fn count_answer<T>(&self, answer: object_store::Result<T>) -> object_store::Result<T> {
        let is_failed = |error: &_| !matches!(error, object_store::Error::NotFound { .. });
        match answer.as_ref().err().is_some_and(is_failed) {
            true => self.requests.failed.inc(),
            false => self.requests.answered.inc(),
        };
        answer
    }

    /// A content, where it is there. Readers of all stores wait for their turn behind one who waits for a content: a storage
    /// that does not answer is left alone for a while.
    async fn get_object(&self, name: &str) -> Result<Option<Vec<u8>>, StorageError> {
        let silent = || object_store::Error::Generic {
            store: "object storage",
            source: "it does not answer".into(),
        };
        let since = *lock(&self.silent_since);
        if since.is_some_and(|since| since.elapsed() < REST) {
            return Err(silent().into());
        }
        let name = Path::from(name);
        let got = async { self.store.get(&name).await?.bytes().await };
        let got = tokio::time::timeout(ANSWER_MAX, got).await;
        *lock(&self.silent_since) = got.is_err().then(Instant::now);
        match self.count_answer(got.unwrap_or_else(|_| Err(silent()))) {
            Ok(bytes) => Ok(Some(bytes.to_vec())),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    async fn put_object(&self, name: &str, bytes: PutPayload) -> Result<(), StorageError> {
        let put = self.store.put(&Path::from(name), bytes).await;
        Ok(self.count_answer(put).map(drop)?)
    }

    /// Marks it as the one of a database. Two replicas that begin at once both find a marker of theirs.
    async fn begin(&self, engine: &Engine) -> Result<(), StorageError> {
        let name = format!("marker/{}", id::random(id::OBJECT)?);
        self.put_object(&name, "mem\n".into()).await?;
        let remember = format!(
            "INSERT INTO stored_object (name, created_at) VALUES ($1, {})",
            engine.dialect().now_us()
        );
        engine.run(sql!(remember; name)).await.map(drop)
    }

    async fn delete_object(self: Arc<Self>, name: String) -> Result<(), StorageError> {
        match self.count_answer(self.store.delete(&Path::from(name.as_str())).await) {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        if let Some(folder) = &self.folder {
            let object = folder.join(name);
            remove_unfinished(&object).map_err(StorageError::at_file(&object))?;
        }
        Ok(())
    }
}

/// Removes what an end of the process in the middle of writing an object left beside it: `NAME#1` and so on.
fn remove_unfinished(object: &FilePath) -> io::Result<()> {
    let (Some(folder), Some(name)) = (object.parent(), object.file_name()) else {
        return Ok(());
    };
    let begin = format!("{}#", name.to_string_lossy());
    let entries = match fs::read_dir(folder) {
        // It went with its last object.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(&begin) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

impl ContentObjects {
    /// Prepares it; nothing is asked of it yet.
    ///
    /// # Errors
    /// [`StorageError::ObjectAddress`]: the address or an option is none.
    pub(super) fn open(settings: Option<&ObjectSettings>) -> Result<Self, StorageError> {
        let Some(ObjectSettings { url, options }) = settings else {
            return Ok(Self(None));
        };
        let (store, folder): (Box<dyn ObjectStore>, _) = match url.split_once("://") {
            Some(("file", folder)) => {
                // Of its own, for nobody else: the one that was named may be anybody's.
                let folder = FilePath::new(folder).join(FOLDER);
                (Box::new(open_folder(&folder)?), Some(folder))
            }
            Some(("s3", bucket)) => {
                let prefix = bucket.split_once('/').map_or("", |(_, prefix)| prefix);
                let prefix = Path::parse(prefix).map_err(|_| StorageError::ObjectAddress)?;
                let bucket = open_bucket(url, options)?;
                (Box::new(PrefixStore::new(bucket, prefix)), None)
            }
            _ => return Err(StorageError::ObjectAddress),
        };
        let storage = Storage {
            store,
            requests: ObjectRequests::default(),
            silent_since: Mutex::default(),
            folder,
        };
        Ok(Self(Some(Arc::new(storage))))
    }

    /// How often it was asked.
    pub(super) fn requests(&self) -> ObjectRequests {
        let storage = self.0.as_ref();
        storage.map_or_else(Default::default, |storage| storage.requests.clone())
    }

    /// The storage.
    ///
    /// # Errors
    /// [`StorageError::NoObjects`].
    fn storage(&self) -> Result<&Arc<Storage>, StorageError> {
        self.0.as_ref().ok_or(StorageError::NoObjects)
    }

    /// Puts contents in the place of the references in a column. A reference whose object is gone stays.
    ///
    /// # Errors
    /// The storage does not answer, or is not known.
    pub(super) async fn fetch_contents(
        &self,
        rows: &mut [SqlRow],
        column: usize,
    ) -> Result<(), StorageError> {
        let mut moved = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let bytes = row.bytes(column)?;
            if let Some(reference) = bytes.and_then(ContentReference::read) {
                moved.push((at, reference));
            }
        }
        if moved.is_empty() {
            return Ok(());
        }
        let storage = self.storage()?;
        let fetched = moved
            .into_iter()
            .map(|(at, reference)| fetch_object(Arc::clone(storage), at, reference));
        let fetched = stream::iter(fetched).buffer_unordered(AT_ONCE);
        let fetched: Vec<_> = fetched.try_collect().await?;
        for (at, bytes) in fetched {
            if let (Some(row), Some(bytes)) = (rows.get_mut(at), bytes) {
                row.set_bytes(column, bytes);
            }
        }
        Ok(())
    }

    /// Checks that this is the storage that has a database's objects, before anything is written or deleted there: another
    /// bucket, or a folder whose disk is away, has no marker. The first check makes one.
    ///
    /// # Errors
    /// It is another one, does not answer, or is not known.
    pub(super) async fn check(&self, engine: &Engine) -> Result<(), StorageError> {
        let marker = sql!("SELECT name FROM stored_object WHERE name LIKE 'marker/%'");
        let marker = engine.one(marker).await?;
        let Some(storage) = &self.0 else {
            return marker.map_or(Ok(()), |_| Err(StorageError::NoObjects));
        };
        let Some(row) = marker else {
            return storage.begin(engine).await;
        };
        let marker = Path::from(row.text(0)?);
        match storage.count_answer(storage.store.head(&marker).await) {
            Ok(_) => Ok(()),
            Err(object_store::Error::NotFound { .. }) => Err(StorageError::OtherObjects),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether it was the storage of this database before.
    pub(super) async fn is_begun(&self, engine: &Engine) -> Result<bool, StorageError> {
        let some = engine
            .one(sql!("SELECT 1 FROM stored_object LIMIT 1"))
            .await?;
        Ok(some.is_some())
    }

    /// Deletes everything of a store that is gone, whether the database knows it or not.
    ///
    /// # Errors
    /// The storage does not answer.
    pub(super) async fn delete_store(&self, store: &str) -> Result<(), StorageError> {
        let Some(storage) = self.0.as_ref().filter(|_| !store.is_empty()) else {
            return Ok(());
        };
        let mut objects = storage.store.list(Some(&Path::from(store)));
        while let Some(object) = storage.count_answer(objects.try_next().await)? {
            let name = object.location.to_string();
            Arc::clone(storage).delete_object(name).await?;
        }
        Ok(())
    }
}

async fn fetch_object(
    storage: Arc<Storage>,
    at: usize,
    reference: ContentReference,
) -> Result<(usize, Option<Vec<u8>>), StorageError> {
    // What is not what was stored is as good as gone, and stays to be looked at.
    let found = storage.get_object(&reference.name).await?;
    Ok((at, found.filter(|bytes| reference.is_of(bytes))))
}

/// Only this user may read it: it holds contents, as the database does.
fn open_folder(folder: &FilePath) -> Result<LocalFileSystem, StorageError> {
    if !folder.is_absolute() {
        return Err(StorageError::ObjectAddress);
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(folder)
        .map_err(StorageError::at_file(folder))?;
    let store = LocalFileSystem::new_with_prefix(folder)?;
    Ok(store.with_fsync(true).with_automatic_cleanup(true))
}

fn open_bucket(url: &str, options: &[(String, String)]) -> Result<impl ObjectStore, StorageError> {
    mem_http::install_crypto();
    let client = ClientOptions::new().with_timeout(REQUEST_MAX);
    let retry = RetryConfig {
        max_retries: 3,
        retry_timeout: REQUEST_MAX,
        ..RetryConfig::default()
    };
    let builder = AmazonS3Builder::new()
        .with_client_options(client)
        .with_retry(retry)
        .with_url(url);
    // What it does not know is for other programs.
    let set = options.iter().filter(|(_, value)| !value.is_empty());
    let mut known = Vec::new();
    for (name, value) in set {
        let lower = name.to_ascii_lowercase();
        let is_address = || reqwest::Url::parse(value).is_ok_and(|url| url.has_host());
        if ENDPOINTS.contains(&lower.as_str()) && !is_address() {
            return Err(StorageError::ObjectEndpoint(name.clone()));
        }
        known.extend(lower.parse().ok().map(|option| (option, value)));
    }
    let known = known.into_iter();
    let builder = known.fold(builder, |builder, (name, value)| {
        builder.with_config(name, value)
    });
    Ok(builder.build()?)
}
