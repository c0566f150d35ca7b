//! 学习记录: the sessions of the players, one by one, and the days they make (part 05 A5). Of one school: operators name it.

use chrono::{Days, NaiveDate};
use infra::{
    Allowed, App, Body, Error, Page, Paged, Paging, Part, Reply, Result, Scope,
    clock::{Moment, day_began, day_ended},
    mask, permissions, reply,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows, export_job},
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;
use statistics_rules::{enums::StatChartKind, rates};
use student_status::{
    enums::StudyForm,
    keyword::{Keyword, classify},
};

use crate::{
    schools,
    table::{StatCharts, chart, counted, point},
    watch,
};

permissions! {
    pages "/schoolPC/statistics/learningRecords", "/platformPC/statistics/learningRecords";
    EachSchool Reads       ListLearning   = "data:pc:learningRecords:list" "学习记录列表";
    EachSchool Reads       ViewLearning   = "data:pc:learningRecords:list" "学习记录列表";
    EachSchool ReadsLogged ExportLearning = "data:pc:learningRecords:export" "导出学习记录";
    EachSchool ReadsLogged ViewWholeIp    = "data:pc:learningRecords:viewPlain" "查看完整IP";
}

pub const PART: Part =
    Part { permissions: &[PERMISSIONS], jobs: &[export_job::<LearningRecords>()], option_pages: PAGES, ..Part::NONE };

/// Days that are shown where none are asked for, of somebody who is looked for as many as may be, and at the most.
const USUAL_DAYS: u64 = 7;
const MOST_DAYS: u64 = 92;
const PLAIN: &str = "data:pc:learningRecords:viewPlain";

/// A session of a student's player.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct LearningRecord {
    /// 编号
    pub id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 站点
    pub site_name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 课程
    pub course_name: String,
    /// 章节
    pub chapter_title: String,
    /// 课时
    pub period_title: String,
    /// 开始
    pub started_at: Moment,
    /// 结束
    /// 进行中的为最近一次心跳
    pub ended_at: Moment,
    /// 计入时长(秒)
    pub credited_seconds: i32,
    /// 拒计时长(秒)
    pub rejected_seconds: i32,
    /// 课时进度(%)
    /// 该课时现在的进度
    pub progress: f64,
    /// 设备
    pub device: String,
    /// IP地址
    /// 没有查看完整IP权限时，末段隐藏
    pub ip: String,
    /// Where the student is, for who may see the IP whole.
    #[oai(skip)]
    site_id: i64,
    #[oai(skip)]
    class_id: Option<i64>,
}

/// What the list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct LearningFilter {
    /// 日期起
    /// 不填时为最近7天；填写选课或关键字时为最近92天
    pub from: Option<NaiveDate>,
    /// 日期止
    pub to: Option<NaiveDate>,
    /// 学期
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
    /// 课时
    /// 按天汇总和统计图为当日学过该课时的学习
    pub period_id: Option<i64>,
    /// 选课
    pub selection_id: Option<i64>,
    /// 关键字
    /// 学号、姓名、考生号、证件号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 设备
    /// 按天汇总和统计图为当日用过该设备的学习
    #[oai(validator(max_length = 20))]
    pub device: Option<String>,
    /// 仅异常
    /// 有拒计时长的
    pub abnormal: Option<bool>,
}

/// A part of a period that was watched, or a page that was read.
#[derive(Debug, Clone, Object)]
pub struct WatchedSegment {
    /// 起点(秒或页)
    pub from: i32,
    /// 终点(秒或页)
    pub to: i32,
}

/// A session with what of its period was watched by now.
#[derive(Debug, Clone, Object)]
pub struct LearningDetail {
    #[oai(flatten)]
    pub record: LearningRecord,
    /// 已观看片段
    pub segments: Vec<WatchedSegment>,
}

/// A student's study of a course on a day.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct LearningDay {
    /// 编号
    /// 选课编号
    pub id: i64,
    /// 日期
    pub date: NaiveDate,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 站点
    /// 学习当日所在
    pub site_name: String,
    /// 班级
    /// 学习当日所在
    pub class_name: Option<String>,
    /// 课程
    pub course_name: String,
    /// 计入时长(秒)
    pub credited_seconds: i32,
    /// 拒计时长(秒)
    pub rejected_seconds: i32,
    /// 次数
    pub sessions: i32,
    /// 完成课时
    pub periods_finished: i32,
    /// 当日进度(%)
    pub progress: f64,
}

