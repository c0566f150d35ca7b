/** The codes of an answer in the words of people; what they mean stands in the server's conventions. */
const words: Readonly<Record<number, string>> = {
  200: '成功',
  400: '请求不正确',
  403: '没有权限',
  404: '记录不存在',
  409: '状态冲突',
  422: '填写有误',
  429: '过于频繁',
  500: '系统错误',
  999: '导出失败',
}

export const isDone = (code: number) => code === 200

/** 409 状态冲突; a code without words stays a number. */
export const codeWords = (code: number) => [code, words[code]].filter(Boolean).join(' ')

export const codes = Object.keys(words).map((code) => ({ value: code, label: codeWords(Number(code)) }))
