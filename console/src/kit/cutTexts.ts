/** What cuts a text in a list: a cell, the name that opens its row, what stands beneath another value. */
const CUTTING = '.row-name, .beneath, .arco-table-cell-text-ellipsis'
/** Marks a tip that was put here, and not by a screen. */
const OWN = 'data-cut'

const tell = (element: HTMLElement) => {
  if (element.title && !element.hasAttribute(OWN)) return
  const isCut = element.scrollWidth > element.clientWidth
  element.toggleAttribute(OWN, isCut)
  if (isCut) element.title = element.textContent ?? ''
  else element.removeAttribute('title')
}

/** Under the pointer a text that is cut is told whole. Arco does so where a cell holds nothing but a text. */
export const tellCutTexts = () => {
  const onOver = ({ target }: MouseEvent) => {
    const element = target instanceof Element ? target.closest<HTMLElement>(CUTTING) : null
    if (element) tell(element)
  }
  document.addEventListener('mouseover', onOver)
  return () => document.removeEventListener('mouseover', onOver)
}
