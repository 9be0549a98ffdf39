// Written by art.ts: change that file, not this one.
import type { Scene } from './scene.ts';

import hero1280avif from './hero-1280.avif';
import hero1920avif from './hero-1920.avif';
import hero1280webp from './hero-1280.webp';
import hero1920webp from './hero-1920.webp';
import heroNight1280avif from './heroNight-1280.avif';
import heroNight1920avif from './heroNight-1920.avif';
import heroNight1280webp from './heroNight-1280.webp';
import heroNight1920webp from './heroNight-1920.webp';
export const hero: Scene = {
  avif: `${hero1280avif} 1280w, ${hero1920avif} 1920w`,
  webp: `${hero1280webp} 1280w, ${hero1920webp} 1920w`,
  avifNight: `${heroNight1280avif} 1280w, ${heroNight1920avif} 1920w`,
  webpNight: `${heroNight1280webp} 1280w, ${heroNight1920webp} 1920w`,
  src: hero1920webp,
  width: 1920,
  height: 1665,
};

import heroPhone390avif from './heroPhone-390.avif';
import heroPhone780avif from './heroPhone-780.avif';
import heroPhone390webp from './heroPhone-390.webp';
import heroPhone780webp from './heroPhone-780.webp';
import heroPhoneNight390avif from './heroPhoneNight-390.avif';
import heroPhoneNight780avif from './heroPhoneNight-780.avif';
import heroPhoneNight390webp from './heroPhoneNight-390.webp';
import heroPhoneNight780webp from './heroPhoneNight-780.webp';
export const heroPhone: Scene = {
  avif: `${heroPhone390avif} 390w, ${heroPhone780avif} 780w`,
  webp: `${heroPhone390webp} 390w, ${heroPhone780webp} 780w`,
  avifNight: `${heroPhoneNight390avif} 390w, ${heroPhoneNight780avif} 780w`,
  webpNight: `${heroPhoneNight390webp} 390w, ${heroPhoneNight780webp} 780w`,
  src: heroPhone780webp,
  width: 780,
  height: 940,
};

import impact1280avif from './impact-1280.avif';
import impact2560avif from './impact-2560.avif';
import impact1280webp from './impact-1280.webp';
import impact2560webp from './impact-2560.webp';
export const impact: Scene = {
  avif: `${impact1280avif} 1280w, ${impact2560avif} 2560w`,
  webp: `${impact1280webp} 1280w, ${impact2560webp} 2560w`,
  src: impact2560webp,
  width: 2560,
  height: 940,
};

import impactPhone390avif from './impactPhone-390.avif';
import impactPhone780avif from './impactPhone-780.avif';
import impactPhone390webp from './impactPhone-390.webp';
import impactPhone780webp from './impactPhone-780.webp';
export const impactPhone: Scene = {
  avif: `${impactPhone390avif} 390w, ${impactPhone780avif} 780w`,
  webp: `${impactPhone390webp} 390w, ${impactPhone780webp} 780w`,
  src: impactPhone780webp,
  width: 780,
  height: 600,
};

import offer440avif from './offer-440.avif';
import offer880avif from './offer-880.avif';
import offer440webp from './offer-440.webp';
import offer880webp from './offer-880.webp';
import offerNight440avif from './offerNight-440.avif';
import offerNight880avif from './offerNight-880.avif';
import offerNight440webp from './offerNight-440.webp';
import offerNight880webp from './offerNight-880.webp';
export const offer: Scene = {
  avif: `${offer440avif} 440w, ${offer880avif} 880w`,
  webp: `${offer440webp} 440w, ${offer880webp} 880w`,
  avifNight: `${offerNight440avif} 440w, ${offerNight880avif} 880w`,
  webpNight: `${offerNight440webp} 440w, ${offerNight880webp} 880w`,
  src: offer880webp,
  width: 880,
  height: 1880,
};

import offerPhone390avif from './offerPhone-390.avif';
import offerPhone780avif from './offerPhone-780.avif';
import offerPhone390webp from './offerPhone-390.webp';
import offerPhone780webp from './offerPhone-780.webp';
import offerPhoneNight390avif from './offerPhoneNight-390.avif';
import offerPhoneNight780avif from './offerPhoneNight-780.avif';
import offerPhoneNight390webp from './offerPhoneNight-390.webp';
import offerPhoneNight780webp from './offerPhoneNight-780.webp';
export const offerPhone: Scene = {
  avif: `${offerPhone390avif} 390w, ${offerPhone780avif} 780w`,
  webp: `${offerPhone390webp} 390w, ${offerPhone780webp} 780w`,
  avifNight: `${offerPhoneNight390avif} 390w, ${offerPhoneNight780avif} 780w`,
  webpNight: `${offerPhoneNight390webp} 390w, ${offerPhoneNight780webp} 780w`,
  src: offerPhone780webp,
  width: 780,
  height: 1040,
};

