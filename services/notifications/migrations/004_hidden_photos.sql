-- The photo's version that the last word on hiding it is from: a word that is late must not undo a newer one.
alter table photos add column hidden_sequence integer not null default 0;
