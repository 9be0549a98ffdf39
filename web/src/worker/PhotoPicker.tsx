import { useRef } from 'react';
import { Button } from '../design/components/Button.tsx';
import type { Outline } from '../design/components/icons.ts';

interface Props {
  label: string;
  icon: Outline;
  /** Opens the camera; otherwise the gallery with multiple selection. */
  capture?: boolean;
  accent?: boolean;
  onPick: (files: File[]) => void;
}

export function PhotoPicker({ label, icon, capture = false, accent = false, onPick }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        hidden
        type="file"
        accept="image/*,.heic,.heif"
        multiple={!capture}
        capture={capture ? 'environment' : undefined}
        aria-label={label}
        onChange={(event) => {
          onPick([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <Button
        wide
        size="large"
        look={accent ? 'accent' : 'secondary'}
        icon={icon}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
    </>
  );
}
