//! All settings of a school (01 §13): key, Chinese name, kind with default and limits, by groups. What is not here does not
//! exist. The rules that read a key stand in the rooms; each reads its key's row and takes this default when there is none.

use infra::enumeration;

use super::kind::{Kind, Options, Part};

enumeration! {
    /// 设置分组
    pub enum SettingGroup = "settingGroup" {
        Basic = "basic" "基本信息",
        Brand = "brand" "品牌",
        Domain = "domain" "域名",
        HelpCenter = "help_center" "帮助中心",
        Params = "params" "业务参数",
        SchoolInfo = "school_info" "学校信息",
        Recruitment = "recruitment" "招生与学籍",
        Teaching = "teaching" "教学",
        Examination = "examination" "考试与毕业",
        Statistics = "statistics" "统计与督学",
        Support = "support" "帮助与数据",
    }
}

/// A setting as people see it.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    pub key: &'static str,
    /// 中文
    pub name: &'static str,
    pub kind: Kind,
    /// What it does, where the name does not say it.
    pub help: &'static str,
    /// Shown, but changed by nobody here.
    pub read_only: bool,
}

const fn setting(key: &'static str, name: &'static str, kind: Kind, help: &'static str) -> Setting {
    Setting { key, name, kind, help, read_only: false }
}

const fn yes_no(key: &'static str, name: &'static str, default: bool, help: &'static str) -> Setting {
    setting(key, name, Kind::Bool { default }, help)
}

const fn int(key: &'static str, name: &'static str, range: (i64, i64, i64), help: &'static str) -> Setting {
    let (default, min, max) = range;
    setting(key, name, Kind::Int { default, min, max }, help)
}

const fn text(max: usize) -> Kind {
    Kind::Text { default: "", max, pattern: None, hint: "" }
}

const FIVE_DIGITS: Kind = Kind::Text { default: "", max: 5, pattern: Some("^[0-9]{5}$"), hint: "应为5位数字" };
const ADDRESS: Kind =
    Kind::Text { default: "", max: 200, pattern: Some(infra::link::WEB), hint: "以 http:// 或 https:// 开头" };

const ENTRY_LEVELS: Options = &[
    ("high_school_to_associate", "高起专"),
    ("associate_to_bachelor", "专升本"),
    ("high_school_to_bachelor", "高起本"),
];

const fn words(default: &'static str) -> Kind {
    Kind::Text { default, max: 20, pattern: None, hint: "" }
}

const SCHOOL_INFO: &[Setting] = &[
    setting("nationalCode", "院校代码", FIVE_DIGITS, "用于证书和学信网文件；未填时取5位数字的院校代码"),
    setting("englishName", "英文名", text(100), ""),
    setting("presidentName", "校长", text(30), ""),
    setting("collegeName", "继续教育学院名称", text(60), ""),
    setting(
        "postalCode",
        "邮编",
        Kind::Text { default: "", max: 6, pattern: Some("^[0-9]{6}$"), hint: "应为6位数字" },
        "",
    ),
    setting("officePhone", "办公电话", text(30), ""),
    setting(
        "officeEmail",
        "办公邮箱",
        Kind::Text { default: "", max: 100, pattern: Some("^[^@ ]+@[^@ ]+$"), hint: "应为邮箱地址" },
        "",
    ),
    setting("sealImage", "印章", Kind::File, "私有图片，只用于打印"),
    setting("presidentSignImage", "校长签名", Kind::File, "私有图片，只用于打印"),
    setting("printHeader", "打印页眉", text(60), "未填时为院校名称"),
    setting("degreeUnitCode", "学位授予单位代码", FIVE_DIGITS, ""),
    setting("degreeChairName", "学位评定委员会主席", text(30), ""),
    setting(
        "educationType",
        "办学类型",
        Kind::Number {
            default: "5",
            options: &[
                ("1", "1 普通高等教育"),
                ("5", "5 成人高等教育"),
                ("6", "6 高等教育自学考试"),
                ("7", "7 网络教育"),
            ],
        },
        "毕业、结业证书编号的第6位",
    ),
];

