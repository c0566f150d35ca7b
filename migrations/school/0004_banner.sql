-- 横幅 of the school's clients; the platform has a table of the same shape (01 §8). Owner: platform/settings.
-- Shown while enabled and now lies in [begins_at, ends_at); an end that is null is open.
create table banner (
    id         bigint generated always as identity,
    title      text    not null,
    image_url  text    not null,
    link_url   text,
    target     text    not null,
    terminal   text    not null,
    position   text    not null,
    begins_at  timestamptz,
    ends_at    timestamptz,
    sort       integer not null default 1,
    enabled    boolean not null default true,
    created_at timestamptz not null default now(),
    created_by bigint  not null,
    updated_at timestamptz not null default now(),
    updated_by bigint  not null,
    version    integer not null default 1,
    constraint banner_key primary key (id),
    constraint banner_target_known check (target in ('self', 'blank')),
    constraint banner_terminal_known check (terminal in ('pc', 'h5', 'mini_program')),
    constraint banner_position_known check (position in ('home', 'login', 'course')),
    constraint banner_time_order check (ends_at > begins_at),
    constraint banner_sort_range check (sort between 0 and 9999)
);
--;;
create index banner_shown on banner (position, terminal, sort);
