use std::error::Error;

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
    /// The disk, the network or the bucket failed; the cause is for the log.
    #[error("文件存储暂时不可用，请稍后再试")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
}

impl StoreError {
    pub(crate) fn unavailable(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unavailable(cause.into())
    }
}
