//! 某日学籍: the register as it stood at the end of a day, out of the history of each student.
//!
//! A field holds what the first change after the day found in it, else what it holds now; whoever is enrolled from a later day on was
//! no student yet. What no history is kept of (photos, ways to be reached) is not told. The data scope is that of today: whoever may see a
//! student now sees what they were.

use chrono::NaiveDate;
use infra::{
    Allowed, App, Body, Error, Page, Paged, Reply, Result, Scope, Window, mask, reply,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows},
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;
use student_status_rules::as_of::AsOfFilter;

use super::{DownloadStudents, ListStudents};
use crate::{
    enums::{StudentStatus, StudyForm},
    id_card::Gender,
};

/// A student as they stood.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentAsOf {
    /// 编号
    pub id: i64,
    /// 学号
    /// 现在的学号
    pub student_no: Option<String>,
    /// 考生号
    pub examinee_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 性别
    pub gender: Option<Gender>,
    /// 证件号
    pub id_card_no: String,
    /// 年级
    pub grade_name: String,
    /// 层次
    pub level_name: String,
    /// 专业
    pub major_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 站点
    pub site_name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 学籍状态
    pub status: StudentStatus,
    /// 入学日期
    pub enrolled_on: NaiveDate,
    /// 之后的变动次数
    /// 该日之后生效的学籍变动
    pub later_changes: i64,
}

impl StudentAsOf {
    fn mask(&mut self) {
        self.id_card_no = mask::id_card(&self.id_card_no);
    }
}

/// A statement over `stood`: the students who on the day of the filter were what it asks for. A change names only the fields that
/// it touched, and its status only where that changed: one recorded early may take effect late.
///
/// Most of them are found by what the register says today: nothing that is asked for changed since. Of the others some later
/// change found a value that is asked for; their history says whether it was that of the day. What is not asked for falls away,
/// as each call is planned with its values. `$near` orders and limits the first of the two, where a page needs no more of it.
macro_rules! of_day {
    ($query:ident [$($row:ident)?] [$($near:tt)*] [$($head:tt)+] $filter:ident $scope:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            r#"with stood as (
                   (select s.id, s.created_at
                    from student s
                    where s.enrolled_on <= $1
                      and ($2::bigint is null or s.id = $2)
                      and ($3::bigint[] is null or s.site_id = any($3) or s.class_id = any($4::bigint[]))
                      and ($5::text[] is null or s.status = any($5))
                      and ($6::bigint is null or s.grade_id = $6)
                      and ($7::bigint is null or s.level_id = $7)
                      and ($8::bigint is null or s.major_id = $8)
                      and ($9::bigint is null or s.site_id = $9)
                      and ($10::bigint is null or s.class_id = $10)
                      and ($11::text is null or s.name_grams @> $12::text[] and strpos(s.name, $11) > 0 or s.id_card_no = upper($11)
                           or s.examinee_no = $11 or s.student_no = $11)
                      and not exists (
                          select from student_status_change h
                          where h.student_id = s.id and h.effective_on > $1
                            and ($5::text[] is not null and h.from_status <> h.to_status
                                 or $6::bigint is not null and h.before ? 'gradeId'
                                 or $7::bigint is not null and h.before ? 'levelId'
                                 or $8::bigint is not null and h.before ? 'majorId'
                                 or $9::bigint is not null and h.before ? 'siteId'
                                 or $10::bigint is not null and h.before ? 'classId'
                                 or $11::text is not null and h.before ?| array['name', 'idCardNo', 'examineeNo']))"#
                   $($near)* +
                 r#")
                   union all
                   select s.id, s.created_at
                   from (select distinct h.student_id
                         from student_status_change h
                         where h.effective_on > $1
                           and ($5::text[] is not null and h.from_status <> h.to_status and h.from_status = any($5)
                                or $6::bigint is not null and h.before @> jsonb_build_object('gradeId', $6::bigint)
                                or $7::bigint is not null and h.before @> jsonb_build_object('levelId', $7::bigint)
                                or $8::bigint is not null and h.before @> jsonb_build_object('majorId', $8::bigint)
                                or $9::bigint is not null and h.before @> jsonb_build_object('siteId', $9::bigint)
                                or $10::bigint is not null and h.before @> jsonb_build_object('classId', $10::bigint)
                                or $11::text is not null and h.before ?| array['name', 'idCardNo', 'examineeNo'])) m
                   join student s on s.id = m.student_id
                   cross join lateral (
                       select jsonb_object_agg(e.key, e.value order by h.effective_on desc, h.id desc) as was
                       from student_status_change h cross join jsonb_each(h.before) e
                       where h.student_id = m.student_id and h.effective_on > $1
                         and ($6::bigint is not null or $7::bigint is not null or $8::bigint is not null
                              or $9::bigint is not null or $10::bigint is not null or $11::text is not null)) w
                   where s.enrolled_on <= $1
                     and ($2::bigint is null or s.id = $2)
                     and ($3::bigint[] is null or s.site_id = any($3) or s.class_id = any($4::bigint[]))
                     and ($5::text[] is null or coalesce(
                              (select h.from_status from student_status_change h
                               where h.student_id = s.id and h.effective_on > $1 and h.from_status <> h.to_status
                               order by h.effective_on, h.id limit 1), s.status) = any($5))
                     and ($6::bigint is null
                          or case when w.was ? 'gradeId' then (w.was ->> 'gradeId')::bigint else s.grade_id end = $6)
                     and ($7::bigint is null
                          or case when w.was ? 'levelId' then (w.was ->> 'levelId')::bigint else s.level_id end = $7)
                     and ($8::bigint is null
                          or case when w.was ? 'majorId' then (w.was ->> 'majorId')::bigint else s.major_id end = $8)
                     and ($9::bigint is null
                          or case when w.was ? 'siteId' then (w.was ->> 'siteId')::bigint else s.site_id end = $9)
                     and ($10::bigint is null
                          or case when w.was ? 'classId' then (w.was ->> 'classId')::bigint else s.class_id end = $10)
                     and ($11::text is null
                          or strpos(case when w.was ? 'name' then w.was ->> 'name' else s.name end, $11) > 0
                          or case when w.was ? 'idCardNo' then w.was ->> 'idCardNo' else s.id_card_no end = upper($11)
                          or case when w.was ? 'examineeNo' then w.was ->> 'examineeNo' else s.examinee_no end = $11
                          or s.student_no = $11)) "# +
            $($head)+ $($tail)*,
            $filter.day()?,
            $filter.id,
            $scope.sites(),
            $scope.classes(),
            $filter.statuses() as Option<Vec<&'static str>>,
            $filter.grade_id,
            $filter.level_id,
            $filter.major_id,
            $filter.site_id,
            $filter.class_id,
            $filter.keyword(),
            $filter.grams() as Option<Vec<String>>
            $(, $extra)*
        )
    };
}

