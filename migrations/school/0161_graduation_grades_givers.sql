-- Everybody who gave a score, not only the last of them: none of them passes it (part 04 §8.2). Owner: tenant/graduation_grades.
-- Of what was given before, the trail knows who.

alter table internship add column given_by bigint[] not null default '{}';
--;;
update internship i
set given_by = array(
    select l.actor_id from audit_log l
    where l.entity_type = 'internship' and l.entity_id = i.id and l.actor_type in ('school', 'platform')
      and l.changes::text like '%Score"%'
    union select i.scored_by where i.scored_by is not null);
--;;
alter table graduation_score add column given_by bigint[] not null default '{}';
--;;
update graduation_score g
set given_by = array(
    select distinct l.actor_id from audit_log l
    where l.entity_type = 'graduation_score' and l.entity_id = g.id and l.actor_type in ('school', 'platform')
      and l.action = 'update');
