/** The files of materials: what the provider takes. */

export type MaterialKind = 'image' | 'voice' | 'video' | 'news'
export type FileKind = Exclude<MaterialKind, 'news'>

interface Limit {
  accept: string
  megabytes: number
  words: string
}

export const limits: Record<FileKind, Limit> = {
  image: { accept: '.jpg,.jpeg,.png,.gif', megabytes: 2, words: 'jpg、jpeg、png、gif，不超过2MB' },
  voice: { accept: '.mp3,.wma,.wav,.amr', megabytes: 2, words: 'mp3、wma、wav、amr，不超过2MB、60秒' },
  video: { accept: '.mp4', megabytes: 10, words: 'mp4，不超过10MB' },
}

const MEGABYTE = 1024 * 1024

const extensionOf = (name: string) => name.slice(name.lastIndexOf('.')).toLowerCase()

/** Why a file is no material of its kind. */
export const refusalOf = (kind: FileKind, { name, size }: { name: string; size: number }) => {
  const { accept, megabytes, words } = limits[kind]
  if (!accept.split(',').includes(extensionOf(name))) return `不支持该文件格式，请上传${words}的文件`
  return size > megabytes * MEGABYTE ? `文件超过${megabytes}MB，请压缩后重新上传` : undefined
}

const LONGEST_NAME = 60

/** What a material is called at first: the file without its ending. */
export const titleOf = (name: string) => {
  const end = name.lastIndexOf('.')
  return [...(end > 0 ? name.slice(0, end) : name)].slice(0, LONGEST_NAME).join('')
}

/** Seconds as the form takes them; a second that was begun counts. */
export const wholeSeconds = (seconds: number) =>
  Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : undefined

const RATE = 44_100

/** How long a voice is; none where the browser does not know its format, and somebody types it. */
export const secondsOf = async (file: File) => {
  try {
    const context = new OfflineAudioContext(1, 1, RATE)
    const { duration } = await context.decodeAudioData(await file.arrayBuffer())
    return wholeSeconds(duration)
  } catch {
    return undefined
  }
}
