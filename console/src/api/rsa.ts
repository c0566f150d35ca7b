/** Passwords leave the browser as RSA-OAEP-SHA256 cipher texts under the deployment's public key (Base64 SPKI). */

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))

const encryptWeb = async (spki: Uint8Array<ArrayBuffer>, text: Uint8Array<ArrayBuffer>) => {
  const key = await crypto.subtle.importKey('spki', spki, { name: 'RSA-OAEP', hash: 'SHA-256' }, false, ['encrypt'])
  return new Uint8Array(await crypto.subtle.encrypt({ name: 'RSA-OAEP' }, key, text))
}

/** `crypto.subtle` is absent on plain http. */
const isSecure = () => typeof crypto.subtle !== 'undefined'

export const encrypt = async (publicKey: string, text: string, secure = isSecure()) => {
  const spki = fromBase64(publicKey)
  const bytes = new TextEncoder().encode(text)
  if (secure) return toBase64(await encryptWeb(spki, bytes))
  const { encryptSmall } = await import('./rsa-small')
  return toBase64(encryptSmall(spki, bytes))
}

/** Lower-case hexadecimal SHA-256. */
export const sha256Hex = async (text: string, secure = isSecure()) => {
  const bytes = new TextEncoder().encode(text)
  const hex = (digest: Uint8Array) => Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  if (secure) return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  const { sha256 } = await import('@noble/hashes/sha2.js')
  return hex(sha256(bytes))
}
