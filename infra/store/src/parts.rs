//! Large objects in parts, so that an upload that broke off goes on where it stopped. Parts arrive in any order, each at an
//! address of its own, and become an object together or not at all.

use std::collections::BTreeSet;
use std::error::Error;

use bytes::Bytes;
use chrono::{DateTime, FixedOffset};
use futures_util::stream::{Stream, StreamExt};

use crate::{Store, StoreError, UPLOAD_VALID, exactly, key};

const MEBIBYTE: u64 = 1 << 20;
/// What is larger than this is worth its parts, in bytes.
const LARGE: u64 = 32 * MEBIBYTE;
/// The smallest part but the last, in bytes.
const LEAST: u64 = 16 * MEBIBYTE;
/// No bucket makes an object of more parts.
const MOST: u64 = 10_000;

/// How an object is cut: parts of one size, and a last one with the rest. They are numbered from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    size: u64,
    part_size: u64,
}

impl Cut {
    /// The cut of a new object; none for one that is small enough to be sent whole.
    pub fn of(size: u64) -> Option<Self> {
        let part_size = size.div_ceil(MOST).next_multiple_of(MEBIBYTE).max(LEAST);
        (size > LARGE).then_some(Self { size, part_size })
    }

    /// The cut of an upload that was begun with parts of this size.
    pub fn begun(size: u64, part_size: u64) -> Self {
        Self { size, part_size: part_size.max(1) }
    }

    /// In bytes.
    pub fn part_size(self) -> u64 {
        self.part_size
    }

    /// How many parts there are.
    pub fn count(self) -> i32 {
        i32::try_from(self.size.div_ceil(self.part_size)).unwrap_or(i32::MAX)
    }

    /// The size of a part, in bytes; none when there is no part of this number.
    pub fn size_of(self, number: i32) -> Option<u64> {
        let before = u64::try_from(number.checked_sub(1)?).ok()?;
        let left = self.size.checked_sub(before.checked_mul(self.part_size)?)?;
        (left > 0).then_some(left.min(self.part_size))
    }

    /// The numbers of the parts that are not there whole, in their order.
    pub fn missing(self, arrived: &[Part]) -> Vec<i32> {
        let whole: BTreeSet<i32> = arrived
            .iter()
            .filter(|part| self.size_of(part.number) == Some(part.size))
            .map(|part| part.number)
            .collect();
        (1..=self.count()).filter(|number| !whole.contains(number)).collect()
    }
}

/// A part that is in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub number: i32,
    /// In bytes.
    pub size: u64,
    /// What the bucket calls its content; a local folder calls it nothing.
    pub(crate) tag: Option<String>,
}

impl Store {
    /// Begins an upload in parts and answers the name that the store gave it.
    pub async fn begin_parts(&self, key: &str, content_type: &str) -> Result<String, StoreError> {
        key::check(key)?;
        match self {
            Self::Local(local) => local.begin_parts(key).await,
            Self::S3(s3) => s3.begin_parts(key, content_type).await,
        }
    }

    /// The address to which one part of this size (in bytes) is PUT within [`UPLOAD_VALID`]. The browser sends no header of
    /// its own but `Content-Length`, which is signed.
    pub async fn part_url(
        &self,
        key: &str,
        upload: &str,
        (number, size): (i32, u64),
        now: DateTime<FixedOffset>,
    ) -> Result<String, StoreError> {
        key::check(key)?;
        match self {
            Self::Local(local) => Ok(local.links.part(key, number, size, now + UPLOAD_VALID)),
            Self::S3(s3) => s3.part_url(key, upload, number, size, now).await,
        }
    }

