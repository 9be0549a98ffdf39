/**
 * The icons in use: outlines from Phosphor's regular set, bold inside badges, fill for sent and refused.
 * Named constants, so that a page ships only those that it shows.
 */
import arrowDownFile from '@phosphor-icons/core/assets/regular/arrow-down.svg?raw';
import arrowLeftFile from '@phosphor-icons/core/assets/regular/arrow-left.svg?raw';
import arrowRightFile from '@phosphor-icons/core/assets/regular/arrow-right.svg?raw';
import arrowUpRightFile from '@phosphor-icons/core/assets/regular/arrow-up-right.svg?raw';
import bankFile from '@phosphor-icons/core/assets/regular/bank.svg?raw';
import checkFile from '@phosphor-icons/core/assets/regular/check.svg?raw';
import checkBoldFile from '@phosphor-icons/core/assets/bold/check-bold.svg?raw';
import checkCircleFile from '@phosphor-icons/core/assets/fill/check-circle-fill.svg?raw';
import clockFile from '@phosphor-icons/core/assets/bold/clock-bold.svg?raw';
import closeFile from '@phosphor-icons/core/assets/regular/x.svg?raw';
import copyFile from '@phosphor-icons/core/assets/regular/copy-simple.svg?raw';
import crossBoldFile from '@phosphor-icons/core/assets/bold/x-bold.svg?raw';
import creditCardFile from '@phosphor-icons/core/assets/regular/credit-card.svg?raw';
import downloadFile from '@phosphor-icons/core/assets/regular/download-simple.svg?raw';
import envelopeFile from '@phosphor-icons/core/assets/regular/envelope-simple.svg?raw';
import hourglassFile from '@phosphor-icons/core/assets/bold/hourglass-medium-bold.svg?raw';
import linkFile from '@phosphor-icons/core/assets/regular/link.svg?raw';
import lockFile from '@phosphor-icons/core/assets/regular/lock-simple.svg?raw';
import menuFile from '@phosphor-icons/core/assets/regular/list.svg?raw';
import minusFile from '@phosphor-icons/core/assets/regular/minus.svg?raw';
import openOutFile from '@phosphor-icons/core/assets/regular/arrow-square-out.svg?raw';
import plantFile from '@phosphor-icons/core/assets/bold/plant-bold.svg?raw';
import plusFile from '@phosphor-icons/core/assets/regular/plus.svg?raw';
import sealPercentFile from '@phosphor-icons/core/assets/regular/seal-percent.svg?raw';
import treeFile from '@phosphor-icons/core/assets/bold/tree-bold.svg?raw';
import userCheckFile from '@phosphor-icons/core/assets/bold/user-check-bold.svg?raw';
import userFile from '@phosphor-icons/core/assets/regular/user.svg?raw';
import warningFile from '@phosphor-icons/core/assets/fill/warning-circle-fill.svg?raw';
import wifiSlashFile from '@phosphor-icons/core/assets/regular/wifi-slash.svg?raw';
import cameraFile from '@phosphor-icons/core/assets/regular/camera.svg?raw';
import imagesFile from '@phosphor-icons/core/assets/regular/images.svg?raw';
import mapPinFile from '@phosphor-icons/core/assets/regular/map-pin.svg?raw';
import signOutFile from '@phosphor-icons/core/assets/regular/sign-out.svg?raw';
import uploadFile from '@phosphor-icons/core/assets/regular/cloud-arrow-up.svg?raw';
import arrowUpFile from '@phosphor-icons/core/assets/regular/arrow-up.svg?raw';
import caretDownFile from '@phosphor-icons/core/assets/regular/caret-down.svg?raw';
import keyboardFile from '@phosphor-icons/core/assets/regular/keyboard.svg?raw';
import magnifierFile from '@phosphor-icons/core/assets/regular/magnifying-glass.svg?raw';
import pencilFile from '@phosphor-icons/core/assets/regular/pencil-simple.svg?raw';

export type Outline = string & { readonly outline: unique symbol };

/** A Phosphor file is one path on a 256 square; only its outline is kept. */
const outline = (file: string): Outline => (/\sd="([^"]+)"/.exec(file)?.[1] ?? '') as Outline;

export const arrowDown = /* @__PURE__ */ outline(arrowDownFile);
export const arrowLeft = /* @__PURE__ */ outline(arrowLeftFile);
export const arrowRight = /* @__PURE__ */ outline(arrowRightFile);
export const arrowUpRight = /* @__PURE__ */ outline(arrowUpRightFile);
export const bank = /* @__PURE__ */ outline(bankFile);
export const check = /* @__PURE__ */ outline(checkFile);
export const checkBold = /* @__PURE__ */ outline(checkBoldFile);
export const checkCircle = /* @__PURE__ */ outline(checkCircleFile);
export const clock = /* @__PURE__ */ outline(clockFile);
export const close = /* @__PURE__ */ outline(closeFile);
export const copy = /* @__PURE__ */ outline(copyFile);
export const creditCard = /* @__PURE__ */ outline(creditCardFile);
export const crossBold = /* @__PURE__ */ outline(crossBoldFile);
export const download = /* @__PURE__ */ outline(downloadFile);
export const envelope = /* @__PURE__ */ outline(envelopeFile);
export const hourglass = /* @__PURE__ */ outline(hourglassFile);
export const link = /* @__PURE__ */ outline(linkFile);
export const lock = /* @__PURE__ */ outline(lockFile);
export const menu = /* @__PURE__ */ outline(menuFile);
export const minus = /* @__PURE__ */ outline(minusFile);
export const openOut = /* @__PURE__ */ outline(openOutFile);
export const plant = /* @__PURE__ */ outline(plantFile);
export const plus = /* @__PURE__ */ outline(plusFile);
export const sealPercent = /* @__PURE__ */ outline(sealPercentFile);
export const tree = /* @__PURE__ */ outline(treeFile);
export const user = /* @__PURE__ */ outline(userFile);
export const userCheck = /* @__PURE__ */ outline(userCheckFile);
export const warning = /* @__PURE__ */ outline(warningFile);
export const wifiSlash = /* @__PURE__ */ outline(wifiSlashFile);
export const camera = /* @__PURE__ */ outline(cameraFile);
export const images = /* @__PURE__ */ outline(imagesFile);
export const mapPin = /* @__PURE__ */ outline(mapPinFile);
export const signOut = /* @__PURE__ */ outline(signOutFile);
export const upload = /* @__PURE__ */ outline(uploadFile);
export const arrowUp = /* @__PURE__ */ outline(arrowUpFile);
export const caretDown = /* @__PURE__ */ outline(caretDownFile);
export const keyboard = /* @__PURE__ */ outline(keyboardFile);
export const magnifier = /* @__PURE__ */ outline(magnifierFile);
export const pencil = /* @__PURE__ */ outline(pencilFile);