const RECRUITMENT: &[Setting] = &[
    yes_no("preRegistrationAudit", "预报名须审核", true, "关闭后预报名提交即通过"),
    setting(
        "quotaPolicy",
        "超出招生计划时",
        Kind::Select { default: "warn", options: &[("warn", "提醒"), ("refuse", "拒绝")] },
        "站点或专业人数超出计划",
    ),
    setting(
        "studentNoAt",
        "学号生成时机",
        Kind::Select { default: "report", options: &[("report", "报到时"), ("register", "注册时")] },
        "",
    ),
    yes_no("autoDivideAtReport", "报到时自动分班", true, ""),
    yes_no("feeRequiredAtReport", "报到须已缴费", true, ""),
    yes_no("commitmentRequiredForRegister", "注册须承诺书通过", true, "导出学信网文件前须有审核通过的承诺书"),
    yes_no("chsiStudentNoCheck", "检查学号长度", true, "超过15位的学号不进入学信网文件"),
    setting(
        "chsiLevelMap",
        "学信网层次名称",
        Kind::Object {
            parts: &[
                Part::new("high_school_to_associate", "高起专", words("专科")),
                Part::new("associate_to_bachelor", "专升本", words("专升本")),
                Part::new("high_school_to_bachelor", "高起本", words("本科")),
            ],
            sum: None,
        },
        "学信网文件的 CC 列",
    ),
    yes_no("classManagerReview", "信息审核增加班主任环节", false, ""),
    setting(
        "graduateDates",
        "毕业日期",
        Kind::Object {
            parts: &[
                Part::new("spring", "春季", Kind::MonthDay { default: "07-10" }),
                Part::new("autumn", "秋季", Kind::MonthDay { default: "01-10" }),
            ],
            sum: None,
        },
        "用于推算预计毕业日期，秋季为次年1月",
    ),
    int("professionalDeadlineMonths", "转专业期限(月)", (12, 1, 120), "入学后超过此期限不能转专业"),
    setting(
        "hierarchicalPairs",
        "允许转层次",
        Kind::Pairs { default: &[("high_school_to_bachelor", "high_school_to_associate")], options: ENTRY_LEVELS },
        "从左侧层次转到右侧层次",
    ),
    int("suspensionMaxMonths", "累计休学上限(月)", (24, 1, 120), ""),
    yes_no("correctionBothAllowed", "允许同时更正姓名和证件号", false, ""),
    setting(
        "initialPassword",
        "客户端初始密码",
        Kind::Text {
            default: "Aa@{idLast6}",
            max: 40,
            pattern: Some(r"^[!-z|~]*(\{idLast6\}[!-z|~]*)*$"),
            hint: "可用 {idLast6} 代表证件号后6位，不含空格和中文",
        },
        "{idLast6} 代表证件号后6位；首次登录须修改",
    ),
    int("graduateAccountDays", "学籍结束后账号保留(天)", (180, 0, 3650), ""),
    setting(
        "clientUrls",
        "客户端地址",
        Kind::Object {
            parts: &[
                Part::new("student", "学生端", ADDRESS),
                Part::new("teacher", "教师端", ADDRESS),
                Part::new("site", "站点端", ADDRESS),
            ],
            sum: None,
        },
        "一键登录和消息中的链接使用；未填时按站点信息的域名",
    ),
];

const PERIODS: &[&[&str]] = &[
    &["08:00", "08:45"],
    &["08:55", "09:40"],
    &["10:00", "10:45"],
    &["10:55", "11:40"],
    &["14:00", "14:45"],
    &["14:55", "15:40"],
    &["16:00", "16:45"],
    &["16:55", "17:40"],
    &["18:30", "19:15"],
    &["19:25", "20:10"],
    &["20:20", "21:05"],
    &["21:10", "21:55"],
];

