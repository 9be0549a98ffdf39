import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { crashPoint } from './crash-point.ts';

test('a crash point is passed in silence, and heard by who listens', () => {
  crashPoint('before-commit');
  const heard: unknown[] = [];
  const listen = (name: unknown) => void heard.push(name);
  subscribe('arboleda:crash-point', listen);
  crashPoint('published');
  unsubscribe('arboleda:crash-point', listen);
  crashPoint('handled');
  expect(heard).toEqual(['published']);
});
