//! How changes are read, with their papers and the way that they went.

use std::collections::HashMap;

use chrono::NaiveDate;
use futures_util::{TryStreamExt, stream};
use infra::{
    App, Error, Paging, Result, Scope,
    across::{Key, Listed, Segment},
    clock::Moment,
    files,
    transfer::Rows,
};
use poem_openapi::{Object, types::ParseFromJSON};
use serde_json::Value;
use sqlx::PgConnection;
use status_change_rules::list::statuses;
use student_status::{
    enums::{StudentStatus, StudyForm},
    keyword::{Keyword, classify},
    student::transfer::Placement,
};

use super::{
    ChangeReason, ChangeResult, ChangeScope, ChangeSource, ChangeStage, ChangeStatus, Changes,
    checks::Asked,
    form::{ChangeForm, ChangeTarget},
    rules,
};
use crate::ChangeType;

/// What a placement is called.
#[derive(Debug, Clone, Default, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct ChangeNames {
    /// 年级
    pub grade_name: Option<String>,
    /// 层次
    pub level_name: Option<String>,
    /// 专业
    pub major_name: Option<String>,
    /// 站点
    pub site_name: Option<String>,
    /// 班级
    pub class_name: Option<String>,
}

/// A change with its student, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentChange {
    /// 编号
    pub id: i64,
    /// 异动单号
    pub change_no: String,
    /// 批次编号
    pub batch_id: Option<i64>,
    /// 批次
    pub batch_name: Option<String>,
    /// 学生编号
    pub student_id: i64,
    /// 姓名
    pub name: String,
    /// 学号
    pub student_no: Option<String>,
    /// 类型
    #[oai(rename = "type")]
    pub kind: ChangeType,
    /// 异动状态
    pub status: ChangeStatus,
    /// 异动前
    pub before: Placement,
    /// 异动前名称
    pub before_names: ChangeNames,
    /// 异动后
    pub after: Placement,
    /// 异动后名称
    pub after_names: ChangeNames,
    /// 原因
    pub reason_code: Option<ChangeReason>,
    /// 说明
    pub reason: String,
    /// 休学开始
    pub suspend_from: Option<NaiveDate>,
    /// 休学至
    pub suspend_until: Option<NaiveDate>,
    /// 休学月数
    /// 复学时为所结束的休学的月数
    pub suspend_months: Option<i32>,
    /// 累计休学月数
    pub suspended_months: i32,
    /// 逾期未复学
    pub overdue: bool,
    /// 转入院校
    pub target_school_name: Option<String>,
    /// 重编学号
    pub renumber: bool,
    /// 生效日期
    pub effective_on: Option<NaiveDate>,
    /// 生效时间
    pub executed_at: Option<Moment>,
    /// 备案文号
    pub filing_no: Option<String>,
    /// 备案日期
    pub filed_on: Option<NaiveDate>,
    /// 来源
    pub source: ChangeSource,
    /// 申请人
    pub applicant_name: String,
    /// 不受受理时间和科类限制
    pub waived: bool,
    /// 申请时间
    pub created_at: Moment,
    /// 提交时间
    pub submitted_at: Option<Moment>,
    /// 停留天数
    /// 处于当前状态的天数
    pub waiting_days: i64,
    /// 未能生效的原因
    pub alert: Option<String>,
    /// 版本
    pub version: i32,
    #[oai(skip)]
    pub(super) moved_at: Moment,
    #[oai(skip)]
    pub(super) target_site_id: Option<i64>,
    /// Where the student is now.
    #[oai(skip)]
    pub(super) site_id: i64,
    #[oai(skip)]
    pub(super) class_id: Option<i64>,
    #[oai(skip)]
    pub(super) student_suspended_until: Option<NaiveDate>,
    #[oai(skip)]
    pub(super) student_status: Option<StudentStatus>,
}

impl StudentChange {
    /// Says what depends on the day: how long it stands where it is, and whether its student should be back.
    pub(super) fn reach(&mut self, today: NaiveDate) {
        self.waiting_days = (today - self.moved_at.date_naive()).num_days().max(0);
        self.overdue = self.kind == ChangeType::Suspension
            && self.status == ChangeStatus::Executed
            && self.student_status == Some(StudentStatus::Suspended)
            && self.student_suspended_until.is_some_and(|until| until < rules::overdue_since(today))
            && self.student_suspended_until == self.suspend_until;
    }

