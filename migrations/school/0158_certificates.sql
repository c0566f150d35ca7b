-- Certificates, their numbers, and the archive of each graduate. Owner: tenant/certificates. Others read.
--
--     graduation_batch ── certificate ── student        certificate_sequence (group, year, level): the next number
--     graduation_batch ── archive ── archive_item ── archive_item_file (what it was before; written once)
--     certificate: allocated → printed → issued        allocated, printed, issued → voided
--     archive: collecting ⇄ complete → sealed → handed_over        sealed ─unseal→ complete

-- 证书. A number is given once for ever.
create table certificate (
    id                  bigint generated always as identity,
    student_id          bigint  not null,
    batch_id            bigint  not null,
    kind                text    not null,
    number              text collate "C" not null,
    year                integer not null,
    level_code          text    not null,
    -- None of a number that was given elsewhere.
    seq_no              integer,
    -- Who holds it, as they were called then.
    holder              jsonb   not null,
    principal_name      text    not null default '',
    status              text    not null default 'allocated',
    print_count         integer not null default 0,
    printed_at          timestamptz,
    -- When the holder was told that it can be fetched.
    told_at             timestamptz,
    receiver            text,
    receiver_relation   text,
    receiver_id_card_no text collate "C",
    issued_on           date,
    sign_file_id        bigint,
    registered_at       timestamptz,
    register_result     text,
    register_message    text,
    void_reason         text,
    voided_at           timestamptz,
    -- 证明书 of one that was lost.
    reissue_no          text,
    reissue_reason      text,
    reissued_on         date,
    imported            boolean not null default false,
    created_at          timestamptz not null default now(),
    created_by          bigint  not null,
    updated_at          timestamptz not null default now(),
    updated_by          bigint  not null,
    version             integer not null default 1,
    constraint certificate_key primary key (id),
    constraint certificate_kind_known check (kind in ('graduation', 'completion', 'degree')),
    constraint certificate_number_shape check (
        case when kind = 'degree' then number ~ '^[0-9A-Z]{17}$' else number ~ '^[0-9]{18}$' end
    ),
    constraint certificate_seq_range check (seq_no between 1 and 999999),
    constraint certificate_status_known check (status in ('allocated', 'printed', 'issued', 'voided')),
    constraint certificate_prints_range check (print_count >= 0),
    constraint certificate_issued_missing check (
        status <> 'issued' or (receiver is not null and issued_on is not null)
    ),
    constraint certificate_result_known check (register_result in ('success', 'failed')),
    constraint certificate_voided_missing check ((status = 'voided') = (void_reason is not null)),
    constraint certificate_reissue_whole check ((reissue_no is null) = (reissue_reason is null)),
    constraint certificate_number_taken unique (number),
    constraint certificate_reissue_taken unique (reissue_no),
    constraint certificate_of_student foreign key (student_id) references student (id),
    constraint certificate_of_batch foreign key (batch_id) references graduation_batch (id),
    constraint certificate_sign_of_file foreign key (sign_file_id) references file_object (id)
);
--;;
create unique index certificate_student_taken on certificate (student_id, kind) where status <> 'voided';
--;;
create index certificate_newest on certificate (created_at desc, id);
--;;
create index certificate_batch on certificate (batch_id, kind, status);
--;;
create index certificate_status on certificate (status, created_at desc, id);
--;;
create index certificate_student on certificate (student_id);
--;;
create index certificate_to_tell on certificate (batch_id) where status = 'printed' and told_at is null;
--;;
create index certificate_sign_file on certificate (sign_file_id) where sign_file_id is not null;
--;;
-- Graduation and completion share one line of numbers; degrees have their own. Held while numbers are given.
create table certificate_sequence (
    kind_group text    not null,
    year       integer not null,
    level_code text    not null,
    next       integer not null default 1,
    constraint certificate_sequence_key primary key (kind_group, year, level_code),
    constraint certificate_sequence_group_known check (kind_group in ('diploma', 'degree')),
    constraint certificate_sequence_next_range check (next between 1 and 1000000)
);
--;;
-- 毕业档案.
create table archive (
    id            bigint generated always as identity,
    student_id    bigint  not null,
    batch_id      bigint  not null,
    archive_no    text collate "C" not null,
    status        text    not null default 'collecting',
    ready_count   integer not null default 0,
    needed_count  integer not null default 0,
    sealed_by     bigint,
    sealed_by_name text,
    sealed_at     timestamptz,
    unseal_reason text,
    bundle_file_id bigint,
    bundle_sha256 text,
    handed_to     text,
    handed_on     date,
    tracking_no   text,
    created_at    timestamptz not null default now(),
    created_by    bigint  not null,
    updated_at    timestamptz not null default now(),
    updated_by    bigint  not null,
    version       integer not null default 1,
    constraint archive_key primary key (id),
    constraint archive_status_known check (status in ('collecting', 'complete', 'sealed', 'handed_over')),
    constraint archive_counts_range check (ready_count between 0 and needed_count),
    constraint archive_complete_missing check (status = 'collecting' or ready_count = needed_count),
    constraint archive_sealed_missing check (
        status not in ('sealed', 'handed_over')
        or (sealed_at is not null and bundle_file_id is not null and bundle_sha256 is not null)
    ),
    constraint archive_handed_missing check (status <> 'handed_over' or (handed_to is not null and handed_on is not null)),
    constraint archive_student_taken unique (student_id),
    constraint archive_no_taken unique (archive_no),
    constraint archive_of_student foreign key (student_id) references student (id),
    constraint archive_of_batch foreign key (batch_id) references graduation_batch (id),
    constraint archive_bundle_of_file foreign key (bundle_file_id) references file_object (id)
);
--;;
create index archive_newest on archive (created_at desc, id);
--;;
create index archive_batch on archive (batch_id, status);
--;;
create index archive_status on archive (status, created_at desc, id);
--;;
create index archive_bundle_file on archive (bundle_file_id) where bundle_file_id is not null;
--;;
-- The next number behind each beginning of 档号.
create table archive_sequence (
    prefix text    not null,
    next   integer not null default 1,
    constraint archive_sequence_key primary key (prefix),
    constraint archive_sequence_next_range check (next >= 1)
);
--;;
-- 档案材料.
create table archive_item (
    id           bigint generated always as identity,
    archive_id   bigint  not null,
    code         text    not null,
    origin       text    not null,
    needed       boolean not null,
    file_id      bigint,
    pages        integer,
    sha256       text,
    generated_at timestamptz,
    status       text    not null default 'missing',
    waive_reason text,
    created_at   timestamptz not null default now(),
    created_by   bigint  not null,
    updated_at   timestamptz not null default now(),
    updated_by   bigint  not null,
    version      integer not null default 1,
    constraint archive_item_key primary key (id),
    constraint archive_item_code_known check (
        code in ('cover', 'admission', 'roll', 'transcript', 'registration', 'audit', 'thesis', 'thesis_forms', 'internship',
                 'rewards', 'identity', 'certificate')
    ),
    constraint archive_item_origin_known check (origin in ('generated', 'upload')),
    constraint archive_item_status_known check (status in ('missing', 'ready', 'waived')),
    constraint archive_item_ready_missing check (status <> 'ready' or (file_id is not null and sha256 is not null)),
    constraint archive_item_waive_missing check (status <> 'waived' or waive_reason is not null),
    constraint archive_item_taken unique (archive_id, code),
    constraint archive_item_of_archive foreign key (archive_id) references archive (id),
    constraint archive_item_of_file foreign key (file_id) references file_object (id)
);
--;;
create index archive_item_lacking on archive_item (code, archive_id) where needed and status = 'missing';
--;;
create index archive_item_now on archive_item (file_id) where file_id is not null;
--;;
-- What stood in a place of an archive before something else did.
create table archive_item_file (
    id         bigint generated always as identity,
    item_id    bigint not null,
    file_id    bigint not null,
    sha256     text   not null,
    made_at    timestamptz not null,
    created_at timestamptz not null default now(),
    created_by bigint not null,
    constraint archive_item_file_key primary key (id),
    constraint archive_item_file_of_item foreign key (item_id) references archive_item (id),
    constraint archive_item_file_of_object foreign key (file_id) references file_object (id)
);
--;;
create index archive_item_file_item on archive_item_file (item_id, id);
--;;
create index archive_item_file_object on archive_item_file (file_id);