const TEACHING: &[Setting] = &[
    yes_no("questionReviewRequired", "试题须审核", false, ""),
    setting(
        "paperReviewRequired",
        "试卷须审核",
        Kind::Object {
            parts: &[
                Part::new("exam", "考试", Kind::Bool { default: true }),
                Part::new("makeup", "补考", Kind::Bool { default: true }),
                Part::new("homework", "作业", Kind::Bool { default: false }),
                Part::new("practice", "练习", Kind::Bool { default: false }),
            ],
            sum: None,
        },
        "",
    ),
    yes_no("planPolicyStrict", "严格检查教学计划", false, "教学计划的提醒按错误处理"),
    int("teacherMaxHours", "教师学期学时上限", (240, 1, 2000), "超过时提醒"),
    setting(
        "instructionWeights",
        "面授成绩权重",
        Kind::Object {
            parts: &[Part::share("attendance", "考勤", 40), Part::share("performance", "表现", 60)],
            sum: Some(100),
        },
        "",
    ),
    setting(
        "homeworkScoreStep",
        "批阅分数步长",
        Kind::Number { default: "0.5", options: &[("0.1", "0.1分"), ("0.5", "0.5分"), ("1", "1分")] },
        "",
    ),
    setting(
        "timetableDefaultPeriods",
        "默认节次",
        Kind::Rows {
            columns: &[Part::new("startsAt", "开始", Kind::Time), Part::new("endsAt", "结束", Kind::Time)],
            most: 14,
            default: PERIODS,
            in_order: Some(("startsAt", "endsAt")),
        },
        "新站点的节次表，按时间先后",
    ),
    int("classCapacityDefault", "班级默认容量", (50, 1, 500), "新建班级和分班时使用"),
];

const REGISTER_COLUMNS: Options = &[
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
    ("XSH", "系所函"),
    ("BH", "班号"),
    ("BJYJL", "毕结业结论"),
    ("ZSBH", "证书编号"),
    ("XZXM", "校长姓名"),
];