    /// Whether its student lies in the scope.
    pub(super) fn is_of(&self, scope: &Scope) -> bool {
        scope.sees(Some(self.site_id), self.class_id)
    }

    /// Whether the student goes to another site.
    pub(super) fn crosses(&self) -> bool {
        self.target_site_id.is_some()
    }

    /// Whether a waiver that it has also holds for what is asked for now: not for another type, nor for another target.
    pub(super) fn lends_waiver(&self, kind: ChangeType, target: &ChangeTarget) -> bool {
        let stays = |wanted: Option<i64>, now: Option<i64>| wanted.is_none() || wanted == now;
        self.waived
            && self.kind == kind
            && stays(target.grade_id, Some(self.after.grade_id))
            && stays(target.level_id, Some(self.after.level_id))
            && stays(target.major_id, Some(self.after.major_id))
            && stays(target.site_id, Some(self.after.site_id))
            && stays(target.class_id, self.after.class_id)
    }

    /// What was asked for, for another look at it.
    pub(super) fn asked(&self) -> Asked {
        Asked {
            kind: self.kind,
            target: ChangeTarget::of(&self.after),
            reason_code: self.reason_code,
            suspend_from: self.suspend_from,
            suspend_months: self.suspend_months,
        }
    }

    /// The same as it was typed.
    pub(super) fn form(&self) -> ChangeForm {
        let Asked { kind, target, reason_code, suspend_from, suspend_months } = self.asked();
        ChangeForm {
            student_id: self.student_id,
            batch_id: self.batch_id,
            kind,
            after: target,
            reason_code,
            reason: self.reason.clone(),
            attachments: Vec::new(),
            suspend_from,
            suspend_months,
            target_school_name: self.target_school_name.clone(),
            renumber: self.renumber,
            effective_on: self.effective_on,
        }
    }
}

/// A paper, as stored.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct ChangeFile {
    /// 文件
    pub key: String,
    /// 文件名
    pub name: String,
    /// 地址
    #[oai(skip_serializing_if_is_none)]
    pub url: Option<String>,
}

/// Who asked, or decided.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ChangeStep {
    /// 环节
    pub step: ChangeStage,
    /// 审核结果
    pub result: Option<ChangeResult>,
    /// 意见
    pub remark: Option<String>,
    /// 经办人
    pub actor_name: String,
    /// 时间
    pub created_at: Moment,
}

/// A change with what only its own page needs.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ChangeView {
    #[oai(flatten)]
    pub change: StudentChange,
    /// 附件
    pub attachments: Vec<ChangeFile>,
    /// 办理过程
    pub steps: Vec<ChangeStep>,
}

