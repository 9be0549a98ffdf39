import { useLayoutEffect, useRef, type ImgHTMLAttributes } from 'react';

type Props = Omit<ImgHTMLAttributes<HTMLImageElement>, 'src'> & { file: Blob; alt: string };

/** A picture that only this page can read: its address is made for it and given back with it. */
export function FileImage({ file, alt, ...rest }: Props) {
  const image = useRef<HTMLImageElement>(null);
  useLayoutEffect(() => {
    const address = URL.createObjectURL(file);
    image.current!.src = address;
    return () => URL.revokeObjectURL(address);
  }, [file]);
  return <img {...rest} ref={image} alt={alt} />;
}
