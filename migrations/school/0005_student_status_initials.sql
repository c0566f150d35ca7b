-- Letters alone are looked for as pinyin initials (the palette, the register's keyword).
create index student_initials on student (initials);
