import { expect, it } from 'vitest';
import { waitUntil } from '../wait-until.js';
import { shoot } from './screenshots.js';
import type { Stage } from './stage.js';

/** Views and rows are gone to by a part of their name. */
export function describePalette(stage: Stage): void {
  it('a view and a channel are found by the keyboard alone', async () => {
    const { page } = stage;
    await page.goto('/');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search' });
    const field = palette.getByRole('combobox', { name: 'Go to' });
    const chosen = palette.getByRole('option', { selected: true });
    await palette.getByRole('group', { name: 'Views' }).waitFor();
    expect(await chosen.innerText()).toBe('Overview');
    // Whoever opened it writes at once.
    await page.keyboard.type('aud');
    await waitUntil('the audit log chosen', async () => (await chosen.innerText()) === 'Audit log');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await field.fill('no such name');
    await palette.getByText('Nothing of this name').waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await field.fill('sandb');
    await palette.getByRole('group', { name: 'Channels' }).waitFor();
    await shoot(page, 'palette');
    await page.getByRole('option', { name: 'sandbox channel' }).click();
    await page.getByRole('heading', { name: 'sandbox', exact: true, level: 1 }).waitFor();
    expect(page.url()).toMatch(/\/channels\/[0-9a-f-]{36}$/);
  });
}
