-- On which day a thesis was checked, as the checker's report says (part 04 §8.1). Owner: tenant/thesis.

alter table thesis add column similarity_on date;
