/** "npm run reconcile": compares Stripe with our payments in the running installation, and repairs differences. */
import { runOperator } from './running.ts';

runOperator('payments', 'services/payments/operator/main.ts');
