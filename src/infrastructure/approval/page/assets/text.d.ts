/** A file whose text is bundled as it stands. */
declare module '*?text' {
  export const text: string;
}
