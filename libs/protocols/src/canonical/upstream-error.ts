/** What an upstream said about a failure: its message and the field it blames, where it names them. */
export interface UpstreamError {
  readonly message: string | undefined;
  readonly param: string | undefined;
}
