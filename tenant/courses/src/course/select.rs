//! How courses are read: list, view and export show the same.

use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result, Scope,
    across::{self, Key, Listed},
    clock::Moment,
    transfer::Rows,
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::{AssessMode, CourseKind, CourseSource, Courses, ExamForm, Textbook};

/// A course, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Course {
    /// 编号
    pub id: i64,
    /// 课程代码
    pub code: String,
    /// 课程名称
    pub name: String,
    /// 英文名
    pub english_name: Option<String>,
    /// 课程类型
    pub type_id: i64,
    /// 课程类型名称
    pub type_name: String,
    /// 课程性质类别
    pub kind: CourseKind,
    /// 开课单位
    pub organization_id: Option<i64>,
    /// 开课单位名称
    pub organization_name: Option<String>,
    /// 学分
    pub credits: f64,
    /// 总学时
    pub hours: i32,
    /// 面授学时
    pub lecture_hours: i32,
    /// 线上学时
    pub online_hours: i32,
    /// 实践学时
    pub practice_hours: i32,
    /// 自学学时
    pub self_study_hours: i32,
    /// 考核类型
    pub exam_form: ExamForm,
    /// 考核方式
    pub assess_mode: Option<AssessMode>,
    /// 学位课程
    pub degree_course: bool,
    /// 先修课程
    pub prerequisite_ids: Vec<i64>,
    /// 先修课程名称
    pub prerequisite_names: Vec<String>,
    /// 教材
    pub textbook: Option<Textbook>,
    /// 课程简介
    pub introduction: Option<String>,
    /// 教学大纲文件
    pub syllabus_file_id: Option<i64>,
    /// 教学大纲
    pub syllabus_key: Option<String>,
    /// 教学大纲文件名
    pub syllabus_name: Option<String>,
    /// 封面
    pub cover_url: Option<String>,
    /// 来源
    pub source: CourseSource,
    /// 资源数
    pub record_count: i64,
    /// 题库题量
    /// 全校可用的题库中已启用的试题
    pub question_count: i64,
    /// 启用
    pub enabled: bool,
    /// 排序
    pub sort_no: i32,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseFilter {
    /// 代码或名称
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 课程类型
    pub type_id: Option<i64>,
    /// 课程类型
    /// 编码或名称包含；查看全部院校时代替课程类型编号
    #[oai(validator(max_length = 50))]
    pub type_text: Option<String>,
    /// 课程性质类别
    pub kind: Option<CourseKind>,
    /// 开课单位
    pub organization_id: Option<i64>,
    /// 开课单位
    /// 编码或名称包含；查看全部院校时代替开课单位编号
    #[oai(validator(max_length = 50))]
    pub organization_text: Option<String>,
    /// 考核类型
    pub exam_form: Option<ExamForm>,
    /// 来源
    pub source: Option<CourseSource>,
    /// 学分从
    pub credits_from: Option<f64>,
    /// 学分到
    pub credits_to: Option<f64>,
    /// 有无课程资源
    pub has_records: Option<bool>,
    /// 启用
    pub enabled: Option<bool>,
}

impl CourseFilter {
    /// What the codes or names of the type, or of the one above it, and of the organization contain.
    fn texts(&self) -> Option<Vec<Option<String>>> {
        infra::naming::sought([self.type_text.as_deref(), self.organization_text.as_deref()])
    }
}

struct Row {
    id: i64,
    code: String,
    name: String,
    english_name: Option<String>,
    type_id: i64,
    type_name: String,
    kind: CourseKind,
    organization_id: Option<i64>,
    organization_name: Option<String>,
    credits: f64,
    hours: i32,
    lecture_hours: i32,
    online_hours: i32,
    practice_hours: i32,
    self_study_hours: i32,
    exam_form: ExamForm,
    assess_mode: Option<AssessMode>,
    degree_course: bool,
    prerequisite_ids: Vec<i64>,
    prerequisite_names: Vec<String>,
    textbook_name: Option<String>,
    textbook_author: Option<String>,
    textbook_press: Option<String>,
    textbook_isbn: Option<String>,
    textbook_edition: Option<String>,
    introduction: Option<String>,
    syllabus_file_id: Option<i64>,
    syllabus_key: Option<String>,
    syllabus_name: Option<String>,
    cover_url: Option<String>,
    source: CourseSource,
    record_count: i64,
    question_count: i64,
    enabled: bool,
    sort_no: i32,
    version: i32,
}