    /// Keeps one part of exactly `size` bytes that was sent to an address of the local folder. One that is sent again
    /// replaces what arrived before; one that comes after the end of its upload is [`StoreError::NotFound`].
    pub async fn put_part<E>(
        &self,
        key: &str,
        number: i32,
        size: u64,
        chunks: impl Stream<Item = Result<Bytes, E>> + Send,
    ) -> Result<(), StoreError>
    where
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        key::check(key)?;
        let chunks = exactly(size, chunks).boxed();
        match self {
            Self::Local(local) => local.put_part(key, number, chunks).await,
            Self::S3(_) => Err(StoreError::BadLink),
        }
    }

    /// The parts that arrived, in no order.
    pub async fn arrived(&self, key: &str, upload: &str) -> Result<Vec<Part>, StoreError> {
        key::check(key)?;
        match self {
            Self::Local(local) => local.arrived(key).await,
            Self::S3(s3) => s3.arrived(key, upload).await,
        }
    }

    /// Makes the object of its parts, which are gone then. While any is missing nothing happens, and
    /// [`StoreError::PartsMissing`] says how many.
    pub async fn join_parts(&self, key: &str, upload: &str, cut: Cut) -> Result<(), StoreError> {
        let arrived = self.arrived(key, upload).await?;
        match cut.missing(&arrived).len() {
            0 => {}
            missing => return Err(StoreError::PartsMissing(missing)),
        }
        match self {
            Self::Local(local) => local.join_parts(key, cut.count()).await,
            Self::S3(s3) => s3.join_parts(key, upload, arrived).await,
        }
    }

    /// Ends an upload and removes its parts. One that is not there counts as ended.
    pub async fn abort_parts(&self, key: &str, upload: &str) -> Result<(), StoreError> {
        key::check(key)?;
        match self {
            Self::Local(local) => local.abort_parts(key).await,
            Self::S3(s3) => s3.abort_parts(key, upload).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIBIBYTE: u64 = 1 << 30;

    fn part(number: i32, size: u64) -> Part {
        Part { number, size, tag: None }
    }

    #[test]
    fn small_objects_are_sent_whole() {
        for size in [0, 1, LEAST, LARGE] {
            assert_eq!(Cut::of(size), None, "{size}");
        }
        let cut = Cut::of(LARGE + 1).unwrap();
        assert_eq!((cut.part_size(), cut.count()), (LEAST, 3));
        assert_eq!([0, 1, 2, 3, 4].map(|number| cut.size_of(number)), [None, Some(LEAST), Some(LEAST), Some(1), None]);
    }

    #[test]
    fn the_parts_make_the_object_and_are_never_too_many() {
        let most = LEAST * MOST;
        for size in [LARGE + 1, 3 * LEAST, 4 * GIBIBYTE, 20 * GIBIBYTE, most, most + 1, 5 << 40] {
            let cut = Cut::of(size).unwrap();
            assert!(u64::try_from(cut.count()).unwrap() <= MOST, "{size}: {}", cut.count());
            assert!(
                cut.part_size() >= LEAST && cut.part_size().is_multiple_of(MEBIBYTE),
                "{size}: {}",
                cut.part_size()
            );
            assert_eq!((1..=cut.count()).filter_map(|number| cut.size_of(number)).sum::<u64>(), size);
            assert_eq!(cut.size_of(cut.count() + 1), None, "{size}");
        }
        assert_eq!(Cut::of(4 * GIBIBYTE).unwrap().count(), 256);
        assert_eq!(Cut::of(most).unwrap().part_size(), LEAST);
        assert_eq!(Cut::of(most + 1).unwrap().part_size(), LEAST + MEBIBYTE);
        assert_eq!(Cut::begun(10, 4).size_of(i32::MIN), None);
        assert_eq!(Cut::begun(u64::MAX, u64::MAX).size_of(i32::MAX), None);
    }

    #[test]
    fn a_part_of_another_size_has_not_arrived() {
        let cut = Cut::begun(10, 4);
        assert_eq!(cut.missing(&[]), [1, 2, 3]);
        assert_eq!(cut.missing(&[part(3, 2), part(1, 4)]), [2]);
        assert_eq!(cut.missing(&[part(1, 4), part(2, 3), part(3, 4), part(4, 4)]), [2, 3]);
        assert_eq!(cut.missing(&[part(2, 4), part(3, 2), part(1, 4)]), Vec::<i32>::new());
    }
}
