-- Facts that other services have to agree with: see infra/cli/backup/agreement.ts.
select 'order' as fact, id as value from orders
union all
select 'receipt', receipt_number from orders where receipt_number is not null
union all
select 'order of certificate', order_id from certificates
union all
select 'photo of order', photo ->> 'filename' from orders, jsonb_array_elements(photos) as photo
