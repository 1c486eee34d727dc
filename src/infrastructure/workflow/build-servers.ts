import type { McpServerDeclaration } from '../../domain/workflow.js';
import { buildApproval } from './build-approval.js';
import { buildRestrictions } from './build-restrictions.js';
import { durationOf } from './quantity.js';
import type { References } from './references.js';
import { withoutMissing } from './without-missing.js';
import type { YamlValue } from './yaml-value.js';

/** The MCP servers of a file, by the names that their tools get. */
export function buildServers(map: YamlValue, references: References): readonly McpServerDeclaration[] {
  return map.entries().map(([name, server]) => {
    for (const key of ['command', 'args', 'url', 'headers', 'restrictions']) {
      references.scan(server.get(key), { kind: 'setting' });
    }
    return withoutMissing({
      name,
      transport: buildTransport(server),
      tools: server.get('tools').texts(),
      // What a server's tools are called with, and what they touch, is known to the server only.
      approval: buildApproval(server.get('approval'), {
        parameters: undefined,
        subject: undefined,
        isShell: false,
        references,
      }),
      restrictions: buildServerRestrictions(server),
      timeoutMs: durationOf(server.get('timeout')),
    });
  });
}

function buildTransport(server: YamlValue): McpServerDeclaration['transport'] {
  const [command, url] = [server.get('command'), server.get('url')];
  if (command.isPresent === url.isPresent) {
    const message = command.isPresent
      ? `${server.path} has both \`command\` and \`url\`; a server is started or reached`
      : `${server.path} needs \`command\`, to start the server, or \`url\`, to reach it`;
    server.report({ code: 'WORKFLOW.VALIDATION.SCHEMA', message });
  }
  reportMisplaced(server, url.isPresent ? ['args', 'env'] : ['headers'], url.isPresent ? 'command' : 'url');
  if (!url.isPresent) {
    return { type: 'stdio', command: command.text() ?? '', args: server.get('args').texts() ?? [] };
  }
  checkUrl(url);
  const headers = server.get('headers').entries();
  const filled = headers.map(([name, value]) => [name, value.text() ?? ''] as const);
  return { type: 'http', url: url.text() ?? '', headers: Object.fromEntries(filled) };
}

/** One with a template is known only when it is filled in. */
function checkUrl(url: YamlValue): void {
  const text = url.text();
  if (text === undefined || text.includes('{{')) return;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return;
  const message = `${url.path}: "${text.slice(0, 80)}" is no address of a server; it begins with https:// or http://`;
  url.report({ code: 'WORKFLOW.VALIDATION.SCHEMA', message });
}

/** What only the other kind of server has would do nothing here, and nobody would know. */
function reportMisplaced(server: YamlValue, keys: readonly string[], needed: string): void {
  for (const key of keys.filter((one) => server.get(one).isPresent)) {
    const message = `${server.path}: \`${key}\` is for a server with \`${needed}\``;
    server.get(key).report({ code: 'WORKFLOW.VALIDATION.SCHEMA', message }, 'key');
  }
}

function buildServerRestrictions(server: YamlValue): McpServerDeclaration['restrictions'] {
  const restrictions = buildRestrictions(server.get('restrictions'), { type: 'handler' });
  const env = server.get('env').texts();
  return env ? { ...restrictions, env: [...(restrictions.env ?? []), ...env] } : restrictions;
}
