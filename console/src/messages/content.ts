/** Content is kept as HTML; here it is typed as text, a paragraph a line. */

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

/** Whether typing it as text would lose something: pictures, tables, bold words. */
export const isPlain = (html: string) => /^(\s|<\/?p>|<br\s*\/?>|[^<])*$/i.test(html)
