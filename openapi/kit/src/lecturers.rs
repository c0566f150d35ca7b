//! Lecturers of the operators' site who come from learners: rows as their own client makes them.

use crate::{Server, learners::numbered};

/// A learner asks to teach.
pub async fn application(server: &Server, learner: i64, name: &str) -> i64 {
    numbered(server, learner).await;
    server
        .one(&format!(
            "insert into platform.lecturer_audit (learner_id, lecturer_name, phone, lecturer_proportion, created_by, updated_by)
             values ({learner}, '{name}', '13900000031', 0.7, 0, 0) returning id"
        ))
        .await
}

/// A learner who earned so much, all of it settled.
pub async fn account(server: &Server, learner: i64, available: i64) {
    numbered(server, learner).await;
    server
        .run(&format!(
            "insert into platform.user_account (learner_id, total_income, available, created_by, updated_by)
             values ({learner}, {available}, {available}, 0, 0)"
        ))
        .await;
    server
        .run(&format!(
            "insert into platform.account_journal (learner_id, kind, amount, moved, ref_type, ref_id, balance_after)
             values ({learner}, 'income', {available}, {available}, 'order_info', {learner}, 0)"
        ))
        .await;
}

/// A learner with 112.77 yuan more than they ask for, and what they ask for, kept back.
pub async fn withdrawal(server: &Server, learner: i64, amount: i64) -> i64 {
    let rest = 1_277;
    account(server, learner, amount + rest).await;
    server
        .run(&format!(
            "update platform.user_account set available = {rest}, frozen = {amount} where learner_id = {learner}"
        ))
        .await;
    server
        .one(&format!(
            "insert into platform.account_extract_log (learner_id, amount, bank_card_no, bank_name, bank_user_name, phone,
                 created_by, updated_by)
             values ({learner}, {amount}, '6222020200112230000', '中国工商银行', '苏明远', '13900000041', 0, 0) returning id"
        ))
        .await
}

/// What a learner has: available, frozen, withdrawn.
pub async fn balance(server: &Server, learner: i64) -> String {
    server
        .one(&format!(
            "select available || '/' || frozen || '/' || withdrawn from platform.user_account where learner_id = {learner}"
        ))
        .await
}
