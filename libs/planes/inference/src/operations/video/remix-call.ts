import { type Catalog, GatewayError, type Task } from '@mg/contract';
import { readRemixPrompt, type VideoOrder } from '@mg/protocols';
import { findJobEndpoint } from '@mg/providers';
import { findHeight } from './choose-video-variant.js';
import { DEADLINE_SECONDS, type ReadCall } from './video-call.js';

/**
 * The order of a remix: a video like one of the caller's wallet, by another prompt. It is as long and as large as its source,
 * and costs what such a video costs now. Only the channel and the key that made the source have it.
 *
 * @throws GatewayError `invalid_request` naming the field, or `video_id` for a source that cannot be remixed;
 *   `upstream_unavailable` while its channel is away.
 */
export function readRemixCall(body: Buffer, source: Task, { channelsBySlug }: Catalog): ReadCall {
  const prompt = readRemixPrompt(body);
  const { model, seconds, priceVariant, channelId, upstreamId, upstreamModel } = source;
  if (source.state !== 'succeeded' || channelId === undefined || upstreamId === undefined) {
    refuseSource('is not completed');
  }
  const channel = channelsBySlug.get(model)?.find(({ id }) => id === channelId);
  if (!channel) {
    throw new GatewayError(
      'upstream_unavailable',
      'The channel that made the video does not take orders at the moment, and no other one has it.',
    );
  }
  if (!findJobEndpoint(channel, upstreamModel ?? model, 'generic')?.surface.remixes) {
    refuseSource(`was made by a channel of type ${channel.type}, which makes no remixes`);
  }
  const order: VideoOrder = {
    prompt,
    seconds,
    remixOf: { videoId: source.publicId, jobId: upstreamId, channelId, keyHash: source.keyHash },
  };
  return {
    apiVariant: 'generic',
    model,
    order,
    seconds,
    variants: priceVariant === undefined ? [] : [priceVariant],
    height: priceVariant === undefined ? undefined : findHeight(priceVariant),
    sourceVideo: undefined,
    callbackUrl: undefined,
    deadlineSeconds: DEADLINE_SECONDS,
  };
}

function refuseSource(reason: string): never {
  throw new GatewayError('invalid_request', `The video ${reason}.`, { param: 'video_id' });
}