/// A filter, ready for the statements.
struct Wanted {
    from: Moment,
    to: Moment,
    first: NaiveDate,
    last: NaiveDate,
    ids: Vec<Option<i64>>,
    form: Option<&'static str>,
    keyword: Keyword,
    device: Option<String>,
    abnormal: bool,
    scope: Scope,
}

impl LearningFilter {
    /// # Errors
    /// 422 when the span is longer than 92 days, or ends before it begins.
    fn wanted(&self, scope: &Scope, today: NaiveDate) -> Result<Wanted> {
        let last = self.to.unwrap_or(today);
        let one = self.selection_id.is_some() || self.keyword.as_deref().is_some_and(|word| !word.trim().is_empty());
        let usual = if one { MOST_DAYS } else { USUAL_DAYS };
        let first = self.from.unwrap_or_else(|| last.checked_sub_days(Days::new(usual - 1)).unwrap_or(last));
        let days = (last - first).num_days() + 1;
        if days < 1 {
            return Err(Error::field("to", "结束日期不能早于开始日期"));
        }
        if days > i64::try_from(MOST_DAYS).unwrap_or(i64::MAX) {
            return Err(Error::field("from", "时间跨度不能超过92天"));
        }
        Ok(Wanted {
            from: day_began(first),
            to: day_ended(last),
            first,
            last,
            ids: vec![
                self.semester_id,
                self.grade_id,
                self.level_id,
                self.major_id,
                self.site_id,
                self.class_id,
                self.course_id,
                self.period_id,
                self.selection_id,
            ],
            form: self.study_form.map(StudyForm::as_str),
            keyword: self.keyword.as_deref().map(classify).unwrap_or_default(),
            device: self.device.clone().filter(|device| !device.is_empty()),
            abnormal: self.abnormal.unwrap_or(false),
            scope: scope.clone(),
        })
    }
}

/// A statement over the sessions `z` that a [`Wanted`] names, with their students `s` and selections `c`.
macro_rules! of_sessions {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " where z.started_at >= $1::timestamptz and z.started_at < $2::timestamptz
                and ($3::bigint[] is null or s.site_id = any($3) or s.class_id = any($4::bigint[]))
                and (($5::bigint[])[1] is null or c.semester_id = ($5::bigint[])[1])
                and (($5::bigint[])[2] is null or s.grade_id = ($5::bigint[])[2])
                and (($5::bigint[])[3] is null or s.level_id = ($5::bigint[])[3])
                and (($5::bigint[])[4] is null or s.major_id = ($5::bigint[])[4])
                and (($5::bigint[])[5] is null or s.site_id = ($5::bigint[])[5])
                and (($5::bigint[])[6] is null or c.class_id = ($5::bigint[])[6])
                and (($5::bigint[])[7] is null or c.course_id = ($5::bigint[])[7])
                and (($5::bigint[])[8] is null or z.period_id = ($5::bigint[])[8])
                and (($5::bigint[])[9] is null or z.selection_id = ($5::bigint[])[9])
                and ($6::text is null or s.study_form = $6)
                and ($7::text is null or s.id_card_no = $7) and ($8::text is null or s.phone = $8)
                and ($9::text is null or s.student_no like $9 or s.examinee_no like $9
                     or ($9 !~ '[0-9]' and s.initials like lower(rtrim($9, '%')) || '%'))
                and ($10::text[] is null or s.name_grams @> $10)
                and ($11::text is null or z.device = $11)
                and (not $12::boolean or z.rejected_seconds > 0) "
            $($tail)*,
            $wanted.from as _,
            $wanted.to as _,
            $wanted.scope.sites(),
            $wanted.scope.classes(),
            &$wanted.ids as &[Option<i64>],
            $wanted.form,
            $wanted.keyword.id_card_no.as_deref(),
            $wanted.keyword.phone.as_deref(),
            $wanted.keyword.number.as_deref(),
            $wanted.keyword.name_grams.as_deref(),
            $wanted.device.as_deref(),
            $wanted.abnormal
            $(, $extra)*
        )
    };
}

