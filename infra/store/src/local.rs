use std::fs::Permissions;
use std::ops::Range;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use bytes::Bytes;
use futures_util::TryStreamExt;
use futures_util::stream::{BoxStream, StreamExt, iter};
use object_store::local::LocalFileSystem;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt, WriteMultipart};

use crate::link::Links;
use crate::{Head, Object, Part, StoreError};

/// How many writes may wait for the disk while more bytes arrive.
const WRITES_AT_ONCE: usize = 2;
/// The file beside its parts that says that an upload has begun and not ended.
const BEGUN: &str = "begun";

/// Where the parts of an object wait: `parts` is no directory of keys, so nobody reads them.
fn beside_parts(key: &str, name: &str) -> String {
    format!("parts/{key}/{name}")
}

/// Objects as files below a folder.
#[derive(Debug, Clone)]
pub struct Local {
    files: LocalFileSystem,
    pub(crate) links: Links,
}

impl Local {
    pub(crate) fn new(folder: &Path, base_url: &str, secret: &[u8]) -> Result<Self, StoreError> {
        std::fs::create_dir_all(folder).map_err(StoreError::unavailable)?;
        // Whatever lies in it from earlier is out of reach with it.
        std::fs::set_permissions(folder, Permissions::from_mode(0o700)).map_err(StoreError::unavailable)?;
        // Deleting the last file of a folder deletes the folder; a row that says `stored` means on the disk.
        let files = LocalFileSystem::new_with_prefix(folder)?.with_automatic_cleanup(true).with_fsync(true);
        Ok(Self { files, links: Links::new(base_url, secret) })
    }

    pub(crate) async fn put(&self, key: &str, bytes: Bytes) -> Result<(), StoreError> {
        self.files.put(&key.into(), bytes.into()).await?;
        Ok(())
    }

    /// Writes beside the object and renames at the end.
    pub(crate) async fn put_stream(
        &self,
        key: &str,
        mut chunks: BoxStream<'_, Result<Bytes, StoreError>>,
    ) -> Result<(), StoreError> {
        let mut file = WriteMultipart::new(self.files.put_multipart(&key.into()).await?);
        let written = async {
            while let Some(chunk) = chunks.try_next().await? {
                file.wait_for_capacity(WRITES_AT_ONCE).await?;
                file.put(chunk);
            }
            Ok(())
        };
        match written.await {
            Ok(()) => {
                file.finish().await?;
                Ok(())
            }
            Err(error) => {
                file.abort().await?;
                Err(error)
            }
        }
    }

    pub(crate) async fn get(&self, key: &str) -> Result<Object, StoreError> {
        let found = self.files.get(&key.into()).await?;
        let size = found.meta.size;
        Ok(Object { size, content_type: None, chunks: found.into_stream().map_err(StoreError::from).boxed() })
    }

    pub(crate) async fn get_range(&self, key: &str, range: Range<u64>) -> Result<Bytes, StoreError> {
        let size = self.files.head(&key.into()).await?.size;
        if range.start >= size {
            return Err(StoreError::OutOfRange);
        }
        Ok(self.files.get_range(&key.into(), range.start..range.end.min(size)).await?)
    }

    pub(crate) async fn head(&self, key: &str) -> Result<Head, StoreError> {
        let found = self.files.head(&key.into()).await?;
        Ok(Head { size: found.size, content_type: None })
    }

    pub(crate) async fn delete(&self, key: &str) -> Result<(), StoreError> {
        match self.files.delete(&key.into()).await.map_err(StoreError::from) {
            Err(StoreError::NotFound) => Ok(()),
            other => other,
        }
    }

    /// The folder needs no name for an upload: it has one of each key.
    pub(crate) async fn begin_parts(&self, key: &str) -> Result<String, StoreError> {
        self.put(&beside_parts(key, BEGUN), Bytes::new()).await?;
        Ok("local".to_owned())
    }

    pub(crate) async fn put_part(
        &self,
        key: &str,
        number: i32,
        chunks: BoxStream<'_, Result<Bytes, StoreError>>,
    ) -> Result<(), StoreError> {
        self.head(&beside_parts(key, BEGUN)).await?;
        self.put_stream(&beside_parts(key, &number.to_string()), chunks).await
    }

    pub(crate) async fn arrived(&self, key: &str) -> Result<Vec<Part>, StoreError> {
        let part = |file: &ObjectMeta| {
            let number = file.location.filename()?.parse().ok()?;
            Some(Part { number, size: file.size, tag: None })
        };
        Ok(self.files_of_parts(key).await?.iter().filter_map(part).collect())
    }

    /// Writes the parts one after the other beside the object and renames at the end.
    pub(crate) async fn join_parts(&self, key: &str, count: i32) -> Result<(), StoreError> {
        let chunks = iter(1..=count)
            .then(|number| async move {
                let part = self.get(&beside_parts(key, &number.to_string())).await?;
                Ok::<_, StoreError>(part.chunks)
            })
            .try_flatten();
        self.put_stream(key, chunks.boxed()).await?;
        self.abort_parts(key).await
    }

    /// First what lets parts in, then the parts.
    pub(crate) async fn abort_parts(&self, key: &str) -> Result<(), StoreError> {
        self.delete(&beside_parts(key, BEGUN)).await?;
        for file in self.files_of_parts(key).await? {
            self.delete(file.location.as_ref()).await?;
        }
        Ok(())
    }

    async fn files_of_parts(&self, key: &str) -> Result<Vec<ObjectMeta>, StoreError> {
        let folder = object_store::path::Path::from(format!("parts/{key}"));
        Ok(self.files.list(Some(&folder)).try_collect().await?)
    }
}

impl From<object_store::Error> for StoreError {
    fn from(error: object_store::Error) -> Self {
        match error {
            object_store::Error::NotFound { .. } => Self::NotFound,
            other => Self::unavailable(other),
        }
    }
}