impl ChangeView {
    /// Leaves out what the sites wrote for the school, what only staff need, and papers that somebody else added.
    pub(super) fn show_to_student(&mut self) {
        self.change.alert = None;
        if self.change.source != ChangeSource::StudentClient {
            self.attachments.clear();
        }
        for step in &mut self.steps {
            if matches!(step.step, ChangeStage::Site | ChangeStage::TargetSite | ChangeStage::Alert) {
                step.remark = None;
            }
        }
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ChangeFilter {
    /// 页签
    /// 不填时不限状态
    pub scope: Option<ChangeScope>,
    /// 类型
    #[oai(validator(max_items = 7))]
    pub types: Option<Vec<ChangeType>>,
    /// 异动状态
    #[oai(validator(max_items = 9))]
    pub status: Option<Vec<ChangeStatus>>,
    /// 批次
    pub batch_id: Option<i64>,
    /// 学生
    pub student_id: Option<i64>,
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
    /// 关键字
    /// 另可为异动单号
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 来源
    pub source: Option<ChangeSource>,
    /// 申请日期起
    pub created_from: Option<NaiveDate>,
    /// 申请日期止
    pub created_to: Option<NaiveDate>,
    /// 生效日期起
    pub effective_from: Option<NaiveDate>,
    /// 生效日期止
    pub effective_to: Option<NaiveDate>,
    /// By the student: what others have only drafted about them is no change yet.
    #[oai(skip)]
    pub(super) of_student: bool,
}

/// The tabs that are counted, whichever of them is asked for.
const COUNTED: [ChangeScope; 6] = [
    ChangeScope::PendingSite,
    ChangeScope::PendingTargetSite,
    ChangeScope::PendingSchool,
    ChangeScope::Approved,
    ChangeScope::Results,
    ChangeScope::All,
];

/// A filter, ready for the statement.
pub(super) struct Wanted {
    pub(super) filter: ChangeFilter,
    pub(super) statuses: Option<Vec<String>>,
    pub(super) types: Option<Vec<String>>,
    pub(super) keyword: Keyword,
    pub(super) change_no: Option<String>,
    /// What the codes or names of grade, level, major, site and class contain.
    pub(super) texts: Option<Vec<Option<String>>>,
    pub(super) scope: Scope,
}

impl ChangeFilter {
    pub(super) fn wanted(&self, scope: &Scope) -> Wanted {
        let change_no = self.keyword.as_deref().map(str::trim).map(str::to_uppercase);
        let change_no = change_no.filter(|text| {
            text.strip_prefix("YD").is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_digit()))
        });
        let keyword = match (&change_no, self.keyword.as_deref()) {
            (None, Some(text)) => classify(text),
            _ => Keyword::default(),
        };
        Wanted {
            statuses: statuses(self.scope, self.status.as_deref()),
            types: self.types.as_ref().map(|types| types.iter().map(|kind| kind.as_str().to_owned()).collect()),
            keyword,
            change_no,
            texts: infra::naming::sought([
                self.grade_text.as_deref(),
                self.level_text.as_deref(),
                self.major_text.as_deref(),
                self.site_text.as_deref(),
                self.class_text.as_deref(),
            ]),
            scope: scope.clone(),
            filter: self.clone(),
        }
    }
}

/// A statement over the changes `c` that a [`Wanted`] names, each with its student `s`, of whom nothing is read where the
/// filter asks nothing of them. What lies in a scope comes from the indexes of the students and of the receiving site.
macro_rules! of_changes {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " where ($1::bigint[] is null or c.id in (
                        select x.id from student y join student_change x on x.student_id = y.id
                        where y.site_id = any($1) or y.class_id = any($2::bigint[])
                        union
                        select x.id from student_change x
                        where x.target_site_id = any($1)
                          and x.status in ('pending_target_site', 'pending_school', 'approved', 'executed')))
                and ($3::text[] is null or c.status = any($3))
                and ($4::text[] is null or c.type = any($4))
                and ($5::bigint is null or c.change_batch_id = $5)
                and ($6::bigint is null or c.student_id = $6)
                and ($7::bigint is null or s.grade_id = $7)
                and ($8::bigint is null or s.level_id = $8)
                and ($9::bigint is null or s.major_id = $9)
                and ($10::text is null or s.study_form = $10)
                and ($11::bigint is null or s.site_id = $11)
                and ($12::bigint is null or s.class_id = $12)
                and ($13::text is null or s.id_card_no = $13)
                and ($14::text is null or s.phone = $14)
                and ($15::text is null or s.student_no like $15 or s.examinee_no like $15
                     or ($15 !~ '[0-9]' and s.initials like lower(rtrim($15, '%')) || '%'))
                and ($16::text[] is null or s.name_grams @> $16)
                and ($17::text is null or c.change_no = $17)
                and ($18::text is null or c.source = $18)
                and ($19::timestamptz is null or c.created_at >= $19)
                and ($20::timestamptz is null or c.created_at < $20)
                and ($21::date is null or c.effective_on >= $21)
                and ($22::date is null or c.effective_on <= $22)
                and (not $23::boolean or c.status <> 'draft' or c.source = 'student_client')
                and (($24::text[])[1] is null or s.grade_id = any(array(
                         select x.id from grade x where strpos(lower(x.code), ($24::text[])[1]) > 0 or strpos(lower(x.name), ($24::text[])[1]) > 0)))
                and (($24::text[])[2] is null or s.level_id = any(array(
                         select x.id from level x where strpos(lower(x.code), ($24::text[])[2]) > 0 or strpos(lower(x.name), ($24::text[])[2]) > 0)))
                and (($24::text[])[3] is null or s.major_id = any(array(
                         select x.id from major x where strpos(lower(x.code), ($24::text[])[3]) > 0 or strpos(lower(x.name), ($24::text[])[3]) > 0)))
                and (($24::text[])[4] is null or s.site_id = any(array(
                         select x.id from site x where strpos(lower(x.code), ($24::text[])[4]) > 0 or strpos(lower(x.name), ($24::text[])[4]) > 0)))
                and (($24::text[])[5] is null or s.class_id = any(array(
                         select x.id from class x where strpos(lower(x.code), ($24::text[])[5]) > 0 or strpos(lower(x.name), ($24::text[])[5]) > 0))) " $($tail)*,
            $wanted.scope.sites(),
            $wanted.scope.classes(),
            $wanted.statuses.as_deref(),
            $wanted.types.as_deref(),
            $wanted.filter.batch_id,
            $wanted.filter.student_id,
            $wanted.filter.grade_id,
            $wanted.filter.level_id,
            $wanted.filter.major_id,
            $wanted.filter.study_form.map(student_status::enums::StudyForm::as_str),
            $wanted.filter.site_id,
            $wanted.filter.class_id,
            $wanted.keyword.id_card_no.as_deref(),
            $wanted.keyword.phone.as_deref(),
            $wanted.keyword.number.as_deref(),
            $wanted.keyword.name_grams.as_deref(),
            $wanted.change_no.as_deref(),
            $wanted.filter.source.map($crate::change::ChangeSource::as_str),
            $wanted.filter.created_from.map(infra::clock::day_began),
            $wanted.filter.created_to.map(infra::clock::day_ended),
            $wanted.filter.effective_from,
            $wanted.filter.effective_to,
            $wanted.filter.of_student,
            $wanted.texts.as_deref() as _
            $(, $extra)*
        )
    };
}