/// What is shown of a session.
macro_rules! shown {
    ($wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        of_sessions!(query_as [LearningRecord]
            [r#"select z.id as "id!", s.student_no as "student_no?", s.name as "name!", t.name as "site_name!",
                       k.name as "class_name?", u.name as "course_name!", h.title as "chapter_title!", d.title as "period_title!",
                       z.started_at as "started_at!", coalesce(z.ended_at, z.last_beat_at) as "ended_at!",
                       z.credited_seconds as "credited_seconds!", z.rejected_seconds as "rejected_seconds!",
                       coalesce(p.progress, 0)::float8 as "progress!", z.device as "device!", z.ip as "ip!",
                       s.site_id as "site_id!", s.class_id as "class_id?"
                from study_session z
                join student s on s.id = z.student_id
                join course_selection c on c.id = z.selection_id
                join site t on t.id = s.site_id
                left join class k on k.id = c.class_id
                join course u on u.id = c.course_id
                join course_period d on d.id = z.period_id
                join course_chapter h on h.id = d.chapter_id
                left join study_progress p on p.selection_id = z.selection_id and p.period_id = z.period_id"#]
            $wanted
            [$($tail)*]
            $(, $extra)*)
    };
}

async fn page(connection: &mut PgConnection, wanted: &Wanted, paging: Paging) -> Result<(i64, Vec<LearningRecord>)> {
    let count = of_sessions!(query_scalar []
        [r#"select count(*) as "count!" from study_session z join student s on s.id = z.student_id
            join course_selection c on c.id = z.selection_id"#]
        wanted
        []);
    let count = count.fetch_one(&mut *connection).await?;
    let rows = shown!(wanted
        [+ " order by z.started_at desc, z.id desc limit $13 offset $14"],
        paging.limit(),
        paging.offset());
    Ok((count, rows.fetch_all(connection).await?))
}

/// The places of a session's IP that everybody may see.
fn masked(record: &mut LearningRecord) {
    record.ip = mask::ip(&record.ip);
}

/// As somebody sees it who may see the IPs of `plain` whole.
fn shown_to(plain: Option<&Scope>, record: &mut LearningRecord) {
    if !plain.is_some_and(|plain| plain.sees(Some(record.site_id), record.class_id)) {
        masked(record);
    }
}

pub struct LearningRecords;

#[OpenApi(prefix_path = "/data/pc/learningRecords", tag = "crate::Tag::Statistics")]
impl LearningRecords {
    /// 学习记录列表
    #[oai(path = "/list", method = "post", operation_id = "listLearningRecords")]
    async fn list(
        &self,
        caller: Allowed<ListLearning>,
        Body(asked): Body<Paged<LearningFilter>>,
    ) -> Result<Reply<Page<LearningRecord>>> {
        let paging = asked.paging()?;
        let wanted = asked.filter.wanted(&caller.scope(), caller.app().clock().today())?;
        let mut tx = caller.read().await?;
        let (total, mut list) = page(&mut tx, &wanted, paging).await?;
        let plain = caller.rights().get(PLAIN);
        list.iter_mut().for_each(|record| shown_to(plain, record));
        Ok(reply(paging.page(total, list)))
    }

    /// 学习记录明细
    #[oai(path = "/view", method = "get", operation_id = "viewLearningRecord")]
    async fn view(
        &self,
        caller: Allowed<ViewLearning>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<LearningDetail>> {
        let mut tx = caller.read().await?;
        let mut detail = detail(&mut tx, id.0, &caller.scope()).await?;
        shown_to(caller.rights().get(PLAIN), &mut detail.record);
        Ok(reply(detail))
    }

    /// 学习记录按天汇总
    #[oai(path = "/day", method = "post", operation_id = "listLearningDays")]
    async fn day(
        &self,
        caller: Allowed<ListLearning>,
        Body(asked): Body<Paged<LearningFilter>>,
    ) -> Result<Reply<Page<LearningDay>>> {
        let paging = asked.paging()?;
        let wanted = asked.filter.wanted(&caller.scope(), caller.app().clock().today())?;
        let mut tx = caller.read().await?;
        let (total, list) = days(&mut tx, &wanted, paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 学习记录图表
    #[oai(path = "/chart", method = "post", operation_id = "chartLearningRecords")]
    async fn chart(
        &self,
        caller: Allowed<ListLearning>,
        Body(asked): Body<Paged<LearningFilter>>,
    ) -> Result<Reply<StatCharts>> {
        let school = schools::one(caller.caller())?;
        let wanted = asked.filter.wanted(&caller.scope(), caller.app().clock().today())?;
        let as_of = watch::as_of(caller.app(), school.id).await?;
        let mut tx = caller.read().await?;
        let found = by_day(&mut tx, &wanted).await?;
        let of = |day: NaiveDate| found.iter().find(|row| row.0 == day).copied().unwrap_or((day, 0, 0));
        let days: Vec<(NaiveDate, i64, i64)> =
            wanted.first.iter_days().take_while(|day| *day <= wanted.last).map(of).collect();
        let hours = days.iter().filter_map(|(day, _, seconds)| point(day.to_string(), Some(rates::hours(*seconds))));
        let learners = days.iter().map(|(day, learners, _)| counted(day.to_string(), *learners));
        Ok(reply(StatCharts {
            computed_at: as_of.computed_at,
            data_until: as_of.data_until,
            charts: vec![
                chart("hours", "每日学习时长", (StatChartKind::Line, "小时"), vec![("学习时长", hours.collect())]),
                chart("learners", "每日学习人数", (StatChartKind::Line, "人"), vec![("学习人数", learners.collect())]),
            ],
        }))
    }

    /// 导出学习记录
    #[oai(path = "/export", method = "post", operation_id = "exportLearningRecords")]
    async fn export(
        &self,
        caller: Allowed<ExportLearning>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<LearningFilter>>,
    ) -> Result<Exported> {
        schools::one(caller.caller())?;
        asked.filter.wanted(&caller.scope(), caller.app().clock().today())?;
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

impl Export for LearningRecords {
    type Filter = LearningFilter;
    type Row = LearningRecord;
    const KIND: &'static str = "learning_record.export";
    type Permission = ExportLearning;
    const PLAIN: Option<&'static str> = Some(PLAIN);
    const TITLE: &'static str = "学习记录";
    const COLUMNS: &'static [Column<LearningRecord>] = &[
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "课程", width: 24, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "章节", width: 24, cell: |row| Cell::Text(row.chapter_title.clone()) },
        Column { heading: "课时", width: 24, cell: |row| Cell::Text(row.period_title.clone()) },
        Column { heading: "开始", width: 20, cell: |row| Cell::DateTime(row.started_at) },
        Column { heading: "结束", width: 20, cell: |row| Cell::DateTime(row.ended_at) },
        Column { heading: "计入时长(秒)", width: 14, cell: |row| Cell::Int(row.credited_seconds.into()) },
        Column { heading: "拒计时长(秒)", width: 14, cell: |row| Cell::Int(row.rejected_seconds.into()) },
        Column { heading: "课时进度(%)", width: 12, cell: |row| infra::naming::tenths(row.progress) },
        Column { heading: "设备", width: 14, cell: |row| Cell::Text(row.device.clone()) },
        Column { heading: "IP地址", width: 16, cell: |row| Cell::Text(row.ip.clone()) },
    ];

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &LearningFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, LearningRecord>> {
        let wanted = filter.wanted(scope, app.clock().today())?;
        let rows = shown!(wanted [+ " order by z.started_at desc, z.id desc"]);
        Ok(Box::pin(rows.fetch(connection)))
    }

    fn mask(row: &mut LearningRecord) {
        masked(row);
    }
}

/// # Errors
/// 404 when there is none, or none within the scope.
async fn detail(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<LearningDetail> {
    let found = sqlx::query!(
        r#"select z.selection_id, z.period_id, z.started_at from study_session z join student s on s.id = z.student_id
           where z.id = $1 and ($2::bigint[] is null or s.site_id = any($2) or s.class_id = any($3::bigint[]))"#,
        id,
        scope.sites(),
        scope.classes()
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let day = found.started_at.date_naive();
    let filter = LearningFilter {
        from: Some(day),
        to: Some(day),
        selection_id: Some(found.selection_id),
        period_id: Some(found.period_id),
        ..LearningFilter::default()
    };
    let wanted = filter.wanted(scope, day)?;
    let record = shown!(wanted [+ " and z.id = $13"], id)
        .fetch_optional(&mut *connection)
        .await?
        .ok_or_else(Error::not_found)?;
    let segments = sqlx::query!(
        r#"select lower(x.part) as "from!", upper(x.part) as "to!"
           from study_progress p
           cross join lateral unnest(case when isempty(p.watched) then p.pages else p.watched end) as x (part)
           where p.selection_id = $1 and p.period_id = $2 order by 1"#,
        found.selection_id,
        found.period_id
    )
    .fetch_all(connection)
    .await?;
    let segments = segments.into_iter().map(|row| WatchedSegment { from: row.from, to: row.to }).collect();
    Ok(LearningDetail { record, segments })
}

/// A statement over the days `z` that a [`Wanted`] names: where somebody was on the day decides. Of a device or a period, the days with a
/// session of it.
macro_rules! of_days {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " from stat_study_day z join student s on s.id = z.student_id
              left join site t on t.id = z.site_id left join class k on k.id = z.class_id
              join course u on u.id = z.course_id
              where z.date between $1 and $2
                and ($3::bigint[] is null or z.site_id = any($3) or z.class_id = any($4::bigint[]))
                and (($5::bigint[])[1] is null or z.semester_id = ($5::bigint[])[1])
                and (($5::bigint[])[2] is null or z.grade_id = ($5::bigint[])[2])
                and (($5::bigint[])[3] is null or z.level_id = ($5::bigint[])[3])
                and (($5::bigint[])[4] is null or z.major_id = ($5::bigint[])[4])
                and (($5::bigint[])[5] is null or z.site_id = ($5::bigint[])[5])
                and (($5::bigint[])[6] is null or z.class_id = ($5::bigint[])[6])
                and (($5::bigint[])[7] is null or z.course_id = ($5::bigint[])[7])
                and (($5::bigint[])[9] is null or z.selection_id = ($5::bigint[])[9])
                and ($6::text is null or s.study_form = $6)
                and ($7::text is null or s.id_card_no = $7) and ($8::text is null or s.phone = $8)
                and ($9::text is null or s.student_no like $9 or s.examinee_no like $9
                     or ($9 !~ '[0-9]' and s.initials like lower(rtrim($9, '%')) || '%'))
                and ($10::text[] is null or s.name_grams @> $10)
                and (not $11::boolean or z.rejected_seconds > 0)
                and ($12::text is null and ($5::bigint[])[8] is null
                     or exists (select from study_session x
                                where x.selection_id = z.selection_id
                                  and x.started_at >= z.date::timestamp at time zone 'Asia/Shanghai'
                                  and x.started_at < (z.date + 1)::timestamp at time zone 'Asia/Shanghai'
                                  and ($12::text is null or x.device = $12)
                                  and (($5::bigint[])[8] is null or x.period_id = ($5::bigint[])[8]))) "
            $($tail)*,
            $wanted.first,
            $wanted.last,
            $wanted.scope.sites(),
            $wanted.scope.classes(),
            &$wanted.ids as &[Option<i64>],
            $wanted.form,
            $wanted.keyword.id_card_no.as_deref(),
            $wanted.keyword.phone.as_deref(),
            $wanted.keyword.number.as_deref(),
            $wanted.keyword.name_grams.as_deref(),
            $wanted.abnormal,
            $wanted.device.as_deref()
            $(, $extra)*
        )
    };
}

async fn days(connection: &mut PgConnection, wanted: &Wanted, paging: Paging) -> Result<(i64, Vec<LearningDay>)> {
    let count = of_days!(query_scalar [] [r#"select count(*) as "count!""#] wanted []);
    let count = count.fetch_one(&mut *connection).await?;
    let rows = of_days!(query_as [LearningDay]
        [r#"select z.selection_id as "id!", z.date as "date!", s.student_no as "student_no?", s.name as "name!",
                   coalesce(t.name, '') as "site_name!", k.name as "class_name?", u.name as "course_name!",
                   z.credited_seconds as "credited_seconds!", z.rejected_seconds as "rejected_seconds!",
                   z.sessions as "sessions!", z.periods_finished as "periods_finished!",
                   (z.progress_end / 10.0)::float8 as "progress!""#]
        wanted
        [+ " order by z.date desc, z.selection_id limit $13 offset $14"],
        paging.limit(),
        paging.offset());
    Ok((count, rows.fetch_all(connection).await?))
}

/// Day, learners, seconds.
async fn by_day(connection: &mut PgConnection, wanted: &Wanted) -> Result<Vec<(NaiveDate, i64, i64)>> {
    let rows = of_days!(query_as [OfDay]
        [r#"select z.date as "date!", count(distinct z.student_id) as "learners!",
                   coalesce(sum(z.credited_seconds), 0)::bigint as "seconds!""#]
        wanted
        [+ " group by z.date"]);
    let rows: Vec<OfDay> = rows.fetch_all(connection).await?;
    Ok(rows.into_iter().map(|row| (row.date, row.learners, row.seconds)).collect())
}

/// Who studied on a day, and how long.
struct OfDay {
    date: NaiveDate,
    learners: i64,
    seconds: i64,
}
