// Bundles src into a few files: an import of toolgate reads three files instead of two hundred. toolparse, which is
// also used alone, is one small file, and the rest takes it from there.
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { noticesOf } from './notices.mjs';
import { keepReachableTypes } from './reachable-types.mjs';

rmSync('dist', { recursive: true, force: true });
const common = {
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
};
await build({
  ...common,
  entryPoints: {
    index: 'src/index.ts',
    testing: 'src/testing/index.ts',
    'ai-sdk': 'src/ai-sdk/index.ts',
    mcp: 'src/mcp/index.ts',
    cli: 'src/interfaces/cli/main.ts',
  },
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [
    { name: 'toolparse-apart', setup: takeToolparseFromItsEntry },
    { name: 'mcp-sdk-apart', setup: takeMcpSdkFromItsFile },
    { name: 'text-assets', setup: takeTextAsItStands },
  ],
});
await buildToolparse({ toolparse: 'src/pkg/toolparse/index.ts' });
// The one package that is bundled, with what it needs of its own: docs/decisions/007-mcp-sdk-bundled.md.
const { metafile } = await build({
  ...common,
  entryPoints: { 'mcp-sdk': 'src/infrastructure/mcp/sdk.ts' },
  packages: 'bundle',
  minify: true,
  metafile: true,
  plugins: [{ name: 'no-second-ajv', setup: leaveOutItsValidator }],
});
writeFileSync('dist/THIRD_PARTY_NOTICES.txt', noticesOf(Object.keys(metafile.inputs)));
chmodSync('dist/cli.js', 0o755);
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
});
keepReachableTypes('dist/types', [
  'index.d.ts',
  'pkg/toolparse/index.d.ts',
  'testing/index.d.ts',
  'ai-sdk/index.d.ts',
  'mcp/index.d.ts',
]);

/**
 * Its import should cost next to nothing, so its names and blanks go (the source map keeps it readable), and all of it
 * stands in one function that the first call of an export runs: until then it is neither compiled nor evaluated.
 */
async function buildToolparse(entryPoints) {
  const shape = await build({ ...common, entryPoints, write: false, metafile: true });
  const names = Object.values(shape.metafile.outputs).flatMap((output) => output.exports ?? []);
  const exported = names.map((name) => `export function ${name}(...args) { return use().${name}(...args); }`);
  await build({
    ...common,
    entryPoints,
    format: 'cjs',
    minify: true,
    banner: { js: 'let used;\nfunction load(module) {' },
    footer: {
      js: `return module.exports;\n}\nconst use = () => (used ??= load({}));\n${exported.join('\n')}`,
    },
  });
}

/** The package's own name resolves to its own entry, wherever the importing chunk lies. */
function takeToolparseFromItsEntry({ onResolve }) {
  onResolve({ filter: /\/pkg\/toolparse\// }, () => ({ path: 'toolgate/toolparse', external: true }));
}

/** By a name of the package itself, which resolves from any of its files. */
function takeMcpSdkFromItsFile({ onResolve }) {
  onResolve({ filter: /\/sdk\.js$/ }, ({ importer }) =>
    importer.includes('infrastructure/mcp/') ? { path: '#mcp-sdk', external: true } : undefined,
  );
}

/** It is given one of ours, and would bring a second copy of ajv. */
function leaveOutItsValidator({ onLoad }) {
  onLoad({ filter: /validation\/ajv-provider\.js$/ }, () => ({
    contents: 'export class AjvJsonSchemaValidator {}',
  }));
}

/** `import { text } from './page.css?text'`: the file's text, whatever it is. */
function takeTextAsItStands({ onLoad }) {
  onLoad({ filter: /\/assets\// }, ({ path, suffix }) =>
    suffix === '?text'
      ? { contents: `export const text = ${JSON.stringify(readFileSync(path, 'utf8'))};` }
      : undefined,
  );
}
