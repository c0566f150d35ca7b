-- A directory that people add needs no path of its own.
drop index sys_menu_path_taken;
--;;
create unique index sys_menu_path_taken on sys_menu (client_type, path) where path <> '';
