-- Facts that other services have to agree with: see infra/cli/backup/agreement.ts.
select 'paid' as fact, order_id as value from all_payments where status = 'succeeded'
union all
select 'bought', order_id from all_payments
union all
select 'object of payments', 'evidence/' || transfer_id || '/' || position || '/view.jpg' from transfer_evidence
  join transfers on transfers.id = transfer_id where evidence_removed_at is null
