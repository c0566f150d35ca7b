//! 导出: what the list of a group shows, as a workbook.

use std::marker::PhantomData;

use infra::{
    App, Result, Scope,
    access::Permission,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::list::{InformationFilter, InformationRow, all};
use crate::{
    enums::{ChsiPreCheck, CommitmentConclusion, DiplomaEvidence, InformationKind, InformationSubmitter, PhotoCheck},
    group::Group,
};

/// The export of a group.
pub(crate) struct Sheet<G>(PhantomData<G>);

type Of = Column<InformationRow>;

const STUDENT_NO: Of = Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) };
const EXAMINEE_NO: Of = Column { heading: "考生号", width: 18, cell: |row| Cell::text(row.examinee_no.as_deref()) };
const NAME: Of = Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) };
const GENDER: Of = Column { heading: "性别", width: 6, cell: |row| Cell::text(row.gender.map(|gender| gender.zh())) };
const ID_CARD_NO: Of = Column { heading: "证件号", width: 22, cell: |row| Cell::Text(row.id_card_no.clone()) };
const PHONE: Of = Column { heading: "手机", width: 14, cell: |row| Cell::text(row.phone.as_deref()) };
const GRADE: Of = Column { heading: "年级", width: 12, cell: |row| Cell::Text(row.grade_name.clone()) };
const LEVEL: Of = Column { heading: "层次", width: 10, cell: |row| Cell::Text(row.level_name.clone()) };
const MAJOR: Of = Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) };
const STUDY_FORM: Of =
    Column { heading: "学习形式", width: 10, cell: |row| Cell::Text(row.study_form.zh().to_owned()) };
const SITE: Of = Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) };
const CLASS: Of = Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) };
const STUDENT_STATUS: Of =
    Column { heading: "学籍状态", width: 10, cell: |row| Cell::Text(row.student_status.zh().to_owned()) };
const STATUS: Of = Column { heading: "状态", width: 12, cell: |row| Cell::Text(row.status.zh().to_owned()) };
const SUBMITTED_AT: Of = Column { heading: "提交时间", width: 20, cell: |row| Cell::time(row.submitted_at) };
const SUBMITTED_BY: Of =
    Column { heading: "提交人", width: 8, cell: |row| Cell::text(row.submitted_by.map(InformationSubmitter::zh)) };
const REVIEWED_BY: Of = Column { heading: "审核人", width: 12, cell: |row| Cell::text(row.reviewed_by.as_deref()) };
const REVIEWED_AT: Of = Column { heading: "审核时间", width: 20, cell: |row| Cell::time(row.reviewed_at) };
const RETURN_COUNT: Of =
    Column { heading: "退回次数", width: 10, cell: |row| Cell::Int(i64::from(row.return_count)) };
const REMARK: Of = Column { heading: "退回原因", width: 30, cell: |row| Cell::text(row.remark.as_deref()) };

const MISMATCHES: Of = Column {
    heading: "核对不符(项)",
    width: 12,
    cell: |row| row.mismatches.map_or(Cell::Empty, |count| Cell::Int(i64::from(count))),
};
const CORRECTION_STATUS: Of =
    Column {
        heading: "更正状态", width: 10, cell: |row| Cell::text(row.correction_status.map(|status| status.zh()))
    };
const ENROL_PHOTO: Of = Column { heading: "入学照片", width: 10, cell: |row| yes(row.enrol_photo) };
const EVIDENCE_KIND: Of =
    Column { heading: "证明方式", width: 30, cell: |row| Cell::text(row.evidence_kind.map(DiplomaEvidence::zh)) };
const CONCLUSION: Of =
    Column { heading: "审查结论", width: 12, cell: |row| Cell::text(row.conclusion.map(CommitmentConclusion::zh)) };
const SIGNED: Of = Column { heading: "承诺书已签署", width: 14, cell: |row| yes(row.signed) };
const COMMITMENT_VERSION: Of = Column {
    heading: "承诺书版本",
    width: 12,
    cell: |row| row.commitment_version.map_or(Cell::Empty, |version| Cell::Int(i64::from(version))),
};
const CHSI_PRE_CHECK: Of =
    Column {
        heading: "前置学历清查", width: 14, cell: |row| Cell::text(row.chsi_pre_check.map(ChsiPreCheck::zh))
    };
