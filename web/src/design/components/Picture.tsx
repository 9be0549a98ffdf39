import type { Scene } from '../../art/scene.ts';

interface Props {
  scene: Scene;
  /** Empty for decoration. */
  alt: string;
  /** Display width, as in the `sizes` attribute. */
  sizes: string;
  /** Alternative drawing up to this width in px. */
  phone?: { scene: Scene; upTo: number };
  /** On the first screen: loads before other pictures, but after the text. */
  first?: boolean;
  className?: string | undefined;
}

/** Paper is light in every theme. */
const NIGHT = 'screen and (prefers-color-scheme: dark)';

function Sources({ scene, sizes, media }: { scene: Scene; sizes: string; media?: string }) {
  const night = media ? `${NIGHT} and ${media}` : NIGHT;
  const { width, height } = scene;
  return (
    <>
      {scene.avifNight && (
        <source
          type="image/avif"
          srcSet={scene.avifNight}
          sizes={sizes}
          media={night}
          width={width}
          height={height}
        />
      )}
      {scene.webpNight && (
        <source
          type="image/webp"
          srcSet={scene.webpNight}
          sizes={sizes}
          media={night}
          width={width}
          height={height}
        />
      )}
      <source
        type="image/avif"
        srcSet={scene.avif}
        sizes={sizes}
        media={media}
        width={width}
        height={height}
      />
      <source
        type="image/webp"
        srcSet={scene.webp}
        sizes={sizes}
        media={media}
        width={width}
        height={height}
      />
    </>
  );
}

/** A scene in the best format, width and theme; its space is reserved while loading. */
export function Picture({ scene, alt, sizes, phone, first = false, className }: Props) {
  return (
    <picture>
      {phone && <Sources scene={phone.scene} sizes={sizes} media={`(max-width: ${phone.upTo}px)`} />}
      <Sources scene={scene} sizes={sizes} />
      <img
        className={className}
        src={scene.src}
        width={scene.width}
        height={scene.height}
        alt={alt}
        loading="lazy"
        fetchPriority={first ? 'high' : undefined}
        decoding="async"
      />
    </picture>
  );
}