impl From<Row> for Course {
    fn from(row: Row) -> Self {
        let textbook = row.textbook_name.map(|name| Textbook {
            name,
            author: row.textbook_author,
            press: row.textbook_press,
            isbn: row.textbook_isbn,
            edition: row.textbook_edition,
        });
        Self {
            id: row.id,
            code: row.code,
            name: row.name,
            english_name: row.english_name,
            type_id: row.type_id,
            type_name: row.type_name,
            kind: row.kind,
            organization_id: row.organization_id,
            organization_name: row.organization_name,
            credits: row.credits,
            hours: row.hours,
            lecture_hours: row.lecture_hours,
            online_hours: row.online_hours,
            practice_hours: row.practice_hours,
            self_study_hours: row.self_study_hours,
            exam_form: row.exam_form,
            assess_mode: row.assess_mode,
            degree_course: row.degree_course,
            prerequisite_ids: row.prerequisite_ids,
            prerequisite_names: row.prerequisite_names,
            textbook,
            introduction: row.introduction,
            syllabus_file_id: row.syllabus_file_id,
            syllabus_key: row.syllabus_key,
            syllabus_name: row.syllabus_name,
            cover_url: row.cover_url,
            source: row.source,
            record_count: row.record_count,
            question_count: row.question_count,
            enabled: row.enabled,
            sort_no: row.sort_no,
            version: row.version,
        }
    }
}

impl Listed for Courses {
    type Filter = CourseFilter;
    type Row = Course;

    fn id(row: &Course) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &CourseFilter,
        _scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<Course>)> {
        if let Some(order) = paging.order() {
            let all = select(connection, None, filter, None).try_collect().await?;
            return Ok(across::page_of(all, order, paging));
        }
        let total = count(connection, filter).await?;
        Ok((total, select(connection, None, filter, Some(paging)).try_collect().await?))
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &CourseFilter,
        _scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let texts = filter.texts();
        let keys = sqlx::query_as!(
            Key,
            r#"select c.id, c.created_at, count(*) over () as "total!"
               from course c join curriculum_type t on t.id = c.type_id
               where c.created_at <= $1
                 and ($2::text is null or strpos(c.name, $2) > 0 or starts_with(lower(c.code), lower($2)) or starts_with(c.initials, lower($2)))
                 and ($3::bigint is null or $3 in (t.id, t.parent_id))
                 and ($4::text is null or c.kind = $4)
                 and ($5::bigint is null or c.organization_id = $5)
                 and ($6::text is null or c.exam_form = $6)
                 and ($7::text is null or c.source = $7)
                 and ($8::float8 is null or c.credits >= $8)
                 and ($9::float8 is null or c.credits <= $9)
                 and ($10::boolean is null or c.enabled = $10)
                 and ($11::boolean is null or exists (select from course_record m where m.course_id = c.id) = $11)
                 and (($12::text[])[1] is null or exists (
                          select from curriculum_type x where x.id in (t.id, t.parent_id)
                              and (strpos(lower(x.code), ($12::text[])[1]) > 0 or strpos(lower(x.name), ($12::text[])[1]) > 0)))
                 and (($12::text[])[2] is null or c.organization_id = any(array(
                          select x.id from organization x where strpos(lower(x.code), ($12::text[])[2]) > 0 or strpos(lower(x.name), ($12::text[])[2]) > 0)))
               order by c.created_at desc, c.id
               limit $13"#,
            until,
            filter.keyword,
            filter.type_id,
            filter.kind.map(CourseKind::as_str),
            filter.organization_id,
            filter.exam_form.map(ExamForm::as_str),
            filter.source.map(CourseSource::as_str),
            filter.credits_from,
            filter.credits_to,
            filter.enabled,
            filter.has_records,
            texts.as_deref() as _,
            most
        )
        .fetch_all(connection)
        .await?;
        Ok(keys)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<Course>> {
        Ok(select(connection, Some(ids), &CourseFilter::default(), None).try_collect().await?)
    }
}

