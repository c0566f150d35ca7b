//! What a school sets of the files that it reports (01 §13).

use infra::setting::{
    Setting,
    kind::{Kind, Options},
};

/// Columns of the report to the national register, by their words there.
pub const REGISTER_COLUMNS: Options = &[
    ("KSH", "考生号"),
    ("XH", "学号"),
    ("XM", "姓名"),
    ("XB", "性别"),
    ("CSRQ", "出生日期"),
    ("SFZH", "身份证号"),
    ("MZ", "民族"),
    ("ZZMM", "政治面貌"),
    ("ZYDM", "专业代码"),
    ("ZYMC", "专业名称"),
    ("CC", "层次"),
    ("XZ", "学制"),
    ("XXXS", "学习形式"),
    ("RXRQ", "入学日期"),
    ("BYRQ", "毕业日期"),
    ("FY", "分院"),
    ("XSH", "系(所、函授站)"),
    ("BH", "班号"),
    ("BJYJL", "毕结业结论"),
    ("ZSBH", "证书编号"),
    ("XZXM", "校长姓名"),
];

/// Columns of the report of degrees.
pub const DEGREE_COLUMNS: Options = &[
    ("XM", "姓名"),
    ("XMPY", "姓名拼音"),
    ("XBM", "性别码"),
    ("MZM", "民族码"),
    ("ZZMMM", "政治面貌码"),
    ("CSRQ", "出生日期"),
    ("ZJLXM", "证件类型码"),
    ("ZJHM", "证件号码"),
    ("XWSYDWM", "学位授予单位码"),
    ("XZXM", "校长姓名"),
    ("ZXXM", "主席姓名"),
    ("PYDWM", "培养单位码"),
    ("XWLBM", "学位类别码"),
    ("ZYDM", "专业代码"),
    ("ZSZYMC", "证书专业名称"),
    ("KSH", "考生号"),
    ("RXNY", "入学年月"),
    ("BYNY", "毕业年月"),
    ("LWTM", "论文题目"),
    ("HXWRQ", "获学位日期"),
    ("XWZSBH", "学位证书编号"),
];

pub const REGISTER_EXPORT_COLUMNS: Setting = Setting::new(
    "registerExportColumns",
    "学历注册文件列",
    Kind::Choices { options: REGISTER_COLUMNS },
    "按所选顺序导出",
);

pub const DEGREE_EXPORT_COLUMNS: Setting =
    Setting::new("degreeExportColumns", "学位上报文件列", Kind::Choices { options: DEGREE_COLUMNS }, "按所选顺序导出");

pub const DEGREE_UNIT_CODE: Setting = Setting::new(
    "degreeUnitCode",
    "学位授予单位代码",
    Kind::Text { default: "", max: 5, pattern: Some("^[0-9]{5}$"), hint: "应为5位数字" },
    "",
);

pub const DEGREE_CHAIR_NAME: Setting = Setting::text("degreeChairName", "学位评定委员会主席", 30, "");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_columns_are_reported_in_their_order_at_first() {
        let default = REGISTER_EXPORT_COLUMNS.kind.default();
        assert_eq!(default.as_array().map(Vec::len), Some(REGISTER_COLUMNS.len()));
        assert_eq!(default[0], serde_json::json!("KSH"));
        assert_eq!(DEGREE_EXPORT_COLUMNS.kind.default().as_array().map(Vec::len), Some(DEGREE_COLUMNS.len()));
    }
}