import treeline1280avif from './treeline-1280.avif';
import treeline2560avif from './treeline-2560.avif';
import treeline1280webp from './treeline-1280.webp';
import treeline2560webp from './treeline-2560.webp';
export const treeline: Scene = {
  avif: `${treeline1280avif} 1280w, ${treeline2560avif} 2560w`,
  webp: `${treeline1280webp} 1280w, ${treeline2560webp} 2560w`,
  src: treeline2560webp,
  width: 2560,
  height: 168,
};

import aside392avif from './aside-392.avif';
import aside784avif from './aside-784.avif';
import aside392webp from './aside-392.webp';
import aside784webp from './aside-784.webp';
import asideNight392avif from './asideNight-392.avif';
import asideNight784avif from './asideNight-784.avif';
import asideNight392webp from './asideNight-392.webp';
import asideNight784webp from './asideNight-784.webp';
export const aside: Scene = {
  avif: `${aside392avif} 392w, ${aside784avif} 784w`,
  webp: `${aside392webp} 392w, ${aside784webp} 784w`,
  avifNight: `${asideNight392avif} 392w, ${asideNight784avif} 784w`,
  webpNight: `${asideNight392webp} 392w, ${asideNight784webp} 784w`,
  src: aside784webp,
  width: 784,
  height: 460,
};

import packageIndividual352avif from './packageIndividual-352.avif';
import packageIndividual704avif from './packageIndividual-704.avif';
import packageIndividual352webp from './packageIndividual-352.webp';
import packageIndividual704webp from './packageIndividual-704.webp';
import packageIndividualNight352avif from './packageIndividualNight-352.avif';
import packageIndividualNight704avif from './packageIndividualNight-704.avif';
import packageIndividualNight352webp from './packageIndividualNight-352.webp';
import packageIndividualNight704webp from './packageIndividualNight-704.webp';
export const packageIndividual: Scene = {
  avif: `${packageIndividual352avif} 352w, ${packageIndividual704avif} 704w`,
  webp: `${packageIndividual352webp} 352w, ${packageIndividual704webp} 704w`,
  avifNight: `${packageIndividualNight352avif} 352w, ${packageIndividualNight704avif} 704w`,
  webpNight: `${packageIndividualNight352webp} 352w, ${packageIndividualNight704webp} 704w`,
  src: packageIndividual704webp,
  width: 704,
  height: 352,
};

import packageGrove352avif from './packageGrove-352.avif';
import packageGrove704avif from './packageGrove-704.avif';
import packageGrove352webp from './packageGrove-352.webp';
import packageGrove704webp from './packageGrove-704.webp';
import packageGroveNight352avif from './packageGroveNight-352.avif';
import packageGroveNight704avif from './packageGroveNight-704.avif';
import packageGroveNight352webp from './packageGroveNight-352.webp';
import packageGroveNight704webp from './packageGroveNight-704.webp';
export const packageGrove: Scene = {
  avif: `${packageGrove352avif} 352w, ${packageGrove704avif} 704w`,
  webp: `${packageGrove352webp} 352w, ${packageGrove704webp} 704w`,
  avifNight: `${packageGroveNight352avif} 352w, ${packageGroveNight704avif} 704w`,
  webpNight: `${packageGroveNight352webp} 352w, ${packageGroveNight704webp} 704w`,
  src: packageGrove704webp,
  width: 704,
  height: 352,
};

