//! 预报名列表: everybody who wants to study, newest first (02 §3).

use chrono::NaiveDate;
use infra::{
    Allowed, Body, Paged, Paging, Reply, Result, Scope, Window,
    across::{self, Key, Listed, SchoolPage, Segment},
    clock::Moment,
    mask,
    transfer::Rows,
};
use poem_openapi::{Object, OpenApi};
use sqlx::PgConnection;
use student_status::{
    enums::{PreEduLevel, StudyForm},
    keyword::{Keyword, classify},
};

use super::ListPreRegistrations;
use crate::{
    enums::{ExamStatus, FunnelStep, PersonSource, PreRegistrationStatus},
    id_card::{Gender, IdCardType},
};

/// A line of the list.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PreRegistrationRow {
    /// 编号
    pub id: i64,
    /// 批次编号
    pub batch_id: i64,
    /// 批次
    pub batch_name: String,
    /// 姓名
    pub name: String,
    /// 性别
    pub gender: Gender,
    /// 证件类型
    pub id_card_type: IdCardType,
    /// 证件号
    pub id_card_no: String,
    /// 手机
    pub phone: String,
    /// 手机重复
    /// 同批次另有人使用该手机
    pub phone_duplicate: bool,
    /// 层次
    pub level_name: String,
    /// 专业
    pub major_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 站点
    pub site_name: String,
    /// 入学前学历
    pub pre_edu_level: Option<PreEduLevel>,
    /// 来源
    pub source: PersonSource,
    /// 网报号
    pub provincial_reg_no: Option<String>,
    /// 考生号
    pub examinee_no: Option<String>,
    /// 审核状态
    pub status: PreRegistrationStatus,
    /// 考试状态
    pub exam_status: ExamStatus,
    /// 在读
    /// 现为本校在籍学生，入学前毕业
    pub dup_student: bool,
    /// 报名时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

