-- Expand: `is_reported` becomes `has_late_step`, the word of its event, and `coordinates` two numbers that can be indexed. Code of
-- 1.0 and of today write the same rows meanwhile: the trigger keeps the former columns and the new ones equal. Contract, in a
-- later release: a numbered file that drops the trigger, its function and the former columns.
alter table orders
  add column has_late_step boolean not null default false,
  add column latitude double precision,
  add column longitude double precision;

create function keep_former_columns() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.has_late_step := new.has_late_step or coalesce(new.is_reported, false);
    new.is_reported := new.has_late_step;
  elsif new.is_reported is distinct from old.is_reported then
    new.has_late_step := new.is_reported;
  else
    new.is_reported := new.has_late_step;
  end if;
  if new.coordinates is not null and (tg_op = 'INSERT' or new.coordinates is distinct from old.coordinates)
    or tg_op = 'UPDATE' and new.coordinates is null and old.coordinates is not null
  then
    new.latitude := (new.coordinates ->> 'latitude')::double precision;
    new.longitude := (new.coordinates ->> 'longitude')::double precision;
  elsif tg_op = 'INSERT' or new.latitude is distinct from old.latitude or new.longitude is distinct from old.longitude then
    new.coordinates := case when new.latitude is not null and new.longitude is not null
      then jsonb_build_object('latitude', new.latitude, 'longitude', new.longitude) end;
  end if;
  return new;
end
$$;
create trigger orders_former_columns_of_new before insert on orders
  for each row execute function keep_former_columns();
create trigger orders_former_columns_of_changed before update on orders
  for each row when (
    (old.is_reported, old.has_late_step, old.coordinates, old.latitude, old.longitude)
    is distinct from (new.is_reported, new.has_late_step, new.coordinates, new.latitude, new.longitude))
  execute function keep_former_columns();
