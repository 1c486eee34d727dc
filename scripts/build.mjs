// Bundles src into a few files: an import of toolgate reads three files instead of two hundred. toolparse, which is
// also used alone, is one small file, and the rest takes it from there.
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

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
    cli: 'src/interfaces/cli/main.ts',
  },
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [
    { name: 'toolparse-apart', setup: takeToolparseFromItsEntry },
    { name: 'text-assets', setup: takeTextAsItStands },
  ],
});
// Its size is what its import costs, so its names and blanks go; the source map keeps it readable.
await build({ ...common, entryPoints: { toolparse: 'src/pkg/toolparse/index.ts' }, minify: true });
chmodSync('dist/cli.js', 0o755);
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
});

/** The package's own name resolves to its own entry, wherever the importing chunk lies. */
function takeToolparseFromItsEntry({ onResolve }) {
  onResolve({ filter: /\/pkg\/toolparse\// }, () => ({ path: 'toolgate/toolparse', external: true }));
}

/** `import { text } from './page.css?text'`: the file's text, whatever it is. */
function takeTextAsItStands({ onLoad }) {
  onLoad({ filter: /\/assets\// }, ({ path, suffix }) =>
    suffix === '?text'
      ? { contents: `export const text = ${JSON.stringify(readFileSync(path, 'utf8'))};` }
      : undefined,
  );
}
