//! 某日学籍: the register as it stood at the end of a day, out of the history of each student.
//!
//! A field holds what the first change after the day found in it, else what it holds now; whoever was entered later was no student
//! yet. What no history is kept of (photos, ways to be reached) is not told. The data scope is that of today: whoever may see a
//! student now sees what they were.

use chrono::NaiveDate;
use infra::{
    Allowed, App, Body, Error, Page, Paged, Reply, Result, Scope, mask, reply,
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

/// A statement over `stood`: the students as they stood on the day of the filter. A change names only the
/// fields that it touched, and its status only where that changed: one recorded early may take effect late.
macro_rules! of_day {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $filter:ident $scope:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            r#"with later as (
                   select student_id, count(*) as changes, bool_or(kind = 'enrol') as entered,
                          (array_agg(from_status order by effective_on, id) filter (where from_status <> to_status))[1] as status,
                          (array_agg(before -> 'name' order by effective_on, id) filter (where before ? 'name'))[1] as name,
                          (array_agg(before -> 'gender' order by effective_on, id) filter (where before ? 'gender'))[1] as gender,
                          (array_agg(before -> 'idCardNo' order by effective_on, id) filter (where before ? 'idCardNo'))[1] as card,
                          (array_agg(before -> 'examineeNo' order by effective_on, id)
                               filter (where before ? 'examineeNo'))[1] as examinee_no,
                          (array_agg(before -> 'gradeId' order by effective_on, id) filter (where before ? 'gradeId'))[1] as grade,
                          (array_agg(before -> 'levelId' order by effective_on, id) filter (where before ? 'levelId'))[1] as level,
                          (array_agg(before -> 'majorId' order by effective_on, id) filter (where before ? 'majorId'))[1] as major,
                          (array_agg(before -> 'studyForm' order by effective_on, id)
                               filter (where before ? 'studyForm'))[1] as form,
                          (array_agg(before -> 'siteId' order by effective_on, id) filter (where before ? 'siteId'))[1] as site,
                          (array_agg(before -> 'classId' order by effective_on, id) filter (where before ? 'classId'))[1] as class
                   from student_status_change
                   where effective_on > $1
                   group by student_id),
               stood as (
                   select s.id, s.student_no, s.enrolled_on, s.created_at, coalesce(h.changes, 0) as changes,
                          coalesce(h.status, s.status) as status,
                          case when h.name is null then s.name else h.name #>> '{}' end as name,
                          case when h.gender is null then s.gender else h.gender #>> '{}' end as gender,
                          case when h.card is null then s.id_card_no else h.card #>> '{}' end as id_card_no,
                          case when h.examinee_no is null then s.examinee_no else h.examinee_no #>> '{}' end as examinee_no,
                          case when h.grade is null then s.grade_id else (h.grade #>> '{}')::bigint end as grade_id,
                          case when h.level is null then s.level_id else (h.level #>> '{}')::bigint end as level_id,
                          case when h.major is null then s.major_id else (h.major #>> '{}')::bigint end as major_id,
                          case when h.form is null then s.study_form else h.form #>> '{}' end as study_form,
                          case when h.site is null then s.site_id else (h.site #>> '{}')::bigint end as site_id,
                          case when h.class is null then s.class_id else (h.class #>> '{}')::bigint end as class_id
                   from student s
                   left join later h on h.student_id = s.id
                   where s.enrolled_on <= $1 and h.entered is not true
                     and ($2::bigint is null or s.id = $2)
                     and ($3::bigint[] is null or s.site_id = any($3) or s.class_id = any($4::bigint[]))) "# +
            $($head)+ +
            " where ($5::text[] is null or t.status = any($5))
                and ($6::bigint is null or t.grade_id = $6)
                and ($7::bigint is null or t.level_id = $7)
                and ($8::bigint is null or t.major_id = $8)
                and ($9::bigint is null or t.site_id = $9)
                and ($10::bigint is null or t.class_id = $10)
                and ($11::text is null or strpos(t.name, $11) > 0 or t.id_card_no = upper($11) or t.examinee_no = $11
                     or t.student_no = $11) " $($tail)*,
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
            $filter.keyword.as_deref().map(str::trim).filter(|text| !text.is_empty())
            $(, $extra)*
        )
    };
}

/// Those of a page, or all; in the list's order.
macro_rules! lines {
    ($filter:ident, $scope:ident, $limit:expr, $offset:expr) => {
        of_day!(query_as [StudentAsOf]
            [r#"select t.id as "id!", t.student_no, t.examinee_no, t.name as "name!", t.gender as "gender: _",
                       t.id_card_no as "id_card_no!", g.name as "grade_name!", l.name as "level_name!", m.name as "major_name!",
                       t.study_form as "study_form!: _", i.name as "site_name!", c.name as "class_name?",
                       t.status as "status!: _", t.enrolled_on as "enrolled_on!", t.changes as "later_changes!"
                from stood t
                join grade g on g.id = t.grade_id join level l on l.id = t.level_id join major m on m.id = t.major_id
                join site i on i.id = t.site_id left join class c on c.id = t.class_id"#]
            $filter $scope
            [+ " order by t.created_at desc, t.id desc limit $12 offset $13"],
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
        let total = count(&mut tx, &filter, &caller.scope()).await?;
        let scope = caller.scope();
        let mut list: Vec<StudentAsOf> =
            lines!(filter, scope, Some(paging.limit()), paging.offset()).fetch_all(&mut *tx).await?;
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
        Ok(Box::pin(lines!(filter, scope, None::<i64>, 0_i64).fetch(connection)))
    }

    fn mask(row: &mut StudentAsOf) {
        row.mask();
    }
}

async fn count(connection: &mut PgConnection, filter: &AsOfFilter, scope: &Scope) -> Result<i64> {
    let total = of_day!(query_scalar [] [r#"select count(*) as "count!" from stood t"#] filter scope []);
    Ok(total.fetch_one(connection).await?)
}
