-- A payment is written down with its intent. One that Stripe had not answered for before that is nobody's, unless it is being
-- made at this moment.
delete from payments where status = 'creating' and created_at < now() - interval '1 minute';
