import { z } from 'zod';
import { SETTING_GROUPS } from './setting-groups.js';

export const publicSettingsSchema = z
  .object({
    version: z.string(),
    gateway_url: z.string().describe('Where callers reach the gateway: the base address for SDKs.'),
    first_run: z
      .boolean()
      .describe('Nobody has changed or called anything yet: the first login was printed at the start.'),
    sso: z.boolean().describe('Whether there is a single sign-on.'),
  })
  .meta({ id: 'PublicSettings' });

export const settingsSchema = z
  .object({
    version: z.string(),
    node_version: z.string(),
    settings: z
      .array(
        z.object({
          name: z.string(),
          group: z.enum(SETTING_GROUPS).describe('What it is about.'),
          value: z
            .string()
            .nullable()
            .describe('In force in the console; "set" for what is secret, null when unset.'),
          hidden: z.boolean().describe('Whether its value is shown to nobody.'),
          default: z.string(),
          meaning: z.string(),
        }),
      )
      .describe('The environment of the console’s process; other planes may have been started with another.'),
  })
  .meta({ id: 'Settings' });
