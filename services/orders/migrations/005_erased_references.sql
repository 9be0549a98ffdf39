-- Transfers of donors who were erased before this version: the reference that they typed, which is the transaction of an
-- approved one, too, and its words for search. As decisions/person.ts leaves them. The new version makes a write fail that was
-- decided on the former row.
update orders set version = version + 1,
  manual_payment = manual_payment - 'referenceNumber',
  transaction_id = kept,
  words = array_to_tsvector(
    array[orders.id, lower(right(orders.id, 6)), 'erased@arboleda.invalid', 'erased', 'arboleda.invalid', '-']
    || coalesce(lower(kept), '-') || coalesce(replace(lower(kept), '-', ''), '-')
    || array_remove(string_to_array(coalesce(lower(kept), '-'), '-'), '')
  )
from (
  select id as erased,
    case when transaction_id = manual_payment ->> 'referenceNumber' then payment_id else transaction_id end as kept
  from orders where email_key = 'erased@arboleda.invalid' and manual_payment ? 'referenceNumber'
) as of_erased
where orders.id = erased;
