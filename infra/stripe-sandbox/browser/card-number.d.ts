export interface Brand {
  name: string;
  digits: number;
  groups: number[];
  cvcLength: number;
}
export interface CardValues {
  number: string;
  expiry: string;
  cvc: string;
  country: string;
}
export declare function digitsOf(text: string): string;
export declare function brandOf(digits: string): Brand;
export declare function passesLuhn(digits: string): boolean;
export declare function groupNumber(text: string): string;
export declare function formatExpiry(text: string, deleting?: boolean): string;
export declare function caretAfter(formatted: string, digitsBefore: number): number;
export declare function problemsOf(values: CardValues, now: Date): Partial<Record<keyof CardValues, string>>;
