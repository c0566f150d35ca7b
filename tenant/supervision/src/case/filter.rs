//! Which cases a list, a bulk step or a scan means.

use chrono::NaiveDate;
use infra::{
    Error, Result, Scope,
    clock::{Moment, day_began},
};
use poem_openapi::{Object, types::Example};
use sqlx::PgConnection;
use student_status::{
    enums::StudyForm,
    keyword::{Keyword, classify},
};
use supervision_rules::enums::{SuperviseKind, SuperviseLevel, SuperviseStatus};

/// What a list of cases asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SuperviseFilter {
    /// 学期
    /// 不填时为当前学期
    pub semester_id: Option<i64>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 学习形式
    pub study_form: Option<StudyForm>,
    /// 站点
    pub site_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 关键字
    /// 学号、姓名、考生号、证件号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 学生
    pub student_id: Option<i64>,
    /// 级别
    pub level: Option<SuperviseLevel>,
    /// 预警类型
    #[oai(default, validator(max_items = 20))]
    pub kinds: Vec<SuperviseKind>,
    /// 课程
    pub course_id: Option<i64>,
    /// 状态
    pub status: Option<SuperviseStatus>,
    /// 仅进行中
    /// 待处理和跟进中
    pub live: Option<bool>,
    /// 班主任
    pub manager_id: Option<i64>,
    /// 最近联系早于
    /// 含从未联系的
    pub contacted_before: Option<NaiveDate>,
    /// 未联系
    pub uncontacted: Option<bool>,
    /// 欠费
    pub arrears: Option<bool>,
    /// 待联系
    /// 下次联系日期已到
    pub due: Option<bool>,
}

impl Example for SuperviseFilter {
    fn example() -> Self {
        Self { live: Some(true), ..Self::default() }
    }
}

/// A filter, ready for the statements.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    /// Semester, grade, level, major, site, class, course, manager, student: null is any.
    pub ids: Vec<Option<i64>>,
    pub study_form: Option<&'static str>,
    pub level: Option<&'static str>,
    pub kinds: Option<Vec<&'static str>>,
    pub status: Option<&'static str>,
    pub live: Option<bool>,
    pub contacted_before: Option<Moment>,
    pub uncontacted: Option<bool>,
    pub arrears: Option<bool>,
    /// Up to which day the next contact is due.
    pub due: Option<NaiveDate>,
    pub keyword: Keyword,
    pub scope: Scope,
}

impl SuperviseFilter {
    /// The current semester, where none is asked for.
    ///
    /// # Errors
    /// Those of the database.
    pub(crate) async fn wanted(
        &self,
        connection: &mut PgConnection,
        scope: &Scope,
        today: NaiveDate,
    ) -> Result<Wanted> {
        let semester = match self.semester_id {
            Some(id) => Some(id),
            None => sqlx::query_scalar!("select id from semester where current").fetch_optional(connection).await?,
        };
        let kinds: Vec<&'static str> = self.kinds.iter().map(|kind| kind.as_str()).collect();
        Ok(Wanted {
            ids: vec![
                // Without any semester there is nothing to tell.
                semester.or(Some(0)),
                self.grade_id,
                self.level_id,
                self.major_id,
                self.site_id,
                self.class_id,
                self.course_id,
                self.manager_id,
                self.student_id,
            ],
            study_form: self.study_form.map(StudyForm::as_str),
            level: self.level.map(SuperviseLevel::as_str),
            kinds: (!kinds.is_empty()).then_some(kinds),
            status: self.status.map(SuperviseStatus::as_str),
            live: self.live.filter(|live| *live),
            contacted_before: self.contacted_before.map(day_began),
            uncontacted: self.uncontacted,
            arrears: self.arrears,
            due: self.due.filter(|due| *due).map(|_| today),
            keyword: self.keyword.as_deref().map(classify).unwrap_or_default(),
            scope: scope.clone(),
        })
    }

    /// Whether it asks for cases by what became of them, and not only for where their students are.
    fn is_of_cases(&self) -> bool {
        let dealt_with = self.contacted_before.is_some() || self.uncontacted.is_some() || self.due.is_some();
        let flagged = self.level.is_some() || !self.kinds.is_empty() || self.course_id.is_some();
        flagged || dealt_with || self.status.is_some() || self.live.is_some() || self.arrears.is_some()
    }

    /// Whether it asks for one student, or for some by their names.
    fn is_of_students(&self) -> bool {
        self.student_id.is_some() || self.keyword.is_some()
    }

    /// What the figures of days can be told by: of each day only classes are kept.
    ///
    /// # Errors
    /// 422 for anything else.
    pub(crate) fn of_classes(&self) -> Result<()> {
        if self.is_of_cases() || self.is_of_students() {
            return Err(Error::field(
                "filter",
                "每日数据只能按学期、年级、层次、专业、学习形式、站点、班级和班主任筛选",
            ));
        }
        Ok(())
    }

