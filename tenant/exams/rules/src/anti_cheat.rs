//! 防作弊设置 of an examination on the net (part 04 §2.1).

use infra::FieldError;
use poem_openapi::{
    Object,
    types::{ParseFromJSON, ToJSON},
};

use sqlx::types::JsonValue;

use crate::enums::FaceMode;

/// What is watched while an examination is answered.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct AntiCheat {
    /// 全屏作答
    #[oai(default = "yes")]
    pub full_screen: bool,
    /// 禁止复制粘贴
    #[oai(default = "yes")]
    pub disable_copy: bool,
    /// 切屏上限
    /// 超过后强制交卷；为空不限
    #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
    pub switch_limit: Option<i32>,
    /// 切屏容忍秒数
    #[oai(default = "five", validator(minimum(value = "0"), maximum(value = "600")))]
    pub switch_tolerance_seconds: i32,
    /// 人脸核验
    #[oai(default = "no_face")]
    pub face_mode: FaceMode,
    /// 抓拍间隔秒数
    /// 0为不抓拍
    #[oai(default, validator(minimum(value = "0"), maximum(value = "600")))]
    pub snapshot_seconds: i32,
    /// 人脸核验失败上限
    #[oai(validator(minimum(value = "1"), maximum(value = "100")))]
    pub face_fail_limit: Option<i32>,
    /// 无操作交卷秒数
    #[oai(validator(minimum(value = "60"), maximum(value = "7200")))]
    pub idle_submit_seconds: Option<i32>,
    /// 单设备作答
    #[oai(default = "yes")]
    pub single_device: bool,
    /// 锁定网络地址
    #[oai(default)]
    pub ip_lock: bool,
    /// 考试须知
    #[oai(validator(max_length = 2000))]
    pub notice: Option<String>,
}

const fn yes() -> bool {
    true
}

const fn five() -> i32 {
    5
}

const fn no_face() -> FaceMode {
    FaceMode::None
}

impl Default for AntiCheat {
    fn default() -> Self {
        Self {
            full_screen: true,
            disable_copy: true,
            switch_limit: Some(3),
            switch_tolerance_seconds: 5,
            face_mode: FaceMode::None,
            snapshot_seconds: 0,
            face_fail_limit: None,
            idle_submit_seconds: None,
            single_device: true,
            ip_lock: false,
            notice: None,
        }
    }
}

impl AntiCheat {
    /// What stands in the database; what an older form left out is as usual.
    pub fn stored(value: JsonValue) -> Self {
        Self::parse_from_json(value.is_object().then_some(value)).unwrap_or_default()
    }

    /// As the database keeps it.
    pub fn kept(&self) -> JsonValue {
        self.to_json().unwrap_or_default()
    }
}

/// What does not go together.
pub fn check(anti: &AntiCheat) -> Vec<FieldError> {
    let mut found = Vec::new();
    if anti.face_fail_limit.is_some() && anti.face_mode == FaceMode::None {
        found.push(FieldError {
            field: "antiCheat.faceFailLimit".to_owned(),
            message: "不核验人脸时不填失败上限".to_owned(),
        });
    }
    if anti.snapshot_seconds > 0 && anti.snapshot_seconds < 10 {
        found.push(FieldError {
            field: "antiCheat.snapshotSeconds".to_owned(),
            message: "抓拍间隔应为0或不少于10秒".to_owned(),
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_again() {
        let anti = AntiCheat { switch_limit: None, ip_lock: true, ..AntiCheat::default() };
        assert_eq!(AntiCheat::stored(anti.kept()), anti);
        let empty = AntiCheat::stored(JsonValue::Object(Default::default()));
        assert!(empty.full_screen && empty.single_device && empty.switch_limit.is_none());
    }

    #[test]
    fn a_limit_of_faces_needs_faces() {
        let anti = AntiCheat { face_fail_limit: Some(3), ..AntiCheat::default() };
        assert_eq!(check(&anti)[0].field, "antiCheat.faceFailLimit");
        assert!(check(&AntiCheat::default()).is_empty());
        assert_eq!(check(&AntiCheat { snapshot_seconds: 3, ..AntiCheat::default() }).len(), 1);
    }
}
