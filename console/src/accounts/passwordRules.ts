const LEAST = 8
const MOST = 32
/** Of how many of the kinds of characters a password has some. */
const KINDS = 3
const kinds = [/[A-Z]/, /[a-z]/, /\d/, /[^A-Za-z\d\s]/]

/** What is wrong with a new password, as far as it is seen without the account; the server knows the rest (01 §1.3). */
export const passwordRefusal = (typed: string) => {
  const length = [...typed].length
  if (length < LEAST || length > MOST) return `密码为${LEAST}至${MOST}位`
  if (/\s/.test(typed)) return '密码不能含空格'
  if (kinds.filter((kind) => kind.test(typed)).length < KINDS) {
    return '密码至少包含大写字母、小写字母、数字、特殊符号中的三类'
  }
  return undefined
}
