//! The filters that the screens share (FS of part 05 A5), ready for their statements.

use chrono::NaiveDate;
use exam_rules::enums::ExamMode;
use infra::{Paging, Result, Scope, transfer};
use poem_openapi::Object;
use scores_rules::enums::SheetRound;
use sqlx::PgConnection;
use statistics_rules::enums::{StatLevel, StudyStanding};
use student_status::{
    enums::StudyForm,
    keyword::{Keyword, classify},
};

/// What the figures of study, homework and examinations are asked for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct StatFilter {
    /// 统计层级
    /// 不填时为页面自身的层级
    pub level: Option<StatLevel>,
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
    /// 课程
    pub course_id: Option<i64>,
    /// 关键字
    /// 按学生时，学号、姓名、考生号、证件号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 学习状态
    /// 视频学习统计按学生时
    pub standing: Option<StudyStanding>,
    /// 是否达标
    /// 视频学习统计按学生时
    pub reached: Option<bool>,
    /// 作业
    pub homework_id: Option<i64>,
    /// 截止日期起
    pub ends_from: Option<NaiveDate>,
    /// 截止日期止
    pub ends_to: Option<NaiveDate>,
    /// 批阅教师
    pub teacher_id: Option<i64>,
    /// 考试批次
    pub batch_id: Option<i64>,
    /// 考试
    pub setup_id: Option<i64>,
    /// 考试方式
    pub mode: Option<ExamMode>,
    /// 考试性质
    pub round: Option<SheetRound>,
    /// 学期
    /// 学期编码；查看全部院校时代替学期编号
    #[oai(validator(max_length = 50))]
    pub semester_text: Option<String>,
}

/// A part of the rows of a level.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slice {
    pub limit: i64,
    pub offset: i64,
}

impl From<Paging> for Slice {
    fn from(paging: Paging) -> Self {
        Self { limit: paging.limit(), offset: paging.offset() }
    }
}

impl Slice {
    /// Its rows out of all.
    pub(crate) fn of<T>(self, all: Vec<T>) -> Vec<T> {
        let skipped = usize::try_from(self.offset).unwrap_or(usize::MAX);
        let taken = usize::try_from(self.limit).unwrap_or(usize::MAX);
        all.into_iter().skip(skipped).take(taken).collect()
    }
}

/// A filter of somebody, ready for the statements.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub filter: StatFilter,
    pub level: StatLevel,
    pub scope: Scope,
    pub keyword: Keyword,
    /// Semester, grade, level, major, site, class, course, batch, setup, homework, teacher: null is any.
    pub ids: Vec<Option<i64>>,
    /// Of fewer people no mean is told; none where the school looks at itself.
    pub least: Option<i64>,
    /// A semester that ended before is over: those who graduated count in it.
    pub today: NaiveDate,
}

impl Asked {
    /// The current semester, where none is asked for.
    ///
    /// # Errors
    /// Those of the database.
    pub(crate) async fn of(
        connection: &mut PgConnection,
        filter: &StatFilter,
        usual: StatLevel,
        (scope, today): (&Scope, NaiveDate),
        least: Option<i64>,
    ) -> Result<Self> {
        let semester = match filter.semester_id {
            Some(id) => Some(id),
            None => sqlx::query_scalar!("select id from semester where current").fetch_optional(connection).await?,
        };
        let level = filter.level.filter(|level| *level != StatLevel::School).unwrap_or(usual);
        Ok(Self {
            level,
            scope: scope.clone(),
            keyword: filter.keyword.as_deref().map(classify).unwrap_or_default(),
            ids: vec![
                // Without any semester there is nothing to tell.
                semester.or(Some(0)),
                filter.grade_id,
                filter.level_id,
                filter.major_id,
                filter.site_id,
                filter.class_id,
                filter.course_id,
                filter.batch_id,
                filter.setup_id,
                filter.homework_id,
                filter.teacher_id,
            ],
            filter: filter.clone(),
            least,
            today,
        })
    }

    /// A mean or a rate of so many people, unless they are too few for whoever asks (05 A5).
    pub(crate) fn tells(&self, people: i64, figure: Option<f64>) -> Option<f64> {
        figure.filter(|_| self.least.is_none_or(|least| people >= least))
    }

