//! 分配: sheets and answers that wait are given to the markers of their setup (part 04 §2.3).

use std::collections::BTreeMap;

use exam_rules::assign::{MarkerShare, SheetShare, round_robin};
use exams::{enums::MarkingMode, marker::recount, setup::HeldSetup};
use homework::sheet::given;
use infra::{Change, Result, Tx};
use serde_json::json;

/// Gives out what waits and was given to nobody, or to somebody who marks no more.
///
/// # Errors
/// Those of the database.
pub(crate) async fn distribute(tx: &mut Tx, setup: &HeldSetup) -> Result<Vec<Change>> {
    let markers = sqlx::query!(
        "select teacher_id, class_ids, question_seqs, quota, assigned from exam_marker
         where setup_id = $1 and not arbiter order by id",
        setup.id
    )
    .fetch_all(&mut **tx)
    .await?;
    if markers.is_empty() {
        return Ok(Vec::new());
    }
    let markers: Vec<MarkerShare> = markers
        .into_iter()
        .map(|row| MarkerShare {
            teacher: row.teacher_id,
            classes: row.class_ids,
            questions: row.question_seqs,
            quota: row.quota.and_then(|quota| usize::try_from(quota).ok()),
            held: usize::try_from(row.assigned).unwrap_or_default(),
        })
        .collect();
    let double = setup.marking_mode == MarkingMode::Double;
    let teachers: Vec<i64> = markers.iter().map(|marker| marker.teacher).collect();
    let rows = sqlx::query!(
        r#"select a.id as "sheet!", y.class_id, i.id as "item!", i.seq as "seq!"
           from answer_sheet a
           join exam_candidate c on c.id = a.exam_candidate_id
           join student y on y.id = c.student_id
           join answer_item i on i.sheet_id = a.id and i.mark_state = 'pending'
           where c.setup_id = $1 and a.mark_state = 'submitted'
             and case when $2 then not exists (select from exam_item_mark x where x.item_id = i.id)
                      else coalesce(i.marker_id, a.marker_id) is null or coalesce(i.marker_id, a.marker_id) <> all($3) end
           order by a.seed, a.id, i.id"#,
        setup.id,
        double,
        &teachers
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut order: Vec<i64> = Vec::new();
    let mut sheets: BTreeMap<i64, SheetShare> = BTreeMap::new();
    for row in rows {
        if !sheets.contains_key(&row.sheet) {
            order.push(row.sheet);
        }
        let share =
            sheets.entry(row.sheet).or_insert(SheetShare { sheet: row.sheet, class: row.class_id, items: Vec::new() });
        share.items.push((row.item, row.seq));
    }
    let sheets: Vec<SheetShare> = order.iter().filter_map(|id| sheets.remove(id)).collect();
    let shares = round_robin(&markers, &sheets, if double { 2 } else { 1 });
    if double {
        let by = tx.by();
        sqlx::query!(
            "insert into exam_item_mark (item_id, seq_no, marker_teacher_id, created_by, updated_by)
             select w.item, w.copy, w.teacher, $4, $4 from unnest($1::bigint[], $2::integer[], $3::bigint[]) as w (item, copy, teacher)
             on conflict do nothing",
            &shares.iter().filter_map(|one| one.item).collect::<Vec<i64>>(),
            &shares.iter().map(|one| i32::try_from(one.copy).unwrap_or(1)).collect::<Vec<i32>>(),
            &shares.iter().map(|one| one.teacher).collect::<Vec<i64>>(),
            by
        )
        .execute(&mut **tx)
        .await?;
    } else {
        let whole: Vec<(i64, i64)> =
            shares.iter().filter(|one| one.item.is_none()).map(|one| (one.sheet, one.teacher)).collect();
        let parts: Vec<(i64, i64)> = shares.iter().filter_map(|one| one.item.map(|item| (item, one.teacher))).collect();
        given(tx, &whole, &parts).await?;
    }
    recount(tx, setup.id).await?;
    Ok(vec![Change::event(
        "exam_setup",
        setup.id,
        "assign",
        json!({ "sheets": sheets.len(), "markers": markers.len() }),
    )])
}
