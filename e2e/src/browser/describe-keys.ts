import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { waitUntil } from '../wait-until.js';
import { goTo } from './console-page.js';
import { findViolations } from './find-violations.js';
import { shows, type Stage } from './stage.js';

/** The form of a key: what it says, and what closes it. */
export function describeKeys(stage: Stage): void {
  describe('API keys', () => {
    it('say which field is wrong, before anything is sent', async () => {
      const { page } = stage;
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/api/v1/tokens')) sent.push(request.url());
      });
      await goTo(page, 'API keys');
      await page.getByRole('button', { name: 'New key' }).click();
      const form = page.getByRole('dialog', { name: 'New API key' });
      await form.getByLabel('Name').fill('limited');
      await form.getByLabel('Spending limit').fill('five');
      await form.getByRole('button', { name: 'Create' }).click();
      await form.getByRole('alert').waitFor();
      expect(await form.getByLabel('Spending limit').getAttribute('aria-invalid')).toBe('true');
      expect(await form.getByRole('alert').allInnerTexts()).toEqual([expect.stringMatching(/^Must be/)]);
      const isFocused = (field: string) =>
        form.getByLabel(field).evaluate((input) => input === input.ownerDocument.activeElement);
      expect(await isFocused('Spending limit')).toBe(true);
      expect(sent).toEqual([]);
      // One that is mended says no more; what is wrong above it has the focus then.
      await form.getByLabel('Spending limit').fill('5');
      await form.getByRole('alert').waitFor({ state: 'detached' });
      await form.getByLabel('Requests per minute').fill('none');
      await form.getByLabel('Name').fill(' ');
      await form.getByRole('button', { name: 'Create' }).click();
      await form.getByText('Must be a whole number.').waitFor();
      expect(await form.getByRole('alert').count()).toBe(2);
      expect(await isFocused('Name')).toBe(true);
      expect(sent).toEqual([]);
      await form.getByLabel('Requests per minute').fill('');
      await form.getByLabel('Name').fill('limited');
      // A key with half a date would never expire.
      await form.getByLabel('Expires').focus();
      await page.keyboard.type('01');
      await form.getByRole('button', { name: 'Create' }).click();
      await form.getByText('Must be a date such as').waitFor();
      expect(sent).toEqual([]);
      await form.getByLabel('Expires').fill('');
    });

    it('expire at a day that is written, or picked by keys alone from a calendar in the language of the page', async () => {
      const { page } = stage;
      const form = page.getByRole('dialog', { name: 'New API key' });
      const expires = form.getByLabel('Expires');
      await expires.fill('2031-01-31 14:05');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      const calendar = form.getByRole('dialog', { name: 'Open the calendar' });
      await calendar.getByText('January 2031').waitFor();
      const isFocused = (what: Locator) => what.evaluate((it) => it === it.ownerDocument.activeElement);
      const day = (name: RegExp) => calendar.getByRole('button', { name });
      await waitUntil('the chosen day has the focus', () => isFocused(day(/January 31, 2031/)));
      expect((await findViolations(page)).join()).toBe('');
      await page.keyboard.press('ArrowRight');
      await waitUntil('the next day has the focus', () => isFocused(day(/February 1, 2031/)));
      await page.keyboard.press('Enter');
      await calendar.waitFor({ state: 'detached' });
      // The time stays, and is what is written next.
      expect(await expires.inputValue()).toBe('2031-02-01 14:05');
      expect(await isFocused(expires)).toBe(true);
      await page.keyboard.type('09:30');
      expect(await expires.inputValue()).toBe('2031-02-01 09:30');
      await form.getByRole('button', { name: 'Open the calendar' }).click();
      await calendar.waitFor();
      await page.keyboard.press('Escape');
      await calendar.waitFor({ state: 'detached' });
      expect(await form.isVisible()).toBe(true);
      await expires.fill('');
    });

    it('C5: a form outlives Escape, a click beside it and text that is dragged out of it', async () => {
      const { page } = stage;
      const form = page.getByRole('dialog', { name: 'New API key' });
      await page.keyboard.press('Escape');
      await page.mouse.click(5, 5);
      const box = await form.getByLabel('Name').boundingBox();
      if (!box) throw new Error('The field is not drawn.');
      await page.mouse.move(box.x + 20, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(5, 5);
      await page.mouse.up();
      expect(await form.getByLabel('Name').inputValue()).toBe('limited');
    });

    it('C13, C4: a key for no model, or from no address, is refused; its text closes by its button alone', async () => {
      const { page } = stage;
      const form = page.getByRole('dialog', { name: 'New API key' });
      await form.getByLabel('Spending limit').fill('0');
      await form.getByLabel('Models').fill('sandbox-chat, no-such-model');
      await form.getByRole('button', { name: 'Create' }).click();
      expect(await shows(form.getByText('There is no model no-such-model.'))).toBe(true);
      await form.getByLabel('Models').fill('sandbox-chat');
      await form.getByLabel('Allowed addresses').fill('127.0.0.0/8, office');
      await form.getByRole('button', { name: 'Create' }).click();
      expect(await shows(form.getByText(/^Must be an address or a network/))).toBe(true);
      await form.getByLabel('Allowed addresses').fill('127.0.0.0/8, ::1');
      await form.getByRole('button', { name: 'Create' }).click();
      await page.getByTestId('new-key').waitFor();
      await page.keyboard.press('Escape');
      await page.mouse.click(5, 5);
      expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(0);
      await page.getByRole('button', { name: 'I have copied it' }).click();
    });

    it('C14: a key that may spend no more says so', async () => {
      const { page } = stage;
      expect(await shows(page.getByRole('row', { name: /limited.*limit reached/ }))).toBe(true);
    });
  });
}