    pub(crate) fn study_form(&self) -> Option<&'static str> {
        self.filter.study_form.map(StudyForm::as_str)
    }

    /// What is asked for in words, for the first sheet of a file; a site or class outside the scope has no name there.
    ///
    /// # Errors
    /// Those of the database.
    pub(crate) async fn words(&self, connection: &mut PgConnection) -> Result<Vec<(&'static str, String)>> {
        let named = sqlx::query!(
            r#"select (select name from semester where id = ($1::bigint[])[1]) as semester,
                      (select name from grade where id = ($1::bigint[])[2]) as grade,
                      (select name from level where id = ($1::bigint[])[3]) as level,
                      (select name from major where id = ($1::bigint[])[4]) as major,
                      (select i.name from site i
                       where i.id = ($1::bigint[])[5]
                         and ($2::bigint[] is null or i.id = any($2)
                              or exists (select from class k where k.site_id = i.id and k.id = any($3::bigint[])))) as site,
                      (select k.name from class k
                       where k.id = ($1::bigint[])[6]
                         and ($2::bigint[] is null or k.site_id = any($2) or k.id = any($3::bigint[]))) as class,
                      (select name from course where id = ($1::bigint[])[7]) as course,
                      (select name from test_batch where id = ($1::bigint[])[8]) as batch,
                      (select name from exam_setup where id = ($1::bigint[])[9]) as setup,
                      (select title from homework where id = ($1::bigint[])[10]) as homework,
                      (select name from teacher where id = ($1::bigint[])[11]) as teacher"#,
            &self.ids as &[Option<i64>],
            self.scope.sites(),
            self.scope.classes()
        )
        .fetch_one(connection)
        .await?;
        let day = |day: Option<NaiveDate>| day.map(|day| day.to_string());
        let told = [
            ("学期", named.semester),
            ("年级", named.grade),
            ("层次", named.level),
            ("专业", named.major),
            ("学习形式", self.filter.study_form.map(|form| form.zh().to_owned())),
            ("站点", named.site),
            ("班级", named.class),
            ("课程", named.course),
            ("考试批次", named.batch),
            ("考试", named.setup),
            ("作业", named.homework),
            ("教师", named.teacher),
            ("考试方式", self.filter.mode.map(|mode| mode.zh().to_owned())),
            ("考试性质", self.filter.round.map(|round| round.zh().to_owned())),
            ("学习状态", self.filter.standing.map(|standing| standing.zh().to_owned())),
            ("是否达标", self.filter.reached.map(|reached| if reached { "是" } else { "否" }.to_owned())),
            ("截止日期起", day(self.filter.ends_from)),
            ("截止日期止", day(self.filter.ends_to)),
            // A person who is looked for stands in no file by their number.
            ("关键字", self.filter.keyword.as_deref().map(|word| infra::mask::shapes(word).into_owned())),
        ];
        Ok(told.into_iter().filter_map(|(what, value)| Some((what, value?))).collect())
    }
}

/// Nothing of an export shows anybody's numbers whole; the log need not mark it.
pub(crate) fn shows_nothing_whole(caller: &infra::access::Caller) -> Result<()> {
    transfer::whole_of(caller, "", None, None).map(|_| ())
}

/// A statement over the rows `o` of `stat_opening_class` that an [`Asked`] names.
macro_rules! of_openings {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $asked:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " where ($1::bigint[] is null or o.site_id = any($1) or o.class_id = any($2::bigint[]))
                and o.semester_id = ($3::bigint[])[1]
                and (($3::bigint[])[2] is null or o.grade_id = ($3::bigint[])[2])
                and (($3::bigint[])[3] is null or o.level_id = ($3::bigint[])[3])
                and (($3::bigint[])[4] is null or o.major_id = ($3::bigint[])[4])
                and (($3::bigint[])[5] is null or o.site_id = ($3::bigint[])[5])
                and (($3::bigint[])[6] is null or o.class_id = ($3::bigint[])[6])
                and (($3::bigint[])[7] is null or o.course_id = ($3::bigint[])[7])
                and ($4::text is null or exists (select from major f where f.id = o.major_id and f.study_form = $4)) "
            $($tail)*,
            $asked.scope.sites(),
            $asked.scope.classes(),
            &$asked.ids as &[Option<i64>],
            $asked.study_form()
            $(, $extra)*
        )
    };
}
pub(crate) use of_openings;

