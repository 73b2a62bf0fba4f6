import { z } from 'zod';

export const ssoStartSchema = z
  .object({ url: z.url().describe('The issuer’s page, which the browser is sent to.') })
  .meta({ id: 'SsoStart' });

export type SsoStart = z.output<typeof ssoStartSchema>;

export const ssoExchangeSchema = z.strictObject({
  code: z.string().max(128).describe('Of the page’s address, as `sso`.'),
});

export type SsoExchange = z.output<typeof ssoExchangeSchema>;
