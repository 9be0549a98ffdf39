// usage: node shot.ts <name> <path> <width> <lang> <scheme> [js steps]
import { launchBrowser } from '/tmp/h/orders/e2e/harness/browser.ts';
const [,, name, path, widths='360,1280', langs='en', schemes='light', steps=''] = process.argv;
const BASE = process.env.BASE ?? 'http://localhost:5184';
const browser = await launchBrowser();
const login = await (await fetch('http://localhost:8090/api/auth/admin/login',{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify({email:'admin@arboleda.test',password:'valle-laurel-3887-danta'})})).json();
for (const width of widths.split(',').map(Number)) for (const lang of langs.split(',')) for (const scheme of schemes.split(',')) {
  const context = await browser.newContext({ viewport: { width, height: width<600?780:900 }, locale: lang==='es'?'es-CO':'en-US', colorScheme: scheme as 'light' });
  await context.addInitScript((t: string) => localStorage.setItem('arboleda.admin.token', t), login.token);
  const page = await context.newPage();
  page.on('pageerror', e => console.log('ERR', e.message));
  page.on('console', m => m.type()==='error' && console.log('CON', m.text().slice(0,300)));
  await page.goto(BASE + path); await page.waitForTimeout(2500);
  if (steps) { await (new Function('page', `return (async()=>{${steps}})()`))(page); await page.waitForTimeout(800); }
  const o = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  const file = `/tmp/h/orders-shots/${name}-${width}-${lang}-${scheme}.png`;
  await page.screenshot({ path: file, fullPage: !process.env.FOLD }); console.log(file, 'overflow', o);
  await context.close();
}
await browser.close();