/// Courses in the list's order. A type stands for the types below it too.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<&[i64]>,
    filter: &CourseFilter,
    page: Option<Paging>,
) -> Rows<'c, Course> {
    let texts = filter.texts();
    let rows = sqlx::query_as!(
        Row,
        r#"select c.id, c.code, c.name, c.english_name, c.type_id, t.name as type_name, c.kind as "kind: _", c.organization_id,
                  o.name as "organization_name?", c.credits::float8 as "credits!", c.hours, c.lecture_hours, c.online_hours,
                  c.practice_hours, c.self_study_hours, c.exam_form as "exam_form: _", c.assess_mode as "assess_mode: _",
                  c.degree_course, p.ids as "prerequisite_ids!", p.names as "prerequisite_names!",
                  c.textbook_name, c.textbook_author, c.textbook_press, c.textbook_isbn, c.textbook_edition, c.introduction,
                  c.syllabus_file_id, f.key as "syllabus_key?", f.original_name as "syllabus_name?", c.cover_url,
                  c.source as "source: _", (select count(*) from course_record m where m.course_id = c.id) as "record_count!",
                  -- A bank of its owner tells nobody else what is in it.
                  (select count(*) from question q join question_bank b on b.id = q.bank_id
                   where q.course_id = c.id and q.parent_id is null and q.status = 'enabled' and b.enabled
                     and b.visibility = 'school') as "question_count!",
                  c.enabled, c.sort_no, c.version
           from course c
           join curriculum_type t on t.id = c.type_id
           left join organization o on o.id = c.organization_id
           left join file_object f on f.id = c.syllabus_file_id
           cross join lateral (
               select coalesce(array_agg(e.id order by e.code), '{}') as ids, coalesce(array_agg(e.name order by e.code), '{}') as names
               from course_prerequisite r join course e on e.id = r.prerequisite_id where r.course_id = c.id) p
           where ($1::bigint[] is null or c.id = any($1))
             and ($2::text is null or strpos(c.name, $2) > 0 or starts_with(lower(c.code), lower($2)) or starts_with(c.initials, lower($2)))
             and ($3::bigint is null or $3 in (t.id, t.parent_id))
             and ($4::text is null or c.kind = $4)
             and ($5::bigint is null or c.organization_id = $5)
             and ($6::text is null or c.exam_form = $6)
             and ($7::text is null or c.source = $7)
             and ($8::float8 is null or c.credits >= $8)
             and ($9::float8 is null or c.credits <= $9)
             and ($10::boolean is null or c.enabled = $10)
             and ($11::boolean is null or exists (select from course_record m where m.course_id = c.id) = $11)
             and (($12::text[])[1] is null or exists (
                      select from curriculum_type x where x.id in (t.id, t.parent_id)
                          and (strpos(lower(x.code), ($12::text[])[1]) > 0 or strpos(lower(x.name), ($12::text[])[1]) > 0)))
             and (($12::text[])[2] is null or c.organization_id = any(array(
                      select x.id from organization x where strpos(lower(x.code), ($12::text[])[2]) > 0 or strpos(lower(x.name), ($12::text[])[2]) > 0)))
           order by c.sort_no, c.code
           limit $13 offset $14"#,
        only,
        filter.keyword,
        filter.type_id,
        filter.kind.map(CourseKind::as_str),
        filter.organization_id,
        filter.exam_form.map(ExamForm::as_str),
        filter.source.map(CourseSource::as_str),
        filter.credits_from,
        filter.credits_to,
        filter.enabled,
        filter.has_records,
        texts.as_deref() as _,
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows.map_ok(Course::from))
}

async fn count(connection: &mut PgConnection, filter: &CourseFilter) -> Result<i64> {
    let texts = filter.texts();
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from course c join curriculum_type t on t.id = c.type_id
           where ($1::text is null or strpos(c.name, $1) > 0 or starts_with(lower(c.code), lower($1)) or starts_with(c.initials, lower($1)))
             and ($2::bigint is null or $2 in (t.id, t.parent_id))
             and ($3::text is null or c.kind = $3)
             and ($4::bigint is null or c.organization_id = $4)
             and ($5::text is null or c.exam_form = $5)
             and ($6::text is null or c.source = $6)
             and ($7::float8 is null or c.credits >= $7)
             and ($8::float8 is null or c.credits <= $8)
             and ($9::boolean is null or c.enabled = $9)
             and ($10::boolean is null or exists (select from course_record m where m.course_id = c.id) = $10)
             and (($11::text[])[1] is null or exists (
                      select from curriculum_type x where x.id in (t.id, t.parent_id)
                          and (strpos(lower(x.code), ($11::text[])[1]) > 0 or strpos(lower(x.name), ($11::text[])[1]) > 0)))
             and (($11::text[])[2] is null or c.organization_id = any(array(
                      select x.id from organization x where strpos(lower(x.code), ($11::text[])[2]) > 0 or strpos(lower(x.name), ($11::text[])[2]) > 0)))"#,
        filter.keyword,
        filter.type_id,
        filter.kind.map(CourseKind::as_str),
        filter.organization_id,
        filter.exam_form.map(ExamForm::as_str),
        filter.source.map(CourseSource::as_str),
        filter.credits_from,
        filter.credits_to,
        filter.enabled,
        filter.has_records,
        texts.as_deref() as _
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

pub(crate) async fn find(connection: &mut PgConnection, id: i64) -> Result<Course> {
    let found = select(connection, Some(&[id]), &CourseFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