impl PreRegistrationRow {
    /// As everybody sees it who may not see whole numbers (05 E4).
    pub(super) fn mask(&mut self) {
        self.id_card_no = mask::id_card(&self.id_card_no);
        self.phone = mask::phone(&self.phone);
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct PreRegistrationFilter {
    /// 批次
    pub batch_id: Option<i64>,
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
    /// 年级
    /// 编码或名称包含；查看全部院校时代替年级编号
    #[oai(validator(max_length = 50))]
    pub grade_text: Option<String>,
    /// 层次
    /// 编码或名称包含；查看全部院校时代替层次编号
    #[oai(validator(max_length = 50))]
    pub level_text: Option<String>,
    /// 专业
    /// 编码或名称包含；查看全部院校时代替专业编号
    #[oai(validator(max_length = 50))]
    pub major_text: Option<String>,
    /// 站点
    /// 编码或名称包含；查看全部院校时代替站点编号
    #[oai(validator(max_length = 50))]
    pub site_text: Option<String>,
    /// 关键字
    /// 姓名、证件号、手机、网报号或考生号
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 审核状态
    pub status: Option<PreRegistrationStatus>,
    /// 考试状态
    pub exam_status: Option<ExamStatus>,
    /// 进展
    /// 转化统计中网报、报到的人员
    pub reached: Option<FunnelStep>,
    /// 来源
    pub source: Option<PersonSource>,
    /// 报名日期自
    pub created_from: Option<NaiveDate>,
    /// 报名日期至
    pub created_to: Option<NaiveDate>,
    /// 名单
    /// 姓名、网报号、考生号、证件号或手机，最多500项
    #[oai(validator(max_items = 500))]
    pub among: Option<Vec<String>>,
    /// 导入时间
    /// 一次导入的人员，时间见导入结果
    pub entered_at: Option<Moment>,
}

/// The filter, ready to be bound. A filter that is not set does not count: with custom plans its part of the
/// condition is folded away.
#[derive(Debug, Clone, Default)]
pub(super) struct Wanted {
    pub filter: PreRegistrationFilter,
    pub keyword: Keyword,
    pub among: Option<Vec<String>>,
    /// What the codes or names of grade, level, major and site contain.
    pub texts: Option<Vec<Option<String>>>,
    pub scope: Scope,
}

impl PreRegistrationFilter {
    pub(super) fn wanted(&self, scope: &Scope) -> Wanted {
        Wanted {
            keyword: self.keyword.as_deref().map(classify).unwrap_or_default(),
            among: infra::among::named(self.among.as_deref()),
            texts: infra::naming::sought([
                self.grade_text.as_deref(),
                self.level_text.as_deref(),
                self.major_text.as_deref(),
                self.site_text.as_deref(),
            ]),
            filter: self.clone(),
            scope: scope.clone(),
        }
    }
}

/// A statement over the live `pre_registration p` with the condition of a [`Wanted`] in its middle: the macro of sqlx, the
/// row type, the text before, the wanted, the text behind (parameters from `$21`) and its parameters.
macro_rules! of_list {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " where p.deleted_at is null
                and ($1::bigint is null or p.batch_id = $1)
                and ($2::bigint is null or p.grade_id = $2)
                and ($3::bigint is null or p.level_id = $3)
                and ($4::bigint is null or p.major_id = $4)
                and ($5::text is null or p.study_form = $5)
                and ($6::bigint is null or p.site_id = $6)
                and ($7::text is null or p.id_card_no = $7)
                and ($8::text is null or p.phone = $8)
                and ($9::text is null or p.examinee_no like $9 or p.provincial_reg_no like $9
                     or p.id_card_no = rtrim($9, '%')
                     or ($9 !~ '[0-9]' and p.initials like lower(rtrim($9, '%')) || '%'))
                and ($10::text[] is null or p.name_grams @> $10)
                and ($11::text is null or p.status = $11)
                and ($12::text is null or p.exam_status = $12)
                and ($13::text is null or p.source = $13)
                and ($14::timestamptz is null or p.created_at >= $14)
                and ($15::timestamptz is null or p.created_at < $15)
                and ($16::bigint[] is null or p.site_id = any($16))
                and ($17::text[] is null or p.name = any($17) or p.examinee_no = any($17) or p.provincial_reg_no = any($17)
                     or p.id_card_no = any($17) or p.phone = any($17))
                and ($18::timestamptz is null or p.created_at = $18)
                and (($19::text[])[1] is null or p.grade_id = any(array(
                         select x.id from grade x where strpos(lower(x.code), ($19::text[])[1]) > 0 or strpos(lower(x.name), ($19::text[])[1]) > 0)))
                and (($19::text[])[2] is null or p.level_id = any(array(
                         select x.id from level x where strpos(lower(x.code), ($19::text[])[2]) > 0 or strpos(lower(x.name), ($19::text[])[2]) > 0)))
                and (($19::text[])[3] is null or p.major_id = any(array(
                         select x.id from major x where strpos(lower(x.code), ($19::text[])[3]) > 0 or strpos(lower(x.name), ($19::text[])[3]) > 0)))
                and (($19::text[])[4] is null or p.site_id = any(array(
                         select x.id from site x where strpos(lower(x.code), ($19::text[])[4]) > 0 or strpos(lower(x.name), ($19::text[])[4]) > 0)))
                and ($20::text is null or p.exam_status <> 'none')
                and ($20::text is distinct from 'reported' or p.exam_status = 'admitted' and exists (
                         select from admission a join registration r on r.admission_id = a.id
                         where a.pre_registration_id = p.id and r.status = 'reported' and r.deleted_at is null)) " $($tail)*,
            $wanted.filter.batch_id,
            $wanted.filter.grade_id,
            $wanted.filter.level_id,
            $wanted.filter.major_id,
            $wanted.filter.study_form.map(student_status::enums::StudyForm::as_str),
            $wanted.filter.site_id,
            $wanted.keyword.id_card_no.as_deref(),
            $wanted.keyword.phone.as_deref(),
            $wanted.keyword.number.as_deref(),
            $wanted.keyword.name_grams.as_deref(),
            $wanted.filter.status.map($crate::enums::PreRegistrationStatus::as_str),
            $wanted.filter.exam_status.map($crate::enums::ExamStatus::as_str),
            $wanted.filter.source.map($crate::enums::PersonSource::as_str),
            $wanted.filter.created_from.map(infra::clock::day_began),
            $wanted.filter.created_to.map(infra::clock::day_ended),
            $wanted.scope.sites(),
            $wanted.among.as_deref(),
            $wanted.filter.entered_at,
            $wanted.texts.as_deref() as _,
            $wanted.filter.reached.map($crate::enums::FunnelStep::as_str)
            $(, $extra)*
        )
    };
}

