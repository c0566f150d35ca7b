//! 新增: one student, transferred in or found in old files.

use classes::class::class_seats;
use infra::{Allowed, Body, Change, Error, Reply, Result, Scope, Tx, Warned, reply};
use people::id_card::typed_by_hand;
use poem_openapi::OpenApi;
use student_status_rules::{check::check, form::StudentForm, warnings::warnings};

use super::{
    SaveStudent,
    check::duplicates,
    enrol::enrol,
    number::{Numbered, give_to_new},
    references::Only,
};

pub struct Save;

#[OpenApi(prefix_path = "/adult/pc/studentRoll", tag = "crate::Tag::StudentStatus")]
impl Save {
    /// 新增学籍
    #[oai(path = "/save", method = "post", operation_id = "saveStudent")]
    async fn save(&self, caller: Allowed<SaveStudent>, Body(form): Body<StudentForm>) -> Result<Reply<Warned>> {
        let mut tx = caller.begin().await?;
        let saved = enter(&mut tx, &form, &caller.scope()).await?;
        tx.commit(Change::created("student", saved.id, &form)).await?;
        Ok(reply(saved))
    }
}

async fn enter(tx: &mut Tx, form: &StudentForm, scope: &Scope) -> Result<Warned> {
    let app = tx.app().clone();
    let only = Only {
        grade: Some(form.grade_id),
        level: Some(form.level_id),
        major: Some(form.major_id),
        site: Some(form.site_id),
        // No class has the number 0; without this all of them would be read.
        class: Some(form.class_id.unwrap_or(0)),
    };
    let known = only.load(&app, tx).await?;
    typed_by_hand(form.id_card_type, None)?;
    let today = app.clock().today();
    let new = check(form, &known, scope, today).map_err(Error::fields)?;
    let wrong = duplicates(tx, &[&new]).await?.remove(0);
    if !wrong.is_empty() {
        return Err(Error::fields(wrong));
    }
    if let Some(class_id) = new.class_id.filter(|_| new.status.is_active()) {
        class_seats(tx, class_id).await?.admit(1)?;
    }
    let ids = enrol(tx, std::slice::from_ref(&new)).await?;
    let id = ids.first().copied().ok_or_else(|| Error::internal("a student was entered without a number"))?;
    let mut warnings: Vec<String> = warnings(&new, &known, today).into_iter().map(|warning| warning.message).collect();
    if Numbered::of_school(tx).await?.includes(&new) {
        warnings.extend(give_to_new(tx, &ids).await?.into_iter().map(|(_, why)| format!("未生成学号：{why}")));
    }
    Ok(Warned { id, warnings })
}
