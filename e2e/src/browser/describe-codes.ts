import { describe, expect, it } from 'vitest';
import { goTo } from './console-page.js';
import { shoot } from './screenshots.js';
import { shows, type Stage } from './stage.js';

/** A batch of codes, of which one was redeemed: what became of it, and how it is switched off. */
export function describeCodes(stage: Stage): void {
  describe('redemption codes', () => {
    it('see what became of the codes of a batch, and switch it off', async () => {
      const { page, product } = stage;
      await goTo(page, 'Redemption codes');
      await page.getByRole('cell', { name: '1 / 1' }).waitFor();
      await page.getByRole('button', { name: 'Open 1 code of $5.00' }).click();
      const batch = page.getByRole('dialog', { name: '1 code of $5.00' });
      const code = batch.getByRole('row', { name: new RegExp(product.admin.email) });
      expect(await code.innerText()).toMatch(/^….{4}[^]*first/);
      expect(await batch.innerText()).toContain('1 / 1');
      await shoot(page, 'batch');
      await page.keyboard.press('Escape');
      const row = page.getByRole('row', { name: /Open 1 code of \$5\.00/ });
      await row.getByRole('button', { name: 'Disable' }).click();
      expect(await shows(row.getByText('disabled'))).toBe(true);
    });

    it('say why their batch was not switched', async () => {
      const { page } = stage;
      const detail = {
        code: 'internal_error',
        message: 'The batch was not changed.',
        request_id: 'a-request',
      };
      await page.route('**/api/v1/redemption-codes/*', (route) =>
        route.fulfill({ status: 409, json: { detail } }),
      );
      const row = page.getByRole('row', { name: /Open 1 code of \$5\.00/ });
      await row.getByRole('button', { name: 'Enable' }).click();
      expect(await shows(row.getByRole('alert').getByText('The batch was not changed.'))).toBe(true);
      await page.unroute('**/api/v1/redemption-codes/*');
    });
  });
}