pub(super) use of_list;

/// The lines of the people that `$from` names as `p`.
macro_rules! lines {
    ([$($from:tt)+] $wanted:ident [$($tail:tt)+] $(, $extra:expr)*) => {
        of_list!(query_as [PreRegistrationRow]
            [r#"select p.id, p.batch_id, b.name as "batch_name!", p.name, p.gender as "gender: _",
                       p.id_card_type as "id_card_type: _", p.id_card_no, p.phone, p.phone_duplicate,
                       l.name as "level_name!", m.name as "major_name!", p.study_form as "study_form: _",
                       t.name as "site_name!", p.pre_edu_level as "pre_edu_level: _", p.source as "source: _",
                       p.provincial_reg_no, p.examinee_no, p.status as "status: _", p.exam_status as "exam_status: _",
                       p.dup_student, p.created_at, p.version "# + $($from)+]
            $wanted [$($tail)+] $(, $extra)*)
    };
}

pub struct List;

#[OpenApi(prefix_path = "/adult/pc/preRegistration", tag = "crate::Tag::Recruitment")]
impl List {
    /// 预报名列表
    #[oai(path = "/list", method = "post", operation_id = "listPreRegistrations")]
    async fn list(
        &self,
        caller: Allowed<ListPreRegistrations>,
        Body(asked): Body<Paged<PreRegistrationFilter>>,
    ) -> Result<Reply<SchoolPage<PreRegistrationRow>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }
}

impl Listed for List {
    type Filter = PreRegistrationFilter;
    type Row = PreRegistrationRow;

