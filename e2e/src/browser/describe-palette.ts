import { expect, it } from 'vitest';
import type { Stage } from './stage.js';

/** Views and rows are gone to by a part of their name. */
export function describePalette(stage: Stage): void {
  it('a view and a channel are found by the keyboard alone', async () => {
    const { page } = stage;
    await page.goto('/');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('dialog', { name: 'Search' }).getByRole('combobox');
    await field.fill('audit');
    await page.getByRole('option', { name: 'Audit log' }).waitFor();
    await field.press('Enter');
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await field.fill('sandb');
    await page.getByRole('option', { name: 'sandbox channel' }).click();
    await page.getByRole('heading', { name: 'sandbox', exact: true, level: 1 }).waitFor();
    expect(page.url()).toMatch(/\/channels\/[0-9a-f-]{36}$/);
  });
}