const DEGREE_COLUMNS: Options = &[
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

const CERTIFICATES: Options = &[("graduation", "毕业证书"), ("completion", "结业证书"), ("degree", "学士学位证书")];
const CERTIFICATE_FIELDS: Options = &[
    ("name", "姓名"),
    ("gender", "性别"),
    ("birthday", "出生日期"),
    ("startedOn", "入学日期"),
    ("endedOn", "毕业日期"),
    ("major", "专业"),
    ("level", "层次"),
    ("studyForm", "学习形式"),
    ("schoolingYears", "学制"),
    ("number", "证书编号"),
    ("principal", "校长姓名"),
    ("issuedOn", "发证日期"),
    ("photo", "照片"),
];

/// A4 in millimetres, in either direction.
const MILLIMETRES: Kind = Kind::Decimal { default: 0.0, min: 0.0, max: 420.0 };

const EXAMINATION: &[Setting] = &[
    int("conversionYears", "结业换毕业期限(年)", (2, 1, 5), ""),
    setting("warnFailedCredits", "学业预警不及格学分", Kind::Decimal { default: 10.0, min: 0.0, max: 200.0 }, ""),
    setting("warnGpa", "学业预警平均绩点", Kind::Decimal { default: 1.5, min: 0.0, max: 5.0 }, ""),
    setting(
        "internshipWeights",
        "实习成绩权重",
        Kind::Object {
            parts: &[Part::share("unit", "单位", 40), Part::share("teacher", "教师", 60)], sum: Some(100)
        },
        "",
    ),
    setting(
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
    ),
    setting("registerExportColumns", "学历注册文件列", Kind::Choices { options: REGISTER_COLUMNS }, "按所选顺序导出"),
    setting("degreeExportColumns", "学位上报文件列", Kind::Choices { options: DEGREE_COLUMNS }, "按所选顺序导出"),
    setting(
        "certificateOverlay",
        "证书套打位置",
        Kind::Rows {
            columns: &[
                Part::new("certificate", "证书", Kind::Select { default: "", options: CERTIFICATES }),
                Part::new("field", "内容", Kind::Select { default: "", options: CERTIFICATE_FIELDS }),
                Part::new("x", "距左(毫米)", MILLIMETRES),
                Part::new("y", "距上(毫米)", MILLIMETRES),
            ],
            most: 60,
            default: &[],
            in_order: None,
        },
        "从纸张左上角量起",
    ),
    int("monitorPhotoDays", "监考照片保留(天)", (180, 30, 720), "自批次关闭起"),
];

const STATISTICS: &[Setting] = &[
    int("videoStandardPercent", "视频达标进度(%)", (80, 0, 100), "开课未设要求进度时使用"),
    int("statSmallGroup", "小组隐藏人数", (5, 0, 20), "平台端不显示人数少于此值的平均数"),
    yes_no("autoCase", "自动建立督学个案", true, ""),
    setting(
        "remindHours",
        "提醒时段",
        Kind::Text {
            default: "08:30-20:30",
            max: 11,
            pattern: Some("^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$"),
            hint: "例如 08:30-20:30",
        },
        "只在此时段提醒学生",
    ),
    int("remindGapHours", "提醒间隔(小时)", (24, 1, 720), "同一学生两次提醒的最短间隔"),
    yes_no("notifyClassManager", "新个案通知班主任", true, ""),
];

const SUPPORT: &[Setting] = &[
    yes_no("schoolArticlesFirst", "优先显示本校文章", true, "帮助中心"),
    yes_no("questionOpen", "允许提问", true, "帮助中心"),
    yes_no("oneClickNotify", "一键登录通知本人", true, ""),
    int("clientLoginMonths", "客户端登录记录保留(月)", (24, 6, 60), ""),
    int("inboxMonths", "站内信保留(月)", (24, 6, 60), ""),
    Setting { read_only: true, ..yes_no("demo", "演示院校", false, "演示院校的消息只记录、不发送") },
];

impl SettingGroup {
    /// The settings of the group that stand in `school_setting` under keys of their own; none for the groups that edit the
    /// school's row, and for the parameters, which the rooms register.
    pub const fn settings(self) -> &'static [Setting] {
        match self {
            Self::Basic | Self::Brand | Self::Domain | Self::HelpCenter | Self::Params => &[],
            Self::SchoolInfo => SCHOOL_INFO,
            Self::Recruitment => RECRUITMENT,
            Self::Teaching => TEACHING,
            Self::Examination => EXAMINATION,
            Self::Statistics => STATISTICS,
            Self::Support => SUPPORT,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn keys_are_unique_and_defaults_may_stand() {
        let mut known = BTreeSet::new();
        for (_, group) in SettingGroup::CHOICES {
            for setting in group.settings() {
                assert!(known.insert(setting.key), "{} twice", setting.key);
                let default = setting.kind.default();
                assert_eq!(setting.kind.normal(&default).as_ref(), Ok(&default), "{}", setting.key);
            }
        }
        assert_eq!(known.len(), 59, "01 §13 lists fifty-nine");
    }

    #[test]
    fn rules_of_texts_know_their_placeholders() {
        let normal = |key: &str, text: &str| {
            let all = SettingGroup::CHOICES.iter().flat_map(|(_, group)| group.settings());
            let setting = all.into_iter().find(|setting| setting.key == key).expect("a setting");
            setting.kind.normal(&serde_json::json!(text)).is_ok()
        };
        assert!(normal("initialPassword", "cj{idLast6}!"));
        assert!(!normal("initialPassword", "密码{idLast6}"));
        assert!(!normal("initialPassword", "cj{idLast4}"));
        assert!(normal("archiveNoRule", "{year}/{seq6}"));
        assert!(!normal("archiveNoRule", "{year}-{name}-{seq4}"));
        assert!(!normal("archiveNoRule", "{year}"));
        assert!(!normal("remindHours", "8:30-20:30"));
    }
}