import packagePatch352avif from './packagePatch-352.avif';
import packagePatch704avif from './packagePatch-704.avif';
import packagePatch352webp from './packagePatch-352.webp';
import packagePatch704webp from './packagePatch-704.webp';
import packagePatchNight352avif from './packagePatchNight-352.avif';
import packagePatchNight704avif from './packagePatchNight-704.avif';
import packagePatchNight352webp from './packagePatchNight-352.webp';
import packagePatchNight704webp from './packagePatchNight-704.webp';
export const packagePatch: Scene = {
  avif: `${packagePatch352avif} 352w, ${packagePatch704avif} 704w`,
  webp: `${packagePatch352webp} 352w, ${packagePatch704webp} 704w`,
  avifNight: `${packagePatchNight352avif} 352w, ${packagePatchNight704avif} 704w`,
  webpNight: `${packagePatchNight352webp} 352w, ${packagePatchNight704webp} 704w`,
  src: packagePatch704webp,
  width: 704,
  height: 352,
};

import packageCustom352avif from './packageCustom-352.avif';
import packageCustom704avif from './packageCustom-704.avif';
import packageCustom352webp from './packageCustom-352.webp';
import packageCustom704webp from './packageCustom-704.webp';
import packageCustomNight352avif from './packageCustomNight-352.avif';
import packageCustomNight704avif from './packageCustomNight-704.avif';
import packageCustomNight352webp from './packageCustomNight-352.webp';
import packageCustomNight704webp from './packageCustomNight-704.webp';
export const packageCustom: Scene = {
  avif: `${packageCustom352avif} 352w, ${packageCustom704avif} 704w`,
  webp: `${packageCustom352webp} 352w, ${packageCustom704webp} 704w`,
  avifNight: `${packageCustomNight352avif} 352w, ${packageCustomNight704avif} 704w`,
  webpNight: `${packageCustomNight352webp} 352w, ${packageCustomNight704webp} 704w`,
  src: packageCustom704webp,
  width: 704,
  height: 352,
};

import stepPhotos132avif from './stepPhotos-132.avif';
import stepPhotos264avif from './stepPhotos-264.avif';
import stepPhotos132webp from './stepPhotos-132.webp';
import stepPhotos264webp from './stepPhotos-264.webp';
export const stepPhotos: Scene = {
  avif: `${stepPhotos132avif} 132w, ${stepPhotos264avif} 264w`,
  webp: `${stepPhotos132webp} 132w, ${stepPhotos264webp} 264w`,
  src: stepPhotos264webp,
  width: 264,
  height: 336,
};

import stepGrowth132avif from './stepGrowth-132.avif';
import stepGrowth264avif from './stepGrowth-264.avif';
import stepGrowth132webp from './stepGrowth-132.webp';
import stepGrowth264webp from './stepGrowth-264.webp';
export const stepGrowth: Scene = {
  avif: `${stepGrowth132avif} 132w, ${stepGrowth264avif} 264w`,
  webp: `${stepGrowth132webp} 132w, ${stepGrowth264webp} 264w`,
  src: stepGrowth264webp,
  width: 264,
  height: 336,
};

import fieldValley800avif from './fieldValley-800.avif';
import fieldValley1600avif from './fieldValley-1600.avif';
import fieldValley800webp from './fieldValley-800.webp';
import fieldValley1600webp from './fieldValley-1600.webp';
export const fieldValley: Scene = {
  avif: `${fieldValley800avif} 800w, ${fieldValley1600avif} 1600w`,
  webp: `${fieldValley800webp} 800w, ${fieldValley1600webp} 1600w`,
  src: fieldValley1600webp,
  width: 1600,
  height: 1200,
};

import fieldPortrait800avif from './fieldPortrait-800.avif';
import fieldPortrait1600avif from './fieldPortrait-1600.avif';
import fieldPortrait800webp from './fieldPortrait-800.webp';
import fieldPortrait1600webp from './fieldPortrait-1600.webp';
export const fieldPortrait: Scene = {
  avif: `${fieldPortrait800avif} 800w, ${fieldPortrait1600avif} 1600w`,
  webp: `${fieldPortrait800webp} 800w, ${fieldPortrait1600webp} 1600w`,
  src: fieldPortrait1600webp,
  width: 1600,
  height: 1200,
};

import fieldSapling800avif from './fieldSapling-800.avif';
import fieldSapling1600avif from './fieldSapling-1600.avif';
import fieldSapling800webp from './fieldSapling-800.webp';
import fieldSapling1600webp from './fieldSapling-1600.webp';
export const fieldSapling: Scene = {
  avif: `${fieldSapling800avif} 800w, ${fieldSapling1600avif} 1600w`,
  webp: `${fieldSapling800webp} 800w, ${fieldSapling1600webp} 1600w`,
  src: fieldSapling1600webp,
  width: 1600,
  height: 1200,
};
