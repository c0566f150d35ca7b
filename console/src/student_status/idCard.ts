/** GB 11643, as the server checks it too; here it only saves a round trip and fills what the number says. */

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const CHECKS = '10X98765432'
const PROVINCES = /^(1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[123]|91)/

export interface IdCard {
  number: string
  birthday: string
  gender: 'male' | 'female'
}

const checkDigit = (body: string) => {
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * Number(body[at]), 0)
  return CHECKS.charAt(sum % 11)
}

/** Trimmed, upper case, half width; fifteen digits become eighteen. */
export const normalise = (text: string) => {
  const folded = text.normalize('NFKC').replace(/\s/g, '').toUpperCase()
  if (!/^\d{15}$/.test(folded)) return folded
  const body = `${folded.slice(0, 6)}19${folded.slice(6)}`
  return body + checkDigit(body)
}

const isDay = (digits: string, today: string) => {
  const day = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
  const time = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day) return undefined
  return day >= '1900-01-01' && day <= today ? day : undefined
}

/** The card, or the sentence that says what is wrong. `today` is YYYY-MM-DD. */
export const checkIdCard = (text: string, today: string): IdCard | string => {
  const number = normalise(text)
  if (!/^\d{17}[\dX]$/.test(number)) return '身份证号长度应为18位'
  const birthday = PROVINCES.test(number) ? isDay(number.slice(6, 14), today) : undefined
  if (!PROVINCES.test(number)) return '身份证号中的省份代码无效'
  if (!birthday) return '身份证号中的出生日期无效'
  const check = checkDigit(number)
  if (number.at(-1) !== check) return `身份证号校验位错误，应为${check}`
  return { number, birthday, gender: Number(number[16]) % 2 === 1 ? 'male' : 'female' }
}

const FOREIGNERS = /^9\d{17}$/

/** What is wrong with the number of any kind of document, if anything; the person behind it where it tells. */
export const checkDocument = (type: string | undefined, text: string, today: string): IdCard | string | undefined => {
  if (type === 'resident_id') return checkIdCard(text, today)
  if (type === 'hmt_residence') {
    return /^8[123]/.test(normalise(text)) ? checkIdCard(text, today) : '港澳台居民居住证号应以81、82或83开头'
  }
  const number = text.trim().toUpperCase()
  if (!/^[0-9A-Z]{5,20}$/.test(number)) return '证件号应为5至20位字母或数字'
  const ofForeigner = type === 'foreign_permanent' && number.length === 18
  return ofForeigner && !FOREIGNERS.test(number) ? '外国人永久居留身份证号应以9开头' : undefined
}