    /// The students within the scope whom a scan is to look at, by where they study and who they are; no more than `most` of them.
    ///
    /// # Errors
    /// 422 for what is asked of cases: a scan finds those itself.
    pub(crate) async fn students(&self, connection: &mut PgConnection, scope: &Scope, most: usize) -> Result<Vec<i64>> {
        if self.is_of_cases() || self.semester_id.is_some() {
            let told = "扫描范围只能按年级、层次、专业、学习形式、站点、班级、班主任和学生选择";
            return Err(Error::field("filter", told));
        }
        let keyword: Keyword = self.keyword.as_deref().map(classify).unwrap_or_default();
        Ok(sqlx::query_scalar!(
            r#"select s.id from student s
               where (s.status in ('registered', 'pending_registration', 'expired')
                      or exists (select from supervise_case c join semester e on e.id = c.semester_id and e.current
                                 where c.student_id = s.id and c.status <> 'closed'))
                 and ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))
                 and ($3::bigint is null or s.grade_id = $3) and ($4::bigint is null or s.level_id = $4)
                 and ($5::bigint is null or s.major_id = $5) and ($6::bigint is null or s.site_id = $6)
                 and ($7::bigint is null or s.class_id = $7) and ($8::bigint is null or s.id = $8)
                 and ($9::text is null or s.id_card_no = $9) and ($10::text is null or s.phone = $10)
                 and ($11::text is null or s.student_no like $11 or s.examinee_no like $11
                      or ($11 !~ '[0-9]' and s.initials like lower(rtrim($11, '%')) || '%'))
                 and ($12::text[] is null or s.name_grams @> $12)
                 and ($13::text is null or s.study_form = $13)
                 and ($14::bigint is null
                      or exists (select from class k where k.id = s.class_id and k.manager_id = $14))
               order by s.id limit $15"#,
            scope.sites(),
            scope.classes(),
            self.grade_id,
            self.level_id,
            self.major_id,
            self.site_id,
            self.class_id,
            self.student_id,
            keyword.id_card_no.as_deref(),
            keyword.phone.as_deref(),
            keyword.number.as_deref(),
            keyword.name_grams.as_deref(),
            self.study_form.map(StudyForm::as_str),
            self.manager_id,
            i64::try_from(most).unwrap_or(i64::MAX)
        )
        .fetch_all(connection)
        .await?)
    }
}

/// A statement over the cases `c` that a [`Wanted`] names, each with its student `s` and their class `k`; further arguments begin
/// with `$17`. Whose a case is follows the class of its student.
macro_rules! of_cases {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " where ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))
                and c.semester_id = ($3::bigint[])[1]
                and (($3::bigint[])[2] is null or s.grade_id = ($3::bigint[])[2])
                and (($3::bigint[])[3] is null or s.level_id = ($3::bigint[])[3])
                and (($3::bigint[])[4] is null or s.major_id = ($3::bigint[])[4])
                and (($3::bigint[])[5] is null or s.site_id = ($3::bigint[])[5])
                and (($3::bigint[])[6] is null or s.class_id = ($3::bigint[])[6])
                and (($3::bigint[])[7] is null or exists (
                     select from supervise_flag x
                     where x.case_id = c.id and x.cleared_at is null and not x.muted and x.course_id = ($3::bigint[])[7]))
                and (($3::bigint[])[8] is null
                     or case when c.class_id is not distinct from s.class_id then c.manager_id else k.manager_id end
                        = ($3::bigint[])[8])
                and (($3::bigint[])[9] is null or c.student_id = ($3::bigint[])[9])
                and ($4::text is null or c.level = $4)
                and ($5::text[] is null or exists (
                     select from supervise_flag x
                     where x.case_id = c.id and x.cleared_at is null and not x.muted and x.kind = any($5)))
                and ($6::text is null or c.status = $6)
                and ($7::boolean is null or c.status in ('open', 'following'))
                and ($8::timestamptz is null or c.last_contact_at is null or c.last_contact_at < $8)
                and ($9::boolean is null or (c.last_contact_at is null) = $9)
                and ($10::boolean is null or (s.fee_flag = 'arrears') = $10)
                and ($11::date is null or c.next_contact_on <= $11 and c.status in ('open', 'following'))
                and ($12::text is null or s.id_card_no = $12)
                and ($13::text is null or s.phone = $13)
                and ($14::text is null or s.student_no like $14 or s.examinee_no like $14
                     or ($14 !~ '[0-9]' and s.initials like lower(rtrim($14, '%')) || '%'))
                and ($15::text[] is null or s.name_grams @> $15)
                and ($16::text is null or s.study_form = $16) "
            $($tail)*,
            $wanted.scope.sites(),
            $wanted.scope.classes(),
            &$wanted.ids as &[Option<i64>],
            $wanted.level,
            $wanted.kinds.as_deref() as _,
            $wanted.status,
            $wanted.live,
            $wanted.contacted_before as _,
            $wanted.uncontacted,
            $wanted.arrears,
            $wanted.due,
            $wanted.keyword.id_card_no.as_deref(),
            $wanted.keyword.phone.as_deref(),
            $wanted.keyword.number.as_deref(),
            $wanted.keyword.name_grams.as_deref(),
            $wanted.study_form
            $(, $extra)*
        )
    };
}
pub(crate) use of_cases;
