import { listProviders, type ProviderDescriptor } from '@mg/providers';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiRoute } from '../http/api-route.js';
import { Roles } from '../http/route-access.js';
import { needsBaseUrl } from './check-channel.js';
import { describeSettings, settingFieldSchema } from './describe-settings.js';

const channelTypeSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    default_base_url: z.string().nullable().describe('Used when a channel names none.'),
    needs_base_url: z.boolean(),
    needs_api_key: z.boolean(),
    native_batches: z.boolean().describe('Whether a channel may have `batches: native`.'),
    secret_settings: z.array(z.string()).describe('Settings that are encrypted and write-only.'),
    settings: z.array(settingFieldSchema).describe('What a form asks for; the API validates.'),
  })
  .meta({ id: 'ChannelType' });

const channelTypesSchema = z.object({ data: z.array(channelTypeSchema) });

/** Providers that a channel can be of, for whoever writes a form for one. */
@ApiTags('channels')
@Controller('api/v1/channel-types')
export class ChannelTypesController {
  @Get()
  @Roles('administrator')
  @ApiRoute({ summary: 'Types of channel', answer: channelTypesSchema })
  list(): z.output<typeof channelTypesSchema> {
    return { data: listProviders().map(toTypeView) };
  }
}

function toTypeView(provider: ProviderDescriptor) {
  const { id, title, defaultBaseUrl, credential, batches, secretSettings = [] } = provider;
  return {
    id,
    title,
    default_base_url: typeof defaultBaseUrl === 'string' ? defaultBaseUrl : null,
    needs_base_url: needsBaseUrl(provider),
    needs_api_key: credential === 'api-key',
    native_batches: batches !== undefined,
    secret_settings: [...secretSettings],
    settings: describeSettings(provider),
  };
}