/// The same over `stat_exam_class`.
macro_rules! of_exams {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $asked:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " where ($1::bigint[] is null or o.site_id = any($1) or o.class_id = any($2::bigint[]))
                and o.semester_id = ($3::bigint[])[1]
                and (($3::bigint[])[2] is null or o.grade_id = ($3::bigint[])[2])
                and (($3::bigint[])[3] is null or o.level_id = ($3::bigint[])[3])
                and (($3::bigint[])[4] is null or o.major_id = ($3::bigint[])[4])
                and (($3::bigint[])[5] is null or o.site_id = ($3::bigint[])[5])
                and (($3::bigint[])[6] is null or o.class_id = ($3::bigint[])[6])
                and (($3::bigint[])[7] is null or o.course_id = ($3::bigint[])[7])
                and (($3::bigint[])[8] is null or o.batch_id = ($3::bigint[])[8])
                and (($3::bigint[])[9] is null or o.setup_id = ($3::bigint[])[9])
                and ($4::text is null or exists (select from major f where f.id = o.major_id and f.study_form = $4))
                and ($5::text is null or o.mode = $5) and ($6::text is null or o.round = $6) "
            $($tail)*,
            $asked.scope.sites(),
            $asked.scope.classes(),
            &$asked.ids as &[Option<i64>],
            $asked.study_form(),
            $asked.filter.mode.map(exam_rules::enums::ExamMode::as_str),
            $asked.filter.round.map(scores_rules::enums::SheetRound::as_str)
            $(, $extra)*
        )
    };
}
pub(crate) use of_exams;

/// The same over the people of rosters as they stand: selections `c` of openings `x`, with their students `s` and how far they are, `p`.
macro_rules! of_roster {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $asked:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " from course_selection c
              join student s on s.id = c.student_id
              join course_opening x on x.id = c.opening_id and x.status in ('opened', 'closed')
              join semester e on e.id = c.semester_id
              left join online_teaching n on n.id = x.id
              left join study_course_progress p on p.id = c.id
              where c.status in ('selected', 'completed')
                and (s.status in ('registered', 'pending_registration', 'expired')
                     or s.status in ('graduated', 'completed', 'incomplete')
                        and (e.closed_at is not null or e.ends_on < $9::date))
                and ($1::bigint[] is null or c.student_id in (
                         select y.id from student y where y.site_id = any($1) or y.class_id = any($2::bigint[])))
                and c.semester_id = ($3::bigint[])[1]
                and (($3::bigint[])[2] is null or s.grade_id = ($3::bigint[])[2])
                and (($3::bigint[])[3] is null or s.level_id = ($3::bigint[])[3])
                and (($3::bigint[])[4] is null or s.major_id = ($3::bigint[])[4])
                and (($3::bigint[])[5] is null or s.site_id = ($3::bigint[])[5])
                and (($3::bigint[])[6] is null or c.class_id = ($3::bigint[])[6])
                and (($3::bigint[])[7] is null or c.course_id = ($3::bigint[])[7])
                and ($4::text is null or s.study_form = $4)
                and ($5::text is null or s.id_card_no = $5)
                and ($6::text is null or s.phone = $6)
                and ($7::text is null or s.student_no like $7 or s.examinee_no like $7
                     or ($7 !~ '[0-9]' and s.initials like lower(rtrim($7, '%')) || '%'))
                and ($8::text[] is null or s.name_grams @> $8) "
            $($tail)*,
            $asked.scope.sites(),
            $asked.scope.classes(),
            &$asked.ids as &[Option<i64>],
            $asked.study_form(),
            $asked.keyword.id_card_no.as_deref(),
            $asked.keyword.phone.as_deref(),
            $asked.keyword.number.as_deref(),
            $asked.keyword.name_grams.as_deref()
            $(, $extra)*
        )
    };
}
pub(crate) use of_roster;
