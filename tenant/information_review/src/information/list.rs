//! The lists of the three groups: a line a form, with its student, newest first (02 §11.4). One condition names the rows of a list, its
//! count, its export and its figures.

use std::marker::PhantomData;

use chrono::NaiveDate;
use corrections::correction::CorrectionStatus;
use infra::{
    Paging, Result, Scope, Window,
    across::{Key, Listed, Segment},
    clock::Moment,
    mask,
    transfer::Rows,
};
use poem_openapi::Object;
use sqlx::PgConnection;
use student_status::{
    enums::{RegisterResult, StudentStatus, StudyForm},
    id_card::{Gender, IdCardType},
    keyword::{Keyword, classify},
};

use crate::{
    enums::{
        ChsiPreCheck, CommitmentConclusion, DiplomaEvidence, InformationKind, InformationStatus, InformationSubmitter,
        PhotoCheck,
    },
    group::Group,
};

/// A line of the list.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct InformationRow {
    /// 编号
    pub id: i64,
    /// 学生编号
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 考生号
    pub examinee_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 性别
    pub gender: Option<Gender>,
    /// 证件类型
    pub id_card_type: IdCardType,
    /// 证件号
    pub id_card_no: String,
    /// 手机
    pub phone: Option<String>,
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
    /// 班级编号
    pub class_id: Option<i64>,
    /// 班级
    pub class_name: Option<String>,
    /// 学籍状态
    pub student_status: StudentStatus,
    /// 注册结果
    pub register_result: RegisterResult,
    /// 状态
    pub status: InformationStatus,
    /// 提交时间
    pub submitted_at: Option<Moment>,
    /// 提交人
    pub submitted_by: Option<InformationSubmitter>,
    /// 审核人
    pub reviewed_by: Option<String>,
    /// 审核时间
    pub reviewed_at: Option<Moment>,
    /// 退回次数
    pub return_count: i32,
    /// 退回原因
    /// 最近一次退回的原因
    pub remark: Option<String>,
    /// 计入应提交
    pub counted: bool,
    /// 生成时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
    /// 核对不符(项)
    #[oai(skip_serializing_if_is_none)]
    pub mismatches: Option<i32>,
    /// 信息更正编号
    #[oai(skip_serializing_if_is_none)]
    pub correction_id: Option<i64>,
    /// 更正状态
    #[oai(skip_serializing_if_is_none)]
    pub correction_status: Option<CorrectionStatus>,
    /// 入学照片
    /// 已有，或已提交待审核
    #[oai(skip_serializing_if_is_none)]
    pub enrol_photo: Option<bool>,
    /// 证明方式
    #[oai(skip_serializing_if_is_none)]
    pub evidence_kind: Option<DiplomaEvidence>,
    /// 审查结论
    #[oai(skip_serializing_if_is_none)]
    pub conclusion: Option<CommitmentConclusion>,
    /// 承诺书已签署
    #[oai(skip_serializing_if_is_none)]
    pub signed: Option<bool>,
    /// 前置学历清查
    #[oai(skip_serializing_if_is_none)]
    pub chsi_pre_check: Option<ChsiPreCheck>,
    /// 清查日期
    #[oai(skip_serializing_if_is_none)]
    pub chsi_checked_on: Option<NaiveDate>,
    /// 承诺书版本
    /// 签署时的版本
    #[oai(skip_serializing_if_is_none)]
    pub commitment_version: Option<i32>,
    /// 预计毕业
    #[oai(skip_serializing_if_is_none)]
    pub expected_graduation_on: Option<NaiveDate>,
    /// 三照比对
    #[oai(skip_serializing_if_is_none)]
    pub photo_check: Option<PhotoCheck>,
    /// 学历照片
    #[oai(skip_serializing_if_is_none)]
    pub graduation_photo: Option<bool>,
}

