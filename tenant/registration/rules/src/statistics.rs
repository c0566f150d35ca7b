//! 报到统计: figures and their rate (02 §7).

use infra::share::percent;
use poem_openapi::Object;

/// How many of a site, a major or a school did what.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct RegistrationFigures {
    /// 站点、专业或院校的编号
    pub id: i64,
    /// 名称
    pub name: String,
    /// 编码
    pub code: Option<String>,
    /// 层次
    /// 按专业统计时
    pub level_name: Option<String>,
    /// 应到
    /// 已到、保留、放弃与未报到之和
    pub expected: i64,
    /// 已到
    pub reported: i64,
    /// 保留
    pub reserved: i64,
    /// 放弃
    pub abandoned: i64,
    /// 未报到
    /// 待报到和逾期未报到
    pub missing: i64,
    /// 取消资格
    /// 不计入应到
    pub revoked: i64,
    /// 报到率
    /// 已到占应到的百分比，一位小数；没有应到时为空
    pub report_rate: Option<f64>,
}

/// How many of one group did what, as they are counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counted {
    pub reported: i64,
    pub reserved: i64,
    pub abandoned: i64,
    pub missing: i64,
    pub revoked: i64,
}

impl Counted {
    /// With the rate of those who should come.
    pub fn figures(
        self,
        id: i64,
        name: String,
        code: Option<String>,
        level_name: Option<String>,
    ) -> RegistrationFigures {
        let Self { reported, reserved, abandoned, missing, revoked } = self;
        let expected = reported + reserved + abandoned + missing;
        RegistrationFigures {
            id,
            name,
            code,
            level_name,
            expected,
            reported,
            reserved,
            abandoned,
            missing,
            revoked,
            report_rate: percent(reported, expected),
        }
    }
}

/// All lines together.
pub fn together(rows: &[RegistrationFigures]) -> RegistrationFigures {
    let sum = |part: fn(&RegistrationFigures) -> i64| rows.iter().map(part).sum();
    let counted = Counted {
        reported: sum(|row| row.reported),
        reserved: sum(|row| row.reserved),
        abandoned: sum(|row| row.abandoned),
        missing: sum(|row| row.missing),
        revoked: sum(|row| row.revoked),
    };
    counted.figures(0, "合计".to_owned(), None, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_was_revoked_is_not_expected() {
        let counted = Counted { reported: 861, reserved: 20, abandoned: 30, missing: 69, revoked: 7 };
        let figures = counted.figures(1, "城东站".to_owned(), None, None);
        assert_eq!((figures.expected, figures.report_rate), (980, Some(87.9)));
        let other = Counted { missing: 20, ..Counted::default() }.figures(2, "城西站".to_owned(), None, None);
        assert_eq!(other.report_rate, Some(0.0));
        let all = together(&[figures, other]);
        assert_eq!((all.expected, all.reported, all.revoked, all.report_rate), (1000, 861, 7, Some(86.1)));
        assert_eq!(together(&[]).report_rate, None);
    }
}
