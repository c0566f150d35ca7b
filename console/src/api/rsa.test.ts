import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import { expect, it } from 'vitest'
import { encrypt, sha256Hex } from './rsa'

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const opened = (cipher: string) =>
  privateDecrypt(
    { key: pair.privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    Buffer.from(cipher, 'base64'),
  ).toString()

it.each([
  ['with the browser’s cryptography', true],
  ['without it, on plain http', false],
])('encrypts a password %s', async (_, secure) => {
  expect(opened(await encrypt(publicKey, 'Aa@12345密码', secure))).toBe('Aa@12345密码')
})

it('signs the same both ways', async () => {
  const known = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'
  expect(await sha256Hex('hello', true)).toBe(known)
  expect(await sha256Hex('hello', false)).toBe(known)
})
