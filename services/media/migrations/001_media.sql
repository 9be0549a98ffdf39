create table photos (
  id text collate "C" primary key,
  version integer not null,
  filename text not null unique,
  -- The phone's id of a photo, scoped to sender and purpose.
  client_key text unique,
  content_hash text not null,
  order_id text not null,
  uploaded_at timestamptz not null,
  state text not null,
  flags text[] not null,
  is_hidden boolean not null,
  -- The next step of processing and when it may be leased; a step without a time was given up.
  step text,
  due_at timestamptz,
  tries integer not null,
  -- The context of the upload, and the error of a dead letter.
  work jsonb,
  -- Fields that are only shown.
  details jsonb not null,
  -- The trace of the upload.
  traceparent text
);

create index photos_content on photos (content_hash);
create index photos_order on photos (order_id, uploaded_at, id);
create index photos_work on photos (step, due_at) where step is not null;

-- For admins: flagged photos, those with one flag, and hidden ones.
create index photos_flagged on photos (uploaded_at, id) where flags <> '{}';
create index photos_hidden on photos (uploaded_at, id) where flags <> '{}' and is_hidden;
create index photos_far_from_place on photos (uploaded_at, id) where flags @> '{far-from-place}';
create index photos_taken_before_order on photos (uploaded_at, id) where flags @> '{taken-before-order}';
create index photos_used_elsewhere on photos (uploaded_at, id) where flags @> '{used-elsewhere}';
create index photos_after_reassignment on photos (uploaded_at, id) where flags @> '{after-reassignment}';
create index photos_cannot_be_shown on photos (uploaded_at, id) where flags @> '{cannot-be-shown}';