impl InformationRow {
    /// As everybody sees it who may not see whole numbers (05 E4).
    pub(crate) fn mask(&mut self) {
        self.id_card_no = mask::id_card(&self.id_card_no);
        self.phone = self.phone.as_deref().map(mask::phone);
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct InformationFilter {
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
    /// 班级
    /// 编码或名称包含；查看全部院校时代替班级编号
    #[oai(validator(max_length = 50))]
    pub class_text: Option<String>,
    /// 未分班
    pub unassigned: Option<bool>,
    /// 班主任
    pub manager_id: Option<i64>,
    /// 关键字
    /// 姓名、证件号、手机、学号或考生号
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 状态
    pub status: Option<InformationStatus>,
    /// 提交时间起
    pub submitted_from: Option<Moment>,
    /// 提交时间止
    pub submitted_to: Option<Moment>,
    /// 计入应提交
    /// 班级统计所统计的学生
    pub counted: Option<bool>,
    /// 核对不符
    pub mismatched: Option<bool>,
    /// 更正状态
    pub correction_status: Option<CorrectionStatus>,
    /// 入学照片
    pub enrol_photo: Option<bool>,
    /// 证明方式
    pub evidence_kind: Option<DiplomaEvidence>,
    /// 审查结论
    pub conclusion: Option<CommitmentConclusion>,
    /// 承诺书已签署
    pub signed: Option<bool>,
    /// 前置学历清查
    pub chsi_pre_check: Option<ChsiPreCheck>,
    /// 预计毕业起
    pub expected_from: Option<NaiveDate>,
    /// 预计毕业止
    pub expected_to: Option<NaiveDate>,
    /// 三照比对
    pub photo_check: Option<PhotoCheck>,
    /// 学历照片
    pub graduation_photo: Option<bool>,
    /// 名单
    /// 姓名、学号、考生号、证件号或手机，最多500项
    #[oai(validator(max_items = 500))]
    pub among: Option<Vec<String>>,
}

/// The filter of a kind, ready to be bound. A filter that is not set does not count: with custom plans its part of the
/// condition is folded away.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub kind: InformationKind,
    pub filter: InformationFilter,
    pub keyword: Keyword,
    pub among: Option<Vec<String>>,
    /// What the codes or names of grade, level, major, site and class contain.
    pub texts: Option<Vec<Option<String>>>,
    pub scope: Scope,
}

impl Wanted {
    /// Every form of a kind: for rows that are named by their numbers.
    pub(crate) fn any(kind: InformationKind) -> Self {
        InformationFilter::default().wanted(kind, &Scope::whole_school())
    }
}

impl InformationFilter {
    pub(crate) fn wanted(&self, kind: InformationKind, scope: &Scope) -> Wanted {
        Wanted {
            kind,
            keyword: self.keyword.as_deref().map(classify).unwrap_or_default(),
            among: infra::among::named(self.among.as_deref()),
            texts: infra::naming::sought([
                self.grade_text.as_deref(),
                self.level_text.as_deref(),
                self.major_text.as_deref(),
                self.site_text.as_deref(),
                self.class_text.as_deref(),
            ]),
            filter: self.clone(),
            scope: scope.clone(),
        }
    }
}

/// 应提交 (02 §11.3) over `student_information i` of the kind `$1` and its `student s`: who is active; of 毕业登记 who is registered and
/// graduates by the end of the year in which the window of the grade closes. A grade has one open window of a kind at the most, so the
/// days are collected once, by grade, and not asked for each student. Gives the text to the macro that is named.
macro_rules! counted {
    ([$($go:tt)+] $($rest:tt)*) => {
        $($go)+! {
            "case when $1::text <> 'graduation_information' then s.active
                  else s.status = 'registered' and coalesce(s.expected_graduation_on <= ((
                      select jsonb_object_agg(wg.grade_id, make_date(extract(
                                 year from (w.closes_at - interval '1 second') at time zone 'Asia/Shanghai')::integer, 12, 31))
                      from information_window_grade wg join information_window w on w.id = wg.information_window_id
                      where wg.kind = 'graduation_information' and wg.enabled) ->> s.grade_id::text)::date, false) end"
            $($rest)*
        }
    };
}
pub(crate) use counted;

/// A statement over `student_information i` and `student s` with the condition of a [`Wanted`] in its middle: the macro of sqlx,
/// the row type, the text before, the wanted, the text behind (parameters from `$33`) and its parameters. Where nothing is asked of the
/// student, a left join falls away; `s.id is not null` says of a lacking photo that something is.
macro_rules! of_list {
    ($($parts:tt)+) => { $crate::information::list::counted! { [$crate::information::list::of_list_with] $($parts)+ } };
}
pub(crate) use of_list;

macro_rules! of_list_with {
    ($counted:tt $query:ident [$($row:ident)?] [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " where i.kind = $1
                and ($2::bigint[] is null or s.site_id = any($2) or s.class_id = any($3::bigint[]))
                and ($4::bigint is null or s.grade_id = $4)
                and ($5::bigint is null or s.level_id = $5)
                and ($6::bigint is null or s.major_id = $6)
                and ($7::text is null or s.study_form = $7)
                and ($8::bigint is null or s.site_id = $8)
                and ($9::bigint is null or s.class_id = $9)
                and ($10::boolean is null or (s.class_id is null) = $10)
                and ($11::bigint is null or s.class_id = any(array(select x.id from class x where x.manager_id = $11)))
                and ($12::text is null or s.id_card_no = $12)
                and ($13::text is null or s.phone = $13)
                and ($14::text is null or s.student_no like $14 or s.examinee_no like $14 or s.id_card_no = rtrim($14, '%')
                     or ($14 !~ '[0-9]' and s.initials like lower(rtrim($14, '%')) || '%'))
                and ($15::text[] is null or s.name_grams @> $15)
                and ($16::text is null or i.status = $16)
                and ($17::timestamptz is null or i.submitted_at >= $17)
                and ($18::timestamptz is null or i.submitted_at <= $18)
                and ($19::boolean is null or " + $counted + " = $19)
                and ($20::boolean is null or (i.mismatches > 0) = $20)
                and ($21::text is null
                     or i.correction_id = any(array(select k.id from student_correction k where k.status = $21)))
                and ($22::boolean is null
                     or s.id is not null and (i.photo_id is not null or s.enrol_photo_id is not null) = $22)
                and ($23::text is null or i.evidence_kind = $23)
                and ($24::text is null or i.conclusion = $24)
                and ($25::boolean is null or (i.commitment_text is not null) = $25)
                and ($26::text is null or i.chsi_pre_check = $26)
                and ($27::date is null or s.expected_graduation_on >= $27)
                and ($28::date is null or s.expected_graduation_on <= $28)
                and ($29::text is null or i.photo_check = $29)
                and ($30::boolean is null or s.id is not null and (s.graduation_photo_id is not null) = $30)
                and ($31::text[] is null or s.name = any($31) or s.student_no = any($31) or s.examinee_no = any($31)
                     or s.id_card_no = any($31) or s.phone = any($31))
                and (($32::text[])[1] is null or s.grade_id = any(array(
                         select x.id from grade x where strpos(lower(x.code), ($32::text[])[1]) > 0 or strpos(lower(x.name), ($32::text[])[1]) > 0)))
                and (($32::text[])[2] is null or s.level_id = any(array(
                         select x.id from level x where strpos(lower(x.code), ($32::text[])[2]) > 0 or strpos(lower(x.name), ($32::text[])[2]) > 0)))
                and (($32::text[])[3] is null or s.major_id = any(array(
                         select x.id from major x where strpos(lower(x.code), ($32::text[])[3]) > 0 or strpos(lower(x.name), ($32::text[])[3]) > 0)))
                and (($32::text[])[4] is null or s.site_id = any(array(
                         select x.id from site x where strpos(lower(x.code), ($32::text[])[4]) > 0 or strpos(lower(x.name), ($32::text[])[4]) > 0)))
                and (($32::text[])[5] is null or s.class_id = any(array(
                         select x.id from class x where strpos(lower(x.code), ($32::text[])[5]) > 0 or strpos(lower(x.name), ($32::text[])[5]) > 0))) " $($tail)*,
            $wanted.kind.as_str(),
            $wanted.scope.sites(),
            $wanted.scope.classes(),
            $wanted.filter.grade_id,
            $wanted.filter.level_id,
            $wanted.filter.major_id,
            $wanted.filter.study_form.map(student_status::enums::StudyForm::as_str),
            $wanted.filter.site_id,
            $wanted.filter.class_id,
            $wanted.filter.unassigned,
            $wanted.filter.manager_id,
            $wanted.keyword.id_card_no.as_deref(),
            $wanted.keyword.phone.as_deref(),
            $wanted.keyword.number.as_deref(),
            $wanted.keyword.name_grams.as_deref(),
            $wanted.filter.status.map($crate::enums::InformationStatus::as_str),
            $wanted.filter.submitted_from,
            $wanted.filter.submitted_to,
            $wanted.filter.counted,
            $wanted.filter.mismatched,
            $wanted.filter.correction_status.map(corrections::correction::CorrectionStatus::as_str),
            $wanted.filter.enrol_photo,
            $wanted.filter.evidence_kind.map($crate::enums::DiplomaEvidence::as_str),
            $wanted.filter.conclusion.map($crate::enums::CommitmentConclusion::as_str),
            $wanted.filter.signed,
            $wanted.filter.chsi_pre_check.map($crate::enums::ChsiPreCheck::as_str),
            $wanted.filter.expected_from,
            $wanted.filter.expected_to,
            $wanted.filter.photo_check.map($crate::enums::PhotoCheck::as_str),
            $wanted.filter.graduation_photo,
            $wanted.among.as_deref(),
            $wanted.texts.as_deref() as _
            $(, $extra)*
        )
    };
}
pub(crate) use of_list_with;

/// The lines of the forms that the wanted names.
macro_rules! lines {
    ($($parts:tt)+) => { counted! { [lines_with] $($parts)+ } };
}

macro_rules! lines_with {
    ($counted:tt $wanted:ident [$($tail:tt)+] $(, $extra:expr)*) => {
        of_list_with!($counted query_as [InformationRow]
            [r#"select i.id, i.student_id, s.student_no as "student_no?", s.examinee_no as "examinee_no?", s.name as "name!",
                       s.gender as "gender: _", s.id_card_type as "id_card_type!: _", s.id_card_no as "id_card_no!",
                       s.phone as "phone?", g.name as "grade_name!", l.name as "level_name!", m.name as "major_name!",
                       s.study_form as "study_form!: _", t.name as "site_name!", s.class_id as "class_id?",
                       c.name as "class_name?", s.status as "student_status!: _",
                       s.register_result as "register_result!: _", i.status as "status: _", i.submitted_at,
                       i.submitted_by as "submitted_by: _", i.reviewed_by, i.reviewed_at, i.return_count, i.remark, ("#
             + $counted +
             r#") as "counted!", i.created_at, i.version,
                       case when i.kind <> 'admission_commitment' then i.mismatches end as mismatches, i.correction_id,
                       (select k.status from student_correction k where k.id = i.correction_id) as "correction_status: _",
                       case when i.kind = 'admission_information'
                            then i.photo_id is not null or s.enrol_photo_id is not null end as enrol_photo,
                       i.evidence_kind as "evidence_kind: _", i.conclusion as "conclusion: _",
                       case when i.kind = 'admission_commitment' then i.commitment_text is not null end as signed,
                       i.chsi_pre_check as "chsi_pre_check: _", i.chsi_checked_on, i.commitment_version,
                       case when i.kind = 'graduation_information' then s.expected_graduation_on end
                           as expected_graduation_on,
                       i.photo_check as "photo_check: _",
                       case when i.kind = 'graduation_information' then s.graduation_photo_id is not null end
                           as graduation_photo
                from student_information i
                join student s on s.id = i.student_id
                join grade g on g.id = s.grade_id
                join level l on l.id = s.level_id
                join major m on m.id = s.major_id
                join site t on t.id = s.site_id
                left join class c on c.id = s.class_id "#]
            $wanted [$($tail)+] $(, $extra)*)
    };
}

/// The list of a group.
pub(crate) struct Lines<G>(PhantomData<G>);

impl<G: Group> Listed for Lines<G> {
    type Filter = InformationFilter;
    type Row = InformationRow;

    fn id(row: &InformationRow) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &InformationFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<InformationRow>)> {
        page(connection, &filter.wanted(G::KIND, scope), paging).await
    }

    /// What is asked of the student is counted over all forms of the kind: the tabs do, and their sum is the list's.
    async fn page_with_segments(
        connection: &mut PgConnection,
        filter: &InformationFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<InformationRow>, Vec<Segment>)> {
        let segments = Self::segments(&mut *connection, filter, scope).await?;
        let total = Segment::total(&segments, filter.status.map(InformationStatus::as_str));
        let list = shown(connection, &filter.wanted(G::KIND, scope), paging, total).await?;
        Ok((total, list, segments))
    }

    async fn segments(
        connection: &mut PgConnection,
        filter: &InformationFilter,
        scope: &Scope,
    ) -> Result<Vec<Segment>> {
        let wanted = InformationFilter { status: None, ..filter.clone() }.wanted(G::KIND, scope);
        let found = of_list!(query_as [Segment]
            [r#"select i.status as "value!", count(*) as "count!"
                from student_information i left join student s on s.id = i.student_id "#]
            wanted
            [+ " group by i.status"]);
        let found = found.fetch_all(connection).await?;
        let count = |status: &str| found.iter().find(|segment| segment.value == status).map_or(0, |found| found.count);
        Ok(InformationStatus::CHOICES
            .iter()
            .map(|(_, status)| Segment { value: status.as_str().to_owned(), count: count(status.as_str()) })
            .collect())
    }

    async fn not_found(
        connection: &mut PgConnection,
        filter: &InformationFilter,
        scope: &Scope,
    ) -> Result<Vec<String>> {
        let Some(among) = infra::among::named(filter.among.as_deref()) else { return Ok(Vec::new()) };
        let missing = sqlx::query_scalar!(
            r#"select n.named as "named!" from unnest($1::text[]) with ordinality as n (named, place)
               where not exists (
                   select from student s join student_information i on i.student_id = s.id and i.kind = $4
                   where (s.name = n.named or s.student_no = n.named or s.examinee_no = n.named
                          or s.id_card_no = n.named or s.phone = n.named)
                     and ($2::bigint[] is null or s.site_id = any($2) or s.class_id = any($3::bigint[])))
               order by n.place"#,
            &among,
            scope.sites(),
            scope.classes(),
            G::KIND.as_str()
        );
        Ok(missing.fetch_all(connection).await?)
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &InformationFilter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let wanted = filter.wanted(G::KIND, scope);
        let keys = of_list!(query_as [Key]
            [r#"select i.id as "id!", i.created_at as "created_at!", count(*) over () as "total!"
                from student_information i left join student s on s.id = i.student_id "#]
            wanted
            [+ " and i.created_at <= $33 order by i.created_at desc, i.id limit $34"],
            until,
            most);
        Ok(keys.fetch_all(connection).await?)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<InformationRow>> {
        let any = Wanted::any(G::KIND);
        let rows = lines!(any [+ " and i.id = any($33)"], ids);
        let mut list = rows.fetch_all(connection).await?;
        list.iter_mut().for_each(InformationRow::mask);
        Ok(list)
    }
}

/// How many forms the wanted names, and a page of them, masked.
///
/// # Errors
/// Those of the database.
pub(crate) async fn page(
    connection: &mut PgConnection,
    wanted: &Wanted,
    paging: Paging,
) -> Result<(i64, Vec<InformationRow>)> {
    let total = of_list!(query_scalar []
        [r#"select count(*) as "count!" from student_information i left join student s on s.id = i.student_id "#]
        wanted
        []);
    let total = total.fetch_one(&mut *connection).await?;
    Ok((total, shown(connection, wanted, paging, total).await?))
}

/// A page of so many forms, masked. The numbers of its rows come in order out of an index; only then the rows are looked at.
async fn shown(
    connection: &mut PgConnection,
    wanted: &Wanted,
    paging: Paging,
    total: i64,
) -> Result<Vec<InformationRow>> {
    let Some(window) = Window::of(paging, total) else { return Ok(Vec::new()) };
    let ids = of_list!(query_scalar []
        [r#"select i.id as "id!" from student_information i left join student s on s.id = i.student_id "#]
        wanted
        [+ " order by case when $33 then i.created_at end, case when $33 then i.id end, i.created_at desc, i.id desc
                limit $34 offset $35"],
        window.from_end,
        window.limit,
        window.offset);
    let ids = ids.fetch_all(&mut *connection).await?;
    let any = Wanted::any(wanted.kind);
    let rows = lines!(any [+ " and i.id = any($33) order by i.created_at desc, i.id desc"], &ids);
    let mut list = rows.fetch_all(connection).await?;
    list.iter_mut().for_each(InformationRow::mask);
    Ok(list)
}

/// One line that the scope shows, with its whole numbers.
///
/// # Errors
/// Those of the database; none when there is no such form of this kind within the scope.
pub(crate) async fn one(
    connection: &mut PgConnection,
    kind: InformationKind,
    id: i64,
    scope: &Scope,
) -> Result<Option<InformationRow>> {
    let wanted = InformationFilter::default().wanted(kind, scope);
    let row = lines!(wanted [+ " and i.id = $33"], id);
    Ok(row.fetch_optional(connection).await?)
}

/// The lines of these forms that the scope shows, with their whole numbers, in no order.
///
/// # Errors
/// Those of the database.
pub(crate) async fn of_ids(
    connection: &mut PgConnection,
    kind: InformationKind,
    ids: &[i64],
    scope: &Scope,
) -> Result<Vec<InformationRow>> {
    let wanted = InformationFilter::default().wanted(kind, scope);
    let rows = lines!(wanted [+ " and i.id = any($33)"], ids);
    Ok(rows.fetch_all(connection).await?)
}

/// The numbers of forms in the order of a cabinet: by grade, site, class and 学号. Of the wanted all, or those among `ids`.
///
/// # Errors
/// Those of the database.
pub(crate) async fn to_pack(
    connection: &mut PgConnection,
    wanted: &Wanted,
    ids: Option<&[i64]>,
    most: usize,
) -> Result<Vec<i64>> {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let found = of_list!(query_scalar []
        [r#"select i.id as "id!" from student_information i left join student s on s.id = i.student_id "#]
        wanted
        [+ " and ($33::bigint[] is null or i.id = any($33))
                order by s.grade_id, s.site_id, s.class_id, s.student_no, i.id limit $34"],
        ids,
        most);
    Ok(found.fetch_all(connection).await?)
}

/// Every line with its whole numbers, in the list's order.
pub(crate) fn all<'c>(connection: &'c mut PgConnection, wanted: &Wanted) -> Rows<'c, InformationRow> {
    let rows = lines!(wanted [+ " order by i.created_at desc, i.id desc"]);
    Box::pin(rows.fetch(connection))
}
