import { ConfigError } from '@arboleda/chassis/config.ts';
import { expect, test } from '@jest/globals';
import { Fault, sentenceOf } from './fault.ts';

const systemError = (code: string, parts: object = {}) => Object.assign(new Error(code), { code, ...parts });

test.each([
  [new Fault('Do this.'), 'Do this.'],
  [new ConfigError(['PORT: must be a number']), 'PORT: must be a number'],
  [
    systemError('EADDRINUSE', { port: 8080 }),
    'Port 8080 is in use. Stop what uses it, or choose another one: PORT=8081 npm start',
  ],
  [systemError('ENOSPC', { path: '/data/x' }), 'The disk is full: /data/x could not be written.'],
  [systemError('ENOSPC'), 'The disk is full.'],
  [
    systemError('EROFS', { path: '/data' }),
    '/data may not be written by this user. Choose another folder: DATA_DIR=… npm start',
  ],
])('%s is one clear sentence', (error, sentence) => {
  expect(sentenceOf(error)).toBe(sentence);
});

test('what nobody foresaw keeps its stack', () => {
  expect(sentenceOf(new TypeError('x is not a function'))).toBeUndefined();
  expect(sentenceOf(undefined)).toBeUndefined();
});
