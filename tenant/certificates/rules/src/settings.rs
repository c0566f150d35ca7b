//! What a school sets of its certificates and archives (01 §13).

use infra::{
    Part,
    setting::{
        Setting, Settings,
        kind::{Field, Kind, Options},
    },
};

const CERTIFICATES: Options = &[("graduation", "毕业证书"), ("completion", "结业证书"), ("degree", "学士学位证书")];
const CERTIFICATE_FIELDS: Options = &[
    ("name", "姓名"),
    ("gender", "性别"),
    ("birthday", "出生日期"),
    ("startedOn", "入学日期"),
    ("endedOn", "毕业日期"),
    ("major", "专业"),
    ("majorCode", "专业代码"),
    ("level", "层次"),
    ("studyForm", "学习形式"),
    ("schoolingYears", "学制"),
    ("degree", "学位"),
    ("number", "证书编号"),
    ("principal", "校长姓名"),
    ("principalSign", "校长签名"),
    ("issuedOn", "发证日期"),
    ("photo", "照片"),
];
/// A sheet of A3 is 420 mm long.
const MILLIMETRES: Kind = Kind::Decimal { default: 0.0, min: 0.0, max: 420.0 };

/// The sixth digit of a diploma's number.
pub const EDUCATION_TYPE: Setting = Setting::new(
    "educationType",
    "办学类型",
    Kind::Number {
        default: "5",
        options: &[("1", "1 普通高等教育"), ("5", "5 成人高等教育"), ("6", "6 高等教育自学考试"), ("7", "7 网络教育")],
    },
    "毕业、结业证书编号的第6位",
);

/// Who signs certificates.
pub const PRESIDENT_NAME: Setting = Setting::text("presidentName", "校长", 30, "");

/// The picture of their signature, a private file of the school.
pub const PRESIDENT_SIGN_IMAGE: Setting =
    Setting::new("presidentSignImage", "校长签名", Kind::File, "私有图片，只用于打印");

/// Where certificates are fetched, of batches that say nothing else.
pub const COLLECT_PLACE: Setting =
    Setting::text("certificateCollectPlace", "领证地点", 100, "毕业批次未填时使用；都未填时为学生所在站点");

pub const ARCHIVE_NO_RULE: Setting = Setting::new(
    "archiveNoRule",
    "档号规则",
    Kind::Text {
        default: "{year}-{levelCode}-{majorCode}-{seq4}",
        max: 100,
        pattern: Some(
            r"^([A-Za-z0-9._/-]|\{(year|levelCode|majorCode|siteCode|studentNo)\})*\{seq[1-9]\}([A-Za-z0-9._/-]|\{(year|levelCode|majorCode|siteCode|studentNo)\})*$",
        ),
        hint: "可用 {year}、{levelCode}、{majorCode}、{siteCode}、{studentNo}，并须含一个流水号，例如 {seq4}",
    },
    "{seq4} 为4位流水号",
);

pub const CERTIFICATE_OVERLAY: Setting = Setting::new(
    "certificateOverlay",
    "证书套打位置",
    Kind::Rows {
        columns: &[
            Field::new("certificate", "证书", Kind::Select { default: "", options: CERTIFICATES }),
            Field::new("field", "内容", Kind::Select { default: "", options: CERTIFICATE_FIELDS }),
            Field::new("x", "距左(毫米)", MILLIMETRES),
            Field::new("y", "距上(毫米)", MILLIMETRES),
        ],
        most: 60,
        default: &[],
        in_order: None,
    },
    "从纸张左上角量起",
);

pub const PART: Part = Part {
    settings: &[
        Settings { group: "school_info", settings: &[PRESIDENT_NAME, PRESIDENT_SIGN_IMAGE, EDUCATION_TYPE] },
        Settings { group: "examination", settings: &[ARCHIVE_NO_RULE, CERTIFICATE_OVERLAY, COLLECT_PLACE] },
    ],
    ..Part::NONE
};

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_rule_of_numbers_knows_its_placeholders() {
        let normal = |text: &str| ARCHIVE_NO_RULE.kind.normal(&json!(text)).is_ok();
        assert!(normal("{year}/{seq6}"));
        assert!(!normal("{year}-{name}-{seq4}"));
        assert!(!normal("{year}"));
    }

    #[test]
    fn schools_educate_adults_at_first() {
        assert_eq!(EDUCATION_TYPE.kind.default(), json!(5));
    }
}