    fn id(row: &PreRegistrationRow) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &PreRegistrationFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<PreRegistrationRow>)> {
        let wanted = filter.wanted(scope);
        let total = of_list!(query_scalar [] [r#"select count(*) as "count!" from pre_registration p"#] wanted []);
        let total = total.fetch_one(&mut *connection).await?;
        Ok((total, shown(connection, &wanted, paging, total).await?))
    }

    /// Who came is found by their admission and registration: the tabs count them, and their sum is the list's.
    async fn page_with_segments(
        connection: &mut PgConnection,
        filter: &PreRegistrationFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<PreRegistrationRow>, Vec<Segment>)> {
        let segments = Self::segments(&mut *connection, filter, scope).await?;
        let total = Segment::total(&segments, filter.status.map(PreRegistrationStatus::as_str));
        let list = shown(connection, &filter.wanted(scope), paging, total).await?;
        Ok((total, list, segments))
    }

    async fn segments(
        connection: &mut PgConnection,
        filter: &PreRegistrationFilter,
        scope: &Scope,
    ) -> Result<Vec<Segment>> {
        let wanted = PreRegistrationFilter { status: None, ..filter.clone() }.wanted(scope);
        let found = of_list!(query_as [Segment]
            [r#"select p.status as value, count(*) as "count!" from pre_registration p"#]
            wanted
            [+ " group by p.status"]);
        let found = found.fetch_all(connection).await?;
        let of = |status: PreRegistrationStatus| {
            found.iter().find(|segment| segment.value == status.as_str()).map_or(0, |segment| segment.count)
        };
        Ok(PreRegistrationStatus::CHOICES
            .iter()
            .map(|(_, status)| Segment { value: status.as_str().to_owned(), count: of(*status) })
            .collect())
    }

    async fn not_found(
        connection: &mut PgConnection,
        filter: &PreRegistrationFilter,
        scope: &Scope,
    ) -> Result<Vec<String>> {
        let Some(among) = infra::among::named(filter.among.as_deref()) else { return Ok(Vec::new()) };
        let missing = sqlx::query_scalar!(
            r#"select n.named as "named!" from unnest($1::text[]) with ordinality as n (named, place)
               where not exists (
                   select from pre_registration p
                   where p.deleted_at is null
                     and (p.name = n.named or p.examinee_no = n.named or p.provincial_reg_no = n.named
                          or p.id_card_no = n.named or p.phone = n.named)
                     and ($2::bigint[] is null or p.site_id = any($2)))
               order by n.place"#,
            &among,
            scope.sites()
        );
        Ok(missing.fetch_all(connection).await?)
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &PreRegistrationFilter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let wanted = filter.wanted(scope);
        let keys = of_list!(query_as [Key]
            [r#"select p.id, p.created_at, count(*) over () as "total!" from pre_registration p"#]
            wanted
            [+ " and p.created_at <= $21 order by p.created_at desc, p.id limit $22"],
            until,
            most);
        Ok(keys.fetch_all(connection).await?)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<PreRegistrationRow>> {
        let wanted = PreRegistrationFilter::default().wanted(&Scope::whole_school());
        let rows = lines!(
            ["from pre_registration p
              join pre_registration_batch b on b.id = p.batch_id
              join level l on l.id = p.level_id join major m on m.id = p.major_id join site t on t.id = p.site_id"]
            wanted
            [+ " and p.id = any($21)"],
            ids
        );
        let mut list = rows.fetch_all(connection).await?;
        list.iter_mut().for_each(PreRegistrationRow::mask);
        Ok(list)
    }
}

/// A page of so many rows, as lists show it.
async fn shown(
    connection: &mut PgConnection,
    wanted: &Wanted,
    paging: Paging,
    total: i64,
) -> Result<Vec<PreRegistrationRow>> {
    let mut list = match Window::of(paging, total) {
        Some(window) => page(connection, wanted, window).await?,
        None => Vec::new(),
    };
    list.iter_mut().for_each(PreRegistrationRow::mask);
    Ok(list)
}

/// The numbers of the page's rows come in order out of an index; only then the rows are looked at. Whether somebody came is looked up
/// for one after the other until the page is full; by `limit 1`, because without it everybody who came is collected first.
async fn page(connection: &mut PgConnection, wanted: &Wanted, window: Window) -> Result<Vec<PreRegistrationRow>> {
    let reached = wanted.filter.reached.map(FunnelStep::as_str);
    let any = Wanted { filter: PreRegistrationFilter { reached: None, ..wanted.filter.clone() }, ..wanted.clone() };
    let rows = lines!(
        ["from (select p.id as pid from pre_registration p"]
        any
        [+ " and ($24::text is null or p.exam_status <> 'none')
                and ($24::text is distinct from 'reported' or p.exam_status = 'admitted' and (
                         select true from admission a join registration r on r.admission_id = a.id
                         where a.pre_registration_id = p.id and r.status = 'reported' and r.deleted_at is null limit 1))
                order by case when $21 then p.created_at end, case when $21 then p.id end, p.created_at desc, p.id desc
                limit $22 offset $23) k
          join pre_registration p on p.id = k.pid
          join pre_registration_batch b on b.id = p.batch_id
          join level l on l.id = p.level_id join major m on m.id = p.major_id join site t on t.id = p.site_id
          order by p.created_at desc, p.id desc"],
        window.from_end,
        window.limit,
        window.offset,
        reached
    );
    Ok(rows.fetch_all(connection).await?)
}

/// Every line, in the list's order.
pub(super) fn all<'c>(connection: &'c mut PgConnection, wanted: &Wanted) -> Rows<'c, PreRegistrationRow> {
    let rows = lines!(
        ["from pre_registration p
          join pre_registration_batch b on b.id = p.batch_id
          join level l on l.id = p.level_id join major m on m.id = p.major_id join site t on t.id = p.site_id"]
        wanted
        [+ " order by p.created_at desc, p.id desc"]
    );
    Box::pin(rows.fetch(connection))
}
