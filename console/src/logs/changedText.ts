/** What a rich text begins with, as the server keeps it. */
const RICH = /^\s*<(p|ul|ol|li|br|b|i|u|strong|em|sub|sup|a)(\s[^>]*)?\/?>/i

/** A field's value as history tells it: of a rich text its words alone, of none a dash. */
export const changedText = (value: string | null | undefined) => {
  if (value === null || value === undefined) return '—'
  if (!RICH.test(value)) return value
  const apart = value.replace(/<\/(p|li)>|<br\s*\/?>/gi, '$& ')
  const { body } = new DOMParser().parseFromString(apart, 'text/html')
  return body.textContent?.replace(/\s+/g, ' ').trim() ?? ''
}
