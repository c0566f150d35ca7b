//! 学历注册: the file that goes to the national register, and what comes back (part 04 §9.4).

use certificates::{
    offered::{RegistrationResult, registered},
    settings::PRESIDENT_NAME,
};
use graduation_rules::{
    register::{RegisterRow, chosen, row},
    settings::{REGISTER_COLUMNS, REGISTER_EXPORT_COLUMNS},
};
use infra::{
    Allowed, App, Body, Change, Error, Reply, Result, Scope, Tx,
    access::Permission,
    mask,
    sheet::{Cell, InputColumn, Row, Template},
    transfer::{self, Attachment, Import, ImportAnswer, ImportForm, Imported, refuse, whole_of},
};
use poem_openapi::{OpenApi, param::Query};
use serde_json::json;
use sqlx::PgConnection;
use student_status::{enums::StudyForm, id_card::Gender, student::references::words};

use super::{
    ExportRegister, ExportRegisterPlain, FetchRegisterResultSheet, ImportRegisterResults, steps::GraduationBatchChosen,
};
use crate::enums::GraduationDecision;

const EXAMINEE: &str = "考生号";
const NAME: &str = "姓名";
const NUMBER: &str = "证书编号";
const RESULT: &str = "结果";
const MESSAGE: &str = "说明";

pub struct Reports;

#[OpenApi(prefix_path = "/adult/pc/graduate/batch", tag = "crate::Tag::Graduation")]
impl Reports {
    /// 学历注册导出
    /// 须有导出完整证件号的权限；说明用途后证件号才完整
    #[oai(path = "/registerExport", method = "post", operation_id = "exportGraduationRegister")]
    async fn export(
        &self,
        caller: Allowed<ExportRegister>,
        /// 完整证件号
        /// 须说明用途，记入日志
        whole: Query<Option<bool>>,
        /// 用途
        /// 导出完整证件号时填写，2至200个字符
        #[oai(validator(max_length = 200))]
        reason: Query<Option<String>>,
        Body(wanted): Body<GraduationBatchChosen>,
    ) -> Result<Attachment> {
        if !caller.holds(ExportRegisterPlain::CODE) {
            return Err(Error::forbidden());
        }
        let plain = whole_of(caller.caller(), ExportRegisterPlain::CODE, whole.0, reason.0.as_deref())?;
        let mut tx = caller.read_long().await?;
        let columns = chosen(&REGISTER_EXPORT_COLUMNS.value(&mut tx).await?, REGISTER_COLUMNS);
        let rows = rows_of(caller.app(), &mut tx, wanted.batch_id, &caller.scope(), &plain).await?;
        drop(tx);
        if rows.is_empty() {
            return Err(Error::new(999, "没有可导出的数据"));
        }
        let (plain, reason) = (whole.0 == Some(true), reason.0.filter(|_| whole.0 == Some(true)));
        caller.note("export", json!({ "rows": rows.len(), "file": "学历注册.xlsx", "plain": plain, "reason": reason }));
        let headings = columns.iter().map(|column| (column.clone(), 18)).collect();
        let cells = rows.iter().map(|one| row(&columns, one).into_iter().map(Cell::Text).collect()).collect();
        Attachment::headed(caller.app(), "学历注册", headings, cells).await
    }

    /// 学历注册结果导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchGraduationRegisterTemplate")]
    async fn template(&self, caller: Allowed<FetchRegisterResultSheet>) -> Result<Attachment> {
        transfer::template::<ResultSheet, _>(&caller).await
    }

    /// 导入学历注册结果
    #[oai(path = "/import", method = "post", operation_id = "importGraduationRegister")]
    async fn import(&self, caller: Allowed<ImportRegisterResults>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ResultSheet>(&caller, form).await
    }
}

