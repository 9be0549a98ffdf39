import { expect, test } from '@jest/globals';
import { rollServices } from './rolling.ts';

test('the old ones end only when as many new ones are there', async () => {
  const commands: string[] = [];
  const said: string[] = [];
  const docker = async (...args: string[]) => {
    commands.push(args.join(' '));
    return args.includes('ps') && args.includes('media') ? 'old-1\nold-2\n' : '';
  };
  await rollServices(['media', 'orders'], (line) => said.push(line), { docker, project: ['-p', 'trial'] });
  expect(commands).toEqual([
    'compose -p trial ps --quiet media',
    'compose -p trial up --detach --wait --no-deps --no-recreate --scale media=4 media',
    'stop --time 20 old-1 old-2',
    'rm old-1 old-2',
    'compose -p trial ps --quiet orders',
  ]);
  expect(said).toEqual(['media: 2 replaced', 'orders: not running']);
});
