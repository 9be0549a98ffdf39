-- Fields of a purchase without a column of their own: `details` in contracts/purchase.ts. Null when the buyer gave none, as in all
-- rows of 1.0.
alter table payments add column details jsonb;
alter table transfers add column details jsonb;

-- Erasing a buyer empties them. Code of 1.0, which may share these tables meanwhile, erases the other columns only. Contract, in a
-- later release: a numbered file that drops the triggers and the function.
create function forget_details() returns trigger language plpgsql as $$
begin
  new.details := null;
  return new;
end
$$;
create trigger payments_details_of_erased before update on payments
  for each row when (new.details is not null and new.customer ->> 'email' = 'erased@arboleda.invalid')
  execute function forget_details();
create trigger transfers_details_of_erased before update on transfers
  for each row when (new.details is not null and new.customer ->> 'email' = 'erased@arboleda.invalid')
  execute function forget_details();