/// Those of a page, or all; in the list's order. Only of those who are shown the whole history since is read: the first later
/// change that names a field has its value of the day.
macro_rules! lines {
    ($filter:ident, $scope:ident, $from_end:expr, $limit:expr, $offset:expr) => {
        of_day!(query_as [StudentAsOf]
            [+ " order by case when $13 then s.created_at end, case when $13 then s.id end, s.created_at desc, s.id desc
                 limit $14::bigint + $15::bigint"]
            [r#"select s.id as "id!", s.student_no,
                       case when w.was ? 'examineeNo' then w.was ->> 'examineeNo' else s.examinee_no end as "examinee_no?",
                       case when w.was ? 'name' then w.was ->> 'name' else s.name end as "name!",
                       case when w.was ? 'gender' then w.was ->> 'gender' else s.gender end as "gender?: _",
                       case when w.was ? 'idCardNo' then w.was ->> 'idCardNo' else s.id_card_no end as "id_card_no!",
                       g.name as "grade_name!", l.name as "level_name!", m.name as "major_name!",
                       case when w.was ? 'studyForm' then w.was ->> 'studyForm' else s.study_form end as "study_form!: _",
                       i.name as "site_name!", c.name as "class_name?", coalesce(w.status, s.status) as "status!: _",
                       s.enrolled_on as "enrolled_on!", w.changes as "later_changes!"
                from (select t.id from stood t
                      order by case when $13 then t.created_at end, case when $13 then t.id end, t.created_at desc, t.id desc
                      limit $14::bigint offset $15::bigint) k
                join student s on s.id = k.id
                cross join lateral (
                    select count(distinct h.id) as changes,
                           (array_agg(h.from_status order by h.effective_on, h.id)
                                filter (where h.from_status <> h.to_status))[1] as status,
                           coalesce(jsonb_object_agg(e.key, e.value order by h.effective_on desc, h.id desc)
                                        filter (where e.key is not null), '{}') as was
                    from student_status_change h left join jsonb_each(h.before) e on true
                    where h.student_id = s.id and h.effective_on > $1) w
                join grade g
                    on g.id = case when w.was ? 'gradeId' then (w.was ->> 'gradeId')::bigint else s.grade_id end
                join level l
                    on l.id = case when w.was ? 'levelId' then (w.was ->> 'levelId')::bigint else s.level_id end
                join major m
                    on m.id = case when w.was ? 'majorId' then (w.was ->> 'majorId')::bigint else s.major_id end
                join site i on i.id = case when w.was ? 'siteId' then (w.was ->> 'siteId')::bigint else s.site_id end
                left join class c
                    on c.id = case when w.was ? 'classId' then (w.was ->> 'classId')::bigint else s.class_id end"#]
            $filter $scope
            [+ " order by s.created_at desc, s.id desc"],
            $from_end,
            $limit,
            $offset)
    };
}

pub struct AsOf;

#[OpenApi(prefix_path = "/adult/pc/studentRoll/asOf", tag = "crate::Tag::StudentStatus")]
impl AsOf {
    /// 某日学籍
    /// 按学籍变动记录还原当日的状态、专业、站点和班级
    #[oai(path = "/list", method = "post", operation_id = "listStudentsAsOf")]
    async fn list(
        &self,
        caller: Allowed<ListStudents>,
        Body(asked): Body<Paged<AsOfFilter>>,
    ) -> Result<Reply<Page<StudentAsOf>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        past(caller.app(), &filter)?;
        let mut tx = caller.read().await?;
        let scope = caller.scope();
        let total = count(&mut tx, &filter, &scope).await?;
        let mut list: Vec<StudentAsOf> = match Window::of(paging, total) {
            Some(page) => {
                lines!(filter, scope, page.from_end, Some(page.limit), page.offset).fetch_all(&mut *tx).await?
            }
            None => Vec::new(),
        };
        list.iter_mut().for_each(StudentAsOf::mask);
        Ok(reply(paging.page(total, list)))
    }

    /// 导出某日学籍
    #[oai(path = "/export", method = "post", operation_id = "exportStudentsAsOf")]
    async fn export(
        &self,
        caller: Allowed<DownloadStudents>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<AsOfFilter>>,
    ) -> Result<Exported> {
        past(caller.app(), &asked.filter)?;
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// Nobody knows the register of tomorrow.
fn past(app: &App, filter: &AsOfFilter) -> Result<()> {
    if filter.day()? > app.clock().today() {
        return Err(Error::field("on", "日期不能晚于今天"));
    }
    Ok(())
}

impl Export for AsOf {
    type Filter = AsOfFilter;
    type Row = StudentAsOf;
    const KIND: &'static str = "student.export_as_of";
    type Permission = DownloadStudents;
    const PLAIN: Option<&'static str> = Some("adult:pc:studentRoll:exportPlain");
    const TITLE: &'static str = "某日学籍";
    const COLUMNS: &'static [Column<StudentAsOf>] = &[
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "考生号", width: 18, cell: |row| Cell::text(row.examinee_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "性别", width: 6, cell: |row| Cell::text(row.gender.map(|gender| gender.zh())) },
        Column { heading: "证件号", width: 22, cell: |row| Cell::Text(row.id_card_no.clone()) },
        Column { heading: "年级", width: 10, cell: |row| Cell::Text(row.grade_name.clone()) },
        Column { heading: "层次", width: 10, cell: |row| Cell::Text(row.level_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "学习形式", width: 10, cell: |row| Cell::Text(row.study_form.zh().to_owned()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "学籍状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "入学日期", width: 12, cell: |row| Cell::Date(row.enrolled_on) },
        Column { heading: "之后的变动次数", width: 14, cell: |row| Cell::Int(row.later_changes) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &AsOfFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, StudentAsOf>> {
        Ok(Box::pin(lines!(filter, scope, false, None::<i64>, 0_i64).fetch(connection)))
    }

    fn mask(row: &mut StudentAsOf) {
        row.mask();
    }
}

async fn count(connection: &mut PgConnection, filter: &AsOfFilter, scope: &Scope) -> Result<i64> {
    let total = of_day!(query_scalar [] [] [r#"select count(*) as "count!" from stood"#] filter scope []);
    Ok(total.fetch_one(connection).await?)
}
