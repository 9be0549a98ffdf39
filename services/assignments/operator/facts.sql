-- Facts that other services have to agree with: see infra/cli/backup/agreement.ts.
select 'order of assignment' as fact, order_id as value from assignments
