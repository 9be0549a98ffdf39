-- Of currencies whose rate is of an earlier day than the table: a provider may leave one out, or offer one that is not believed.
alter table rate_tables add column older jsonb not null default '{}';
