//! 打印成绩评定表: A4 upright, a page a student.

use infra::{Allowed, Body, Error, Result, transfer::Printed};
use poem_openapi::{Object, OpenApi, param::Path, types::Example};
use thesis::offered::{ThesisDoc, forms_of};
use tokio::task::spawn_blocking;

use super::PrintGrades;

/// Whose forms.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct GraduationScoresPrint {
    /// 毕业成绩
    /// 一次最多200名
    #[oai(validator(min_items = 1, max_items = 200))]
    pub ids: Vec<i64>,
}

impl Example for GraduationScoresPrint {
    fn example() -> Self {
        Self { ids: vec![1] }
    }
}

pub struct Prints;

#[OpenApi(prefix_path = "/adult/pc/graduation/score", tag = "crate::Tag::GraduationGrades")]
impl Prints {
    /// 打印成绩评定表
    /// A4纵向，一名学生一页
    #[oai(path = "/print/:doc", method = "post", operation_id = "printGraduationScores")]
    async fn print(
        &self,
        caller: Allowed<PrintGrades>,
        /// 材料
        /// 只有成绩评定表：grade
        #[oai(validator(max_length = 20))]
        doc: Path<String>,
        Body(wanted): Body<GraduationScoresPrint>,
    ) -> Result<Printed> {
        if ThesisDoc::parse(&doc.0) != Some(ThesisDoc::Grade) {
            return Err(Error::not_found());
        }
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        let theses = sqlx::query_scalar!(
            "select t.id from thesis t join student y on y.id = t.student_id
             where t.selection_id = any($1) and t.status <> 'cancelled'
               and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
             order by y.student_no, t.id",
            &wanted.ids,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(&mut *tx)
        .await?;
        if theses.is_empty() {
            return Err(Error::not_found());
        }
        let paper = forms_of(caller.app(), &mut tx, &theses, &[ThesisDoc::Grade]).await?;
        drop(tx);
        let bytes = spawn_blocking(move || paper.finish()).await.map_err(Error::internal)?.map_err(Error::internal)?;
        Ok(Printed { name: "毕业成绩评定表.pdf".to_owned(), bytes })
    }
}