/// Whoever graduated or completed in a batch, with their certificate, and the whole numbers of those within `plain`.
async fn rows_of(
    app: &App,
    connection: &mut PgConnection,
    batch: i64,
    scope: &Scope,
    plain: &Scope,
) -> Result<Vec<RegisterRow>> {
    let (ethnicities, political) = words(app).await?;
    let principal = PRESIDENT_NAME.value(connection).await?.as_str().unwrap_or_default().to_owned();
    let rows = sqlx::query!(
        r#"select y.examinee_no as "examinee_no?", y.student_no as "student_no?", y.name as "name!",
                  y.gender as "gender?: Gender", y.birthday as "birthday?", y.id_card_no as "id_card_no!",
                  y.site_id as "site_id!", y.class_id as "class_id?",
                  y.ethnicity as "ethnicity?", y.political_status as "political?", m.national_code as "major_code!",
                  m.national_name as "major_name!", l.name as "level!", y.schooling_years::float8 as "years!",
                  y.study_form as "form!: StudyForm", y.enrolled_on as "enrolled_on!", b.graduates_on as "graduates_on?",
                  o.name as "organization?", s.name as "site!", c.code as "class?", g.decision as "decision!: GraduationDecision", k.number as "number?"
           from graduation_outcome g
           join graduation_batch b on b.id = g.batch_id
           join student y on y.id = g.student_id
           join major m on m.id = y.major_id
           join level l on l.id = y.level_id
           join site s on s.id = y.site_id
           left join organization o on o.id = s.organization_id
           left join class c on c.id = y.class_id
           left join certificate k on k.student_id = g.student_id and k.batch_id = g.batch_id
                and k.kind in ('graduation', 'completion') and k.status <> 'voided'
           where g.batch_id = $1 and g.decision in ('graduate', 'complete')
             and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
           order by l.sort_no, m.code, y.student_no, y.id"#,
        batch,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?;
    let label = |known: &[student_status::student::references::Word], value: Option<String>| {
        value
            .and_then(|value| known.iter().find(|word| word.value == value))
            .map(|word| word.label.clone())
            .unwrap_or_default()
    };
    let one = rows.into_iter().map(|row| RegisterRow {
        examinee_no: row.examinee_no.unwrap_or_default(),
        student_no: row.student_no.unwrap_or_default(),
        name: row.name,
        gender: row.gender.map(|gender| gender.zh().to_owned()).unwrap_or_default(),
        birthday: row.birthday,
        id_card_no: if plain.sees(Some(row.site_id), row.class_id) {
            row.id_card_no
        } else {
            mask::id_card(&row.id_card_no)
        },
        ethnicity: label(&ethnicities, row.ethnicity),
        political_status: label(&political, row.political),
        major_code: row.major_code,
        major_name: row.major_name,
        level: row.level,
        schooling_years: row.years.to_string(),
        study_form: row.form.zh().to_owned(),
        enrolled_on: Some(row.enrolled_on),
        graduated_on: row.graduates_on,
        branch: row.organization.unwrap_or_default(),
        department: row.site,
        class: row.class.unwrap_or_default(),
        conclusion: row.decision.zh().to_owned(),
        certificate_no: row.number.unwrap_or_default(),
        principal: principal.clone(),
    });
    Ok(one.collect())
}

/// An import of what the national register answered.
pub(crate) struct ResultSheet {
    scope: Scope,
}

const COLUMNS: &[(&str, &str)] =
    &[("examineeNo", EXAMINEE), ("name", NAME), ("certificateNo", NUMBER), ("success", RESULT), ("message", MESSAGE)];

impl Import for ResultSheet {
    const KIND: &'static str = "graduation_register.import";
    type Permission = ImportRegisterResults;
    const COUNTED: &'static [&'static str] = &[RESULT];

    fn template() -> Template {
        Template {
            title: "学历注册结果",
            columns: vec![
                InputColumn::required(EXAMINEE, ""),
                InputColumn::required(NAME, "与证书一致"),
                InputColumn::required(NUMBER, "18位"),
                InputColumn::required(RESULT, "").one_of(["成功", "失败"]),
                InputColumn::optional(MESSAGE, "失败的原因"),
            ],
        }
    }

    async fn start(_tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        Ok(Self { scope })
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], _write: bool) -> Result<Vec<Change>> {
        let mut changes = Vec::with_capacity(rows.len());
        for row in rows {
            let result = RegistrationResult {
                certificate_no: row.required(NUMBER),
                examinee_no: row.required(EXAMINEE),
                name: row.required(NAME),
                success: row.one_of(RESULT, &[("成功", true), ("失败", false)]).unwrap_or_default(),
                message: row.text(MESSAGE),
            };
            if row.peek(RESULT).is_none() {
                row.refuse_once(RESULT, "请填写结果");
            }
            if !row.errors().is_empty() {
                continue;
            }
            if !seen(tx, &result.certificate_no, &self.scope).await? {
                row.refuse(NUMBER, "证书编号不存在或不在您的管辖范围内");
                continue;
            }
            tx.savepoint().await?;
            match registered(tx, std::slice::from_ref(&result)).await {
                Ok(made) => {
                    tx.row_done().await?;
                    changes.extend(made);
                }
                Err(error) => {
                    tx.row_failed(error.clone()).await?;
                    refuse(row, COLUMNS, &error);
                }
            }
        }
        Ok(changes)
    }

    async fn undo(_tx: &mut Tx, _scope: &Scope, _record: &Imported) -> Result<Option<Change>> {
        Err(Error::conflict("学信网的注册结果不能撤销，请重新导入正确的结果"))
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let number = sqlx::query_scalar!("select number from certificate where id = $1", record.id)
            .fetch_optional(&mut **tx)
            .await?;
        Ok(number.unwrap_or_default())
    }
}

/// Whether a certificate is of somebody within the scope.
async fn seen(connection: &mut PgConnection, number: &str, scope: &Scope) -> Result<bool> {
    Ok(sqlx::query_scalar!(
        r#"select exists (select from certificate c join student y on y.id = c.student_id
                          where c.number = $1 and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[])))
               as "seen!""#,
        number,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(connection)
    .await?)
}
