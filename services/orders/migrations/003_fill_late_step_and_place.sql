-- concurrently
-- Rows from before 002, in parts, so that no order waits long for its turn.
update orders set has_late_step = true where is_reported and not has_late_step;
update orders set latitude = (coordinates ->> 'latitude')::float8, longitude = (coordinates ->> 'longitude')::float8
  where coordinates is not null and latitude is null and id >= '0' and id < '1';
update orders set latitude = (coordinates ->> 'latitude')::float8, longitude = (coordinates ->> 'longitude')::float8
  where coordinates is not null and latitude is null and id >= '1' and id < '2';
update orders set latitude = (coordinates ->> 'latitude')::float8, longitude = (coordinates ->> 'longitude')::float8
  where coordinates is not null and latitude is null and id >= '2' and id < '3';
update orders set latitude = (coordinates ->> 'latitude')::float8, longitude = (coordinates ->> 'longitude')::float8
  where coordinates is not null and latitude is null and id >= '3' and id < '4';
update orders set latitude = (coordinates ->> 'latitude')::float8, longitude = (coordinates ->> 'longitude')::float8
  where coordinates is not null and latitude is null and id >= '4' and id < '5';
update orders set latitude = (coordinates ->> 'latitude')::float8, longitude = (coordinates ->> 'longitude')::float8
  where coordinates is not null and latitude is null and id >= '5' and id < '6';
update orders set latitude = (coordinates ->> 'latitude')::float8, longitude = (coordinates ->> 'longitude')::float8
  where coordinates is not null and latitude is null and id >= '6' and id < '7';
update orders set latitude = (coordinates ->> 'latitude')::float8, longitude = (coordinates ->> 'longitude')::float8
  where coordinates is not null and latitude is null and id >= '7' and id < '8';
update orders set latitude = (coordinates ->> 'latitude')::float8, longitude = (coordinates ->> 'longitude')::float8
  where coordinates is not null and latitude is null and id >= '8' and id < '9';
update orders set latitude = (coordinates ->> 'latitude')::float8, longitude = (coordinates ->> 'longitude')::float8
  where coordinates is not null and latitude is null and id >= '9' and id < 'a';
update orders set latitude = (coordinates ->> 'latitude')::float8, longitude = (coordinates ->> 'longitude')::float8
  where coordinates is not null and latitude is null and id >= 'a' and id < 'b';
update orders set latitude = (coordinates ->> 'latitude')::float8, longitude = (coordinates ->> 'longitude')::float8
  where coordinates is not null and latitude is null and id >= 'b' and id < 'c';
update orders set latitude = (coordinates ->> 'latitude')::float8, longitude = (coordinates ->> 'longitude')::float8
  where coordinates is not null and latitude is null and id >= 'c' and id < 'd';
update orders set latitude = (coordinates ->> 'latitude')::float8, longitude = (coordinates ->> 'longitude')::float8
  where coordinates is not null and latitude is null and id >= 'd' and id < 'e';
update orders set latitude = (coordinates ->> 'latitude')::float8, longitude = (coordinates ->> 'longitude')::float8
  where coordinates is not null and latitude is null and id >= 'e' and id < 'f';
update orders set latitude = (coordinates ->> 'latitude')::float8, longitude = (coordinates ->> 'longitude')::float8
  where coordinates is not null and latitude is null and id >= 'f';
create index concurrently if not exists orders_with_late_step on orders (updated_at) where has_late_step;
