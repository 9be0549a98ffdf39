import { expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Visitor } from '../harness/browser.ts';
import { textsOf } from '../harness/texts.ts';
import { soon } from '../harness/wait.ts';
import { expectFinished } from './finished.ts';
import { logIn } from './people.ts';
import { makeAdmin, makeCustomer, useSetup } from './setup.ts';
import { visit as visitOf } from './visiting.ts';

jest.setTimeout(120_000);

const setup = useSetup();
const say = textsOf('en');

const visit = (act: (page: Page) => Promise<void>, visitor?: Partial<Visitor>) =>
  visitOf(setup, act, visitor);
const open = (page: Page, path: string) => page.goto(setup.product.url + path);
const pathOf = (page: Page) => page.url().slice(setup.product.url.length);

test('two roles in one browser do not disturb each other, and an end is explained and survived', async () => {
  const customer = await makeCustomer(setup, 'two-roles@public.test');
  const admin = await makeAdmin(setup, 'two-roles@public.test');
  await visit(async (page) => {
    await open(page, '/customer-portal');
    await logIn(page, say, 'email', customer.email, customer.password);
    await page.getByRole('button', { name: say('portal:logOut') }).waitFor();
    await open(page, '/admin-dashboard?view=payments');
    await logIn(page, say, 'email', admin.email, admin.password);
    await page.getByRole('button', { name: say('portal:logOut') }).waitFor();
    expect(
      await page.evaluate(() =>
        Object.keys(localStorage)
          .filter((key) => key.endsWith('.token'))
          .sort(),
      ),
    ).toEqual(['arboleda.admin.token', 'arboleda.customer.token']);

    // The server ends the admin's session: a token that it does not know any more.
    await page.evaluate(() => localStorage.setItem('arboleda.admin.token', 'no.longer.good'));
    await page.reload();
    await page.getByText(say('portal:ended.ended')).waitFor();
    await expectFinished(page, 'login after an end');
    expect(await page.evaluate(() => localStorage.getItem('arboleda.admin.token'))).toBeNull();
    await soon(async () => expect(pathOf(page)).toBe('/admin-dashboard?view=payments'));
    await logIn(page, say, 'email', admin.email, admin.password);
    await page.getByRole('button', { name: say('portal:logOut') }).waitFor();
    await soon(async () => expect(pathOf(page)).toBe('/admin-dashboard?view=payments'));

    await page.getByRole('button', { name: say('portal:logOut') }).click();
    await page.getByLabel(say('portal:logIn.email')).waitFor();
    expect(await page.getByText(say('portal:ended.ended')).count()).toBe(0);
    await open(page, '/customer-portal');
    await page.getByRole('button', { name: say('portal:logOut') }).waitFor();
  });
});

test('a wrong password is told in the form, and a lost connection in the words of its own', async () => {
  const { email } = await makeCustomer(setup, 'wrong-password@public.test');
  await visit(async (page) => {
    await open(page, '/customer-portal');
    await logIn(page, say, 'email', email, 'not the password');
    await page.getByRole('alert').filter({ hasText: 'This email and password do not match.' }).waitFor();
    await page.route('**/api/auth/customer/login', (route) => route.abort());
    await page.getByRole('button', { name: say('portal:logIn.submit'), exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'Login failed. Please try again.' }).waitFor();
    expect(await page.getByLabel(say('portal:logIn.email')).inputValue()).toBe(email);
  });
});

test('a part that is gone is asked for again once by loading the page, and then told in words', async () => {
  await visit(async (page) => {
    let loads = 0;
    page.on('request', (request) => request.isNavigationRequest() && loads++);
    await page.route('**/assets/CustomerPortal-*.js', (route) => route.fulfill({ status: 404 }));
    await open(page, '/customer-portal');
    await page.getByRole('heading', { name: say('missing.title') }).waitFor();
    expect(loads).toBe(2);
    await expectFinished(page, 'a missing part');
    await page.unroute('**/assets/CustomerPortal-*.js');
    await page.getByRole('button', { name: say('crash.reload') }).click();
    await page.getByLabel(say('portal:logIn.email')).waitFor();
  });
});

test('without a network the page says so, and stops when it is back', async () => {
  await visit(
    async (page) => {
      await open(page, '/customer-portal');
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.context().setOffline(true);
      await page.getByText(say('offline')).waitFor();
      await expectFinished(page, 'offline');
      await page.context().setOffline(false);
      await page.getByText(say('offline')).waitFor({ state: 'hidden' });
    },
    { width: 320 },
  );
});
