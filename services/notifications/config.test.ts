import { expect, test } from '@jest/globals';
import { notificationsConfig } from './config.ts';

const env = {
  SERVICE_SECRET: 'x'.repeat(32),
  DATABASE_URL: 'postgres://localhost/arboleda',
  AUTH_URL: 'http://localhost:4001',
  SITE_URL: 'https://arboleda.test',
};

test('photos are gathered for a minute when nothing is said', () => {
  expect(notificationsConfig(env)).toMatchObject({
    siteUrl: 'https://arboleda.test',
    photoMailDelaySeconds: 60,
  });
  expect(notificationsConfig({ ...env, PHOTO_MAIL_DELAY_SECONDS: '0.5' }).photoMailDelaySeconds).toBe(0.5);
});

test('bounces are taken only with a secret', () => {
  expect(notificationsConfig(env).bounceSecret).toBeUndefined();
  expect(notificationsConfig({ ...env, MAIL_BOUNCE_SECRET: 'b'.repeat(32) }).bounceSecret).toBe(
    'b'.repeat(32),
  );
});

test.each([
  ['MAIL_BOUNCE_SECRET', { MAIL_BOUNCE_SECRET: 'short' }],
  ['SITE_URL', { SITE_URL: undefined }],
  ['SITE_URL', { SITE_URL: 'arboleda' }],
  ['PHOTO_MAIL_DELAY_SECONDS', { PHOTO_MAIL_DELAY_SECONDS: '-1' }],
  ['PHOTO_MAIL_DELAY_SECONDS', { PHOTO_MAIL_DELAY_SECONDS: 'soon' }],
])('%s stops the start when it is %j', (name, changes) => {
  expect(() => notificationsConfig({ ...env, ...changes })).toThrow(new RegExp(`^${name}: `));
});
