/** Whether the process of this container is ready: what HEALTHCHECK runs, so as little as can be. */
import { get } from 'node:http';

const { PORT = '8080', HEALTH_PATH = '/readyz' } = process.env;

get({ host: '127.0.0.1', port: PORT, path: HEALTH_PATH, timeout: 3_500 }, (response) => {
  process.exit(response.statusCode === 200 ? 0 : 1);
})
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1));
