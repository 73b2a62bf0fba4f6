import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goTo, openSignedIn } from './console-page.js';
import { shoot } from './screenshots.js';
import { callGateway, chatWith, makeMember, shows, type Stage, waitForLog } from './stage.js';

const PROJECT = 'the assistant of the northern branch';
const OWNER = { email: 'owner-of-the-project@example.com', password: 'a password of an owner' };
const MEMBER = { email: 'member-of-the-project@example.com', password: 'a password of a member' };

const GUEST = { email: 'guest-of-the-project@example.com', password: 'a password of a guest' };

/** People who share a wallet: what an administrator sets up, and what an owner does from then on. */
export function describeProjects(stage: Stage): void {
  describe('projects', () => {
    let ownersPage: Page;
    let key: string;

    beforeAll(async () => {
      for (const user of [OWNER, MEMBER]) await makeMember(stage, user);
    });

    afterAll(() => ownersPage?.context().close());

    it('are made by administrators, who let people in', async () => {
      const { page } = stage;
      await goTo(page, 'Projects');
      await page.getByRole('button', { name: 'New project' }).first().click();
      const form = page.getByRole('dialog', { name: 'New project' });
      await form.getByLabel('Name').fill(PROJECT);
      await form.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('link', { name: PROJECT }).click();
      await page.getByRole('heading', { name: PROJECT, level: 1 }).waitFor();
      await addMember(page, OWNER.email, 'owner');
      expect(await shows(page.getByLabel(`Role of ${OWNER.email}`))).toBe(true);
      expect(await page.getByLabel(`Role of ${OWNER.email}`).inputValue()).toBe('owner');
    });

    it('are joined by a link, once, by somebody who was no user', async () => {
      const { page, product } = stage;
      await page.getByRole('button', { name: 'Invite by link' }).click();
      const form = page.getByRole('dialog', { name: 'Invite by link' });
      await form.getByRole('combobox', { name: 'Role' }).selectOption('viewer');
      await shoot(page, 'invite');
      await form.getByRole('button', { name: 'Make the link' }).click();
      const link = await page.getByText(/\/join#[\w-]+$/).innerText();
      await page.getByRole('button', { name: 'I have copied it' }).click();
      const guest = await product.openPage();
      await guest.goto(link);
      expect(await shows(guest.getByText(`You are invited to the project “${PROJECT}” as viewer.`))).toBe(
        true,
      );
      await shoot(guest, 'join');
      expect(guest.url()).toMatch(/\/join$/);
      await guest.getByLabel('E-mail address').fill(GUEST.email);
      await guest.getByLabel('Choose a password').fill(GUEST.password);
      await guest.getByRole('button', { name: 'Create the account and join' }).click();
      await guest.getByRole('link', { name: PROJECT }).click();
      expect(await shows(guest.getByText('Viewers see all keys and calls, and change nothing.'))).toBe(true);
      expect(await guest.getByRole('button', { name: 'New key' }).count()).toBe(0);
      await guest.goto(link);
      expect(await shows(guest.getByText(/invitation is unknown, used or expired/))).toBe(true);
      await guest.context().close();
    });

    it('are joined by a link by whoever signs in', async () => {
      const { page, product } = stage;
      await page.getByRole('button', { name: 'Invite by link' }).click();
      const form = page.getByRole('dialog', { name: 'Invite by link' });
      await form.getByLabel('E-mail address').fill(MEMBER.email);
      await form.getByRole('button', { name: 'Make the link' }).click();
      const link = await page.getByText(/\/join#[\w-]+$/).innerText();
      await page.getByRole('button', { name: 'I have copied it' }).click();
      const guest = await product.openPage();
      await guest.goto(link);
      await guest.getByRole('link', { name: 'I have an account: sign in' }).click();
      await guest.getByLabel('E-mail address').fill(MEMBER.email);
      await guest.getByLabel('Password').fill(MEMBER.password);
      await guest.getByRole('button', { name: 'Sign in' }).click();
      await guest.getByRole('button', { name: `Join as ${MEMBER.email}` }).click();
      expect(await shows(guest.getByRole('heading', { name: PROJECT, level: 1 }))).toBe(true);
      await guest.context().close();
    });

    it('have a wallet that is filled like others', async () => {
      const { page } = stage;
      await goTo(page, 'Wallets');
      const wallet = page.getByRole('row', { name: new RegExp(PROJECT) });
      await wallet.getByRole('button', { name: 'Top up' }).click();
      await page.getByLabel('Amount, USD').fill('3');
      const form = page.getByRole('dialog');
      expect(await shows(form.getByText('Balance now'))).toBe(true);
      expect(await shows(form.getByText('$3.00', { exact: true }))).toBe(true);
      await form.getByRole('button', { name: 'Top up' }).click();
      expect(await shows(wallet.getByRole('cell', { name: /^\$3\.00/ }).first())).toBe(true);
    });

    it('show an owner members, keys, wallet and usage; keys are made for members', async () => {
      ownersPage = await openSignedIn(stage.product, OWNER);
      await ownersPage.goto('/projects');
      await ownersPage.getByRole('link', { name: PROJECT }).click();
      expect(await shows(ownersPage.getByRole('main').getByText('$3.00').first())).toBe(true);
      await ownersPage.getByRole('button', { name: 'New key' }).click();
      const form = ownersPage.getByRole('dialog', { name: 'New API key' });
      await form.getByLabel('Name').fill('for the member');
      await form.getByLabel('Owner').selectOption({ label: MEMBER.email });
      await shoot(ownersPage, 'project-key-form');
      await form.getByRole('button', { name: 'Create' }).click();
      key = await ownersPage.getByTestId('new-key').innerText();
      await ownersPage.getByRole('button', { name: 'I have copied it' }).click();
      const row = ownersPage.getByRole('row', { name: /for the member/ });
      expect(await row.innerText()).toContain(MEMBER.email);
      const call = await callGateway(stage, key, '/v1/chat/completions', chatWith('sandbox-chat'));
      expect(call.status).toBe(200);
      await waitForLog(stage, call.requestId);
    });

    it('are summed up in the overview, with the share of cached input and that of before', async () => {
      await goTo(ownersPage, 'Overview');
      const cached = ownersPage.getByRole('group', { name: 'Cached input' });
      await cached.getByText(/^\d+(\.\d)?%$/).waitFor();
      expect(await cached.innerText()).toMatch(/previous/);
      await ownersPage.getByRole('button', { name: 'Project', exact: true }).click();
      expect(await shows(ownersPage.getByRole('cell', { name: PROJECT }))).toBe(true);
      await goTo(ownersPage, 'Projects');
      await ownersPage.getByRole('link', { name: PROJECT }).click();
    });

    it('lead to the calls that they paid, by member', async () => {
      await ownersPage.reload();
      await ownersPage.getByRole('button', { name: 'User', exact: true }).click();
      await ownersPage.getByRole('link', { name: MEMBER.email, exact: true }).waitFor();
      await shoot(ownersPage, 'project');
      await ownersPage.getByRole('link', { name: MEMBER.email, exact: true }).click();
      await ownersPage.getByRole('heading', { name: 'Logs', level: 1 }).waitFor();
      expect(ownersPage.url()).toContain('project_id=');
      expect(await shows(ownersPage.getByRole('button', { name: /^Open the call to sandbox-chat/ }))).toBe(
        true,
      );
    });

    it('leave their keys where the keys of one project are asked for', async () => {
      await goTo(ownersPage, 'API keys');
      const project = ownersPage.getByRole('combobox', { name: 'Project' });
      await project.fill('northern');
      await ownersPage.getByRole('option', { name: PROJECT }).click();
      expect(await shows(ownersPage.getByRole('row', { name: /for the member/ }))).toBe(true);
      expect(ownersPage.url()).toContain('project_id=');
      await shoot(ownersPage, 'project-keys');
    });

    it('take the keys of whoever is taken out', async () => {
      await goTo(ownersPage, 'Projects');
      await ownersPage.getByRole('link', { name: PROJECT }).click();
      const member = ownersPage.getByRole('group', { name: `Actions for ${MEMBER.email}` });
      await member.getByRole('button', { name: 'Remove' }).click();
      await ownersPage.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await member.waitFor({ state: 'detached' });
      expect(await shows(ownersPage.getByRole('row', { name: /for the member.*disabled/s }))).toBe(true);
      expect((await callGateway(stage, key, '/v1/chat/completions', chatWith('sandbox-chat'))).status).toBe(
        401,
      );
    });
  });
}

async function addMember(page: Page, email: string, role: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a user' }).click();
  const form = page.getByRole('dialog', { name: 'Add a user' });
  await form.getByRole('combobox', { name: 'User' }).fill(email.slice(0, 10));
  await form.getByRole('option', { name: email }).click();
  await form.getByRole('combobox', { name: 'Role' }).selectOption(role);
  await form.getByRole('button', { name: 'Add a user' }).click();
  await form.waitFor({ state: 'hidden' });
}
