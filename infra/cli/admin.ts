/** "npm run admin": creates admins and sets their passwords, in the running installation. */
import { runOperator } from './running.ts';

runOperator('auth', 'services/auth/operator/main.ts');
