//! What the sheets of learners look like: the export, the import.

use infra::{
    App, Change, Error, Result, Scope, Tx,
    sheet::{Cell, Column, InputColumn, Row, Template},
    transfer::{Export, Imported, RowImport, Rows},
};
use learner_rules::{enums::LearnerGender, form::LearnerForm};
use serde_json::{Value, json};
use settings::website;
use sqlx::PgConnection;

use super::{
    Learner, LearnerFilter, Learners,
    form::{doubts, insert, remove},
    list::select,
};

impl Export for Learners {
    type Filter = LearnerFilter;
    type Row = Learner;
    const KIND: &'static str = "learner.export";
    type Permission = super::ExportLearners;
    const PLAIN: Option<&'static str> = Some("user:pc:ext:exportPlain");
    const TITLE: &'static str = "学员";
    const COLUMNS: &'static [Column<Learner>] = &[
        Column { heading: "昵称", width: 18, cell: |learner| Cell::text(learner.nickname.clone()) },
        Column { heading: "手机号", width: 16, cell: |learner| Cell::Text(learner.phone.clone()) },
        Column { heading: "性别", width: 8, cell: |learner| Cell::Text(learner.gender.zh().to_owned()) },
        Column { heading: "注册来源", width: 12, cell: |learner| Cell::Text(learner.source.zh().to_owned()) },
        Column { heading: "会员", width: 10, cell: |learner| Cell::Text(learner.member_state.zh().to_owned()) },
        Column { heading: "会员到期", width: 20, cell: |learner| Cell::time(learner.vip_expires_at) },
        Column { heading: "是讲师", width: 8, cell: |learner| Cell::Bool(learner.is_lecturer) },
        Column { heading: "是博主", width: 8, cell: |learner| Cell::Bool(learner.is_blogger) },
        Column { heading: "关联院校", width: 24, cell: |learner| Cell::text(learner.linked_school_name.clone()) },
        Column { heading: "最近登录", width: 20, cell: |learner| Cell::time(learner.last_login_at) },
        Column { heading: "启用", width: 8, cell: |learner| Cell::Bool(learner.enabled) },
        Column { heading: "注册时间", width: 20, cell: |learner| Cell::DateTime(learner.created_at) },
    ];

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &LearnerFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, Learner>> {
        Ok(select(connection, None, filter, None, app.clock().now()))
    }

    fn mask(learner: &mut Learner) {
        learner.mask();
    }
}

/// An import of learners: without a password, they sign in by a code.
pub(super) struct LearnerSheet {
    /// The title of the site.
    site: String,
    /// Of the row that was written last.
    warnings: Vec<String>,
}

impl RowImport for LearnerSheet {
    type Form = LearnerForm;
    const KIND: &'static str = "learner.import";
    type Permission = super::ImportLearners;
    const COLUMNS: &'static [(&'static str, &'static str)] =
        &[("phone", "手机号"), ("nickname", "昵称"), ("gender", "性别")];
    const ONCE: &'static [(&'static str, &'static str)] = &[("手机号", "手机号")];

    fn template() -> Template {
        Template {
            title: "学员",
            columns: vec![
                InputColumn::required("手机号", "11位手机号，用于登录"),
                InputColumn::optional("昵称", "不超过30个字符"),
                InputColumn::optional("性别", "不填为未知")
                    .one_of(LearnerGender::CHOICES.iter().map(|(word, _)| *word)),
            ],
        }
    }

    async fn start(tx: &mut Tx, _scope: Scope) -> Result<Self> {
        Ok(Self { site: website::title(tx.app()).await?, warnings: Vec::new() })
    }

    fn form(&self, row: &mut Row) -> Value {
        json!({
            "phone": row.text("手机号"),
            "nickname": row.text("昵称"),
            "gender": row.one_of("性别", LearnerGender::CHOICES).map(LearnerGender::as_str),
        })
    }

    async fn insert(&mut self, tx: &mut Tx, form: LearnerForm) -> Result<Change> {
        match insert(tx, form, None, &self.site).await {
            Ok((learner, change)) => {
                self.warnings = doubts(tx.app(), &learner).await?;
                Ok(change)
            }
            // In a sheet the cell is told, not the call.
            Err(error) if error.code == 409 => Err(Error::field("phone", error.msg)),
            Err(error) => Err(error),
        }
    }

    fn warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    async fn undo(tx: &mut Tx, _scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        remove(tx, record.id).await.map(Some)
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let name = sqlx::query_scalar!("select nickname from platform.user_ext where id = $1", record.id)
            .fetch_optional(&mut **tx)
            .await?;
        Ok(name.flatten().unwrap_or_default())
    }
}
