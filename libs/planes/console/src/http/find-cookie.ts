/** The value of a cookie in a `Cookie` header; `undefined` where it is not there. */
export function findCookie(name: string, cookies = ''): string | undefined {
  const pair = cookies.split(';').find((part) => part.trim().startsWith(`${name}=`));
  return pair?.trim().slice(name.length + 1);
}
