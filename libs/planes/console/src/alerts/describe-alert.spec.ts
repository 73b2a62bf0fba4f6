import { expect, it } from 'vitest';
import { describeAlert } from './describe-alert.js';

it('says what is the matter in USD', () => {
  const facts = { name: 'acme', of: 'wallet', period: 'day', amount: '10000000000', spent: '8500000000' };
  expect(describeAlert({ kind: 'budget', level: 'near', facts })).toBe(
    'The budget of wallet "acme" for the day is reached to 80 %: 8.5 of 10 USD are spent.',
  );
});

it('lets no name call anybody in a chat, or begin a line of a mail', () => {
  const name = '<!channel> @everyone\r\nBcc: a@example.com';
  const facts = { name, served: 0, failed: 9, status: 500, reason: '<https://evil.example|click>' };
  const text = describeAlert({ kind: 'channel_failing', level: 'firing', facts });
  expect(text).not.toMatch(/[<>@\r\n]/);
  expect(text).toContain('9 attempts of the last ten minutes failed');
});
