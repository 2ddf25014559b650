/** A secret as the engine writes it, with its value or with what stands for it in a state. */
const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
export const plainSecret = (value: unknown) => ({ ...mark, value });
export const encryptedSecret = (ciphertext: unknown) => ({ ...mark, ciphertext });
