/** What a picture may be (specification §5). */

const TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/x-icon', 'image/vnd.microsoft.icon', 'image/icon']
const MOST_BYTES = 2 * 1024 * 1024

/** Why a picture is not accepted, if so. */
export const pictureRefusal = ({ type, size }: Pick<File, 'type' | 'size'>) => {
  if (!TYPES.includes(type)) return '不支持上传该文件格式'
  if (size >= MOST_BYTES) return '上传图片大小不能超过 2MB!'
  return undefined
}

/** Whether a stored file can be looked at in the page. */
export const isPicture = (fileName: string) => /\.(jpe?g|png|gif)$/i.test(fileName)
