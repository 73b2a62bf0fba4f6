import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goTo } from './console-page.js';
import { shows, type Stage } from './stage.js';

/** What a picker asks for before anything is written in it. */
const FIRST_PAGE = /\/api\/v1\/(?:tokens|users|wallets|projects)\?(?=.*limit=20\b)(?!.*search=\w)/;

const KEY = 'filtered';
const USER = 'member-of-the-northern-subsidiary@engineering.long-company-name.example.com';
const PROJECT = 'the assistant of the northern branch';
const WALLET = 'first';

interface Picker {
  readonly view: string;
  /** What opens the form that the picker is in; it is a filter of the view without one. */
  readonly form?: string;
  /** Whether it is behind the button of rare filters. */
  readonly isRare?: boolean;
  readonly label: string;
  readonly row: string;
}

const PICKERS: readonly Picker[] = [
  { view: 'Logs', label: 'Key', row: KEY },
  { view: 'Logs', label: 'User', row: USER, isRare: true },
  { view: 'Logs', label: 'Project', row: PROJECT, isRare: true },
  { view: 'Video tasks', label: 'Key', row: KEY },
  { view: 'Audit log', label: 'User', row: USER },
  { view: 'API keys', label: 'Project', row: PROJECT },
  { view: 'API keys', label: 'User', row: USER },
  { view: 'API keys', form: 'New key', label: 'Project', row: PROJECT },
  { view: 'API keys', form: 'New key', label: 'Wallet', row: WALLET },
  { view: 'API keys', form: 'New key', label: 'Owner', row: USER },
  { view: 'Wallets', form: 'New wallet', label: 'Owner', row: USER },
  { view: 'Projects', form: 'New project', label: 'Wallet', row: WALLET },
];

/** Pickers know every row, not the first page of them alone. */
export function describePickers(stage: Stage): void {
  describe('C7: rows that are on no first page are found by the picker', () => {
    beforeAll(async () => {
      const { page } = stage;
      await page.route(FIRST_PAGE, (route) => route.fulfill({ json: { data: [], next_cursor: 'more' } }));
      // Without what pickers have asked for before.
      await page.goto('/account');
    });

    afterAll(() => stage.page.unroute(FIRST_PAGE));

    it.each(PICKERS)('“$label” of $view $form', async ({ view, form, label, row, isRare = false }) => {
      const { page } = stage;
      await goTo(page, view);
      if (form !== undefined) await page.getByRole('button', { name: form }).click();
      const folded = page.getByRole('button', { name: 'More filters', expanded: false });
      if (isRare && (await folded.count()) > 0) await folded.click();
      const place = page.getByRole(form === undefined ? 'main' : 'dialog');
      const picker = place.getByRole('combobox', { name: label, exact: true });
      await picker.fill(row.slice(0, 12));
      expect(await shows(place.getByRole('option', { name: row }).first())).toBe(true);
      await picker.press('Escape');
      if (form === undefined) return;
      await place.getByRole('button', { name: 'Cancel' }).click();
      await place.waitFor({ state: 'hidden' });
    });
  });
}
