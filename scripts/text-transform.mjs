// Lets Jest import a text the way the build does.
// biome-ignore lint/style/noDefaultExport: Jest takes a transformer's default export.
export default {
  process: (text) => ({ code: `export const text = ${JSON.stringify(text)};` }),
};
