/** The check of identity numbers (GB 11643), with the server's rules and words: it saves a round trip, the server decides. */

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const CHECKS = '10X98765432'
const PROVINCES = /^(1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[123]|91)/
const LENGTH = 18
const FULL_WIDTH = 0xfee0

export interface IdCard {
  number: string
  birthday: string
  gender: 'male' | 'female'
}

/** What was typed beside the number. */
export interface Typed {
  birthday?: string | null
  gender?: string | null
}

const checkDigit = (body: string) => {
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * Number(body[at]), 0)
  return CHECKS.charAt(sum % 11)
}

/** Trimmed, upper case, half width: what every number is, whatever the document. */
const fold = (text: string) =>
  text
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - FULL_WIDTH))
    .replaceAll('\u3000', ' ')
    .trim()
    .toUpperCase()

/** The same of a resident: fifteen digits become eighteen. */
export const normalise = (text: string) => {
  const folded = fold(text)
  if (!/^\d{15}$/.test(folded)) return folded
  const body = `${folded.slice(0, 6)}19${folded.slice(6)}`
  return body + checkDigit(body)
}

const dayOf = (digits: string, today: string) => {
  const day = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
  const time = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day) return undefined
  return day >= '1900-01-01' && day <= today ? day : undefined
}

/** Why the digits before the birthday are refused. */
const provinceRefusal = (type: string, number: string) => {
  if (type === 'hmt_residence') return /^8[123]/.test(number) ? undefined : '港澳台居民居住证号应以81、82或83开头'
  if (type === 'foreign_permanent') return number.startsWith('9') ? undefined : '外国人永久居留身份证号应以9开头'
  return PROVINCES.test(number) ? undefined : '身份证号前两位不是有效的地区代码'
}

/**
 * What is wrong with a number, in the server's words; else the person behind it, where the document tells. Without a type
 * it is a resident's. `today` is YYYY-MM-DD.
 */
export const checkDocument = (
  type: string | undefined | null,
  text: string,
  today: string,
  typed: Typed = {},
): IdCard | string | undefined => {
  const kind = type ?? 'resident_id'
  const ofResident = kind === 'resident_id' || kind === 'hmt_residence'
  const number = ofResident ? normalise(text) : fold(text)
  if (!ofResident && !(kind === 'foreign_permanent' && number.length === LENGTH)) {
    return /^[0-9A-Z]{5,20}$/.test(number) ? undefined : '证件号应为5至20位字母或数字'
  }
  if ([...number].length !== LENGTH) return '身份证号长度应为18位'
  if (!/^\d{17}[\dX]$/.test(number)) return '身份证号只能是17位数字加1位数字或X'
  const province = provinceRefusal(kind, number)
  if (province) return province
  const birthday = dayOf(number.slice(6, 14), today)
  if (!birthday) return '身份证号中的出生日期无效'
  const check = checkDigit(number)
  if (number.at(-1) !== check) return `身份证号校验位错误，应为${check}`
  const gender = Number(number[16]) % 2 === 1 ? 'male' : 'female'
  if (typed.gender && typed.gender !== gender) return '性别与身份证号不符'
  if (typed.birthday && typed.birthday !== birthday) return '出生日期与身份证号不符'
  return { number, birthday, gender }
}