pub(super) use of_changes;

/// How many changes have a status.
struct InStatus {
    status: ChangeStatus,
    count: i64,
}

impl Listed for Changes {
    type Filter = ChangeFilter;
    type Row = StudentChange;

    fn id(row: &StudentChange) -> i64 {
        row.id
    }

    /// The numbers of the page's rows come in order out of an index; only then the rows are looked at.
    async fn page(
        connection: &mut PgConnection,
        filter: &ChangeFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<StudentChange>)> {
        let wanted = filter.wanted(scope);
        let total = of_changes!(query_scalar []
            [r#"select count(*) as "count!" from student_change c left join student s on s.id = c.student_id"#]
            wanted []);
        let total = total.fetch_one(&mut *connection).await?;
        let ids = of_changes!(query_scalar []
            [r#"select c.id as "id!" from student_change c left join student s on s.id = c.student_id"#]
            wanted
            [+ " order by c.created_at desc, c.id limit $25 offset $26"],
            paging.limit(),
            paging.offset());
        let ids = ids.fetch_all(&mut *connection).await?;
        Ok((total, in_order(connection, &ids).await?))
    }

    /// By the tabs; each takes some of the statuses.
    async fn segments(connection: &mut PgConnection, filter: &ChangeFilter, scope: &Scope) -> Result<Vec<Segment>> {
        let any = ChangeFilter { scope: None, status: None, ..filter.clone() };
        let wanted = any.wanted(scope);
        let found = of_changes!(query_as [InStatus]
            [r#"select c.status as "status!: ChangeStatus", count(*) as "count!"
                from student_change c left join student s on s.id = c.student_id"#]
            wanted
            [+ " group by c.status"]);
        let found = found.fetch_all(connection).await?;
        let of = |tab: ChangeScope| found.iter().filter(|row| tab.shows(row.status)).map(|row| row.count).sum::<i64>();
        Ok(COUNTED.map(|tab| Segment { value: tab.as_str().to_owned(), count: of(tab) }).into())
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &ChangeFilter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let wanted = filter.wanted(scope);
        let keys = of_changes!(query_as [Key]
            [r#"select c.id as "id!", c.created_at as "created_at!", count(*) over () as "total!"
                from student_change c left join student s on s.id = c.student_id"#]
            wanted
            [+ " and c.created_at <= $25 order by c.created_at desc, c.id limit $26"],
            until,
            most);
        Ok(keys.fetch_all(connection).await?)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<StudentChange>> {
        Ok(rows_of(connection, ids).await?)
    }
}

impl Changes {
    /// One change.
    ///
    /// # Errors
    /// 404 when there is none, or none within the scope.
    pub(super) async fn find(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<StudentChange> {
        let seen = sqlx::query_scalar!(
            r#"select exists (
                   select from student_change c join student s on s.id = c.student_id
                   where c.id = $1
                     and ($2::bigint[] is null or s.site_id = any($2) or s.class_id = any($3::bigint[])
                          or (c.target_site_id = any($2)
                              and c.status in ('pending_target_site', 'pending_school', 'approved', 'executed')))) as "seen!""#,
            id,
            scope.sites(),
            scope.classes()
        )
        .fetch_one(&mut *connection)
        .await?;
        if !seen {
            return Err(Error::not_found());
        }
        rows_of(connection, &[id]).await?.pop().ok_or_else(Error::not_found)
    }
}

/// Rows of an export that are read at once.
const AT_ONCE: usize = 1_000;

/// All changes that the filter names and the scope opens, the newest first.
pub(super) async fn all<'c>(
    connection: &'c mut PgConnection,
    filter: &ChangeFilter,
    scope: &Scope,
) -> Result<Rows<'c, StudentChange>> {
    let wanted = filter.wanted(scope);
    let ids = of_changes!(query_scalar []
        [r#"select c.id as "id!" from student_change c left join student s on s.id = c.student_id"#]
        wanted
        [+ " order by c.created_at desc, c.id"]);
    let ids: Vec<i64> = ids.fetch_all(&mut *connection).await?;
    let parts: Vec<Vec<i64>> = ids.chunks(AT_ONCE).map(<[i64]>::to_vec).collect();
    let rows = stream::try_unfold((connection, parts.into_iter()), |(connection, mut parts)| async move {
        let Some(ids) = parts.next() else { return Ok(None) };
        let rows = in_order(connection, &ids).await?;
        Ok::<_, sqlx::Error>(Some((stream::iter(rows.into_iter().map(Ok)), (connection, parts))))
    });
    Ok(Box::pin(rows.try_flatten()))
}

async fn in_order(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<StudentChange>> {
    let rows = rows_of(connection, ids).await?;
    let mut rows: HashMap<i64, StudentChange> = rows.into_iter().map(|row| (row.id, row)).collect();
    Ok(ids.iter().filter_map(|id| rows.remove(id)).collect())
}

async fn rows_of(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<StudentChange>> {
    let rows = sqlx::query!(
        r#"select c.id as "id!", c.change_no as "change_no!", c.change_batch_id, w.name as "batch_name?",
                  c.student_id as "student_id!", s.name as "name!", s.student_no, c.type as "kind!: ChangeType",
                  c.status as "status!: ChangeStatus", c.before as "before!", c.after as "after!",
                  og.name as "old_grade?", ol.name as "old_level?", om.name as "old_major?", os.name as "old_site?",
                  oc.name as "old_class?", ng.name as "new_grade?", nl.name as "new_level?", nm.name as "new_major?",
                  ns.name as "new_site?", nc.name as "new_class?", c.reason_code as "reason_code: ChangeReason",
                  c.reason as "reason!", c.suspend_from, c.suspend_until, c.suspend_months,
                  s.suspended_months as "suspended_months!", c.target_school_name, c.renumber as "renumber!",
                  c.effective_on, c.executed_at, c.filing_no, c.filed_on, c.source as "source!: ChangeSource",
                  c.applicant_name as "applicant_name!", c.waived as "waived!", c.created_at as "created_at!", c.submitted_at,
                  c.moved_at as "moved_at!", c.alert, c.version as "version!", c.target_site_id, s.site_id as "site_id!",
                  s.class_id, s.suspended_until, s.status as "student_status!: StudentStatus"
           from student_change c
           join student s on s.id = c.student_id
           left join change_batch w on w.id = c.change_batch_id
           left join grade og on og.id = (c.before ->> 'gradeId')::bigint
           left join level ol on ol.id = (c.before ->> 'levelId')::bigint
           left join major om on om.id = (c.before ->> 'majorId')::bigint
           left join site os on os.id = (c.before ->> 'siteId')::bigint
           left join class oc on oc.id = (c.before ->> 'classId')::bigint
           left join grade ng on ng.id = (c.after ->> 'gradeId')::bigint
           left join level nl on nl.id = (c.after ->> 'levelId')::bigint
           left join major nm on nm.id = (c.after ->> 'majorId')::bigint
           left join site ns on ns.id = (c.after ->> 'siteId')::bigint
           left join class nc on nc.id = (c.after ->> 'classId')::bigint
           where c.id = any($1)"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(StudentChange {
                id: row.id,
                change_no: row.change_no,
                batch_id: row.change_batch_id,
                batch_name: row.batch_name,
                student_id: row.student_id,
                name: row.name,
                student_no: row.student_no,
                kind: row.kind,
                status: row.status,
                before: placement(row.before)?,
                before_names: ChangeNames {
                    grade_name: row.old_grade,
                    level_name: row.old_level,
                    major_name: row.old_major,
                    site_name: row.old_site,
                    class_name: row.old_class,
                },
                after: placement(row.after)?,
                after_names: ChangeNames {
                    grade_name: row.new_grade,
                    level_name: row.new_level,
                    major_name: row.new_major,
                    site_name: row.new_site,
                    class_name: row.new_class,
                },
                reason_code: row.reason_code,
                reason: row.reason,
                suspend_from: row.suspend_from,
                suspend_until: row.suspend_until,
                suspend_months: row.suspend_months,
                suspended_months: row.suspended_months,
                overdue: false,
                target_school_name: row.target_school_name,
                renumber: row.renumber,
                effective_on: row.effective_on,
                executed_at: row.executed_at,
                filing_no: row.filing_no,
                filed_on: row.filed_on,
                source: row.source,
                applicant_name: row.applicant_name,
                waived: row.waived,
                created_at: row.created_at,
                submitted_at: row.submitted_at,
                waiting_days: 0,
                alert: row.alert,
                version: row.version,
                moved_at: row.moved_at,
                target_site_id: row.target_site_id,
                site_id: row.site_id,
                class_id: row.class_id,
                student_suspended_until: row.suspended_until,
                student_status: Some(row.student_status),
            })
        })
        .collect()
}

fn placement(value: Value) -> sqlx::Result<Placement> {
    Placement::parse_from_json(Some(value)).map_err(|error| sqlx::Error::Decode(error.into_message().into()))
}

/// Changes with their papers, each as an address that soon expires, and their way.
pub(super) async fn viewed(
    app: &App,
    connection: &mut PgConnection,
    changes: Vec<StudentChange>,
) -> Result<Vec<ChangeView>> {
    let today = app.clock().today();
    let ids: Vec<i64> = changes.iter().map(|change| change.id).collect();
    let mut papers = attachments(connection, &ids).await?;
    let mut steps = steps(connection, &ids).await?;
    let mut views = Vec::with_capacity(changes.len());
    for mut change in changes {
        change.reach(today);
        let mut attachments = papers.remove(&change.id).unwrap_or_default();
        for paper in &mut attachments {
            paper.url = Some(files::url_of(app, &paper.key, &paper.name).await?);
        }
        views.push(ChangeView { attachments, steps: steps.remove(&change.id).unwrap_or_default(), change });
    }
    Ok(views)
}

/// Who asked and who decided, by change.
async fn steps(connection: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, Vec<ChangeStep>>> {
    let rows = sqlx::query!(
        r#"select student_change_id, step as "step: ChangeStage", result as "result: ChangeResult", remark, actor_name,
                  created_at
           from student_change_step where student_change_id = any($1) order by id"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    let mut steps: HashMap<i64, Vec<ChangeStep>> = HashMap::new();
    for row in rows {
        steps.entry(row.student_change_id).or_default().push(ChangeStep {
            step: row.step,
            result: row.result,
            remark: row.remark,
            actor_name: row.actor_name,
            created_at: row.created_at,
        });
    }
    Ok(steps)
}

/// The papers as stored, by change.
pub(super) async fn attachments(connection: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, Vec<ChangeFile>>> {
    let rows = sqlx::query!(
        "select f.student_change_id, o.key, o.original_name
         from student_change_file f join file_object o on o.id = f.file_id
         where f.student_change_id = any($1) order by f.id",
        ids
    )
    .fetch_all(connection)
    .await?;
    let mut papers: HashMap<i64, Vec<ChangeFile>> = HashMap::new();
    for row in rows {
        let paper = ChangeFile { key: row.key, name: row.original_name, url: None };
        papers.entry(row.student_change_id).or_default().push(paper);
    }
    Ok(papers)
}
