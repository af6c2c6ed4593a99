export type LogoImage = {
  mediaType: "image/png" | "image/jpeg" | "image/webp";
  width: number;
  height: number;
  /** the picture without its metadata, which may contain a place or a person's name */
  content: Buffer;
};
