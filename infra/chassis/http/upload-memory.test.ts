import { expect, test } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { openUploadMemory } from './upload-memory.ts';

const newResponse = () => new EventEmitter() as ServerResponse;

test('uploads share what may be held, and give it back when they are answered', () => {
  const memory = openUploadMemory(100);
  const [first, second] = [newResponse(), newResponse()];
  const holdFirst = memory.hold(first);
  const holdSecond = memory.hold(second);
  expect(holdFirst(60)).toBe(true);
  expect(holdSecond(50)).toBe(false);
  expect(holdSecond(40)).toBe(true);
  first.emit('close');
  expect(holdSecond(60)).toBe(true);
  expect(holdSecond(1)).toBe(false);
});

test('an upload that was answered holds nothing more', () => {
  const memory = openUploadMemory(100);
  const response = newResponse();
  const hold = memory.hold(response);
  response.emit('close');
  expect(hold(10)).toBe(false);
  expect(memory.hold(newResponse())(100)).toBe(true);
});
