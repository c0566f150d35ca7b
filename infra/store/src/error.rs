use std::{error::Error, io};

/// Why the store did not do what it was asked. The texts are for people.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The key has other signs than `a-z 0-9 / _ . -`, an empty or dotted part, or more than 512 of them.
    #[error("文件编号不正确")]
    BadKey,
    #[error("文件不存在")]
    NotFound,
    /// The range is empty or begins beyond the end of the object.
    #[error("文件没有所请求的内容")]
    OutOfRange,
    /// The stream was longer or shorter than announced.
    #[error("文件上传不完整，请重新上传")]
    SizeDiffers,
    /// So many parts of a large object have not arrived whole.
    #[error("还有{0}个分片未上传，请继续上传")]
    PartsMissing(usize),
    /// The signature of a local address is wrong, for this method, key, part, size, type, name or time.
    #[error("链接无效，请刷新页面后重试")]
    BadLink,
    /// The signature was right, and its time is over.
    #[error("链接已过期，请刷新页面后重试")]
    Expired,
    /// No space is left on the disk, or none for this account of the machine; the cause is for the log.
    #[error("存储空间已满，请联系系统管理员清理磁盘")]
    Full(#[source] Box<dyn Error + Send + Sync>),
    /// The disk, the network or the bucket failed; the cause is for the log.
    #[error("文件存储暂时不可用，请稍后再试")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
}

impl StoreError {
    pub(crate) fn unavailable(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        let cause = cause.into();
        if is_full(cause.as_ref()) { Self::Full(cause) } else { Self::Unavailable(cause) }
    }
}

/// Whether an error, or what caused it, is a disk without space (ENOSPC) or a used-up quota (EDQUOT).
pub fn is_full(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            if matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) {
                return true;
            }
            // An error of one's own inside of an `io::Error` is its `get_ref`, and only what caused that its `source`.
            if error.get_ref().is_some_and(|inner| is_full(inner)) {
                return true;
            }
        }
        cause = error.source();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("UnableToCopyDataToFile")]
    struct Wrapped(#[source] io::Error);

    /// What a real disk says that is full, from the device that always is.
    fn full() -> io::Error {
        std::fs::write("/dev/full", b"x").expect_err("it is full")
    }

    #[test]
    fn a_full_disk_is_known_however_deep_it_is_told() {
        let told = [
            StoreError::unavailable(full()),
            StoreError::unavailable(io::Error::other(Wrapped(full()))),
            // As the local folder tells it.
            StoreError::from(object_store::Error::Generic {
                store: "LocalFileSystem",
                source: Box::new(Wrapped(full())),
            }),
            StoreError::unavailable(io::Error::from(io::ErrorKind::QuotaExceeded)),
        ];
        for error in told {
            assert!(matches!(error, StoreError::Full(_)), "{error:?}");
        }
        let other = StoreError::unavailable(io::Error::from(io::ErrorKind::PermissionDenied));
        assert!(matches!(other, StoreError::Unavailable(_)));
    }
}
