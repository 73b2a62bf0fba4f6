import { OIDC_CLIENT, openTestIssuer, type TestIssuer } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleUnderTest, NARROW, startConsoleUnderTest } from './console-page.js';
import { shows } from './stage.js';

const BUTTON = 'Sign in with SSO';

let issuer: TestIssuer;
let product: ConsoleUnderTest;

beforeAll(async () => {
  product = await startConsoleUnderTest(async (consoleUrl) => {
    const redirectUrl = `${consoleUrl}/api/v1/auth/sso/callback`;
    issuer = await openTestIssuer(redirectUrl);
    return {
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: OIDC_CLIENT.id,
      OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
      OIDC_REDIRECT_URL: redirectUrl,
      OIDC_SCOPES: 'groups',
      OIDC_PROJECTS_CLAIM: 'groups',
    };
  });
  issuer.accounts.set('someone', { email: 'someone@example.com', email_verified: true });
});

afterAll(async () => {
  await product?.stop();
  await issuer?.close();
});

describe('single sign-on in a browser', () => {
  it('ends where the user was on the way to, with nothing of it in the address', async () => {
    issuer.subject = 'someone';
    const page = await product.openPage();
    await page.goto('/tokens');
    await page.getByRole('button', { name: BUTTON }).click();
    expect(await shows(page.getByRole('heading', { name: 'API keys', level: 1 }))).toBe(true);
    expect(page.url()).toBe(`${product.consoleUrl}/tokens`);
    await page.reload();
    expect(await shows(page.getByRole('heading', { name: 'API keys', level: 1 }))).toBe(true);
    await page.goto('/account');
    expect(await shows(page.getByText('You are signed in as someone@example.com.'))).toBe(true);
    expect(product.errors).toEqual([]);
  });

  it('says why nobody is signed in, and can be tried again', async () => {
    issuer.subject = undefined;
    const page = await product.openPage({ viewport: NARROW });
    await page.goto('/');
    await page.getByRole('button', { name: BUTTON }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('The single sign-on service did not sign you in.').waitFor();
    issuer.subject = 'someone';
    await page.getByRole('button', { name: BUTTON }).click();
    expect(await shows(page.getByRole('heading', { name: 'Overview', level: 1 }))).toBe(true);
    expect(product.errors).toEqual([]);
  });

  it('is what an administrator links themselves to, on the page of the account', async () => {
    issuer.accounts.set('the boss', { email: product.admin.email, email_verified: true });
    issuer.subject = 'the boss';
    const page = await product.openPage();
    await page.goto('/');
    await page.getByRole('button', { name: BUTTON }).click();
    await page.getByRole('alert').getByText('link themselves under “Account”').waitFor();
    await page.getByLabel('E-mail address').fill(product.admin.email);
    await page.getByLabel('Password').fill(product.admin.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.goto('/account');
    await page.getByRole('button', { name: 'Link my account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Current password').fill(product.admin.password);
    await dialog.getByRole('button', { name: 'Link my account' }).click();
    expect(await shows(page.getByText('Linked: you may sign in with SSO.'))).toBe(true);
    expect(product.errors).toEqual([]);
  });

  it('lets into a project by a group that an administrator names there', async () => {
    const page = await product.openPage();
    await page.goto('/projects');
    await page.getByLabel('E-mail address').fill(product.admin.email);
    await page.getByLabel('Password').fill(product.admin.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'New project' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('atlas');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'atlas', exact: true }).click();
    await page.getByRole('button', { name: 'Add a group' }).click();
    const form = page.getByRole('dialog', { name: 'Add a group' });
    await form.getByLabel('Group').fill('research');
    await form.getByRole('button', { name: 'Add a group' }).click();
    expect(await shows(page.getByRole('row', { name: /research.*member/ }))).toBe(true);

    issuer.accounts.set('someone', {
      email: 'someone@example.com',
      email_verified: true,
      groups: ['research'],
    });
    issuer.subject = 'someone';
    const theirs = await product.openPage();
    await theirs.goto('/projects');
    await theirs.getByRole('button', { name: BUTTON }).click();
    expect(await shows(theirs.getByRole('link', { name: 'atlas', exact: true }))).toBe(true);
    await page.reload();
    expect(await shows(page.getByRole('row', { name: /someone@example\.com.*by single sign-on/s }))).toBe(
      true,
    );
    expect(product.errors).toEqual([]);
  });

  it('refuses a code that was used, in the reader’s language', async () => {
    const page = await product.openPage({ locale: 'zh-CN' });
    await page.goto('/login?sso=a-code-that-was-used&sso_error=%3Cscript%3E');
    await page.getByRole('alert').waitFor();
    expect(await shows(page.getByRole('button', { name: '使用单点登录' }))).toBe(true);
    expect(await page.evaluate<string | null>(`sessionStorage.getItem('model-gateway.session')`)).toBeNull();
  });
});
