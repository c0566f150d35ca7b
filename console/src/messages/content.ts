/** Content is kept as HTML; where a channel has no markup it is typed as text, a paragraph a line. */

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

export const htmlOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => `<p>${escaped(line)}</p>`)
    .join('')

export const textOf = (html: string) => {
  const page = new DOMParser().parseFromString(html.replace(/<\/(p|div|li|h\d)>|<br\s*\/?>/gi, '$&\n'), 'text/html')
  return (page.body.textContent ?? '').replace(/\n+/g, '\n').trim()
}

/** Whether the editor of messages keeps it whole: it knows marks, lists and links, and no pictures, tables or headings. */
export const isEditable = (html: string) => !/<\/?(?!(?:p|br|b|strong|i|em|u|sub|sup|a|ul|ol|li)\b)[a-z]/i.test(html)
