import type { RefusalReason } from '../api/answer.js';

/**
 * What forms say of a field before anything is sent, by the reason that the API would give; `{0}` stands for a value. In
 * Chinese `zh-refusals.ts` says it, which has words for every reason.
 */
export const enFaults = {
  required: 'Is required.',
  not_a_number: 'Must be a number.',
  not_a_whole_number: 'Must be a whole number.',
  not_an_object: 'Must be a JSON object.',
  too_small: 'Must be at least {0}.',
  too_big: 'Must be at most {0}.',
  too_short: 'Must be at least {0} characters long.',
  too_long: 'Must be at most {0} characters long.',
  name_too_long: 'Must be at most 128 characters long.',
  no_moment: 'Must be a date such as 2027-01-31, with a time such as 14:05 where there is one.',
  no_duration: 'Must be a duration such as 250ms, 3s, 15m or 1h.',
  no_network_address: 'Must be an address or a network such as 203.0.113.7, 10.1.0.0/16 or 2001:db8::/32.',
  no_slug: 'Must be a model slug: letters, digits and . _ : / @ -',
  no_amount: 'Must be an amount in USD such as 25.00, with at most 9 decimals.',
  no_threshold: 'Must be an amount in USD such as 5.00.',
  no_price: 'Must be an amount in USD such as 0.25, below 1000000, with at most 9 decimals.',
  no_share: 'Must be a decimal number from 0 to 1, such as 0.5.',
  no_http_address: 'Must be an http:// or https:// address.',
  no_webhook_address: 'Must be an address such as https://alerts.example.com/hook.',
  no_mail_server: 'Must be an address such as smtps://user:password@mail.example.com:465.',
  no_channel_models: 'Must be a model slug on each line, or a slug, a colon and the name at the provider.',
  no_time_zone: 'Must be a time zone such as UTC or Europe/Berlin.',
  no_email: 'Must be an e-mail address.',
  zero: 'Must not be zero.',
} as const satisfies Partial<Record<RefusalReason, string>>;

export type FaultReason = keyof typeof enFaults;
