import arrowClockwiseFile from '@phosphor-icons/core/assets/regular/arrow-clockwise.svg?raw';
import cornersOutFile from '@phosphor-icons/core/assets/regular/corners-out.svg?raw';
import eyeSlashFile from '@phosphor-icons/core/assets/regular/eye-slash.svg?raw';
import historyFile from '@phosphor-icons/core/assets/regular/clock-counter-clockwise.svg?raw';
import { outline } from '../../design/components/icons.ts';

export const turn = /* @__PURE__ */ outline(arrowClockwiseFile);
export const enlarge = /* @__PURE__ */ outline(cornersOutFile);
export const eyeSlash = /* @__PURE__ */ outline(eyeSlashFile);
export const history = /* @__PURE__ */ outline(historyFile);
