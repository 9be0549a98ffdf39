-- Facts that other services have to agree with: see infra/cli/backup/agreement.ts.
select 'order of receipt' as fact, order_id as value from mails where kind = 'receipt' and resend_of is null
