//! A setup as others choose it.

use infra::{
    Result,
    options::{Asked, OptionItem},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use crate::enums::{ExamMode, ExamSetupStatus};

/// What a choice tells besides.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct SetupOption {
    /// 考试方式
    exam_setup_mode: ExamMode,
    /// 考试安排状态
    exam_setup_status: ExamSetupStatus,
}

/// Those of the batch `parent_id`, or of all; cancelled ones only when all are asked for.
pub(super) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select s.id, s.name, u.code, s.mode as "mode: ExamMode", s.status as "status: ExamSetupStatus", s.batch_id
           from exam_setup s join course u on u.id = s.course_id
           where (s.status <> 'cancelled' or not $2)
             and ($1::text is null or strpos(s.name, $1) > 0 or starts_with(s.initials, lower($1))
                  or starts_with(lower(u.code), lower($1)))
             and ($3::bigint is null or s.batch_id = $3)
             and ($4::bigint[] is null
                  or exists (select from exam_setup_class t join class k on k.id = t.class_id
                             where t.setup_id = s.id and (k.site_id = any($4) or k.id = any($5::bigint[])))
                  or exists (select from exam_candidate c join student y on y.id = c.student_id
                             where c.setup_id = s.id and (y.site_id = any($4) or y.class_id = any($5))))
           order by s.created_at desc, s.id limit $6"#,
        asked.keyword,
        asked.only_enabled,
        asked.parent_id,
        asked.scope.sites(),
        asked.scope.classes(),
        asked.most
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let more = SetupOption { exam_setup_mode: row.mode, exam_setup_status: row.status };
            let open = row.status != ExamSetupStatus::Cancelled;
            OptionItem::of(row.id, row.name, row.code, open).below(row.batch_id).with(&more)
        })
        .collect())
}
