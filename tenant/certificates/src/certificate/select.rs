//! How certificates are read.

use certificate_rules::enums::{CertificateKind, CertificateStatus, RegisterResultOfCertificate};
use chrono::NaiveDate;
use infra::{
    App, Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
    mask,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use sqlx::PgConnection;
use student_status::keyword::classify;

use super::{Certificates, ExportCertificates};

/// A certificate, as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Certificate {
    /// 编号
    pub id: i64,
    /// 学生编号
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    /// 编号时的姓名
    pub name: String,
    /// 站点
    pub site_name: String,
    /// 毕业批次编号
    pub batch_id: i64,
    /// 毕业批次
    pub batch_name: String,
    /// 种类
    pub kind: CertificateKind,
    /// 证书编号
    pub number: String,
    /// 年份
    pub year: i32,
    /// 层次
    pub level: String,
    /// 专业
    pub major: String,
    /// 校长姓名
    pub principal_name: String,
    /// 状态
    pub status: CertificateStatus,
    /// 打印次数
    pub print_count: i32,
    /// 打印时间
    pub printed_at: Option<Moment>,
    /// 领取人
    pub receiver: Option<String>,
    /// 与本人关系
    pub receiver_relation: Option<String>,
    /// 领取人证件号
    pub receiver_id_card_no: Option<String>,
    /// 领取日期
    pub issued_on: Option<NaiveDate>,
    /// 注册结果
    pub register_result: Option<RegisterResultOfCertificate>,
    /// 注册说明
    pub register_message: Option<String>,
    /// 注册时间
    pub registered_at: Option<Moment>,
    /// 作废原因
    pub void_reason: Option<String>,
    /// 作废时间
    pub voided_at: Option<Moment>,
    /// 通知领取时间
    pub told_at: Option<Moment>,
    /// 证明书编号
    pub reissue_no: Option<String>,
    /// 补办原因
    pub reissue_reason: Option<String>,
    /// 补办日期
    pub reissued_on: Option<NaiveDate>,
    /// 导入
    pub imported: bool,
    /// 编号时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

impl Certificate {
    /// Without whole numbers of people.
    pub(super) fn masked(mut self) -> Self {
        self.receiver_id_card_no = self.receiver_id_card_no.as_deref().map(mask::id_card);
        self
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct CertificateFilter {
    /// 毕业批次
    pub batch_id: Option<i64>,
    /// 学生
    pub student_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 种类
    pub kind: Option<CertificateKind>,
    /// 状态
    pub status: Option<CertificateStatus>,
    /// 证书编号
    /// 前缀
    #[oai(validator(max_length = 18))]
    pub number: Option<String>,
    /// 关键字
    /// 学号、姓名、考生号、证件号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
}

impl Keyed for Certificates {
    type Filter = CertificateFilter;
    type Row = Certificate;

    fn id(row: &Certificate) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &CertificateFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let keyword = filter.keyword.as_deref().map(classify).unwrap_or_default();
        sqlx::query_as!(
            Key,
            r#"select c.id as "id!", c.created_at as "created_at!", count(*) over () as "total!"
               from certificate c join student y on y.id = c.student_id
               where ($1::bigint is null or c.id = $1)
                 and ($2::timestamptz is null or c.created_at <= $2)
                 and ($3::bigint[] is null or y.site_id = any($3) or y.class_id = any($4::bigint[]))
                 and ($5::bigint is null or c.batch_id = $5)
                 and ($6::bigint is null or c.student_id = $6)
                 and ($7::bigint is null or y.site_id = $7)
                 and ($8::bigint is null or y.level_id = $8)
                 and ($9::bigint is null or y.major_id = $9)
                 and ($10::text is null or c.kind = $10)
                 and ($11::text is null or c.status = $11)
                 and ($12::text is null or starts_with(c.number, $12))
                 and ($13::text is null or y.id_card_no = $13)
                 and ($14::text is null or y.phone = $14)
                 and ($15::text is null or y.student_no like $15 or y.examinee_no like $15
                      or ($15 !~ '[0-9]' and y.initials like lower(rtrim($15, '%')) || '%'))
                 and ($16::text[] is null or y.name_grams @> $16)
               order by c.created_at desc, c.id
               limit $17 offset $18"#,
            wanted.id,
            wanted.newest_until,
            scope.sites(),
            scope.classes(),
            filter.batch_id,
            filter.student_id,
            filter.site_id,
            filter.level_id,
            filter.major_id,
            filter.kind.map(CertificateKind::as_str),
            filter.status.map(CertificateStatus::as_str),
            filter.number,
            keyword.id_card_no.as_deref(),
            keyword.phone.as_deref(),
            keyword.number.as_deref(),
            keyword.name_grams.as_deref(),
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<Certificate>> {
        sqlx::query_as!(
            Certificate,
            r#"select c.id as "id!", c.student_id as "student_id!", y.student_no, coalesce(c.holder ->> 'name', y.name) as "name!",
                      t.name as "site_name!", c.batch_id as "batch_id!", b.name as "batch_name!", c.kind as "kind!: _",
                      c.number as "number!", c.year as "year!", coalesce(c.holder ->> 'level', l.name) as "level!",
                      coalesce(c.holder ->> 'major', m.name) as "major!", c.principal_name as "principal_name!",
                      c.status as "status!: _", c.print_count as "print_count!", c.printed_at, c.receiver, c.receiver_relation,
                      c.receiver_id_card_no, c.issued_on, c.register_result as "register_result: _", c.register_message,
                      c.registered_at, c.void_reason, c.voided_at, c.told_at, c.reissue_no, c.reissue_reason, c.reissued_on,
                      c.imported as "imported!", c.created_at as "created_at!", c.version as "version!"
               from certificate c
               join student y on y.id = c.student_id
               join graduation_batch b on b.id = c.batch_id
               join site t on t.id = y.site_id
               join level l on l.id = y.level_id
               join major m on m.id = y.major_id
               where c.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}

impl Export for Certificates {
    type Filter = CertificateFilter;
    type Row = Certificate;
    const KIND: &'static str = "certificate.export";
    type Permission = ExportCertificates;
    const TITLE: &'static str = "证书";
    const COLUMNS: &'static [Column<Certificate>] = &[
        Column { heading: "证书编号", width: 22, cell: |row| Cell::Text(row.number.clone()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "层次", width: 14, cell: |row| Cell::Text(row.level.clone()) },
        Column { heading: "专业", width: 24, cell: |row| Cell::Text(row.major.clone()) },
        Column { heading: "毕业批次", width: 20, cell: |row| Cell::Text(row.batch_name.clone()) },
        Column { heading: "种类", width: 14, cell: |row| Cell::Text(row.kind.zh().to_owned()) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "领取人", width: 12, cell: |row| Cell::text(row.receiver.as_deref()) },
        Column { heading: "与本人关系", width: 12, cell: |row| Cell::text(row.receiver_relation.as_deref()) },
        Column { heading: "领取人证件号", width: 22, cell: |row| Cell::text(row.receiver_id_card_no.as_deref()) },
        Column { heading: "领取日期", width: 12, cell: |row| row.issued_on.map_or(Cell::Empty, Cell::Date) },
        Column { heading: "证明书编号", width: 22, cell: |row| Cell::text(row.reissue_no.as_deref()) },
        Column { heading: "作废原因", width: 24, cell: |row| Cell::text(row.void_reason.as_deref()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &CertificateFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Certificate>> {
        Self::all(connection, filter, scope).await
    }

    fn mask(row: &mut Certificate) {
        *row = row.clone().masked();
    }
}
