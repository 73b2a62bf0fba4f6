/** How an upstream's model differs from OpenAI's images, as data of the provider and model. */
export interface ImageTraits {
  /** Members that the model refuses. */
  readonly refuses?: readonly string[];
  /** Most images of one request. */
  readonly maxCount?: number;
  /** How a size is given; as `size` unless set otherwise. */
  readonly sizeAs?: 'width-height' | 'aspect-ratio';
  /** How images to work on are sent where not as OpenAI takes them: `image` as text or list, or as objects. */
  readonly imagesAs?: 'texts' | 'objects';
  /** The upstream's own name for images in base64. */
  readonly base64Word?: string;
}