const CHSI_CHECKED_ON: Of = Column { heading: "清查日期", width: 12, cell: |row| Cell::date(row.chsi_checked_on) };
const EXPECTED_GRADUATION_ON: Of =
    Column { heading: "预计毕业", width: 12, cell: |row| Cell::date(row.expected_graduation_on) };
const PHOTO_CHECK: Of =
    Column { heading: "三照比对", width: 10, cell: |row| Cell::text(row.photo_check.map(PhotoCheck::zh)) };
const GRADUATION_PHOTO: Of = Column { heading: "学历照片", width: 10, cell: |row| yes(row.graduation_photo) };

fn yes(there: Option<bool>) -> Cell {
    there.map_or(Cell::Empty, |there| Cell::Text(if there { "是" } else { "否" }.to_owned()))
}

const ADMISSION_INFORMATION: &[Of] = &[
    STUDENT_NO,
    EXAMINEE_NO,
    NAME,
    GENDER,
    ID_CARD_NO,
    PHONE,
    GRADE,
    LEVEL,
    MAJOR,
    STUDY_FORM,
    SITE,
    CLASS,
    STUDENT_STATUS,
    STATUS,
    SUBMITTED_AT,
    SUBMITTED_BY,
    REVIEWED_BY,
    REVIEWED_AT,
    RETURN_COUNT,
    REMARK,
    MISMATCHES,
    CORRECTION_STATUS,
    ENROL_PHOTO,
];

const ADMISSION_COMMITMENT: &[Of] = &[
    STUDENT_NO,
    EXAMINEE_NO,
    NAME,
    GENDER,
    ID_CARD_NO,
    PHONE,
    GRADE,
    LEVEL,
    MAJOR,
    STUDY_FORM,
    SITE,
    CLASS,
    STUDENT_STATUS,
    STATUS,
    SUBMITTED_AT,
    SUBMITTED_BY,
    REVIEWED_BY,
    REVIEWED_AT,
    RETURN_COUNT,
    REMARK,
    EVIDENCE_KIND,
    CONCLUSION,
    SIGNED,
    COMMITMENT_VERSION,
    CHSI_PRE_CHECK,
    CHSI_CHECKED_ON,
];

const GRADUATION_INFORMATION: &[Of] = &[
    STUDENT_NO,
    EXAMINEE_NO,
    NAME,
    GENDER,
    ID_CARD_NO,
    PHONE,
    GRADE,
    LEVEL,
    MAJOR,
    STUDY_FORM,
    SITE,
    CLASS,
    STUDENT_STATUS,
    STATUS,
    SUBMITTED_AT,
    SUBMITTED_BY,
    REVIEWED_BY,
    REVIEWED_AT,
    RETURN_COUNT,
    REMARK,
    MISMATCHES,
    EXPECTED_GRADUATION_ON,
    PHOTO_CHECK,
    GRADUATION_PHOTO,
];

const fn columns(kind: InformationKind) -> &'static [Of] {
    match kind {
        InformationKind::AdmissionInformation => ADMISSION_INFORMATION,
        InformationKind::AdmissionCommitment => ADMISSION_COMMITMENT,
        InformationKind::GraduationInformation => GRADUATION_INFORMATION,
    }
}

impl<G: Group> Export for Sheet<G> {
    type Filter = InformationFilter;
    type Row = InformationRow;
    const KIND: &'static str = G::EXPORT;
    type Permission = G::Exporting;
    const PLAIN: Option<&'static str> = Some(<G::ExportingPlain as Permission>::CODE);
    const TITLE: &'static str = G::KIND.zh();
    const COLUMNS: &'static [Column<InformationRow>] = columns(G::KIND);

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &InformationFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, InformationRow>> {
        Ok(all(connection, &filter.wanted(G::KIND, scope)))
    }

    fn mask(row: &mut InformationRow) {
        row.mask();
    }
}
