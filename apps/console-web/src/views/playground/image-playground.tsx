import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useModels } from '../../api/use-models.js';
import { Field, Select } from '../../components/field.js';
import { Skeleton } from '../../components/skeleton.js';
import { callGateway, type GatewayAccess } from '../../gateway/call-gateway.js';
import { useMessages } from '../../messages/use-messages.js';
import { MediaForm } from './media-form.js';

const PATH = '/v1/images/generations';
const SIZES = ['1024x1024', '1536x1024', '1024x1536'] as const;

interface ImageAnswer {
  readonly data: readonly { readonly b64_json?: string; readonly url?: string }[];
}

export function ImagePlayground({ access }: { readonly access: GatewayAccess }) {
  const { playground: messages } = useMessages();
  const models = useModels('image');
  const [chosen, setChosen] = useState<string>();
  const [prompt, setPrompt] = useState(messages.imageStart);
  const [size, setSize] = useState<string>(SIZES[0]);
  const model = chosen ?? models?.[0] ?? '';
  const body = { model, prompt, size, n: 1, response_format: 'b64_json' };
  const making = useMutation({ mutationFn: () => callGateway<ImageAnswer>(access, PATH, body) });
  return (
    <MediaForm
      access={access}
      mode="image"
      path={PATH}
      body={body}
      models={models}
      promptLabel={messages.imagePrompt}
      making={making}
      onModel={setChosen}
      onPrompt={setPrompt}
      options={
        <Field label={messages.size}>
          <Select value={size} onChange={(event) => setSize(event.target.value)}>
            {SIZES.map((known) => (
              <option key={known}>{known}</option>
            ))}
          </Select>
        </Field>
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
