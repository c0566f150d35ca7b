/** Copies a text. Plain http knows no clipboard; there the old command does it. Answers whether it was done. */
export const copyText = async (text: string) => {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      // Refused to this page; the old way may still do.
    }
  }
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  // Inside the dialog, which keeps the focus to itself.
  const place = document.querySelector('[role=dialog]') ?? document.body
  place.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}
