import { sha256 } from '@noble/hashes/sha2.js'
import { mgf1, OAEP } from 'micro-rsa-dsa-dh/rsa.js'

/** RSA-OAEP for pages on plain http, where the browser offers no `crypto.subtle`. Loaded only there. */

/** Reads one ASN.1 element: its content and what follows it. */
const element = (bytes: Uint8Array, at: number) => {
  const first = bytes[at + 1] ?? 0
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  const start = at + 2 + lengthBytes
  const length = lengthBytes === 0 ? first : bytes.slice(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0)
  return { tag: bytes[at], start, end: start + length }
}

const integer = (bytes: Uint8Array) => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)

/** Modulus and exponent of a SubjectPublicKeyInfo. */
export const publicKeyOf = (spki: Uint8Array) => {
  const info = element(spki, 0)
  const algorithm = element(spki, info.start)
  const bits = element(spki, algorithm.end)
  const key = element(spki, bits.start + 1)
  const modulus = element(spki, key.start)
  const exponent = element(spki, modulus.end)
  return {
    n: integer(spki.slice(modulus.start, modulus.end)),
    e: integer(spki.slice(exponent.start, exponent.end)),
  }
}

export const encryptSmall = (spki: Uint8Array, text: Uint8Array) =>
  OAEP(sha256, mgf1(sha256)).encrypt(publicKeyOf(spki), text)
