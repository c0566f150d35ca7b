import { saveBlob } from '@/api/files'

/** Dots of a picture for each of the screen's, so that it can be printed. */
const SCALE = 2

/** Saves what is drawn in a box as a picture, on the ground of the theme. */
export const savePicture = async (box: HTMLElement, title: string, ground: string) => {
  const drawn = box.querySelector('.chart-canvas svg')
  if (!drawn) return
  const { width, height } = drawn.getBoundingClientRect()
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(drawn))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(width * SCALE)
  canvas.height = Math.ceil(height * SCALE)
  const paper = canvas.getContext('2d')
  if (!paper) return
  paper.fillStyle = ground
  paper.fillRect(0, 0, canvas.width, canvas.height)
  paper.drawImage(image, 0, 0, canvas.width, canvas.height)
  canvas.toBlob((picture) => picture && saveBlob(picture, `${title}.png`))
}
