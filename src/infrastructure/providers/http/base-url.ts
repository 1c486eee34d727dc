/** What is wrong with the address of an API, if anything is. */
export function baseUrlProblem(url: string): string | undefined {
  // Before an @ may stand a password, also in what is no URL.
  if (!URL.canParse(url))
    return `must be a URL, not ${JSON.stringify(url.replace(/^.*@/s, '…@').slice(0, 100))}`;
  const { protocol, username, password, search, hash } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https:// or http://';
  if (username !== '' || password !== '') return 'must not hold a name or a password';
  return search === '' && hash === '' ? undefined : 'must end before the ? and the #';
}

/** The address of one operation. A base that ends with a version already keeps it: both ways are common. */
export function operationUrl(baseUrl: string, version: string, operation: string): string {
  const isWhole = baseUrl.endsWith(`/${version}`) || /\/v\d+(?:(?:alpha|beta)\d*)?$/.test(baseUrl);
  return isWhole ? `${baseUrl}/${operation}` : `${baseUrl}/${version}/${operation}`;
}

/**
 * The address of one operation of OpenAI's, which is documented with the whole of what comes before it: a version
 * anywhere (`/v1beta/openai`, `/api/paas/v4`) says that the base is that.
 */
export function openAiUrl(baseUrl: string, operation: string): string {
  const isWhole = /\/v\d[^/]*(?:\/|$)/.test(new URL(baseUrl).pathname);
  return isWhole ? `${baseUrl}/${operation}` : `${baseUrl}/v1/${operation}`;
}

/** Whether what is sent there can be read on the way: plain http to another machine. */
export function isUnencrypted(url: string): boolean {
  return /^http:\/\/(?!(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:\/|$))/i.test(url);
}
