import { useMutation } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { useModels } from '../../api/use-models.js';
import { SelectField } from '../../components/form-fields.js';
import { Skeleton } from '../../components/skeleton.js';
import { required } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { callGateway, type GatewayAccess } from '../../gateway/call-gateway.js';
import { useMessages } from '../../messages/use-messages.js';
import { MediaForm } from './media-form.js';
import { useStarter } from './use-starter.js';

const PATH = '/v1/images/generations';
const SIZES = ['1024x1024', '1536x1024', '1024x1536'] as const;

const schema = z.object({ model: z.string(), prompt: required, size: z.enum(SIZES) });

interface ImageAnswer {
  readonly data: readonly { readonly b64_json?: string; readonly url?: string }[];
}

export function ImagePlayground({ access }: { readonly access: GatewayAccess }) {
  const { playground: messages } = useMessages();
  const models = useModels('image');
  const making = useMutation({ mutationFn: (sent: object) => callGateway<ImageAnswer>(access, PATH, sent) });
  const form = useApiForm({
    schema,
    texts: { model: '', prompt: messages.imageStart, size: SIZES[0] },
    send: async () => {
      await making.mutateAsync(body);
    },
  });
  useStarter(form, messages.imageStart);
  const model = form.read('model') || models?.[0] || '';
  const body = {
    model,
    prompt: form.read('prompt'),
    size: form.read('size'),
    n: 1,
    response_format: 'b64_json',
  };
  return (
    <MediaForm
      form={form}
      prompt={form.field('prompt')}
      access={access}
      mode="image"
      path={PATH}
      body={body}
      models={models}
      promptLabel={messages.imagePrompt}
      outcome={making.data}
      onModel={(slug) => form.write('model', slug)}
      options={
        <SelectField {...form.field('size')} label={messages.size}>
          {SIZES.map((known) => (
            <option key={known}>{known}</option>
          ))}
        </SelectField>
      }
    >
      {making.isPending ? (
        <Skeleton lines={4} />
      ) : (
        making.data?.body.data.map((image, index) => (
          <img
            key={index}
            src={
              image.b64_json === undefined
                ? image.url
                : `data:${mediaTypeOf(image.b64_json)};base64,${image.b64_json}`
            }
            alt={messages.image}
            className="max-h-96 max-w-full rounded-xl"
          />
        ))
      )}
    </MediaForm>
  );
}

/** Media type of an image by its first bytes; browsers read the rest themselves. */
function mediaTypeOf(base64: string): string {
  if (base64.startsWith('/9j/')) return 'image/jpeg';
  if (base64.startsWith('UklGR')) return 'image/webp';
  return base64.startsWith('PHN2Zy') ? 'image/svg+xml' : 'image/png';
}
